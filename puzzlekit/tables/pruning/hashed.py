"""Hashed pruning tables: the least distance of all joint states that share an entry.

A joint state is the values of some coordinates together. There are too many joint states to give
each an entry. The number of an entry is a hash of the joint state, so an entry holds the least of
several distances: never more than the true one, and nearly exact close to the goal, where states
are few. States are told apart by 64 bits of their hash. Two of a few million states agree in all 64
bits about once in a million tables; then one is taken for the other.
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

VERSION = 2  # count up when the same declaration gives other numbers


@attrs.frozen
class Hashed(PruningTable):
    """The least distance of all joint states with the same hash: 4 bits an entry.

    It takes any number of coordinates, among them a `SymPairing`. The search looks it up last, and
    only where no more than its largest distance is left to go. It counts neither for the estimate
    nor for a heuristic. A phase has one at most.

    >>> Hashed("pairing rl ud fb", entries=16_000_000, farthest={"OBTM": 7}).in_estimate
    False
    """

    #: The names of the coordinates: those that have move tables, and a pairing.
    coordinates: str
    #: How many entries it has, from 256 to 2^30.
    entries: int
    #: By metric, the largest distance that is worked out, up to 14; larger ones are stored as one
    #: more. In a metric that is missing the table cannot be built.
    farthest: Mapping[str, int]

    bits = 4
    most_coordinates = 16
    in_estimate = False

    def __attrs_post_init__(self) -> None:
        if not 256 <= self.entries <= 1 << 30:
            raise self.refused(f"a hashed one has 256 to 2^30 entries, not {self.entries}")
        if min(self.farthest.values(), default=1) < 1:
            raise self.refused("distances are worked out up to 1 at least")
        if max(self.farthest.values(), default=1) > 14:
            raise self.refused("a hashed one tells distances up to 14")

    def check(self, graph: DistanceGraph) -> None:
        """Raise a DeclarationError where it cannot be built."""
        graph.check_even("a hashed pruning table")
        if len(set(graph.coordinates)) < len(graph.coordinates):
            raise DeclarationError("a hashed pruning table names a coordinate twice")
        if sum(each.carried > 0 for each in graph.coordinates) > 1:
            raise DeclarationError("a hashed pruning table is over one pairing at most")
        for each in graph.coordinates:
            tabulated = not each.is_reduced and is_tabulated(each, graph.moves)
            if not (tabulated or each.carried):
                raise DeclarationError(
                    f"coordinate {each.name} cannot be in a hashed pruning table: it takes those "
                    "that have move tables, and a pairing"
                )
        if graph.metric not in self.farthest:
            raise DeclarationError(
                f"a hashed pruning table needs to be told how far it goes in {graph.metric}"
            )
        graph.check_pairings()

    def entries_in(self, graph: DistanceGraph) -> int:
        """How many entries it has."""
        return self.entries

    def text(self, graph: DistanceGraph) -> TableText:
        """How it is named and told apart from other tables."""
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
        """Its entries, packed into bytes."""
        from puzzlekit.tables.entries import pack
        from puzzlekit.tables.pruning.hashed_distances import HashedDistances

        distances = HashedDistances(store, graph, self.entries, self.farthest[graph.metric])
        distances.fill()
        return pack(distances.entries, self.bits)

    def engine_input(
        self, graph: DistanceGraph, store: TableStore, numbers: tuple[int, ...], data: memoryview
    ) -> TableInput | HashedInput:
        """How the engine looks it up."""
        keys = hash_keys(store, graph)
        return HashedInput(numbers, data, self.entries, self.farthest[graph.metric] + 1, keys)
