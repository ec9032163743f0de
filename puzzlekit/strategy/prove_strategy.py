"""The strategy that finds the shortest answer of one phase, and proves that it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from puzzlekit.errors import DeclarationError
from puzzlekit.phase.phase import Phase
from puzzlekit.prepare.plan import Plan
from puzzlekit.strategy.strategy import Strategy

if TYPE_CHECKING:
    from puzzlekit.strategy.chain import Chain


@attrs.frozen
class Prove(Strategy):
    """Searches one phase bound by bound, until no shorter answer is left.

    Answers of another method are upper bounds. A short one found in time saves the search of the
    last bound, which takes longer than all others together. With a heuristic that is not admissible
    nothing is proven: then the phase is searched as by `First`.

    >>> Prove(upper="two-phase").proves
    True
    """

    proves = True

    #: The name of a method of the same puzzle whose answers are upper bounds; or empty.
    upper: str = ""
    #: Generated nodes that the upper method has before the first bound is searched. Set by whoever
    #: tunes a method: about a second's worth is right where a proof takes minutes.
    upper_nodes: int = 4_000_000
    #: The share of the nodes that a bound will probably take, which the upper method has before it.
    #: More than 0. Less proves long answers sooner, more finds short answers sooner.
    upper_share: float = 0.5

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise a DeclarationError unless there is one phase, of the puzzle itself."""
        if len(phases) != 1:
            raise DeclarationError(f"method {name}: proving takes exactly one phase")
        if phases[0].view is not None:
            raise DeclarationError(f"method {name}: a phase that is proven has no view")
        if self.upper_nodes < 0 or self.upper_share <= 0:
            raise DeclarationError(f"method {name}: the upper method has a share of the nodes")

    def chain(self, plan: Plan) -> Chain:
        """The search of a plan; that of `First` with a heuristic that is not admissible."""
        if not plan.admissible:
            from puzzlekit.strategy.first_strategy import First

            return First().chain(plan)
        from puzzlekit.strategy.prove_chain import ProveChain

        return ProveChain(plan, self.upper_nodes, self.upper_share)
