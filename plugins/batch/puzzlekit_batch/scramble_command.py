"""`puzzlekit batch-scramble`."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from copy import copy
from random import Random
from typing import TYPE_CHECKING, Any

import attrs
import click

from puzzlekit import NoSolutionError, PuzzlekitError, Solver
from puzzlekit.cli import Command, options
from puzzlekit.cli.scramble import print_random, scramble_options
from puzzlekit.search.scrambling import moves_to
from puzzlekit_batch.batching import WorkerChoice, worker_options
from puzzlekit_batch.job import Job
from puzzlekit_events import load_event
from puzzlekit_events.command import complete_events, print_of_event
from puzzlekit_steps.practice import Practice, practice_scrambler
from puzzlekit_steps.practice_command import practice_of, practice_options, print_practice

if TYPE_CHECKING:
    from puzzlekit import Puzzle, Solver
    from puzzlekit.search.options import Choice
    from puzzlekit_steps.practice import PracticeStates


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
        """Load or build the tables, and return the function that makes the lines of a scramble."""
        scrambler = load_event(self.event)
        if scrambler.choice is not None:
            scrambler.solver.make_ready(scrambler.choice)
        return lambda label: [*scrambler.lines(self.seed, label)]


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


@click.command(
    "batch-scramble", cls=Command, short_help="Print many scrambles, found in several processes."
)
@scramble_options
@practice_options
@click.option(
    "--event",
    metavar="NAME",
    shell_complete=complete_events,
    help="Competition event such as 333 or pyram, instead of --puzzle.",
)
@worker_options("none, so name it or --cluster")
def command(
    puzzle: str | None,
    event: str | None,
    goal: str | None,
    unwanted: str | None,
    at_most: int | None,
    count: int | None,
    seed: int | None,
    workers: WorkerChoice,
    json_lines: bool,
) -> int:
    """Print the same scrambles as `puzzlekit scramble`, found in several processes.

    With --event, they are the scrambles of `puzzlekit event-scramble`, and with --goal those of
    `puzzlekit practice`.

    \b
    Examples
      puzzlekit batch-scramble --puzzle cube3 --count 20000 --seed 7 --jobs 4
      puzzlekit batch-scramble --event 333 --count 1000 --cluster tcp://host:8786
    """
    from puzzlekit.search.scrambling import fresh_seed

    if not workers.several:
        alone = "scramble" if goal is None else "practice"
        raise click.UsageError(
            "batch-scramble needs --jobs 2 or more, or --cluster; "
            f"'puzzlekit {alone if event is None else 'event-scramble'}' makes scrambles in one "
            "process"
        )
    if event is not None:
        if puzzle is not None:
            raise click.UsageError("--event names the puzzle: omit --puzzle")
        if goal is not None:
            raise click.UsageError("--event and --goal cannot be combined")
    count = count or 1
    number = fresh_seed() if seed is None else seed
    if event is not None:
        return _print_event(event, count, number, workers, json_lines)
    practice = practice_of(goal, unwanted, at_most)
    solver = options.load_puzzle(puzzle)
    if practice is not None:
        return _print_practice(solver, practice, count, number, workers, json_lines)
    rng = Random(seed)
    found = _to_random_states(solver, count, rng, workers)
    return print_random(solver, found, count, rng, seed is None, json_lines)


def _done(
    workers: WorkerChoice,
    job: Job,
    solver: Solver,
    choices: list[Choice],
    items: Iterator[tuple[Any, Any]],
) -> Generator[tuple[Any, Any, Any], None, None]:
    """Yield the key, value and result of each item. Raise the error of an item."""
    from puzzlekit.search.options import table_keys
    from puzzlekit_batch.batching import working

    def keys() -> list[Any]:
        return [key for choice in choices for key in table_keys(choice)]

    with (
        working(workers, job, [solver], keys) as stream,
        contextlib.closing(stream.results(items)) as results,
    ):
        for key, value, result in results:
            if isinstance(result, Exception):
                raise result
            yield key, value, result


def _to_random_states(
    solver: Solver, count: int, rng: Random, workers: WorkerChoice
) -> Iterator[list[str]]:
    """Yield moves to random states; an empty list at the end if a worker gave up a search.

    Then the random numbers continue as if no later state had been drawn.
    """
    from puzzlekit.cli.progress import prepare
    from puzzlekit.search.scrambling import unsolved_state
    from puzzlekit_batch.job import Source, new_token

    choice = solver.choose()
    if workers.needs_tables:
        prepare(solver, choice)
    ahead = copy(rng)  # a thread draws states ahead

    def states() -> Iterator[tuple[Any, bytes]]:
        for _ in range(count):
            state = unsolved_state(solver, ahead)
            yield (ahead.getstate() if solver.gives_up else None), state

    job = ScrambleJob(new_token(), (Source.of(solver),))
    with contextlib.closing(_done(workers, job, solver, [choice], states())) as results:
        for after, state, moves in results:
            if not moves:
                rng.setstate(after)
            else:
                _check(solver.puzzle, moves, state)
            yield moves


def _check(puzzle: Puzzle, moves: list[str], state: bytes) -> None:
    """Raise a PuzzlekitError unless moves lead from the solved puzzle, however held, to a state."""
    if not puzzle.is_solved(puzzle.apply(state, puzzle.undo(puzzle.moves(" ".join(moves))))):
        raise PuzzlekitError(f"a worker returned a wrong scramble: {' '.join(moves)}")


def _print_practice(
    solver: Solver,
    practice: Practice,
    count: int,
    seed: int,
    workers: WorkerChoice,
    json_lines: bool,
) -> int:
    """Print scrambles to random states at a goal, or near a goal."""
    from puzzlekit.cli.progress import prepare
    from puzzlekit_batch.job import Source, new_token

    choices = practice.choices(solver)
    for choice in choices if workers.needs_tables else choices[:-1]:  # some check the states
        prepare(solver, choice)
    states = practice.states(solver)
    job = PracticeJob(new_token(), (Source.of(solver),), practice, seed)
    items = ((number, number) for number in range(count))
    with contextlib.closing(_done(workers, job, solver, choices, items)) as results:
        found = (_checked(solver, states, *result) for _, _, result in results)
        return print_practice(solver, practice.goal, states, found, json_lines)


def _checked(
    solver: Solver, states: PracticeStates, state: bytes, moves: list[str]
) -> tuple[bytes, list[str]]:
    _check(solver.puzzle, moves, state)
    if not states.has(state):
        raise PuzzlekitError(f"a worker returned a wrong scramble: {' '.join(moves)}")
    return state, moves


def _print_event(name: str, count: int, seed: int, workers: WorkerChoice, json_lines: bool) -> int:
    """Print scrambles of an event."""
    from puzzlekit.cli.progress import prepare
    from puzzlekit_batch.job import Source, new_token
    from puzzlekit_events import load_event

    scrambler = load_event(name)
    solver, choice = scrambler.solver, scrambler.choice
    choices = [] if choice is None else [choice]
    for each in choices if workers.needs_tables else []:
        prepare(solver, each)
    job = EventJob(new_token(), (Source.of(solver),), name, seed)
    items = ((label, label) for label in map(str, range(1, count + 1)))
    with contextlib.closing(_done(workers, job, solver, choices, items)) as results:
        for _, _, lines in results:
            print_of_event(scrambler, lines, json_lines)
    return 0
