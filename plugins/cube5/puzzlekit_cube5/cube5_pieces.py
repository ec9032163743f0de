"""Coordinates and renamings for the phases of the 5x5x5.

Each edge of the cube has a midge and two wings. Together, the midge and the wings of one edge of
the solved cube are a tredge. Each edge has one low and one high place of wings. Quarter turns of U,
D, R and L and half turns of all faces and blocks bring low places to low places.
"""

from __future__ import annotations

from puzzlekit import Combination, Companions, Effect, Product, Puzzle
from puzzlekit_cubes import edge_choices, edge_flips, low_and_high


class Cube5Pieces:
    """The pieces of a 5x5x5 cube, and coordinates of these pieces."""

    def __init__(self, cube: Puzzle) -> None:
        self.cube = cube
        #: The low and the high wing of each edge.
        self.low, self.high = low_and_high(cube, "wings")

    def centers(self, name: str, orbit: str, colours: str, faces: str) -> Combination:
        """Return the coordinate of the places of some centers on `faces`."""
        places = self.cube.orbit(orbit).places
        # One center names all centers of its colour.
        pieces = [next(place for place in places if place[0] == colour) for colour in colours]
        on = " ".join(place for place in places if place[0] in faces)
        return Combination(name, self.cube, orbit, " ".join(pieces), on)

    def both_centers(self, name: str, colour: str, faces: str) -> Product:
        """Return the coordinate of a colour's x- and t-centers on two faces: 70 * 70 values."""
        parts = tuple(
            self.centers(f"{name}-{orbit}", orbit, colour, faces)
            for orbit in ("x-centers", "t-centers")
        )
        return Product(name, self.cube, "x-centers", parts)

    def tredges(
        self, name: str, wings: dict[str, str], edges: tuple[str, ...], at: tuple[str, ...]
    ) -> Companions:
        """Return where the midges of some tredges are, and where a wing of each is.

        The midges are at the edges `at`. The wings are at the places that `wings` has for these
        edges: either all low places or all high places. A wing from any place may be there.
        """
        return Companions(
            name,
            self.cube,
            "midges",
            " ".join(edges),
            "wings",
            " ".join(side[edge] for side in (self.low, self.high) for edge in edges),
            " ".join(at),
            " ".join(wings[edge] for edge in at),
        )

    def renaming(self, homes: dict[str, str], flipped: tuple[str, ...]) -> Effect:
        """Return the effect that brings tredges to other homes, and flips tredges.

        `homes` maps edges to edges: the tredge of the second edge comes to the first edge.
        """
        cube, midges = self.cube, self.cube.orbit("midges")
        gather, add = bytearray(range(len(cube.modulus))), bytearray(len(cube.modulus))
        start = cube.offsets["midges"]
        for edge, other in homes.items():
            to, source = start + midges.place(edge), start + midges.place(other)
            gather[to], gather[to + midges.size] = source, source + midges.size
            add[to + midges.size] = edge in flipped
        wings, start = cube.orbit("wings"), cube.offsets["wings"]
        for edge, other in homes.items():
            low, high = (start + wings.place(side[edge]) for side in (self.low, self.high))
            sources = [start + wings.place(side[other]) for side in (self.low, self.high)]
            gather[low], gather[high] = reversed(sources) if edge in flipped else sources
        return bytes(gather), bytes(add)


def flips(cube: Puzzle) -> list[Effect]:
    """Return the 2048 renamings that flip an even number of tredges."""
    return edge_flips(Cube5Pieces(cube).renaming)


def choices(cube: Puzzle) -> list[Effect]:
    """Return 495 renamings. Each names other four tredges as those between R and L."""
    return edge_choices(Cube5Pieces(cube).renaming)
