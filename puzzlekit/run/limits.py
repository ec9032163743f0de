"""The limits of a search, and its progress reports."""

import threading
from collections.abc import Callable
from typing import NamedTuple, Self

from puzzlekit.amounts import seconds, whole

# The largest values are more than any search reaches.
LENGTHS = whole(0, 1_000_000)
NODES = whole(0, 10**15)
THREADS = whole(1, 1024)
_AMOUNTS = {"threads": THREADS, "max_length": NODES, "max_nodes": NODES, "timeout": seconds()}


class BoundReport(NamedTuple):
    """A bound on the cost that was searched completely, without an answer."""

    #: The bound.
    bound: int
    #: The cost of the best answer so far; None without one.
    best: int | None
    #: No answer costs less than this.
    at_least: int
    #: Nodes generated so far.
    nodes: int
    #: Seconds since the search began.
    seconds: float
    #: Estimated seconds for the next bound.
    next_seconds: float


class Progress(NamedTuple):
    """How far the search of a bound is, and how long it will take by estimate."""

    #: The bound on the cost that is being searched.
    bound: int
    #: The cost of the best answer so far; None without one.
    best: int | None
    #: No answer costs less than this.
    at_least: int
    #: Nodes generated within the bound, by all threads.
    nodes: int
    #: Nodes generated per second, by all threads.
    nodes_per_second: float
    #: Estimated share of the bound that is done, from 0 to 1.
    share: float
    #: Estimated seconds until the bound is searched completely, if it has no answer.
    bound_seconds: float
    #: Estimated seconds until the search ends, as for a random state; None if unknown.
    seconds: float | None


class Limits(NamedTuple):
    """The limits that end a search, and its callbacks."""

    #: The first answer of at most this cost ends the search. A method that proves its answers
    #: goes on to the shortest. None: no limit.
    max_length: int | None = None
    #: Wall-clock seconds after which the search ends with its best answer. None: no limit.
    timeout: float | None = None
    #: Generated nodes after which the search ends with its best answer. With one thread this answer
    #: is the same every time. None: no limit.
    max_nodes: int | None = None
    #: Number of threads.
    threads: int = 1
    #: The search ends when another thread sets this event.
    cancel: threading.Event | None = None
    #: Called after each completely searched bound, by methods that prove their answers.
    on_bound: Callable[[BoundReport], None] | None = None
    #: Called a few times a second during the search of a bound, by the same methods.
    on_progress: Callable[[Progress], None] | None = None

    def checked(self) -> Self:
        """Return the same limits, or raise a UsageError if one of them is out of range."""
        for name, amount in _AMOUNTS.items():
            value = getattr(self, name)
            if value is not None or name == "threads":
                amount.check_argument(name, value)
        return self
