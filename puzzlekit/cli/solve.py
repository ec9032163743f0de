"""`puzzlekit solve`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from puzzlekit.cli import Command, options

if TYPE_CHECKING:
    from puzzlekit.puzzle.move import Metric
    from puzzlekit.search.limits import Limits
    from puzzlekit.search.options import SearchOptions


@click.command("solve", cls=Command, short_help="Solve a scramble, a state, or a random state.")
@options.puzzle_option
@options.scramble_argument
@options.state_options
@options.coordinates_option
@click.option("--random", is_flag=True, help="Solve a random state.")
@options.seed_option
@options.search_options
@options.goal_options
@options.target_options
@options.limit_options
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="List all shortest solutions. With --max-length, list all solutions up to that length.",
)
@options.sort_option
@click.option("--count", is_flag=True, help="With --all: print only the number of solutions.")
@click.option(
    "--limit",
    type=options.whole(1, 10**9),
    help="With --all: stop after this many solutions. Default with --max-length: 100.",
)
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object per answer.")
@click.option(
    "--explain", is_flag=True, help="Show the goal and moves of each phase, and the net after it."
)
def command(
    puzzle: str | None,
    definition: str | None,
    given: options.Given,
    random: bool,
    seed: int | None,
    json_lines: bool,
    explain: bool,
    everything: bool,
    sort: str | Metric | None,
    count: bool,
    limit: int | None,
    goal_facelets: str | None,
    goal_state: str | None,
    asked: SearchOptions,
    limits: Limits,
) -> int:
    """Solve a scramble, a state, or a random state.

    Give exactly one position. Without a limit, a method that improves its answers stops after a
    fraction of a second. A method that proves its answers stops when the shortest answer is proven.

    \b
    Examples
      puzzlekit solve --puzzle cube3 "R U R' F2 D L2"
      puzzlekit solve --puzzle cube3 "[R: U] (F B')3" --timeout 2 --explain
      puzzlekit solve --puzzle cube2 --facelets OGWWGYWRBOGGYRYYBROORWBB
      puzzlekit solve --puzzle cube3 --random --seed 7 --max-length 20 --json
      puzzlekit solve --puzzle cube3 --random --method optimal --threads 2 --memory 1.5GiB
      puzzlekit solve --puzzle cube3 "R U R' U' R U R'" --all
      puzzlekit solve --puzzle cube3 "R U R' U'" --all --max-length 8
      puzzlekit solve --puzzle cube3 "R U F2" --all --max-length 7 --sort ergonomic --limit 5
      puzzlekit solve --definition pyraminx.tws "U R' B" --explain
      puzzlekit solve --puzzle cube3 --random --heuristic 0=max/1=blended:a=3 --explain

    \b
    Exit codes
      0 solved   1 no solution within the limits   2 error in the command line or moves
      3 impossible state   4 tables, memory or a plugin failed   130 interrupted
    """
    from puzzlekit.cli import positions
    from puzzlekit.cli.aim import loaded
    from puzzlekit.cli.progress import Searching
    from puzzlekit.cli.solve_position import Solving
    from puzzlekit.puzzle.position import Position

    positions.one_source({**given.sources, "--random": random})
    positions.check_drawn(random, seed, given)
    if json_lines and explain:
        raise click.UsageError("--explain and --json cannot be combined")
    if everything:
        for name, value in {"--explain": explain, "--heuristic": asked.heuristic}.items():
            if value:
                raise click.UsageError(f"{name} cannot be combined with --all")
    elif count or limit is not None or sort is not None:
        name = "--count" if count else "--limit" if limit is not None else "--sort"
        raise click.UsageError(f"{name} needs --all")
    if count and sort is not None:
        raise click.UsageError("--count and --sort cannot be combined")
    if count and limit is not None:
        raise click.UsageError("--count and --limit cannot be combined")
    if count and given.scramble and given.scramble[-1].isdigit():
        number = given.scramble[-1]
        raise click.UsageError(
            f"--count takes no number, because it prints the number of solutions; use --limit "
            f"{number} to stop after {number} solutions"
        )
    solver, asked, aim = loaded(puzzle, definition, asked, given, goal_facelets, goal_state)
    search = Solving(solver, asked, limits, json_lines, random)
    try:
        with search.errors_printed():
            if random:
                position = Position(solver.random_state(seed))
            else:
                position = positions.read_position(solver, given, asked.method)
            search.asked = aim(position.symbols)
            if everything and count:
                return search.count_all(position.state)
            if everything:
                return search.list_all(position.state, limit, sort)
            choice = search.prepare(position.state)
            with Searching() as progress:
                best = search.solve(position.state, choice, progress)
    except KeyboardInterrupt:
        return search.interrupted()
    search.print(best, explain=explain, symbols=position.symbols)
    return 0
