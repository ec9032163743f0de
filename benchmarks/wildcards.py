"""Shorten an answer that may leave some stickers wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from puzzlekit import UsageError
from puzzlekit_universal.engine.climb import Climb
from puzzlekit_universal.engine.word_moves import Moves
from puzzlekit_universal.places import MOST_MOVES, products_of

# Hundredths of a move that a right sticker is worth. Later steps give up more stickers for a move.
_WORTHS = (200_000, 190, 160, 140, 120, 100, 90, 80, 70, 60, 50, 45, 40, 35, 30, 25, 20, 15, 10)
_LONGER = 50  # moves by which an answer may grow between two steps
_BUDGET = 10_000  # stickers that a run looks at; then the wrong stickers are counted
_RUNS = 200  # for each worth


def with_wildcards(
    moves: Mapping[str, Sequence[int]],
    state: Sequence[str],
    solved: Sequence[str],
    path: Sequence[str],
    wildcards: int,
) -> list[str]:
    """Return a path of at most the same length, after which few enough stickers are wrong.

    The search changes the path in small steps: it deletes, shifts or inserts a move, or a move and
    its inverse. A step is taken if it saves more moves than the stickers are worth that become
    wrong.

    Parameters
    ----------
    moves
        The permutation of each move. The sticker that a move brings to place i comes from place
        `moves[name][i]`. In a path, a minus sign before a name means the inverse.
    state
        The sticker at each place.
    solved
        The sticker that belongs to each place.
    path
        Moves that solve the state, or leave at most `wildcards` stickers wrong.
    wildcards
        How many stickers may be wrong at the end.

    Raises
    ------
    UsageError
        If there are too many moves, with their inverses.

    Examples
    --------
    >>> turns = {"a": [1, 0, 2, 3, 4], "b": [0, 1, 3, 4, 2]}
    >>> with_wildcards(turns, "BACDE", "ABCDE", ["b", "a", "-b"], 0)
    ['a']
    >>> with_wildcards(turns, "BACDE", "ABCDE", ["a"], 2)
    []
    """
    names, engine = _engine(moves)
    numbers = {name: number for number, name in enumerate(names)}
    labels = {label: number for number, label in enumerate(dict.fromkeys(solved))}
    at, wanted = [labels[each] for each in state], [labels[each] for each in solved]
    still = [0] * len(wanted)
    best = bytes(map(numbers.__getitem__, path))
    for worth in _WORTHS:
        for alone in (False, True):
            climb = Climb(engine, at, still, wanted, best, len(best) + _LONGER, alone)
            before = best
            for _ in range(_RUNS):
                ended = climb.run(worth, _BUDGET)
                if climb.left > wildcards:
                    break
                best = min(best, climb.answer, key=len)
                if ended:
                    if climb.answer == before:
                        break
                    before = climb.answer
    return [names[number] for number in best]


def _engine(moves: Mapping[str, Sequence[int]]) -> tuple[list[str], Moves]:
    """Return the names of all moves and their inverses, and the moves as the engine takes them."""
    import numpy as np

    names = [*moves, *(f"-{name}" for name in moves)]
    if len(names) > MOST_MOVES:
        raise UsageError(f"at most {MOST_MOVES} moves with their inverses, not {len(names)}")
    given = np.array(list(moves.values()), dtype=np.intp)
    # The engine wants the place to which each sticker goes: the inverse of where it comes from.
    targets = np.concatenate([np.argsort(given, axis=1), given])
    costs = [1] * len(names)
    joined, commuting = products_of(targets.tolist(), costs)
    inverses = [(i + len(moves)) % len(names) for i in range(len(names))]
    engine = Moves(
        [1] * targets.shape[1],
        targets.ravel().tolist(),
        [0] * targets.size,
        costs,
        inverses,
        joined,
        commuting,
    )
    return names, engine
