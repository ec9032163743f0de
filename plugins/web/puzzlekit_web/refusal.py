"""Refused requests, as JSON objects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from puzzlekit import NoSolutionError, NotationError, PuzzlekitError, StateError, UsageError
from puzzlekit.puzzle.diagnose import Fault
from puzzlekit.search.solution import error_kind


@attrs.define(slots=False, eq=False)
class Refusal(Exception):
    """A request that is not answered.

    >>> Refusal(404, "there is no puzzle 'cuve'", hint="did you mean cube?").record()
    {'error': "there is no puzzle 'cuve'", 'kind': 'request', 'hint': 'did you mean cube?'}
    """

    #: The HTTP status.
    status: int
    #: The problem, in words.
    words: str
    #: The kind, for programs: "request", "usage", "notation", "state", "unsolved", "busy" or
    #: "environment".
    kind: str = "request"
    #: Advice on how to correct the request.
    hint: str = ""
    #: Further headers of the response.
    headers: Mapping[str, str] | None = None

    def record(self) -> dict[str, Any]:
        """Return the JSON object."""
        found = {"error": self.words, "kind": self.kind}
        return found | ({"hint": self.hint} if self.hint else {})


INTERNAL = Refusal(
    500, "internal error: please report it with the output of the terminal", "environment"
)


def status_of(error: PuzzlekitError) -> int:
    """Return the HTTP status of an error of the library."""
    if isinstance(error, UsageError):
        return 400
    return 422 if isinstance(error, (NotationError, StateError, NoSolutionError)) else 500


def error_record(error: PuzzlekitError) -> dict[str, Any]:
    """Return the JSON object of an error of the library."""
    found: dict[str, Any] = {"error": str(error), "kind": error_kind(error)}
    if isinstance(error, NotationError):
        if error.column:
            found |= {"column": error.column, "token": error.token}
        if error.hint:
            found["hint"] = error.hint
    elif isinstance(error, StateError):
        found["faults"] = fault_records(error.faults)
    return found


def fault_records(faults: Iterable[str]) -> list[dict[str, Any]]:
    """Return faults with the indices of the affected stickers, if the indices are known."""
    return [
        {"words": fault, "stickers": list(fault.facelets) if isinstance(fault, Fault) else []}
        for fault in faults
    ]
