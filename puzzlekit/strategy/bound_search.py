"""How one bound on the cost is searched: what every way of doing it has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from puzzlekit.engine.search import UNBOUNDED
from puzzlekit.prepare.assembled import Assembled
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.run.driver import Deadline
from puzzlekit.run.limits import Limits

_SHARED_FROM = 1_000_000  # nodes from which on a bound is shared out to several threads


class BoundTask(NamedTuple):
    """A bound to be searched."""

    #: What the answers cost that are looked for.
    bound: int
    #: Generated nodes that it will probably take; 0 where nothing is known.
    likely: int
    #: `threads` search, until `cancel` is set or `max_nodes` are generated. The other limits are
    #: the business of whoever asks.
    limits: Limits
    deadline: Deadline
    #: Whether all answers are looked for; else the first one ends the search.
    everything: bool = False

    @property
    def threads(self) -> int:
        """How many threads are worth their while: one for a bound that takes next to no time."""
        return 1 if self.likely < _SHARED_FROM else self.limits.threads


class BoundWork:
    """What the search of one bound has done so far, all threads together.

    Its search keeps this up to date: before it yields an answer, and at its end.
    """

    def __init__(self, tell: Callable[[], None] | None = None) -> None:
        #: To be called many times a second, with `generated` and `share` as they are then. None
        #: where nobody wants to know; then `share` may stay as it is.
        self.tell = tell
        #: Which share of the bound's work is behind, as far as that can be told; 1 at its end.
        self.share = 0.0
        #: Nodes.
        self.generated = 0
        self.expanded = 0
        #: CPU seconds of other threads.
        self.helpers_cpu = 0.0
        #: Whether all of the bound was searched; an answer that is found first counts too.
        self.finished = False
        #: The least bound beyond this one that has anything to search; UNBOUNDED where none has.
        self.further = UNBOUNDED


class BoundSearch(ABC):
    """Searches one bound after the other, for one state.

    A subclass is one kind of search. One is made for each state.
    """

    @abstractmethod
    def estimate(self) -> int:
        """What every answer costs at least: the first bound."""

    @abstractmethod
    def search(self, task: BoundTask, work: BoundWork) -> Iterator[Sequence[int]]:
        """Yield the moves of answers that cost just the bound, as numbers of the phase's moves.

        The caller goes on to the end, or closes the iterator: then the search ends at once, with
        all its threads.
        """


#: Makes the search of a phase for one state of the puzzle, given as the states to start from: its
#: namings. What all states share, such as tables, is loaded before.
MakeSearch = Callable[[Puzzle, Assembled, Sequence[bytes]], BoundSearch]
