"""Print results, messages and errors: columns, sizes, colours, exit codes."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from puzzlekit.errors import NoSolutionError, NotationError, PuzzlekitError, StateError, UsageError
from puzzlekit.version import DISTRIBUTION

__all__ = [
    "ENVIRONMENT",
    "INTERRUPTED",
    "can_print",
    "columns",
    "echo_json",
    "echo_line",
    "end_line",
    "exit_code",
    "is_terminal",
    "json_line",
    "print_error",
    "printable",
    "say",
    "several",
    "size",
    "wants_colour",
]


INTERRUPTED = 130
BAD_COMMAND_LINE = 2
ENVIRONMENT = 4

# The exit code of each class of errors and its subclasses. All other errors have ENVIRONMENT.
_EXIT_CODES = {NoSolutionError: 1, UsageError: 2, NotationError: 2, StateError: 3}

ENGINE_HINT = f"install puzzlekit again (pip install --force-reinstall {DISTRIBUTION})"

_ENGINE = os.path.join("puzzlekit", "engine", "")  # in the path of a module that is damaged
_MOST_FAULTS = 12  # faults that are printed
_SHOWN = 76  # characters of a text that are shown around an error


def report(error: BaseException) -> int:
    """Print an error on stderr, and return the exit code.

    If the environment variable PUZZLEKIT_DEBUG is set, raise an unexpected error again.
    """
    # Ctrl-C during an import or the creation of a class may arrive as the cause of another error.
    if isinstance(error, (KeyboardInterrupt, click.Abort)) or isinstance(
        error.__cause__, KeyboardInterrupt
    ):
        end_line()
        say("interrupted")
        return INTERRUPTED
    if isinstance(error, click.ClickException):
        return _report_usage(error)
    if isinstance(error, PuzzlekitError):
        print_error(error)
        return exit_code(error)
    if os.environ.get("PUZZLEKIT_DEBUG"):
        raise error
    if is_lack_of_memory(error):
        message = "there is not enough memory"
    elif isinstance(error, ImportError) and _ENGINE in str(error.path):
        message = f"the engine cannot be loaded: {error}; {ENGINE_HINT}"
    elif isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        message = f"{place}{error.strerror or error}"
    else:
        message = (
            f"internal error: {type(error).__name__}: {error}; please report it "
            "(PUZZLEKIT_DEBUG=1 shows where it comes from)"
        )
    say(f"error: {printable(message)}")
    return ENVIRONMENT


def exit_code(error: PuzzlekitError) -> int:
    """Return the exit code of the command line for an error.

    >>> exit_code(StateError(["edge UF is flipped"]))
    3
    """
    codes = (code for kind, code in _EXIT_CODES.items() if isinstance(error, kind))
    return next(codes, ENVIRONMENT)


def is_lack_of_memory(error: BaseException) -> bool:
    """Whether an exception means that the system is out of memory.

    >>> is_lack_of_memory(RuntimeError("can't start new thread"))
    True
    """
    if isinstance(error, RuntimeError):  # a thread needs memory for its stack
        return "can't start new thread" in str(error)
    if isinstance(error, ImportError):  # the messages of the loader of shared libraries
        text = str(error)
        return "failed to map segment" in text or "cannot allocate memory" in text.lower()
    # Python itself can lose a MemoryError, and then raises a SystemError.
    scarce = isinstance(error, (MemoryError, SystemError))
    return scarce or getattr(error, "errno", 0) == errno.ENOMEM


def say(text: str) -> None:
    """Print a line on stderr, and colour its first word. If that fails, do nothing."""
    try:
        coloured = bool(sys.stderr and sys.stderr.isatty()) and not os.environ.get("NO_COLOR")
        kind, colon, rest = text.partition(":")
        if coloured and (colour := {"error": "red", "warning": "yellow"}.get(kind)):
            text = click.style(kind + colon, fg=colour, bold=True) + rest
        click.echo(text, err=True, color=coloured)
    except OSError:
        # A second failure for the rest of the buffer at exit would change the exit code.
        with contextlib.suppress(OSError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def end_line() -> None:
    """End the line on which the terminal shows ^C."""
    if sys.stderr and sys.stderr.isatty():
        say("")


def print_error(error: PuzzlekitError, where: str = "") -> None:
    """Print an error on stderr.

    A StateError gives one line per fault. A NotationError also gives the text, with marks below.
    """
    prefix = f"error: {where}"
    if isinstance(error, StateError):
        for fault in error.faults[:_MOST_FAULTS]:
            say(f"{prefix}{printable(fault)}")
        if len(error.faults) > _MOST_FAULTS:
            say(f"{prefix}and {len(error.faults) - _MOST_FAULTS} more")
        return
    say(f"{prefix}{printable(str(error))}")
    if isinstance(error, NotationError) and error.column:
        for line in marked(error):
            say(f"  {line}")


def printable(text: str) -> str:
    """Replace each character that could disturb a terminal by a question mark.

    >>> printable("R\\x1b[31m U")
    'R?[31m U'
    """
    return "".join(char if char.isprintable() else "?" for char in text)


def marked(error: NotationError) -> tuple[str, str]:
    """Return the line of the text with the error, and a line of marks under the wrong part.

    >>> error = NotationError("not a move", text="R U Qx F", token="Qx", column=5)
    >>> print(*marked(error), sep="\\n")
    R U Qx F
        ^^
    """
    from unicodedata import combining, east_asian_width

    def width(text: str) -> int:
        return sum(
            0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text
        )

    before, after = error.text[: error.column - 1], error.text[error.column - 1 :]
    before = before[max(before.rfind(end) for end in "\n\r") + 1 :]
    after = after.partition("\n")[0].partition("\r")[0]
    if len(before) > _SHOWN // 2:
        before = "..." + before[3 - _SHOWN // 2 :]
    room = _SHOWN - len(before)
    if len(after) > room:
        after = after[: room - 3] + "..."
    token = after[: max(1, len(error.token))]
    before, after = printable(before), printable(after)
    return before + after, " " * width(before) + "^" * max(1, width(token))


def _report_usage(error: click.ClickException) -> int:
    if isinstance(error, click.UsageError) and error.ctx is not None:
        if type(error).__name__ == "NoArgsIsHelpError":
            say(error.ctx.get_help())
            return BAD_COMMAND_LINE
        command = error.ctx.command_path
    else:
        command = "puzzlekit"
    message = printable(" ".join(error.format_message().rstrip(".").split()))
    say(f"error: {message[:1].lower()}{message[1:]}")
    say(f"'{command} --help' explains the command")
    return BAD_COMMAND_LINE


def is_terminal() -> bool:
    """Whether stdout is a terminal."""
    return bool(sys.stdout and sys.stdout.isatty())


def can_print(text: str) -> bool:
    """Whether the encoding of stdout has all characters of a text."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def wants_colour() -> bool:
    """Whether to colour stdout.

    NO_COLOR and FORCE_COLOR decide if set. Otherwise stdout is coloured if it is a terminal.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return is_terminal() and os.environ.get("TERM") != "dumb"


def echo(text: str) -> None:
    """Print text that may contain colours. The caller decides whether to colour the text."""
    click.echo(text, color=True)


def echo_line(text: str) -> None:
    """Print one of many lines, which the next program can read at once.

    It takes a third of the time of `click.echo`, and never removes colours.
    """
    if sys.stdout is not None:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()


def json_line(command: str, **fields: Any) -> str:
    """Return the JSON object of a command (schema/<command>.schema.json) as a line of ASCII."""
    from puzzlekit.search.solution import as_json

    return as_json({"schema": f"puzzlekit.{command}/1", **fields})


def echo_json(command: str, **fields: Any) -> None:
    """Print the JSON object of a command."""
    click.echo(json_line(command, **fields))


def columns(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Align rows of cells in columns. The columns in `right` are right-aligned.

    >>> print(columns([["a", "1", "x"], ["bcd", "10", "y"]], right=[1]))
    a     1  x
    bcd  10  y
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def size(nbytes: int) -> str:
    """Format a number of bytes for people.

    >>> size(480), size(78_732), size(2_300_000)
    ('480 B', '79 kB', '2.3 MB')
    """
    if nbytes < 1000:
        return f"{nbytes} B"
    value = nbytes / 1000
    units = ["GB", "MB", "kB"]
    while value >= 999.5 and len(units) > 1:
        value /= 1000
        units.pop()
    return f"{value:.1f} {units[-1]}" if value < 9.95 else f"{value:.0f} {units[-1]}"


def several(count: int, noun: str) -> str:
    """Format a number with its noun.

    >>> several(1, "table"), several(1200, "move")
    ('1 table', '1,200 moves')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
