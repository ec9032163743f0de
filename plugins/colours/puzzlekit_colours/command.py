"""`puzzlekit read-colours`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from puzzlekit.cli import Command, options

if TYPE_CHECKING:
    from puzzlekit_colours.decoder import Colours, Doubt

_MOST = 8  # stickers that are named


@click.command("read-colours", cls=Command, short_help="Read a state from measured colours.")
@options.puzzle_option
@click.argument("file", metavar="FILE")
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object.")
def command(puzzle: str | None, file: str, json_lines: bool) -> int:
    """Read the state of a puzzle from the measured colours of all its stickers.

    FILE has the colours in JSON, as a camera or a sensor measured them: for each face a list of
    colours, row by row as in the net that `show` prints, each of three numbers. They are RGB on any
    scale, or CIE Lab with "space": "lab". The numbered stickers of rubiks-color-resolver are read,
    too. "-" reads standard input. A cube of 2 to 7 layers needs no --puzzle.

    The command prints the stickers of the most probable legal state, which `solve --state` accepts.
    What each colour looks like is learnt from the puzzle itself, so nothing has to be calibrated.
    Warnings name the stickers that are in doubt, with the runner-up.

    \b
    Examples
      puzzlekit read-colours scan.json
      puzzlekit read-colours --puzzle pyraminx scan.json --json
      puzzlekit solve --puzzle cube3 --state "$(puzzlekit read-colours scan.json)"
    """
    from puzzlekit import UsageError
    from puzzlekit.cli.output import echo_json, say
    from puzzlekit_colours.decoder import read_colours
    from puzzlekit_colours.files import read_file

    given = read_file(file)
    name = puzzle or given.puzzle or _cube(given.faces)
    if name is None:
        counts = ", ".join(f"{face} {len(colours)}" for face, colours in given.faces.items())
        raise UsageError(
            f"{file}: these are not all stickers of a cube of 2 to 7 layers (faces and numbers of "
            f"colours: {counts}): add the others, or name the puzzle by --puzzle"
        )
    solver = options.load_puzzle(name)
    layout = solver.puzzle.layout
    if layout is None:
        raise UsageError(f"{solver.puzzle.name} has no stickers whose colours could be read")
    try:
        measured = given.in_order(layout, solver.puzzle.name)
    except UsageError as error:
        raise UsageError(f"{file}: {error}") from None
    found = read_colours(solver.puzzle, measured, given.space)
    if json_lines:
        echo_json("read-colours", **_record(solver.puzzle.name, found))
        return 0
    for words in _warnings(found):
        say(f"warning: {words}")
    click.echo(found.stickers)
    return 0


def _cube(faces: dict[str, Any]) -> str | None:
    """Return the name of the cube of 2 to 7 layers with these faces; None if there is none."""
    from math import isqrt

    counts = {len(colours) for colours in faces.values()}
    size = isqrt(max(counts))
    known = 2 <= size <= 7 and counts == {size * size}
    return f"cube{size}" if {*faces} == {*"URFDLB"} and known else None


def _warnings(found: Colours) -> list[str]:
    """Say which stickers are in doubt, those with the smallest odds first."""
    doubts = sorted(found.doubts, key=lambda each: each.odds)
    lines = [
        f"{each.sticker} is {found.names[each.read]}, or else {found.names[each.runner_up]} "
        f"(odds {each.odds:.1f} to 1)"
        for each in doubts[:_MOST]
    ]
    if len(doubts) > _MOST:
        lines.append(f"{len(doubts) - _MOST} more stickers are in doubt: scan the puzzle again")
    for face, quarters in found.turned.items():
        lines.append(f"face {face} was measured another way up; it is turned by {90 * quarters}°")
    return lines


def _record(name: str, found: Colours) -> dict[str, Any]:
    def listed(doubts: tuple[Doubt, ...]) -> list[dict[str, Any]]:
        return [each._asdict() for each in doubts]

    return {
        "puzzle": name,
        "state": found.stickers,
        "colours": found.names,
        "doubts": listed(found.doubts),
        "mended": listed(found.mended),
        "turned": found.turned,
    }
