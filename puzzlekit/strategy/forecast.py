"""Forecast the time of bounds from the bounds so far."""

from __future__ import annotations

from math import exp
from typing import NamedTuple

# At this share of a bound, the nodes of the bound itself weigh as much as those of the last bound.
_TRUST = 0.05
_HALF = 0.5
_MISSED = 0.3  # share of the answers of a bound that the other method misses before the bound
_SOON = 0.1  # share of its time after which the other method has mostly found an answer


class Later(NamedTuple):
    """Data on the current bound and on later bounds, from which the time left is estimated."""

    #: Mean number of answers of a state at the current bound and at each later bound.
    answers: list[float]
    #: Ratio of the times of successive bounds.
    growth: float
    #: Seconds that another method takes before a bound, for each second of the bound.
    aside: float


def expected_nodes(nodes: int, share: float, likely: int) -> float:
    """Return the expected number of nodes of the whole search of a bound.

    - `nodes`: the number of nodes generated so far.
    - `share`: the estimated share of the bound that is done, from 0 to 1.
    - `likely`: the prediction from the previous bound; 0 if there is no prediction.
    """
    if not likely:
        return nodes / max(share, 1e-6)
    return max((nodes + _TRUST * likely) / (share + _TRUST), nodes)


def likely_seconds(left: float, share: float, later: Later) -> float:
    """Return the seconds that the search of a random state will probably still take (the median).

    - `left`: the number of seconds until the end of the current bound.
    - `share`: the share of the current bound that is done, from 0 to 1.

    The function assumes that the search ends at the first bound within which half of all states
    have an answer. Another method looks for answers before each bound. The function assumes that it
    finds this answer after a short time. So if it has found no answer at the current bound, an
    answer at this bound is unlikely.

    >>> never = Later([0.0, 0.0], 10.0, 1.0)
    >>> round(likely_seconds(1.0, 0.5, never), 6)
    41.0
    >>> round(likely_seconds(1.0, 0.5, never._replace(answers=[0.0, 9.0])), 6)
    3.0
    """
    whole = left / max(1.0 - share, 1e-3)
    missed = _MISSED * later.answers[0] * (1.0 - share)
    none = exp(-missed)
    if none < _HALF:  # the answers are spread over the bound, and the first one ends it
        return left * (1.0 - none) / missed
    total = left
    for step, answers in enumerate(later.answers[1:], 1):
        seconds = whole * later.growth**step
        none *= exp(-answers)
        if none < _HALF:
            return total + _SOON * seconds * later.aside
        total += seconds * (1.0 + later.aside)
    return total
