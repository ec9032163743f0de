"""The input of a strategy: a method with everything that a search in one metric needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import attrs

from puzzlekit.puzzle.move import Metric
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.search.heuristic import Heuristic
from puzzlekit.search.phase import Phase
from puzzlekit.search.registry import format_heuristics
from puzzlekit.search.resolved import ResolvedPhase, Resolver
from puzzlekit.tables.store import TableStore

if TYPE_CHECKING:
    from puzzlekit.search.goals.goal import Goal


@attrs.frozen(eq=False, repr=False)
class Plan:
    """A method of a puzzle, with all choices that its search depends on."""

    #: The puzzle that is solved. A phase with a view searches another puzzle.
    puzzle: Puzzle
    #: The phases in order, with the tables of the chosen profile.
    phases: tuple[Phase, ...]
    #: The metric, which has the costs of moves. It may be a `Machine`.
    metric: Metric
    #: Provides tables, and builds missing ones.
    store: TableStore = attrs.field(factory=TableStore)
    #: The heuristic of each phase; by default the one that the phase declares.
    heuristics: tuple[Heuristic, ...] = attrs.field()
    #: The name of the method, for messages and for the records of solutions.
    name: str = ""
    #: The name of the profile of tables; empty if the method has only one.
    profile: str = ""
    #: Places, by orbit, that the phases assume to be solved: see `Method.fixed`.
    fixed: Mapping[str, str] = attrs.field(factory=dict)
    #: Resolves each phase once. All plans of a solver share it.
    resolver: Resolver = attrs.field(factory=Resolver)
    #: Further moves that answers may have: see `Method.moves`.
    moves: str = ""
    #: The goal of the method; None if the method solves the whole puzzle.
    goal: Goal | None = None

    @heuristics.default
    def _declared(self) -> tuple[Heuristic, ...]:
        return tuple(phase.heuristic for phase in self.phases)

    @property
    def admissible(self) -> bool:
        """Whether the estimates of all phases never exceed the true distance."""
        return all(each.admissible for each in self.heuristics)

    @property
    def heuristic(self) -> str:
        """The heuristics of all phases as one string."""
        return format_heuristics(self.heuristics, self._declared())

    def resolved(self, phase: Phase) -> ResolvedPhase:
        """Return a phase of the plan, or an alternative to a phase, resolved in the metric."""
        return self.resolver.resolve(self.puzzle, phase, self.metric, self.phases, self.fixed)
