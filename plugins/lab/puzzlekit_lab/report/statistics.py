"""Means, confidence intervals, and branching of search trees."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp, log
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

RESAMPLES = 2000  # of a bootstrap
LEAST_NODES = 1.0  # in a geometric mean, fewer nodes count as this number
LEAST_SECONDS = 1e-6  # clocks are not more precise, so a shorter time counts as this time
LEAST_VALUES = 5  # a bootstrap needs this number of values, or equal values
_SEED = 1


class Interval(NamedTuple):
    """A mean and its 95 % confidence interval, which is None for too few values."""

    value: float
    low: float | None
    high: float | None


@lru_cache(maxsize=8)
def _draws(count: int) -> NDArray[Any]:
    """Return how often each value is drawn in each resample: (RESAMPLES, count) float64."""
    from numpy import full
    from numpy.random import default_rng

    drawn = default_rng(_SEED).multinomial(count, full(count, 1 / count), RESAMPLES)
    return drawn.astype(float)


def mean(values: Sequence[float]) -> Interval:
    """Return the arithmetic mean, with the 95 % interval of a percentile bootstrap.

    Each resample draws, with replacement, as many values as `values` has. The interval contains the
    means of 95 % of the `RESAMPLES` resamples. The draws are seeded and the values are sorted
    first, so the order of the values does not matter. Fewer than `LEAST_VALUES` values have no
    interval, because it would mislead: the interval of three values contains the true mean only
    three times in four. The exception is two or more equal values, which always have an interval.
    Raises ValueError if `values` is empty.

    >>> mean([1, 2, 3, 4, 5])
    Interval(value=3.0, low=1.8, high=4.2)
    >>> mean([7, 8])
    Interval(value=7.5, low=None, high=None)
    """
    if not values:
        raise ValueError("a mean needs at least one value")
    ordered = sorted(map(float, values))
    value = sum(ordered) / len(ordered)
    alike = len(ordered) > 1 and ordered[0] == ordered[-1]
    if len(ordered) < LEAST_VALUES and not alike:
        return Interval(value, None, None)
    from numpy import asarray, percentile

    means = _draws(len(ordered)) @ asarray(ordered) / len(ordered)
    low, high = percentile(means, (2.5, 97.5)).tolist()
    return Interval(value, min(low, value), max(high, value))


def geometric_mean(values: Sequence[float], least: float) -> Interval:
    """Return the geometric mean, with its interval (see `mean`).

    Values below `least` count as `least`, because 0 has no logarithm.

    >>> geometric_mean([1, 100], least=1).value
    10.0
    >>> geometric_mean([0, 100], least=1).value
    10.0
    """
    found = mean([log(max(value, least)) for value in values])
    low, high = (None if each is None else _exp(each) for each in found[1:])
    return Interval(_exp(found.value), low, high)


def _exp(value: float) -> float:
    return float(f"{exp(value):.12g}")  # rounding errors end here


def geometric_ratio(
    values: Sequence[float], others: Sequence[float], least: float = LEAST_NODES
) -> Interval:
    """Return the geometric mean of the ratios of `values` to `others`, with its interval.

    Numbers below `least` count as `least`.

    >>> geometric_ratio([2, 20], [1, 10]).value
    2.0
    """
    pairs = zip(values, others, strict=True)
    return geometric_mean([max(one, least) / max(other, least) for one, other in pairs], 0.0)


def branching_factor(nodes: int, depth: int) -> float | None:
    """Return the effective branching factor b: nodes = b + b^2 + ... + b^depth.

    A uniform tree of this depth, in which every node has b children, has `nodes` nodes below its
    root. `nodes` is the number of generated nodes in all iterations, and `depth` is the length of
    the answer. Returns None if `depth` is 0.

    >>> branching_factor(14, 3), branching_factor(3, 3), branching_factor(0, 0)
    (2.0, 1.0, None)
    """
    if depth < 1:
        return None
    low, high = 0.0, max(float(nodes), 1.0)
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if _tree(middle, depth) < nodes:
            low = middle
        else:
            high = middle
    return round(high, 9)


def _tree(branching: float, depth: int) -> float:
    """Return the number of nodes of a uniform tree below its root."""
    nodes = 0.0
    for _ in range(depth):
        nodes = (nodes + 1) * branching
    return nodes


def growth(generated: Sequence[int]) -> float | None:
    """Return the geometric mean of the ratios of nodes between successive iterations.

    `generated` has the number of nodes of each complete iteration, in order. 0 counts as 1. Returns
    None if there are fewer than two iterations.

    >>> growth([10, 60, 1000]), growth([10])
    (10.0, None)
    """
    if len(generated) < 2:
        return None
    first, last = max(generated[0], 1), max(generated[-1], 1)
    return _exp(log(last / first) / (len(generated) - 1))
