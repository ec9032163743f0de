"""Search from several starts as one search."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit.engine.search import Search
from puzzlekit.engine.statuses import EXHAUSTED, PAUSED


class Starts:
    """Combines the searches from several starts into one search for the cheapest answer.

    There is one search for each start. The search with the lowest bound runs next, until it has
    searched this bound completely. The class has the members of `Search` that a `Driver` uses.
    """

    def __init__(self, searches: Sequence[Search]) -> None:
        self._searches = searches
        self._last = searches[0]  # the search that ran last; it has the answer
        self._staying = False
        for search in searches:
            search.stay(True)

    def stay(self, staying: bool) -> None:
        """Set whether `run` returns EXHAUSTED at the end of each bound.

        A later call of `run` then continues with the next bound.
        """
        self._staying = staying

    def run(self, budget: int) -> int:
        """Generate about `budget` more nodes, and return a status as `Search.run` does."""
        stop, bound = self.work + budget, self.f_bound
        while (left := stop - self.work) > 0:
            self._last = min(self._searches, key=lambda search: search.f_bound)
            before = self._last.f_bound
            status = self._last.run(left)
            if status != EXHAUSTED:
                return status
            at_limit = self._last.f_bound == before  # the least bound is at its limit, so all are
            if at_limit or (self._staying and self.f_bound > bound):
                return EXHAUSTED
        return PAUSED

    @property
    def path(self) -> list[int]:
        """Numbers of the moves of the answer."""
        return list(self._last.path)

    @property
    def spent_here(self) -> int:
        """The cost of the moves of the answer."""
        return int(self._last.spent_here)

    @property
    def f_bound(self) -> int:
        """The least bound of all searches."""
        return min(int(search.f_bound) for search in self._searches)

    @property
    def work(self) -> int:
        """Number of nodes that all searches have listed so far."""
        return sum(search.work for search in self._searches)

    @property
    def generated_nodes(self) -> int:
        """Number of nodes that all searches have generated."""
        return sum(search.generated_nodes for search in self._searches)

    @property
    def expanded_nodes(self) -> int:
        """Number of nodes that all searches have expanded."""
        return sum(search.expanded_nodes for search in self._searches)
