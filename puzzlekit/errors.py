"""The exceptions of puzzlekit. Each message says what is wrong and where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial

__all__ = [
    "DeclarationError",
    "DefinitionError",
    "NoSolutionError",
    "NotationError",
    "PluginError",
    "PuzzlekitError",
    "StateError",
    "TableError",
    "UsageError",
]


class PuzzlekitError(Exception):
    """Base class of all errors that puzzlekit raises on purpose."""


class NoSolutionError(PuzzlekitError):
    """No solution was found within the limits of length, nodes or time.

    `proven` is true if it is proven that no solution within the limit of length exists.
    """

    proven = False


class UsageError(PuzzlekitError):
    """An option or argument is unknown or not allowed. Example: the name of an unknown method."""


class DefinitionError(UsageError):
    """A definition of a puzzle, or a state in the format of a definition, cannot be read.

    - `problem`: what is wrong.
    - `source`: the name of the file; may be empty.
    - `where`: the line and column in the file; may be empty.

    >>> print(DefinitionError("expected a command", "my.tws", "line 3, column 1"))
    my.tws: line 3, column 1: expected a command
    """

    def __init__(self, problem: str, source: str = "", where: str = "") -> None:
        self.problem = problem
        self.source = source
        self.where = where
        super().__init__(problem, source, where)

    def __str__(self) -> str:
        """Return the file, the line and column in the file, and the problem."""
        return ": ".join(part for part in (self.source, self.where, self.problem) if part)


class NotationError(PuzzlekitError):
    """A move sequence cannot be read.

    - `problem`: what is wrong.
    - `text`: the whole sequence.
    - `token`: the part of the sequence that is wrong.
    - `column`: the column where `token` starts, counted from 1; 0 if unknown.
    - `hint`: how to correct the sequence; may be empty.

    >>> print(NotationError("not a move", text="R Q", token="Q", column=3, hint="faces: U R F"))
    column 3: 'Q': not a move (faces: U R F)
    """

    def __init__(
        self, problem: str, *, text: str = "", token: str = "", column: int = 0, hint: str = ""
    ) -> None:
        self.problem = problem
        self.text = text
        self.token = token
        self.column = column
        self.hint = hint
        where = f"column {column}: {token!r}: " if column else ""
        super().__init__(where + problem + (f" ({hint})" if hint else ""))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by keyword: the default would pass the finished message as the problem."""
        return (
            _rebuild_notation_error,
            (self.problem, self.text, self.token, self.column, self.hint),
        )


def _rebuild_notation_error(
    problem: str, text: str, token: str, column: int, hint: str
) -> NotationError:
    return NotationError(problem, text=text, token=token, column=column, hint=hint)


class StateError(PuzzlekitError):
    """The given state is impossible for the puzzle.

    `faults` is a list with a description of every fault. Some descriptions are of the class
    `Fault`, a subclass of str, which also names the wrong facelets.

    >>> print(StateError(["edge UF is flipped", "corner URF is missing"]))
    edge UF is flipped; corner URF is missing
    """

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = list(faults)
        super().__init__("; ".join(self.faults))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by the list of faults, not by the joined message."""
        return (type(self), (self.faults,))


class DeclarationError(PuzzlekitError):
    """The declaration of a puzzle, coordinate, phase or method contradicts itself."""


class PluginError(PuzzlekitError):
    """A plugin cannot be imported, clashes with another plugin, or has another API version."""


class TableError(PuzzlekitError):
    """Tables cannot be built, read or stored, because of memory, disk or permissions."""


def check_text(given: object, what: str) -> None:
    """Raise a UsageError that names the type of `given` if it is not a string.

    >>> check_text(42, "a scramble")
    Traceback (most recent call last):
    puzzlekit.errors.UsageError: a scramble is a text, not int
    """
    if not isinstance(given, str):
        raise UsageError(f"{what} is a text, not {type(given).__name__}")


def did_you_mean(name: str | None, names: Sequence[str]) -> str:
    """Return a hint with the most similar name; empty if no name is similar."""
    from difflib import get_close_matches

    folded, word = {each.lower(): each for each in names}, str(name).lower()
    near = min(get_close_matches(word, folded, 9, 0.57), key=partial(_edits, word), default="")
    return f" (did you mean {folded[near]}?)" if near else ""


@lru_cache(5000)
def _edits(a: str, b: str) -> int:
    """Return how many letters to insert, remove or replace."""
    if not (a and b):
        return len(a) + len(b)
    replaced = _edits(a[1:], b[1:]) + (a[0] != b[0])
    return min(replaced, _edits(a[1:], b) + 1, _edits(a, b[1:]) + 1)
