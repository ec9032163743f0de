"""The interface of a search of one bound on the cost."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from puzzlekit.engine.search import UNBOUNDED
from puzzlekit.search.driver import Deadline
from puzzlekit.search.limits import Limits

__all__ = ["BoundTask", "BoundWork"]

_SHARED_FROM = 1_000_000  # several threads share a bound with at least this many nodes


class BoundTask(NamedTuple):
    """A search to do: all answers that cost exactly one number, the bound."""

    #: The cost of the answers to search.
    bound: int
    #: Number of nodes that the search will probably generate; 0 if unknown.
    likely: int
    #: The limits. The search observes `threads`, `cancel` and `max_nodes`. The caller checks the
    #: other limits.
    limits: Limits
    #: The time by which the search ends.
    deadline: Deadline
    #: Whether to search all answers. If False, the first one ends the search.
    everything: bool = False

    @property
    def threads(self) -> int:
        """Number of threads to use: one for a bound with few nodes."""
        return 1 if self.likely < _SHARED_FROM else self.limits.threads


class BoundWork:
    """The work that all threads have done so far in the search of one bound.

    The search updates this record before it yields an answer, and when it ends.
    """

    def __init__(self, tell: Callable[[], None] | None = None) -> None:
        #: A function that the search calls many times a second, after updating `generated` and
        #: `share`. If it is None, `share` need not be updated.
        self.tell = tell
        #: Estimated share of the bound's work that is done; 1 at its end.
        self.share = 0.0
        #: Number of generated nodes.
        self.generated = 0
        #: Number of expanded nodes.
        self.expanded = 0
        #: CPU seconds of other threads.
        self.helpers_cpu = 0.0
        #: Whether the search ended with an answer or at the end of the bound, not at a limit.
        self.finished = False
        #: The least larger bound with nodes to search; UNBOUNDED if there is none.
        self.further = UNBOUNDED


class BoundSearch(ABC):
    """Searches for the answers of one state, one bound on the cost at a time.

    Each subclass is a kind of search, such as IDA*.
    """

    @abstractmethod
    def estimate(self) -> int:
        """Return a lower bound on the cost of every answer, which is the first bound."""

    @abstractmethod
    def search(self, task: BoundTask, work: BoundWork) -> Iterator[Sequence[int]]:
        """Yield answers that cost exactly the bound, as indices of the moves of the phase.

        The caller iterates to the end or closes the iterator. Closing ends the search at once, with
        all its threads.
        """
