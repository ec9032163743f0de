"""Hashed pruning tables: joint states with the same hash share an entry.

A joint state consists of the values of several coordinates. A table with an entry for each joint
state would be too large. So the index of an entry is a hash of the joint state, and an entry holds
the least distance of several joint states. An entry never exceeds the true distance. Close to the
goal there are few joint states, so entries are nearly always exact there.

The build identifies a joint state by a hash of 64 bits. If two joint states have the same hash, the
build drops one of them. With a few million joint states, this happens in about one of a million
tables.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from puzzlekit import DeclarationError, PruningTable, TableStore
from puzzlekit.engine.inputs import HashedInput, TableInput
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.goals import goals_identity
from puzzlekit.tables.move_table import is_tabulated, moves_identity
from puzzlekit.tables.pruning_table import Entries, TableText, Tell, pack
from puzzlekit_cubes.hash_keys import hash_keys

VERSION = 2  # increase it when the same declaration gives other numbers


@attrs.frozen
class Hashed(PruningTable):
    """A pruning table with an entry for all joint states that have the same hash.

    An entry takes 4 bits and holds the least distance of these joint states. The table may be over
    up to 16 coordinates. At most one coordinate may be a `SymPairing`. A phase has at most one
    hashed table.

    If the coordinates are sym coordinates, all must have the same symmetries. Joint states that a
    symmetry maps to each other then share an entry, so a table of the same size reaches farther.

    The distances of the table are not part of the estimate. A search reads the table only if the
    other tables do not prune a node, and if the remaining cost is at most the largest distance of
    the table.

    >>> Hashed("pairing rl ud fb", entries=16_000_000, farthest={"OBTM": 7}).in_estimate
    False
    """

    #: The names of the coordinates. Each coordinate must have a move table, except for a
    #: `SymPairing`. Otherwise all are sym coordinates.
    coordinates: str
    #: The number of entries, from 256 to 2^30.
    entries: int
    #: The largest distance to compute, from 1 to 14, by the name of the metric. Each larger
    #: distance is stored as this number plus 1. The table cannot be built in other metrics.
    farthest: Mapping[str, int]

    bits = 4
    most_coordinates = 16
    in_estimate = False

    def __attrs_post_init__(self) -> None:
        if not 256 <= self.entries <= 1 << 30:
            raise self.refused(f"a hashed table has 256 to 2^30 entries, not {self.entries}")
        if min(self.farthest.values(), default=1) < 1:
            raise self.refused("the largest distance in 'farthest' must be at least 1")
        if max(self.farthest.values(), default=1) > 14:
            raise self.refused("the largest distance in 'farthest' must be at most 14")

    def check(self, graph: DistanceGraph) -> None:
        graph.check_even("a hashed pruning table")
        if len(set(graph.coordinates)) < len(graph.coordinates):
            raise DeclarationError("a hashed pruning table names a coordinate twice")
        if sum(each.carried > 0 for each in graph.coordinates) > 1:
            raise DeclarationError("a hashed pruning table takes at most one SymPairing")
        for each in graph.coordinates:
            if not (any(graph.syms) or each.carried or is_tabulated(each, graph.moves)):
                raise DeclarationError(
                    f"coordinate {each.name} cannot be in a hashed pruning table: each coordinate "
                    "must have a move table or be a SymPairing, or all must be sym coordinates"
                )
        if any(graph.syms) and not all(graph.syms):
            raise DeclarationError(
                "in a hashed pruning table, all coordinates or none must be sym coordinates"
            )
        if graph.goal_states and any(graph.syms):
            raise DeclarationError("a phase with a sym coordinate cannot have goal turns")
        if graph.metric not in self.farthest:
            raise DeclarationError(
                "a hashed pruning table needs a largest distance for the metric "
                f"{graph.metric}: add it to 'farthest'"
            )
        check_carried(graph)

    def entries_in(self, graph: DistanceGraph) -> int:
        return self.entries

    def seconds_in(self, graph: DistanceGraph) -> float:
        return 4e-9 * self.entries * len(graph.moves)  # about one joint state for each entry

    def text(self, graph: DistanceGraph) -> TableText:
        farthest = self.farthest[graph.metric]
        parts = " ".join(each.identity for each in graph.coordinates)
        valued = [each for each in graph.coordinates if not each.carried]
        parts += "".join(f" {sym.identity}" for sym in graph.syms if sym is not None)
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
        from puzzlekit_cubes.hashed_distances import HashedDistances

        distances = HashedDistances(store, graph, self.entries, self.farthest[graph.metric])
        distances.fill(tell)
        return pack(distances.entries, self.bits)

    def engine_input(
        self, graph: DistanceGraph, store: TableStore, numbers: tuple[int, ...], data: memoryview
    ) -> TableInput | HashedInput:
        keys = hash_keys(store, graph)
        return HashedInput(numbers, data, self.entries, self.farthest[graph.metric] + 1, keys)


def check_carried(graph: DistanceGraph) -> None:
    """Raise DeclarationError if a goal move changes the value of a coordinate with one goal."""
    solved = graph.coordinates[0].puzzle.solved
    for each in graph.coordinates:
        if each.carried and any(each.rank(each.after(solved, move)) for move in graph.goal_moves):
            raise DeclarationError(
                f"coordinate {each.name}: the only goal is the value in the solved state, but a "
                "goal move changes this value: choose goal moves that keep this value"
            )
