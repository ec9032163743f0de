"""Pruning tables over a product of coordinates: plain, modulo 3, or folded."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

import attrs

from puzzlekit.coordinates.coordinate import Coordinate
from puzzlekit.engine.inputs import HashedInput, ImageInput, TableInput
from puzzlekit.errors import DeclarationError
from puzzlekit.tables.classes import MOST_PARTNER_VALUES, Classes
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.goals import goals_identity
from puzzlekit.tables.move_table import is_tabulated, moves_identity
from puzzlekit.tables.pruning_table import Entries, PruningTable, TableText, Tell, pack
from puzzlekit.tables.store import TableStore
from puzzlekit.tables.table import TableSpec

__all__ = ["Folded", "Modulo3", "ProductTable"]

VERSION = 1  # increase it when the same declaration gives other numbers


class ProductTable(PruningTable):
    """A pruning table with entries for all joint values of one to three coordinates.

    If one coordinate is a sym coordinate, it must be the first. An entry then holds the distance of
    a whole class of values.
    """

    __slots__ = ()

    #: The number of neighbouring values of the last coordinate that share an entry.
    fold = 1

    def in_graph(self, graph: DistanceGraph) -> ProductTable:
        """Return this table. If distances may be large, return a copy with 8 bits per entry."""
        # Tables with 2 bits per entry have no field `bits`. Their class overrides this method.
        return attrs.evolve(self, bits=8) if graph.large else self  # type: ignore[misc]

    def farthest_in(self, graph: DistanceGraph) -> int | None:
        """Return the largest distance to compute; None if there is no limit."""
        return None

    def check(self, graph: DistanceGraph) -> None:
        if any(each.carried for each in graph.coordinates):
            raise DeclarationError(
                "a pruning table over a SymPairing must be a Thresholds or a Hashed table"
            )
        known = [graph.coordinates[0]] if graph.sym is not None else []
        if any(each.is_reduced and each not in known for each in graph.coordinates):
            raise DeclarationError("a sym coordinate must be the first coordinate of its table")
        if graph.sym is None:
            return
        if not graph.is_undone:
            raise DeclarationError(
                "a pruning table over a sym coordinate needs an inverse move of the same cost for "
                "each move"
            )
        if graph.goal_states:
            raise DeclarationError("a phase with a sym coordinate cannot have goal turns")
        name = graph.coordinates[0].name
        for partner in graph.coordinates[1:]:
            if not is_tabulated(partner, graph.moves) or partner.size > MOST_PARTNER_VALUES:
                raise DeclarationError(
                    f"coordinate {partner.name} shares a pruning table with {name}, so it must "
                    f"be closed under the moves and have at most {MOST_PARTNER_VALUES:,} values"
                )
        if set(graph.costs) - {1, 2}:
            raise DeclarationError(f"pruning tables of {name} need moves that cost 1 or 2")

    def entries_in(self, graph: DistanceGraph) -> int:
        if graph.sym is None:
            return graph.values
        rows = graph.sym.coordinate.classes * prod(each.size for each in graph.coordinates[1:-1])
        return rows * self._stride(graph)

    def seconds_in(self, graph: DistanceGraph) -> float:
        plain, moves = [own for own in graph.coordinates if not own.is_reduced], graph.moves
        each = 1.5e-9 if all(own.closed_under(moves) for own in plain) else 1.5e-8
        each /= (1 if self.fold == 1 else 2.2) * (1 if self.farthest_in(graph) is None else 4)
        entries = self.entries_in(graph)
        tried = self.fold * entries * len(graph.automaton) * len(moves)
        ranked = sum(own.size for own in plain if not is_tabulated(own, moves))
        return 1.5e-8 * entries + each * tried + 1.2e-7 * ranked * len(moves)

    def text(self, graph: DistanceGraph) -> TableText:
        farthest, sym = self.farthest_in(graph), graph.sym
        parts = " ".join(each.identity for each in graph.coordinates)
        if sym is not None:
            parts = f"{sym.identity}: {parts}"
        goals = goals_identity(graph.coordinates, graph.goal_moves, graph.goal_states)
        if graph.edges and graph.goal_places:
            goals += f" at {list(graph.goal_places)}"
        costs = list(graph.edges or graph.costs)
        whole = self.fold == 1 and farthest is None
        kept = f"{self.bits}" if whole else f"{self.bits} {self.fold} {farthest}"
        folded = f" least of {self.fold}" if self.fold > 1 else ""
        return TableText(
            f"distance {graph.metric}{folded}",
            f"pruning {VERSION} {parts} {goals} {costs} {kept} {moves_identity(graph.moves)}",
            f"least cost ({graph.metric}) to the goal for each {'class' if sym else 'value'} of "
            f"{graph.names}",
        )

    def build(self, graph: DistanceGraph, store: TableStore, tell: Tell) -> Entries:
        if (sym := graph.sym) is None:
            from puzzlekit.tables.product_distances import distances

            return pack(distances(graph, store, tell), self.bits)
        from puzzlekit.engine.fill import COMPILED
        from puzzlekit.tables.sym_distances import SymDistances

        partners, farthest = graph.coordinates[1:], self.farthest_in(graph)
        found = SymDistances(store, sym, partners, self.fold, farthest, keep=self.bits > 2)
        found.fill(COMPILED, tell)
        return found.packed(self.bits, self._stride(graph))

    def further_keys(self, graph: DistanceGraph) -> list[TableSpec]:
        """Return the keys of the tables that map other coordinates under the symmetries."""
        sym = graph.sym
        if sym is None:
            return []
        return [sym.images_key(partner, fold) for partner, fold, _ in self._folded(graph)]

    def engine_input(
        self, graph: DistanceGraph, store: TableStore, numbers: tuple[int, ...], data: memoryview
    ) -> TableInput | HashedInput:
        sym = graph.sym
        if sym is None:
            return TableInput(numbers, self.bits, data)
        classes = Classes(store, sym)
        images = [
            ImageInput(classes.images(partner, fold), radix)
            for partner, fold, radix in self._folded(graph)
        ]
        return TableInput(numbers, self.bits, data, images)

    def _stride(self, graph: DistanceGraph) -> int:
        """Return the number of entries in a row of a table over a sym coordinate.

        There is a row for each class. With two partners, there is a row for each class and each
        value of the first partner. A row has an entry for each `fold` neighbouring values of the
        last partner. It is padded to whole bytes.
        """
        if len(graph.coordinates) == 1:
            return 1
        entries, in_byte = -(-graph.coordinates[-1].size // self.fold), 8 // self.bits
        return -(-entries // in_byte) * in_byte

    def _folded(self, graph: DistanceGraph) -> list[tuple[Coordinate, int, int]]:
        """Return (partner, fold, radix of its digit in the index of an entry) for each partner."""
        others = [(partner, 1, partner.size) for partner in graph.coordinates[1:-1]]
        last = graph.coordinates[-1], self.fold, self._stride(graph)
        return [*others, last] if len(graph.coordinates) > 1 else []


@attrs.frozen
class Plain(ProductTable):
    """A pruning table with the distance of each joint value of one to three coordinates.

    In `Phase.tables`, a string of names ("twist slice") stands for a `Plain` table with 4 bits per
    entry. In a metric with steps of unequal cost, such a table has 8 bits per entry.

    >>> Plain("twist slice", bits=8).bits
    8
    """

    #: The names of the coordinates, the most significant first. A sym coordinate must come first.
    coordinates: str
    #: Bits per entry: 4 or 8. With 4 bits, distances above 15 are stored as 15.
    bits: int = 4

    is_exact = True

    def __attrs_post_init__(self) -> None:
        if self.bits not in (4, 8):
            hint = "; use Modulo3 for entries of 2 bits" if self.bits == 2 else ""
            raise self.refused(f"entries must have 4 or 8 bits, not {self.bits}{hint}")


@attrs.frozen
class Modulo3(ProductTable):
    """A pruning table with the distance modulo 3 of each joint value, in 2 bits per entry.

    The table has half the size of a `Plain` table. A search needs true distances. At the start, it
    follows a shortest path to the goal and counts the moves. After each move, the new remainder
    shows whether the distance changed by -1, 0 or 1. So all moves must cost 1. In other metrics the
    phase uses a `Plain` table instead.

    >>> Modulo3("flip-slice twist").bits
    2
    """

    #: The names of the coordinates, the most significant first. A sym coordinate must come first.
    coordinates: str

    bits = 2
    is_exact = True

    def in_graph(self, graph: DistanceGraph) -> ProductTable:
        """Return a `Plain` table if a move costs more than 1 or distances may be large.

        Otherwise return this table.
        """
        if graph.large or max(graph.costs) > 1:
            return Plain(self.coordinates).in_graph(graph)
        return self

    def check(self, graph: DistanceGraph) -> None:
        super().check(graph)
        if graph.is_guarded:
            raise DeclarationError(
                "a pruning table with 2 bits per entry needs moves that are always possible"
            )
        if not graph.is_undone:
            raise DeclarationError(
                "a pruning table with 2 bits per entry needs an inverse move of the same cost for "
                "each move"
            )
        if (sym := graph.sym) is not None and len(graph.coordinates) == 1:
            name = sym.coordinate.name
            raise DeclarationError(
                f"a pruning table over only the sym coordinate {name} cannot have 2 bits per "
                "entry: use a table with 4 or 8 bits"
            )
        for each in graph.coordinates:
            if not each.closed_under(graph.moves):
                raise DeclarationError(
                    f"coordinate {each.name} is not closed under the moves, so its pruning table "
                    "cannot have 2 bits per entry: use a Plain table with 4 or 8 bits"
                )


@attrs.frozen
class Folded(ProductTable):
    """A pruning table with the least distance of several neighbouring values, up to a limit.

    The table is over a sym coordinate and one or two further coordinates. Each `fold` neighbouring
    values of the last coordinate share an entry, which holds the least of their distances. So the
    table has the size of a table over fewer coordinates, but it prunes far more. A limit on the
    distances to compute saves most of the build time.

    >>> Folded("flip-slice twist", fold=9, farthest={"HTM": 8}).bits
    4
    """

    #: The names of the coordinates: first a sym coordinate, then one or two other coordinates.
    coordinates: str
    #: The number of neighbouring values of the last coordinate that share an entry.
    fold: int = 1
    #: The largest distance to compute, by the name of the metric. Each larger distance is stored as
    #: this number plus 1. There is no limit in other metrics, or if the costs of steps are scaled.
    farthest: Mapping[str, int] = attrs.field(factory=dict)
    #: Bits per entry: 4 or 8. With 4 bits, distances above 15 are stored as 15.
    bits: int = 4

    def __attrs_post_init__(self) -> None:
        if self.bits not in (4, 8):
            raise self.refused(f"entries must have 4 or 8 bits, not {self.bits}")
        if self.fold < 1:
            raise self.refused(f"fold must be at least 1, not {self.fold}")
        if any(farthest < 1 for farthest in self.farthest.values()):
            raise self.refused("the largest distance in 'farthest' must be at least 1")

    def farthest_in(self, graph: DistanceGraph) -> int | None:
        return self.farthest.get(graph.metric)

    def check(self, graph: DistanceGraph) -> None:
        super().check(graph)
        if graph.sym is None:
            raise DeclarationError("'fold' and 'farthest' need a table over a sym coordinate")
