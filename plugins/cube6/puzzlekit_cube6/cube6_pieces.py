"""Coordinates and renamings for the phases of the 6x6x6.

Two inner wings belong to each edge of the solved cube. Together they are a dedge. Each edge has one
low and one high place of inner wings. Quarter turns of U, D, R and L and half turns of all faces
and blocks bring low places to low places.
"""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit import Combination, Companions, Effect, Product, Puzzle, SymCoordinate
from puzzlekit_cubes import edge_choices, edge_flips, low_and_high

WINGS = "inner-wings"
#: Short names of the orbits of centers that the phases sort.
CENTERS = {"x": "inner-x-centers", "l": "left-obliques", "r": "right-obliques"}


class Cube6Pieces:
    """The pieces of a 6x6x6 cube, and coordinates of these pieces."""

    def __init__(self, cube: Puzzle) -> None:
        self.cube = cube
        #: The low and the high wing of each edge.
        self.low, self.high = low_and_high(cube, WINGS)

    def centers(self, name: str, colours: str, faces: str) -> Combination:
        """Return the coordinate of the places of some centers on `faces`.

        The last letter of `name` names the orbit (see `CENTERS`).
        """
        orbit = CENTERS[name[-1]]
        places = self.cube.orbit(orbit).places
        # One center names all centers of its colour.
        pieces = [next(place for place in places if place[0] == colour) for colour in colours]
        on = " ".join(place for place in places if place[0] in faces)
        return Combination(name, self.cube, orbit, " ".join(pieces), on)

    def classes(
        self, name: str, colours: str, faces: str, classes: int, symmetries: int
    ) -> SymCoordinate:
        """Return the coordinate of `centers`, reduced by symmetries."""
        parts = (self.centers(name, colours, faces),)
        return SymCoordinate(
            f"{name}-classes", self.cube, CENTERS[name[-1]], parts, classes, symmetries
        )

    def together(self, name: str, faces: str, orbits: str) -> Product:
        """Return the coordinate of the centers of one colour in several orbits.

        The colour is that of the first face in `faces`. Each orbit has 70 values.
        """
        parts = tuple(self.centers(f"{name}-{orbit}", faces[0], faces) for orbit in orbits)
        return Product(f"{name}-{orbits}", self.cube, CENTERS[orbits[0]], parts)

    def dedges(
        self, name: str, edges: Sequence[str], at: Sequence[str], classes: int, symmetries: int
    ) -> SymCoordinate:
        """Return where some dedges are, and which of their wings are together.

        At each low place of `at` is one wing of a dedge, and the other one is at a high place.
        """
        both = " ".join(side[edge] for side in (self.low, self.high) for edge in edges)
        where = Companions(
            name,
            self.cube,
            WINGS,
            both,
            WINGS,
            both,
            " ".join(self.low[edge] for edge in at),
            " ".join(self.high[edge] for edge in at),
            names=2,
        )
        return SymCoordinate(f"{name}-classes", self.cube, WINGS, (where,), classes, symmetries)

    def renaming(self, homes: dict[str, str], flipped: tuple[str, ...]) -> Effect:
        """Return the effect that brings dedges to other homes, and flips dedges.

        `homes` maps edges to edges: the dedge of the second edge comes to the first edge.
        """
        wings, start = self.cube.orbit(WINGS), self.cube.offsets[WINGS]
        gather, add = bytearray(range(len(self.cube.modulus))), bytes(len(self.cube.modulus))
        for edge, other in homes.items():
            low, high = (start + wings.place(side[edge]) for side in (self.low, self.high))
            sources = [start + wings.place(side[other]) for side in (self.low, self.high)]
            gather[low], gather[high] = reversed(sources) if edge in flipped else sources
        return bytes(gather), add


def flips(cube: Puzzle) -> list[Effect]:
    """Return the 2048 renamings that flip an even number of dedges."""
    return edge_flips(Cube6Pieces(cube).renaming)


def choices(cube: Puzzle) -> list[Effect]:
    """Return 495 renamings. Each names other four dedges as those between R and L."""
    return edge_choices(Cube6Pieces(cube).renaming)
