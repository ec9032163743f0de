"""The 7x7x7 cube: it is reduced to a 5x5x5, and then solved as one.

The method `reduction` finds many candidates in thirteen phases. The beam of the 5x5x5, which the
plugin of the 5x5x5 provides, then continues from all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import evolve

from puzzlekit import Method, Puzzle, PuzzleEntry, hookimpl, universal_method
from puzzlekit_beam import Beam, Rounds
from puzzlekit_cube7 import cube7_phases
from puzzlekit_cubes import cube_puzzle, reduced_method

if TYPE_CHECKING:
    from puzzlekit_events import Event

puzzlekit_api = 2


def puzzle() -> Puzzle:
    """Make the 7x7x7 cube."""
    return cube_puzzle("cube7", 7)


def methods(cube: Puzzle) -> Iterator[Method]:
    """Yield the methods `reduction` and `universal`."""
    later = reduced_method(cube)
    assert isinstance(later.strategy, Beam)
    five = evolve(later.strategy.rounds, first=0.15)
    phases = cube7_phases.phases(cube7_phases.cube_pieces(cube))
    yield Method(
        name="reduction",
        title="reduction to a 5x5x5 by a beam, and the beam of the 5x5x5",
        phases=(*phases, *later.phases),
        strategy=Beam(
            shares=(
                0.03,
                0.03,
                0.1,
                0.22,
                0.05,
                0.06,
                0.07,
                0.09,
                0.06,
                0.06,
                0.06,
                0.03,
                0.03,
            ),
            starts="x y",
            fewest={
                "obliques": 300,
                "t-centers": 300,
                "axes": 300,
                "low": 200,
                "gather four": 100,
                "pair four": 100,
            },
            alternatives=cube7_phases.other_axes(phases),
            finish=evolve(later.strategy, rounds=five),
            seconds=5,
            rounds=Rounds(
                first=0.6,
                longer=3,
                patience=24,
                renamed_a_second=60_000,
                nodes_a_second=15_000_000,
            ),
        ),
        fixed={"centers": "U R F D L B"},
        metrics=("OBTM", "robot", "flip-spin"),  # the search counts a middle slice as two moves
        heavy=True,
    )
    yield universal_method(cube)


@hookimpl
def puzzlekit_puzzles() -> Iterator[PuzzleEntry]:
    """Register cube7."""
    aliases = ("7x7x7", "7x7", "7x7 cube", "7", "V-CUBE 7")
    yield PuzzleEntry("cube7", "7x7x7 cube", puzzle, methods, aliases)


@hookimpl
def puzzlekit_events() -> Iterator[Event]:
    """Register the event 777."""
    from puzzlekit_cubes import HELD, outer_blocks
    from puzzlekit_events import Event, RandomMoves

    moves = RandomMoves(100, outer_blocks(7))
    yield Event("777", "7x7x7 Cube", "cube7", least=2, moves=moves, held=HELD)
