"""One tree of exceptions; each carries what a person needs to mend the input."""

from __future__ import annotations

from collections.abc import Iterable


class PuzzlekitError(Exception):
    """The root of all errors that puzzlekit raises on purpose.

    >>> issubclass(StateError, PuzzlekitError)
    True
    """


class NoSolutionError(PuzzlekitError):
    """No solution exists within the limits of length, nodes or time.

    `proven` says that none exists, rather than that none was found.
    """

    proven = False


class UsageError(PuzzlekitError):
    """An option or argument that does not exist or does not fit: a method, a metric and so on."""


class DefinitionError(UsageError):
    """A definition of a puzzle, or a state written in its format, that cannot be read.

    Attributes: `problem` what is wrong, `source` the file, `where` the place in it (may be empty).

    >>> print(DefinitionError("expected a command", "my.tws", "line 3, column 1"))
    my.tws: line 3, column 1: expected a command
    """

    def __init__(self, problem: str, source: str = "", where: str = "") -> None:
        self.problem = problem
        self.source = source
        self.where = where
        super().__init__(problem, source, where)

    def __str__(self) -> str:
        """The file, the place in it, and what is wrong."""
        return ": ".join(part for part in (self.source, self.where, self.problem) if part)


class NotationError(PuzzlekitError):
    """A move sequence that cannot be read.

    Attributes: `text` the whole sequence, `token` the offending part, `column` where it starts
    (counted from 1), `hint` how to mend it (may be empty).

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
    """A state that the puzzle cannot be in; `faults` names every fault, in words.

    A fault that is a `Fault` also knows the facelets that it is about.

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
    """A puzzle, coordinate, phase or method that contradicts itself (a mistake of its author)."""


class PluginError(PuzzlekitError):
    """A plugin that cannot be imported, clashes with another, or speaks another API version."""


class TableError(PuzzlekitError):
    """Tables that cannot be built, read or stored: memory, disk, permissions."""
