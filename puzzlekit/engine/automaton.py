"""Move pruning: which moves a search may make after a given move.

A search can skip a pair of moves m n in three cases:

- The effect of m n is the identity, or an allowed move has this effect and costs no more.
- The pair n m has the same effect, and n comes before m in the order of the moves.
- Another pair has the same effect, costs no more, and comes before m n in the order of the pairs.
  If only quarter turns are allowed, U U comes before U' U'.

So the search tries only one of several sequences with the same effect and cost. Effects can be any
objects that can be compared and multiplied. The core uses pairs of bytes.

In a metric with memory, the possible moves and their costs depend on earlier moves. A state of its
automaton lists edges (move, state reached, cost). Several edges may make the same move, and a
sequence may end in any state. `reduced` makes such an automaton small, and `pruned` then removes
pairs of moves as above.

Pruning by effects of moves: L. A. Taylor and R. E. Korf, "Pruning duplicate nodes in depth-first
search" (1993). Merging states of an automaton: J. Hopcroft (1971); by simulation, R. Milner.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from heapq import heappop, heappush
from itertools import product as pairs_of
from typing import NamedTuple, TypeVar

__all__ = [
    "MERGES",
    "NOTHING",
    "REORDERED",
    "REPLACED",
    "Automaton",
    "Edge",
    "Pairs",
    "canonical_sequences",
    "pruned_pairs",
    "reduced",
    "redundancy_automaton",
]


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


Edge = tuple[int, int, int]  # the number of the move, the state reached, the cost
NOTHING = -1  # instead of a move: the edge only leads to another state, such as a new grip


class Pruned(NamedTuple):
    """An automaton for the engine, in which the cost of a move depends on the state.

    A state may have several edges with the same move. The engine needs a different number for each
    of them. With n moves, edge number k (from 0) with move m has the number k * n + m.
    """

    automaton: Automaton
    #: The cost of each move number in each state; 0 if it may not follow.
    costs: list[list[int]]
    #: The largest number of edges with the same move in a state.
    times: int
    #: The initial state for each start.
    entries: list[int]
    #: For each state the corresponding state before pruning.
    source: list[int]
    #: False if edges were left out because the engine has too few numbers.
    complete: bool


def reduced(edges: Sequence[Sequence[Edge]]) -> tuple[list[list[Edge]], list[int]]:
    """Return an equivalent automaton with fewer states and edges.

    The second result has, for each state of `edges`, its state in the new automaton. The function
    merges states that allow the same sequences at the same costs. It drops an edge if another edge
    with the same move is at least as good: it costs no more, and its target allows at least the
    same sequences at no higher cost. Edges whose move is NOTHING are joined with the edges that
    follow.

    >>> reduced([[(0, 1, 2)], [(0, 0, 2)]])
    ([[(0, 0, 2)]], [0, 0])
    >>> reduced([[(NOTHING, 1, 3)], [(0, 0, 1)]])
    ([[(0, 0, 4)], [(0, 0, 1)]], [0, 1])
    """
    current, state_of = _merged(edges)
    current = [_doing(state, current) for state in range(len(current))]
    while True:
        current, again = _merged(current)
        state_of = [again[state] for state in state_of]
        better = at_least_as_good(current)
        kept = [_undominated(state, better) for state in current]
        if kept == current:
            return current, state_of
        current = kept


def _merged(edges: Sequence[Sequence[Edge]]) -> tuple[list[list[Edge]], list[int]]:
    """Merge equivalent states. Return the automaton and the new state of each old one."""
    classes = _alike(edges)
    found: dict[int, list[Edge]] = {}
    for state, number in enumerate(classes):
        if number not in found:
            found[number] = sorted({(m, classes[to], cost) for m, to, cost in edges[state]})
    return [found[number] for number in range(len(found))], classes


def _doing(start: int, edges: Sequence[Sequence[Edge]]) -> list[Edge]:
    """Return the edges with a move from a state, the cheapest for each move and target."""
    found: dict[tuple[int, int], int] = {}
    queue = [(0, start)]
    done = set()
    while queue:
        spent, here = heappop(queue)
        if here in done:
            continue
        done.add(here)
        for move, to, cost in edges[here]:
            if move == NOTHING:
                heappush(queue, (spent + cost, to))
            else:
                found[move, to] = min(spent + cost, found.get((move, to), spent + cost))
    return [(move, to, cost) for (move, to), cost in found.items()]


def _alike(edges: Sequence[Sequence[Edge]]) -> list[int]:
    """Return the class of each state. States of a class have the same continuations."""
    classes = [0] * len(edges)
    count = 0
    while True:
        known: dict[tuple[int, frozenset[tuple[tuple[int, int], int]]], int] = {}
        following = []
        for state, own in enumerate(edges):
            least: dict[tuple[int, int], int] = {}
            for move, to, cost in own:
                key = move, classes[to]
                least[key] = min(cost, least.get(key, cost))
            signature = classes[state], frozenset(least.items())
            following.append(known.setdefault(signature, len(known)))
        classes = following
        if len(known) == count:
            return classes
        count = len(known)


def at_least_as_good(edges: Sequence[Sequence[Edge]]) -> list[list[bool]]:
    """Return for states a, b whether a allows all sequences of b, at no higher cost.

    The result is a matrix: row a, column b.
    """
    states = range(len(edges))
    better = [[True] * len(edges) for _ in states]
    changed = True
    while changed:
        changed = False
        for a, b in pairs_of(states, states):
            if better[a][b] and not all(
                any(m == n and c <= cost and better[x][y] for m, x, c in edges[a])
                for n, y, cost in edges[b]
            ):
                better[a][b] = False
                changed = True
    return better


def _undominated(edges: Sequence[Edge], better: list[list[bool]]) -> list[Edge]:
    """Return the edges of a state without edges that another edge dominates."""
    kept: list[Edge] = []
    for move, to, cost in sorted(edges, key=lambda edge: edge[2]):
        if not any(m == move and c <= cost and better[x][to] for m, x, c in kept):
            kept = [
                each
                for each in kept
                if not (each[0] == move and cost <= each[2] and better[to][each[1]])
            ]
            kept.append((move, to, cost))
    return sorted(kept)


def pruned(
    edges: Sequence[Sequence[Edge]],
    starts: Sequence[int],
    effects: Sequence[Effect],
    product: Callable[[Effect, Effect], Effect],
    identity: Effect,
    most: int,
) -> Pruned:
    """Return the automaton without pairs of moves that a search can skip.

    A search can skip a pair if a replacement has the same effect. The replacement is the empty
    sequence, one move, or the pair in the other order. From the same state it must cost no more,
    and it must end in a state that allows at least the same sequences.

    - `edges`: the automaton that `reduced` returns.
    - `starts`: the initial states.
    - `effects`: the effect of each move.
    - `product`, `identity`: the composition of effects, and its identity.
    - `most`: the largest number of move numbers that the engine supports (see `Pruned`).

    >>> turn = [[(0, 0, 1), (1, 0, 1), (2, 0, 1)]]   # R R2 R'
    >>> pruned(turn, [0], [1, 2, 3], lambda a, b: (a + b) % 4, 0, 128).automaton
    [[(0, 1), (1, 1), (2, 1)], []]
    """
    better = at_least_as_good(edges)
    products = [[product(one, other) for other in effects] for one in effects]
    numbers = {effect: number for number, effect in enumerate(effects)}
    doing = [_by_move(state) for state in edges]

    def superfluous(a: int, first: Edge, second: Edge) -> bool:
        (m, _, before), (n, c, after) = first, second
        cost = before + after
        both = products[m][n]
        if both == identity and better[a][c]:
            return True
        single = doing[a].get(numbers.get(both, NOTHING), ())
        if any(price <= cost and better[d][c] for d, price in single):
            return True
        if m == n or products[n][m] != both:
            return False
        return any(
            one + other < cost + (n < m) and better[e][c]
            for d, one in doing[a].get(n, ())
            for e, other in doing[d].get(m, ())
        )

    # A state of the pruned automaton: its source state, and the edges that may follow.
    known: dict[tuple[int, tuple[Edge, ...]], int] = {}
    states: list[tuple[int, tuple[Edge, ...]]] = []

    def state(source: int, allowed: Sequence[Edge]) -> int:
        key = source, tuple(allowed)
        if key not in known:
            known[key] = len(states)
            states.append(key)
        return known[key]

    entries = [state(start, edges[start]) for start in starts]
    reached = []
    for source, allowed in states:  # the loop appends to it
        after = []
        for first in allowed:
            to = first[1]
            after.append(state(to, [e for e in edges[to] if not superfluous(source, first, e)]))
        reached.append(after)
    return _numbered(states, reached, entries, len(effects), most)


def _by_move(edges: Sequence[Edge]) -> dict[int, list[tuple[int, int]]]:
    """Return for each move the states that it leads to, and the costs."""
    found: dict[int, list[tuple[int, int]]] = {}
    for move, to, cost in edges:
        found.setdefault(move, []).append((to, cost))
    return found


def _numbered(
    states: Sequence[tuple[int, tuple[Edge, ...]]],
    reached: Sequence[Sequence[int]],
    entries: list[int],
    moves: int,
    most: int,
) -> Pruned:
    """Assign move numbers of the engine. The cheapest edge of a move comes first."""
    complete = True
    most_times = 1
    rows: list[list[tuple[int, int, int]]] = []
    for (_, allowed), after in zip(states, reached, strict=True):
        times: dict[int, int] = {}
        row = []
        for (move, _, cost), to in sorted(zip(allowed, after, strict=True), key=lambda e: e[0][2]):
            time = times.get(move, 0)
            times[move] = time + 1
            if (time + 1) * moves > most:
                complete = False
                continue
            most_times = max(most_times, time + 1)
            row.append((time * moves + move, to, cost))
        rows.append(sorted(row))
    costs = [[0] * (most_times * moves) for _ in rows]
    for prices, row in zip(costs, rows, strict=True):
        for number, _, cost in row:
            prices[number] = cost
    automaton = [[(number, to) for number, to, _ in row] for row in rows]
    return Pruned(automaton, costs, most_times, entries, [state[0] for state in states], complete)
