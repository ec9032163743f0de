"""Pruning tables (pattern databases): least costs from the values of a product of coordinates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from puzzlekit.coordinate.coordinate import Coordinate
from puzzlekit.coordinate.sym_pairing import SymPairing
from puzzlekit.coordinate.symmetric import SymCoordinate
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Move, invert
from puzzlekit.store.store import TableStore
from puzzlekit.store.table import Table, TableKey
from puzzlekit.tables.distances import distances_by_state, undone
from puzzlekit.tables.entries import pack_codes, pack_nibbles
from puzzlekit.tables.goals import goal_flags, goals_identity
from puzzlekit.tables.move_table import is_tabulated, moves_identity
from puzzlekit.tables.pruning.hashed import HashedDistances, check_hashed
from puzzlekit.tables.pruning.sym_pruning import SymDistances, SymShape, check_sym_table
from puzzlekit.tables.symmetry.classes import SymNeeds
from puzzlekit.tables.symmetry.pairing_classes import PairingNeeds

if TYPE_CHECKING:
    from puzzlekit.engine.transitions import Edge


VERSION = 1  # count up when the same declaration gives other numbers
ADDITIVE_VERSION = 1  # the same for additive tables
HASHED_VERSION = 2  # the same for hashed tables


class PruningNeeds(NamedTuple):
    """What a pruning table is built from.

    `coordinates`: one to three, the first most significant in an entry's index; a sym coordinate
    can only be the first. `moves` with their `costs` in the metric named `metric`. `bits` an entry:
    2 (the distance modulo 3), 4 or 8. `goal_moves`: see `goals`. `fold` and `farthest`: see
    `puzzlekit.PruningTable`. `partners`: all coordinates that share a table of the phase with its
    sym coordinate. `thresholds` and `hashed`: see `puzzlekit.PruningTable`. `goal_states`: whole
    states at the goal, where there are more than the solved one. `edges`: the automaton of a metric
    with memory (see `puzzlekit.engine.transitions`), whose states may all be at a goal; an entry is
    then the least distance over its states.
    """

    coordinates: Sequence[Coordinate]
    moves: Sequence[Move]
    costs: Sequence[int]
    metric: str
    bits: int = 4
    goal_moves: Sequence[Move] = ()
    fold: int = 1
    farthest: int | None = None
    partners: Sequence[Coordinate] = ()
    thresholds: Sequence[int] = ()
    hashed: int = 0
    goal_states: Sequence[bytes] = ()
    edges: Sequence[Sequence[Edge]] = ()
    goal_places: Sequence[int] = ()
    additive: bool = False

    @property
    def entries(self) -> int:
        """How many entries the table has."""
        first, *others = self.coordinates
        if self.hashed:
            return self.hashed
        if isinstance(first, SymPairing):
            return first.values * prod(other.size for other in others)
        if isinstance(first, SymCoordinate):
            return SymShape.of(first, others, self.bits, self.fold).entries
        return prod(coordinate.size for coordinate in self.coordinates)

    @property
    def sym(self) -> SymNeeds | None:
        """What its sym coordinate needs; None without one."""
        first = self.coordinates[0]
        if not isinstance(first, SymCoordinate) or self.hashed:
            return None
        return SymNeeds(first, self.partners, self.moves, self.costs, self.goal_moves)

    @property
    def pairing(self) -> PairingNeeds | None:
        """What its pairing needs, where it is over one, and maybe a partner; else None."""
        first, *others = self.coordinates
        if not isinstance(first, SymPairing) or self.hashed or len(others) > 1:
            return None
        return PairingNeeds(first, self.moves, self.costs, *others)

    @property
    def _is_undone(self) -> bool:
        """Whether each move is undone by one of them that costs the same."""
        priced = list(zip(self.moves, self.costs, strict=True))
        there = {(move.family, move.amount, cost) for move, cost in priced}
        odd = [
            (move, cost)
            for move, cost in priced
            if move.parts or (move.family, move.order - move.amount, cost) not in there
        ]
        if not odd:  # as nearly always
            return True
        modulus = self.coordinates[0].puzzle.modulus
        effects = {(move.effect, cost) for move, cost in priced}
        return all((invert(move.effect, modulus), cost) in effects for move, cost in odd)

    def check(self) -> None:
        """Raise a DeclarationError, with the name of the table, where it cannot be built."""
        try:
            self._check()
        except DeclarationError as error:
            names = " ".join(each.name for each in self.coordinates)
            raise DeclarationError(f"pruning table {names}: {error}") from None

    def _check(self) -> None:
        if self.hashed or self.thresholds:
            self._check_special()
            return
        if self.additive:
            self._check_additive()
        if any(isinstance(each, SymPairing) for each in self.coordinates):
            raise DeclarationError(
                "a pruning table over a pairing reduced by symmetries has thresholds or is hashed"
            )
        if self.bits == 2 and self.moves[0].guard_before >= 0:
            raise DeclarationError(
                "a pruning table of 2 bits an entry is for moves that are always possible"
            )
        if self.bits == 2 and set(self.costs) != {1}:
            raise DeclarationError("a pruning table of 2 bits an entry is for moves that cost 1")
        if (self.bits == 2 or self.sym is not None) and not self._is_undone:
            raise DeclarationError(
                "a pruning table of 2 bits an entry, or over a sym coordinate, is for moves that "
                "are each undone by one of the same cost"
            )
        if self.bits == 2:
            self._check_closed()
        if self.goal_states and self.sym is not None:
            raise DeclarationError("a phase with a sym coordinate has no goals in other holdings")
        if any(isinstance(each, SymCoordinate) for each in self.coordinates[1:]):
            raise DeclarationError("a sym coordinate has to be the first of a pruning table")
        sym = self.sym
        if sym is not None:
            check_sym_table(sym, self.coordinates[1:], self.bits)
        elif self.fold > 1 or self.farthest is not None:
            raise DeclarationError("folding and farthest are for tables over a sym coordinate")

    def _check_closed(self) -> None:
        """The same of one of 2 bits: what is near an entry has to follow from its values."""
        for each in self.coordinates:
            if not each.closed_under(self.moves):
                raise DeclarationError(
                    "a pruning table of 2 bits an entry is over coordinates that are closed under "
                    f"the moves, which {each.name} is not: give it 4 or 8 bits"
                )

    def _check_additive(self) -> None:
        """The same of an additive table."""
        if set(self.costs) != {1} or self.edges or self.goal_states:
            raise DeclarationError(
                "an additive pruning table is for moves that cost 1, and for one goal"
            )
        for each in self.coordinates:
            if isinstance(each, SymCoordinate) or not is_tabulated(each, self.moves):
                raise DeclarationError(
                    f"an additive pruning table is over coordinates that have move tables, which "
                    f"{each.name} has not"
                )

    def _check_special(self) -> None:
        """The same of a table with thresholds and of a hashed one."""
        if set(self.costs) != {1} or self.moves[0].guard_before >= 0 or not self._is_undone:
            raise DeclarationError(
                "a pruning table with thresholds, or a hashed one, is for moves that cost 1, are "
                "always possible, and are each undone by one of them"
            )
        if self.hashed:
            check_hashed(self.coordinates, self.moves, self.costs, self.bits)
            if self.farthest is None:
                raise DeclarationError(
                    f"a hashed pruning table needs to be told how far it goes in {self.metric}"
                )
        elif self.pairing is None or not all(
            is_tabulated(each, self.moves) and each.size <= 256 for each in self.coordinates[1:]
        ):
            raise DeclarationError(
                "a pruning table with thresholds is over one pairing reduced by symmetries, and "
                "maybe one more coordinate, of up to 256 values, that has a move table"
            )
        solved = self.coordinates[0].puzzle.solved
        for each in self.coordinates:
            if isinstance(each, SymPairing) and any(
                each.rank(each.after(solved, move)) for move in self.goal_moves
            ):
                raise DeclarationError(
                    f"coordinate {each.name}: its only goal is that of the solved state, which "
                    "the goal moves have to keep"
                )


def pruning_table_key(needs: PruningNeeds) -> TableKey:
    """The name under which a pruning table is kept; bytes, of one, two or four entries."""
    coordinates, moves, costs, metric, bits, goal_moves, fold, farthest, *_ = needs
    goal_states, edges = needs.goal_states, needs.edges
    needs.check()
    if needs.hashed or needs.thresholds:
        return _special_key(needs)
    names = " x ".join(coordinate.name for coordinate in coordinates)
    goals = goals_identity(coordinates, goal_moves, goal_states)
    parts = " ".join(each.identity for each in coordinates)
    if needs.additive:
        guards = [(move.guard_before, move.guard_after) for move in moves]
        parts = f"additive {ADDITIVE_VERSION} {guards}: {parts}"
    if (sym := needs.sym) is not None:
        parts = f"{sym.identity}: {parts}"
    folded = f" least of {fold}" if fold > 1 else ""
    kept = f"{bits}" if fold == 1 and farthest is None else f"{bits} {fold} {farthest}"
    priced = list(edges or costs)
    kind, cost = "distance", "cost"
    if needs.additive:
        kind, cost = "additive distance", "cost of moves that change it"
    if needs.goal_places:
        goals += f" at {list(needs.goal_places)}"
    return TableKey(
        puzzle=coordinates[0].puzzle.name,
        name=f"{names} {kind} {metric}{folded}",
        identity=f"pruning {VERSION} {parts} {goals} {priced} {kept} {moves_identity(moves)}",
        dtype="u1",
        shape=((needs.entries * bits + 7) // 8,),
        purpose=f"least {cost} ({metric}) to the goal for each {'class' if sym else 'value'} "
        f"of {names}, {needs.entries:,} entries of {bits} bits",
    )


def _special_key(needs: PruningNeeds) -> TableKey:
    """The same for a table with thresholds and for a hashed one."""
    names = " x ".join(coordinate.name for coordinate in needs.coordinates)
    if (pairing := needs.pairing) is not None:
        name = f"{names} thresholds {needs.metric}"
        goals = goals_identity(needs.coordinates[1:], needs.goal_moves, needs.goal_states)
        identity = f"thresholds {VERSION} {pairing.identity} {list(needs.thresholds)} {goals}"
        told = "which of the distances {} the least cost ({}) to the goal reaches for each value"
        purpose = told.format(", ".join(map(str, needs.thresholds)), needs.metric)
    else:
        name = f"{names} hashed {needs.metric}"
        goals = goals_identity(
            [each for each in needs.coordinates if not isinstance(each, SymPairing)],
            needs.goal_moves,
        )
        if needs.goal_states:
            goals = " ".join(state.hex() for state in needs.goal_states)
        parts = " ".join(each.identity for each in needs.coordinates)
        identity = (
            f"hashed {HASHED_VERSION} {parts} {goals} {needs.hashed} {needs.farthest} "
            f"{moves_identity(needs.moves)}"
        )
        purpose = f"least cost ({needs.metric}) to the goal, up to {needs.farthest}, by the hash"
    return TableKey(
        puzzle=needs.coordinates[0].puzzle.name,
        name=name,
        identity=identity,
        dtype="u1",
        shape=((needs.entries * needs.bits + 7) // 8,),
        purpose=f"{purpose} of {names}, {needs.entries:,} entries of {needs.bits} bits",
    )


def _build_special(
    store: TableStore, needs: PruningNeeds, compiled: bool, tell: Callable[[float], None]
) -> Any:
    """A table with thresholds, or a hashed one."""
    if (pairing := needs.pairing) is not None:
        from puzzlekit.tables.pruning.thresholds import PairingDistances

        at_goal = [0]
        if pairing.partner is not None:
            flags = goal_flags(store, pairing.partner, needs.goal_moves, needs.goal_states)
            at_goal = flags.nonzero()[0].tolist()
        near = PairingDistances(store, pairing, needs.thresholds, at_goal)
        near.fill(compiled, tell)
        return near.packed()
    hashed = HashedDistances(
        store,
        needs.coordinates,
        needs.moves,
        needs.hashed,
        needs.farthest or 1,
        needs.goal_states,
        needs.goal_moves,
    )
    hashed.fill()
    return pack_nibbles(hashed.entries)


def pruning_table(store: TableStore, needs: PruningNeeds) -> Table:
    """The pruning table from the store, built if need be."""
    key = pruning_table_key(needs)

    def tell(share: float) -> None:
        store.tell(key, share)

    def build() -> Any:
        from puzzlekit.engine.fill import COMPILED

        parts, moves, costs, _, bits, goal_moves, fold, farthest, *_ = needs
        if needs.hashed or needs.thresholds:
            return _build_special(store, needs, COMPILED, tell)
        if (sym := needs.sym) is not None:
            distances = SymDistances(store, sym, parts[1:], fold, farthest, keep=bits > 2)
            distances.fill(COMPILED, tell)
            distance = distances.entries(bits)
            return pack_nibbles(distance) if bits == 4 else distance
        if needs.additive:
            from puzzlekit.tables.pruning.additive import additive_distances

            at_goal = [goal_flags(store, each, goal_moves).nonzero()[0].tolist() for each in parts]
            backward = [undone(store, each, moves) for each in parts]
            distance = additive_distances(
                parts, at_goal, backward, moves, needs.goal_places, COMPILED
            )
            return pack_nibbles(distance) if bits == 4 else distance
        edges = needs.edges or [[(move, 0, cost) for move, cost in enumerate(costs)]]
        distance = distances_by_state(
            store, parts, moves, edges, goal_moves, needs.goal_states, needs.goal_places, tell
        )
        distance = distance.min(axis=0) if len(distance) > 1 else distance[0]
        if bits == 8:
            return distance
        return pack_nibbles(distance) if bits == 4 else pack_codes(distance)

    return store.get(key, build)


def sym_images(needs: PruningNeeds) -> list[tuple[TableKey, tuple[Coordinate, int, int]]]:
    """For each partner in a table over a sym coordinate the key of its images.

    With (partner, by how much they are folded, how many images are told apart in an index).
    """
    first, *partners = needs.coordinates
    sym = needs.sym
    if not isinstance(first, SymCoordinate) or sym is None:
        return []
    folds = [1] * (len(partners) - 1) + [needs.fold] * bool(partners)
    stride = SymShape.of(first, partners, needs.bits, needs.fold).stride
    radix = [partner.size for partner in partners[:-1]] + [stride] * bool(partners)
    return [
        (sym.images_key(partner, fold), (partner, fold, size))
        for partner, fold, size in zip(partners, folds, radix, strict=True)
    ]
