"""The keys of the tables that a puzzle needs, computed without building tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import product

from puzzlekit.engine.inputs import TableInput
from puzzlekit.errors import DeclarationError
from puzzlekit.search.choice import Choice, SearchOptions
from puzzlekit.search.heuristic import Heuristic
from puzzlekit.search.joined_estimates import fixed_radix, group_radix, join_radix, joined_key
from puzzlekit.search.phase import Phase
from puzzlekit.search.plan import Plan
from puzzlekit.search.profiles import profiles
from puzzlekit.search.registry import heuristics
from puzzlekit.search.solver import Solver
from puzzlekit.tables.table import TableKey

__all__ = ["table_keys"]


def table_keys(solver: Solver, choice: Choice) -> list[TableKey]:
    """Return the keys of all tables that a search uses.

    The key of a heuristic's table is missing if the size of this table depends on tables that are
    not built yet.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2")
    >>> [key.name for key in table_keys(cube, cube.choose())]
    ['orientation moves', 'permutation moves', 'permutation x orientation distance HTM']
    """
    method = choice.method
    plan = solver.plan(method, choice.metric, choice.heuristics)
    found: dict[TableKey, None] = {}
    for own, phase, each in method.strategy.searched(plan):
        found.update(dict.fromkeys(_of_phase(own, phase, each)))
    if choice.upper is not None:
        found.update(dict.fromkeys(table_keys(solver, choice.upper)))
    return list(found)


def all_table_keys(solver: Solver) -> set[TableKey]:
    """Return the keys of all tables for every method in every metric with every heuristic.

    Heuristics with parameters have their default parameters. Tables for other parameters are built
    in a moment.
    """
    found: set[TableKey] = set()
    for method in solver.methods:
        for heuristic, metric in product((None, *heuristics()), solver.metrics(method.name)):
            for profile in profiles(method, metric):
                asked = SearchOptions(method.name, heuristic, metric, profile.profile or None)
                with suppress(DeclarationError):  # the heuristic takes fewer pruning tables
                    found.update(table_keys(solver, solver.choose(asked)))
    return found


def _of_phase(plan: Plan, phase: Phase, heuristic: Heuristic) -> Iterator[TableKey]:
    needs = plan.resolved(phase)
    simple, pruning = needs.table_keys()
    yield from simple
    yield from pruning
    resolved = zip(needs.tables, pruning, strict=True)
    joined = [(table.kind, key) for table, key in resolved if table.kind.in_estimate]
    groups = [len(group) for group in phase.groups]
    if heuristic.is_max or phase.turned or len(groups) < 2:
        return
    tables = [plan.store.find(key) for _, key in joined]
    bits = [kind.bits for kind, _ in joined]
    radix = fixed_radix(bits)
    if radix is None and all(tables):
        found = [table.data for table in tables if table]
        radix = join_radix([TableInput((), *each) for each in zip(bits, found, strict=True)])
    if radix is not None:
        yield joined_key(needs.puzzle, heuristic, group_radix(radix, groups))
