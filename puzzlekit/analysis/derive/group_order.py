"""Compute a lower bound of the order of a group, which is nearly always exact.

The random version of the Schreier-Sims algorithm (C. C. Sims, "Computational methods in the study
of permutation groups", 1970; D. F. Holt, "Handbook of Computational Group Theory", 2005).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log
from random import Random
from typing import Any

import numpy as np

_TESTS = 12  # random elements in a row that must reduce to the identity
_MIXED = 30  # products at the beginning, after which elements are nearly random
_LEAST = 10  # elements from which products are made, at least
_SAME = 1e-6  # two logarithms of orders that differ by less are equal


def log_order_at_least(generators: Sequence[Sequence[int]], most: float = inf) -> float:
    """Return the logarithm of a lower bound of the order of a group.

    `most` is the logarithm of an upper bound. The search ends as soon as it is reached.

    >>> round(2.718281828459045 ** log_order_at_least([[1, 2, 0, 3], [1, 0, 2, 3]]))
    6
    """
    moves = [np.array(each, dtype=np.int32) for each in generators]
    still = np.arange(len(generators[0]) if generators else 0, dtype=np.int32)
    moves = [each for each in moves if not np.array_equal(each, still)]
    if not moves:
        return 0.0
    rng = Random(1)
    elements = _Elements(moves, rng)
    levels: list[_Stabiliser] = []
    tests = 0
    while tests < _TESTS and _log_order(levels) < most - _SAME:
        left, depth = _reduced(elements.next(), levels)
        if depth == len(levels) and np.array_equal(left, still):
            tests += 1
            continue
        tests = 0
        if depth == len(levels):
            levels.append(_Stabiliser(int(np.flatnonzero(left != still)[0]), still))
        for level in levels[: depth + 1]:
            level.add(left)
    return _log_order(levels)


class _Elements:
    """Nearly random elements of a group: products of elements that replace one of their factors."""

    def __init__(self, moves: Sequence[Any], rng: Random) -> None:
        self._rng = rng
        count = max(_LEAST, len(moves))
        self._kept = [moves[i % len(moves)] for i in range(count)]
        self._last = moves[0]
        for _ in range(_MIXED + count):
            self.next()

    def next(self) -> Any:
        """Return another element."""
        one, other = self._rng.sample(range(len(self._kept)), 2)
        self._kept[one] = self._kept[other][self._kept[one]]
        self._last = self._kept[one][self._last]
        return self._last


class _Stabiliser:
    """The points to which the elements of a stabiliser bring a base point."""

    def __init__(self, base: int, still: Any) -> None:
        self.base = base
        self._moves: list[Any] = []
        #: For each point an element that brings it to the base point.
        self.back: dict[int, Any] = {base: still}

    def add(self, move: Any) -> None:
        """Add a generator."""
        self._moves.append(move)
        found = self._reached(list(self.back), [move])
        while found:
            found = self._reached(found, self._moves)

    def _reached(self, points: Sequence[int], moves: Sequence[Any]) -> list[int]:
        """Add the points that moves reach in one step, and return them."""
        new = []
        for move in moves:
            undone = None
            for point in points:
                to = int(move[point])
                if to not in self.back:
                    if undone is None:
                        undone = np.argsort(move).astype(np.int32)
                    self.back[to] = self.back[point][undone]
                    new.append(to)
        return new


def _reduced(element: Any, levels: Sequence[_Stabiliser]) -> tuple[Any, int]:
    """Return what is left of an element, and the number of the level that cannot reduce it."""
    for number, level in enumerate(levels):
        back = level.back.get(int(element[level.base]))
        if back is None:
            return element, number
        element = back[element]
    return element, len(levels)


def _log_order(levels: Sequence[_Stabiliser]) -> float:
    return sum(log(len(level.back)) for level in levels)
