"""Which tables a puzzle needs, found without building any."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from puzzlekit.engine.inputs import TableInput
from puzzlekit.heuristic.heuristic import Heuristic, Max
from puzzlekit.heuristic.registry import heuristics
from puzzlekit.method.heuristics import parse_heuristics
from puzzlekit.method.method import IMPROVE, Method
from puzzlekit.phase.phase import Phase
from puzzlekit.prepare.assembly import fixed_radix, group_radix, join_radix, joined_key
from puzzlekit.prepare.needs import PhaseNeeds
from puzzlekit.puzzle.machine import Machine
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
    measures = [measure]
    if chosen.chaining == IMPROVE and isinstance(measure, Machine):
        plan = chosen.plan(solver.puzzle, measure)
        needs = PhaseNeeds(solver.puzzle, chosen.phases[0], measure, plan)
        if (
            needs.remembers
        ):  # answers of few steps come first: see `puzzlekit.strategy.machine_chain`
            measures.append(measure.even(solver.puzzle))
    found: dict[TableKey, None] = {}
    for each in measures:
        for phase, joiner in zip(chosen.phases, parse_heuristics(chosen, heuristic), strict=True):
            ways = [other.phase for other in chosen.alternatives if other.of == phase.name]
            for way in (phase, *ways):
                found.update(dict.fromkeys(_of_phase(solver, chosen, way, each, joiner)))
    if chosen.upper:
        found.update(dict.fromkeys(table_keys(solver, chosen.upper, metric=measure)))
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


def _of_phase(
    solver: Solver, method: Method, phase: Phase, metric: Metric, joiner: Heuristic
) -> Iterator[TableKey]:
    plan = method.plan(solver.puzzle, metric)
    needs = PhaseNeeds(solver.puzzle, phase, metric, plan)
    simple, pruning = needs.table_keys()
    yield from simple
    yield from pruning
    # A hashed table only cuts: it is not joined with the others.
    declared = list(zip(phase.pruning_tables, pruning, strict=True))
    joined = [(table, key) for table, key in declared if not table.hashed]
    groups = [len(group) for group in phase.groups]
    if type(joiner) is Max or phase.turned or len(groups) < 2:
        return
    tables = [solver.store.find(key) for _, key in joined]
    bits = [needs.pruning(table).bits for table, _ in joined]
    radix = fixed_radix(bits)
    if radix is None and all(tables):
        found = [table.data for table in tables if table]
        radix = join_radix([TableInput((), *each) for each in zip(bits, found, strict=True)])
    if radix is not None:
        yield joined_key(needs.puzzle, joiner, group_radix(radix, groups))
