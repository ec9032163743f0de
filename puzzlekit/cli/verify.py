"""`puzzlekit verify`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from puzzlekit.cli import Command, options

if TYPE_CHECKING:
    from puzzlekit.puzzle.notation import Parentheses


@click.command("verify", cls=Command, short_help="Say whether moves solve a position.")
@options.puzzle_option
@click.argument("moves", nargs=-1, metavar="MOVES")
@click.option("--scramble", "start", metavar="S", help="Scramble or state where the moves start.")
@options.state_options
@options.parentheses_option
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object.")
def command(
    puzzle: str | None,
    definition: str | None,
    moves: tuple[str, ...],
    start: str | None,
    given: options.Given,
    parentheses: Parentheses,
    json_lines: bool,
) -> int:
    """Apply MOVES to a position and say whether the puzzle is then solved.

    The exit code is 0 if the puzzle is solved, else 1. A solved puzzle may be held in any way.
    Parentheses are groups of moves, or moves on the inverse scramble (NISS). If both are possible,
    --parentheses says which.

    \b
    Examples
      puzzlekit verify --puzzle cube3 --scramble "R U F2" "F2 U' R'"
      puzzlekit verify --puzzle cube2 --facelets OGWWGYWRBOGGYRYYBROORWBB "U2 R U' R'"
      puzzlekit verify --puzzle cube3 --scramble "R U F2" --parentheses inverse "F2 (R U)"
    """
    from puzzlekit.cli import output, positions
    from puzzlekit.puzzle.net import draw_net
    from puzzlekit.puzzle.position import read_moves

    taken = given.sources
    names = ("--facelets", "--vectors", "--state")
    positions.one_source({"--scramble": start is not None, **{name: taken[name] for name in names}})
    if not moves:
        raise click.UsageError("no moves are given: write the moves to try as arguments")
    solver = options.load_puzzle(puzzle, definition)
    held = solver.puzzle
    begun = positions.read_position(solver, given._replace(scramble=(start or "",)))
    done = read_moves(held, " ".join(moves), parentheses)
    state = held.apply(begun.state, done)
    solved = held.is_solved(state)
    if json_lines:
        from puzzlekit.search.solution import written

        output.echo_json(
            "verify",
            puzzle=held.name,
            moves=[move.name for move in done],
            lengths=held.lengths(done),
            state=written(held, state),
            solved=solved,
        )
        return 0 if solved else 1
    if held.has_facelets:
        output.echo(draw_net(held, state, output.wants_colour(), begun.symbols))
        click.echo()
    lengths = [f"{length} {metric}" for metric, length in held.lengths(done).items()]
    click.echo(f"{'solved' if solved else 'not solved'} after {', '.join(lengths)}")
    return 0 if solved else 1
