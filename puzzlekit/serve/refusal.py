"""What cannot be answered, in words, and as the JSON object that says so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from puzzlekit.diagnosis.diagnose import Fault
from puzzlekit.errors import NoSolutionError, NotationError, PuzzlekitError, StateError, UsageError
from puzzlekit.solve.json_records import error_kind


@attrs.define(slots=False, eq=False)
class Refusal(Exception):
    """A request that is not answered: the status, what is wrong, and what to do about it.

    `kind` is what programs go by: "request", "usage", "notation", "state", "unsolved", "busy" or
    "environment".

    >>> Refusal(404, "there is no puzzle 'cuve'", hint="did you mean cube?").record()
    {'error': "there is no puzzle 'cuve'", 'kind': 'request', 'hint': 'did you mean cube?'}
    """

    status: int
    words: str
    kind: str = "request"
    hint: str = ""
    headers: Mapping[str, str] | None = None

    def record(self) -> dict[str, Any]:
        """The JSON object."""
        found = {"error": self.words, "kind": self.kind}
        return found | ({"hint": self.hint} if self.hint else {})


INTERNAL = Refusal(
    500, "internal error: please report it, with what the terminal says", "environment"
)


def status_of(error: PuzzlekitError) -> int:
    """The HTTP status of an error of the library."""
    if isinstance(error, UsageError):
        return 400
    return 422 if isinstance(error, (NotationError, StateError, NoSolutionError)) else 500


def error_record(error: PuzzlekitError) -> dict[str, Any]:
    """The JSON object of an error of the library."""
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
    """Faults with the stickers that they are about, as far as that is known."""
    return [
        {"words": fault, "stickers": list(fault.facelets) if isinstance(fault, Fault) else []}
        for fault in faults
    ]
