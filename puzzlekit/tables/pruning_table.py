"""Pruning tables (pattern databases): the least cost from each value of a product of coordinates.

Filled from the goals outwards by increasing distance, with the moves undone; with moves of unequal
cost this is Dijkstra's algorithm with a bucket for each distance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from puzzlekit.coordinate.base import Coordinate
from puzzlekit.coordinate.sym_pairing import SymPairing
from puzzlekit.coordinate.symmetric import SymCoordinate
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Move, invert
from puzzlekit.tables.classes import SymNeeds
from puzzlekit.tables.goals import goal_flags, goals_identity
from puzzlekit.tables.hashed import HashedDistances, check_hashed
from puzzlekit.tables.move_table import is_tabulated, move_table, moves_identity
from puzzlekit.tables.pairing_classes import PairingNeeds
from puzzlekit.tables.store import Table, TableKey, TableStore
from puzzlekit.tables.sym_pruning import SymDistances, SymShape, check_sym_table
from puzzlekit.tables.taken import possible, taken

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from puzzlekit.engine.transitions import Edge
    from puzzlekit.tables.taken import Masks


VERSION = 1  # count up when the same declaration gives other numbers
ADDITIVE_VERSION = 1  # the same for additive tables
HASHED_VERSION = 2  # the same for hashed tables
UNREACHED = 255
_STRETCH = 1 << 22  # entries


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
        """Raise a DeclarationError where such a table cannot be built."""
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
        if self.goal_states and self.sym is not None:
            raise DeclarationError("a phase with a sym coordinate has no goals in other holdings")
        if any(isinstance(each, SymCoordinate) for each in self.coordinates[1:]):
            raise DeclarationError("a sym coordinate has to be the first of a pruning table")
        sym = self.sym
        if sym is not None:
            check_sym_table(sym, self.coordinates[1:], self.bits)
        elif self.fold > 1 or self.farthest is not None:
            raise DeclarationError("folding and farthest are for tables over a sym coordinate")

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
        from puzzlekit.tables.pairing_pruning import PairingDistances

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
        if store.on_progress is not None:
            store.on_progress(key, share)

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
            from puzzlekit.tables.additive import additive_distances

            at_goal = [goal_flags(store, each, goal_moves).nonzero()[0].tolist() for each in parts]
            undone = [_undone(store, each, moves) for each in parts]
            distance = additive_distances(
                parts, at_goal, undone, moves, needs.goal_places, COMPILED
            )
            return pack_nibbles(distance) if bits == 4 else distance
        edges = needs.edges or [[(move, 0, cost) for move, cost in enumerate(costs)]]
        distance = distances_by_state(
            store, parts, moves, edges, goal_moves, needs.goal_states, needs.goal_places
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


def pack_codes(distance: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Four entries a byte, the first in the lowest bits: distances modulo 3, or 3 if unreached.

    >>> import numpy as np
    >>> pack_codes(np.array([0, 1, 5, 255, 1], dtype=np.uint8)).tolist()
    [228, 1]
    """
    import numpy as np

    code = (np.arange(256) % 3).astype(np.uint8)
    code[UNREACHED] = 3
    packed = np.empty(-(-len(distance) // 4), dtype=np.uint8)
    for part, into in zip(_stretches(distance), _packed(packed, 4), strict=True):
        codes = code[part]
        codes = np.append(codes, np.zeros(-len(codes) % 4, dtype=np.uint8)).reshape(-1, 4)
        np.bitwise_or.reduce(codes << np.array([0, 2, 4, 6], "u1"), 1, out=into)
    return packed


def _packed(packed: npt.NDArray[np.uint8], entries: int) -> list[npt.NDArray[np.uint8]]:
    """What `_stretches` are packed into, so many entries a byte."""
    step = _STRETCH // entries
    return [packed[at : at + step] for at in range(0, len(packed), step)]


def pack_nibbles(distance: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Two entries a byte, the even one in the low half; larger distances become 15 (still bounds).

    >>> import numpy as np
    >>> pack_nibbles(np.array([1, 2, 99], dtype=np.uint8)).tolist()
    [33, 15]
    """
    import numpy as np

    packed = np.empty(-(-len(distance) // 2), dtype=np.uint8)
    for part, into in zip(_stretches(distance), _packed(packed, 2), strict=True):
        clipped = np.minimum(part, 15)
        into[:] = clipped[::2]
        into[: len(clipped) // 2] |= clipped[1::2] << 4
    return packed


def build_distances(
    store: TableStore,
    coordinates: Sequence[Coordinate],
    moves: Sequence[Move],
    costs: Sequence[int],
    goal_moves: Sequence[Move] = (),
    goal_states: Sequence[bytes] = (),
) -> npt.NDArray[np.uint8]:
    """The distance of every value of a product of 1 to 3 coordinates; 255 where no goal is reached.

    Without goal moves the goals are the values that the coordinates take together in one of the
    goal states. Flat, the first coordinate most significant, dtype uint8. Where a coordinate is not
    closed under the moves it is the distance in the graph of all that may happen (see
    `Coordinate.passages`): never more than the true one, and no more than a move's cost apart
    before and after the move.
    """
    edges = [[(move, 0, cost) for move, cost in enumerate(costs)]]
    found = distances_by_state(store, coordinates, moves, edges, goal_moves, goal_states)
    return found.reshape(-1)


def distances_by_state(
    store: TableStore,
    coordinates: Sequence[Coordinate],
    moves: Sequence[Move],
    edges: Sequence[Sequence[Edge]],
    goal_moves: Sequence[Move] = (),
    goal_states: Sequence[bytes] = (),
    goal_places: Sequence[int] = (),
) -> npt.NDArray[np.uint8]:
    """The same from each state of an automaton of edges, in any of which a goal may be reached.

    Or only in those that are `goal_places`. Shape (states, entries).
    """
    import numpy as np

    if not 1 <= len(coordinates) <= 3:
        raise DeclarationError("a pruning table reads 1 to 3 coordinates")
    sizes = [coordinate.size for coordinate in coordinates]
    distance = np.full([len(edges), *sizes], UNREACHED, dtype=np.uint8)
    at_goal = [distance[place] for place in goal_places] or distance
    if goal_states and not goal_moves:
        for state in goal_states:
            for row in at_goal:
                row[tuple(each.rank(state) for each in coordinates)] = 0
    else:
        flags = [goal_flags(store, each, goal_moves, goal_states) for each in coordinates]
        for row in at_goal:
            row[np.ix_(*map(np.flatnonzero, flags))] = 0
    if all(is_tabulated(coordinate, moves) for coordinate in coordinates):
        _fill(store, distance.reshape(len(edges), -1), coordinates, moves, edges)
    elif goal_places:
        _relax(distance, coordinates, moves, edges)
    else:
        _relax(distance[:1], coordinates, moves, _least_costs(edges, len(moves)))
        distance[1:] = distance[0]
    return distance.reshape(len(distance), -1)


def _least_costs(edges: Sequence[Sequence[Edge]], moves: int) -> list[list[Edge]]:
    """An automaton of one state, in which each move has its least cost in any of these."""
    least = [UNREACHED] * moves
    for own in edges:
        for move, _, cost in own:
            least[move] = min(cost, least[move])
    return [[(move, 0, cost) for move, cost in enumerate(least) if cost < UNREACHED]]


def _fill(
    store: TableStore,
    distance: npt.NDArray[np.uint8],
    coordinates: Sequence[Coordinate],
    moves: Sequence[Move],
    edges: Sequence[Sequence[Edge]],
) -> None:
    """Fill in distances from the goals outwards, over coordinates that have move tables."""
    import numpy as np

    from puzzlekit.engine.fill import COMPILED

    undone = [_undone(store, coordinate, moves) for coordinate in coordinates]
    plain = len(edges) == 1 and len(edges[0]) == len(moves) and {e[2] for e in edges[0]} == {1}
    if COMPILED and plain:
        # Goals that each coordinate has by itself may not fit together: then all may be reached.
        single = sum(int((part == 0).sum()) for part in _stretches(distance[0])) == 1
        free = [np.zeros(each.size, dtype=np.uint64) for each in coordinates]
        _fill_both_ways(distance[0], undone, taken(coordinates) if single else free)
    else:
        fill_levels(distance, undone, edges)


def _fill_both_ways(
    distance: npt.NDArray[np.uint8],
    backward: Sequence[npt.NDArray[np.uint32]],
    masks: list[Masks],
) -> None:
    """The same for moves that cost 1: from above as soon as fewer entries are left than reached."""
    import numpy as np

    from puzzlekit.engine import fill

    moves = backward[0].shape[1]
    none = 3 - len(backward)
    backward = [*backward, *[np.zeros((1, moves), dtype=np.uint32)] * none]
    masks = [*masks, *[np.zeros(1, dtype=np.uint64)] * none]
    forward = [_inverses(each) for each in backward]
    way = np.array([(move, 0, 1) for move in range(moves)], dtype=np.int32)
    sweep: Any = fill.sweep
    left = possible(masks)
    for level in range(UNREACHED - 2):
        here = sum(int(np.count_nonzero(part == level)) for part in _stretches(distance))
        left -= here
        if not here:
            return
        if left <= here:
            fill.pull(distance, forward, masks, level)
        else:
            sweep(distance.reshape(1, -1), 0, *backward, way, level)
    raise DeclarationError("distances do not fit into a byte")


def _stretches(array: npt.NDArray[np.uint8]) -> list[npt.NDArray[np.uint8]]:
    """A flat array in stretches, so that what is worked out of one takes little memory."""
    return [array[at : at + _STRETCH] for at in range(0, len(array), _STRETCH)]


def _inverses(table: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """For each column, which is a permutation, its inverse."""
    import numpy as np

    inverse = np.empty(table.shape, dtype=np.uint32)
    for column in range(table.shape[1]):
        inverse[table[:, column], column] = np.arange(len(table), dtype=np.uint32)
    return inverse


def fill_levels(
    distance: npt.NDArray[np.uint8],
    backward: Sequence[npt.NDArray[np.uint32]],
    edges: Sequence[Sequence[Edge]],
) -> None:
    """Fill in distances, level by level, over a product of one to three graphs of values.

    `distance`: for each state of the automaton that the `edges` are a row, the first graph most
    significant, 0 at goals and 255 elsewhere; changed in place. `backward`: for each graph the
    value before each move, shape (size, moves). E. W. Dijkstra (1959), with buckets.
    """
    import numpy as np

    from puzzlekit.engine import fill

    moves = backward[0].shape[1]
    backward = [*backward, *[np.zeros((1, moves), dtype=np.uint32)] * (3 - len(backward))]
    # For each state the edges that lead to it: (move, state that they come from, cost).
    into: list[list[Edge]] = [[] for _ in edges]
    for state, own in enumerate(edges):
        for move, to, cost in own:
            into[to].append((move, state, cost))
    ways = [np.array(own, dtype=np.int32).reshape(-1, 3) for own in into]
    dearest = max(cost for own in edges for _, _, cost in own)
    sweep: Any = fill.sweep if fill.COMPILED else _sweep
    level = 0
    empty = 0
    while empty < dearest and level + dearest < UNREACHED:
        found = sum(sweep(distance, state, *backward, way, level) for state, way in enumerate(ways))
        empty = 0 if found else empty + 1
        level += 1
    most = UNREACHED - dearest
    if any(
        ((part >= most) & (part < UNREACHED)).any() for row in distance for part in _stretches(row)
    ):
        raise DeclarationError(
            "distances do not fit into a byte: costs are too high, or too far apart"
        )


def _relax(
    distance: npt.NDArray[np.uint8],
    coordinates: Sequence[Coordinate],
    moves: Sequence[Move],
    edges: Sequence[Sequence[Edge]],
) -> None:
    """Lower distances, over coordinates of any kind, until no move leads anywhere nearer.

    `distance` has one axis for the states of the automaton and one for each coordinate.
    """
    import numpy as np

    alike = {move.effect: move for move in moves}  # some differ only by where they are possible
    columns = [[_Passage(*each) for each in part.passages(alike.values())] for part in coordinates]
    passages = dict(zip(alike, zip(*columns, strict=True), strict=True))
    stale = set(range(len(edges)))  # states whose distances have fallen since they were looked at
    while stale:
        fallen = set()
        for state, own in enumerate(edges):
            here = distance[state]
            for move, to, cost in own:
                if to not in stale and to not in fallen:
                    continue
                near = distance[to]
                for axis, part in enumerate(passages[moves[move].effect]):
                    near = part.least(near, axis)
                near = np.where(near < UNREACHED - cost, near + np.uint8(cost), np.uint8(UNREACHED))
                if (near < here).any():
                    np.minimum(here, near, out=here)
                    fallen.add(state)
        stale = fallen


class _Passage:
    """Where one move may lead from each value of a coordinate: see `Coordinate.passages`."""

    def __init__(
        self, before: npt.NDArray[np.integer[Any]], after: npt.NDArray[np.integer[Any]]
    ) -> None:
        import numpy as np

        groups, sizes = np.unique(after, return_counts=True)
        order = np.argsort(after, kind="stable").astype(np.uint32)
        group = np.searchsorted(groups, before).astype(np.uint32)
        # Where each group has one value, the values themselves take half the memory.
        self._several = bool((sizes > 1).any())
        self._order = order if self._several else order[group]
        if self._several:
            self._group = group
            self._starts = np.cumsum(sizes) - sizes

    def least(self, distance: npt.NDArray[np.uint8], axis: int) -> npt.NDArray[np.uint8]:
        """For each value along an axis, the least distance of those to which it may lead."""
        import numpy as np

        ordered = distance.take(self._order, axis)
        if not self._several:
            return ordered
        return np.minimum.reduceat(ordered, self._starts, axis).take(self._group, axis)


def _undone(
    store: TableStore, coordinate: Coordinate, moves: Sequence[Move]
) -> npt.NDArray[np.uint32]:
    """The move table of the moves undone: shape (size, moves)."""
    import numpy as np

    table = np.asarray(move_table(store, coordinate, moves).data)
    return _inverses(table.reshape(coordinate.size, len(moves)))


def _sweep(
    distance: npt.NDArray[np.uint8],
    state: int,
    first: npt.NDArray[np.uint32],
    second: npt.NDArray[np.uint32],
    third: npt.NDArray[np.uint32],
    into: npt.NDArray[np.int32],
    level: int,
) -> int:
    """What `puzzlekit.engine.fill.sweep` does, in NumPy."""
    import numpy as np

    here = np.flatnonzero(distance[state] == level)
    pair, c = np.divmod(here, len(third))
    a, b = np.divmod(pair, len(second))
    for move, source, cost in into.tolist():
        near = first[a, move].astype(np.int64) * len(second)
        near = (near + second[b, move]) * len(third) + third[c, move]
        farther = near[distance[source, near] > level + cost]
        distance[source, farther] = level + cost
    return len(here)
