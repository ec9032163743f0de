"""Paired tests: whether a heuristic differs from the baseline on the same instances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import erfc, log, sqrt
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

_EXACT = 200  # up to this number of differences, the distribution is computed exactly
_DIGITS = 9  # of a logarithm; equal ratios of different numbers differ in later digits

K = TypeVar("K")


class Paired(NamedTuple):
    """How a heuristic compares with the baseline, instance by instance.

    A heuristic wins an instance if it needs less than the baseline.
    """

    #: Number of instances where it needs less.
    wins: int
    #: Number of instances where it needs as much.
    ties: int
    #: Number of instances where it needs more.
    losses: int
    #: The p-value of Wilcoxon's signed-rank test (see `wilcoxon`).
    p: float
    #: The p-value with Holm's correction for all comparisons of the quantity in a summary.
    p_holm: float


def paired(values: Sequence[float], others: Sequence[float], least: float) -> Paired:
    """Return how values compare with others, pair by pair; `p_holm` is not corrected yet.

    Numbers below `least` count as `least`. The test ranks the ratios, not the differences, as the
    geometric means do: an instance that needs a million nodes weighs no more than another.

    >>> paired([1, 2, 3, 4, 5, 6], [2, 4, 6, 8, 10, 6], least=1)
    Paired(wins=5, ties=1, losses=0, p=0.0625, p_holm=0.0625)
    """
    ratios = [
        round(log(max(one, least) / max(other, least)), _DIGITS)
        for one, other in zip(values, others, strict=True)
    ]
    wins, losses = sum(each < 0 for each in ratios), sum(each > 0 for each in ratios)
    p = wilcoxon(ratios)
    return Paired(wins, len(ratios) - wins - losses, losses, p, p)


def wilcoxon(differences: Sequence[float]) -> float:
    """Return the two-sided p-value of Wilcoxon's signed-rank test.

    The null hypothesis is that the differences are symmetric about 0. Differences of 0 are left
    out, as Wilcoxon did, and equal ones share their mean rank. The p-value is exact for up to 200
    differences, also with equal ranks: it counts all ways to choose the signs. Beyond that it is
    the normal approximation with the corrections for ties and continuity. Returns 1 if all
    differences are 0.

    The heights of Darwin's 15 pairs of maize plants, in eighths of an inch:

    >>> darwin = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    >>> round(wilcoxon(darwin), 5)
    0.04126
    """
    values = np.array([each for each in differences if each != 0], dtype=float)
    if not len(values):
        return 1.0
    _, places, counts = np.unique(np.abs(values), return_inverse=True, return_counts=True)
    doubled = (2 * np.cumsum(counts) - counts + 1)[places]  # ranks times two are whole numbers
    positive = int(doubled[values > 0].sum())
    least = min(positive, int(doubled.sum()) - positive)
    if len(values) <= _EXACT:
        return min(1.0, 2 * _share_up_to(least, doubled))
    n = len(values)
    variance = n * (n + 1) * (2 * n + 1) / 24 - float((counts**3 - counts).sum()) / 48
    distance = max(0.0, n * (n + 1) / 4 - least / 2 - 0.5)
    return erfc(distance / sqrt(2 * variance))


def _share_up_to(most: int, ranks: NDArray[np.int64]) -> float:
    """Return the share of all subsets of the ranks whose sum is at most a number."""
    shares = np.zeros(int(ranks.sum()) + 1)
    shares[0] = 1.0
    for rank in ranks:
        moved = shares / 2
        shares = moved.copy()
        shares[rank:] += moved[: len(moved) - rank]
    return float(shares[: most + 1].sum())


def holm(values: Mapping[K, float]) -> dict[K, float]:
    """Return p-values with the step-down correction of Holm for multiple comparisons.

    The probability that any true null hypothesis is rejected at a level is at most this level.

    >>> holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005})
    {'d': 0.02, 'a': 0.03, 'c': 0.06, 'b': 0.06}
    """
    found: dict[K, float] = {}
    most = 0.0
    for number, (key, p) in enumerate(sorted(values.items(), key=lambda pair: pair[1])):
        most = max(most, min(1.0, (len(values) - number) * p))
        found[key] = most
    return found
