"""A phase that is resolved only once."""

from __future__ import annotations

from typing import Any

from puzzlekit import Metric, Phase, PruningTable, Puzzle
from puzzlekit.search.resolved import ResolvedPhase, Resolver
from puzzlekit.tables.pruning_table import ResolvedTable


def resolve(
    puzzle: Puzzle, phase: Phase, metric: Metric, *whole: Any, **more: Any
) -> ResolvedPhase:
    """See `Resolver.resolve`."""
    return Resolver().resolve(puzzle, phase, metric, *whole, **more)


def table_of(needs: ResolvedPhase, declared: PruningTable) -> ResolvedTable:
    """One of the pruning tables of a phase."""
    return needs.tables[needs.phase.pruning_tables.index(declared)]
