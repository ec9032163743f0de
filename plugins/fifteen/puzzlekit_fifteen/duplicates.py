"""An automaton of moves that leaves out sequences with the effect of an earlier one.

L. A. Taylor and R. E. Korf, "Pruning duplicate nodes in depth-first search" (1993). From each place
of the guarding piece, sequences are listed by length, and those of one length in the order of their
moves. One that has the effect of an earlier one is a duplicate: whatever contains it can be
replaced by something that comes before, so a search need not try it. The automaton follows all
beginnings of duplicates at once (A. V. Aho, M. J. Corasick: "Efficient string matching", 1975).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from puzzlekit import Move
from puzzlekit.engine.beats import beat

__all__ = ["automaton"]


def automaton(moves: Sequence[Move], places: int, length: int) -> list[list[tuple[int, int]]]:
    """Return the automaton without duplicates of up to `length` moves: (move, next) per state.

    Each move has to exchange the guarding piece, which is at one of `places`, with another piece.
    State p is the initial state for a guarding piece at place p.
    """
    at = [*range(places)]  # the place of the guarding piece in each state
    child: dict[tuple[int, int], int] = {}
    ends = set()
    for place, sequence in _duplicates(moves, places, length):
        state = place
        for move in sequence:
            if (state, move) not in child:
                child[state, move] = len(at)
                at.append(moves[move].guard_after)
            state = child[state, move]
        ends.add(state)
    following = [[m for m, move in enumerate(moves) if move.guard_before == p] for p in at[:places]]
    # States in the order of their lengths. `fails` has the state without the first of the moves.
    waiting = [*range(places)]
    fails: dict[int, int] = {}
    reached: dict[tuple[int, int], int] = {}
    for state in waiting:
        for move in following[at[state]]:
            rest = fails.get(state)  # None: no moves so far
            shorter = moves[move].guard_after if rest is None else reached.get((rest, move))
            to = child.get((state, move))
            if to is None:
                to = shorter
            elif to not in ends and shorter is not None:
                fails[to] = shorter
                waiting.append(to)
            if to is not None and to not in ends and shorter is not None:
                reached[state, move] = to
    number = {state: i for i, state in enumerate(waiting)}
    return [
        [
            (move, number[reached[state, move]])
            for move in following[at[state]]
            if (state, move) in reached
        ]
        for state in waiting
    ]


def _duplicates(
    moves: Sequence[Move], places: int, length: int
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield sequences as (place of the guarding piece, numbers of moves). None contains another."""
    import numpy as np

    before = np.array([move.guard_before for move in moves])
    after = np.array([move.guard_after for move in moves])
    marks = np.random.default_rng(1).integers(1 << 62, size=(places + 1, places))
    # The sequences of one length, in order: where they start, the board after them, the place of
    # the guarding piece there, their moves, and the number of each without its first move.
    every = np.arange(places)
    start, at, words = every, every, np.zeros((places, 0), dtype=np.int16)
    board = np.tile(every.astype(np.uint8), (places, 1))
    tails, keys = every, every
    known_marks = marks[every, board].sum(axis=1) + marks[places, start]
    known_starts, known_boards = start, board
    for number in range(length):
        beat()
        row, move = np.nonzero(at[:, None] == before)
        if number:
            tail = tails[row] * len(moves) + move
            tails = np.searchsorted(keys, tail)
            whole = keys[np.minimum(tails, len(keys) - 1)] == tail
            row, move, tails = row[whole], move[whole], tails[whole]
        else:
            tails = after[move]
        if not len(row):  # all longer sequences are or contain duplicates
            return
        new, place, start = board[row], after[move], start[row]
        each = np.arange(len(row))
        new[each, at[row]], new[each, place] = new[each, place], new[each, at[row]]
        words = np.concatenate([words[row], move[:, None].astype(np.int16)], axis=1)
        hashed = marks[every, new].sum(axis=1) + marks[places, start]
        known_marks = np.concatenate([known_marks, hashed])
        known_starts = np.concatenate([known_starts, start])
        known_boards = np.concatenate([known_boards, new])
        _, first, group = np.unique(known_marks, return_index=True, return_inverse=True)
        earlier = first[group[-len(row) :]]
        fresh = earlier >= len(known_marks) - len(row) + each
        same = (known_boards[earlier] == new).all(axis=1) & (known_starts[earlier] == start)
        for index in np.flatnonzero(~fresh & same):  # not if only the marks are the same
            yield int(start[index]), tuple(words[index].tolist())
        kept = fresh | ~same
        keys = (row * len(moves) + move)[kept]
        start, at, words, board, tails = (
            start[kept],
            place[kept],
            words[kept],
            new[kept],
            tails[kept],
        )
