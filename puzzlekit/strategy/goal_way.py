"""Ways to search for a goal."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from puzzlekit.coordinate.coordinate import Coordinate
from puzzlekit.prepare.directions import Direction
from puzzlekit.puzzle.move import Effect


class GoalWay(NamedTuple):
    """A way to search for a goal: a phase, and how the state is seen by this phase."""

    #: Number of the phase: 0 for the phase of the method, then the phases of `Nearest.others`.
    phase: int
    #: The direction in which the phase sees the state.
    direction: Direction
    #: Effects that are undone before the state is solved. The search starts from one state for each
    #: of them.
    undone: tuple[Effect, ...]
    #: Bytes of a state that no move changes, with their values at the goal.
    still: tuple[tuple[int, int], ...] = ()
    #: Bytes of labels, with all values from which the moves reach the goal.
    reached: tuple[tuple[tuple[int, ...], frozenset[bytes]], ...] = ()
    #: Coordinates whose goal values the moves exchange only with each other. A state without such a
    #: value never reaches the goal.
    lasting: tuple[Coordinate, ...] = ()
    #: Functions that say of a state whether the moves surely never reach the goal from it.
    bars: tuple[Callable[[bytes], bool], ...] = ()
