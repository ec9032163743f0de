"""What ends a search, and what it reports on the way."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

from puzzlekit.errors import UsageError

_MOST = 10**15  # more moves or nodes than any search reaches
_MOST_THREADS = 1024


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

    def checked(self) -> Limits:
        """The same limits; a UsageError if one of them makes no sense."""
        if not isinstance(self.threads, int) or not 1 <= self.threads <= _MOST_THREADS:
            raise UsageError(
                f"threads must be a whole number from 1 to {_MOST_THREADS}, not {self.threads!r}"
            )
        for name in ("max_length", "max_nodes"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or not 0 <= value <= _MOST):
                raise UsageError(f"{name} must be a whole number from 0 to {_MOST}, not {value!r}")
        seconds = self.timeout
        if seconds is not None and not (isinstance(seconds, int | float) and seconds >= 0):
            raise UsageError(f"timeout must be a number of seconds, not {seconds!r}")
        return self
