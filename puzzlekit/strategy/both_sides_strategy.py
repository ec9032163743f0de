"""The strategy that proves shortest answers by the search of a state and of its inverse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from puzzlekit.errors import DeclarationError
from puzzlekit.phase.phase import Phase
from puzzlekit.prepare.plan import Plan
from puzzlekit.strategy.prove_strategy import Prove
from puzzlekit.tables.pruning.based import Based

if TYPE_CHECKING:
    from puzzlekit.strategy.chain import Chain


@attrs.frozen
class ProveBothSides(Prove):
    """Searches as `Prove`, a state and its inverse in one tree.

    A node is cut if either of them takes too many moves, and it grows on the side that has fewer
    moves. The phase has all moves of the same cost, the solved state as its goal, and one table: a
    `Based` one.

    >>> ProveBothSides(upper="two-phase").needs_bounds
    True
    """

    needs_bounds = True

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise a DeclarationError unless there is one phase with a table of cosets."""
        super().check(name, phases)
        tables = phases[0].pruning_tables
        if len(tables) != 1 or not isinstance(tables[0], Based):
            raise DeclarationError(
                f"method {name}: ProveBothSides searches with one table, which is a Based one"
            )
        if phases[0].turned or phases[0].goal_moves:
            raise DeclarationError(
                f"method {name}: ProveBothSides searches a phase without goal moves, not turned"
            )

    def chain(self, plan: Plan) -> Chain:
        """The search of a plan."""
        from puzzlekit.strategy.both_sides_chain import BothSidesChain

        return BothSidesChain(plan, self.upper_nodes, self.upper_share)
