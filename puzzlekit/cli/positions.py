"""Read positions from the command line: a scramble, stickers, vectors, or lines of a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import click

from puzzlekit.cli.options import Given
from puzzlekit.errors import NotationError
from puzzlekit.position.position import Position
from puzzlekit.solve.solver import Solver

__all__ = ["one_source", "read_lines", "read_position"]

_LONGEST_LINE = 4_000_000  # bytes; longer than any text that the notation reads
_ENDLESS = 1_000_000_000  # bytes of a line that is not even skipped
_SHOWN = 100  # bytes of a longer line that are kept


def read_position(solver: Solver, given: Given, method: str | None = None) -> Position:
    """Return the position that the user gave. Coordinates are read as those of `method`."""
    if given.facelets is not None:
        from puzzlekit.position.sticker_reading import read_facelets_with_scheme

        own = given.facelets, given.scheme, given.order
        return Position(*read_facelets_with_scheme(solver.puzzle, *own))
    if given.vectors is not None:
        found = Position(solver.from_vectors(given.vectors))
    elif given.defined is not None:
        found = Position(_read_defined(solver, given.defined))
    elif given.coordinates is not None:
        found = Position(solver.from_coordinates(given.coordinates, method))
    else:
        found = solver.read_position(" ".join(given.scramble), given.scheme, given.order)
    if found.symbols is None:
        for name, value in {"--scheme": given.scheme, "--order": given.order}.items():
            if value is not None:
                raise click.UsageError(f"{name} is for stickers, but no stickers are given")
    return found


def _read_defined(solver: Solver, given: str) -> bytes:
    """Return the state that is given in the format of a definition, as text or as a file name."""
    from pathlib import Path

    from puzzlekit.definition.load import DefinedSolver, read_text

    if not isinstance(solver, DefinedSolver):
        raise click.UsageError("--state needs --definition")
    if len(given.split()) != 1 or given.startswith("{"):  # not a file name
        return solver.from_written(given)
    return solver.from_written(read_text(Path(given)), given)


def one_source(sources: dict[str, bool]) -> str:
    """Return the one source that is given.

    Raise a UsageError if no source or more than one source is given.
    """
    given = [name for name, there in sources.items() if there]
    if len(given) == 1:
        return given[0]
    *names, last = sources
    if given:
        raise click.UsageError(f"{' and '.join(given)} cannot be combined: give only one")
    raise click.UsageError(f"no position is given: use {', '.join(names)} or {last}")


def _skip_line(stream: BinaryIO, read: bytes, number: int) -> None:
    """Read the rest of a line. Raise a UsageError if it does not end, as that of a device."""
    skipped = 0
    while read and not read.endswith(b"\n"):
        read = stream.readline(_LONGEST_LINE)
        skipped += len(read)
        if skipped > _ENDLESS:
            raise click.UsageError(f"line {number} of the input is longer than 1 GB")


def read_lines(stream: BinaryIO) -> Iterator[tuple[int, str, NotationError | None]]:
    """Yield the number, the text and the error of each line as soon as the line arrives.

    Skip blank lines, comments, and the heading of a list from a timer. The error is None unless the
    line is not valid UTF-8, or is too long. The text of a line that is too long is its beginning.
    """
    from puzzlekit.position.pasted import in_heading

    number = 0
    heading = False
    while raw := stream.readline(_LONGEST_LINE + 1):
        number += 1
        if number == 1:
            if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise click.UsageError("the input is UTF-16; save it as UTF-8")
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        error = None
        if len(raw) > _LONGEST_LINE:
            _skip_line(stream, raw, number)
            raw = raw[:_SHOWN] + b"..."
            error = NotationError("the line is longer than 4 MB")
        try:
            text = raw.decode().strip()
        except UnicodeDecodeError as failure:
            text = raw.decode(errors="replace").strip()
            error = error or NotationError(
                f"byte {failure.start + 1} of the line is not UTF-8", text=text
            )
        if not text or text.startswith(("#", "//")):
            continue
        heading = in_heading(text, heading)
        if not heading:
            yield number, text, error
    if heading:
        raise click.UsageError(
            "the input is a list of times without scrambles; export it from csTimer with scrambles"
        )
