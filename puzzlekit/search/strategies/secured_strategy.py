"""The strategy that takes answers of another method before its own search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import attrs

from puzzlekit.errors import DeclarationError
from puzzlekit.search.heuristic import Heuristic
from puzzlekit.search.phase import Phase
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.strategy import Strategy

if TYPE_CHECKING:
    from puzzlekit.search.strategies.chain import Chain


@attrs.frozen
class WithFallback(Strategy):
    """Takes an answer of another method. Then another strategy searches for shorter answers.

    A beam may find no answer at all, because it keeps only a part of the candidates. Two phases may
    need many seconds for their first answer. With this strategy every state is solved that the
    other method solves. Answers of the other method may have moves that only that method has.

    >>> from puzzlekit import Anytime
    >>> WithFallback(Anytime(), fallback="universal").fallback
    'universal'
    """

    needs_bounds = True

    #: The strategy that searches the phases, such as `Beam` or `Anytime`.
    strategy: Strategy
    #: Name of a method of the same puzzle that solves every state.
    fallback: str
    #: Number of nodes that the other method may generate. If it has no answer by then, it starts
    #: again and ends with its first answer. 0: it ends with its first answer.
    fallback_nodes: int = 0

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError if the phases do not fit, or if no other method is named."""
        if not self.fallback:
            raise DeclarationError(f"method {name}: WithFallback needs the name of another method")
        if self.fallback_nodes < 0:
            raise DeclarationError(f"method {name}: fallback_nodes must be 0 or more")
        self.strategy.check(name, phases)

    def other_method(self) -> str:
        """Return the name of the method that gives the first answers."""
        return self.fallback

    def prepared(self, plan: Plan) -> Chain:
        """Return the search of a plan. Raises UsageError for an inadmissible heuristic."""
        from puzzlekit.search.strategies.secured_chain import SecuredChain

        return SecuredChain(plan, self.strategy, self.fallback_nodes)

    def searched(self, plan: Plan) -> Iterator[tuple[Plan, Phase, Heuristic]]:
        """Yield the phases of the strategy."""
        return self.strategy.searched(plan)
