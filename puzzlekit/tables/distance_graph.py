"""The graph whose distances a pruning table holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import invert
from puzzlekit.tables.goals import goals_identity
from puzzlekit.tables.move_table import moves_identity
from puzzlekit.tables.product_graph import ProductGraph
from puzzlekit.tables.store import TableStore

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class DistanceGraph(ProductGraph):
    """The graph of a pruning table: joint values of its coordinates, and moves between them.

    Each pruning table of a phase has such a graph for each metric.
    """

    @property
    def identity(self) -> str:
        """A string that identifies the distances of the graph, for the keys of tables."""
        parts = " ".join(each.identity for each in self.coordinates)
        goals = goals_identity(self.coordinates, self.goal_moves, self.goal_states)
        costs = list(self.edges or self.costs)
        places = list(self.goal_places)
        return f"{parts} {goals} {places} {costs} {moves_identity(self.moves)}"

    @property
    def is_reduced(self) -> bool:
        """Whether the engine represents the values of some coordinate by their classes."""
        return any(each.is_reduced for each in self.coordinates)

    @property
    def is_undone(self) -> bool:
        """Whether each move has an inverse of the same cost among the moves."""
        priced = list(zip(self.moves, self.costs, strict=True))
        there = {(move.family, move.amount, cost) for move, cost in priced}
        odd = [
            (move, cost)
            for move, cost in priced
            if move.parts or (move.family, move.order - move.amount, cost) not in there
        ]
        if not odd:  # the usual case
            return True
        modulus = self.coordinates[0].puzzle.modulus
        effects = {(move.effect, cost) for move, cost in priced}
        return all((invert(move.effect, modulus), cost) in effects for move, cost in odd)

    @property
    def is_guarded(self) -> bool:
        """Whether the place of a guarding piece determines which moves are possible."""
        return self.moves[0].guard_before >= 0

    def check_even(self, kind: str) -> None:
        """Raise DeclarationError unless each move costs 1, is always possible and has an inverse.

        `kind` is the subject of the message, such as "a hashed pruning table".
        """
        if set(self.costs) != {1} or self.large or self.is_guarded or not self.is_undone:
            raise DeclarationError(
                f"{kind} needs moves that cost 1 and are always possible, and an inverse move for "
                "each move"
            )

    def check_pairings(self) -> None:
        """Raise DeclarationError if a goal move changes the solved value of a `SymPairing`."""
        solved = self.coordinates[0].puzzle.solved
        for each in self.coordinates:
            if each.carried and any(
                each.rank(each.after(solved, move)) for move in self.goal_moves
            ):
                raise DeclarationError(
                    f"coordinate {each.name}: the only goal is the value in the solved state, "
                    "but a goal move changes this value: choose goal moves that keep this "
                    "value"
                )

    def distances(
        self, store: TableStore, tell: Callable[[float], None] = lambda share: None
    ) -> npt.NDArray[np.uint8]:
        """Return the distance of each joint value of the coordinates from the nearest goal.

        The result is a flat array. In an index, the value of the first coordinate is the most
        significant digit. The distance is 255 if the joint value reaches no goal. If the graph has
        an automaton, the distance is the least over the states of the automaton. A long computation
        calls `tell` with its progress, a number from 0 to 1.
        """
        from puzzlekit.tables.product_distances import distances_by_state

        found = distances_by_state(store, self, tell)
        least: npt.NDArray[np.uint8] = found.min(axis=0) if len(found) > 1 else found[0]
        return least
