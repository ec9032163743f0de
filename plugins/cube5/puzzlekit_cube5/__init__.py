"""The 5x5x5 cube: its centers are solved and its edges paired, then it is solved as a 3x3x3.

The method `reduction` finds many candidates in five phases, and solves all of them as 3x3x3 cubes
in one search. This search is Kociemba's Two-Phase algorithm, which the plugin of the 3x3x3
provides.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from puzzlekit import Method, Puzzle, PuzzleEntry, hookimpl, universal_method
from puzzlekit_beam import Beam, Rounds
from puzzlekit_cube5 import cube5_phases
from puzzlekit_cubes import cube_puzzle, finish_phases
from puzzlekit_twophase import Anytime

if TYPE_CHECKING:
    from puzzlekit_events import Event

puzzlekit_api = 2


def puzzle() -> Puzzle:
    """Make the 5x5x5 cube."""
    return cube_puzzle("cube5", 5)


def methods(cube: Puzzle) -> Iterator[Method]:
    """Yield the methods `reduction` and `universal`."""
    phases = cube5_phases.phases(cube5_phases.cube_pieces(cube))
    yield Method(
        name="reduction",
        title="reduction to a 3x3x3 by a beam, and Two-Phase for many at once",
        phases=(*phases, *finish_phases(cube, large=True)),
        strategy=Beam(
            shares=(0.05, 0.05, 0.25, 0.3, 0.2),
            starts="x y",
            fewest={"four": 24},
            alternatives=cube5_phases.other_axes(phases),
            finish=Anytime(premoves=1, premoves_after=(3_000,)),
            seconds=2,
            rounds=Rounds(first=0.3, nodes_a_second=15_000_000),
        ),
        fixed={"centers": "U R F D L B"},
        metrics=("OBTM", "robot", "flip-spin"),  # its moves contain no inner slice turns
        heavy=True,
    )
    yield universal_method(cube)


@hookimpl
def puzzlekit_puzzles() -> Iterator[PuzzleEntry]:
    """Register cube5."""
    aliases = ("5x5x5", "5x5", "5x5 cube", "5", "Professor's Cube")
    yield PuzzleEntry("cube5", "5x5x5 cube", puzzle, methods, aliases)


@hookimpl
def puzzlekit_events() -> Iterator[Event]:
    """Register the events with the 5x5x5."""
    from puzzlekit_cubes import HELD, held_at_random, outer_blocks
    from puzzlekit_events import Event, RandomMoves

    moves = RandomMoves(60, outer_blocks(5))
    yield Event("555", "5x5x5 Cube", "cube5", least=2, moves=moves, held=HELD)
    ways = held_at_random("3Rw 3Fw 3Uw")
    yield Event("555bf", "5x5x5 Blindfolded", "cube5", 2, moves, "", ways, 3, HELD)
