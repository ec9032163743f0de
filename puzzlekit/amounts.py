"""Check that numbers of options, requests and arguments lie within bounds."""

import reprlib
from math import inf
from typing import Any, NamedTuple

from puzzlekit.errors import UsageError

__all__ = ["Amount", "check_kind", "seconds", "shown", "whole"]

_LONG = 10**30  # messages do not repeat larger numbers


class Amount(NamedTuple):
    """The numbers that are allowed: from `least` to `most`, only integers if `whole` is true.

    Messages describe the allowed numbers by `words`.

    >>> whole(0, 5000).check(7)
    7
    >>> whole(0, 5000).check(True)
    Traceback (most recent call last):
    ...
    ValueError: must be a whole number from 0 to 5,000, not True
    """

    words: str
    least: float
    most: float
    whole: bool = True

    def fits(self, value: object) -> bool:
        """Whether a value is an allowed number. A bool is never allowed."""
        kinds = int if self.whole else (int, float)
        number: Any = value if isinstance(value, kinds) and not isinstance(value, bool) else None
        return number is not None and self.least <= number <= self.most

    def check(self, value: Any) -> Any:
        """Return the value if it is allowed, else raise a ValueError.

        The caller puts the name of the value before the message.
        """
        if not self.fits(value):
            raise ValueError(f"must be {self.words}, not {shown(value)}")
        return value

    def check_argument(self, name: str, value: object) -> None:
        """Raise a UsageError that names the argument if its value is not allowed."""
        try:
            self.check(value)
        except ValueError as error:
            raise UsageError(f"{name} {error}") from None


def whole(least: int, most: int) -> Amount:
    """Return an `Amount` that allows the integers from `least` to `most`."""
    return Amount(f"a whole number from {least:,} to {most:,}", least, most)


def seconds(most: float = inf) -> Amount:
    """Return an `Amount` that allows the times from 0 to `most`, in seconds."""
    words = "of at least 0" if most == inf else f"from 0 to {most:,g}"
    return Amount(f"a number of seconds {words}", 0, most, whole=False)


def check_kind(name: str, value: object, kind: Any, words: str) -> None:
    """Raise a UsageError that names the argument if its value is neither None nor of this kind."""
    if value is not None and not isinstance(value, kind):
        raise UsageError(f"{name} must be {words}, not {shown(value)}")


def shown(value: object) -> str:
    """Format a value for a message. A long value is shortened."""
    if isinstance(value, int) and abs(value) > _LONG:
        return "a longer one"
    return reprlib.repr(value)
