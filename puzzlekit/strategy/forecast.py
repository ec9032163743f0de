"""Forecast the time of bounds from the bounds so far."""

from __future__ import annotations

from math import exp
from typing import NamedTuple

_TRUST = 0.05  # after this share of a bound, its own nodes count as much as the last bound
_HALF = 0.5
_MISSED = 0.3  # share of the answers that the other method misses before their bound
_SOON = 0.1  # share of its time after which the other method has mostly found an answer


class Later(NamedTuple):
    """The bounds from the current one on."""

    #: Mean number of answers of a state at this bound, the next one, and so on to the last.
    answers: list[float]
    #: Ratio of the times of successive bounds.
    growth: float
    #: Seconds of another method before a bound, per second of the bound.
    aside: float


def expected_nodes(nodes: int, share: float, likely: int) -> float:
    """Return the expected number of nodes of a bound.

    `nodes` were generated in a `share` of it. `likely` is the number that the last bound predicts;
    0 if there was none.
    """
    if not likely:
        return nodes / max(share, 1e-6)
    return max((nodes + _TRUST * likely) / (share + _TRUST), nodes)


def likely_seconds(left: float, share: float, later: Later) -> float:
    """Return the median time that the search of a random state will still take.

    `left` is the rest of this bound in seconds. The search is expected to end at the bound by which
    half of all states have an answer, soon after the other method starts on it. Bounds for which
    the other method has found no answer seldom have one.

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
