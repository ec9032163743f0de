"""Solve many positions, in this process or on the workers of a dask client."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from puzzlekit import (
    Heuristic,
    Limits,
    Metric,
    Move,
    NotationError,
    Puzzle,
    PuzzlekitError,
    SearchOptions,
    Solution,
    Solver,
    StateError,
    UsageError,
    load,
)
from puzzlekit.puzzle.move import Given
from puzzlekit.puzzle.services import Goal
from puzzlekit.search.heuristic import format_heuristics
from puzzlekit.search.options import Choice
from puzzlekit.search.outcome import Outcome, reaches
from puzzlekit_batch.clients import check_workers
from puzzlekit_batch.job import SolveJob, Source, new_token, solving
from puzzlekit_batch.stream import Stream


def batch(
    positions: Iterable[Given],
    puzzle: str | Solver,
    *,
    client: Any = None,
    unordered: bool = False,
    failures: bool = False,
    method: str | None = None,
    heuristic: str | Heuristic | None = None,
    metric: str | Metric | None = None,
    profile: str | None = None,
    memory: int | None = None,
    goal: Goal | str | None = None,
    moves: str | None = None,
    colours: str | None = None,
    target: Given | None = None,
    max_length: int | None = None,
    timeout: float | None = None,
    max_nodes: int | None = None,
    threads: int = 1,
) -> Iterator[Solution | PuzzlekitError]:
    """Solve many positions, and yield the solution of each.

    With a client of dask, the workers of the client search. Positions are read a little ahead, so
    an iterator of any length takes constant memory.

    Parameters
    ----------
    positions
        The positions: strings, lists of moves, or states (bytes).
    puzzle
        The name of a puzzle, or its solver. The workers make the solver themselves, so the puzzle
        must come from an installed plugin or from a definition.
    client
        A `distributed.Client`. Default: None, which searches in this process without dask.
    unordered
        Whether to yield solutions as they come. By default they come in the order of `positions`.
    failures
        Whether to yield the error of a position that cannot be read or solved. By default, the
        error is raised.
    method, heuristic, metric, profile, memory, goal, moves, colours, target
        The options of the search, as in `Solver.solve`.
    max_length, timeout, max_nodes, threads
        The limits of each search, as in `Solver.solve`.

    Raises
    ------
    UsageError
        If an option does not exist.
    NoSolutionError, NotationError, StateError
        If a position cannot be solved or read, unless `failures` is true.
    PuzzlekitError
        If a worker has another version of puzzlekit or of the plugin, or if the scheduler is gone.

    Examples
    --------
    >>> [str(solution) for solution in batch(["R U", "F2"], "cube2")]
    ["U' R'", 'F2']
    """
    solver = load(puzzle) if isinstance(puzzle, str) else puzzle
    state = None if target is None else solver.state(target)
    options = SearchOptions(method, heuristic, metric, profile, memory, goal, moves, colours, state)
    limits = Limits(max_length, timeout, max_nodes, threads).checked()
    states = (_read(solver, each) for each in positions)
    for result in _solved(solver, options, limits, states, client, unordered):
        if isinstance(result, Solution) or failures:
            yield result
        else:
            raise result


def _read(solver: Solver, position: Given) -> bytes | PuzzlekitError:
    try:
        return solver.state(position)
    except (NotationError, StateError, UsageError) as error:
        return error


def _solved(
    solver: Solver,
    options: SearchOptions,
    limits: Limits,
    states: Iterable[bytes | PuzzlekitError],
    client: Any,
    unordered: bool,
) -> Iterator[Solution | PuzzlekitError]:
    choice = solver.choose(options)
    if client is None:
        solve = solving(solver, choice, limits)
        yield from (solve(each) if isinstance(each, bytes) else each for each in states)
        return
    job = solve_job(solver, choice, options, limits)
    check_workers(client, job)
    replay = Replay(solver, choice)
    stream = Stream(client, job, unordered)
    with contextlib.closing(stream.results((None, each) for each in states)) as results:
        for _, state, result in results:
            yield replay.check(state, result)


def solve_job(solver: Solver, choice: Choice, options: SearchOptions, limits: Limits) -> SolveJob:
    """Return the job that solves states.

    `options` are the options from which `choice` was made. They are completed, so that all workers
    make the same choice. Callbacks of the limits are left out.
    """
    options = options._replace(
        heuristic=format_heuristics(choice.plan.heuristics),
        metric=choice.metric.name if choice.metric in solver.puzzle.metrics else choice.metric,
    )
    if choice.method.goal is None:  # the method of a goal is derived, and has no name to ask for
        profile = choice.method.profile or None
        options = options._replace(method=choice.method.name, profile=profile, memory=None)
    limits = limits._replace(cancel=None, on_bound=None, on_progress=None, helpers=None)
    return SolveJob(new_token(), (Source.of(solver),), options, limits)


class Replay:
    """Replays the answers of workers, and those of an earlier command, in this process."""

    def __init__(self, solver: Solver, choice: Choice) -> None:
        self._solver = solver
        self._choice = choice

    def check(
        self, state: bytes | PuzzlekitError, result: Solution | PuzzlekitError
    ) -> Solution | PuzzlekitError:
        """Return the result of a worker for a state, after its moves were applied to the state.

        A solution that does not solve the state becomes a PuzzlekitError.
        """
        if isinstance(result, PuzzlekitError) or isinstance(state, PuzzlekitError):
            return result
        if result.state == state and self.solves(state, result.moves):
            return result.evolve(declared=self._solver.puzzle)
        return PuzzlekitError(
            f"a worker returned {str(result) or 'no moves'} as an answer, which does not solve "
            "the state"
        )

    def solves(self, state: bytes, moves: Iterable[str]) -> bool:
        """Whether the moves with these names solve a state."""
        puzzle = self._solver.puzzle
        try:
            end = puzzle.apply(state, [_move(puzzle, name) for name in moves])
        except NotationError:
            return False
        return self._is_goal(state, end)

    def _is_goal(self, state: bytes, end: bytes) -> bool:
        puzzle, target = self._solver.puzzle, self._choice.target
        if self._choice.method.goal is None:
            return reaches(puzzle, end, target)
        chain = self._solver.make_ready(self._choice)
        return Outcome(puzzle, chain, state, target=target).is_goal(end)


@lru_cache(maxsize=10_000)
def _move(puzzle: Puzzle, name: str) -> Move:
    (move,) = puzzle.moves(name)
    return move
