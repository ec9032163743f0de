"""`puzzlekit steps`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from puzzlekit.cli import Command, options

if TYPE_CHECKING:
    from puzzlekit import Solver
    from puzzlekit_steps.report import StepReport, StepSolution
    from puzzlekit_steps.step_method import StepMethod


@click.command("steps", cls=Command, short_help="Solve a position in the steps of a method.")
@options.puzzle_option
@options.stickers_options
@options.scramble_argument
@options.state_option
@click.option(
    "-m",
    "--method",
    metavar="NAME",
    shell_complete=options.complete_step_methods,
    help="Step method, or a .toml file that describes one. Default: the first one of the puzzle.",
)
@click.option("--metric", metavar="NAME", help="Metric. Default: the metric of the step method.")
@click.option(
    "--colours",
    metavar="ROTATIONS",
    help="Rotations by which the puzzle may be turned before the first step, such as x2; 'any' for "
    "all rotations.",
)
@options.defaulted(
    "--together", options.whole(1, 9), 1, "Number of steps that are searched together"
)
@click.option(
    "-t",
    "--timeout",
    type=options.seconds,
    help="Stop after this time: fewest-moves with its best answer so far, other methods without.",
)
@click.option("--list", "listing", is_flag=True, help="List the step methods of the puzzle.")
@click.option(
    "--explain", is_flag=True, help="Show the net after each step; '.' is a piece for later steps."
)
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object.")
def command(
    puzzle: str | None,
    given: options.Given,
    method: str | None,
    metric: str | None,
    colours: str | None,
    together: int,
    timeout: float | None,
    listing: bool,
    explain: bool,
    json_lines: bool,
) -> int:
    """Solve a position in the steps of a method that people use.

    Each step is as short as possible, and what earlier steps solved stays solved. A step with
    algorithms uses the shortest that fits.

    \b
    Examples
      puzzlekit steps --puzzle cube3 --method cfop "R U F2 D L B' R2 U2"
      puzzlekit steps --puzzle cube3 --colours any "R U F2 D L B' R2 U2"
      puzzlekit steps --puzzle cube3 --together 2 --explain "R U F2 D L B' R2 U2"
      puzzlekit steps --puzzle cube3 --method fewest-moves --timeout 10 "R U F2 D L B' R2 U2"
      puzzlekit steps --puzzle cube3 --list
    """
    from puzzlekit.cli import output, positions
    from puzzlekit.cli.progress import Searching
    from puzzlekit_steps.solving import solve_in_steps

    if explain and json_lines:
        raise click.UsageError("--explain and --json cannot be combined")
    if listing and (json_lines or any(given.sources.values())):
        raise click.UsageError("--list prints the methods only: omit --json and the position")
    solver = options.load_puzzle(puzzle)
    if listing:
        return _list(solver)
    positions.one_source(given.sources)
    chosen: StepMethod | str | None = method
    if method is not None and method.lower().endswith(".toml"):
        from puzzlekit_steps.file import read_steps

        chosen = read_steps(method)
    position = positions.read_position(solver, given)
    with Searching():
        answer = solve_in_steps(
            solver,
            position.state,
            chosen,
            metric=metric,
            colours=colours,
            together=together,
            timeout=timeout,
        )
    if json_lines:
        _print_json(solver, answer)
        return 0
    if explain:
        _explain(solver, answer)
    rows = [
        [
            step.name,
            _done(step),
            f"{step.length} {answer.metric}",
        ]
        for step in answer.steps
    ]
    output.echo(output.columns(rows, right=(2,)))
    end = "solved" if answer.solved else "all steps are done, the puzzle is not solved"
    less = f": {answer.cancelled} less, because moves cancel" if answer.cancelled else ""
    click.echo()
    if answer.cancelled or any(step.inverse for step in answer.steps):
        click.echo(f"solution: {answer}")
    if any(step.inverse for step in answer.steps):
        click.echo(f"NISS: {' '.join(_done(step) for step in answer.steps if step.moves)}")
    click.echo(f"{end} after {answer.length} {answer.metric}{less}")
    return 0


def _done(step: StepReport) -> str:
    """Return the moves of a step; moves on the inverse in parentheses, as `verify` reads them."""
    words = " ".join((*step.hold.split(), *step.moves))
    return f"({words})" if step.inverse and words else words or "(none needed)"


def _list(solver: Solver) -> int:
    from puzzlekit.cli import output
    from puzzlekit_steps.solving import no_step_methods

    if not solver.catalogue.step_methods:
        raise click.UsageError(no_step_methods(solver))
    rows = [[each.name, each.title] for each in solver.catalogue.step_methods.values()]
    output.echo(output.columns(rows))
    return 0


def _print_json(solver: Solver, answer: StepSolution) -> None:
    from puzzlekit.cli import output
    from puzzlekit.search.solution import written

    output.echo_json(
        "steps",
        puzzle=answer.puzzle,
        method=answer.method.name,
        metric=answer.metric,
        state=written(solver.puzzle, answer.state),
        solution=str(answer),
        steps=[
            {
                "name": step.name,
                "goal": step.goal,
                "hold": step.hold,
                "moves": list(step.moves),
                "length": step.length,
                "optimal": step.optimal,
                "nodes": step.nodes,
                "inverse": step.inverse,
                "after": step.after,
                "state": written(solver.puzzle, step.state),
            }
            for step in answer.steps
        ],
        length=answer.length,
        cancelled=answer.cancelled,
        solved=answer.solved,
        cpu_seconds=round(answer.cpu_seconds, 6),
    )


def _explain(solver: Solver, answer: StepSolution) -> None:
    """Print the goal of each step, and the net after it with the pieces that matter."""
    from puzzlekit.cli import output
    from puzzlekit.puzzle.net import draw_net

    puzzle = solver.puzzle
    click.echo(f"{puzzle.title}, step method {answer.method.name}: {answer.method.title}\n")
    for step in answer.steps:
        proven = ", shortest" if step.optimal else ""
        seen = f", seen after {step.after}" if step.after else ""
        click.echo(f"{step.name}: {step.goal}{seen}")
        click.echo(f"   {_done(step)}")
        click.echo(f"   {step.length} {answer.metric}{proven}\n")
        if puzzle.has_facelets:
            grey = step.grey(puzzle)
            output.echo(draw_net(puzzle, step.state, output.wants_colour(), grey=grey))
            click.echo()
