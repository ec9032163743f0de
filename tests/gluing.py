"""For the tests: cubes in which some pieces are glued together."""

from __future__ import annotations

import attrs

import puzzlekit
from puzzlekit import Metric, Puzzle
from puzzlekit.puzzle.orbit import Bandaged

FACES = "URFDLB"


def glued(name: str, bandaged: Bandaged) -> Puzzle:
    """A bundled cube of which only the faces turn, with some pieces glued together."""
    cube = puzzlekit.load(name).puzzle
    return attrs.evolve(
        cube,
        turns={face: cube.turns[face] for face in FACES},
        metrics=(Metric("HTM", "half turns", dict.fromkeys(FACES, 1)),),
        rotations=(),
        reflections=(),
        aliases={},
        constraints=(*cube.constraints, bandaged),
    )
