"""Rank programs: sequences of integers that define how the engine ranks a state.

A program starts with its kind, a count, the number of bytes to read, and the indices of these
bytes. The rest depends on the kind. Labels go up to 127.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import comb

from puzzlekit.engine.opcodes import (
    COMBINATION,
    ORIENTATION,
    ORIENTED_COMBINATION,
    PAIR_SPLIT,
    PAIRING,
    PARITY,
    PERMUTATION,
    PRODUCT,
)

NO_PROGRAM = (-1, 0, 0)  # the rank is always -1


def orientation(base: int, reads: Sequence[int]) -> tuple[int, ...]:
    """Rank bytes as digits to a base, the first byte most significant."""
    return (ORIENTATION, base, len(reads), *reads)


def permutation(labels: Sequence[int], reads: Sequence[int]) -> tuple[int, ...]:
    """Rank the places of the labels, each among the places still free."""
    number = [-1] * 128
    for i, label in enumerate(labels):
        number[label] = i
    return (PERMUTATION, len(labels), len(reads), *reads, *number)


def combination(labels: Sequence[int], count: int, reads: Sequence[int]) -> tuple[int, ...]:
    """Rank the set of bytes that have one of the labels; `count` bytes do."""
    member = [-1] * 128
    for label in labels:
        member[label] = 1
    binomials = [comb(i, c) for i in range(len(reads)) for c in range(count + 1)]
    return (COMBINATION, count, len(reads), *reads, *member, *binomials)


def oriented_combination(
    labels: Sequence[int], count: int, base: int, reads: Sequence[int]
) -> tuple[int, ...]:
    """Rank the first half of the bytes as `combination`, with digits from the second half."""
    half = len(reads) // 2
    plain = combination(labels, count, reads[:half])
    return (ORIENTED_COMBINATION, count, len(reads), *reads, *plain[3 + half :], base)


def pairing(pairs: Sequence[int], at: Sequence[int], reads: Sequence[int]) -> tuple[int, ...]:
    """Rank the places of the partners of the pieces at some first places.

    `pairs` lists the labels pair by pair, `at` the numbers of the first places. `reads` are the
    bytes of the first places, then the bytes of the second places of the same pairs.
    """
    return (PAIRING, len(at), len(reads), *reads, *pair_numbers(pairs), len(pairs) // 2, *at)


def pair_split(pairs: Sequence[int], reads: Sequence[int]) -> tuple[int, ...]:
    """Rank how the pieces of all pairs split into first and second places; see `PairSplit`."""
    second = [0] * 128
    for label in pairs[1::2]:
        second[label] = 1
    return (PAIR_SPLIT, len(pairs) // 2, len(reads), *reads, *pair_numbers(pairs), *second)


def parity(parts: Sequence[tuple[Sequence[int], Mapping[int, int]]]) -> tuple[int, ...]:
    """Return the parity of several permutations together: (bytes, number of each label) of each."""
    reads = [j for part, _ in parts for j in part]
    tables: list[int] = []
    for part, numbers in parts:
        tables += [len(part), *(numbers.get(label, -1) for label in range(128))]
    return (PARITY, len(parts), len(reads), *reads, *tables)


def product(sizes: Sequence[int], programs: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Combine several ranks as digits. Each program is preceded by its size and its length."""
    listed: list[int] = []
    for size, program in zip(sizes, programs, strict=True):
        listed += [size, len(program), *program]
    return (PRODUCT, len(programs), 0, *listed)


def _parts(program: Sequence[int]) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield size and program of each part of a product; nothing for other programs."""
    at = 3
    for _ in range(program[1] if program[0] == PRODUCT else 0):
        size, length = program[at : at + 2]
        yield size, program[at + 2 : at + 2 + length]
        at += 2 + length


def pair_numbers(pairs: Sequence[int]) -> list[int]:
    """Return the number of its pair for each label, or -1."""
    numbers = [-1] * 128
    for i, label in enumerate(pairs):
        numbers[label] = i // 2
    return numbers


def rebase(program: Sequence[int], byte_at: dict[int, int]) -> tuple[int, ...]:
    """Return the same program for vectors that hold byte j of a state at `byte_at[j]`.

    >>> rebase(orientation(3, [5, 6]), {5: 0, 6: 1})
    (0, 3, 2, 0, 1)
    """
    if program[0] == PRODUCT:
        parts = list(_parts(program))
        return product([size for size, _ in parts], [rebase(each, byte_at) for _, each in parts])
    end = 3 + program[2]
    return (*program[:3], *(byte_at[j] for j in program[3:end]), *program[end:])
