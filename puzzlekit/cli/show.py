"""`puzzlekit show`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from puzzlekit.cli import Command, options

if TYPE_CHECKING:
    from puzzlekit.phase.solver import Solver


@click.command("show", cls=Command, short_help="Show a position: net, facelets, vectors.")
@options.puzzle_option
@options.scramble_argument
@options.state_options
def command(
    puzzle: str | None,
    scramble: tuple[str, ...],
    facelets: str | None,
    vectors: str | None,
    scheme: str | None,
) -> int:
    """Show a position: its net, its facelets and its vectors.

    Facelets and vectors are printed as the options --facelets and --vectors take them.

    \b
    Examples
      puzzlekit show --puzzle cube3 "R U R' U'"
      puzzlekit show --puzzle cube2 --facelets OGWWGYWRBOGGYRYYBROORWBB
      puzzlekit show --puzzle cube3 ""      (the solved cube)
    """
    from puzzlekit.cli import output, positions

    positions.one_source(positions.position_source(scramble, facelets, vectors))
    solver = options.load_puzzle(puzzle)
    shown = solver.puzzle
    state, symbols = positions.read_position(solver, scramble, facelets, vectors, scheme)
    if shown.layout:
        output.echo(output.net(shown, state, output.wants_colour(), symbols))
        click.echo(f"\nfacelets  {solver.to_facelets(state)}")
    else:
        click.echo("\n".join(_places(solver, state)))
    vectors_of = _vectors(solver, state)
    if vectors_of:
        click.echo(f"vectors   {vectors_of}")
    click.echo(f"solved    {'yes' if shown.is_solved(state) else 'no'}")
    return 0


def _places(solver: Solver, state: bytes) -> list[str]:
    """A line for each place: the piece there, and how it is turned."""
    lines = []
    for orbit in solver.puzzle.orbits:
        labels = solver.puzzle.labels(state, orbit)
        turns = solver.puzzle.orientations(state, orbit)
        for place, label, turn in zip(orbit.places, labels, turns, strict=True):
            turned = f", orientation {turn}" if orbit.orientations > 1 else ""
            lines.append(f"{orbit.piece} at {place}: {orbit.label_name(label)}{turned}")
    return lines


def _vectors(solver: Solver, state: bytes) -> str:
    """The vectors of a state as one text; empty if the puzzle has none."""
    from puzzlekit.errors import StateError

    named = solver.to_vectors(state)
    text = " ".join(f"{name}={','.join(map(str, numbers))}" for name, numbers in named.items())
    if not text:
        return ""
    try:
        complete = solver.from_vectors(text) == state
    except StateError:
        complete = False
    if complete:
        return text
    if not solver.puzzle.rotations:
        return "(they cannot say all of this state)"
    return "(they cannot say how the puzzle is held; turn it back first)"
