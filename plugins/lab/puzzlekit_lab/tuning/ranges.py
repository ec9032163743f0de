"""Which values of a parameter tuning tries."""

from __future__ import annotations

from typing import Any

import attrs

from puzzlekit import Heuristic, UsageError
from puzzlekit.search.heuristic import parameters, usage

_WIDTH = 4  # without a declared range, the largest ratio of a number to its default


@attrs.frozen
class Range:
    """The values that tuning tries for a parameter: from `low` to `high`, or the `choices`."""

    #: Name of the parameter.
    name: str
    #: Smallest number. If `low` is an int, only whole numbers are tried.
    low: Any = 0
    #: Largest number.
    high: Any = 0
    #: Whether numbers are drawn on a logarithmic scale.
    log: bool = False
    #: The values to try. If there are none, `low` and `high` give a range.
    choices: tuple[Any, ...] = ()

    def suggest(self, trial: Any) -> Any:
        """Return the value that a trial of Optuna suggests."""
        if self.choices:
            return trial.suggest_categorical(self.name, self.choices)
        if isinstance(self.low, int):
            return trial.suggest_int(self.name, self.low, self.high, log=self.log)
        value = trial.suggest_float(self.name, self.low, self.high, log=self.log)
        return self.nearest(float(f"{value:.3g}"))

    def nearest(self, value: Any) -> Any:
        """Return the value, or the nearest value in the range."""
        if self.choices:
            return value if value in self.choices else self.choices[0]
        return min(max(value, self.low), self.high)


def ranges(heuristic: Heuristic, fixed: tuple[str, ...] = ()) -> tuple[Range, ...]:
    """Return the ranges of all parameters of a heuristic, except the `fixed` parameters.

    The metadata of an attrs field declare the range of a parameter. "search" is the lowest and the
    highest number, "log" selects a logarithmic scale, and "choices" lists values. Without metadata,
    the range of a number is a quarter of its default to four times its default. If the default is
    0, the range is -1 to 1, or -4 to 4 for a whole number. A string keeps its default.

    Raises UsageError if no parameter is left to tune.

    >>> from puzzlekit import MaxSd
    >>> [each.name for each in ranges(MaxSd(), fixed=("sd",))]
    ['a']
    """
    found = [_range(field) for field in parameters(type(heuristic)) if field.alias not in fixed]
    tried = tuple(each for each in found if each is not None)
    if not tried:
        given = f" but {', '.join(fixed)}" if fixed else ""
        raise UsageError(
            f"the heuristic {usage(type(heuristic))} has no parameters{given}, so there is "
            "nothing to tune: choose another heuristic"
        )
    return tried


def _range(field: Any) -> Range | None:
    default, metadata = field.default, field.metadata
    if metadata.get("choices"):
        return Range(field.alias, choices=tuple(metadata["choices"]))
    if isinstance(default, str):
        return None
    kind = type(default)
    if "search" in metadata:
        low, high = metadata["search"]
    elif default:
        low, high = sorted((default / _WIDTH, default * _WIDTH))
    else:
        low, high = (-1, 1) if kind is float else (-_WIDTH, _WIDTH)
    log = bool(metadata.get("log", "search" not in metadata and low > 0))
    low, high = kind(low), kind(high)
    return Range(field.alias, max(low, kind(1)) if log and kind is int else low, high, log)
