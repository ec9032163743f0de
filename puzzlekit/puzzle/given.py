"""Checks of the types of positions: strings, states, lists of moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from puzzlekit.errors import UsageError
from puzzlekit.puzzle.move import Move

__all__ = ["Given", "move_names"]

# A position as an argument: text, a state, or a list of moves or names of moves.
Given = str | bytes | Iterable[str | Move]


def move_names(given: object) -> str | None:
    """Return the names of moves in a list, as one string; None if `given` is not a list.

    >>> move_names(["R", "U2"])
    'R U2'
    >>> move_names([1, 2])
    Traceback (most recent call last):
    puzzlekit.errors.UsageError: a move in a list is a name or a Move, not int
    """
    if not isinstance(given, Iterable) or isinstance(given, (bytes, Mapping, Set)):
        return None
    names = []
    for each in given:
        name = each.name if isinstance(each, Move) else each
        if not isinstance(name, str):
            raise UsageError(f"a move in a list is a name or a Move, not {type(name).__name__}")
        names.append(name)
    return " ".join(names)


def check_text(given: object, what: str) -> None:
    """Raise a UsageError that names the type of `given` if it is not a string.

    >>> check_text(42, "a scramble")
    Traceback (most recent call last):
    puzzlekit.errors.UsageError: a scramble is a text, not int
    """
    if not isinstance(given, str):
        raise UsageError(f"{what} is a text, not {type(given).__name__}")
