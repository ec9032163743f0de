"""The 6x6x6 cube: it is reduced to a 5x5x5, and then solved as one.

The method `reduction` finds many candidates in seven phases. The beam of the 5x5x5, which the
plugin of the 5x5x5 provides, then continues from all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import evolve

from puzzlekit import Method, Puzzle, PuzzleEntry, hookimpl, universal_method
from puzzlekit_beam import Beam, Rounds
from puzzlekit_cube6 import cube6_phases
from puzzlekit_cubes import cube_puzzle, reduced_method

if TYPE_CHECKING:
    from puzzlekit_events import Event

puzzlekit_api = 2


def puzzle() -> Puzzle:
    """Make the 6x6x6 cube."""
    return cube_puzzle("cube6", 6)


def methods(cube: Puzzle) -> Iterator[Method]:
    """Yield the methods `reduction` and `universal`."""
    later = reduced_method(cube)
    assert isinstance(later.strategy, Beam)
    five = evolve(later.strategy.rounds, first=0.15)
    yield Method(
        name="reduction",
        title="reduction to a 5x5x5 by a beam, and the beam of the 5x5x5",
        phases=(*cube6_phases.phases(cube6_phases.cube_pieces(cube)), *later.phases),
        strategy=Beam(
            shares=(0.1, 0.05, 0.15, 0.1, 0.15, 0.1, 0.05),
            starts="x y",
            fewest={
                "one colour": 8000,
                "obliques": 1000,
                "axes": 300,
                "low": 300,
                "four dedges": 100,
            },
            finish=evolve(later.strategy, rounds=five),
            seconds=5,
            rounds=Rounds(first=0.3, patience=8, nodes_a_second=15_000_000),
        ),
        metrics=("OBTM", "robot", "flip-spin"),  # its moves contain no inner slice turns
        heavy=True,
    )
    yield universal_method(cube)


@hookimpl
def puzzlekit_puzzles() -> Iterator[PuzzleEntry]:
    """Register cube6."""
    aliases = ("6x6x6", "6x6", "6x6 cube", "6", "V-CUBE 6")
    yield PuzzleEntry("cube6", "6x6x6 cube", puzzle, methods, aliases)


@hookimpl
def puzzlekit_events() -> Iterator[Event]:
    """Register the event 666."""
    from puzzlekit_cubes import HELD, outer_blocks
    from puzzlekit_events import Event, RandomMoves

    moves = RandomMoves(80, outer_blocks(6))
    yield Event("666", "6x6x6 Cube", "cube6", least=2, moves=moves, held=HELD)
