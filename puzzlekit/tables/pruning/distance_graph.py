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
    """Values of some coordinates and the moves between them: what a pruning table is made from.

    A phase in one metric has such a graph for each of its pruning tables.
    """

    @property
    def identity(self) -> str:
        """Text that differs wherever the distances do."""
        parts = " ".join(each.identity for each in self.coordinates)
        goals = goals_identity(self.coordinates, self.goal_moves, self.goal_states)
        costs = list(self.edges or self.costs)
        places = list(self.goal_places)
        return f"{parts} {goals} {places} {costs} {moves_identity(self.moves)}"

    @property
    def is_reduced(self) -> bool:
        """Whether some coordinate is reduced by symmetries."""
        return any(each.is_reduced for each in self.coordinates)

    @property
    def is_undone(self) -> bool:
        """Whether each move is undone by one of them that costs the same."""
        priced = list(zip(self.moves, self.costs, strict=True))
        there = {(move.family, move.amount, cost) for move, cost in priced}
        odd = [
            (move, cost)
            for move, cost in priced
            if move.parts or (move.family, move.order - move.amount, cost) not in there
        ]
        if not odd:  # as nearly always
            return True
        modulus = self.coordinates[0].puzzle.modulus
        effects = {(move.effect, cost) for move, cost in priced}
        return all((invert(move.effect, modulus), cost) in effects for move, cost in odd)

    @property
    def is_guarded(self) -> bool:
        """Whether moves are not always possible."""
        return self.moves[0].guard_before >= 0

    def check_even(self, kind: str) -> None:
        """Raise a DeclarationError unless moves cost 1, are always possible, and are undone.

        `kind` is the kind of table that asks for it: "a hashed pruning table".
        """
        if set(self.costs) != {1} or self.large or self.is_guarded or not self.is_undone:
            raise DeclarationError(
                f"{kind} is for moves that cost 1, are always possible, and are each undone by one "
                "of them"
            )

    def check_pairings(self) -> None:
        """Raise a DeclarationError unless the goal moves keep the goal of what is carried along."""
        solved = self.coordinates[0].puzzle.solved
        for each in self.coordinates:
            if each.carried and any(
                each.rank(each.after(solved, move)) for move in self.goal_moves
            ):
                raise DeclarationError(
                    f"coordinate {each.name}: its only goal is that of the solved state, which "
                    "the goal moves have to keep"
                )

    def distances(
        self, store: TableStore, tell: Callable[[float], None] = lambda share: None
    ) -> npt.NDArray[np.uint8]:
        """The distance of every value of the product of the coordinates.

        Flat, the first coordinate most significant; 255 where no goal is reached. With an automaton
        it is the least distance over its states. `tell` gets the share that is done.
        """
        from puzzlekit.tables.pruning.product_distances import distances_by_state

        found = distances_by_state(store, self, tell)
        least: npt.NDArray[np.uint8] = found.min(axis=0) if len(found) > 1 else found[0]
        return least
