"""`puzzlekit new`."""

from __future__ import annotations

from pathlib import Path

import click

from puzzlekit.cli import Command


@click.command("new", cls=Command, short_help="Write a plugin package to start from.")
@click.argument("name", metavar="NAME")
@click.option(
    "--directory",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Directory for the package; it must not exist yet. Default: puzzlekit-NAME.",
)
@click.option("--title", metavar="TEXT", help="Title of the puzzle. Default: NAME.")
@click.option(
    "--kind",
    default="twisty",
    metavar="KIND",
    help="Puzzle to start from. 'twisty': a Pyraminx without tips, whose moves follow from the "
    "names of its places. 'beads': two rings of beads, whose moves are lists of numbers. "
    "Default: twisty.",
)
def command(name: str, directory: Path | None, title: str | None, kind: str) -> int:
    """Write a plugin package for a puzzle called NAME.

    The package declares a small puzzle, and its comments say what to change. It also has an entry
    point, tests and a README. It works unchanged: you can install it, solve the puzzle and run the
    tests.

    \b
    Examples
      puzzlekit new dino --title "Dino cube" --directory ~/puzzles/dino
      puzzlekit new rings --kind beads
    """
    from puzzlekit.plugins.template import write_plugin

    made = write_plugin(name, directory, title, kind)
    for path in made.files:
        click.echo(path)
    click.echo(
        f"\nNext:\n  pip install -e '{made.directory}[test]'\n"
        f"  puzzlekit solve --puzzle {name} {made.scramble!r}\n  pytest {made.directory}"
    )
    return 0
