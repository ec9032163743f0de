"""The 4x4x4 cube: its centers are solved and its wings paired, then it is solved as a 3x3x3.

The method `reduction` finds many candidates in three phases, and solves all of them as 3x3x3 cubes
in one search. The method `six-phase` takes the first answer of each of four phases. Both methods
end with Kociemba's Two-Phase algorithm, which the plugin of the 3x3x3 provides.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from puzzlekit import Method, Puzzle, PuzzleEntry, Sequential, hookimpl, universal_method
from puzzlekit_beam import Beam, Rounds
from puzzlekit_cube4 import reduction, six_phase
from puzzlekit_cube4.coordinates import CubeCoordinates
from puzzlekit_cubes import cube_puzzle, finish_phases
from puzzlekit_twophase import Anytime

if TYPE_CHECKING:
    from puzzlekit import Heuristic
    from puzzlekit_events import Event
    from puzzlekit_steps import StepMethod

puzzlekit_api = 2


def puzzle() -> Puzzle:
    """Make the 4x4x4 cube."""
    return cube_puzzle("cube4", 4)


def methods(cube: Puzzle) -> Iterator[Method]:
    """Yield the methods `reduction`, `six-phase` and `universal`, which counts slice turns too."""
    pieces = CubeCoordinates(cube)
    yield Method(
        name="reduction",
        title="reduction to a 3x3x3 by a beam, and Two-Phase for many at once",
        phases=(*reduction.phases(pieces), *finish_phases(cube, large=True)),
        strategy=Beam(
            shares=(0.1, 0.32, 0.36),
            starts="y z",
            alternatives=(reduction.aside(pieces),),
            finish=Anytime(premoves=1, premoves_after=(3_000,)),
            seconds=0.6,
            rounds=Rounds(first=0.06, nodes_a_second=25_000_000),
        ),
        metrics=("OBTM", "robot", "flip-spin"),  # its moves contain no inner slice turns
        heavy=True,
    )
    yield Method(
        name="six-phase",
        title="reduction to a 3x3x3 in four phases, and Two-Phase",
        phases=(*six_phase.phases(pieces), *finish_phases(cube, large=False)),
        strategy=Sequential(choices=50, relabel=True),
        metrics=("OBTM", "robot", "flip-spin"),
    )
    yield universal_method(cube)


def step_methods(_: Puzzle) -> list[StepMethod]:
    """Make the step methods."""
    from puzzlekit_cube4 import reduction_steps

    return reduction_steps.step_methods()


@hookimpl
def puzzlekit_puzzles() -> Iterator[PuzzleEntry]:
    """Register cube4."""
    aliases = ("4x4x4", "4x4", "4x4 cube", "4", "Rubik's Revenge")
    yield PuzzleEntry("cube4", "4x4x4 cube", puzzle, methods, aliases, steps=step_methods)


@hookimpl
def puzzlekit_heuristics() -> Iterator[type[Heuristic]]:
    """Register heuristics that are not admissible, which the larger cubes use."""
    from puzzlekit_cubes.formulas import Blended, Euclid, MaxSd, MaxSum

    yield from (MaxSd, Euclid, Blended, MaxSum)


@hookimpl
def puzzlekit_events() -> Iterator[Event]:
    """Register the events with the 4x4x4."""
    from puzzlekit_cubes import HELD, held_at_random
    from puzzlekit_events import AtMost, Event

    moves = AtMost()
    yield Event("444", "4x4x4 Cube", "cube4", least=2, moves=moves, held=HELD)
    ways = held_at_random("x z y")
    yield Event("444bf", "4x4x4 Blindfolded", "cube4", 2, moves, "", ways, 3, HELD)
