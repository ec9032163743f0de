"""`puzzlekit puzzles`."""

from __future__ import annotations

import click

from puzzlekit.cli import Command, options


@click.command("puzzles", cls=Command, short_help="List puzzles, methods, metrics, vectors.")
def command() -> int:
    """List the puzzles with their methods and metrics (the default ones first) and vectors.

    Families, of which any puzzle can be named that has one of their sizes, come last.

    \b
    Example
      puzzlekit puzzles
    """
    from puzzlekit.cli.errors import print_error
    from puzzlekit.cli.output import columns
    from puzzlekit.errors import PuzzlekitError
    from puzzlekit.plugins.manager import manager
    from puzzlekit.plugins.patience import patience

    worst = 0
    for name in options.puzzle_names(click.get_current_context()):
        try:
            with patience():
                solver = options.load_puzzle(name)
        except PuzzlekitError as error:
            print_error(error, f"{name}: ")
            worst = max(worst, error.exit_code)
            continue
        click.echo(f"{name}: {solver.puzzle.title}")
        default = solver.method()
        methods = [default, *(method for method in solver.methods if method is not default)]
        rows = [["  method", method.name, method.title] for method in methods]
        searched = {
            metric.name for method in solver.methods for metric in solver.metrics(method.name)
        }
        rows += [
            [
                "  metric",
                metric.name,
                metric.title + ("" if metric.name in searched else " (reported only)"),
            ]
            for metric in solver.puzzle.metrics
        ]
        rows += [
            ["  vectors", " ".join(orbit.vectors), "for " + " ".join(orbit.places)]
            for orbit in solver.puzzle.orbits
            if orbit.vectors
        ]
        if solver.puzzle.layout:
            schemes = ", ".join(solver.puzzle.layout.schemes)
            rows.append(["  faces", solver.puzzle.layout.faces, f"colour schemes {schemes}"])
        if solver.puzzle.grid:
            numbers = solver.to_facelets(solver.puzzle.solved)
            rows.append(["  state", numbers, "this one is solved"])
        click.echo(columns(rows))
    for family in manager().families():
        click.echo(f"{family.name}: {family.title}")
        click.echo(columns([["  sizes", family.sizes], ["  example", family.example]]))
    return worst
