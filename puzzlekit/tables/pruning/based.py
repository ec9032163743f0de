"""Pruning tables of cosets: distances above a base, and below it the least of a line of memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import attrs

from puzzlekit.engine.coset_layout import ENTRIES, LINE
from puzzlekit.engine.inputs import HashedInput, TableInput
from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.store.store import TableStore
from puzzlekit.tables.goals import goals_identity
from puzzlekit.tables.move_table import moves_identity
from puzzlekit.tables.pruning.distance_graph import DistanceGraph
from puzzlekit.tables.pruning.pruning_table import Entries, PruningTable, TableText, Tell

if TYPE_CHECKING:
    from puzzlekit.tables.symmetry.coset_marks import CosetNeeds

VERSION = 1  # count up when the same declaration gives other numbers


@attrs.frozen
class Based(PruningTable):
    """Whether the distance of a coset is the base, 1, 2 or more above it: 2 bits an entry.

    The cosets are those of the subgroup of all states whose pieces, of two orbits, are each at a
    place of their own kind, and not turned. The first orbit is that of a sym coordinate over its
    kinds and turns, under all symmetries of the moves. Where a distance is the base or less, the
    least distance of 254 entries counts, those of one line of 64 bytes. S. Tronto, "H48", in the
    documentation of nissy-core, has such entries.

    `ProveBothSides` searches with it; no other strategy can.

    >>> table = Based("corner-cosets", "edges", ("UB UF DB DF", "UR UL DR DL"), 5, {"HTM": 8})
    >>> table.bits
    2
    """

    #: The name of the sym coordinate. Its parts are a combination, of the pieces of one of two
    #: kinds, and an orientation.
    coordinates: str
    #: The name of the second orbit. Its pieces are turned in up to two ways.
    beside: str
    #: The pieces of the first kind of the second orbit, by the names of their places, and those of
    #: the second kind; the others are of a third one.
    kinds: tuple[str, ...]
    #: Of how many places of the second orbit an entry tells whether their pieces are turned: the
    #: first ones. Each doubles the table. The least distance of all others counts.
    kept: int
    #: By metric, the base: distances are told from here on, up to three more. In a metric that is
    #: missing the table cannot be built.
    base: Mapping[str, int]

    bits = 2
    most_coordinates = 1

    def check(self, graph: DistanceGraph) -> None:
        """Raise a DeclarationError where it cannot be built."""
        graph.check_even("a pruning table of cosets")
        if graph.goal_moves or graph.goal_states:
            raise DeclarationError("a pruning table of cosets knows only the solved state as goal")
        if graph.metric not in self.base:
            raise DeclarationError(
                f"a pruning table of cosets needs to be told its base in {graph.metric}"
            )
        if not 1 <= self.base[graph.metric] <= 12:
            raise DeclarationError("a pruning table of cosets has a base from 1 to 12")
        self.needs(graph).check()

    def needs(self, graph: DistanceGraph) -> CosetNeeds:
        """What its cosets are numbered by."""
        from puzzlekit.tables.symmetry.coset_marks import CosetNeeds

        sym = graph.sym
        if sym is None:
            raise DeclarationError("a pruning table of cosets is over a sym coordinate")
        return CosetNeeds(sym, self.beside, self.kinds, self.kept)

    def entries_in(self, graph: DistanceGraph) -> int:
        """How many entries it has: whole lines, of 256 entries, of which two hold the least."""
        return -(-self.needs(graph).entries // ENTRIES) * LINE * 4

    def text(self, graph: DistanceGraph) -> TableText:
        """How it is named and told apart from other tables."""
        base, needs = self.base[graph.metric], self.needs(graph)
        goals = goals_identity(graph.coordinates, graph.goal_moves)
        orbit = needs.second.orbit
        return TableText(
            f"x {self.beside} {self.kept} above {base} {graph.metric}",
            f"based {VERSION} {base} {needs.sym.identity} {orbit} {needs.second_kinds} {self.kept} "
            f"{goals} {moves_identity(graph.moves)}",
            f"least cost ({graph.metric}) to the goal, from {base} to {base + 3}, for each coset "
            f"of {graph.names} x {self.beside}",
        )

    def build(self, graph: DistanceGraph, store: TableStore, tell: Tell) -> Entries:
        """Its entries, packed into bytes."""
        from puzzlekit.tables.pruning.coset_words import fill_by_words

        return fill_by_words(store, self.needs(graph), self.base[graph.metric], tell)

    def engine_input(
        self, graph: DistanceGraph, store: TableStore, numbers: tuple[int, ...], data: memoryview
    ) -> TableInput | HashedInput:
        """A UsageError: the engine looks it up from both sides only."""
        raise UsageError(
            f"pruning table {self.coordinates}: only the strategy ProveBothSides searches with it, "
            "with the heuristic max; choose another profile"
        )
