"""A phase that is resolved only once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from puzzlekit import Metric, Phase, PruningTable, Puzzle
from puzzlekit.prepare.resolved import ResolvedPhase, Resolver
from puzzlekit.tables.pruning.pruning_table import ResolvedTable


def resolve(
    puzzle: Puzzle,
    phase: Phase,
    metric: Metric,
    phases: Sequence[Phase] = (),
    fixed: Mapping[str, str] | None = None,
) -> ResolvedPhase:
    """See `Resolver.resolve`."""
    return Resolver().resolve(puzzle, phase, metric, phases, fixed)


def table_of(needs: ResolvedPhase, declared: PruningTable) -> ResolvedTable:
    """One of the pruning tables of a phase."""
    return needs.tables[needs.phase.pruning_tables.index(declared)]
