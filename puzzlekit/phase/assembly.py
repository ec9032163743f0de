"""From declarations to what the engine runs: spaces, automata, tables."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property, partial
from math import prod
from typing import Any

from puzzlekit.engine.automaton import Automaton, Pairs, pruned_pairs, redundancy_automaton, seam
from puzzlekit.engine.search import Space, rank
from puzzlekit.errors import DeclarationError, NotationError, TableError
from puzzlekit.heuristic.base import Heuristic, Max
from puzzlekit.phase.declaration import Phase
from puzzlekit.puzzle.metric import Metric
from puzzlekit.puzzle.move import Move, compose, no_effect
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.tables.move_table import move_table
from puzzlekit.tables.pruning_table import pruning_table
from puzzlekit.tables.store import Table, TableKey, TableStore

_JOIN_LIMIT = 1 << 22  # entries of a table of joined estimates


class Assembled:
    """A phase ready to be searched: its moves with their costs, its space, how states are ranked.

    `pairs` tells which pairs of moves need not be searched, `entries` the automaton's states in
    which the phase starts after each move of the phase before it.
    """

    def __init__(
        self,
        phase: Phase,
        moves: tuple[Move, ...],
        costs: Sequence[int],
        space: Space,
        pairs: Pairs,
        automaton: Automaton,
        entries: list[int],
        admissible: bool,
    ) -> None:
        self.phase = phase
        self.moves = moves
        self.costs = costs
        self.space = space
        self.pairs = pairs
        self.automaton = automaton
        self.entries = entries
        self.admissible = admissible

    @cached_property
    def _programs(self) -> list[array[int] | None]:
        programs = [coordinate.engine_program for coordinate in self.phase.coordinates]
        return [None if program is None else array("i", program) for program in programs]

    def ranks(self, state: bytes) -> list[int]:
        """The values of the phase's coordinates; a DeclarationError outside the domain of one."""
        values = []
        for coordinate, program in zip(self.phase.coordinates, self._programs, strict=True):
            value = coordinate.rank(state) if program is None else rank(program, state)
            if not 0 <= value < coordinate.size:
                raise DeclarationError(
                    f"phase {self.phase.name} starts where coordinate {coordinate.name} is not "
                    "defined: an earlier phase has to see to that"
                )
            values.append(value)
        return values


def assemble(
    puzzle: Puzzle,
    phase: Phase,
    metric: Metric,
    heuristic: Heuristic | None,
    store: TableStore,
    before: Assembled | None = None,
    after: Phase | None = None,
) -> Assembled:
    """Load or build the tables of a phase and make its space.

    With `before`, the phase is to continue that one without a break: see `seam`. With `after`, that
    one continues this one, so no move that it has too needs to end this one.
    """
    try:
        moves = phase.allowed(puzzle)
    except NotationError as error:
        raise DeclarationError(f"phase {phase.name}: its moves: {error}") from None
    costs = [metric.cost(move) for move in moves]
    if min(costs) < 1:
        raise DeclarationError(f"phase {phase.name}: a move costs nothing in {metric.name}")
    joiner = heuristic or phase.heuristic
    pairs = _pairs(puzzle, moves, costs)
    automaton, entries = redundancy_automaton(pairs), [0]
    if before is not None:
        if not set(moves) <= set(before.moves):
            raise DeclarationError(f"phase {phase.name} has moves that the phase before it has not")
        numbers = [before.moves.index(move) for move in moves]
        automaton, entries = seam(before.pairs, numbers, automaton)
    coordinates = [
        (coordinate.size, move_table(store, coordinate, moves).data, coordinate.goals)
        for coordinate in phase.coordinates
    ]
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
        for each in map(phase.coordinate_numbers, phase.tables)
    ]
    join = None
    if type(joiner) is not Max and len(tables) > 1:
        radix = [16 if phase.bits == 4 else max(data) + 1 for _, _, data in tables]
        join = (radix, _joined(puzzle, joiner, radix, store).data)
    ending = None
    if after is not None:
        later = after.allowed(puzzle)
        ending = bytes(move not in later for move in moves)
    try:
        space = Space(costs, automaton, coordinates, tables, join, ending)
    except ValueError as error:
        raise TableError(f"{puzzle.name}, phase {phase.name}: {error}") from None
    admissible = joiner.admissible or len(tables) < 2
    return Assembled(phase, moves, costs, space, pairs, automaton, entries, admissible)


def _pairs(puzzle: Puzzle, moves: Sequence[Move], costs: Sequence[int]) -> Pairs:
    product = partial(compose, modulus=puzzle.modulus)
    effects = [move.effect for move in moves]
    return pruned_pairs(effects, costs, product, no_effect(puzzle.modulus))


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
        identity=f"join 1 {joiner.identity} {radix}",
        dtype="u2",
        shape=(entries,),
        purpose=f"estimate of the heuristic {joiner!r} for every vector of distances",
    )
