"""The strategy that reaches the nearest of several alternatives of a goal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import attrs

from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.search.heuristic import Heuristic, Max
from puzzlekit.search.phase import Phase
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.goal_way import GoalWay
from puzzlekit.search.strategies.strategy import Strategy

if TYPE_CHECKING:
    from puzzlekit.search.strategies.chain import Chain


@attrs.frozen(eq=False)
class Nearest(Strategy):
    """Searches several ways to a goal together, bound by bound, until the first is proven shortest.

    `derive_goal` makes it for a goal. The goal of the method decides which states are answers. So
    the coordinates of the phases may have more goal values than the goal allows.
    """

    proves = True
    needs_bounds = True

    #: The ways. All phases have corresponding moves in the same order.
    ways: tuple[GoalWay, ...]
    #: Phases for ways in which the moves are other ones than those of the method's phase.
    others: tuple[Phase, ...] = ()

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError unless there is one phase, and a way."""
        if len(phases) != 1 or not self.ways:
            raise DeclarationError(f"method {name}: Nearest needs one phase, and at least one way")

    def prepared(self, plan: Plan) -> Chain:
        """Return the search of a plan."""
        from puzzlekit.search.strategies.nearest_chain import NearestChain

        if not plan.metric.counts:
            raise UsageError(
                f"{plan.name} cannot search in {plan.metric.name}, because {plan.metric.name} "
                f"is a {plan.metric.kind}: choose another metric"
            )
        if not plan.admissible:
            raise UsageError(f"{plan.name} needs an admissible heuristic, such as max")
        return NearestChain(plan, self.ways, self.others)

    def searched(self, plan: Plan) -> Iterator[tuple[Plan, Phase, Heuristic]]:
        """Yield each phase whose tables the chain needs."""
        yield from super().searched(plan)
        for phase in self.others:
            yield plan, phase, Max()
