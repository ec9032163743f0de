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


class Limits(NamedTuple):
    """What ends a search.

    max_length: no answer may cost more, and the first that does not ends the search. timeout: wall
    seconds. max_nodes: generated nodes; with one thread the answer is then reproducible. threads:
    how many work on it. cancel: an event that another thread may set. on_bound: called after each
    bound that a method which proves its answers has searched to its end.
    """

    max_length: int | None = None
    timeout: float | None = None
    max_nodes: int | None = None
    threads: int = 1
    cancel: threading.Event | None = None
    on_bound: Callable[[BoundReport], None] | None = None

    def checked(self) -> Self:
        """The same limits; a UsageError if one of them makes no sense."""
        for name, amount in _AMOUNTS.items():
            value = getattr(self, name)
            if value is not None or name == "threads":
                amount.check_argument(name, value)
        return self
