"""Rank programs: how the engine ranks a state by itself, as plain numbers.

A program starts with its kind, a count and the number of bytes it reads, then those bytes'
numbers; what follows depends on the kind. Labels go up to 127.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

# The kinds; `puzzlekit.engine.search` spells them as numbers.
ORIENTATION = 0
PERMUTATION = 1
COMBINATION = 2
ORIENTED_COMBINATION = 3


def orientation(base: int, reads: Sequence[int]) -> tuple[int, ...]:
    """Digits to a base, the first byte most significant."""
    return (ORIENTATION, base, len(reads), *reads)


def permutation(labels: Sequence[int], reads: Sequence[int]) -> tuple[int, ...]:
    """The place of each of the labels, each among the places still free."""
    number = [-1] * 128
    for i, label in enumerate(labels):
        number[label] = i
    return (PERMUTATION, len(labels), len(reads), *reads, *number)


def combination(labels: Sequence[int], count: int, reads: Sequence[int]) -> tuple[int, ...]:
    """Which bytes show one of the labels, which `count` of them do."""
    member = [-1] * 128
    for label in labels:
        member[label] = 1
    binomials = [comb(i, c) for i in range(len(reads)) for c in range(count + 1)]
    return (COMBINATION, count, len(reads), *reads, *member, *binomials)


def oriented_combination(
    labels: Sequence[int], count: int, base: int, reads: Sequence[int]
) -> tuple[int, ...]:
    """As `combination` for the first half of the bytes, with digits from the second half."""
    half = len(reads) // 2
    plain = combination(labels, count, reads[:half])
    return (ORIENTED_COMBINATION, count, len(reads), *reads, *plain[3 + half :], base)


def rebase(program: Sequence[int], byte_at: dict[int, int]) -> tuple[int, ...]:
    """The same program for vectors that hold byte j of a state at `byte_at[j]`.

    >>> rebase(orientation(3, [5, 6]), {5: 0, 6: 1})
    (0, 3, 2, 0, 1)
    """
    end = 3 + program[2]
    return (*program[:3], *(byte_at[j] for j in program[3:end]), *program[end:])
