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
    help="Directory to write, which must not exist yet. Default: puzzlekit-NAME.",
)
@click.option("--title", metavar="TEXT", help="Title of the puzzle. Default: NAME.")
@click.option(
    "--kind",
    default="twisty",
    metavar="KIND",
    help="Template. 'twisty': a Pyraminx without tips, with moves made from names of its places. "
    "'beads': two rings of beads, with moves as lists of numbers. Default: twisty.",
)
def command(name: str, directory: Path | None, title: str | None, kind: str) -> int:
    """Write a plugin package for a puzzle called NAME: it installs, solves and passes its tests.

    The package declares a small puzzle, with comments that say what to change. It also has an entry
    point, tests and a README.

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
