"""The Ivy Cube: four corners turn in place, and each takes three petals with it."""

from __future__ import annotations

from puzzlekit import (
    EvenParity,
    Frame,
    Method,
    Orbit,
    Orientation,
    Permutation,
    Phase,
    Puzzle,
)
from puzzlekit_cornercubes import shapes
from puzzlekit_cornercubes.corner_cube import CornerCube, about
from puzzlekit_steps import Goal, Solved

__all__ = ["goals", "methods", "puzzle"]

#: The corners that turn.
TURNING = {"R": "UBR", "L": "UFL", "D": "DFR", "B": "DBL"}
PLACES = " ".join(TURNING.values())
RISING = ((2, -2), (0, 0), (-2, 2))  # the corners of a face, with its petal between them
FALLING = ((-2, -2), (0, 0), (2, 2))
CUBE = CornerCube(
    spots={"U": RISING, "R": RISING, "F": FALLING, "D": RISING, "L": RISING, "B": FALLING},
    orbits=(
        Orbit("corners", "corner", PLACES, orientations=3, vectors="cp co"),
        Orbit("petals", "petal", "U R F D L B", vectors="pp"),
    ),
    net=(
        ".....U......",
        "....U.......",
        "...U........",
        "..LF....RB..",
        ".L..F..R..B.",
        "L....FR....B",
        ".....D......",
        "....D.......",
        "...D........",
    ),
    depth=3,
    outlines=shapes.ivy,
)


def puzzle() -> Puzzle:
    """Make the Ivy Cube, with 29,160 states and 12 ways to hold it."""
    mirror = {name: (name.translate(str.maketrans("RL", "LR")), -1) for name in TURNING}
    mirror |= {f"{name}v": (f"{image}v", sign) for name, (image, sign) in mirror.items()}
    return CUBE.turned(
        name="ivy",
        title="Ivy Cube",
        corners=TURNING,
        whole={f"{name}v": about(corner) for name, corner in TURNING.items()},
        mirror=mirror,
        constraints=(Frame("corners"), EvenParity(("petals",))),
        hint="turns are R L D B about UBR UFL DFR DBL; Rv Lv Dv Bv turn the whole cube",
    )


def methods(ivy: Puzzle) -> list[Method]:
    """Make the method `optimal`, with one exact table of 29,160 entries."""
    solve = Phase(
        name="solve",
        goal="the Ivy Cube is solved",
        moves=" ".join(TURNING),
        coordinates=(
            Orientation("corners", ivy, "corners", summed=False),  # 3**4
            Permutation("petals", ivy, "petals", "U R F D"),  # 6! / 2: it is even
        ),
        tables=("corners petals",),
    )
    title = "shortest answers from one exact table"
    return [Method("optimal", title, (solve,), fixed={"corners": PLACES})]


def goals(_: Puzzle) -> list[Goal]:
    """Make the goals: the corners, and the petals."""
    return [
        Goal("corners", "the corners are solved", (Solved("corners"),)),
        Goal("petals", "the petals are solved", (Solved("petals"),)),
    ]
