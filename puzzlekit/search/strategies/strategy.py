"""The base class of strategies: a record that checks itself and makes the chain that runs it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from puzzlekit.search.heuristic import Heuristic
from puzzlekit.search.phase import Phase
from puzzlekit.search.resolved import Plan

if TYPE_CHECKING:
    from puzzlekit.search.strategies.chain import Chain


class Strategy(ABC):
    """How the phases of a method are searched.

    A subclass is a frozen attrs class whose fields are its options. The subclass overrides the
    attributes below if their defaults do not fit. The method `chain` returns the search itself, a
    `Chain`. The code of the search is imported only there.
    """

    #: Whether the strategy can search in any `StepMetric`. If False, it can do so only in those
    #: that are listed in the metrics of the method.
    takes_step_metrics: bool = False
    #: Whether the strategy can search a puzzle with a `Guard`, whose moves are not always possible.
    takes_guards: bool = False
    #: Whether the strategy can search a puzzle with `Forbidden` places.
    takes_forbidden: bool = False
    #: Whether the phases need coordinates. If not, the goal is the solved puzzle.
    needs_coordinates: bool = True
    #: Whether the strategy needs admissible heuristics.
    needs_bounds: bool = False
    #: Whether the strategy looks for shorter answers after its first answer.
    improves: bool = True
    #: Whether the strategy continues until its answer is proven shortest.
    proves: bool = False
    #: Seconds to continue after the first answer if no limit is given.
    seconds: float = 0.2
    #: Whether the strategy may rename the pieces for another way to hold the puzzle.
    relabel: bool = False

    @abstractmethod
    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError if the strategy does not fit the phases of the method `name`."""

    def other_method(self) -> str:
        """Return the name of another method that the search also uses; "" for none."""
        return ""

    @abstractmethod
    def prepared(self, plan: Plan) -> Chain:
        """Return the search of a plan, with its tables loaded or built.

        Raises UsageError if the strategy cannot search with the plan's metric or heuristics.
        """

    def one_by_one(self) -> Strategy | None:
        """Return the strategy that `compare` uses, which searches the phases one after the other.

        The returned strategy must accept every heuristic, and its method `chain` must return a
        `FirstChain`. If the result is None, `compare` cannot use the method.
        """
        return None

    def interpreted(self) -> Strategy:
        """Return the strategy for an interpreted engine, which is slower than a compiled engine.

        The returned strategy searches less or has more time. By default it is the strategy itself.
        """
        return self

    def searched(self, plan: Plan) -> Iterator[tuple[Plan, Phase, Heuristic]]:
        """Yield each phase whose tables the chain needs.

        Each item is a tuple (plan, phase, heuristic of the phase).
        """
        for phase, heuristic in zip(plan.phases, plan.heuristics, strict=True):
            yield plan, phase, heuristic
