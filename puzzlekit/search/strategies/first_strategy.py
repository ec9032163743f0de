"""The strategy that takes the first answer of each phase."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.search.phase import Phase
from puzzlekit.search.resolved import Plan
from puzzlekit.search.step_metric import StepMetric
from puzzlekit.search.strategies.strategy import Strategy

if TYPE_CHECKING:
    from puzzlekit.search.strategies.chain import Chain


@attrs.frozen
class Sequential(Strategy):
    """Searches the phases in sequence and takes the first answer of each.

    With an admissible heuristic, the first answer of a phase is a shortest answer of this phase. If
    the method has only one phase, it is a shortest answer of the puzzle.

    >>> Sequential(choices=50)
    Sequential(choices=50, relabel=False)
    """

    takes_step_metrics = True
    takes_guards = True
    improves = False

    #: Number of cheapest answers of a phase to choose from, 1 or more. The search continues from
    #: the answer with the least estimate of the next phase. More choices give shorter totals and
    #: slower searches. The last phase has only one choice.
    choices: int = 1
    #: Whether to choose the way to hold the puzzle that has the least estimate of the first phase.
    #: The pieces of the state are renamed accordingly. This needs a puzzle with rotations.
    relabel: bool = False

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError for a wrong number of choices."""
        if self.choices < 1:
            raise DeclarationError(f"method {name}: choices must be 1 or more, not {self.choices}")

    def check_metric(self, plan: Plan) -> None:
        """Raise UsageError if a phase may not begin with some step after the phase before."""
        metric = plan.metric
        if len(plan.phases) > 1 and isinstance(metric, StepMetric) and metric.barrier:
            raise UsageError(
                f"{plan.name} solves its phases one by one here, but {metric.barrier}; choose "
                "another method or metric"
            )

    def interpreted(self) -> Sequential:
        """Return the strategy for an engine that is not compiled: one choice per phase."""
        return attrs.evolve(self, choices=1)

    def one_by_one(self) -> Sequential:
        """Return the strategy itself."""
        return self

    def prepared(self, plan: Plan) -> Chain:
        """Return the search of a plan."""
        from puzzlekit.search.strategies.first_chain import FirstChain

        self.check_metric(plan)
        return FirstChain(plan, self.choices, self.relabel)
