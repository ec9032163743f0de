"""The limits of a search, its progress reports, and the processes that help it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple, Protocol, Self

from puzzlekit.amounts import check_kind, seconds, whole

__all__ = ["LENGTHS", "BoundReport", "SubtreeReport"]


# No search reaches the largest values.
LENGTHS = whole(0, 1_000_000)
NODES = whole(0, 10**15)
THREADS = whole(1, 1024)
# Those of the first fields of `Limits`.
_AMOUNTS = {"max_length": NODES, "timeout": seconds(), "max_nodes": NODES, "threads": THREADS}


class BoundReport(NamedTuple):
    """A report on a bound that was searched completely without an answer."""

    #: The largest cost that the search accepted.
    bound: int
    #: The cost of the best answer so far; None if no answer was found yet.
    best: int | None
    #: A lower bound on the cost of all answers.
    at_least: int
    #: Number of nodes generated so far.
    nodes: int
    #: Seconds since the search began.
    seconds: float
    #: Estimated seconds to search the next bound.
    next_seconds: float


class Progress(NamedTuple):
    """The progress of the search of one bound, and estimates of the time left."""

    #: The largest cost that the search accepts now.
    bound: int
    #: The cost of the best answer so far; None if no answer was found yet.
    best: int | None
    #: A lower bound on the cost of all answers.
    at_least: int
    #: Number of nodes that all threads generated in the search of this bound.
    nodes: int
    #: Number of nodes that all threads together generate per second.
    nodes_per_second: float
    #: Estimated share of the search of this bound that is done, from 0 to 1.
    share: float
    #: Estimated seconds until this bound is searched completely, if the search finds no answer.
    bound_seconds: float
    #: Estimated seconds until the whole search ends, for a random state; None if unknown.
    seconds: float | None


class Limits(NamedTuple):
    """The limits of a search, and callbacks that report its progress."""

    #: The search ends with the first answer of at most this cost. A method that proves its answers
    #: goes on until the shortest answer is proven. None: no limit.
    max_length: int | None = None
    #: The search ends with its best answer after this number of wall-clock seconds. None: no limit.
    timeout: float | None = None
    #: The search ends with its best answer after this number of generated nodes, or slightly more.
    #: With one thread, a repeated search gives the same answer. None: no limit.
    max_nodes: int | None = None
    #: Number of threads.
    threads: int = 1
    #: The search ends when another thread sets this event. None: no event.
    cancel: threading.Event | None = None
    #: Methods that prove their answers call this function after each completely searched bound.
    on_bound: Callable[[BoundReport], None] | None = None
    #: Methods that prove their answers call this function a few times a second.
    on_progress: Callable[[Progress], None] | None = None
    #: Other processes that search the subtrees of large bounds. Only methods that prove their
    #: answers use them. None: no other processes.
    helpers: Helpers | None = None

    def checked(self) -> Self:
        """Return the same limits, or raise a UsageError that names a wrong one."""
        for value, usual, (name, amount) in zip(self, _USUAL, _AMOUNTS.items(), strict=False):
            if value is not usual:
                amount.check_argument(name, value)
        if not hasattr(self.cancel, "is_set"):
            check_kind("cancel", self.cancel, threading.Event, "a threading.Event")
        for name in ("on_bound", "on_progress"):
            check_kind(name, getattr(self, name), Callable, "a function")
        return self


_USUAL = Limits()


class SubtreeReport(NamedTuple):
    """The search of one subtree within a bound."""

    #: The moves of an answer, from the state; None if the subtree has none.
    path: list[int] | None
    #: Number of generated nodes.
    generated: int
    #: Number of expanded nodes.
    expanded: int
    #: The least larger bound with nodes to search.
    further: int
    #: CPU seconds.
    cpu: float
    #: Whether the subtree was searched to its end or to an answer.
    finished: bool


class Helpers(Protocol):
    """Processes that search subtrees of states."""

    @property
    def count(self) -> int:
        """Number of processes, at least 1."""

    def search(
        self, state: bytes, bound: int, moves: int, numbers: Sequence[int], stop: Callable[[], bool]
    ) -> Generator[tuple[int, SubtreeReport], None, None]:
        """Search some of the subtrees of a state after a number of moves.

        Yields the number of each subtree with its report, in any order.

        - `state`: the state, with its pieces renamed as the strategy needs it.
        - `bound`: the cost of the answers.
        - `moves`: the number of moves before the subtrees.
        - `numbers`: the numbers of the subtrees among all subtrees after these moves.
        - `stop`: called a few times a second. The search ends early if it returns True.

        Closing the iterator ends the search.
        """
