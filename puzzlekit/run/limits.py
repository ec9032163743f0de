"""What ends a search, and what it reports on the way."""

import threading
from collections.abc import Callable
from typing import NamedTuple, Self

from puzzlekit.amounts import seconds, whole

# More than any search reaches.
LENGTHS = whole(0, 1_000_000)
NODES = whole(0, 10**15)
THREADS = whole(1, 1024)
_AMOUNTS = {"threads": THREADS, "max_length": NODES, "max_nodes": NODES, "timeout": seconds()}


class BoundReport(NamedTuple):
    """A bound on the cost that was searched to its end without an answer.

    `bound`; `best` is the cost of the best answer so far, and no answer costs less than `at_least`;
    `nodes` were generated in `seconds`, and the next bound will probably take `next_seconds`.
    """

    bound: int
    best: int | None
    at_least: int
    nodes: int
    seconds: float
    next_seconds: float


class Progress(NamedTuple):
    """How far the search of a bound is, and how long it will probably take."""

    #: The bound that is searched, the cost of the best answer so far, what every answer costs.
    bound: int
    best: int | None
    at_least: int
    #: Nodes generated within the bound, by all threads.
    nodes: int
    nodes_per_second: float
    #: Which share of the bound is probably behind, from 0 to 1.
    share: float
    #: Seconds until the bound will be searched to its end, if it has no answer.
    bound_seconds: float
    #: Seconds until the search will end, by what a random state is expected to take; None where
    #: nothing is known of that.
    seconds: float | None


class Limits(NamedTuple):
    """What ends a search."""

    #: The first answer that costs no more ends the search; a method that proves its answers goes on
    #: to the shortest.
    max_length: int | None = None
    #: Wall seconds: the search ends with the best answer by then.
    timeout: float | None = None
    #: Generated nodes: the search ends with the best answer by then, which with one thread is the
    #: same every time.
    max_nodes: int | None = None
    #: How many threads work on the search.
    threads: int = 1
    #: The search ends once another thread sets this event.
    cancel: threading.Event | None = None
    #: Called after each bound that a method which proves its answers has searched to its end.
    on_bound: Callable[[BoundReport], None] | None = None
    #: Called a few times a second while such a method searches a bound.
    on_progress: Callable[[Progress], None] | None = None

    def checked(self) -> Self:
        """The same limits; a UsageError if one of them makes no sense."""
        for name, amount in _AMOUNTS.items():
            value = getattr(self, name)
            if value is not None or name == "threads":
                amount.check_argument(name, value)
        return self
