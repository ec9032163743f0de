"""`puzzlekit show`."""

from __future__ import annotations

import click

from puzzlekit.cli import options


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
      puzzlekit show --puzzle cube2 --facelets WWOOGGWWRGRGYRYRBBYYOOBB
      puzzlekit show --puzzle cube3 ""      (the solved cube)
    """
    from puzzlekit.cli import output, positions
    from puzzlekit.puzzle.facelets import facelets as facelets_of
    from puzzlekit.puzzle.vectors import format_vectors

    positions.one_source(positions.position_source(scramble, facelets, vectors))
    solver = options.load_puzzle(puzzle)
    shown = solver.puzzle
    state = positions.read_position(solver, scramble, facelets, vectors, scheme)
    if shown.layout:
        output.echo(output.net(shown, state, output.wants_colour()))
        click.echo(f"\nfacelets  {facelets_of(shown, state)}")
    vector_texts = [
        f"{name}={','.join(map(str, numbers))}"
        for name, numbers in format_vectors(shown, state).items()
    ]
    if vector_texts:
        click.echo(f"vectors   {' '.join(vector_texts)}")
    click.echo(f"solved    {'yes' if shown.is_solved(state) else 'no'}")
    return 0
