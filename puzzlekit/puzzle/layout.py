"""The layout of a puzzle: its stickers, or the grid of its numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import attrs

#: A point on paper: its distance to the right and its distance down.
PaperPoint = tuple[float, float]


class Drawing(NamedTuple):
    """The shapes of a picture, without colours.

    The unit of length is about the width of a sticker.
    """

    #: The width of the picture.
    width: float
    #: The height of the picture.
    height: float
    #: For each visible sticker the index of its facelet and its outline. In a puzzle with a `Grid`
    #: the index is that of a place.
    stickers: Sequence[tuple[int, Sequence[PaperPoint]]]
    #: The outlines of the surfaces under the stickers.
    plates: Sequence[Sequence[PaperPoint]]


class Picture(ABC):
    """A way to draw a puzzle. A subclass computes where each sticker is on paper."""

    #: The name of the picture in `--picture`: one word in lower case.
    name: str = ""

    @abstractmethod
    def draw(self, layout: FaceletLayout) -> Drawing:
        """Return the drawing of a puzzle with this layout."""


@attrs.frozen(slots=False, eq=False, repr=False)
class FaceletLayout:
    """The stickers of a puzzle: their faces, places, net and colours."""

    #: One letter for each face, in the order of facelet strings.
    faces: str
    #: For each facelet, the index of its face.
    face_of: tuple[int, ...]
    #: For each orbit, the facelets of each of its places. The first facelet of a place is the one
    #: that shows orientation 0. The others follow in the order of the orientations.
    places: Mapping[str, tuple[tuple[int, ...], ...]]
    #: The rows of the unfolded net: facelets, or None for an empty cell.
    net: tuple[tuple[int | None, ...], ...]
    #: The colour schemes by name: one colour letter for each face.
    schemes: Mapping[str, str]
    #: The usual colour of each face, in words.
    colours: tuple[str, ...]
    #: The name of the puzzle in links and in the 3D viewer of cubing.js. Empty if cubing.js does
    #: not have the puzzle.
    viewer: str = ""
    #: A function that returns the pictures besides the net. It is called when a picture is wanted.
    pictures: Callable[[], Sequence[Picture]] = tuple
    #: The direction of the viewer in 3D, in degrees to the right of the front.
    longitude: int = 30
    #: For each facelet, the index of the face whose colour it has in the solved puzzle. By default
    #: this is the face on which the facelet is.
    colour_of: tuple[int, ...] = attrs.field(
        default=attrs.Factory(lambda self: self.face_of, takes_self=True)
    )

    def name(self, facelet: int) -> str:
        """Return the name of a facelet: its face and its number on this face, such as "U5".

        Numbers start at 1.
        """
        face = self.face_of[facelet]
        return f"{self.faces[face]}{self.face_of[: facelet + 1].count(face)}"


class Grid(NamedTuple):
    """The layout of a puzzle whose states are written as rows of labels.

    The puzzle has one orbit. The orbit lists its places in the order of writing: row by row.
    """

    #: The number of columns.
    columns: int
    #: The name, and the solved state as text, of another puzzle with the same pieces and moves. If
    #: a state can be solved only as the other puzzle, a message suggests that puzzle.
    other: tuple[str, str] | None = None

    def where(self, place: int) -> str:
        """Return a place in words."""
        return f"in row {place // self.columns + 1}, column {place % self.columns + 1}"
