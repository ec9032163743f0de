"""The strategy for puzzles on which some pieces must not be at some places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import attrs

from puzzlekit.errors import UsageError
from puzzlekit.search.heuristic import Heuristic
from puzzlekit.search.phase import Phase
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.strategy import Strategy
from puzzlekit.search.strategies.universal.universal_strategy import Universal

if TYPE_CHECKING:
    from puzzlekit.search.strategies.chain import Chain


@attrs.frozen
class ByShapes(Strategy):
    """Solves a puzzle with `Forbidden` places: first its shape, then its pieces.

    The shape of a state is where the pieces are that are forbidden somewhere. It determines which
    moves are possible. The first moves of an answer bring the shape home. The rest consists of
    loops: sequences of moves that start and end at the solved shape. Loops are always possible
    there, so another strategy solves the pieces with them. Short scrambles get shortest answers.

    >>> ByShapes(Universal(seconds=1.0)).takes_forbidden
    True
    """

    takes_forbidden = True
    needs_coordinates = False

    #: The strategy that solves the pieces by loops.
    pieces: Universal = attrs.field(factory=Universal)

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError unless the strategy for the pieces accepts the phases."""
        self.pieces.check(name, phases)

    def interpreted(self) -> ByShapes:
        """Return the strategy with less effort."""
        return attrs.evolve(self, pieces=self.pieces.interpreted())

    def searched(self, plan: Plan) -> Iterator[tuple[Plan, Phase, Heuristic]]:
        """Yield nothing, because the phase has no tables."""
        yield from ()

    def prepared(self, plan: Plan) -> Chain:
        """Return the search of a plan. Raises UsageError if there are too many shapes."""
        if not plan.metric.counts:
            raise UsageError(
                f"{plan.name} of {plan.puzzle.name} does not support {plan.metric.kind}s"
            )
        from puzzlekit.search.strategies.universal.shape_chain import ShapeChain

        return ShapeChain(plan, self.pieces)
