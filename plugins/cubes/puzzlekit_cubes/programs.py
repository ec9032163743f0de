"""Rank programs of pieces that come in pairs (see `puzzlekit.coordinates.programs`)."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, perm

from puzzlekit_cubes.engine.pair_ranks import COMPANIONS, PAIR_SPLIT, PAIRING


def companions(
    labels: Sequence[int],
    others: Sequence[int],
    count: int,
    reads: Sequence[int],
    pieces: int,
) -> tuple[int, ...]:
    """Return the program for the coordinate `Companions`.

    - `labels`, `others`: the labels of the pieces, and of their companions. The first companions of
      all pieces come first, then the second ones, and so on.
    - `count`: the number of the pieces that are at the first places.
    - `reads`: the indices of the bytes of the first places. The indices of the bytes of the second
      places follow.
    - `pieces`: the number of pieces. Label i belongs to piece i modulo this number.
    """
    n = len(reads) // 2
    numbers = [-1] * 256
    for i, label in enumerate(labels):
        numbers[label] = i % pieces
    for i, other in enumerate(others):
        numbers[128 + other] = i % pieces
    binomials = [comb(i, c) for i in range(n) for c in range(count + 1)]
    return (COMPANIONS, count, len(reads), *reads, *numbers, *binomials, perm(n, count))


def pairing(pairs: Sequence[int], at: Sequence[int], reads: Sequence[int]) -> tuple[int, ...]:
    """Return the program for the coordinate `Pairing`.

    - `pairs`: the labels of the pieces, pair by pair.
    - `at`: the indices, among all first places, of those whose pieces the program looks at.
    - `reads`: the indices of the bytes of the first places. The indices of the bytes of the second
      places of the same pairs follow.
    """
    return (PAIRING, len(at), len(reads), *reads, *pair_numbers(pairs), len(pairs) // 2, *at)


def pair_split(pairs: Sequence[int], reads: Sequence[int]) -> tuple[int, ...]:
    """Return the program for the coordinate `PairSplit`.

    `pairs` lists the labels of the pieces, pair by pair. `reads` has the indices of the bytes of
    the first places.
    """
    second = [0] * 128
    for label in pairs[1::2]:
        second[label] = 1
    return (PAIR_SPLIT, len(pairs) // 2, len(reads), *reads, *pair_numbers(pairs), *second)


def pair_numbers(pairs: Sequence[int]) -> list[int]:
    """Return for each label the number of its pair; -1 for a label without a pair."""
    numbers = [-1] * 128
    for i, label in enumerate(pairs):
        numbers[label] = i // 2
    return numbers
