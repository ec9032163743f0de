"""How long bounds will take, told from how long they took so far."""

from __future__ import annotations

from math import exp
from typing import NamedTuple

_TRUST = 0.05  # the share of a bound that is worth as much as what the last bound foretells
_HALF = 0.5
_MISSED = 0.3  # the share of answers that the other method misses before their bound
_SOON = 0.1  # the share of its time after which the other method has mostly found an answer


class Later(NamedTuple):
    """What follows a bound."""

    #: The answers that a state has on average at this bound, the next one, and so on to the last.
    answers: list[float]
    #: How many times as long each bound takes as the one before.
    growth: float
    #: Seconds of another method before a bound, for each second that the bound takes.
    aside: float


def expected_nodes(nodes: int, share: float, likely: int) -> float:
    """How many nodes a bound takes, of which so many were generated within a share of it.

    `likely` is what the last bound foretells; 0 where there was none.
    """
    if not likely:
        return nodes / max(share, 1e-6)
    return max((nodes + _TRUST * likely) / (share + _TRUST), nodes)


def likely_seconds(left: float, share: float, later: Later) -> float:
    """How long the search of a random state will go on, with `left` seconds in this bound.

    As likely as not, that is: it ends at the bound by which half of all states have an answer.
    There the other method finds one before long. If it has found none, few bounds have any.

    >>> never = Later([0.0, 0.0], 10.0, 1.0)
    >>> round(likely_seconds(1.0, 0.5, never), 6)
    41.0
    >>> round(likely_seconds(1.0, 0.5, never._replace(answers=[0.0, 9.0])), 6)
    3.0
    """
    whole = left / max(1.0 - share, 1e-3)
    missed = _MISSED * later.answers[0] * (1.0 - share)
    none = exp(-missed)
    if none < _HALF:  # they are spread over the bound, and the first one ends it
        return left * (1.0 - none) / missed
    total = left
    for step, answers in enumerate(later.answers[1:], 1):
        seconds = whole * later.growth**step
        none *= exp(-answers)
        if none < _HALF:
            return total + _SOON * seconds * later.aside
        total += seconds * (1.0 + later.aside)
    return total
