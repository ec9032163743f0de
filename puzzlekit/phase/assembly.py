"""From declarations to what the engine runs: spaces, automata, tables."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property, partial
from math import prod
from typing import Any

import attrs

from puzzlekit.engine.automaton import Automaton, pruned_pairs, redundancy_automaton, seam
from puzzlekit.engine.search import Space, rank
from puzzlekit.errors import DeclarationError
from puzzlekit.heuristic.base import Heuristic, Max
from puzzlekit.phase.declaration import Phase
from puzzlekit.puzzle.metric import Metric
from puzzlekit.puzzle.move import Move, compose
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.tables.move_table import move_table
from puzzlekit.tables.pruning_table import pruning_table
from puzzlekit.tables.store import Table, TableKey, TableStore

_JOIN_LIMIT = 1 << 22  # entries of a table of joined estimates


@attrs.frozen(slots=False, eq=False)
class Assembled:
    """A phase ready to be searched: its moves with their costs, its space, how states are ranked."""

    phase: Phase
    moves: tuple[Move, ...]
    costs: tuple[int, ...]
    space: Space
    automaton: Automaton
    entries: list[int]
    admissible: bool

    @cached_property
    def _programs(self) -> list[array[int] | None]:
        programs = [coordinate.program for coordinate in self.phase.coordinates]
        return [None if program is None else array("i", program) for program in programs]

    def ranks(self, state: bytes) -> list[int]:
        """The values of the phase's coordinates; -1 outside the domain of one."""
        return [
            coordinate.rank(state) if program is None else rank(program, state)
            for coordinate, program in zip(self.phase.coordinates, self._programs, strict=True)
        ]


def assemble(
    puzzle: Puzzle,
    phase: Phase,
    metric: Metric,
    heuristic: Heuristic | None,
    store: TableStore,
    before: Phase | None = None,
    after: Phase | None = None,
) -> Assembled:
    """Load or build the tables of a phase and make its space.

    With `before`, the phase is to continue that one without a break: see `seam`. With `after`, that
    one continues this one, so no move that it has too needs to end this one.
    """
    moves = phase.allowed(puzzle)
    costs = [metric.cost(move) for move in moves]
    if min(costs) < 1:
        raise DeclarationError(f"phase {phase.name}: a move costs nothing in {metric.name}")
    joiner = heuristic or phase.heuristic
    automaton, entries = _automaton(puzzle, moves, costs, metric, before)
    coordinates = [
        (coordinate.size, move_table(store, coordinate, moves).data, coordinate.goals)
        for coordinate in phase.coordinates
    ]
    numbers = [phase.coordinate_numbers(table) for table in phase.tables]
    tables = [
        (
            each,
            phase.bits,
            pruning_table(
                store,
                [phase.coordinates[number] for number in each],
                moves,
                costs,
                metric.name,
                phase.bits,
            ).data,
        )
        for each in numbers
    ]
    join = None
    if not isinstance(joiner, Max) and len(tables) > 1:
        radix = [16 if phase.bits == 4 else max(data) + 1 for _, _, data in tables]
        join = (radix, _joined(puzzle, joiner, radix, store).data)
    ending = None
    if after is not None:
        later = after.allowed(puzzle)
        ending = bytes(move not in later for move in moves)
    space = Space(costs, automaton, coordinates, tables, join, ending)
    admissible = joiner.admissible or len(tables) < 2
    return Assembled(phase, moves, tuple(costs), space, automaton, entries, admissible)


def _automaton(
    puzzle: Puzzle,
    moves: Sequence[Move],
    costs: Sequence[int],
    metric: Metric,
    before: Phase | None,
) -> tuple[Automaton, list[int]]:
    product = partial(compose, modulus=puzzle.modulus)
    identity = bytes(range(len(puzzle.modulus))), bytes(len(puzzle.modulus))
    effects = [move.effect for move in moves]
    automaton = redundancy_automaton(pruned_pairs(effects, costs, product, identity))
    if before is None:
        return automaton, [0]
    outer = before.allowed(puzzle)
    if not set(moves) <= set(outer):
        raise DeclarationError(f"a phase after {before.name} has moves that {before.name} has not")
    outer_pairs = pruned_pairs(
        [move.effect for move in outer], [metric.cost(move) for move in outer], product, identity
    )
    return seam(outer_pairs, [outer.index(move) for move in moves], automaton)


def _joined(puzzle: Puzzle, joiner: Heuristic, radix: list[int], store: TableStore) -> Table:
    """The estimates for all vectors of distances, the first table most significant."""

    def build() -> Any:
        import numpy as np

        vectors = np.indices(radix).reshape(len(radix), -1)
        return np.asarray(joiner.join(list(vectors))).astype("u2")

    return store.get(joined_key(puzzle, joiner, radix), build)


def joined_key(puzzle: Puzzle, joiner: Heuristic, radix: Sequence[int]) -> TableKey:
    """The name under which the estimates of a heuristic are kept; 16 bits an entry."""
    entries = prod(radix)
    if entries > _JOIN_LIMIT:
        raise DeclarationError(f"{len(radix)} tables are too many for the heuristic {joiner.name}")
    return TableKey(
        puzzle=puzzle.name,
        name=f"{joiner.name} of {len(radix)} distances",
        identity=f"join 1 {joiner!r} {radix}",
        dtype="u2",
        shape=(entries,),
        purpose=f"estimate of the heuristic {joiner!r} for every vector of distances",
    )
