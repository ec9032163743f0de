"""Find scrambles on workers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import attrs

from puzzlekit import NoSolutionError, Solver
from puzzlekit.search.goal_states import Practice, practice_scrambler
from puzzlekit.search.scrambling import moves_to
from puzzlekit_batch.job import Job
from puzzlekit_events import load_event


@attrs.frozen
class ScrambleJob(Job):
    """Find moves to states. The result for a state is a list of names, or a NoSolutionError."""

    def prepare(
        self, solvers: Sequence[Solver], cancel: threading.Event
    ) -> Callable[[bytes], list[str] | NoSolutionError]:
        """Load or build the tables, and return the function that finds moves to a state."""
        (solver,) = solvers
        solver.make_ready(solver.choose())

        def find(state: bytes) -> list[str] | NoSolutionError:
            try:
                return moves_to(solver, state)
            except NoSolutionError as error:
                return error

        return find


@attrs.frozen
class EventJob(Job):
    """Make scrambles of an event. The result for a label is a list of names of moves."""

    event: str
    seed: int

    def prepare(
        self, solvers: Sequence[Solver], cancel: threading.Event
    ) -> Callable[[str], list[str]]:
        """Load or build the tables, and return the function that makes a scramble."""
        scrambler = load_event(self.event)
        if scrambler.choice is not None:
            scrambler.solver.make_ready(scrambler.choice)
        return lambda label: [move.name for move in scrambler.scramble(self.seed, label)]


@attrs.frozen
class PracticeJob(Job):
    """Make scrambles for practice.

    An item is the number of a scramble. Its result is the state with a list of names of moves.
    """

    practice: Practice
    seed: int

    def prepare(
        self, solvers: Sequence[Solver], cancel: threading.Event
    ) -> Callable[[int], tuple[bytes, list[str]]]:
        """Load or build the tables, and return the function that makes a scramble."""
        (solver,) = solvers
        solver.make_ready(solver.choose())
        return practice_scrambler(solver, self.practice.states(solver), self.seed)
