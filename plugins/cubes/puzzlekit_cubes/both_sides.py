"""The strategy that proves shortest answers by searching a state and its inverse together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from puzzlekit import DeclarationError, Optimal, Phase, Plan
from puzzlekit_cubes.based import Based

if TYPE_CHECKING:
    from puzzlekit import Chain


@attrs.frozen
class ProveBothSides(Optimal):
    """Searches like `Optimal`, but searches a state and its inverse in one tree.

    A node is pruned if the state or its inverse needs too many moves. At each node, the search
    continues with the state or with its inverse, whichever has fewer possible moves. The phase must
    have moves of equal cost, the solved state as its only goal, and exactly one table, of the kind
    `Based`.

    >>> ProveBothSides(upper_bound_method="two-phase").needs_bounds
    True
    """

    needs_bounds = True

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError unless there is exactly one phase, with a single `Based` table."""
        super().check(name, phases)
        tables = phases[0].pruning_tables
        if len(tables) != 1 or not isinstance(tables[0], Based):
            raise DeclarationError(
                f"method {name}: ProveBothSides needs exactly one table, of the kind Based"
            )
        if phases[0].turned or phases[0].goal_moves:
            raise DeclarationError(
                f"method {name}: the phase of ProveBothSides must not have turned=True or goal "
                "moves"
            )

    def prepared(self, plan: Plan) -> Chain:
        """Return the search of a plan."""
        from puzzlekit_cubes.two_sided_search import BothSidesChain

        return BothSidesChain(plan, self.upper_bound_nodes, self.upper_bound_share)
