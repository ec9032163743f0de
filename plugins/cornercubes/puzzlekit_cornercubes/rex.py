"""The Rex Cube: each turn of a corner moves three centers, three edges and nine petals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from puzzlekit import Method, Orbit, Puzzle
from puzzlekit.puzzle.orbit import Law
from puzzlekit_cornercubes import shapes
from puzzlekit_cornercubes.corner_cube import CORNERS, EDGES, FACES, CornerCube, aligned
from puzzlekit_steps import Goal, Solved

if TYPE_CHECKING:
    from random import Random

__all__ = ["goals", "methods", "puzzle"]

#: The corners of two tetrads. No turn of a corner carries a petal from one to the other.
TETRADS = ("URF", "ULB", "DLF", "DRB"), ("UFL", "UBR", "DFR", "DBL")
#: For each tetrad, the places of its petals: on three faces near each corner.
PETALS = tuple(
    tuple(f"{face}{corner.replace(face, '').lower()}" for corner in tetrad for face in corner)
    for tetrad in TETRADS
)
CUBE = CornerCube(
    spots=dict.fromkeys(
        FACES,
        ((-1, -1), (0, -2), (1, -1), (-2, 0), (0, 0), (2, 0), (-1, 1), (0, 2), (1, 1)),
    ),
    orbits=(
        Orbit("edges", "edge", EDGES, orientations=2, vectors="ep eo"),
        Orbit("centers", "center", " ".join(FACES), vectors="xp"),
        Orbit(
            "petals",
            "petal",
            PETALS[0] + PETALS[1],
            solved=tuple("".join(FACES).index(place[0]) for place in PETALS[0] + PETALS[1]),
            vectors="pp",
        ),
    ),
    net=(*["...UUU......"] * 3, *["LLLFFFRRRBBB"] * 3, *["...DDD......"] * 3),
    depth=3,
    outlines=shapes.rex,
)


def centers(rex: Puzzle, state: bytes) -> list[str]:
    """Return the fault of the centers: an odd permutation, as the cube is held."""
    from puzzlekit.puzzle.move import permutation_parity

    held = rex.orientations(state, rex.orbit("edges"))[0]
    odd = permutation_parity(list(rex.labels(state, rex.orbit("centers"))))
    return ["parity: two centers are exchanged"] if odd != held else []


def petals(rex: Puzzle, state: bytes) -> list[str]:
    """Return the faults of the petals: each tetrad has two of each colour."""
    labels = rex.labels(state, rex.orbit("petals"))
    return [
        f"the petals near {' '.join(tetrad)} have {count} of {face} instead of 2"
        for tetrad, own in zip(TETRADS, (labels[:12], labels[12:]), strict=True)
        for number, face in enumerate(FACES)
        if (count := own.count(number)) != 2
    ]


def drawn_petals(rex: Puzzle, state: bytes, rng: Random) -> bytes:
    """Return the state with the petals of each tetrad drawn among its places."""
    drawn = bytearray(state)
    for start in (rex.offsets["petals"], rex.offsets["petals"] + 12):
        pieces = [*range(6)] * 2
        rng.shuffle(pieces)
        drawn[start : start + 12] = bytes(pieces)
    return bytes(drawn)


def puzzle() -> Puzzle:
    """Make the Rex Cube."""
    laws = (
        aligned(),
        Law(("edges", "centers"), centers),
        Law(("petals",), petals, settle=drawn_petals),
    )
    return CUBE.puzzle("rex", "Rex Cube", laws)


def methods(rex: Puzzle) -> list[Method]:
    """Make the method `phases`: the turns of all corners, of the upper four, of two neighbours."""
    from puzzlekit_definitions import derive_phases

    return [derive_phases(rex, (" ".join(CORNERS), "F L B R", "F L"), memory=60_000_000)]


def goals(_: Puzzle) -> list[Goal]:
    """Make the goals: the lower face, the edges, the centers."""
    return [
        Goal("layer", "the edges, petals and center of D are solved", (Solved("layer:D"),)),
        Goal("edges", "the edges are solved", (Solved("edges"),)),
        Goal("centers", "the edges and centers are solved", (Solved("edges centers"),)),
    ]
