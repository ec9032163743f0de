"""The strategy that solves any puzzle from its moves alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import attrs

from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.search.heuristic import Heuristic
from puzzlekit.search.phase import Phase
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.strategy import Strategy

if TYPE_CHECKING:
    from puzzlekit.search.strategies.chain import Chain


@attrs.frozen
class Universal(Strategy):
    """Solves a puzzle with short words that permute three pieces or twist two.

    The phase needs no coordinates and no tables: its goal is the solved puzzle. The first moves of
    an answer bring the parities right, and solve the orbits in which no word permutes three pieces
    alone. Words that permute three pieces are then inserted where most moves cancel. At last,
    stretches of the answer are deleted, and what becomes unsolved is solved again with fewer moves.
    The answers are short, but seldom shortest.

    >>> Universal(seconds=5.0).needs_coordinates
    False
    """

    needs_coordinates = False

    #: Seconds for which the search continues after the first answer, if there is no limit of time
    #: or nodes.
    seconds: float = 2.0
    #: Number of commutators that are tried while words are collected, at least 1. More of them give
    #: shorter words, and reach the pieces of larger puzzles. The table takes longer to build.
    effort: int = 1_000_000
    #: Number of beginnings of answers from which the search starts, at least 1.
    starts: int = 8

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError unless there is one phase without a view, and for wrong fields."""
        if len(phases) != 1 or phases[0].view is not None:
            raise DeclarationError(f"method {name}: Universal has one phase, without a view")
        if self.seconds < 0 or self.effort < 1 or self.starts < 1:
            raise DeclarationError(
                f"method {name}: seconds must be 0 or more, effort and starts 1 or more"
            )

    def interpreted(self) -> Universal:
        """Return the strategy with a hundredth of the effort and few starts."""
        return attrs.evolve(self, effort=max(1, self.effort // 100), starts=min(2, self.starts))

    def searched(self, plan: Plan) -> Iterator[tuple[Plan, Phase, Heuristic]]:
        """Yield nothing, because the phase has no tables."""
        yield from ()

    def prepared(self, plan: Plan) -> Chain:
        """Return the search of a plan, with its words loaded or collected."""
        if not plan.metric.counts:
            raise UsageError(
                f"{plan.name} of {plan.puzzle.name} does not support {plan.metric.kind}s"
            )
        from puzzlekit.search.strategies.universal.universal_chain import UniversalChain

        return UniversalChain(plan, self.seconds, self.effort, self.starts)
