"""Classes: the tables that a search needs for a sym coordinate, built from move tables alone.

The values of a coordinate and the moves between the values form a graph. A symmetry s of the puzzle
permutes the moves. It is also a symmetry of the coordinate if it permutes the values such that
s(value r after move m) = s(r) after s(m). This module finds and checks these permutations for the
sym coordinate, and for its partners: the other coordinates in its pruning tables. It never rotates
or reflects a state.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import attrs

from puzzlekit.coordinates.coordinate import Coordinate
from puzzlekit.coordinates.products import SymCoordinate
from puzzlekit.engine.beats import beat
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.symmetry import generators, symmetries
from puzzlekit.tables.goals import goal_flags, goals_identity
from puzzlekit.tables.memory import check_memory
from puzzlekit.tables.move_table import moved_values, moves_identity
from puzzlekit.tables.store import ScratchStore, TableStore
from puzzlekit.tables.table import TableSpec

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Values = npt.NDArray[np.uint32]

__all__ = ["MOST_PARTNER_VALUES", "Classes", "SymNeeds"]

VERSION = 2  # increase it when the same declaration gives other numbers
MOST_PARTNER_VALUES = 1 << 16

Permutation = tuple[int, ...]


@attrs.frozen(slots=False, eq=False, repr=False)
class SymNeeds:
    """The inputs from which the classes of a sym coordinate are built."""

    #: The coordinate as it is declared, perhaps without the numbers of classes and symmetries.
    declared: SymCoordinate
    #: The partners: the other coordinates of the pruning tables over the sym coordinate.
    partners: Sequence[Coordinate]
    #: The moves of the phase.
    moves: Sequence[Move]
    #: The cost of each move.
    costs: Sequence[int]
    #: The goal moves of the phase.
    goal_moves: Sequence[Move] = ()

    @cached_property
    def coordinate(self) -> SymCoordinate:
        """The coordinate with the numbers of classes and symmetries, computed if need be."""
        declared = self.declared
        if declared.classes and declared.symmetries:
            return declared
        store = ScratchStore(TableStore())
        graph = _ValueGraph(store, declared, self.moves, self.goal_moves)
        group = _group(store, self, graph)
        least, _ = _least_images(graph, group)
        classes = int((least == range(len(least))).sum())
        return attrs.evolve(
            declared,
            classes=declared.classes or classes,
            symmetries=declared.symmetries or len(group),
        )

    @cached_property
    def identity(self) -> str:
        """A string that identifies the classes, for the keys of tables."""
        coordinates = (self.coordinate, *self.partners)
        parts = " ".join(each.identity for each in coordinates)
        numbers = f"{self.coordinate.classes} {self.coordinate.symmetries}"
        goals = goals_identity(coordinates, self.goal_moves)
        mirrors = [sorted(mirror.items()) for mirror in self.coordinate.puzzle.reflections]
        turned = f"{self._costs_apart()} {moves_identity(self.moves)} {mirrors}"
        return f"classes {VERSION} {parts} {numbers} {goals} {turned}"

    def _costs_apart(self) -> list[int]:
        """Return for each move the rank of its cost among the costs of its images.

        The images are the images under all symmetries. The classes depend on the costs only through
        these ranks. So HTM, QTM and most metrics of steps share the classes.
        """
        if len(set(self.costs)) == 1:
            return [1] * len(self.costs)
        images = symmetries(self.coordinate.puzzle, self.moves)
        own = [sorted({self.costs[image[m]] for image in images}) for m in range(len(self.moves))]
        return [among.index(cost) + 1 for among, cost in zip(own, self.costs, strict=True)]

    def _key(
        self, name: str, dtype: str, shape: tuple[int, ...], purpose: str, seconds: float = 0.0
    ) -> TableSpec:
        full = f"{self.coordinate.name} {name}"
        puzzle, identity = self.coordinate.puzzle.name, f"{name}: {self.identity}"
        return TableSpec(puzzle, full, identity, dtype, shape, purpose, seconds=seconds)

    @cached_property
    def sizes(self) -> list[int]:
        """The numbers of entries of the four parts of the table, which `Classes` describes."""
        coordinate, moves = self.coordinate, len(self.moves)
        classes, order = coordinate.classes, coordinate.symmetries
        return [coordinate.size, classes * moves, 2 * classes, -(order * (moves + order) // -4)]

    @cached_property
    def classes_key(self) -> TableSpec:
        """The key of the table with the classes and symmetries."""
        parts = self.coordinate.digits if self.coordinate.is_reduced else (self.coordinate,)
        ranked = sum(each.size for each in parts)  # which takes longest
        return self._key(
            "classes",
            "u4",
            (sum(self.sizes),),
            f"classes of {self.coordinate.name}, and their symmetries",
            (6e-8 * ranked + 2.5e-8 * self.coordinate.size) * len(self.moves),
        )

    @cached_property
    def goals_key(self) -> TableSpec:
        """The key of the table of goals: a byte for each class. The byte is not 0 at a goal."""
        name = self.coordinate.name
        shape = (self.coordinate.classes,)
        return self._key("class goals", "u1", shape, f"classes of {name} that are goals")

    def images_key(self, partner: Coordinate, fold: int = 1, rest: int = 0) -> TableSpec:
        """Return the key of a table of images of a partner's values.

        A partner is another coordinate in a pruning table with the sym coordinate. Row v has the
        images of the value v of the partner: one image for each symmetry. If `fold` is above 1,
        each image is divided by `fold` and rounded down. If `rest` is not 0, each image is taken
        modulo `rest`.
        """
        folded = f" folded {fold}" if fold > 1 else f" modulo {rest}" if rest else ""
        return self._key(
            f"{partner.name} images{folded}",
            "u2",
            (partner.size, 1 << self.coordinate.shift),
            f"image of each value of {partner.name} under the symmetries of {self.coordinate.name}",
        )

    def keys(self) -> list[TableSpec]:
        """The keys of the tables that a search or a build needs, except the images of partners."""
        return [self.classes_key, *([self.goals_key] if self.goal_moves else [])]


class Classes:
    """The tables of a sym coordinate from the store. Missing tables are built."""

    def __init__(self, store: TableStore, needs: SymNeeds) -> None:
        self._store = store
        self._needs = needs

    def _part(self, number: int) -> memoryview:
        build = partial(_build, self._store, self._needs)
        sizes = self._needs.sizes
        begin = sum(sizes[:number])
        return self._store.get(self._needs.classes_key, build).data[begin : begin + sizes[number]]

    @property
    def class_of(self) -> memoryview:
        """For each value class * 2^shift + symmetry. For `shift` see `SymCoordinate`.

        The symmetry maps the value to the representative of its class.
        """
        return self._part(0)

    @property
    def class_moves(self) -> memoryview:
        """For each class and each move class * 2^shift + symmetry.

        The entry describes the value that the move makes of the representative of the class.
        """
        return self._part(1)

    @property
    def keepers(self) -> npt.NDArray[np.uint64]:
        """For each class a number whose bit s is 1 if symmetry s fixes the representative."""
        import numpy as np

        return np.frombuffer(self._part(2).tobytes(), dtype=np.uint64)

    @property
    def move_images(self) -> bytes:
        """The index of the image of each move, for each symmetry."""
        return self._of_each_symmetry(slice(None, len(self._needs.moves)))

    @property
    def products(self) -> bytes:
        """The index of the product "s, then t" for each pair of symmetries s and t."""
        return self._of_each_symmetry(slice(len(self._needs.moves), None))

    def _of_each_symmetry(self, part: slice) -> bytes:
        order, data = self._needs.coordinate.symmetries, self._part(3).tobytes()
        width = len(self._needs.moves) + order
        return b"".join(data[at * width : (at + 1) * width][part] for at in range(order))

    @property
    def goals(self) -> Any:
        """The goal classes for the engine: a tuple, or a byte for each class, not 0 for a goal."""
        needs, shift = self._needs, self._needs.coordinate.shift
        if not needs.goal_moves:
            return tuple(sorted({self.class_of[goal] >> shift for goal in needs.coordinate.goals}))

        def build() -> Any:
            import numpy as np

            flags = goal_flags(self._store, needs.coordinate, needs.goal_moves)
            goals = np.zeros(needs.coordinate.classes, dtype=np.uint8)
            goals[np.asarray(self.class_of)[flags > 0] >> shift] = 1
            return goals

        return self._store.get(needs.goals_key, build).data

    def images(self, partner: Coordinate, fold: int = 1, rest: int = 0) -> Any:
        """See `SymNeeds.images_key`."""

        def build() -> Any:
            import numpy as np

            carried = self.carried(partner) // np.uint32(fold)
            carried = carried % np.uint32(rest) if rest else carried
            images = np.zeros((partner.size, 1 << self._needs.coordinate.shift), dtype="u2")
            images[:, : len(carried)] = carried.T
            return images

        return self._store.get(self._needs.images_key(partner, fold, rest), build).data

    def carried(self, partner: Coordinate) -> npt.NDArray[np.uint32]:
        """Return an array of shape (symmetries, values): the images of a partner's values."""
        import numpy as np

        graph = _ValueGraph(self._store, partner, self._needs.moves, self._needs.goal_moves)
        rows = np.frombuffer(self.move_images, "u1").reshape(-1, len(self._needs.moves)).tolist()
        group = {tuple(rows[0]): np.arange(partner.size, dtype=np.uint32)}  # the identity is first
        for permutation in map(tuple, rows):
            if permutation not in group:
                images = graph.carried(permutation)
                assert images is not None  # checked when the symmetries were found
                _extend(group, permutation, images)
        return np.stack([group[tuple(row)] for row in rows])


class _ValueGraph:
    """The graph of the values of a coordinate and the moves between them.

    `columns` has an array for each move. It maps each value to the value after the move.
    """

    def __init__(
        self,
        store: TableStore,
        coordinate: Coordinate,
        moves: Sequence[Move],
        goal_moves: Sequence[Move],
    ) -> None:
        self.columns = _columns(store, coordinate, moves)
        self._generators = generators(moves)
        self.goals = goal_flags(store, coordinate, goal_moves)
        self.root = coordinate.rank(coordinate.puzzle.solved)

    def carried(self, permutation: Permutation) -> Values | None:
        """Return the image of each value under a symmetry of the moves; None if it has no images.

        `permutation` lists the number of the image of each move. The image of the solved value is
        the solved value itself. If moves lead from the solved value to a value v, the images of
        these moves lead from the solved value to the image of v. The result is None if different
        paths to v give different images, or if the image of a goal is not a goal, or vice versa.
        Values that no moves reach are their own images.
        """
        import numpy as np

        image = np.arange(self.columns.shape[1], dtype=np.uint32)
        for fresh, level in self._tree:
            beat()
            for values, before, m in level:
                image[values] = self.columns[permutation[m]][image[before]]
            for m in self._generators:  # most permutations fail near the solved value
                if (
                    image[self.columns[m][fresh]] != self.columns[permutation[m]][image[fresh]]
                ).any():
                    return None
        return image if (self.goals[image] == self.goals).all() else None

    @cached_property
    def _tree(self) -> list[tuple[Values, list[tuple[Values, Values, int]]]]:
        """The levels of a tree from the solved value: the values of the level, and the next ones.

        For each move, the next ones are an array of values, and one of the values before them.
        """
        import numpy as np

        seen = np.zeros(self.columns.shape[1], dtype=bool)
        seen[self.root] = True
        fresh = np.array([self.root], dtype=np.uint32)
        found = []
        while len(fresh):
            beat()
            level = []
            for m in self._generators:
                near = self.columns[m][fresh]
                new = ~seen[near]  # a move is a permutation, so no value occurs twice
                seen[near] = True
                level.append((near[new], fresh[new], m))
            found.append((fresh, level))
            fresh = np.sort(np.concatenate([values for values, _, _ in level]))
        return found

    @cached_property
    def reached(self) -> npt.NDArray[np.bool_]:
        """Whether moves reach each value from the solved value."""
        import numpy as np

        found = np.zeros(self.columns.shape[1], dtype=bool)
        for values, _ in self._tree:
            found[values] = True
        return found


def _columns(store: TableStore, coordinate: Coordinate, moves: Sequence[Move]) -> Values:
    """Return for each move the value after it, for each value: shape (moves, size)."""
    import numpy as np

    parts = coordinate.digits if coordinate.is_reduced else (coordinate,)
    columns = np.zeros((len(moves), 1), dtype=np.uint32)
    for part in parts:
        beat()
        table = moved_values(store, part, moves)
        digits = np.ascontiguousarray(table.T, dtype=np.uint32)
        columns = (columns[:, :, None] * np.uint32(part.size) + digits[:, None, :]).reshape(
            len(moves), -1
        )
    return columns


def _build(store: TableStore, needs: SymNeeds) -> Any:
    """Return the table of the classes and symmetries, an array in the order of `SymNeeds.sizes`."""
    import numpy as np

    coordinate, order = needs.coordinate, needs.coordinate.symmetries
    # Four bytes for the image of each value under each symmetry, and twice after each move.
    check_memory(
        4 * coordinate.size * (order + 2 * len(needs.moves) + 8),
        f"the classes of {coordinate.name}",
    )
    graph = _ValueGraph(store, coordinate, needs.moves, needs.goal_moves)
    group = _group(store, needs, graph)
    if len(group) != order:
        raise DeclarationError(
            f"coordinate {coordinate.name}: it has {len(group)} symmetries here, not {order}"
        )
    numbers = {permutation: i for i, permutation in enumerate(group)}
    least, by = _least_images(graph, group)
    representatives = np.flatnonzero(least == np.arange(coordinate.size)).astype(np.uint32)
    if len(representatives) != coordinate.classes:
        raise DeclarationError(
            f"coordinate {coordinate.name}: there are {len(representatives)} classes, not "
            f"{coordinate.classes}"
        )
    number = np.zeros(coordinate.size, dtype=np.uint32)
    number[representatives] = np.arange(len(representatives), dtype=np.uint32)
    class_of = (number[least] << np.uint32(coordinate.shift)) | by
    keepers = np.zeros(coordinate.classes, dtype=np.uint64)
    beat()
    for i, image in enumerate(group.values()):
        keepers |= (image[representatives] == representatives).astype("u8") << np.uint64(i)
    products = [[numbers[tuple(later[m] for m in earlier)] for later in group] for earlier in group]
    turned = np.zeros(4 * needs.sizes[3], dtype=np.uint8)
    turned[: order * (len(needs.moves) + order)] = np.concatenate(
        [list(group), products], axis=1
    ).ravel()
    moved = class_of[graph.columns[:, representatives]].T
    parts = (class_of, moved.ravel(), keepers.view(np.uint32), turned.view(np.uint32))
    return np.concatenate(parts)


def _least_images(graph: _ValueGraph, group: dict[Permutation, Values]) -> tuple[Values, Values]:
    """Return for each value its least image, and the first symmetry with this image."""
    import numpy as np

    size = graph.columns.shape[1]
    least = np.arange(size, dtype=np.uint32)
    by = np.zeros(size, dtype=np.uint32)
    for i, image in enumerate(group.values()):
        beat()
        by[image < least] = i
        np.minimum(least, image, out=least)
    # Values that no moves reach are never looked up.
    least[~graph.reached], by[~graph.reached] = least[graph.root], by[graph.root]
    return least, by


def _group(store: TableStore, needs: SymNeeds, own: _ValueGraph) -> dict[Permutation, Values]:
    """Return the symmetries of the moves, of their costs, and of all coordinates.

    The identity comes first. Each item has the images of the values of the sym coordinate under
    the symmetry. `own` is the graph of the sym coordinate.
    """
    import numpy as np

    coordinate, moves, costs = needs.declared, needs.moves, needs.costs
    partners = sorted(needs.partners, key=lambda each: each.size)
    graphs = [_ValueGraph(store, each, moves, needs.goal_moves) for each in partners] + [own]
    identity = tuple(range(len(moves)))
    group = {identity: np.arange(coordinate.size, dtype=np.uint32)}
    for permutation in symmetries(coordinate.puzzle, moves):
        if permutation in group or any(
            costs[m] != costs[image] for m, image in enumerate(permutation)
        ):
            continue
        carried = None
        for graph in graphs:  # small graphs first, because they exclude most candidates
            carried = graph.carried(permutation)
            if carried is None:
                break
        if carried is not None:
            _extend(group, permutation, carried)
    return group


def _extend(group: dict[Permutation, Values], permutation: Permutation, carried: Values) -> None:
    """Add a symmetry and all its products with the symmetries of the group."""
    generators = [*group.items(), (permutation, carried)]
    fresh = [(permutation, carried)]
    group[permutation] = carried
    while fresh:
        earlier, image = fresh.pop()
        for later, image_later in generators:
            beat()
            both = tuple(later[m] for m in earlier)
            if both not in group:
                group[both] = image_later[image]
                fresh.append((both, group[both]))
