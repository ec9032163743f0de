"""How the number of sequences of moves grows with their cost: the branching factor of a search."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from puzzlekit.engine.automaton import Automaton

_COSTS = 24  # after so many the ratio has settled


def growth_of(automaton: Automaton, costs: Sequence[int]) -> float:
    """How many times as many sequences there are at each cost as at the one before.

    Counted are those that the automaton allows from its first state. `costs` are by move.

    >>> round(growth_of([[(0, 0), (1, 0)]], [1, 1]), 2)  # two moves, which may always follow
    2.0
    """
    edges = [[(costs[move], after) for move, after in own] for own in automaton]
    counts = [[0] * len(automaton) for _ in range(_COSTS + max(costs, default=1) + 1)]
    counts[0][0] = 1
    for cost in range(_COSTS):
        for state, count in enumerate(counts[cost]):
            for spent, after in edges[state] if count else ():
                counts[cost + spent][after] += count
    totals = list(accumulate(map(sum, counts)))
    half = _COSTS // 2
    return float((totals[_COSTS] / totals[half]) ** (1 / (_COSTS - half)))
