"""Reading the bodies of requests: JSON objects whose fields are checked one by one."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

import attrs
from starlette.requests import Request

from puzzlekit.serve.refusal import Refusal
from puzzlekit.solve.unknown_names import did_you_mean

LONGEST_TIMEOUT = 3600.0  # seconds
_LONGEST_NAME = 500  # characters; messages repeat a name that is unknown


@attrs.frozen
class Field:
    """A field of a body: `read` gives its value, or raises a ValueError that says what it must be.

    Where it is not `needed` it may be left out, or null.
    """

    read: Callable[[Any], Any]
    needed: bool = False


def text(value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise ValueError("must be a text")
    return value


def name(value: Any) -> str:
    """A text that is not empty, and not long."""
    if not 0 < len(text(value)) <= _LONGEST_NAME:
        raise ValueError(f"must have 1 to {_LONGEST_NAME} characters")
    return text(value)


def whole(least: int, most: int) -> Callable[[Any], int]:
    """A whole number within bounds."""

    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise ValueError(f"must be a whole number from {least:,} to {most:,}")
        return value

    return read


def seconds(value: Any) -> float:
    """A time that a search may take."""
    fits = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not fits or not 0 <= value <= LONGEST_TIMEOUT:
        raise ValueError(f"must be a number of seconds from 0 to {LONGEST_TIMEOUT:g}")
    return float(value)


async def read_body(request: Request, fields: Mapping[str, Field]) -> dict[str, Any]:
    """The fields of the JSON object that a request has; None for those that are left out.

    A Refusal (400) names what is wrong.
    """
    given = _parsed(await request.body())
    for each in given:
        if each not in fields:
            raise Refusal(
                400,
                f"there is no field {each[:40]!r}; there are {', '.join(fields)}"
                f"{did_you_mean(each[:40], list(fields))}",
            )
    found: dict[str, Any] = {}
    for each, field in fields.items():
        value = given.get(each)
        if value is None:
            if field.needed:
                raise Refusal(400, f"the field {each!r} is missing")
            found[each] = None
            continue
        try:
            found[each] = field.read(value)
        except ValueError as error:
            raise Refusal(400, f"the field {each!r} {error}") from None
    return found


def _parsed(body: bytes) -> dict[str, Any]:
    """The object that a body is."""
    try:
        given = json.loads(body or b"{}", parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise Refusal(400, f"the body is not JSON: {str(error)[:100]}") from None
    if not isinstance(given, dict):
        raise Refusal(400, 'the body must be a JSON object, as {"stickers": "..."}')
    return given


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no number in JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError("a number is too large")
    return value
