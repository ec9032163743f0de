"""The statistics of a comparison, and how its numbers are written."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp, log
from typing import Any, NamedTuple

from numpy import asarray, full, percentile
from numpy.random import default_rng
from numpy.typing import NDArray

RESAMPLES = 2000  # of a bootstrap
LEAST_NODES = 1.0  # in a geometric mean, fewer nodes count as this number
LEAST_SECONDS = 1e-6  # clocks are not more precise, so a shorter time counts as this time
LEAST_VALUES = 5  # a bootstrap needs this number of values, or equal values
_SEED = 1

NOTHING = "-"  # for an unknown value
LEVEL = 0.05  # a smaller p-value is significant


class Interval(NamedTuple):
    """A mean and its 95 % confidence interval, which is None for too few values."""

    value: float
    low: float | None
    high: float | None


@lru_cache(maxsize=8)
def _draws(count: int) -> NDArray[Any]:
    """Return how often each value is drawn in each resample: (RESAMPLES, count) float64."""
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


def rounded(value: float | None) -> str:
    """Return a number with three significant digits, as a string.

    >>> rounded(0.01234), rounded(8.5), rounded(12345.6), rounded(2_345_678), rounded(None)
    ('0.0123', '8.5', '12,300', '2.35 M', '-')
    """
    if value is None:
        return NOTHING
    for unit, name in ((1e9, "G"), (1e6, "M")):
        if value >= unit:
            return f"{value / unit:.3g} {name}"
    return f"{float(f'{value:.3g}'):,.0f}" if value >= 100 else f"{value:.3g}"


def middle(interval: Interval | None) -> str:
    """Return a mean without its confidence interval."""
    return rounded(interval.value if interval else None)


def milliseconds(interval: Interval | None) -> str:
    """Return a mean time, given in seconds, in milliseconds."""
    return rounded(interval.value * 1000 if interval else None)


def ratio(interval: Interval | None) -> str:
    """Return a ratio without its confidence interval.

    >>> ratio(Interval(0.714, 0.527, 0.932))
    '0.71'
    """
    return NOTHING if interval is None else ratio_of(interval.value)


def between(interval: Interval | None, to: str = "-") -> str:
    """Return a mean with its confidence interval.

    >>> between(Interval(0.71, 0.527, 0.932)), between(Interval(2.0, None, None))
    ('0.71 (0.53-0.93)', '2.00')
    >>> between(Interval(0.98, 0.96, 0.9991)), between(Interval(1.0007, 1.0, 1.002))
    ('0.98 (0.96-0.999)', '1.001 (1.00-1.002)')
    """
    if interval is None:
        return NOTHING
    if interval.low is None or interval.high is None or interval.low == interval.high:
        return ratio_of(interval.value)
    return f"{ratio_of(interval.value)} ({ratio_of(interval.low)}{to}{ratio_of(interval.high)})"


def ratio_of(value: float, digits: int = 2) -> str:
    """Return a ratio with some decimals, or with fewer if it is large.

    A small ratio has two significant digits. A ratio that rounding would make 1 has more, so that
    the ends of a confidence interval show whether it contains 1.

    >>> ratio_of(0.00309), ratio_of(0.5), ratio_of(70065.3), ratio_of(1.0), ratio_of(0.99996)
    ('0.0031', '0.50', '70,065', '1.00', '0.99996')
    """
    if 0 < value < 0.095:
        return f"{value:.2g}"
    return _apart(value, digits if value < 10 else 1 if value < 100 else 0, 1.0)


def _apart(value: float, digits: int, mark: float) -> str:
    """Return a number with some decimals, or with more if they would make it equal to a mark."""
    while digits < 12 and value != mark and round(value, digits) == mark:
        digits += 1
    return f"{value:,.{digits}f}"


def p_value(p: float | None) -> str:
    """Return a p-value. Rounding never hides on which side of 0.05 it lies.

    >>> p_value(0.0004), p_value(0.0312), p_value(0.04996), p_value(0.21), p_value(1.0)
    ('<0.001', '0.031', '0.04996', '0.21', '1')
    """
    if p is None:
        return NOTHING
    if p < 0.001:
        return "<0.001"
    return "1" if p == 1 else _apart(p, 3 if p < 0.0995 else 2, LEVEL)


def percent(share: float | None) -> str:
    """Return a share in percent.

    >>> percent(1.0), percent(0.056), percent(0.0004), percent(0)
    ('100%', '5.6%', '<0.1%', '0%')
    """
    if share is None:
        return NOTHING
    if 0 < share < 0.001:
        return "<0.1%"
    if 0.999 < share < 1:
        return ">99.9%"
    return f"{100 * share:.{1 if 0 < share < 0.0995 else 0}f}%"


def listed(names: Sequence[str]) -> str:
    """Return names as a list in a sentence.

    >>> listed(["a", "b", "c"]), listed(["a"])
    ('a, b and c', 'a')
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def more(ratio: float) -> str:
    """Return the change of a length, given as a ratio, in words.

    >>> more(1.064), more(0.97), more(1.0)
    ('6.4% longer', '3.0% shorter', 'as long')
    """
    change = abs(ratio - 1)
    if change < 1e-9:  # rounding errors
        return "as long"
    return f"{percent(change)} {'longer' if ratio > 1 else 'shorter'}"


def size(nbytes: int) -> str:
    """Return a number of bytes as text.

    >>> size(2_345_678), size(1234)
    ('2.35 MB', '1.23 kB')
    """
    return f"{rounded(nbytes)}B" if nbytes >= 10**6 else f"{rounded(nbytes / 1000)} kB"
