"""`puzzlekit check`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from puzzlekit.cli import Command, options
from puzzlekit.cli.errors import print_error, printable, say
from puzzlekit.errors import StateError
from puzzlekit.puzzle.diagnosis import diagnose

if TYPE_CHECKING:
    from puzzlekit.phase.solver import Solver
    from puzzlekit.puzzle.puzzle import Puzzle


@click.command("check", cls=Command, short_help="Say what is wrong with a state.")
@options.puzzle_option
@options.scramble_argument
@options.state_options
@options.coordinates_option
@options.method_option
def command(
    puzzle: str | None,
    definition: str | None,
    scramble: tuple[str, ...],
    defined: str | None,
    facelets: str | None,
    vectors: str | None,
    coordinates: str | None,
    method: str | None,
    scheme: str | None,
) -> int:
    """Say what is wrong with a state, without solving it.

    Every fault is named: stickers, pieces that are missing, double, twisted or flipped, parity; and
    where one sticker or one piece is wrong, what mends it. The exit code is 3 if there is a fault.

    \b
    Examples
      puzzlekit check --puzzle cube2 --facelets OGWWGYWRBOGGYRYYBROORWBB
      puzzlekit check --puzzle cube3 --vectors "cp=0,1,2,3,4,5,6,7 co=1,0,0,0,0,0,0,0
        ep=0,1,2,3,4,5,6,7,8,9,10,11 eo=0,0,0,0,0,0,0,0,0,0,0,0"
    """
    from puzzlekit.cli import positions
    from puzzlekit.phase.naming import check_names

    positions.one_source(
        positions.position_source(scramble, facelets, vectors, coordinates, defined)
    )
    solver = options.load_puzzle(puzzle, definition)
    check_names(solver, method, None, None)
    try:
        state = positions.read_position(
            solver, scramble, facelets, vectors, scheme, coordinates, method, defined
        ).state
    except StateError as error:
        print_error(error)
        if facelets is not None or scramble:
            for words in _repairs(solver.puzzle, facelets, " ".join(scramble), scheme):
                say(f"repair: {printable(words)}")
        return error.exit_code
    solved = " and is solved" if solver.puzzle.is_solved(state) else ""
    click.echo(f"no faults: the {solver.puzzle.title} can be in this state{solved}")
    if solver.puzzle.grid is not None and solver.puzzle.grid.other is not None:
        click.echo(_goals(solver, state, *solver.puzzle.grid.other))
    return 0


def _goals(solver: Solver, state: bytes, name: str, written: str) -> str:
    """What is meant by solved, and whether the puzzle with another goal can be in a state too."""
    own = solver.to_facelets(solver.puzzle.solved)
    possible = not diagnose(options.load_puzzle(name).puzzle, state)
    also = "can be in this state too" if possible else "cannot be in this state"
    return f"goal: {own}; {name}, with the goal {written}, {also}"


def _repairs(puzzle: Puzzle, given: str | None, text: str, scheme: str | None) -> list[str]:
    """In words, the smallest changes that mend the stickers `given`, or else those in a text."""
    from puzzlekit.puzzle.facelets import fold, interpret
    from puzzlekit.puzzle.position import stickers_in
    from puzzlekit.puzzle.repair import repairs

    if puzzle.layout is None:
        return []
    stickers = fold(puzzle.layout, given or stickers_in(puzzle, text) or "")
    found = repairs(puzzle, interpret(puzzle, stickers, scheme), stickers)
    return [repair.words for repair in found]
