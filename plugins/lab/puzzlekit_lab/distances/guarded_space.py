"""State spaces of puzzles with a guard, such as sliding tiles."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from puzzlekit import Move, UsageError
from puzzlekit.search.resolved import ResolvedPhase
from puzzlekit.tables.pruning_table import UNREACHED
from puzzlekit_lab.distances.state_space import StateSpace, fill_rows

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from puzzlekit.engine.automaton import Edge
    from puzzlekit_lab.distances.state_space import Entries


class GuardedSpace(StateSpace):
    """A space for puzzles in which the place of a guarding piece determines the possible moves.

    The space stores one distance for each entry and each place of the guarding piece, such as the
    blank of a sliding puzzle. The distance of an entry is the least of them. The inverse of each
    move must be among the moves, so that exactly the reachable states are solvable. Otherwise
    UsageError is raised.
    """

    def _edges(self, needs: ResolvedPhase) -> tuple[Sequence[Sequence[Edge]], int]:
        """Return the moves from each place with the place after each, and the solved place."""
        self.remembers = False
        for move in self.moves:
            if self.puzzle.inverse(move) not in self.moves:
                raise UsageError(
                    f"the inverse of {move.name} is not among the moves: add the inverse move "
                    "to count states"
                )
        edges = [
            [
                (number, move.guard_after, cost)
                for number, (move, cost) in enumerate(zip(self.moves, self.costs, strict=True))
                if move.guard_before == place
            ]
            for place in range(len(needs.places))
        ]
        return edges, self.puzzle.place_of_guard(self.puzzle.solved)

    def _measure(
        self, needs: ResolvedPhase, edges: Sequence[Sequence[Edge]], start: int, goals: Entries
    ) -> None:
        import numpy as np

        self._steps = edges
        self._rows = np.full((len(edges), len(self)), UNREACHED, np.uint8)
        self._rows[start, self.root] = 0
        fill_rows(self.graphs, edges, self._rows)
        self.home = self.distance = self._rows.min(axis=0)
        places = np.array(needs.goal_places)
        if places.tolist() == [start] and goals.tolist() == [self.root]:
            return
        rows = np.full_like(self._rows, UNREACHED)
        at_goal = np.ix_(places, goals)
        rows[at_goal] = np.where(self._rows[at_goal] < UNREACHED, 0, UNREACHED)
        fill_rows(self.graphs, edges, rows)
        self.distance = rows.min(axis=0)

    def allowed(self, move: int) -> npt.NDArray[np.bool_]:
        """Return for each entry whether a move is possible at some place of the guarding piece."""
        found: npt.NDArray[np.bool_] = self._rows[self.moves[move].guard_before] < UNREACHED
        return found

    @cached_property
    def located(self) -> bool:
        """Whether every entry determines the place of the guarding piece."""
        return not ((self._rows < UNREACHED).sum(axis=0, dtype="u1") > 1).any()

    def way(self, entry: int) -> tuple[Move, ...]:
        """Return moves that lead from the solved state to the state of an entry."""
        place = int(self._rows[:, entry].argmin())
        done: list[Move] = []
        while left := int(self._rows[place, entry]):
            values = self.split(entry)
            for number, to, cost in self._steps[place]:
                near = int(self.after(values, number))
                if int(self._rows[to, near]) == left - cost:
                    break
            entry, place = near, to
            done.append(self.moves[number])
        return self.puzzle.undo(done)
