"""A table of the distances of some corners of a half."""

from __future__ import annotations

from typing import Any

import attrs

from puzzlekit import DeclarationError, Pieces, PruningTable, TableStore
from puzzlekit.coordinates.kinds import rank_places, unrank_places
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.pruning_table import UNREACHED, Entries, TableText, Tell, pack


@attrs.frozen
class HalfTable(PruningTable):
    """The distances of `Pieces` to the solved state: a plain table that is built row by row.

    The corners of a row are at the same places. A move leads to another row, and adds the same
    twists to all its entries.
    """

    coordinates: str
    bits = 4
    most_coordinates = 1

    def check(self, graph: DistanceGraph) -> None:
        """Raise DeclarationError for coordinates of other kinds, goal moves, and other costs."""
        (pieces,) = graph.coordinates
        if type(pieces) is not Pieces or pieces.oriented or graph.goal_moves or graph.goal_states:
            raise DeclarationError("a half table is over Pieces with one goal")
        if {*graph.costs} != {1}:
            raise DeclarationError("the moves of a half table cost 1")

    def entries_in(self, graph: DistanceGraph) -> int:
        """Return the number of values."""
        return graph.values

    def text(self, graph: DistanceGraph) -> TableText:
        """Return the name, the identity and the purpose of the table."""
        (pieces,) = graph.coordinates
        purpose = f"number of moves ({graph.metric}) to the goal for each value of {pieces.name}"
        return TableText(f"half {graph.metric}", f"half 1 {graph.identity}", purpose)

    def build(self, graph: DistanceGraph, store: TableStore, tell: Tell) -> Entries:
        """Return the distances, two in a byte."""
        import numpy as np

        from puzzlekit_minx.engine.halves import fill_rows

        (pieces,) = graph.coordinates
        assert isinstance(pieces, Pieces)
        orbit, start = pieces.orbit, pieces.puzzle.offsets[pieces.orbit_name]
        names = pieces.places.split() or orbit.places
        places = [orbit.place(name) for name in names]
        count, base = len(pieces.pieces.split()), orbit.orientations
        width = base**count
        rows = pieces.size // width
        at = unrank_places(np.arange(rows), len(places), count)
        arrivals = np.empty((rows, len(graph.moves)), dtype=np.int32)
        turns = np.zeros((rows, len(graph.moves)), dtype=np.uint16)
        for number, move in enumerate(graph.moves):
            source = {move.gather[start + to] - start: to for to in places}
            to = np.array([places.index(source[place]) for place in places])
            add = np.array([move.add[start + orbit.size + source[place]] for place in places])
            arrivals[:, number] = rank_places([to[each] for each in at], len(places))
            for each in at:
                turns[:, number] = turns[:, number] * base + add[each]
        distance = np.full(pieces.size, UNREACHED, dtype=np.uint8)
        distance[list(pieces.goals)] = level = 0
        seen = len(pieces.goals)
        sums = _sums(base, count)
        found = seen
        while found:
            back = graph.is_undone and pieces.size - seen < 4 * found
            found = fill_rows(distance, arrivals, turns, sums, level, back)
            level += 1
            seen += found
            tell(seen / pieces.size)
        return pack(distance, 4)


def _sums(base: int, count: int) -> Any:
    """Return the sums of any two numbers of `count` digits, digit by digit modulo `base`."""
    import numpy as np

    numbers = np.arange(base**count)
    total = np.zeros((base**count, base**count), dtype=np.uint16)
    for k in range(count):
        digits = numbers // base**k % base
        total += (np.add.outer(digits, digits) % base * base**k).astype(np.uint16)
    return total
