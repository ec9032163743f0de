"""`puzzlekit check`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from puzzlekit.cli import Command, options
from puzzlekit.cli.messages import exit_code, print_error, printable, say
from puzzlekit.cli.output import echo_json
from puzzlekit.errors import StateError
from puzzlekit.puzzle.diagnose import diagnose
from puzzlekit.search.solution import written

if TYPE_CHECKING:
    from puzzlekit.puzzle.puzzle import Puzzle
    from puzzlekit.search.solver import Solver


@click.command("check", cls=Command, short_help="Say what is wrong with a state.")
@options.puzzle_option
@options.scramble_argument
@options.state_options
@options.coordinates_option
@options.coordinates_method_option
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object.")
def command(
    puzzle: str | None,
    definition: str | None,
    given: options.Given,
    method: str | None,
    json_lines: bool,
) -> int:
    """Say what is wrong with a state, without solving it.

    The command names every fault: wrong stickers, parity, and pieces that are missing, double,
    twisted or flipped. If one or two stickers or one piece is wrong, it also lists repairs, the
    smallest first. Unknown stickers ("?") are filled in if the others determine them. The exit
    code is 3 if the state has a fault.

    \b
    Examples
      puzzlekit check --puzzle cube2 --facelets OGWWGYWRBOGGYRYYBROORWBB
      puzzlekit check --puzzle cube3 --vectors "cp=0,1,2,3,4,5,6,7 co=1,0,0,0,0,0,0,0
        ep=0,1,2,3,4,5,6,7,8,9,10,11 eo=0,0,0,0,0,0,0,0,0,0,0,0"
    """
    from puzzlekit.cli import positions

    positions.one_source(given.sources)
    solver = options.load_checked(puzzle, definition, method)
    try:
        state = positions.read_position(solver, given, method).state
    except StateError as error:
        print_error(error)
        found: list[str] = []
        if given.facelets is not None or given.scramble:
            found = _repairs(solver.puzzle, given)
        for words in found:
            say(f"repair: {printable(words)}")
        if json_lines:
            echo_json("check", puzzle=solver.puzzle.name, faults=error.faults, repairs=found)
        return exit_code(error)
    solved = solver.puzzle.is_solved(state)
    other = _other_goal(solver, state)
    if json_lines:
        told = {"state": written(solver.puzzle, state), "solved": solved}
        told |= {"other": other} if other else {}
        echo_json("check", puzzle=solver.puzzle.name, faults=[], repairs=[], **told)
        return 0
    also = " and is solved" if solved else ""
    click.echo(f"no faults: the {solver.puzzle.title} can be in this state{also}")
    if other:
        own = solver.to_facelets(solver.puzzle.solved)
        also = "can be in this state too" if other["possible"] else "cannot be in this state"
        click.echo(f"goal: {own}; {other['puzzle']}, with the goal {other['goal']}, {also}")
    return 0


def _other_goal(solver: Solver, state: bytes) -> dict[str, Any]:
    """Describe the puzzle with the other goal, and say whether it can be in this state.

    The result is empty if the puzzle has only one goal.
    """
    grid = solver.puzzle.grid
    if grid is None or grid.other is None:
        return {}
    name, goal = grid.other
    possible = not diagnose(options.load_puzzle(name).puzzle, state)
    return {"puzzle": name, "goal": goal, "possible": possible}


def _repairs(puzzle: Puzzle, given: options.Given) -> list[str]:
    """Describe the changes of stickers that remove all faults, the smallest first."""
    from puzzlekit.puzzle.painting import repairs
    from puzzlekit.puzzle.position import stickers_in
    from puzzlekit.puzzle.sticker_reading import interpret_text

    if puzzle.layout is None:
        return []
    try:
        text = given.facelets or stickers_in(puzzle, " ".join(given.scramble)) or ""
        stickers, reading = interpret_text(puzzle, text, given.scheme, given.order)
    except StateError:  # a net without the right rows
        return []
    return [repair.words for repair in repairs(puzzle, reading, stickers)]
