"""Shortest answers, searched from both sides with a table of cosets."""

from __future__ import annotations

from functools import partial

import attrs

from puzzlekit.errors import UsageError
from puzzlekit.search.compiled_phase import Assembled, assemble
from puzzlekit.search.resolved import Plan, is_machine
from puzzlekit.search.strategies.prove_chain import ProveChain
from puzzlekit.search.strategies.two_sided_search import CosetTables, TwoSidedSearch


class BothSidesChain(ProveChain):
    """A chain of one phase that searches a state and its inverse, with a table of cosets."""

    def __init__(self, plan: Plan, upper_bound_nodes: int, upper_bound_share: float) -> None:
        if is_machine(plan.metric):  # a machine may allow other moves for the inverse
            raise UsageError(
                f"{plan.name} of {plan.puzzle.name} searches from both sides, which is impossible "
                "for a machine; choose another method or profile"
            )
        super().__init__(plan, upper_bound_nodes, upper_bound_share)
        tables = CosetTables(plan, plan.resolved(plan.phases[0]), self.phases[0])
        self.make_search = partial(TwoSidedSearch, tables)

    def _assemble(self, plan: Plan) -> list[Assembled]:
        """Return the phase without its table, which the engine reads by itself."""
        (phase,) = plan.phases
        return [assemble(plan, attrs.evolve(phase, tables=()))]
