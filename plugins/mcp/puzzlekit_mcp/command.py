"""`puzzlekit mcp`."""

from __future__ import annotations

import click

from puzzlekit import UsageError
from puzzlekit.cli import Command


@click.command("mcp", cls=Command, short_help="Serve assistants (Model Context Protocol).")
def command() -> int:
    """Serve assistants on standard input and output, by the Model Context Protocol.

    The program that starts this command is its only client. It gets the tools puzzles, solve,
    check, scramble and explain. No port is opened. The end of the input ends the server.

    \b
    Example
      puzzlekit mcp
    """
    import sys
    from contextlib import redirect_stdout
    from typing import IO, cast

    from puzzlekit_mcp.server import serve

    with redirect_stdout(sys.stderr):  # a plugin that prints would break the protocol
        streams = (getattr(each, "buffer", None) for each in (sys.__stdin__, sys.__stdout__))
        asked, answers = (cast("IO[bytes] | None", each) for each in streams)
        if asked is None or answers is None:
            raise UsageError("standard input or output is closed")
        serve(asked, answers)
    return 0
