"""Which tables a puzzle needs, found without building any."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from puzzlekit.heuristic.base import Heuristic, Max, find_heuristic, heuristics
from puzzlekit.phase.assembly import joined_key
from puzzlekit.phase.declaration import Phase
from puzzlekit.phase.solver import Solver
from puzzlekit.puzzle.metric import Metric
from puzzlekit.tables.move_table import move_table_key
from puzzlekit.tables.pruning_table import pruning_table_key
from puzzlekit.tables.store import TableKey


def table_keys(
    solver: Solver,
    method: str | None = None,
    heuristic: str | Heuristic | None = None,
    metric: str | None = None,
) -> list[TableKey]:
    """The keys of all tables that `Solver.chain` takes with these arguments.

    The table of a heuristic over tables of 8 bits is left out where those are not built yet, since
    its size follows from their entries.

    >>> import puzzlekit
    >>> [key.name for key in table_keys(puzzlekit.load("cube2"), "optimal")]
    ['orientation moves', 'permutation moves', 'permutation x orientation distance HTM']
    """
    joiner = find_heuristic(heuristic) if isinstance(heuristic, str) else heuristic
    found: dict[TableKey, None] = {}
    for phase in solver.method(method).phases:
        found.update(dict.fromkeys(_of_phase(solver, phase, solver.metric(method, metric), joiner)))
    return list(found)


def all_table_keys(solver: Solver) -> set[TableKey]:
    """The keys of all tables for every method in every metric with every heuristic."""
    found: set[TableKey] = set()
    for method in solver.methods:
        for heuristic, metric in product((None, *heuristics()), solver.metrics(method.name)):
            found.update(table_keys(solver, method.name, heuristic, metric.name))
    return found


def _of_phase(
    solver: Solver, phase: Phase, metric: Metric, heuristic: Heuristic | None
) -> Iterator[TableKey]:
    moves = phase.allowed(solver.puzzle)
    costs = [metric.cost(move) for move in moves]
    for coordinate in phase.coordinates:
        yield move_table_key(coordinate, moves)
    pruning = [
        pruning_table_key(
            [phase.coordinates[number] for number in phase.coordinate_numbers(table)],
            moves,
            costs,
            metric.name,
            phase.bits,
        )
        for table in phase.tables
    ]
    yield from pruning
    joiner = heuristic or phase.heuristic
    if type(joiner) is Max or len(pruning) < 2:
        return
    if phase.bits == 4:
        yield joined_key(solver.puzzle, joiner, [16] * len(pruning))
        return
    tables = [solver.store.find(key) for key in pruning]
    sizes = [max(table.data) + 1 for table in tables if table]
    if len(sizes) == len(tables):
        yield joined_key(solver.puzzle, joiner, sizes)
