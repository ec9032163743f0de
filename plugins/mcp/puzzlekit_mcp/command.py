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
    import os
    from contextlib import redirect_stdout

    from puzzlekit_mcp.server import serve

    try:
        asked, answers = click.open_file("-", "rb"), click.open_file("-", "wb")
    except RuntimeError:
        raise UsageError("standard input or output is closed") from None
    # What a plugin prints would break the protocol.
    with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
        serve(asked, answers)
    return 0
