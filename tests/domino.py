"""The 3x3x2 domino: fixed centers leave four ways of holding it, in each of which it is solved."""

from __future__ import annotations

from functools import cache
from typing import Any

from puzzlekit import (
    Combination,
    Frame,
    Method,
    Metric,
    Optimal,
    Orbit,
    Permutation,
    Phase,
    Puzzle,
    Solver,
    Surface,
)
from puzzlekit_twophase import Anytime

CORNERS, EDGES = "ULB UBR URF UFL DBL DRB DFR DLF", "UB UR UF UL DB DR DF DL"
SIDES = {"R2": "UD FB", "F2": "UD RL", "L2": "UD FB", "B2": "UD RL"}
ROTATIONS = {"x2": "UD FB", "y": "FLBR", "z2": "UD RL"}
SURFACE = Surface(
    orbits=(
        Orbit("corners", "corner", CORNERS),
        Orbit("edges", "edge", EDGES),
        Orbit("centers", "center", "U D"),
    ),
    faces={
        "U": "ULB UB UBR UL U UR UFL UF URF",
        "R": "URF UR UBR DFR DR DRB",
        "F": "UFL UF URF DLF DF DFR",
        "D": "DLF DF DFR DL D DR DBL DB DRB",
        "L": "ULB UL UFL DBL DL DLF",
        "B": "UBR UB ULB DRB DB DBL",
    },
    net="""
        ...UUU......
        ...UUU......
        ...UUU......
        LLLFFFRRRBBB
        LLLFFFRRRBBB
        ...DDD......
        ...DDD......
        ...DDD......
    """,
)


def layer(face: str) -> list[str]:
    """The places on a face."""
    return [place for place in f"{CORNERS} {EDGES} U D".split() if face in place]


def domino(name: str = "domino", **changes: Any) -> Puzzle:
    """The puzzle; 8 ways of holding it, 4 of which leave the centers where they are."""
    turns = {
        "U": SURFACE.turn("FLBR", layer("U")),
        "D": SURFACE.turn("FRBL", layer("D")),
        **{face: SURFACE.turn(cycles, layer(face[0])) for face, cycles in SIDES.items()},
        **{rotation: SURFACE.turn(cycles) for rotation, cycles in ROTATIONS.items()},
    }
    costs = {family: int(family not in ROTATIONS) for family in turns}
    declared: dict[str, Any] = {
        "name": name,
        "title": "3x3x2 domino",
        "orbits": SURFACE.orbits,
        "turns": turns,
        "metrics": (
            Metric("HTM", "turns of a layer by any angle", costs),
            Metric("QTM", "quarter turns of a layer", costs, per_turn=True),
        ),
        "rotations": tuple(ROTATIONS),
        "constraints": (Frame("centers"),),
        "layout": SURFACE.layout(
            {"western": "WRGYOB"}, ("white", "red", "green", "yellow", "orange", "blue")
        ),
        **changes,
    }
    return Puzzle(**declared)


EVERY, HALVES = "U D R2 F2 L2 B2", "U2 D2 R2 F2 L2 B2"
FIXED = {"centers": "U D"}


def place(puzzle: Puzzle, moves: str = EVERY, **changes: Any) -> Phase:
    """All pieces placed, told by one table for each kind."""
    corners = Permutation("corners", puzzle, "corners")
    edges = Permutation("edges", puzzle, "edges")
    return Phase(
        "place", "the domino is solved", moves, (corners, edges), ("corners", "edges"), **changes
    )


def halve(puzzle: Puzzle) -> Phase:
    """Corners and edges where half turns may bring them home."""
    tetrad = Combination("tetrad", puzzle, "corners", "URF ULB DRB DLF")
    slice_edges = Combination("slice", puzzle, "edges", "UF UB DF DB")
    return Phase(
        "halve",
        "half turns may do the rest",
        EVERY,
        (tetrad, slice_edges),
        ("tetrad slice",),
        goal_moves=HALVES,
    )


def methods(puzzle: Puzzle, **changes: Any) -> list[Method]:
    """One method for each strategy that may prove its answers."""
    how = {"fixed": FIXED, **changes}
    both = (halve(puzzle), place(puzzle, HALVES))
    whole = (place(puzzle),)
    return [
        Method("first", "one phase", whole, **how),
        Method("improve", "two phases", both, Anytime(), **how),
        Method("prove", "below improve", whole, Optimal(upper_bound_method="improve"), **how),
        Method("alone", "below nothing", whole, Optimal(), **how),
        Method("steps", "one phase after the other", both, **how),
    ]


@cache
def solver(**changes: Any) -> Solver:
    """The domino with all these methods."""
    puzzle = domino()
    return Solver(puzzle, methods(puzzle, **changes))


@cache
def small(name: str = "small-domino", **changes: Any) -> Puzzle:
    """The domino without its edges: 40,320 states, each held in 2 ways beside the 4 of a method."""
    puzzle = domino()
    kept = [*range(8), 16, 17]  # the corners and the centers
    turns = {
        family: (bytes(kept.index(gather[j]) for j in kept), bytes(len(kept)))
        for family, (gather, _) in puzzle.turns.items()
    }
    orbits = puzzle.orbits[0], puzzle.orbits[2]
    return domino(name, orbits=orbits, turns=turns, layout=None, **changes)
