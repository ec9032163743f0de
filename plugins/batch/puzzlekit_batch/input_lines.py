"""Read a file of positions, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import click

from puzzlekit import NotationError

_LONGEST_LINE = 4_000_000  # bytes; longer than any text that the notation reads
_ENDLESS = 1_000_000_000  # bytes of a line that is not even skipped
_SHOWN = 100  # bytes of a longer line that are kept


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
    from puzzlekit.puzzle.pasted import in_heading

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
