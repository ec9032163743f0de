"""The strategy that tries longer first phases to shorten the total of two phases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import attrs

from puzzlekit.errors import DeclarationError
from puzzlekit.search.heuristic import Heuristic
from puzzlekit.search.phase import Phase
from puzzlekit.search.resolved import Plan
from puzzlekit.search.step_metric import StepMetric
from puzzlekit.search.strategies.strategy import Strategy

if TYPE_CHECKING:
    from puzzlekit.search.strategies.chain import Chain
    from puzzlekit.search.strategies.first_strategy import Sequential


@attrs.frozen
class Anytime(Strategy):
    """Finds ever shorter answers of two phases.

    The search tries answers of the first phase in the order of their cost. From the end of each, it
    looks for an answer of the second phase that makes the total cheaper. The search ends when the
    total cannot become cheaper. If the heuristic is inadmissible, `Sequential` searches the phases
    instead.

    >>> Anytime(premoves=2).seconds
    0.2
    """

    takes_step_metrics = True

    #: Largest number of premoves, 0 to 3. Premoves are applied before the scramble and appended to
    #: the answer (see `puzzlekit.search.premoves`). They give the first phase more starts.
    premoves: int = 0
    #: Seconds to continue after the first answer if no limit is given. 0 or more.
    seconds: float = 0.2
    #: Numbers of generated nodes after which starts with 1, 2, 3 ... premoves are added. The last
    #: number also holds for all longer sequences of premoves. Starts that are added too early delay
    #: the first answers. The default suits phases of 15 to 20 moves with a branching factor of
    #: about 10.
    premoves_after: tuple[int, ...] = (3_000, 30_000, 500_000)
    #: Number of nodes after which a search of the second phase is given up. Other ends of the first
    #: phase may need fewer nodes. 0: never. With a limit, an answer may exist that is not found.
    finish_nodes: int = 0
    #: Only for a metric whose costs depend on the step before. Number of generated nodes for a
    #: first search, which looks for answers of few steps. The costs of these answers bound the main
    #: search.
    steps_nodes: int = 1_000_000

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError unless there are two phases."""
        if len(phases) != 2:
            raise DeclarationError(f"method {name}: Anytime searches exactly two phases")
        if min(self.premoves, self.seconds, self.finish_nodes) < 0 or not self.premoves_after:
            raise DeclarationError(
                f"method {name}: premoves, seconds and finish_nodes must be 0 or more, and "
                "premoves_after needs at least one number"
            )

    def interpreted(self) -> Anytime:
        """Return the strategy for an engine that is not compiled: at least 0.6 seconds."""
        return attrs.evolve(self, seconds=max(0.6, self.seconds))

    def one_by_one(self) -> Sequential:
        """Return the strategy that takes the first answer of each phase."""
        from puzzlekit.search.strategies.first_strategy import Sequential

        return Sequential()

    def prepared(self, plan: Plan) -> Chain:
        """Return the search of a plan; with an inadmissible heuristic, that of `Sequential`."""
        if not plan.admissible:
            return self.one_by_one().prepared(plan)
        if plan.metric.counts:
            from puzzlekit.search.strategies.improve_chain import ImproveChain

            return ImproveChain(
                plan, self.premoves, self.premoves_after, self.seconds, self.finish_nodes
            )
        from puzzlekit.search.strategies.few_steps_chain import FewStepsChain

        return FewStepsChain(
            plan,
            self.premoves,
            self.premoves_after,
            self.seconds,
            self.finish_nodes,
            self.steps_nodes,
        )

    def searched(self, plan: Plan) -> Iterator[tuple[Plan, Phase, Heuristic]]:
        """Yield both phases. In a metric with memory, also yield both in steps."""
        yield from super().searched(plan)
        metric = plan.metric
        if isinstance(metric, StepMetric) and plan.resolved(plan.phases[0]).remembers:
            yield from super().searched(attrs.evolve(plan, metric=metric.even(plan.puzzle)))
