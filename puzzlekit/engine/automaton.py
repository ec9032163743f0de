"""Move pruning: which moves a search may make after a given move.

A search can skip a pair of moves m n in three cases:

- The effect of m n is the identity, or an allowed move has this effect and costs no more.
- The pair n m has the same effect, and n comes before m in the order of the moves.
- Another pair has the same effect, costs no more, and comes before m n in the order of the pairs.
  If only quarter turns are allowed, U U comes before U' U'.

So the search tries only one of several sequences with the same effect and cost.

Effects can be any objects that can be compared and multiplied. The core uses pairs of bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

__all__ = ["canonical_sequences", "redundancy_automaton"]

Effect = TypeVar("Effect", bound=Hashable)
Automaton = list[list[tuple[int, int]]]
Pairs = list[list[int]]
MERGES, REORDERED, REPLACED = 1, 2, 3


def pruned_pairs(
    effects: Sequence[Effect],
    costs: Sequence[int],
    product: Callable[[Effect, Effect], Effect],
    identity: Effect,
) -> Pairs:
    """Return for each pair m n why a search can skip it, or 0 if the search must try it.

    - MERGES: the identity or one allowed move has the same effect and costs no more.
    - REORDERED: n m has the same effect, and n comes before m in the order of the moves.
    - REPLACED: another pair has the same effect, costs no more, and comes before m n.
    """
    cheapest = {identity: 0}
    for effect, cost in zip(effects, costs, strict=True):
        cheapest[effect] = min(cost, cheapest.get(effect, cost))
    products = [[product(one, other) for other in effects] for one in effects]
    earlier: dict[Effect, int] = {}  # the least cost of the pairs so far
    pairs = []
    for m, row in enumerate(products):
        reasons = []
        for n, both in enumerate(row):
            cost = costs[m] + costs[n]
            if both in cheapest and cheapest[both] <= cost:
                reasons.append(MERGES)
            elif n < m and both == products[n][m]:
                reasons.append(REORDERED)
            elif earlier.get(both, cost + 1) <= cost:
                reasons.append(REPLACED)
            else:
                reasons.append(0)
            earlier[both] = min(cost, earlier.get(both, cost))
        pairs.append(reasons)
    return pairs


def redundancy_automaton(pairs: Sequence[Sequence[int]]) -> Automaton:
    """Return the automaton of canonical sequences: a list of pairs (move, next state) per state.

    A sequence is canonical if no pair of neighbouring moves in it is pruned. State 0 is the initial
    state. `pairs` is the result of `pruned_pairs`. Two moves lead to the same state if the same
    moves may follow them.

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
    """Return the automaton of canonical sequences for moves that are not always possible.

    Each move is possible only if a guarding piece, such as the blank of a sliding puzzle, is at a
    certain place. The move brings it to another place.

    - `effects`, `costs`: the effect and the cost of each move.
    - `families`: the family of each move. Moves of one family are the same move for different
      places of the guarding piece.
    - `guards`: for each move a pair: the place of the guarding piece before the move, and its place
      after the move.
    - `places`: the number of places of the guarding piece.
    - `product`, `identity`: the composition of effects, and its identity.

    The first states of the automaton are initial states. State p is the initial state if the
    guarding piece is at place p.

    The automaton omits a pair of moves m n if the identity or one move has the same effect from the
    same place, at no greater cost. It also omits m n if a pair n' m' has the same effect at no
    greater cost, n' comes before m, and the families of n' and m' are those of n and m.

    >>> from operator import add
    >>> guarded_automaton([1, -1], [1, 1], "RL", [(0, 1), (1, 0)], 2, add, 0)
    [[(0, 2)], [(1, 2)], []]
    """
    possible = [[n for n, (before, _) in enumerate(guards) if before == at] for at in range(places)]
    # For each place and effect: the least cost of one move, and the pairs of moves.
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
    """Return a byte for each pair of moves: 1 if the moves commute, else 0.

    The byte is also 0 if a search can skip both orders of the pair.

    >>> opposite = [[1, 0], [2, 1]]   # D then U is U then D
    >>> list(commuting_moves(opposite))
    [0, 1, 1, 0]
    """
    moves = range(len(pairs))
    return bytes(REORDERED in (pairs[m][n], pairs[n][m]) for m in moves for n in moves)


def seam(
    pairs: Sequence[Sequence[int]], outer: Automaton, inner: Sequence[int], automaton: Automaton
) -> tuple[Automaton, list[int]]:
    """Connect the automaton of an inner phase to the end of an outer phase.

    The inner phase follows the outer phase. It uses some of the moves of the outer phase.

    - `pairs`: the pruned pairs of the moves of the outer phase (see `pruned_pairs`).
    - `outer`: the automaton of the outer phase.
    - `inner`: for each move of the inner phase, its index among the moves of the outer phase.
    - `automaton`: the automaton of the inner phase.

    Returns a tuple (new automaton, starts). The new automaton is that of the inner phase with
    additional initial states. They omit each move that would merge with the last move of the outer
    phase. This loses no solution: the outer phase also has a shorter answer, which ends with the
    merged move. `starts` has for each state of the outer automaton the state in which the inner
    phase then begins.
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
    """Return the number of allowed sequences of cost 0, 1, ..., `length`.

    `costs` has the cost of each move. By default each move costs 1.

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
