"""The strategy that finds and proves the shortest answer of one phase."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from puzzlekit.errors import DeclarationError
from puzzlekit.search.phase import Phase
from puzzlekit.search.plan import Plan
from puzzlekit.search.strategies.strategy import Strategy

if TYPE_CHECKING:
    from puzzlekit.search.strategies.chain import Chain


@attrs.frozen
class Prove(Strategy):
    """Searches one phase bound by bound, until no shorter answer is left.

    Another method also searches the state, and its answers are upper bounds, unless they have moves
    that this method does not have. The last bound takes longer to search than all other bounds
    together. It need not be searched if the other method has found a shortest answer. If the
    heuristic is inadmissible, nothing can be proven, and `First` searches the phase instead.

    >>> Prove(upper="two-phase").proves
    True
    """

    proves = True

    #: Name of a method of the same puzzle whose answers are upper bounds; empty for none.
    upper: str = ""
    #: Number of nodes that the upper method gets before the first bound. If a proof takes minutes,
    #: the nodes of about one second are a good choice.
    upper_nodes: int = 4_000_000
    #: Number of nodes that the upper method gets before each bound, divided by the probable number
    #: of nodes of the bound. More than 0. A smaller share proves long answers sooner. A larger
    #: share finds short answers sooner.
    upper_share: float = 0.5

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError unless there is one phase without a view."""
        if len(phases) != 1:
            raise DeclarationError(f"method {name}: Prove searches exactly one phase")
        if phases[0].view is not None:
            raise DeclarationError(f"method {name}: the phase of Prove cannot have a view")
        if self.upper_nodes < 0 or self.upper_share <= 0:
            raise DeclarationError(
                f"method {name}: upper_nodes must be 0 or more, and upper_share above 0"
            )

    def chain(self, plan: Plan) -> Chain:
        """Return the search of a plan; with an inadmissible heuristic, the search of `First`."""
        if not plan.admissible:
            from puzzlekit.search.strategies.first_strategy import First

            return First().chain(plan)
        from puzzlekit.search.strategies.prove_chain import ProveChain

        return ProveChain(plan, self.upper_nodes, self.upper_share)
