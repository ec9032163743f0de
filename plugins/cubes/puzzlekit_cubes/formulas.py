"""Heuristics that are not admissible. They combine all distances, not only the largest one.

Each formula uses operators only, so it works for integers and NumPy arrays. It truncates its value
to an integer. The blend of the maximum and the Euclidean norm, with its constants, comes from
Nyanyan's 4x4x4 solver "Solvour".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from puzzlekit import Heuristic, Max, UsageError

__all__ = ["Blended", "Euclid", "MaxSd", "MaxSum"]


# A value below an integer by no more than this counts as the integer. Roots of squares need it.
_TOLERANCE = 1e-9
_FORMS = ("sum", "population", "sample")


def _number(
    default: float, least: float, most: float, search: tuple[float, float], log: bool = True
) -> Any:
    """A parameter from `least` to `most`; no formula overflows in this range.

    `search` is the range for tuning. With `log`, tuning samples the logarithm.
    """

    def check(heuristic: Heuristic, field: Any, value: Any) -> None:
        if not (isinstance(value, float) and least <= value <= most):
            raise UsageError(
                f"the heuristic {heuristic.name}: {field.name} has to be a number from "
                f"{least:g} to {most:g}, not {value!r}"
            )

    metadata = {"search": search, "log": log}
    return attrs.field(default=default, converter=_as_float, validator=check, metadata=metadata)


def _as_float(value: Any) -> Any:
    """A float for a number; other values are returned unchanged and refused later."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return value


def _form() -> Any:
    """The parameter that chooses the standard deviation."""

    def check(heuristic: Heuristic, field: Any, value: Any) -> None:
        if value not in _FORMS:
            raise UsageError(
                f"the heuristic {heuristic.name}: {field.name} has to be one of "
                f"{', '.join(_FORMS)}, not {value!r}"
            )

    return attrs.field(default=_FORMS[0], validator=check, metadata={"choices": _FORMS})


def _floats(distances: Sequence[Any]) -> list[Any]:
    """The distances as floats, which represent small integers of any type exactly."""
    return [1.0 * distance for distance in distances]


def _norm(values: Sequence[Any]) -> Any:
    """The Euclidean norm."""
    return sum(value * value for value in values) ** 0.5


def _deviation(values: Sequence[Any], form: str) -> Any:
    """The standard deviation; exactly 0 if all values are the same integer."""
    n = len(values)
    squares = (n * sum(value * value for value in values) - sum(values) ** 2) / n
    divisor = {"sum": 1, "population": n, "sample": max(n - 1, 1)}[form]
    return (squares / divisor) ** 0.5


def _truncated(value: Any) -> Any:
    whole = (value + _TOLERANCE) // 1
    return int(whole) if isinstance(whole, float) else whole.astype(int)


@attrs.frozen
class MaxSd(Heuristic):
    """The largest distance plus `a` times the standard deviation. It is not admissible.

    `sd` chooses the form of the standard deviation. Let s be the sum of the squared deviations of
    the n distances from their mean. The form "sum" is the root of s. The form "population" is the
    root of s / n, and "sample" the root of s / (n - 1).

    >>> MaxSd().join([3, 7, 5])
    9
    >>> MaxSd(a=2, sd="sample").join([3, 7, 5])
    11
    """

    name = "max-sd"
    is_tested = True
    a: float = _number(1.0, 0, 100, search=(0, 3), log=False)
    sd: str = _form()

    def join(self, distances: Sequence[Any]) -> Any:
        """Return the largest distance plus `a` times the standard deviation, truncated."""
        values = _floats(distances)
        return _truncated(Max().join(values) + self.a * _deviation(values, self.sd))


@attrs.frozen
class MaxSum(Heuristic):
    """The largest distance plus a share of the sum of the others. It is not admissible.

    A share of 0 gives the largest distance, and a share of 1 gives the sum. A small share lets a
    search end after far fewer nodes, and answers get only a little longer.

    >>> MaxSum(share=0.2).join([3, 7, 5])
    8
    """

    name = "max-sum"
    is_tested = True
    #: The weight of all distances but the largest one, from 0 to 1.
    share: float = _number(0.1, 0, 1, search=(0, 0.5), log=False)

    def join(self, distances: Sequence[Any]) -> Any:
        """Return the largest distance plus a share of the others, truncated."""
        values = _floats(distances)
        most = Max().join(values)
        return _truncated(most + self.share * (sum(values) - most))


@attrs.frozen
class Euclid(Heuristic):
    """The Euclidean norm of the distances. It is not admissible.

    >>> Euclid().join([3, 4, 5])
    7
    """

    name = "euclid"
    is_tested = True

    def join(self, distances: Sequence[Any]) -> Any:
        """Return the root of the sum of squares, truncated."""
        return _truncated(_norm(_floats(distances)))


@attrs.frozen
class Blended(Heuristic):
    """A blend of the largest distance and the Euclidean norm. It is not admissible.

    Let max be the largest distance, and sd the standard deviation. The weight of the norm is t =
    a^(-|max / (b sd) - c|^d), and the weight of max is 1 - t. So the weight of the norm is largest
    if max = b c sd. If all distances are equal, the estimate is max. The formula and the default
    constants come from "Solvour", Nyanyan's 4x4x4 solver.

    >>> Blended().join([3, 7, 5]), Blended().join([0, 8, 7])
    (7, 10)
    >>> Blended().join([5, 5, 5])
    5
    """

    name = "blended"
    is_tested = True
    #: The base of the weight; greater than 1.
    a: float = _number(2.0, 1.001, 1000, search=(1.05, 20))
    #: The factor of the standard deviation.
    b: float = _number(0.625, 0.001, 1000, search=(0.1, 4))
    #: The ratio max / (b sd) at which the weight of the norm is largest.
    c: float = _number(1.9, -1000, 1000, search=(0, 6), log=False)
    #: The exponent of the weight. If it is larger, the norm has weight only for ratios close to
    #: `c`.
    d: float = _number(2.0, 0.001, 20, search=(0.25, 8))
    #: The form of the standard deviation: see `MaxSd`.
    sd: str = _form()

    def join(self, distances: Sequence[Any]) -> Any:
        """Return the blend, truncated."""
        values = _floats(distances)
        most = Max().join(values)
        sd = _deviation(values, self.sd)
        alike = sd == 0
        ratio = most / (self.b * (sd + alike))  # `alike` avoids a division by 0
        t = self.a ** -(abs(ratio - self.c) ** self.d) * (1 - alike)
        return _truncated((1 - t) * most + t * _norm(values))
