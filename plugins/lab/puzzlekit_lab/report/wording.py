"""Format numbers for the terminal and the report."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit_lab.report.statistics import Interval

NOTHING = "-"  # for an unknown value


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
    return NOTHING if interval is None else _two(interval.value)


def between(interval: Interval | None, to: str = "-") -> str:
    """Return a mean with its confidence interval.

    >>> between(Interval(0.71, 0.527, 0.932)), between(Interval(2.0, None, None))
    ('0.71 (0.53-0.93)', '2.00')
    """
    if interval is None:
        return NOTHING
    if interval.low is None or interval.high is None or interval.low == interval.high:
        return _two(interval.value)
    return f"{_two(interval.value)} ({_two(interval.low)}{to}{_two(interval.high)})"


def _two(value: float) -> str:
    """Return a ratio with two decimals, or with fewer if it is large.

    A small ratio has two significant digits.

    >>> _two(0.00309), _two(0.5), _two(70065.3)
    ('0.0031', '0.50', '70,065')
    """
    if 0 < value < 0.095:
        return f"{value:.2g}"
    return f"{value:,.{2 if value < 10 else 1 if value < 100 else 0}f}"


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
    if change < 0.0005:
        return "as long"
    return f"{percent(change)} {'longer' if ratio > 1 else 'shorter'}"


def size(nbytes: int) -> str:
    """Return a number of bytes as text.

    >>> size(2_345_678), size(1234)
    ('2.35 MB', '1.23 kB')
    """
    return f"{rounded(nbytes)}B" if nbytes >= 10**6 else f"{rounded(nbytes / 1000)} kB"
