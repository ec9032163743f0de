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
    help="Where to write it; puzzlekit-NAME here without it. It must not exist yet.",
)
@click.option(
    "--title", metavar="TEXT", help="What the puzzle is called in texts; NAME without it."
)
@click.option(
    "--kind",
    default="twisty",
    metavar="KIND",
    help="What to start from: 'twisty', a Pyraminx without tips, whose moves follow from the names "
    "of its places; or 'beads', two rings of beads, whose moves are numbers. twisty unless given.",
)
def command(name: str, directory: Path | None, title: str | None, kind: str) -> int:
    """Write a plugin package for a puzzle called NAME: it installs, solves and passes its tests.

    It declares a small puzzle, with comments that say what to change, an entry point, tests and a
    README.

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
