"""Search one state on many workers, subtree by subtree."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Generator, Sequence

import attrs

from puzzlekit import Choice, Limits, PuzzlekitError, SearchOptions, Solver, UsageError
from puzzlekit.search.limits import SubtreeReport
from puzzlekit_batch.clients import Client
from puzzlekit_batch.job import Job, SolveJob, new_token
from puzzlekit_batch.stream import Stream, WorkerTally

Subtree = tuple[int, int]  # moves before the subtree, and its number


def check_shared(choice: Choice) -> None:
    """Raise a UsageError if processes cannot share the search of one position."""
    method = choice.method
    heuristics = zip(choice.heuristics, method.phases, strict=True)
    admissible = all(each.admissible or len(phase.groups) < 2 for each, phase in heuristics)
    if method.goal is not None or not method.strategy.splits or not admissible:
        raise UsageError(
            "processes can share the search of one position only if the strategy splits it, as "
            f"Optimal does, and {method.name or 'this method'} does not; with --input, processes "
            "share the lines of a file"
        )


@attrs.frozen
class SubtreeJob(Job):
    """Search subtrees of a state within a bound. The result is a `SubtreeReport`."""

    options: SearchOptions
    state: bytes
    bound: int

    def prepare(
        self, solvers: Sequence[Solver], cancel: threading.Event
    ) -> Callable[[Subtree], SubtreeReport]:
        """Load or build the tables, and return the function that searches a subtree."""
        (solver,) = solvers
        search = solver.make_ready(solver.choose(self.options)).subtrees(self.state)
        limits = Limits(cancel=cancel)
        return lambda subtree: search.search_subtree(self.bound, *subtree, limits)


class SubtreeHelpers:
    """Searches the subtrees of a state on the workers of a client (see `Helpers`).

    - `client`: the client of dask.
    - `job`: the job that solves the state.
    - `state`: the state, with its pieces renamed as the chain needs it.
    """

    def __init__(self, client: Client, job: SolveJob, state: bytes) -> None:
        #: The work of each worker so far, by its name.
        self.tallies: dict[str, WorkerTally] = {}
        #: Number of workers that died.
        self.deaths = 0
        self._client = client
        self._job = job
        self._state = state

    @property
    def count(self) -> int:
        """Number of threads of all workers, at least 1."""
        threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def search(
        self, bound: int, moves: int, numbers: Sequence[int], is_over: Callable[[], bool]
    ) -> Generator[tuple[int, SubtreeReport], None, None]:
        """Search subtrees, and yield the number of each with its report."""
        job = SubtreeJob(new_token(), self._job.sources, self._job.options, self._state, bound)
        stream = Stream(self._client, job, unordered=True, is_over=is_over)
        stream.tallies = self.tallies
        items = ((number, (moves, number)) for number in numbers)
        try:
            with contextlib.closing(stream.results(items)) as results:
                for number, _, report in results:
                    if isinstance(report, PuzzlekitError):
                        raise report
                    yield number, report
        finally:
            self.deaths += stream.deaths
