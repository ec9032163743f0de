"""Answers of step methods."""

from __future__ import annotations

import attrs

from puzzlekit import Move, Puzzle
from puzzlekit_steps.goal import GoalCase
from puzzlekit_steps.step_method import StepMethod


@attrs.frozen
class StepReport:
    """One step of an answer."""

    #: The name. Steps that are searched together have their names joined by " + ".
    name: str
    #: The goal in words, without what earlier steps solved.
    goal: str
    #: Rotations of the whole puzzle before the step, such as "x2"; usually empty.
    hold: str
    #: The moves.
    sequence: tuple[Move, ...]
    #: The cost of the moves in the metric.
    length: int
    #: Whether no shorter sequence of the allowed moves reaches the goal.
    optimal: bool
    #: The number of generated nodes.
    nodes: int
    #: The state after the step, with the puzzle held as then.
    state: bytes
    #: All conditions that hold after the step, up to some moves.
    case: GoalCase
    #: Whether the moves are done on the inverse. The inverses of these moves end the whole answer.
    inverse: bool = False
    #: Rotations of the whole puzzle after which the goal is seen, such as "x"; usually empty.
    after: str = ""
    #: The name of the algorithm, such as "OLL: Sune"; empty if the step has none.
    algorithm: str = ""

    @property
    def moves(self) -> tuple[str, ...]:
        """The names of the moves."""
        return tuple(move.name for move in self.sequence)

    def grey(self, puzzle: Puzzle) -> frozenset[int]:
        """Return the facelets after the step whose pieces matter only for later steps."""
        from puzzlekit.puzzle.stickers import appearance, origins

        look = appearance(puzzle)
        fixed = set(look.fixed)
        matter = {piece for each in self.case.conditions for piece in each.matters(puzzle)}
        shown = {
            facelet
            for pieces in look.orbits
            for home, place in enumerate(pieces.places)
            if pieces.orbit.name in puzzle.frames or (pieces.orbit, home) in matter
            for facelet in place
        }
        if self.after:
            held = origins(puzzle, puzzle.apply(puzzle.solved, puzzle.moves(self.after)))
            shown = {held[facelet] for facelet in shown}
        every = enumerate(origins(puzzle, self.state))
        return frozenset(i for i, home in every if home not in shown and i not in fixed)


@attrs.frozen
class StepSolution:
    """An answer of a step method. All steps were replayed and tested."""

    #: The name of the puzzle.
    puzzle: str
    #: The step method.
    method: StepMethod
    #: The name of the metric.
    metric: str
    #: The state that was solved.
    state: bytes
    #: The steps.
    steps: tuple[StepReport, ...]
    #: The moves and rotations of the whole answer. Moves of different steps that cancel or join are
    #: merged.
    sequence: tuple[Move, ...]
    #: The cost of the whole answer in the metric.
    length: int
    #: Whether the whole puzzle is solved after the last step.
    solved: bool
    #: The CPU time in seconds, including the time to load or build tables.
    cpu_seconds: float
    #: For each step, the number of moves in `sequence` up to its end. Empty if moves of a step are
    #: not together: those on the inverse end the sequence.
    ends: tuple[int, ...] = ()

    def __str__(self) -> str:
        """The names of all moves and rotations, joined by blanks."""
        return " ".join(move.name for move in self.sequence)

    @property
    def cancelled(self) -> int:
        """The cost that the steps have together, less the cost of the whole answer."""
        return sum(step.length for step in self.steps) - self.length
