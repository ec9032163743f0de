"""Which values of a heuristic's parameters tuning tries."""

from __future__ import annotations

from typing import Any

import attrs

from puzzlekit.errors import UsageError
from puzzlekit.heuristic.heuristic import Heuristic, parameters, usage

_WIDTH = 4  # without a range of its own a number is tried up to this many times its default


@attrs.frozen
class Range:
    """The values of a parameter: from `low` to `high`, or the `choices`.

    Whole numbers are tried if `low` is one, else numbers of three digits; with `log` they are tried
    by their logarithms.
    """

    name: str
    low: Any = 0
    high: Any = 0
    log: bool = False
    choices: tuple[Any, ...] = ()

    def suggest(self, trial: Any) -> Any:
        """The value that a trial of Optuna suggests."""
        if self.choices:
            return trial.suggest_categorical(self.name, self.choices)
        if isinstance(self.low, int):
            return trial.suggest_int(self.name, self.low, self.high, log=self.log)
        value = trial.suggest_float(self.name, self.low, self.high, log=self.log)
        return self.nearest(float(f"{value:.3g}"))

    def nearest(self, value: Any) -> Any:
        """The value itself, or the one of the range that is nearest to it."""
        if self.choices:
            return value if value in self.choices else self.choices[0]
        return min(max(value, self.low), self.high)


def ranges(heuristic: Heuristic, fixed: tuple[str, ...] = ()) -> tuple[Range, ...]:
    """The ranges of a heuristic's parameters, except those that are fixed.

    The metadata of an attrs field say what to try: "search", the lowest and the highest number,
    with "log" by their logarithms, or "choices". Without, a number is tried from a quarter of its
    default to four times that (0: from -1 to 1, or -4 to 4 for a whole number); a text stays as it
    is. A UsageError where nothing is left to try.

    >>> from puzzlekit import MaxSd
    >>> [each.name for each in ranges(MaxSd(), fixed=("sd",))]
    ['a']
    """
    found = [_range(field) for field in parameters(type(heuristic)) if field.alias not in fixed]
    tried = tuple(each for each in found if each is not None)
    if not tried:
        given = f" but {', '.join(fixed)}" if fixed else ""
        raise UsageError(
            f"the heuristic {usage(type(heuristic))} has no parameters{given}: there is nothing to "
            "tune"
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
