"""Thresholds tables: each entry stores how many of three distances are reached."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import attrs

from puzzlekit import DeclarationError, PruningTable, TableStore
from puzzlekit.engine.inputs import HashedInput, TableInput
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.goals import goal_flags, goals_identity
from puzzlekit.tables.move_table import is_tabulated
from puzzlekit.tables.pruning_table import Entries, TableText, Tell
from puzzlekit_cubes.hashed import check_carried
from puzzlekit_cubes.sym_pairing import SymPairing

if TYPE_CHECKING:
    from puzzlekit_cubes.pairing_classes import PairingNeeds

VERSION = 1  # increase it when the same declaration gives other numbers


@attrs.frozen
class Thresholds(PruningTable):
    """A pruning table over a `SymPairing`. Each entry takes 2 bits.

    An entry stores how many of three thresholds the distance reaches. A build computes only the
    distances below the last threshold.

    >>> Thresholds("pairing parity", (9, 10, 11)).bits
    2
    """

    #: The name of the `SymPairing`. The name of one more coordinate may follow. This coordinate
    #: must have a move table and at most 256 values.
    coordinates: str
    #: Three increasing distances from 1 to 255.
    thresholds: tuple[int, int, int]

    bits = 2

    def __attrs_post_init__(self) -> None:
        steps = [0, *self.thresholds, 256]
        if len(steps) != 5 or any(one >= other for one, other in pairwise(steps)):
            raise self.refused("name three thresholds from 1 to 255, in increasing order")

    def check(self, graph: DistanceGraph) -> None:
        """Raise DeclarationError if the table cannot be built."""
        graph.check_even("a pruning table with thresholds")
        if not isinstance(graph.coordinates[0], SymPairing) or not all(
            is_tabulated(each, graph.moves) and each.size <= 256 for each in graph.coordinates[1:]
        ):
            raise DeclarationError(
                "a pruning table with thresholds must be over a SymPairing and at most one other "
                "coordinate; the other coordinate needs a move table and at most 256 values"
            )
        check_carried(graph)

    def _needs(self, graph: DistanceGraph) -> PairingNeeds:
        """Return the inputs for the classes of the pairing."""
        from puzzlekit_cubes.pairing_classes import PairingNeeds

        pairing, *partners = graph.coordinates
        assert isinstance(pairing, SymPairing)
        return PairingNeeds(pairing, graph.moves, graph.costs, *partners)

    def entries_in(self, graph: DistanceGraph) -> int:
        """Return the number of entries."""
        needs = self._needs(graph)
        return needs.coordinate.values * (1 if needs.partner is None else needs.partner.size)

    def seconds_in(self, graph: DistanceGraph) -> float:
        """Return about how many seconds the build takes."""
        return 2e-9 * self.entries_in(graph) * len(graph.moves)

    def text(self, graph: DistanceGraph) -> TableText:
        """Return the texts that name and identify the table."""
        goals = goals_identity(graph.coordinates[1:], graph.goal_moves, graph.goal_states)
        return TableText(
            f"thresholds {graph.metric}",
            f"thresholds {VERSION} {self._needs(graph).identity} {list(self.thresholds)} {goals}",
            f"which of the distances {', '.join(map(str, self.thresholds))} the least cost "
            f"({graph.metric}) to the goal reaches for each value of {graph.names}",
        )

    def build(self, graph: DistanceGraph, store: TableStore, tell: Tell) -> Entries:
        """Return the entries, packed into bytes."""
        from puzzlekit.engine.fill import COMPILED
        from puzzlekit.tables.pruning_table import pack_codes
        from puzzlekit_cubes.pairing_distances import PairingDistances

        pairing, at_goal = self._needs(graph), [0]
        if pairing.partner is not None:
            flags = goal_flags(store, pairing.partner, graph.goal_moves, graph.goal_states)
            at_goal = flags.nonzero()[0].tolist()
        near = PairingDistances(store, pairing, self.thresholds, at_goal)
        near.fill(COMPILED, tell)
        return pack_codes(near.entries, self.bits)

    def engine_input(
        self, graph: DistanceGraph, store: TableStore, numbers: tuple[int, ...], data: memoryview
    ) -> TableInput | HashedInput:
        """Return the input of the engine, with a lower bound for each of the four codes."""
        return TableInput(numbers, self.bits, data, bounds=(0, *self.thresholds))
