"""What every strategy is: a record that checks itself, and makes the chain that runs it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from puzzlekit.heuristic.heuristic import Heuristic
from puzzlekit.phase.phase import Phase
from puzzlekit.prepare.plan import Plan

if TYPE_CHECKING:
    from puzzlekit.strategy.chain import Chain


class Strategy(ABC):
    """How the phases of a method are searched.

    A subclass is a frozen attrs class whose fields are its options. It overrides those of the
    attributes below that do not fit it. The search itself is a `Chain`, imported by `chain` only.
    """

    #: Whether it can search for any machine, not only for those that the metrics of a method list.
    takes_machines: bool = False
    #: Whether it can search moves that are not always possible, those of a puzzle with a `Guard`.
    takes_guards: bool = False
    #: Whether it needs admissible heuristics. Others search with any.
    needs_bounds: bool = False
    #: Whether it looks for shorter answers after its first one.
    improves: bool = True
    #: Whether it goes on until its answer is known to be the shortest.
    proves: bool = False
    #: The name of another method of the puzzle whose answers are its upper bounds; or empty.
    upper: str = ""
    #: Whether it may rename the pieces as in any way of holding the puzzle.
    recolour: bool = False

    @abstractmethod
    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise a DeclarationError if the method `name` cannot search these phases like this."""

    @abstractmethod
    def chain(self, plan: Plan) -> Chain:
        """The search of a plan, its tables loaded or built.

        A UsageError for a metric or heuristics of the plan that it cannot search with.
        """

    def one_by_one(self) -> Strategy | None:
        """The strategy that searches these phases one after the other, each with any heuristic.

        Heuristics are compared by it: its chain is a `FirstChain`. None if there is no such one.
        """
        return None

    def interpreted(self) -> Strategy:
        """The strategy for an engine that is not compiled, and generates fewer nodes in a second.

        It has less to do, or more time; by default it stays as it is.
        """
        return self

    def searched(self, plan: Plan) -> Iterator[tuple[Plan, Phase, Heuristic]]:
        """Every phase whose tables its chain takes, with the plan and the heuristic for it."""
        for phase, heuristic in zip(plan.phases, plan.heuristics, strict=True):
            yield plan, phase, heuristic
