"""Rank programs: sequences of integers that define how the engine ranks a state.

A program begins with its kind, a count whose meaning depends on the kind, the number of bytes that
it reads, and the indices of these bytes. The rest depends on the kind. A label is at most 127.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb

from puzzlekit.engine.opcodes import COMBINATION, ORIENTATION, PERMUTATION, PIECES, PRODUCT

__all__ = ["NO_PROGRAM", "combination"]

NO_PROGRAM = (-1, 0, 0)  # the rank is always -1


def orientation(base: int, reads: Sequence[int]) -> tuple[int, ...]:
    """Return the program whose rank has the bytes as digits to `base`, the first digit highest."""
    return (ORIENTATION, base, len(reads), *reads)


def permutation(labels: Sequence[int], reads: Sequence[int]) -> tuple[int, ...]:
    """Return the program that ranks the places of the pieces with these labels.

    The digit of a label is the index of its place among the places that the earlier labels leave.
    `reads` has the indices of the bytes of the places.
    """
    number = [-1] * 128
    for i, label in enumerate(labels):
        number[label] = i
    return (PERMUTATION, len(labels), len(reads), *reads, *number)


def pieces(labels: Sequence[int], base: int, reads: Sequence[int]) -> tuple[int, ...]:
    """Return the program that ranks places (see `permutation`) and the orientations there.

    The first half of `reads` has the indices of the bytes of the labels. The second half has the
    indices of the bytes of the orientations, which are digits to `base`.
    """
    numbers = permutation(labels, ())[3:]
    return (PIECES, len(labels), len(reads), *reads, *numbers, base)


def combination(labels: Sequence[int], count: int, reads: Sequence[int]) -> tuple[int, ...]:
    """Return the program that ranks the set of places whose pieces have one of the labels.

    `reads` has the indices of the bytes of the places. `count` of these bytes have one of the
    labels.
    """
    member = [-1] * 128
    for label in labels:
        member[label] = 1
    binomials = [comb(i, c) for i in range(len(reads)) for c in range(count + 1)]
    return (COMBINATION, count, len(reads), *reads, *member, *binomials)


def product(sizes: Sequence[int], programs: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the program whose rank has the ranks of other programs as digits.

    `sizes` has the number of ranks of each of the `programs`. The new program contains each of
    them, after its size and its length.
    """
    listed: list[int] = []
    for size, program in zip(sizes, programs, strict=True):
        listed += [size, len(program), *program]
    return (PRODUCT, len(programs), 0, *listed)


def _parts(program: Sequence[int]) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield the size and the program of each part of a product. Other programs have no parts."""
    at = 3
    for _ in range(program[1] if program[0] == PRODUCT else 0):
        size, length = program[at : at + 2]
        yield size, program[at + 2 : at + 2 + length]
        at += 2 + length


def rebase(program: Sequence[int], byte_at: dict[int, int]) -> tuple[int, ...]:
    """Return the program with each byte index j that it reads replaced by `byte_at[j]`.

    >>> rebase(orientation(3, [5, 6]), {5: 0, 6: 1})
    (0, 3, 2, 0, 1)
    """
    if program[0] == PRODUCT:
        parts = list(_parts(program))
        return product([size for size, _ in parts], [rebase(each, byte_at) for _, each in parts])
    end = 3 + program[2]
    return (*program[:3], *(byte_at[j] for j in program[3:end]), *program[end:])
