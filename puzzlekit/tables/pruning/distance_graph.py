"""The graph whose distances a pruning table holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import invert
from puzzlekit.store.store import TableStore
from puzzlekit.tables.goals import goals_identity
from puzzlekit.tables.move_table import moves_identity
from puzzlekit.tables.pruning.product_graph import ProductGraph

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class DistanceGraph(ProductGraph):
    """The graph of a pruning table: values of some coordinates, and the moves between them.

    A phase in one metric has such a graph for each of its pruning tables.
    """

    @property
    def identity(self) -> str:
        """Text that differs between graphs with different distances."""
        parts = " ".join(each.identity for each in self.coordinates)
        goals = goals_identity(self.coordinates, self.goal_moves, self.goal_states)
        costs = list(self.edges or self.costs)
        places = list(self.goal_places)
        return f"{parts} {goals} {places} {costs} {moves_identity(self.moves)}"

    @property
    def is_reduced(self) -> bool:
        """Whether symmetries reduce some coordinate."""
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
        """Whether some moves have a guard."""
        return self.moves[0].guard_before >= 0

    def check_even(self, kind: str) -> None:
        """Raise DeclarationError unless all moves cost 1, have no guard, and have an inverse.

        `kind` names the kind of table for the message: "a hashed pruning table".
        """
        if set(self.costs) != {1} or self.large or self.is_guarded or not self.is_undone:
            raise DeclarationError(
                f"{kind} needs moves that cost 1, are always possible, and can each be undone by "
                "one of the moves"
            )

    def check_pairings(self) -> None:
        """Raise DeclarationError if a goal move changes the goal of a carried permutation."""
        solved = self.coordinates[0].puzzle.solved
        for each in self.coordinates:
            if each.carried and any(
                each.rank(each.after(solved, move)) for move in self.goal_moves
            ):
                raise DeclarationError(
                    f"coordinate {each.name}: its only goal is the value of the solved state, "
                    "which goal moves must not change"
                )

    def distances(
        self, store: TableStore, tell: Callable[[float], None] = lambda share: None
    ) -> npt.NDArray[np.uint8]:
        """Return the distance of every value of the product of the coordinates.

        The result is flat, the first coordinate most significant; 255 where no goal is reached.
        With an automaton, it is the least distance over the states of the automaton. `tell` is
        called with the share that is done.
        """
        from puzzlekit.tables.pruning.product_distances import distances_by_state

        found = distances_by_state(store, self, tell)
        least: npt.NDArray[np.uint8] = found.min(axis=0) if len(found) > 1 else found[0]
        return least
