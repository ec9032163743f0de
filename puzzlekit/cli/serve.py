"""`puzzlekit serve`."""

from __future__ import annotations

import click

from puzzlekit.cli import Command, options

_PORT = 8137


@click.command("serve", cls=Command, short_help="Paint, solve and replay puzzles on a page.")
@click.option(
    "--port",
    type=options.whole(0, 65535),
    default=_PORT,
    help=f"On which port; {_PORT} without it, and 0 takes a free one.",
)
@click.option("--open", "show", is_flag=True, help="Show the page in the browser.")
@options.defaulted("--solves", options.whole(1, 64), 2, "How many searches may run at once")
def command(port: int, show: bool, solves: int) -> int:
    """Serve a page on this machine: paint the net of a puzzle, and watch its solution.

    Only this machine can reach it, and it asks no other for anything. /api/openapi.json describes
    its JSON API. Ctrl-C ends it.

    \b
    Examples
      puzzlekit serve --open
      puzzlekit serve --port 0
      puzzlekit serve --port 8200 --solves 1

    \b
    Exit codes
      0 ended by Ctrl-C   2 bad command line   4 the port cannot be used
    """
    from puzzlekit.picture.player import VIEWER_HINT
    from puzzlekit.serve import check_installed, has_viewer

    check_installed()
    from puzzlekit.cli.messages import end_line
    from puzzlekit.serve.server import serve

    def ready(address: str) -> None:
        click.echo(f"puzzlekit is at {address} (Ctrl-C ends it)")
        if not has_viewer():
            click.echo(f"the page replays solutions on the net alone; {VIEWER_HINT}")
        if show:
            import threading
            import webbrowser

            # In a thread, as a browser in the terminal keeps its caller waiting.
            threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()

    serve(port, solves, ready)
    end_line()
    return 0
