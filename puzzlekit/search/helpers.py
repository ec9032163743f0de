"""Other processes that search subtrees of a bound."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple, Protocol

__all__ = ["SubtreeReport"]


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
    """Processes that search subtrees of one state. Each of them knows the state."""

    @property
    def count(self) -> int:
        """Number of processes, at least 1."""

    def search(
        self, bound: int, moves: int, numbers: Sequence[int], is_over: Callable[[], bool]
    ) -> Generator[tuple[int, SubtreeReport], None, None]:
        """Search some of the subtrees after a number of moves.

        Yields the number of each subtree with its report, in any order.

        - `bound`: the cost of the answers.
        - `moves`: the number of moves before the subtrees.
        - `numbers`: the numbers of the subtrees among all subtrees after these moves.
        - `is_over`: a function that is called a few times a second. The search ends early if it
          returns True.

        Closing the iterator ends the search.
        """
