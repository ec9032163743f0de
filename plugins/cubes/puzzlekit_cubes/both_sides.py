"""Shortest answers: search a state and its inverse together, with a table of cosets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from puzzlekit import DeclarationError, Optimal, Phase, UsageError
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.strategy import Strategy
from puzzlekit_cubes.based import Based

if TYPE_CHECKING:
    from puzzlekit_cubes.two_sided_search import TwoSidedSearch


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
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
    takes_state_heuristics = False

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

    def prepared(self, plan: Plan) -> Strategy:
        """Return the search of a plan. Raises UsageError for a machine."""
        return Strategy.prepared(self, plan)

    def prepare(self, plan: Plan) -> None:
        """Prepare the phase without its table, which the engine reads by itself."""
        from puzzlekit_cubes.two_sided_search import CosetTables

        if not plan.metric.counts:  # the inverse may need other steps
            raise UsageError(
                f"{plan.name} of {plan.puzzle.name} searches from both sides, which is impossible "
                f"for a {plan.metric.kind}; choose another method or profile"
            )
        (phase,) = plan.phases
        self.phases = [CompiledPhase(plan, attrs.evolve(phase, tables=()))]
        self._tables = CosetTables(plan, plan.resolved(phase), self.phases[0])

    def tree_search(self, starts: Sequence[bytes]) -> TwoSidedSearch:
        """Return the search of the bounds of several states together."""
        from puzzlekit_cubes.two_sided_search import TwoSidedSearch

        return TwoSidedSearch(self._tables, self.puzzle, self.phases[0], starts)
