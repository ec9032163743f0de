"""Which numbers an option, a field of a request or an argument takes: one check for all."""

import reprlib
from math import inf
from typing import Any, NamedTuple

from puzzlekit.errors import UsageError

_LONG = 10**30  # a number that is longer is not repeated in a message


class Amount(NamedTuple):
    """Numbers from `least` to `most`; `words` say in a message what they are.

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
        """Whether a value is one of these numbers; a bool is none."""
        kinds = int if self.whole else (int, float)
        number: Any = value if isinstance(value, kinds) and not isinstance(value, bool) else None
        return number is not None and self.least <= number <= self.most

    def check(self, value: Any) -> Any:
        """The value; a ValueError that goes on after its name if it is none of these numbers."""
        if not self.fits(value):
            raise ValueError(f"must be {self.words}, not {shown(value)}")
        return value

    def check_argument(self, name: str, value: object) -> None:
        """A UsageError that names the argument if its value is none of these numbers."""
        try:
            self.check(value)
        except ValueError as error:
            raise UsageError(f"{name} {error}") from None


def whole(least: int, most: int) -> Amount:
    """Whole numbers within bounds."""
    return Amount(f"a whole number from {least:,} to {most:,}", least, most)


def seconds(most: float = inf) -> Amount:
    """Times; 0 is one."""
    words = "of at least 0" if most == inf else f"from 0 to {most:,g}"
    return Amount(f"a number of seconds {words}", 0, most, whole=False)


def shown(value: object) -> str:
    """A value in a message, shortened."""
    if isinstance(value, int) and abs(value) > _LONG:
        return "a longer one"
    return reprlib.repr(value)
