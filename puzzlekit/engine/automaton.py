"""Move pruning: which moves may follow which, derived from what the moves do.

A pair of moves m n need not be searched when its product is the identity, or equals an allowed move
of no greater cost, or when n m has the same effect and comes first in the order of the moves. So of
several sequences with the same effect and cost only one is searched, and none is lost.
"""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit.puzzle.move import compose

Effect = tuple[bytes, bytes]
Automaton = list[list[tuple[int, int]]]


def pruned_pairs(
    effects: Sequence[Effect], costs: Sequence[int], modulus: bytes
) -> list[list[tuple[bool, bool]]]:
    """For each pair of moves: whether one move does as well, and whether its turn-round comes first.

    The identity counts as a move that costs nothing.
    """
    identity = bytes(range(len(modulus))), bytes(len(modulus))
    cheapest = {identity: 0}
    for effect, cost in zip(effects, costs, strict=True):
        cheapest[effect] = min(cost, cheapest.get(effect, cost))
    products = [[compose(one, other, modulus) for other in effects] for one in effects]
    return [
        [
            (
                products[m][n] in cheapest and cheapest[products[m][n]] <= costs[m] + costs[n],
                n < m and products[m][n] == products[n][m],
            )
            for n in range(len(effects))
        ]
        for m in range(len(effects))
    ]


def redundancy_automaton(
    effects: Sequence[Effect], costs: Sequence[int], modulus: bytes
) -> Automaton:
    """For each state the list of (move, next state) that may follow; state 0 is the start.

    State m + 1 is reached by move m; moves after which the same may follow share a state.
    """
    pairs = pruned_pairs(effects, costs, modulus)
    moves = range(len(effects))
    follow = [list(moves)] + [[n for n in moves if not any(pairs[m][n])] for m in moves]
    states: dict[tuple[int, ...], int] = {}
    number = [states.setdefault(tuple(allowed), len(states)) for allowed in follow]
    return [[(n, number[n + 1]) for n in allowed] for allowed in states]


def seam(
    outer: Sequence[Effect],
    inner: Sequence[Effect],
    costs: Sequence[int],
    modulus: bytes,
    automaton: Automaton,
) -> list[int]:
    """Start states of an inner phase after no outer move and after each outer move.

    `outer` includes the effects of `inner`, `costs` are those of `outer`. Inner moves that would
    merge with the last outer move are left out, since a shorter outer phase with the merged move
    does as well; the states needed are added to the inner `automaton`.
    """
    pairs = pruned_pairs(outer, costs, modulus)
    number = [outer.index(effect) for effect in inner]
    state_after = dict(automaton[0])
    starts: dict[tuple[int, ...], int] = {tuple(range(len(inner))): 0}
    entries = [0]
    for m in range(len(outer)):
        allowed = tuple(n for n in range(len(inner)) if not pairs[m][number[n]][0])
        if allowed not in starts:
            starts[allowed] = len(automaton)
            automaton.append([(n, state_after[n]) for n in allowed])
        entries.append(starts[allowed])
    return entries


def canonical_sequences(automaton: Automaton, length: int) -> list[int]:
    """How many sequences of 0, 1, ..., `length` moves the automaton allows."""
    at = [1] + [0] * (len(automaton) - 1)
    counts = []
    for _ in range(length + 1):
        counts.append(sum(at))
        after = [0] * len(automaton)
        for state, many in enumerate(at):
            for _, reached in automaton[state]:
                after[reached] += many
        at = after
    return counts
