"""Move pruning: which moves may follow which, derived from what the moves do.

A pair of moves m n need not be searched when its product is the identity, or equals an allowed move
of no greater cost, or when n m has the same effect and n comes before m in the order of the moves.
So of several sequences with the same effect and cost only one is searched, and none is lost.

Effects are anything that can be compared and multiplied: the core's are pairs of bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

Effect = TypeVar("Effect", bound=Hashable)
Automaton = list[list[tuple[int, int]]]
Pairs = list[list[int]]
MERGES, REORDERED = 1, 2


def pruned_pairs(
    effects: Sequence[Effect],
    costs: Sequence[int],
    product: Callable[[Effect, Effect], Effect],
    identity: Effect,
) -> Pairs:
    """Why the pair m n need not be searched: MERGES, REORDERED, or 0 where it must be.

    MERGES: no move, or one allowed move, does the same at no greater cost.
    """
    cheapest = {identity: 0}
    for effect, cost in zip(effects, costs, strict=True):
        cheapest[effect] = min(cost, cheapest.get(effect, cost))
    products = [[product(one, other) for other in effects] for one in effects]
    pairs = []
    for m, row in enumerate(products):
        reasons = []
        for n, both in enumerate(row):
            if both in cheapest and cheapest[both] <= costs[m] + costs[n]:
                reasons.append(MERGES)
            elif n < m and both == products[n][m]:
                reasons.append(REORDERED)
            else:
                reasons.append(0)
        pairs.append(reasons)
    return pairs


def redundancy_automaton(pairs: Sequence[Sequence[int]]) -> Automaton:
    """For each state the list of (move, next state) that may follow; state 0 is the start.

    Moves whose pairs are pruned alike lead to one state.

    >>> turn = [[1, 1, 1]] * 3   # R R2 R': none may follow another
    >>> redundancy_automaton(turn)
    [[(0, 1), (1, 1), (2, 1)], []]
    """
    states: dict[tuple[int, ...], int] = {(0,) * len(pairs): 0}
    number = [states.setdefault(tuple(reasons), len(states)) for reasons in pairs]
    return [
        [(n, number[n]) for n, reason in enumerate(reasons) if not reason] for reasons in states
    ]


def guarded_automaton(
    effects: Sequence[Effect],
    costs: Sequence[int],
    families: Sequence[Hashable],
    guards: Sequence[tuple[int, int]],
    places: int,
    product: Callable[[Effect, Effect], Effect],
    identity: Effect,
) -> Automaton:
    """The automaton of moves that are possible only where something is at a certain place.

    `guards`: for each move the place before and the one after it, from 0 to `places` - 1;
    `families`: what moves that are the same at different places have in common. The first states
    are the starts, one for each place. As above, m n is left out where no move, or one move, does
    the same from there at no greater cost, or where the moves of these families in the other order
    do, and that of n comes before m.

    >>> from operator import add
    >>> guarded_automaton([1, -1], [1, 1], "RL", [(0, 1), (1, 0)], 2, add, 0)
    [[(0, 2)], [(1, 2)], []]
    """
    possible = [[n for n, (before, _) in enumerate(guards) if before == at] for at in range(places)]
    # What is done by one move, or by two, from each place: the least cost, and by which moves.
    single: dict[tuple[int, Effect], int] = {}
    double: dict[tuple[int, Effect], list[tuple[int, int]]] = {}
    for m, (at, to) in enumerate(guards):
        single[at, effects[m]] = min(costs[m], single.get((at, effects[m]), costs[m]))
        for n in possible[to]:
            key = at, product(effects[m], effects[n])
            double.setdefault(key, []).append((m, n))
    single.update(((at, identity), 0) for at in range(places))

    def searched(m: int, n: int) -> bool:
        key = guards[m][0], product(effects[m], effects[n])
        cost = costs[m] + costs[n]
        if key in single and single[key] <= cost:
            return False
        turned = families[n], families[m]
        return not any(
            p < m and (families[p], families[q]) == turned and costs[p] + costs[q] <= cost
            for p, q in double[key]
        )

    after = [
        tuple(n for n in possible[guards[m][1]] if searched(m, n)) for m in range(len(effects))
    ]
    numbers: dict[tuple[int, ...], int] = {}
    number = [numbers.setdefault(own, places + len(numbers)) for own in after]
    return [[(n, number[n]) for n in own] for own in (*possible, *numbers)]


def commuting_moves(pairs: Sequence[Sequence[int]]) -> bytes:
    """For each move and each other one, 1 if they do the same in either order.

    But for pairs that need not be searched in any order.

    >>> opposite = [[1, 0], [2, 1]]   # D then U is U then D
    >>> list(commuting_moves(opposite))
    [0, 1, 1, 0]
    """
    moves = range(len(pairs))
    return bytes(REORDERED in (pairs[m][n], pairs[n][m]) for m in moves for n in moves)


def seam(
    pairs: Sequence[Sequence[int]], outer: Automaton, inner: Sequence[int], automaton: Automaton
) -> tuple[Automaton, list[int]]:
    """Let the automaton of an inner phase begin where an outer phase ended.

    pairs: those of the outer moves; outer: their automaton; inner: the number of each inner move
    among them; automaton: that of the inner moves. Returns the automaton with the states that are
    needed added, and the inner state for each of the outer ones. Inner moves that would merge with
    the last outer move are left out there: a shorter outer phase with the merged move does as well.
    """
    state_after = dict(automaton[0])
    every = tuple(range(len(inner)))
    starts = {every: 0}
    extended = list(automaton)
    entries = [0] * len(outer)
    for move, state in outer[0]:
        reasons = pairs[move]
        allowed = tuple(n for n in every if reasons[inner[n]] != MERGES)
        if allowed not in starts:
            starts[allowed] = len(extended)
            extended.append([(n, state_after[n]) for n in allowed])
        entries[state] = starts[allowed]
    return extended, entries


def canonical_sequences(
    automaton: Automaton, length: int, costs: Sequence[int] | None = None
) -> list[int]:
    """How many sequences of 0, 1, ..., `length` moves, or of these costs, the automaton allows.

    >>> canonical_sequences([[(0, 1), (1, 1)], [(0, 1)]], 3)
    [1, 2, 2, 2]
    >>> canonical_sequences([[(0, 0)]], 3, costs=[2])
    [1, 0, 1, 0]
    """
    at = [[0] * len(automaton) for _ in range(length + 1)]
    at[0][0] = 1
    for cost, row in enumerate(at):
        for state, many in enumerate(row):
            for move, reached in automaton[state] if many else ():
                total = cost + (1 if costs is None else costs[move])
                if total <= length:
                    at[total][reached] += many
    return [sum(row) for row in at]
