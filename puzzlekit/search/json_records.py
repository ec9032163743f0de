"""Answers as JSON objects (schema/solve.schema.json)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from puzzlekit.errors import NoSolutionError, NotationError, PuzzlekitError, StateError, UsageError
from puzzlekit.puzzle.net import facelets

if TYPE_CHECKING:
    from puzzlekit.puzzle.puzzle import Puzzle

__all__ = ["SCHEMA", "as_json", "error_kind", "error_record", "written"]

SCHEMA = "puzzlekit.solve/1"

_KINDS = {
    NoSolutionError: "unsolved",
    NotationError: "notation",
    StateError: "state",
    UsageError: "usage",
}


def as_json(record: dict[str, Any]) -> str:
    """Return a record as one line of JSON in ASCII."""
    import json

    return json.dumps(record, allow_nan=False)


def written(puzzle: Puzzle, state: bytes) -> str:
    """Return a state as text for JSON objects: facelets, numbers, or bytes in hexadecimal."""
    return facelets(puzzle, state) if puzzle.has_facelets else state.hex()


def error_kind(error: PuzzlekitError) -> str:
    """Return the kind of an error as a word for programs."""
    words = (word for kind, word in _KINDS.items() if isinstance(error, kind))
    return next(words, "environment")


def error_record(puzzle: str, error: PuzzlekitError) -> dict[str, Any]:
    """Return the JSON object of a position that cannot be read or solved."""
    record: dict[str, Any] = {
        "schema": SCHEMA,
        "puzzle": puzzle,
        "error": str(error),
        "kind": error_kind(error),
    }
    if isinstance(error, StateError):
        record["faults"] = error.faults
    elif isinstance(error, NotationError) and error.column:
        record["column"] = error.column
        record["token"] = error.token
    return record
