"""TOML files in which users describe metrics and steps."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from puzzlekit.errors import UsageError

__all__ = ["check_keys", "toml_table", "toml_text"]

_LARGEST = 100_000  # bytes


def toml_text(path: Path, what: str) -> str:
    """Return the text of a file. `what` says what the file describes: "a metric".

    Raises UsageError if the file cannot be read, has more than 100 kB, or is not UTF-8 text.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(_LARGEST + 1)  # a device has no size and no end
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    if len(raw) > _LARGEST:
        raise UsageError(f"{path}: this file is too large for the description of {what}")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{path}: this file is not UTF-8 text") from None


def toml_table(text: str, source: str) -> dict[str, Any]:
    """Return the keys and values of a string in TOML; `source` is its name in messages.

    Raises UsageError if the string is not TOML.

    >>> toml_table('arms = [["R", "L"]]', "robot.toml")
    {'arms': [['R', 'L']]}
    """
    try:
        return tomllib.loads(text)
    except ValueError as error:  # bad TOML, or a number of too many digits
        raise UsageError(f"{source}: {error}") from None
    except RecursionError:
        raise UsageError(f"{source}: lists are nested too deeply") from None


def check_keys(found: Mapping[str, object], known: Iterable[str], where: str) -> None:
    """Raise a UsageError for a key that is not known; `where` is its table in messages."""
    for key in found:
        if key not in known:
            raise UsageError(f"{where}: unknown key {key!r}; the keys are {', '.join(known)}")
