"""Ways to search for a goal."""

from __future__ import annotations

from typing import NamedTuple

from puzzlekit.coordinates.coordinate import Coordinate
from puzzlekit.puzzle.move import Effect
from puzzlekit.search.directions import Direction
from puzzlekit.search.goals.obstacles import Obstacles


class GoalWay(NamedTuple):
    """A way to search for a goal: a phase, and how the state is seen by this phase."""

    #: Number of the phase: 0 for the phase of the method, then the phases of `Nearest.others`.
    phase: int
    #: The direction in which the phase sees the state.
    direction: Direction
    #: Rotations of the whole puzzle by which the pieces of the state are renamed. The search starts
    #: from one state for each of them.
    rotations: tuple[Effect, ...]
    #: Effects that are undone before the state is solved. The search starts from one state for each
    #: of them.
    undone: tuple[Effect, ...]
    #: Proofs that the moves do not reach the goal.
    obstacles: Obstacles
    #: Coordinates whose goal values the moves exchange only with each other. A state without such a
    #: value never reaches the goal.
    lasting: tuple[Coordinate, ...] = ()
