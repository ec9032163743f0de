"""Hashed pruning tables: the least distance of all joint states that share an entry.

A joint state is the values of some coordinates together. There are too many joint states to give
each an entry. The index of an entry is a hash of the joint state, so an entry holds the least of
several distances. It never exceeds the true distance, and it is nearly exact close to the goal,
where states are few. The build identifies states by 64 bits of their hash. Among a few million
states, two agree in all 64 bits about once in a million tables; then one replaces the other.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from puzzlekit.engine.inputs import HashedInput, TableInput
from puzzlekit.errors import DeclarationError
from puzzlekit.store.store import TableStore
from puzzlekit.tables.goals import goals_identity
from puzzlekit.tables.move_table import is_tabulated, moves_identity
from puzzlekit.tables.pruning.distance_graph import DistanceGraph
from puzzlekit.tables.pruning.hash_keys import hash_keys
from puzzlekit.tables.pruning.pruning_table import Entries, PruningTable, TableText, Tell

VERSION = 2  # increase it when the same declaration gives other numbers


@attrs.frozen
class Hashed(PruningTable):
    """The least distance of all joint states with the same hash: 4 bits per entry.

    The table takes any number of coordinates, at most one of them a `SymPairing`. A search looks it
    up last, and only if at most its largest distance is left to go. It does not count for the
    estimate or for a heuristic. A phase has at most one such table.

    >>> Hashed("pairing rl ud fb", entries=16_000_000, farthest={"OBTM": 7}).in_estimate
    False
    """

    #: The names of the coordinates: coordinates with move tables, and at most one pairing.
    coordinates: str
    #: The number of entries, from 256 to 2^30.
    entries: int
    #: The largest distance to compute for each metric, from 1 to 14. Larger distances are stored as
    #: one more. The table cannot be built in other metrics.
    farthest: Mapping[str, int]

    bits = 4
    most_coordinates = 16
    in_estimate = False

    def __attrs_post_init__(self) -> None:
        if not 256 <= self.entries <= 1 << 30:
            raise self.refused(f"a hashed table has 256 to 2^30 entries, not {self.entries}")
        if min(self.farthest.values(), default=1) < 1:
            raise self.refused("the largest distance must be at least 1")
        if max(self.farthest.values(), default=1) > 14:
            raise self.refused("the largest distance of a hashed table must be at most 14")

    def check(self, graph: DistanceGraph) -> None:
        """Raise DeclarationError if the table cannot be built."""
        graph.check_even("a hashed pruning table")
        if len(set(graph.coordinates)) < len(graph.coordinates):
            raise DeclarationError("a hashed pruning table names a coordinate twice")
        if sum(each.carried > 0 for each in graph.coordinates) > 1:
            raise DeclarationError("a hashed pruning table takes at most one pairing")
        for each in graph.coordinates:
            tabulated = not each.is_reduced and is_tabulated(each, graph.moves)
            if not (tabulated or each.carried):
                raise DeclarationError(
                    f"coordinate {each.name} cannot be in a hashed pruning table: it takes "
                    "coordinates with move tables, and one pairing"
                )
        if graph.metric not in self.farthest:
            raise DeclarationError(
                "a hashed pruning table needs a largest distance ('farthest') for the metric "
                f"{graph.metric}"
            )
        graph.check_pairings()

    def entries_in(self, graph: DistanceGraph) -> int:
        """Return the number of entries."""
        return self.entries

    def text(self, graph: DistanceGraph) -> TableText:
        """Return the texts that name and identify the table."""
        farthest = self.farthest[graph.metric]
        parts = " ".join(each.identity for each in graph.coordinates)
        valued = [each for each in graph.coordinates if not each.carried]
        goals = " ".join(state.hex() for state in graph.goal_states)
        goals = goals or goals_identity(valued, graph.goal_moves)
        return TableText(
            f"hashed {graph.metric}",
            f"hashed {VERSION} {parts} {goals} {self.entries} {farthest} "
            f"{moves_identity(graph.moves)}",
            f"least cost ({graph.metric}) to the goal, up to {farthest}, by the hash of "
            f"{graph.names}",
        )

    def build(self, graph: DistanceGraph, store: TableStore, tell: Tell) -> Entries:
        """Return the entries, packed into bytes."""
        from puzzlekit.tables.entries import pack
        from puzzlekit.tables.pruning.hashed_distances import HashedDistances

        distances = HashedDistances(store, graph, self.entries, self.farthest[graph.metric])
        distances.fill()
        return pack(distances.entries, self.bits)

    def engine_input(
        self, graph: DistanceGraph, store: TableStore, numbers: tuple[int, ...], data: memoryview
    ) -> TableInput | HashedInput:
        """Return the input of the engine."""
        keys = hash_keys(store, graph)
        return HashedInput(numbers, data, self.entries, self.farthest[graph.metric] + 1, keys)
