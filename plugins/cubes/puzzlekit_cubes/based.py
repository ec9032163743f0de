"""Based pruning tables: by how much the distance of each coset exceeds a base."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import attrs

from puzzlekit import DeclarationError, PruningTable, TableStore, UsageError
from puzzlekit.engine.inputs import HashedInput, TableInput
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.goals import goals_identity
from puzzlekit.tables.move_table import moves_identity
from puzzlekit.tables.pruning_table import Entries, TableText, Tell
from puzzlekit_cubes.engine.coset_layout import ENTRIES, LINE

if TYPE_CHECKING:
    from puzzlekit_cubes.coset_marks import CosetNeeds

VERSION = 2  # increase it when the same declaration gives other numbers


@attrs.frozen
class Based(PruningTable):
    """A pruning table over cosets. It stores by how much each distance exceeds a number, the base.

    An entry takes 2 bits and has one of four meanings: the distance is at most the base, or it
    exceeds the base by 1, by 2, or by at least 3. In the first case, the search uses another lower
    bound: the least distance of the 254 entries in the same line of 64 bytes. Each line stores this
    least distance.

    The table divides the pieces of two orbits into kinds. Consider all states in which each piece
    of the two orbits is at a place of its own kind and has orientation 0. These states form a
    subgroup, and the table has entries for its cosets. A sym coordinate for the first orbit reduces
    the cosets by all symmetries of the moves. Only the strategy `ProveBothSides` can use the table.

    The format is from S. Tronto, "H48", in the documentation of nissy-core.

    >>> table = Based("corner-cosets", "edges", ("UB UF DB DF", "UR UL DR DL"), 5, {"HTM": 8})
    >>> table.bits
    2
    """

    #: The name of the sym coordinate for the first orbit. It has two parts: a `Combination` and an
    #: `Orientation`. The combination names the pieces of one of two kinds.
    coordinates: str
    #: The name of the second orbit. Its pieces have one or two orientations.
    beside: str
    #: Two strings with the pieces of the first kind and of the second kind in the second orbit, by
    #: the names of their homes. All other pieces of the orbit are of a third kind.
    kinds: tuple[str, ...]
    #: A number n: the table distinguishes the orientations at the first n places of the second
    #: orbit. Each of these places doubles the size of the table. An entry holds the least distance
    #: over all orientations at the other places.
    kept: int
    #: The base, by the name of the metric. The table cannot be built in a metric without a base.
    base: Mapping[str, int]

    bits = 2
    most_coordinates = 1
    reads_more = True

    def check(self, graph: DistanceGraph) -> None:
        """Raise DeclarationError if the table cannot be built."""
        graph.check_even("a pruning table of cosets")
        if graph.goal_moves or graph.goal_states:
            raise DeclarationError(
                "a pruning table of cosets stores distances from the solved state only, but the "
                "phase has several goals: use another kind of table"
            )
        if graph.metric not in self.base:
            raise DeclarationError(
                f"a pruning table of cosets needs a base for the metric {graph.metric}: add it to "
                "'base'"
            )
        if not 1 <= self.base[graph.metric] <= 12:
            raise DeclarationError("the base of a pruning table of cosets must be from 1 to 12")
        self.needs(graph).check()

    def needs(self, graph: DistanceGraph) -> CosetNeeds:
        """Return the inputs for numbering the cosets."""
        from puzzlekit_cubes.coset_marks import CosetNeeds

        sym = graph.sym
        if sym is None:
            raise DeclarationError("a pruning table of cosets must be over a sym coordinate")
        return CosetNeeds(sym, self.beside, self.kinds, self.kept)

    def entries_in(self, graph: DistanceGraph) -> int:
        """Return the number of entries: 256 for each line.

        In each line, two of the 256 entries store the least distance.
        """
        return -(-self.needs(graph).entries // ENTRIES) * LINE * 4

    def text(self, graph: DistanceGraph) -> TableText:
        """Return the texts that name and identify the table."""
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
        """Return the entries, packed into bytes."""
        from puzzlekit_cubes.coset_words import fill_by_words

        return fill_by_words(store, self.needs(graph), self.base[graph.metric], tell)

    def engine_input(
        self, graph: DistanceGraph, store: TableStore, numbers: tuple[int, ...], data: memoryview
    ) -> TableInput | HashedInput:
        """Raise UsageError: only searches from both sides can use the table."""
        raise UsageError(
            f"pruning table {self.coordinates}: only the strategy ProveBothSides can use it, and "
            "only with the heuristic max; choose another profile"
        )
