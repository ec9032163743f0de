"""`puzzlekit show`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from puzzlekit.cli import options

if TYPE_CHECKING:
    from puzzlekit.phase.solver import Solver


@click.command("show", short_help="Show a position: net, facelets, vectors.")
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
    state = positions.read_position(solver, scramble, facelets, vectors, scheme)
    if shown.layout:
        output.echo(output.net(shown, state, output.wants_colour()))
        click.echo(f"\nfacelets  {solver.to_facelets(state)}")
    vectors_of = _vectors(solver, state)
    if vectors_of:
        click.echo(f"vectors   {vectors_of}")
    click.echo(f"solved    {'yes' if shown.is_solved(state) else 'no'}")
    return 0


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
    return text if complete else "(they cannot say how the puzzle is held; turn it back first)"
