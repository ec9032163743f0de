"""Beams of states for puzzles most of whose pieces are alike, such as rings of beads.

A state of such a puzzle is near many others, and pieces of one label are brought home by many ways.
So a beam of the states with most pieces at home reaches the goal in few moves, where words that
permute three pieces are long.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import count, product

from puzzlekit import Move, Puzzle
from puzzlekit.engine.statuses import EXHAUSTED, FOUND
from puzzlekit.puzzle.move import compose
from puzzlekit.search.budget import Budget
from puzzlekit_universal.engine.goal_beam import GoalBeam
from puzzlekit_universal.engine.near import NearSearch, NearTable
from puzzlekit_universal.near_search import NearStates

_ALIKE = 8  # pieces of one label are many; a minx has five centers or edges of each colour
_WIDTH = 100  # states of a level of the first beam
_WIDER = 3  # times as many in the next one
_MOST_BYTES = 64 << 20  # of a beam
_FAILED = 6_000_000  # states without any answer, after which no wider beam is tried
_LEVELS = 6  # for each place, at most
_TABLE = 3_000_000  # sequences of moves that fill a new table, at most
_CHECKED = 200_000  # nodes of the search that proves that a state is in the table


def has_many_alike(puzzle: Puzzle) -> bool:
    """Whether most pieces of a puzzle have a label that eight or more pieces have."""
    alike = every = 0
    for orbit in puzzle.orbits:
        for number in Counter(orbit.solved).values():
            every += number
            alike += number if number >= _ALIKE else 0
    return 2 * alike > every


def without_sums(near: NearStates) -> NearStates:
    """Return the states near the goal for the moves that no two others make up at the same cost.

    Where two quarter turns cost as much as a half turn, the beam has quarter turns only.
    """
    cost = dict(zip((move.effect for move in near.moves), near.costs, strict=True))
    modulus = near.puzzle.modulus
    sums = {
        effect
        for one, other in product(cost, repeat=2)
        if cost.get(effect := compose(one, other, modulus), 0) == cost[one] + cost[other]
    }
    kept = [move for move in near.moves if move.effect not in sums]
    if len(kept) == len(near.moves):
        return near
    return NearStates(near.puzzle, kept, [cost[move.effect] for move in kept])


class GoalBeams:
    """Beams from one state, each wider than the one before.

    `work` is the number of states that they and the filling of their table have made.
    """

    def __init__(self, near: NearStates, states: Iterable[bytes]) -> None:
        self._near = near
        self._starts = [near.codes(state) for state in dict.fromkeys(states)]
        self.work = 0

    def answers(self, budget: Budget, longest: int) -> Iterator[list[Move]]:
        """Yield ever shorter answers of a cost of at most `longest`, until the budget is over.

        There may be none: the search ends if beams have no answer in a fifth of the time.
        """
        near, limit, late = self._near, longest + 1, 0.8 * budget.left
        table = self._table(budget)
        if table is None:
            return
        places, failed = len(near.goal), self.work + _FAILED
        each = 8 * _LEVELS * places + 2 * places + 20 * len(near.moves) + 100
        for number in count():
            if limit > longest and (self.work > failed or budget.left < late):
                return
            width = min(_WIDTH * _WIDER**number, max(_WIDTH, _MOST_BYTES // each))
            sizes = width, _LEVELS * places, places
            beam = GoalBeam(near.forward, table, near.goal, self._starts, *sizes, limit, number + 1)
            done = self.work
            while (status := budget.run(beam)) == FOUND:
                self.work = done + beam.work
                for path in self._checked(table, beam):
                    limit = sum(near.costs[move] for move in path)
                    beam.tighten(limit)
                    yield [near.moves[move] for move in path]
                    break
            self.work = done + beam.work
            if status != EXHAUSTED or beam.complete:
                return

    def _table(self, budget: Budget) -> NearTable | None:
        """Return a table of states near the goal; None if there is no time to fill it."""
        if self._near.kept is not None:
            return self._near.kept
        nodes = budget.limits.max_nodes
        most = _TABLE if nodes is None else min(_TABLE, nodes // 10)
        table, search = self._near.filling(self._near.radius(most))
        status = budget.run(search)
        self.work += search.work
        if status != EXHAUSTED:
            return None
        self._near.kept = table
        return table

    def _checked(self, table: NearTable, beam: GoalBeam) -> Iterator[list[int]]:
        """Yield the answers that a beam has found, without states that only seem to be near."""
        for path, codes, cost in beam.found():
            search = NearSearch(self._near.forward, table, self._near.goal)
            search.start(codes, 0, cost)
            if search.run(_CHECKED) == FOUND:
                yield path + search.path
