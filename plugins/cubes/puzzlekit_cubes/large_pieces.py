"""Coordinates and renamings for the phases that reduce large cubes.

Two wings of an orbit belong to each edge of the solved cube. They are a dedge. On cubes of odd
size, a midge also belongs to the edge, and the three pieces are a tredge. Each edge has one low and
one high place of wings (see `puzzlekit_cubes.edges`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from puzzlekit import Combination, Product, Puzzle
from puzzlekit.coordinates.products import Reached, SymCoordinate
from puzzlekit.puzzle.move import Effect
from puzzlekit_cubes.companions import Companions
from puzzlekit_cubes.edges import EDGES, edge_choices, edge_flips, low_and_high


def blocks(faces: str, amount: str = "") -> str:
    """Return turns of the blocks of two and of three layers from some faces.

    >>> blocks("FB", "2")
    'Fw2 Bw2 3Fw2 3Bw2'
    """
    return " ".join(f"{layers}{face}w{amount}" for layers in ("", "3") for face in faces)


#: Moves that keep all sorted centers of two opposite colours on F and B.
SPLITTING = f"U R F D L B {blocks('FB')} {blocks('URDL', '2')}"


class LargeCubePieces:
    """The pieces of a cube with five layers or more, and coordinates of these pieces.

    `wings` is the name of an orbit of wings. `centers` has orbits of centers by the letters that
    end the names of coordinates.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube5").puzzle
    >>> pieces = LargeCubePieces(cube, "wings", {"x": "x-centers", "t": "t-centers"})
    >>> pieces.centers("fb-x", "FB", "URFDLB").size
    735471
    >>> pieces.together("ud", "UD", "xt").size
    4900
    """

    def __init__(self, cube: Puzzle, wings: str, centers: Mapping[str, str]) -> None:
        self.cube = cube
        #: The name of the orbit of wings.
        self.wings = wings
        #: The low and the high wing of each edge.
        self.low, self.high = low_and_high(cube, wings)
        self._centers = dict(centers)

    def centers(self, name: str, colours: str, faces: str) -> Combination:
        """Return the coordinate of the places of some centers on `faces`.

        The last letter of `name` names the orbit.
        """
        orbit = self._centers[name[-1]]
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
        orbit = self._centers[name[-1]]
        return SymCoordinate(f"{name}-classes", self.cube, orbit, parts, classes, symmetries)

    def together(self, name: str, faces: str, orbits: str) -> Product:
        """Return the coordinate of the centers of one colour in several orbits.

        The colour is that of the first face in `faces`. Each orbit has 70 values.
        """
        parts = tuple(self.centers(f"{name}-{orbit}", faces[0], faces) for orbit in orbits)
        return Product(f"{name}-{orbits}", self.cube, self._centers[orbits[0]], parts)

    def together_classes(
        self, name: str, faces: str, orbits: str, classes: int, symmetries: int
    ) -> SymCoordinate:
        """Return the coordinate of `together`, reduced by symmetries.

        A reflection exchanges left and right obliques. So it is a symmetry if both or none of them
        are among the orbits.
        """
        whole = self.together(name, faces, orbits)
        return SymCoordinate(
            f"{whole.name}-classes", self.cube, whole.orbit_name, whole.parts, classes, symmetries
        )

    def reached(self, name: str, faces: str, orbits: str, moves: str, count: int) -> Reached:
        """Return the coordinate of `together`, with the values alone that some moves reach."""
        whole = self.together(name, faces, orbits)
        return Reached(whole.name, self.cube, whole.orbit_name, whole.parts, moves, count)

    def dedges(
        self, name: str, edges: Sequence[str], at: Sequence[str], classes: int, symmetries: int
    ) -> SymCoordinate:
        """Return where some dedges are, and which of their wings are together.

        At each low place of `at` is one wing of a dedge, and the other one is at a high place.
        """
        both = self._both(edges)
        low, high = (" ".join(side[edge] for edge in at) for side in (self.low, self.high))
        where = Companions(name, self.cube, self.wings, both, self.wings, both, low, high, names=2)
        return SymCoordinate(
            f"{name}-classes", self.cube, self.wings, (where,), classes, symmetries
        )

    def tredges(
        self, name: str, edges: Sequence[str], at: Sequence[str]
    ) -> tuple[Companions, Companions]:
        """Return where the midges of some tredges are, and where a wing of each is.

        The midges are at the edges `at`. The first coordinate is about the wings at the low places
        of these edges, the second about those at the high places. Their names are `name` after
        "low-" and "high-". A wing from any place may be there.
        """
        low, high = (
            Companions(
                f"{where}-{name}",
                self.cube,
                "midges",
                " ".join(edges),
                self.wings,
                self._both(edges),
                " ".join(at),
                " ".join(side[edge] for edge in at),
            )
            for where, side in (("low", self.low), ("high", self.high))
        )
        return low, high

    def _both(self, edges: Sequence[str]) -> str:
        return " ".join(side[edge] for side in (self.low, self.high) for edge in edges)

    def renaming(self, homes: Mapping[str, str], flipped: Sequence[str]) -> Effect:
        """Return the effect that brings the wings and midges of edges to other homes.

        `homes` maps edges to edges: the pieces of the second edge come to the first edge. `flipped`
        lists the edges whose pieces are flipped.
        """
        modulus = self.cube.modulus
        gather, add = bytearray(range(len(modulus))), bytearray(len(modulus))
        for edge, other in homes.items():
            is_flipped = edge in flipped
            if other != edge or is_flipped:
                low, high, *midge = self._bytes[edge]
                sources = self._bytes[other]
                gather[low], gather[high] = sources[1::-1] if is_flipped else sources[:2]
                for to, source in zip(midge, sources[2:], strict=True):
                    gather[to] = source
                if midge:
                    add[midge[1]] = is_flipped
        return bytes(gather), bytes(add)

    @cached_property
    def _bytes(self) -> dict[str, tuple[int, ...]]:
        """For each edge the bytes of its low and high wing, then the two of its midge, if any."""
        cube = self.cube
        found = {}
        for edge in EDGES:
            places = [{self.wings: self.low[edge]}, {self.wings: self.high[edge]}]
            places += [{"midges": edge}] if "midges" in cube.offsets else []
            found[edge] = tuple(byte for each in places for byte in cube.bytes_at(each))
        return found

    def flips(self, cube: Puzzle) -> list[Effect]:
        """Return the 2048 renamings that flip an even number of edges; `cube` is their puzzle."""
        return edge_flips(self.renaming)

    def choices(self, cube: Puzzle) -> list[Effect]:
        """Return 495 renamings. Each names other four edges as those between R and L.

        `cube` is the puzzle of the pieces.
        """
        return edge_choices(self.renaming)
