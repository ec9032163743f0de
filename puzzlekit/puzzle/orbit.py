"""Orbits: groups of pieces that trade places."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from puzzlekit.errors import DeclarationError


def _place_names(value: str | tuple[str, ...]) -> tuple[str, ...]:
    return tuple(value.split()) if isinstance(value, str) else tuple(value)


@attrs.frozen(eq=False, repr=False)
class Orbit:
    """The places that one kind of piece can occupy, and what sits there when solved.

    `places` may be given as one string of names. `orientations` is how many ways a piece can sit
    at a place. `solved` gives the label of each place in the solved state; without it all pieces
    differ and are labelled 0, 1, 2, ... by their home place; pieces with one label are alike.
    `vectors` names the vectors of labels and orientations ("cp co") where a state format uses such
    names.

    >>> corners = Orbit("corners", "corner", "URF UFL ULB UBR", orientations=3)
    >>> corners.size, corners.solved, corners.width
    (4, (0, 1, 2, 3), 8)
    >>> corners.place("ULB")
    2
    """

    name: str
    piece: str
    places: tuple[str, ...] = attrs.field(converter=_place_names)
    orientations: int = 1
    solved: tuple[int, ...] = attrs.field(
        default=attrs.Factory(lambda self: tuple(range(len(self.places))), takes_self=True)
    )
    vectors: tuple[str, ...] = attrs.field(default=(), converter=_place_names)

    def __repr__(self) -> str:
        return f"Orbit({self.name!r})"

    def __attrs_post_init__(self) -> None:
        if len(set(self.places)) != len(self.places):
            raise DeclarationError(f"orbit {self.name}: a place is named twice")
        if len(self.solved) != len(self.places):
            raise DeclarationError(
                f"orbit {self.name}: {len(self.solved)} labels for {len(self.places)} places"
            )
        if self.orientations < 1 or len(self.places) > 128 or max(self.solved) > 127:
            raise DeclarationError(f"orbit {self.name}: at most 128 places and labels 0 to 127")

    @property
    def size(self) -> int:
        """How many places the orbit has."""
        return len(self.places)

    @property
    def width(self) -> int:
        """How many bytes of a state the orbit takes: its labels, then its orientations if any."""
        return len(self.places) * (2 if self.orientations > 1 else 1)

    @property
    def solved_bytes(self) -> bytes:
        """The bytes of the orbit in the solved state."""
        return bytes(self.solved).ljust(self.width, b"\0")

    @property
    def distinct(self) -> bool:
        """Whether no two pieces are alike."""
        return len(set(self.solved)) == len(self.solved)

    def place(self, name: str) -> int:
        """The index of a named place; a DeclarationError if there is none.

        Letters may come in any order: "FUR" finds the place URF, if only one is spelt so.
        """
        if name in self.places:
            return self.places.index(name)
        spelt = [i for i, place in enumerate(self.places) if sorted(place) == sorted(name)]
        if len(spelt) != 1:
            raise DeclarationError(f"orbit {self.name} has no place {name!r}")
        return spelt[0]

    def label_name(self, label: int) -> str:
        """The name of a piece: that of the (first) place where it is solved."""
        return self.places[self.solved.index(label)]


def state_modulus(orbits: Iterable[Orbit]) -> bytes:
    """For each byte of a state of these orbits its modulus; 0 for labels."""
    return b"".join(
        bytes(orbit.size) + bytes([orbit.orientations]) * (orbit.width - orbit.size)
        for orbit in orbits
    )
