"""`puzzlekit serve`."""

from __future__ import annotations

import click

from puzzlekit.cli import Command, options

_PORT = 8137
_LOCAL = "only this computer reaches the page; --export writes a site for others"


@click.command(
    "serve",
    cls=Command,
    short_help="Paint, solve and replay puzzles on a page.",
    renamed={"-p": "--port N", "--address --bind --host --public": _LOCAL},
)
@click.option(
    "--port",
    type=options.whole(0, 65535),
    default=_PORT,
    help=f"Port of the server; 0 takes a free port. Default: {_PORT}.",
)
@click.option("--open", "show", is_flag=True, help="Show the page in the browser.")
@options.defaulted("--solves", options.whole(1, 64), 2, "Number of searches that may run at once")
@click.option(
    "--export",
    "directory",
    metavar="DIR",
    help="Write the page into DIR as a static site that solves in the browser. No server starts.",
)
@click.option(
    "--pyodide",
    metavar="PATH",
    envvar="PUZZLEKIT_PYODIDE",
    help="With --export: path of the npm package pyodide, a .tgz file or a directory. Default: the "
    "value of the environment variable PUZZLEKIT_PYODIDE.",
)
@click.option(
    "--puzzle",
    "puzzles",
    multiple=True,
    metavar="PUZZLE",
    shell_complete=options.complete_puzzles,
    help="With --export: a puzzle of the site; can be repeated. Default: all that are solved soon.",
)
def command(
    port: int,
    show: bool,
    solves: int,
    directory: str | None,
    pyodide: str | None,
    puzzles: tuple[str, ...],
) -> int:
    """Serve a page on this computer where you paint a puzzle and watch its solution.

    Only this computer can reach the page, which loads nothing from other servers. Its JSON API is
    described at /api/openapi.json. Ctrl-C ends the server.

    --export writes the page as a static site for any web server: the visitor's browser solves, with
    Python in WebAssembly. `npm pack pyodide` downloads the package for --pyodide.

    \b
    Examples
      puzzlekit serve --open
      puzzlekit serve --port 0
      puzzlekit serve --port 8200 --solves 1
      puzzlekit serve --export site --pyodide pyodide-314.0.7.tgz

    \b
    Exit codes
      0 ended by Ctrl-C, or the site is written   2 error in the command line
      4 the port cannot be used, or the site cannot be written
    """
    if directory is not None:
        return _export(directory, pyodide, puzzles)
    source = click.get_current_context().get_parameter_source("pyodide")
    if puzzles or source is click.core.ParameterSource.COMMANDLINE:
        raise click.UsageError("--pyodide and --puzzle need --export")
    from puzzlekit.cli.output import end_line
    from puzzlekit_web.server import serve

    def ready(address: str) -> None:
        click.echo(f"puzzlekit is at {address} (Ctrl-C ends it)")
        if show:
            import threading
            import webbrowser

            # A browser in the terminal blocks its caller, so it gets its own thread.
            threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()

    serve(port, solves, ready)
    end_line()
    return 0


def _export(directory: str, pyodide: str | None, puzzles: tuple[str, ...]) -> int:
    """Build the tables of a static site, and write the site."""
    from pathlib import Path

    from puzzlekit.cli.output import say, size
    from puzzlekit.cli.progress import Stepping, prepare
    from puzzlekit_web.export import NUMPY_HINT, PYODIDE_HINT, Export, check_pyodide
    from puzzlekit_web.worker import early_solver

    if pyodide is None:
        raise click.UsageError(f"--export needs the npm package pyodide: {PYODIDE_HINT}")
    site = Export(check_pyodide(pyodide), puzzles)
    for solver in site.solvers:
        for choice in site.choices(solver):
            prepare(solver, choice)
        if (early := early_solver(solver.puzzle.name)) is not None:
            prepare(early, early.choose())
    with Stepping(len(site.solvers), "packing tables") as steps:
        nbytes = site.write(Path(directory), steps.tell)
    click.echo(f"the site is in {directory} ({size(nbytes)})")
    if site.left_out:
        say(f"without NumPy it lacks {', '.join(site.left_out)}: {NUMPY_HINT}")
    return 0
