"""The layout of a puzzle: its stickers and net, derived from the names of places, or its grid."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import count
from typing import Any, NamedTuple

import attrs

from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Effect, gather_of
from puzzlekit.puzzle.orbit import Orbit

__all__ = ["Drawing", "Grid", "PaperPoint", "Picture", "Writing", "sticker_effect"]


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
    #: The scheme whose letters a net of text shows, if the letters of faces are no names of moves.
    net_scheme: str = ""
    #: The name of the puzzle in links to Twizzle. Empty if Twizzle does not have the puzzle.
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


class Writing(ABC):
    """How the states of a puzzle are written and drawn that neither stickers nor a grid describe.

    Examples: the hands of dials, or the pieces of a puzzle that changes its shape. A plugin writes
    a subclass for its puzzle.
    """

    @abstractmethod
    def write(self, state: bytes) -> str:
        """Return a state in one line of text."""

    @abstractmethod
    def read(self, text: str) -> bytes:
        """Return the state that `write` wrote, or that a person typed.

        Raises StateError, which names all faults, if the text cannot be read. The caller checks the
        constraints of the puzzle.
        """

    @abstractmethod
    def is_state(self, text: str) -> bool:
        """Whether a text looks like a state, not like moves."""

    @abstractmethod
    def draw(self, state: bytes) -> tuple[float, float, str]:
        """Return the width and the height of a picture, and its SVG elements.

        The unit of length is about the width of a sticker.
        """

    def rows(self, state: bytes) -> str:
        """Return a state as a drawing in lines of text. By default it is what `write` returns."""
        return self.write(state)


def sticker_effect(
    orbits: Iterable[Orbit],
    places: Mapping[str, Sequence[Sequence[int]]],
    destination: Sequence[int],
) -> Effect:
    """Return the effect (gather, add) of a move that carries sticker i to `destination[i]`.

    `places` has the indices of the stickers of each place, by orbit, as in `FaceletLayout.places`.
    Raises a DeclarationError if the stickers of a piece do not stay together.

    >>> pair = Orbit("edges", "edge", "AB CD", orientations=2)
    >>> gather, add = sticker_effect([pair], {"edges": [(0, 1), (2, 3)]}, [3, 2, 0, 1])
    >>> list(gather), list(add)
    ([1, 0, 3, 2], [0, 0, 0, 1])
    """
    gather: list[int] = []
    add = bytearray()
    moved = {sticker for sticker, arrival in enumerate(destination) if arrival != sticker}
    for orbit in orbits:
        start = len(gather)
        concerned = [
            (i, place) for i, place in enumerate(places[orbit.name]) if not moved.isdisjoint(place)
        ]
        at = {sticker: (i, k) for i, place in concerned for k, sticker in enumerate(place)}
        source = list(range(orbit.size))
        twist = bytearray(orbit.size)
        for i, place in concerned:
            arrival = [at.get(destination[sticker], (-1, 0)) for sticker in place]
            j, k = arrival[0]
            if j < 0 or any(other != j for other, _ in arrival):
                raise DeclarationError(f"the stickers of {orbit.places[i]} do not stay together")
            if arrival != [(j, (k + n) % len(place)) for n in range(len(place))]:
                raise DeclarationError(
                    f"the stickers of {orbit.places[i]} come to {orbit.places[j]} in another "
                    "cyclic order: a piece can be turned, but not mirrored"
                )
            source[j] = i
            twist[j] = k
        gather += [start + i for i in source]
        add += bytes(orbit.size)
        if orbit.orientations > 1:
            gather += [start + orbit.size + i for i in source]
            add += twist
    return gather_of(gather), bytes(add)


@attrs.frozen(slots=False, eq=False, repr=False)
class Surface:
    """The places on the faces of a puzzle, and its unfolded net.

    The name of a place has one letter for each face that the place touches. The first letter is the
    face that shows orientation 0. The other letters follow clockwise, in the order of the
    orientations. If places of two orbits touch the same faces, one of the orbits uses lower case.
    Raises a DeclarationError if the declarations contradict each other.

    >>> corners = Orbit("corners", "corner", "FLR FDL FRD DRL", orientations=3)
    >>> faces = {"F": "FLR FDL FRD", "L": "DRL FLR FDL", "R": "FLR DRL FRD", "D": "FDL FRD DRL"}
    >>> surface = Surface((corners,), faces, "LL.F.RR .L.FF.R. ...DD ...D")
    >>> gather, add = surface.turn("FLR")
    >>> list(gather), list(add)
    ([0, 2, 3, 1, 4, 6, 7, 5], [0, 0, 0, 0, 1, 2, 2, 2])
    """

    #: The orbits.
    orbits: tuple[Orbit, ...]
    #: For each face, the names of its places, separated by spaces. They are in the order of the
    #: facelets of the face: row by row in the net.
    faces: Mapping[str, str]
    #: The rows of the net, separated by spaces. Each sticker is the letter of its face, and each
    #: empty cell is a dot.
    net: str

    @cached_property
    def _facelets(self) -> dict[tuple[frozenset[str], str], int]:
        """The facelet of each place on each face. The place is given as a set of letters."""
        found: dict[tuple[frozenset[str], str], int] = {}
        for face, row in self.faces.items():
            for place in row.split():
                if (frozenset(place), face) in found:
                    raise DeclarationError(f"face {face}: the place {place} is named twice")
                found[frozenset(place), face] = len(found)
        return found

    @cached_property
    def places(self) -> dict[str, tuple[tuple[int, ...], ...]]:
        """For each orbit, the facelets of each of its places, as in `FaceletLayout.places`."""
        return {orbit.name: tuple(map(self._stickers, orbit.places)) for orbit in self.orbits}

    def _stickers(self, place: str) -> tuple[int, ...]:
        return tuple(self._facelet(place, face) for face in place.upper())

    def _facelet(self, place: str, face: str) -> int:
        try:
            return self._facelets[frozenset(place), face]
        except KeyError:
            raise DeclarationError(f"place {place} is not on the face {face}") from None

    def turn(self, cycles: str, places: Iterable[str] | None = None) -> Effect:
        """Return the effect of a turn that moves the pieces at some places.

        If `places` is None, the turn moves the whole puzzle.

        `cycles` says where the turn carries the stickers of each face. With "FLR", stickers on F go
        to L, stickers on L go to R, and stickers on R go to F. Spaces separate cycles. Stickers on
        a face that no cycle names stay on this face. Example: a turn of the whole cube about a
        corner is "URF DLB".
        """
        carried = self._carried(cycles)
        known = {place for place, _ in self._facelets}
        moved = known if places is None else set()
        for place in places or ():
            if frozenset(place) not in known:
                raise DeclarationError(f"place {place} is on no face")
            moved.add(frozenset(place))
        destination = [
            self._arrival(place, face, cycles, carried) if place in moved else facelet
            for (place, face), facelet in self._facelets.items()
        ]
        return sticker_effect(self.orbits, self.places, destination)

    def _carried(self, cycles: str) -> dict[int, int]:
        """Return the destination of each face, as a table for `str.translate`."""
        old = "".join(cycles.split())
        new = "".join(cycle[1:] + cycle[0] for cycle in cycles.split())
        for face in old:
            if face not in self.faces:
                known = " ".join(self.faces)
                raise DeclarationError(
                    f"turn {cycles!r}: {face} is not a face; the faces are {known}"
                )
            if old.count(face) > 1:
                raise DeclarationError(f"turn {cycles!r}: the face {face} is named twice")
        return str.maketrans(old + old.lower(), new + new.lower())

    def _arrival(
        self, place: frozenset[str], face: str, cycles: str, carried: dict[int, int]
    ) -> int:
        """Return the facelet to which a turn carries a facelet."""
        arrival = frozenset("".join(place).translate(carried))
        try:
            return self._facelets[arrival, face.translate(carried)]
        except KeyError:
            rows = " ".join(self.faces.values()).split()
            name = next(each for each in rows if frozenset(each) == place)
            still = [each for each in self.faces if each not in cycles]
            hint = f"; {' '.join(still)} are in no cycle, so they stay" if still else ""
            raise DeclarationError(
                f"turn {cycles!r} would bring a piece from {name} to {name.translate(carried)}, "
                f"but there is no such place: the cycles must name every face that moves{hint}"
            ) from None

    def layout(
        self, schemes: Mapping[str, str], colours: Iterable[str], **more: Any
    ) -> FaceletLayout:
        """Return the layout of the facelets; `more` has other fields of `FaceletLayout`."""
        sizes = [len(row.split()) for row in self.faces.values()]
        face_of = [k for k, size in enumerate(sizes) for _ in range(size)]
        left = {face: count(sum(sizes[:k])) for k, face in enumerate(self.faces)}
        net = [
            [next(left[face]) if face in left else None for face in row] for row in self.net.split()
        ]
        if sorted(i for row in net for i in row if i is not None) != list(range(len(face_of))):
            raise DeclarationError("the net and the faces have different numbers of stickers")
        return FaceletLayout(
            faces="".join(self.faces),
            face_of=tuple(face_of),
            places=self.places,
            net=tuple(map(tuple, net)),
            schemes=schemes,
            colours=tuple(colours),
            **more,
        )
