"""The strategy that finds and proves the shortest answer of one phase."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from puzzlekit.errors import DeclarationError
from puzzlekit.search.phase import Phase
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.strategy import Strategy

if TYPE_CHECKING:
    from puzzlekit.search.strategies.chain import Chain


@attrs.frozen
class Optimal(Strategy):
    """Searches one phase bound by bound, until no shorter answer is left.

    Another method also searches the state, and its answers are upper bounds, unless they have moves
    that this method does not have. The last bound takes longer to search than all other bounds
    together. It need not be searched if the other method has found a shortest answer. If the
    heuristic is inadmissible, nothing can be proven, and `Sequential` searches the phase instead.

    >>> Optimal(upper_bound_method="two-phase").proves
    True
    """

    proves = True

    #: Name of a method of the same puzzle whose answers are upper bounds; empty for none.
    upper_bound_method: str = ""
    #: Number of nodes that the other method gets before the first bound. If a proof takes minutes,
    #: the nodes of about one second are a good choice.
    upper_bound_nodes: int = 4_000_000
    #: Number of nodes that the other method gets before each bound, divided by the probable number
    #: of nodes of the bound. More than 0. A smaller share proves long answers sooner. A larger
    #: share finds short answers sooner.
    upper_bound_share: float = 0.5

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError unless there is one phase without a view."""
        if len(phases) != 1:
            raise DeclarationError(f"method {name}: Optimal searches exactly one phase")
        if phases[0].view is not None:
            raise DeclarationError(f"method {name}: the phase of Optimal cannot have a view")
        if self.upper_bound_nodes < 0 or self.upper_bound_share <= 0:
            raise DeclarationError(
                f"method {name}: upper_bound_nodes must be 0 or more, and upper_bound_share above 0"
            )

    def other_method(self) -> str:
        """Return the name of the method whose answers are upper bounds."""
        return self.upper_bound_method

    def prepared(self, plan: Plan) -> Chain:
        """Return the search of a plan; with an inadmissible heuristic, that of `Sequential`."""
        if not plan.admissible:
            from puzzlekit.search.strategies.first_strategy import Sequential

            return Sequential().prepared(plan)
        from puzzlekit.search.strategies.prove_chain import ProveChain

        return ProveChain(plan, self.upper_bound_nodes, self.upper_bound_share)
