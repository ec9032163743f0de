"""The group that moves generate: its exact order, and a lower bound that is nearly always exact.

The Schreier-Sims algorithm (C. C. Sims, "Computational methods in the study of permutation groups",
1970; random version: D. F. Holt, "Handbook of Computational Group Theory", 2005). SymPy provides
the exact version. Importing SymPy takes a second, so only the functions that need it import it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from sympy.combinatorics import PermutationGroup

_TESTS = 12  # random elements in a row that must reduce to the identity
_MIXED = 30  # products at the beginning, after which elements are nearly random
_LEAST = 10  # elements from which products are made, at least
_ROWS = 64  # of elements that stabilisers have, at first
_SAME = 1e-6  # two logarithms of orders that differ by less are equal

# Limit of the work of the exact version of Schreier-Sims: about five seconds. The work is estimated
# as orbit * generators * base * points.
_MOST_WORK = 100_000_000


def log_order_at_least(generators: Sequence[Sequence[int]], most: float = inf) -> float:
    """Return the logarithm of a lower bound of the order of a group.

    `most` is the logarithm of an upper bound. The search ends as soon as it is reached.

    >>> round(2.718281828459045 ** log_order_at_least([[1, 2, 0, 3], [1, 0, 2, 3]]))
    6
    """
    moves = [np.array(each, dtype=np.intp) for each in generators]
    still = np.arange(len(generators[0]) if generators else 0, dtype=np.intp)
    moves = [each for each in moves if not np.array_equal(each, still)]
    if not moves:
        return 0.0
    elements = _Elements(moves, Random(1))
    chain = _Stabilisers(still)
    tests = 0
    while tests < _TESTS and chain.log_order < most - _SAME:
        left, depth = chain.reduced(elements.next())
        if depth == len(chain.bases) and np.array_equal(left, still):
            tests += 1
        else:
            tests = 0
            chain.add(left, depth)
    return chain.log_order


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


class _Stabilisers:
    """Stabilisers of more and more base points, and the points to which each brings its own.

    One array operation tests for all stabilisers whether a new element reaches more points. Most
    elements reach more points in few of them.
    """

    def __init__(self, still: Any) -> None:
        self._still = still
        #: The logarithm of the order, if all points are found that the stabilisers reach.
        self.log_order = 0.0
        self.bases: list[int] = []
        #: For each stabiliser and point an element that brings the point to the base point.
        self._back: list[dict[int, Any]] = []
        #: For each stabiliser and point whether it is reached.
        self._reached = np.zeros((0, len(still)), dtype=np.bool_)
        #: All elements that were added, their inverses, and how many stabilisers have each of them.
        #: The arrays have more rows than elements.
        self._moves = np.empty((_ROWS, len(still)), dtype=np.intp)
        self._undone = np.empty_like(self._moves)
        self._counts = np.zeros(_ROWS, dtype=np.intp)
        self._added = 0

    def reduced(self, element: Any) -> tuple[Any, int]:
        """Return what is left of an element, and the number of stabilisers that have it."""
        for number, (base, back) in enumerate(zip(self.bases, self._back, strict=True)):
            point = int(element[base])
            if point != base:
                undone = back.get(point)
                if undone is None:
                    return element, number
                element = undone[element]
        return element, len(self.bases)

    def add(self, element: Any, depth: int) -> None:
        """Add an element to the stabilisers up to the one at `depth`, which may be new."""
        if depth == len(self.bases):
            base = int(np.flatnonzero(element != self._still)[0])
            self.bases.append(base)
            self._back.append({base: self._still})
            self._reached = np.vstack([self._reached, self._still == base])
        if self._added == len(self._counts):
            self._moves, self._undone = (np.vstack([a, a]) for a in (self._moves, self._undone))
            self._counts = np.append(self._counts, np.zeros_like(self._counts))
        self._moves[self._added], self._undone[self._added] = element, np.argsort(element)
        self._counts[self._added] = depth + 1
        self._added += 1
        reached = self._reached[: depth + 1]
        for number in np.flatnonzero((reached & ~reached[:, element]).any(axis=1)).tolist():
            self._extend(number)

    def _extend(self, number: int) -> None:
        """Find all points that a stabiliser reaches with its last element."""
        back = self._back[number]
        self.log_order -= log(len(back))
        last = slice(self._added - 1, self._added)
        points = self._closer(number, list(back), self._moves[last], self._undone[last])
        own = self._counts > number
        moves, undone = self._moves[own], self._undone[own]
        while points:
            points = self._closer(number, points, moves, undone)
        self.log_order += log(len(back))

    def _closer(self, number: int, points: list[int], moves: Any, undone: Any) -> list[int]:
        """Add the points that elements reach from some points in one step, and return them."""
        back, reached = self._back[number], self._reached[number]
        images = moves[:, points]
        rows, columns = (~reached[images]).nonzero()
        found = []
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
            to = int(images[row, column])
            if to not in back:
                back[to] = back[points[column]][undone[row]]
                found.append(to)
        reached[found] = True
        return found


def exact_group(generators: Sequence[Sequence[int]]) -> PermutationGroup | None:
    """Return the group with its exact order; None if the computation would take too long."""
    group = _group(generators)
    levels = _levels(group)
    if sum(size * left for size, left in levels) * len(levels) * group.degree > _MOST_WORK:
        return None
    group.schreier_sims()
    return group


def stabiliser_levels(
    generators: Sequence[Sequence[int]],
) -> list[tuple[int, list[list[int]]]] | None:
    """Return for each base point the elements that carry it to the points of its orbit.

    They leave earlier base points, and the first of them is the identity. Return None if the
    computation would take too long.
    """
    group = exact_group(generators)
    if group is None:
        return None
    found = []
    for point, carriers in zip(group.base, group.basic_transversals, strict=True):
        first = list(range(group.degree))
        others = [each.array_form for to, each in carriers.items() if to != point]
        found.append((point, [first, *others]))
    return found


def _group(generators: Sequence[Sequence[int]]) -> PermutationGroup:
    from sympy.combinatorics import Permutation, PermutationGroup

    return PermutationGroup([Permutation(list(each)) for each in generators])


def _levels(group: PermutationGroup) -> list[tuple[int, int]]:
    """Return one pair for each base point: the size of an orbit and a number of generators.

    The pair describes the stabiliser of the preceding base points. The first number is the size of
    the orbit of the base point under the stabiliser. The second is the number of generators of the
    stabiliser. Random elements of the group determine the base.
    """
    from sympy.combinatorics import PermutationGroup

    # SymPy fails if one base point is enough, so it starts with two.
    base, left = group.schreier_sims_random(base=[0, 1], gens=group.generators, consec_succ=10)
    found = []
    for point in base:
        if left:
            found.append((len(PermutationGroup(left).orbit(point)), len(left)))
        left = [each for each in left if each(point) == point]
    return found
