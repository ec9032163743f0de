"""Request bodies: JSON objects, each declared by a class."""

from __future__ import annotations

import json
import math
from typing import Annotated, Any, Literal, TypeVar

import attrs

from puzzlekit.amounts import seconds, whole
from puzzlekit.search.limits import LENGTHS
from puzzlekit.search.options import did_you_mean
from puzzlekit_web.refusal import Refusal
from puzzlekit_web.structure import Characters, FieldError, structured

T = TypeVar("T")

SEEDS = whole(0, 2**53 - 1)  # the integers that JavaScript represents exactly
TIMEOUTS = seconds(3600)

Name = Annotated[str, Characters(1, 500)]  # limited because messages repeat unknown names
Stickers = Annotated[
    str,
    "One symbol for each sticker, in the order of the layout. `?` is an unpainted sticker. Blanks "
    "and the case of letters do not matter.",
]
Scheme = Annotated[
    Name | None,
    "The name of a colour scheme, or the symbols in the order of the faces. By default the scheme "
    "is derived from the stickers.",
]


@attrs.frozen
class PaintedStickers:
    """Stickers, some of which may be unpainted."""

    stickers: Stickers
    scheme: Scheme = None


@attrs.frozen
class Text:
    """A text that someone wrote or pasted."""

    text: Annotated[
        str,
        "Moves from the solved state, stickers, or a printed net. A text that begins with `moves:` "
        "is read as moves, and a text that begins with `state:` as stickers.",
    ]
    scheme: Scheme = None


@attrs.frozen
class DrawRequest:
    """A request for pictures of states."""

    frames: Annotated[tuple[Stickers, ...], "The states, as in the `frames` of an answer."]


@attrs.frozen
class FileRequest:
    """A definition file to open."""

    name: Annotated[
        Name,
        "The name of the file, whose ending says the format. If the file has several puzzles, the "
        "name of one of them follows after `#`.",
    ]
    text: Annotated[str, "The content of the file."]


@attrs.frozen
class RandomRequest:
    """A request for a random state."""

    seed: Annotated[Annotated[int, SEEDS] | None, "The same seed gives the same state."] = None


@attrs.frozen
class ScanRequest:
    """The measured colours of all stickers."""

    colours: Annotated[
        tuple[tuple[float, float, float], ...],
        "Red, green and blue of each sticker, in the order of the layout, on any scale from 0.",
    ]
    scheme: Scheme = None


@attrs.frozen
class VerifyRequest:
    """Stickers, and moves to try."""

    stickers: Stickers
    moves: Annotated[str, "The moves."]
    scheme: Scheme = None
    parentheses: Annotated[
        Literal["groups", "inverse", "ask"],
        "What parentheses in the moves mean: groups of moves, or moves on the inverse (NISS). With "
        "`ask`, moves for which the two meanings differ are an error.",
    ] = "ask"


@attrs.frozen
class WordsRequest:
    """A request for what moves do, in words."""

    stickers: Stickers
    moves: Annotated[tuple[str, ...], "The moves, as in an answer."]
    language: Annotated[Name, "The language, such as `en` or `de`."] = "en"


@attrs.frozen
class SolveRequest:
    """A state to solve, with options."""

    stickers: Stickers
    scheme: Scheme = None
    method: Annotated[Name | None, "The name of a method. Default: the default method."] = None
    heuristic: Annotated[
        Name | None,
        "The heuristics, in the form of `--heuristic` of the command line.",
    ] = None
    metric: Annotated[Name | None, "The name of a metric."] = None
    steps: Annotated[
        Name | None,
        "The name of a step method, instead of a method. The fields `method`, `heuristic` and "
        "`max_length` then have no effect.",
    ] = None
    goal: Annotated[
        str | None,
        "A goal, instead of the solved puzzle: its name, or its stickers, in the same symbols as "
        "`stickers`. An unpainted sticker does not matter. The field `method` then has no effect.",
    ] = None
    max_length: Annotated[
        Annotated[int, LENGTHS] | None,
        "The highest allowed cost of an answer. The search ends with its first answer of at most "
        "this cost, except if the method proves its answers.",
    ] = None
    timeout: Annotated[
        Annotated[float, TIMEOUTS] | None, "Seconds after which the best answer so far is sent."
    ] = None


BODIES = {
    "DrawRequest": DrawRequest,
    "FileRequest": FileRequest,
    "Painting": PaintedStickers,
    "RandomRequest": RandomRequest,
    "ScanRequest": ScanRequest,
    "SolveRequest": SolveRequest,
    "Text": Text,
    "VerifyRequest": VerifyRequest,
    "WordsRequest": WordsRequest,
}


def read_body(body: bytes, kind: type[T]) -> T:
    """Return the body of a request as an object of a class.

    A field that is null counts as missing. Raises a Refusal (400) that names the problem.
    """
    given = _parsed(body)
    known = list(attrs.fields_dict(kind))  # type: ignore[arg-type]
    for each in given:
        if each not in known:
            raise Refusal(
                400,
                f"there is no field {each[:40]!r}; the fields are {', '.join(known)}"
                f"{did_you_mean(each[:40], known)}",
            )
    try:
        return structured(kind, {name: each for name, each in given.items() if each is not None})
    except FieldError as error:
        raise Refusal(400, f"the field {error.name!r} {error}") from None


def _parsed(body: bytes) -> dict[str, Any]:
    try:
        given = json.loads(body or b"{}", parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise Refusal(400, f"the body is not JSON: {str(error)[:100]}") from None
    if not isinstance(given, dict):
        raise Refusal(400, 'the body must be a JSON object, such as {"stickers": "..."}')
    return given


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is not a number in JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError("a number is too large")
    return value
