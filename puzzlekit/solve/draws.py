"""Random numbers that are derived from a text and the same in every version of Python."""

from __future__ import annotations

from collections.abc import MutableSequence
from hashlib import sha256
from random import Random
from typing import Any

_RANGE = 2**64


class Draws(Random):
    """Random numbers derived from a text.

    Number k, counted from 0, is the first eight bytes of the SHA-256 of the string "TEXT k".
    `below(n)` returns the next number modulo n. It skips numbers that are not below the largest
    multiple of n up to 2^64, so all results are equally likely.

    >>> draws = Draws("222 7 1")
    >>> [draws.below(6) for _ in range(8)]
    [0, 0, 0, 2, 4, 2, 1, 1]
    """

    def __init__(self, text: str) -> None:
        super().__init__(0)
        self._text = text
        self._count = 0

    def below(self, n: int) -> int:
        """Return a random number from 0 to n - 1."""
        while True:
            digest = sha256(f"{self._text} {self._count}".encode()).digest()
            self._count += 1
            number = int.from_bytes(digest[:8])
            if number < _RANGE - _RANGE % n:
                return number % n

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """Return a random number of a range."""
        numbers = range(start) if stop is None else range(start, stop, step)
        return numbers[self.below(len(numbers))]

    def choice(self, seq: Any) -> Any:
        """Return a random element of a sequence."""
        return seq[self.below(len(seq))]

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Shuffle a sequence in place (Fisher and Yates, from the last element)."""
        for i in range(len(x) - 1, 0, -1):
            j = self.below(i + 1)
            x[i], x[j] = x[j], x[i]
