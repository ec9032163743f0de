"""From declarations to what the engine runs: spaces, automata, tables."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property, partial
from math import prod
from typing import TYPE_CHECKING, Any

from puzzlekit.coordinate.base import Coordinate
from puzzlekit.coordinate.programs import rebase
from puzzlekit.engine.automaton import Automaton, Pairs, pruned_pairs, redundancy_automaton, seam
from puzzlekit.engine.search import Search
from puzzlekit.engine.space import Carry, Space, rank
from puzzlekit.errors import DeclarationError, NotationError, TableError
from puzzlekit.heuristic.base import Heuristic, Max
from puzzlekit.phase.declaration import Phase
from puzzlekit.puzzle.metric import Metric
from puzzlekit.puzzle.move import Move, compose, no_effect
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.tables.goals import goals, goals_key
from puzzlekit.tables.move_table import is_tabulated, move_table, move_table_key
from puzzlekit.tables.pruning_table import PruningNeeds, pruning_table, pruning_table_key
from puzzlekit.tables.store import Table, TableKey, TableStore

if TYPE_CHECKING:
    from typing_extensions import Buffer

_JOIN_LIMIT = 1 << 22  # entries of a table of joined estimates


class Assembled:
    """A phase ready to be searched: its moves with their costs, its space, how states are ranked.

    `pairs` tells which pairs of moves need not be searched, `entries` the automaton's states in
    which the phase starts after each move of the phase before it, `carried` the bytes of a state on
    which coordinates are ranked during the search.
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
        carried: Sequence[int],
    ) -> None:
        self.phase = phase
        self.moves = moves
        self.costs = costs
        self.space = space
        self.pairs = pairs
        self.automaton = automaton
        self.entries = entries
        self.admissible = admissible
        self.carried = carried

    def start(self, search: Search, puzzle: Puzzle, state: bytes, limit: int) -> None:
        """Set a search of this phase on a state of the method's puzzle."""
        seen = self._seen(puzzle, state)
        search.start(self.ranks(seen), limit, 0, bytes(seen[j] for j in self.carried))

    def estimate(self, puzzle: Puzzle, state: bytes) -> int:
        """The estimate for a state of the method's puzzle."""
        return int(self.space.estimate(self.ranks(self._seen(puzzle, state))))

    def _seen(self, puzzle: Puzzle, state: bytes) -> bytes:
        view = self.phase.view
        return state if view is None else view.see(puzzle, state)

    @cached_property
    def _programs(self) -> list[array[int] | None]:
        programs = [coordinate.engine_program for coordinate in self.phase.coordinates]
        return [None if program is None else array("i", program) for program in programs]

    def ranks(self, state: bytes) -> list[int]:
        """The values of the phase's coordinates, in a state of the puzzle that it sees.

        A DeclarationError outside the domain of one of them.
        """
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


class PhaseNeeds:
    """What a phase is assembled from, in one metric: its moves and the tables that it takes.

    `puzzle` is the one whose moves and coordinates they are: what the phase's view sees, if it has
    one.
    """

    def __init__(self, puzzle: Puzzle, phase: Phase, metric: Metric) -> None:
        self.phase = phase
        self.puzzle = puzzle if phase.view is None else phase.view.puzzle
        try:
            self.moves = phase.allowed(self.puzzle)
            self.goal_moves = phase.kept(self.puzzle)
        except NotationError as error:
            raise DeclarationError(f"phase {phase.name}: its moves: {error}") from None
        if missing := {move.family for move in self.moves} - set(puzzle.turns):
            raise DeclarationError(
                f"phase {phase.name}: {puzzle.name} has no moves {' '.join(sorted(missing))}, "
                f"which its view as {self.puzzle.name} asks for"
            )
        self.costs = [metric.cost(move) for move in self.moves]
        if min(self.costs) < 1:
            raise DeclarationError(f"phase {phase.name}: a move costs nothing in {metric.name}")
        # Tables of the puzzle that is seen are shared with its own methods.
        alike = (
            each
            for each in self.puzzle.metrics
            if phase.view and self.costs == [each.cost(move) for move in self.moves]
        )
        self.metric = next(alike, metric)

    def pruning(self, numbers: Sequence[int]) -> PruningNeeds:
        """What is needed for a pruning table over the coordinates of these numbers."""
        return PruningNeeds(
            [self.phase.coordinates[number] for number in numbers],
            self.moves,
            self.costs,
            self.metric.name,
            self.phase.bits,
            self.goal_moves,
        )

    def keys(self) -> tuple[list[TableKey], list[TableKey]]:
        """The keys of the move tables and goals, and those of the pruning tables."""
        simple = []
        for coordinate in self.phase.coordinates:
            if is_tabulated(coordinate, self.moves):
                simple.append(move_table_key(coordinate, self.moves))
            if self.goal_moves:
                simple.append(goals_key(coordinate, self.goal_moves))
        numbers = map(self.phase.coordinate_numbers, self.phase.tables)
        return simple, [pruning_table_key(self.pruning(each)) for each in numbers]

    def as_done(self, puzzle: Puzzle) -> tuple[Move, ...]:
        """The moves as they are done to the method's puzzle."""
        if self.puzzle is puzzle:
            return self.moves
        return tuple(puzzle.move(move.family, move.amount) for move in self.moves)


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
    needs = PhaseNeeds(puzzle, phase, metric)
    moves, costs = needs.moves, needs.costs
    joiner = heuristic or phase.heuristic
    pairs = _pairs(needs.puzzle, moves, costs)
    automaton, entries = redundancy_automaton(pairs), [0]
    if before is not None:
        if not set(moves) <= set(before.moves):
            raise DeclarationError(f"phase {phase.name} has moves that the phase before it has not")
        numbers = [before.moves.index(move) for move in moves]
        automaton, entries = seam(before.pairs, numbers, automaton)
    ranked = [each for each in phase.coordinates if not is_tabulated(each, moves)]
    carried, carry = _carry(needs.puzzle, phase, ranked, moves)
    byte_at = {j: i for i, j in enumerate(carried)}
    coordinates = [
        (
            each.size,
            rebase(each.engine_program or (), byte_at)
            if each in ranked
            else move_table(store, each, moves).data,
            goals(store, each, needs.goal_moves),
        )
        for each in phase.coordinates
    ]
    tables = [
        (numbers, phase.bits, pruning_table(store, needs.pruning(numbers)).data)
        for numbers in map(phase.coordinate_numbers, phase.tables)
    ]
    join = None
    if type(joiner) is not Max and len(tables) > 1:
        radix = join_radix([data for _, _, data in tables], phase.bits)
        join = (radix, _joined(needs.puzzle, joiner, radix, store).data)
    ending = None
    if after is not None:
        later = after.allowed(needs.puzzle)
        ending = bytes(move not in later for move in moves)
    try:
        space = Space(costs, automaton, coordinates, tables, join, ending, carry)
    except ValueError as error:
        raise TableError(f"{puzzle.name}, phase {phase.name}: {error}") from None
    admissible = joiner.admissible or len(tables) < 2
    done = needs.as_done(puzzle)
    return Assembled(phase, done, costs, space, pairs, automaton, entries, admissible, carried)


def _carry(
    puzzle: Puzzle, phase: Phase, ranked: Sequence[Coordinate], moves: Sequence[Move]
) -> tuple[list[int], Carry]:
    """The bytes of a state that the coordinates to be ranked read, and how moves act on them.

    With whatever else moves into their places: all bytes that these moves bring there.
    """
    for coordinate in ranked:
        if coordinate.engine_program is None:
            raise DeclarationError(
                f"phase {phase.name}: coordinate {coordinate.name} is not closed under the moves, "
                "or too large for a move table, and the engine cannot rank it"
            )
    carried = {j for coordinate in ranked for j in coordinate.reads}
    while (more := {move.gather[j] for move in moves for j in carried}) - carried:
        carried |= more
    order = sorted(carried)
    return order, carry_bytes(puzzle, moves, order)


def carry_bytes(puzzle: Puzzle, moves: Sequence[Move], order: Sequence[int]) -> Carry:
    """How moves act on some bytes of a state; none of them brings in another byte."""
    byte_at = {j: i for i, j in enumerate(order)}
    effects = [
        (bytes(byte_at[move.gather[j]] for j in order), bytes(move.add[j] for j in order))
        for move in moves
    ]
    return Carry(effects, bytes(puzzle.modulus[j] for j in order))


def _pairs(puzzle: Puzzle, moves: Sequence[Move], costs: Sequence[int]) -> Pairs:
    product = partial(compose, modulus=puzzle.modulus)
    effects = [move.effect for move in moves]
    return pruned_pairs(effects, costs, product, no_effect(puzzle.modulus))


def _joined(puzzle: Puzzle, joiner: Heuristic, radix: list[int], store: TableStore) -> Table:
    """The estimates for all vectors of distances, the first table most significant."""

    def build() -> Any:
        import numpy as np

        vectors = np.indices(radix).reshape(len(radix), -1)
        estimates = np.asarray(joiner.join(list(vectors)))
        if not ((estimates >= 0) & (estimates < 1 << 16)).all():
            raise DeclarationError(
                f"the heuristic {joiner} joins some distances to less than 0 or more than 65,535"
            )
        return estimates.astype("u2")

    return store.get(joined_key(puzzle, joiner, radix), build)


def fixed_radix(tables: int, bits: int) -> list[int] | None:
    """16 distances for each table, where they have 4 bits and there is room for that; else None."""
    return [16] * tables if bits == 4 and 16**tables <= _JOIN_LIMIT else None


def join_radix(tables: Sequence[Buffer], bits: int) -> list[int]:
    """How many distances to tell apart in each pruning table: one more than the largest, or 16."""
    if (fixed := fixed_radix(len(tables), bits)) is not None:
        return fixed
    import numpy as np

    radix = []
    for table in tables:
        data = np.asarray(table)
        halves = [data & 15, data >> 4] if bits == 4 else [data]
        radix.append(max(int(half.max()) for half in halves) + 1)
    return radix


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
