"""The layout of a puzzle: its stickers, or the grid of its numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import attrs

#: On paper: to the right, and down.
PaperPoint = tuple[float, float]


class Drawing(NamedTuple):
    """The shapes of a picture, before it is coloured.

    Lengths are in units of about one sticker.
    """

    #: The size of the picture.
    width: float
    height: float
    #: (number, outline) of each visible sticker. The number is a facelet, or a place of a `Grid`.
    stickers: Sequence[tuple[int, Sequence[PaperPoint]]]
    #: The outlines of the surfaces under the stickers.
    plates: Sequence[Sequence[PaperPoint]]


class Picture(ABC):
    """A way to draw a puzzle. A subclass places the stickers on paper."""

    #: The name of the picture in `--picture`: a word in small letters.
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
    #: For each orbit and place, the facelets of the place. The first one shows orientation 0; the
    #: others follow in the order in which orientations are counted.
    places: Mapping[str, tuple[tuple[int, ...], ...]]
    #: The rows of the unfolded net: facelets, or None for an empty cell.
    net: tuple[tuple[int | None, ...], ...]
    #: The colour schemes: a name, and one colour letter for each face.
    schemes: Mapping[str, str]
    #: The usual colour of each face, in words.
    colours: tuple[str, ...]
    #: The name of the puzzle in links and in the 3D viewer of cubing.js; empty if it has none.
    viewer: str = ""
    #: Returns the pictures besides the net. It is called when a picture is wanted.
    pictures: Callable[[], Sequence[Picture]] = tuple
    #: The viewpoint in the 3D viewer, in degrees to the right of the front.
    longitude: int = 30

    def name(self, facelet: int) -> str:
        """The name of a facelet: its face and its number there from 1, such as "U5"."""
        face = self.face_of[facelet]
        return f"{self.faces[face]}{self.face_of[: facelet + 1].count(face)}"


class Grid(NamedTuple):
    """The layout of a puzzle of one orbit whose state is written as rows of labels.

    The places of the orbit are listed row by row too.
    """

    #: The number of columns.
    columns: int
    #: Another puzzle with the same pieces and moves: its name, and its solved state as text.
    other: tuple[str, str] | None = None

    def where(self, place: int) -> str:
        """A place in words."""
        return f"in row {place // self.columns + 1}, column {place % self.columns + 1}"
