"""Choose subsets of the moves, each part of the one before, for a method of several phases.

The moves of each subset generate a subgroup. A phase brings a state into the subgroup of the next
subset. The last phase solves the puzzle. M. B. Thistlethwaite solved the 3x3x3 in this way (1981),
and H. Kociemba with two phases (1992). Here an order is searched for in which moves are given up,
and then the best places in this order to end a phase.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, log
from random import Random

from puzzlekit import Puzzle
from puzzlekit_definitions.deriving.subgroup import Subgroup

_EXCESS = 1000.0  # moves that a chain costs more for each unit above `most`, so it is not used
_BRANCHING = 0.75  # of the moves continue a sequence without turning back
_LEAST_BRANCHING = 1.5
_A_PHASE = 1.0  # moves that a phase loses, because it ends before the next one begins
_STALE = 150  # changes of an order without gain before the search starts again
_TWICE = 0.3  # the fraction of changes that move two items of the order
_SAME = 1e-9

#: For each family the step of its amounts: 1 for all moves, 2 for every second one, 0 for none.
Steps = tuple[int, ...]


class SubgroupChain:
    """Searches for a chain of subsets of the moves that promises short answers.

    `most` is the number of states that a phase may distinguish. With fewer states, there are more
    phases. Their answers are longer and found sooner.

    >>> import puzzlekit
    >>> chain = SubgroupChain(puzzlekit.load("cube3").puzzle, "U D R L F B")
    >>> [len(each.split()) for each in chain.search(Random(1), 300)]
    [6, 6]
    """

    def __init__(self, puzzle: Puzzle, families: str, most: float = 1e13) -> None:
        self._puzzle = puzzle
        self._most = log(most)
        self._families = families.split()
        self._amounts = [len(puzzle.family_moves([each])) + 1 for each in self._families]
        self._known: dict[Steps, Subgroup] = {}

    def search(
        self, rng: Random, changes: int, tell: Callable[[float], None] = lambda share: None
    ) -> list[str]:
        """Return the moves of each phase, all moves first; no phases if no chain is found.

        The search tries `changes` orders of giving up moves. It calls `tell` with the share of them
        that it has tried.
        """
        every = changes
        each = [
            i
            for i, amount in enumerate(self._amounts)
            for _ in range(1 + (amount % 2 == 0 and amount > 2))
        ]
        best: tuple[float, list[Steps]] = inf, []
        while changes > 0:
            order = rng.sample(each, len(each))
            cost, stops = self._divided(order, inf)
            stale = 0
            while stale < _STALE and changes > 0:
                changes -= 1
                tell(1 - changes / every)
                changed = order[:]
                for _ in range(1 + (rng.random() < _TWICE)):
                    item = changed.pop(rng.randrange(len(changed)))
                    changed.insert(rng.randrange(len(changed) + 1), item)
                found, own = self._divided(changed, cost)
                stale = 0 if found < cost - _SAME else stale + 1
                if found <= cost:
                    cost, stops, order = found, own, changed
            best = min(best, (cost, stops))
        return [self._named(steps) for steps in best[1]] if best[0] < _EXCESS else []

    def _divided(self, order: Sequence[int], most: float) -> tuple[float, list[Steps]]:
        """Return the expected number of moves for an order, and the subsets that begin a phase.

        If the number exceeds `most`, it may be too small.
        """
        steps = [1] * len(self._families)
        subsets = [tuple(steps)]
        for i in order:
            steps[i] = 2 if steps[i] == 1 and order.count(i) == 2 else 0
            subsets.append(tuple(steps))
        groups = [self._subgroup(each) for each in subsets]
        closed = {0}  # subsets that must not end a phase
        while True:
            cost, starts = _cheapest(groups, closed, self._most)
            bad = [i for i in starts[1:] if not groups[i].is_described] if cost <= most else []
            if not bad:
                return cost, [subsets[i] for i in starts]
            closed.update(bad)

    def _named(self, steps: Steps) -> str:
        """Return the moves of a subset as a phase names them."""
        names = []
        for family, step, amounts in zip(self._families, steps, self._amounts, strict=True):
            if step == 1:
                names.append(family)
            elif step:
                names += [f"{family}{amount}" for amount in range(step, amounts, step)]
        return " ".join(names)

    def _subgroup(self, steps: Steps) -> Subgroup:
        if steps not in self._known:
            generators = []
            count = 0
            for family, step, amounts in zip(self._families, steps, self._amounts, strict=True):
                if step:
                    moves = self._puzzle.family_moves([family])
                    generators.append(next(move for move in moves if move.amount == step))
                    count += (amounts - 1) // step
            self._known[steps] = Subgroup(self._puzzle, generators, count)
        return self._known[steps]


def _cheapest(groups: Sequence[Subgroup], closed: set[int], most: float) -> tuple[float, list[int]]:
    """Return the least expected number of moves, and the numbers of the groups that begin phases.

    Each group contains the next one. No phase ends at a group in `closed`. `most` is the logarithm
    of the number of states that a phase may distinguish.
    """
    costs = [0.0] + [inf] * (len(groups) - 1)
    before = [0] * len(groups)
    for end in range(1, len(groups)):
        if end in closed:
            continue
        for start in reversed(range(end)):
            states = groups[start].states - groups[end].states
            branching = max(_LEAST_BRANCHING, _BRANCHING * groups[start].moves)
            cost = costs[start] + states / log(branching) + _A_PHASE * (states > _SAME)
            cost += _EXCESS * max(0.0, states - most)
            if cost < costs[end]:
                costs[end], before[end] = cost, start
    if costs[-1] == inf:
        return inf, []
    starts = []
    end = len(groups) - 1
    while end:
        start = before[end]
        if groups[start].states - groups[end].states > _SAME:
            starts.append(start)
        end = start
    return costs[-1], starts[::-1]
