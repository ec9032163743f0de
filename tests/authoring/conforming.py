"""A puzzle and a plugin without mistakes, and what the checks say of changed ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from puzzlekit import (
    Coordinate,
    FaceletLayout,
    Method,
    Metric,
    Orbit,
    OrientationSum,
    Permutation,
    Phase,
    Puzzle,
    PuzzleEntry,
)
from puzzlekit_authoring.run import run_checks

BEADS = Orbit("beads", "bead", "A B C D E F G")
LAMP = Orbit("lamp", "lamp", "Z", orientations=2)  # never moved
TURNS = {
    "L": (bytes([1, 2, 3, 0, 4, 5, 6, 7, 8]), bytes(9)),
    "R": (bytes([0, 1, 2, 4, 5, 6, 3, 7, 8]), bytes(9)),
}
METRIC = Metric("TURNS", "turns of a ring by any angle", {"L": 1, "R": 1})
LAYOUT = FaceletLayout(
    faces="ABCDEFGZY",
    face_of=tuple(range(9)),
    places={"beads": tuple((i,) for i in range(7)), "lamp": ((7, 8),)},
    net=((1, 0, None), (2, 3, 4), (None, 6, 5), (7, 8, None)),
    schemes={"digits": "123456789"},
    colours=("white", "red", "green", "yellow", "orange", "blue", "purple", "pink", "grey"),
)

MakeMethods = Callable[[Puzzle], Sequence[Method]]


def solving(*coordinates: Coordinate, **changes: Any) -> list[Method]:
    names = tuple(each.name for each in coordinates)
    phase = Phase("solve", "every bead is at home", "L R", coordinates, names)
    return [Method("optimal", "", (phase,), **changes)]


def methods(rings: Puzzle) -> list[Method]:
    return solving(Permutation("order", rings, "beads"))


def entry(make: MakeMethods = methods, **changes: Any) -> PuzzleEntry:
    declared: dict[str, Any] = {
        "name": "conforming",
        "title": "Two rings",
        "orbits": (BEADS, LAMP),
        "turns": TURNS,
        "metrics": (METRIC,),
        "constraints": (OrientationSum("lamp"),),
        "layout": LAYOUT,
    }
    return PuzzleEntry("conforming", "Two rings", lambda: Puzzle(**{**declared, **changes}), make)


def failures(what: Any) -> dict[str, str]:
    results = run_checks(what, "quick")
    return {each.check.title: each.reason for each in results if each.outcome == "failed"}


def the_failure(what: Any) -> tuple[str, str]:
    (found,) = failures(what).items()
    return found


SOURCE = """
from puzzlekit import Metric, Orbit, Permutation, Phase, Method, Puzzle, PuzzleEntry
from puzzlekit import hookimpl
{first}
puzzlekit_api = 2

def puzzle():
    turns = {{"t": (bytes([1, 0]), bytes(2))}}
    return Puzzle("ring", "", (Orbit("b", "bead", "A B"),), turns, (Metric("S", "", {{"t": 1}}),))

def methods(made):
    order = Permutation("order", made, "b")
    return [Method("optimal", "", (Phase("solve", "", "t", (order,), ("order",)),))]

@hookimpl
def puzzlekit_puzzles():
    yield PuzzleEntry("ring", "", puzzle, methods)
"""
