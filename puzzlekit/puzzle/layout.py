"""How a puzzle looks and is written: its stickers, or the numbers of its pieces."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import attrs

#: On paper: to the right, and down.
PaperPoint = tuple[float, float]


class Drawing(NamedTuple):
    """What a picture consists of, before it is coloured.

    Lengths are in units of about one sticker.
    """

    width: float
    height: float
    #: Number and outline of each sticker that is seen: a facelet, or a place of a `Grid`.
    stickers: Sequence[tuple[int, Sequence[PaperPoint]]]
    #: The outlines of what the stickers lie on.
    plates: Sequence[Sequence[PaperPoint]]


class Picture(ABC):
    """A way to draw a puzzle. A subclass says where the stickers are on paper."""

    #: What the picture is asked for by: a word in small letters.
    name: str = ""

    @abstractmethod
    def draw(self, layout: FaceletLayout) -> Drawing:
        """Where the stickers of a puzzle with this layout are."""


@attrs.frozen(slots=False, eq=False, repr=False)
class FaceletLayout:
    """Where the stickers of a puzzle are.

    `faces` has one letter a face, in the order in which facelet strings list them; `face_of` gives
    for each facelet the index of its face; `places` gives for each orbit, place by place, the
    facelets of that place, starting with the one that shows orientation 0 and going round in the
    order in which orientations are counted; `net` gives the rows of the unfolded net (a facelet
    index, or None where the net is empty); `schemes` maps the name of a colour scheme to one colour
    letter a face; `colours` gives for each face the usual colour of its stickers, in words;
    `viewer` is the name of the puzzle in links and in the 3D viewer of cubing.js, if it is known
    there; `longitude` is from how many degrees to the right of the front it is shown there;
    `pictures` makes the ways to draw the puzzle besides its net, when one is asked for.
    """

    faces: str
    face_of: tuple[int, ...]
    places: Mapping[str, tuple[tuple[int, ...], ...]]
    net: tuple[tuple[int | None, ...], ...]
    schemes: Mapping[str, str]
    colours: tuple[str, ...]
    viewer: str = ""
    pictures: Callable[[], Sequence[Picture]] = tuple
    longitude: int = 30

    def name(self, facelet: int) -> str:
        """The name of a facelet: its face and its number there, counted from 1, as in "U5"."""
        face = self.face_of[facelet]
        return f"{self.faces[face]}{self.face_of[: facelet + 1].count(face)}"


class Grid(NamedTuple):
    """How a puzzle of one orbit is written and shown: the labels at its places, row by row.

    The places of the orbit come row by row too, `columns` in each row. `other` is there if another
    puzzle has the same pieces and moves: its name, and its solved state as it is written.
    """

    columns: int
    other: tuple[str, str] | None = None

    def where(self, place: int) -> str:
        """A place in words."""
        return f"in row {place // self.columns + 1}, column {place % self.columns + 1}"
