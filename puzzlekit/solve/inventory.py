"""Which tables a puzzle needs, found without building any."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from puzzlekit.engine.inputs import TableInput
from puzzlekit.heuristic.heuristic import Heuristic, Max
from puzzlekit.heuristic.registry import heuristics
from puzzlekit.method.heuristics import parse_heuristics
from puzzlekit.phase.phase import Phase
from puzzlekit.prepare.assembly import fixed_radix, group_radix, join_radix, joined_key
from puzzlekit.prepare.needs import PhaseNeeds
from puzzlekit.prepare.plan import Plan
from puzzlekit.puzzle.metric import Metric
from puzzlekit.solve.profiles import profiles
from puzzlekit.solve.solver import Solver
from puzzlekit.store.table import TableKey


def table_keys(
    solver: Solver,
    method: str | None = None,
    heuristic: str | Heuristic | None = None,
    metric: str | Metric | None = None,
    profile: str | None = None,
    memory: int | None = None,
) -> list[TableKey]:
    """The keys of all tables that `Solver.chain` takes with these arguments.

    The table of a heuristic is left out where its size follows from the entries of tables that are
    not built yet.

    >>> import puzzlekit
    >>> [key.name for key in table_keys(puzzlekit.load("cube2"), "optimal")]
    ['orientation moves', 'permutation moves', 'permutation x orientation distance HTM']
    """
    chosen = solver.profiled(method, metric, profile, memory)
    measure = solver.metric(method, metric)
    plan = chosen.plan(solver.puzzle, measure, solver.store, parse_heuristics(chosen, heuristic))
    found: dict[TableKey, None] = {}
    for own, phase, each in chosen.strategy.searched(plan):
        found.update(dict.fromkeys(_of_phase(own, phase, each)))
    if upper := chosen.strategy.upper:
        found.update(dict.fromkeys(table_keys(solver, upper, metric=measure)))
    return list(found)


def all_table_keys(solver: Solver) -> set[TableKey]:
    """The keys of all tables for every method in every metric with every heuristic.

    Of a heuristic with parameters the usual ones: its tables with others are made in a moment.
    """
    found: set[TableKey] = set()
    for method in solver.methods:
        for heuristic, metric in product((None, *heuristics()), solver.metrics(method.name)):
            for profile in profiles(method, metric):
                asked = (method.name, heuristic, metric, profile.profile or None)
                found.update(table_keys(solver, *asked))
    return found


def _of_phase(plan: Plan, phase: Phase, heuristic: Heuristic) -> Iterator[TableKey]:
    needs = PhaseNeeds(plan.puzzle, phase, plan.metric, plan)
    simple, pruning = needs.table_keys()
    yield from simple
    yield from pruning
    # A hashed table only cuts: it is not joined with the others.
    declared = list(zip(phase.pruning_tables, pruning, strict=True))
    joined = [(table, key) for table, key in declared if not table.hashed]
    groups = [len(group) for group in phase.groups]
    if type(heuristic) is Max or phase.turned or len(groups) < 2:
        return
    tables = [plan.store.find(key) for _, key in joined]
    bits = [needs.pruning(table).bits for table, _ in joined]
    radix = fixed_radix(bits)
    if radix is None and all(tables):
        found = [table.data for table in tables if table]
        radix = join_radix([TableInput((), *each) for each in zip(bits, found, strict=True)])
    if radix is not None:
        yield joined_key(needs.puzzle, heuristic, group_radix(radix, groups))
