"""`puzzlekit geometry`."""

from __future__ import annotations

import click

from puzzlekit.cli import Command


@click.command(
    "geometry",
    cls=Command,
    short_help="Cut a puzzle from a solid.",
    context_settings={"ignore_unknown_options": True},  # -0.5 is a distance
)
@click.argument("description", nargs=-1, required=True, metavar="DESCRIPTION")
@click.option("--output", metavar="FILE", type=click.Path(dir_okay=False), help="Write to a file.")
def command(description: tuple[str, ...], output: str | None) -> int:
    """Cut a puzzle from a Platonic solid, and write its definition.

    DESCRIPTION is one of PuzzleGeometry: the letter of a solid (t, c, o, d, i), then pairs of a
    kind of cut and its distance from the center, where faces are at the distance 1. The kinds are f
    (faces), v (vertices) and e (edges). --puzzle reads the definition, or the description itself
    from a file whose name ends with .pg.

    \b
    Examples
      puzzlekit geometry c v 0 --output skewb.json
      puzzlekit geometry d f 0.7 --output megaminx.json
    """
    from pathlib import Path

    from puzzlekit_puzzlegeometry.cuts import cut

    for word in description:
        if word.startswith("-") and not word[1:2].isdecimal() and word[1:2] != ".":
            raise click.UsageError(f"no such option {word!r}")
    text = cut(" ".join(description)).to_json()
    if output is None:
        click.echo(text)
    else:
        Path(output).write_text(f"{text}\n", encoding="utf-8", newline="\n")
    return 0
