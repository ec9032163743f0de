"""`puzzlekit solve`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from puzzlekit.cli import Command, options

if TYPE_CHECKING:
    from puzzlekit.puzzle.metric import Metric
    from puzzlekit.puzzle.puzzle import Puzzle
    from puzzlekit.solve.choice import SearchOptions
    from puzzlekit.solve.solver import Solver


@click.command(
    "solve", cls=Command, short_help="Solve a scramble, a state, or all lines of a file."
)
@options.puzzle_option
@options.scramble_argument
@options.state_options
@options.coordinates_option
@click.option("--random", is_flag=True, help="Solve a random state.")
@options.seed_option
@click.option(
    "--input",
    "source",
    type=options.Lines("rb"),
    metavar="FILE",
    help="File with one scramble or state per line; '-' reads stdin.",
)
@options.worker_options()
@click.option(
    "--unordered", is_flag=True, help="With --jobs or --cluster: print answers as they come."
)
@click.option(
    "--output",
    metavar="FILE",
    help="With --input: write one JSON object per line into this .jsonl file, or a row per line "
    "into this .parquet file. The same command again continues where it stopped.",
)
@options.search_options
@options.goal_options
@click.option(
    "--goal-facelets",
    metavar="S",
    help="Reach these stickers instead of the solved state; a dot is a sticker that does not "
    "matter.",
)
@click.option(
    "--goal-state",
    metavar="S",
    help="Go to this state instead of the solved one: a scramble, or stickers.",
)
@click.option(
    "--max-length",
    type=options.lengths,
    help="Stop at the first answer of length N or less. A method that proves its answers goes on "
    "until the shortest answer is proven.",
)
@click.option(
    "--timeout", type=options.seconds, help="Stop after this time with the best answer so far."
)
@click.option(
    "--max-nodes",
    type=options.nodes,
    help="Stop after this many nodes with the best answer so far. With one thread the answer is "
    "repeatable.",
)
@click.option("--threads", type=options.threads, default=1, help="Number of threads. Default: 1.")
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
    source: BinaryIO | None,
    workers: options.WorkerChoice,
    unordered: bool,
    output: str | None,
    json_lines: bool,
    explain: bool,
    everything: bool,
    sort: str | Metric | None,
    count: bool,
    limit: int | None,
    goal_facelets: str | None,
    goal_state: str | None,
    asked: SearchOptions,
    **limited: Any,
) -> int:
    """Solve a scramble, a state, a random state, or each line of a file.

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
      puzzlekit scramble --puzzle cube3 --count 9 | puzzlekit solve --puzzle cube3 --input -
      puzzlekit scramble -p cube3 --count 99 | puzzlekit solve -p cube3 --input - --jobs 2
      puzzlekit solve --puzzle cube3 --random --method optimal --cluster tcp://host:8786

    \b
    Exit codes
      0 solved   1 no solution within the limits   2 error in the command line or moves
      3 impossible state   4 tables, memory or a plugin failed   130 interrupted
    """
    from puzzlekit.cli import positions
    from puzzlekit.cli.progress import Searching
    from puzzlekit.cli.solve_position import OF_A_POSITION, Solving
    from puzzlekit.position.position import Position
    from puzzlekit.run.limits import Limits
    from puzzlekit.solve.unknown_names import check_names

    positions.one_source({**given.sources, "--random": random, "--input": source is not None})
    if seed is not None and not random:
        raise click.UsageError("--seed needs --random")
    if json_lines and explain:
        raise click.UsageError("--explain and --json cannot be combined")
    for name, value in {"--scheme": given.scheme, "--order": given.order}.items():
        if random and value is not None:
            raise click.UsageError(
                f"{name} cannot be combined with --random: {name} explains stickers, and a random "
                "state is drawn without stickers"
            )
    if source is not None and explain:
        raise click.UsageError(
            "--explain cannot be combined with --input, because --explain shows one position"
        )
    _check_lines(source, unordered, output)
    limits = Limits(**limited)
    if everything:
        _check_all(asked.heuristic, source, explain, workers)
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
    solver = options.load_puzzle(puzzle, definition, asked.memory)
    if definition is not None:
        asked = asked._replace(memory=None)  # already used to derive the method
    if goal_facelets is not None and asked.goal is not None:
        raise click.UsageError("--goal and --goal-facelets cannot be combined")
    check_names(solver, asked if goal_facelets is None else asked._replace(goal=goal_facelets))
    if goal_facelets is None and (asked.profile is not None or asked.memory is not None):
        solver.choose(asked)  # reports errors before anything is read
    aim = partial(_aimed, solver, asked, given, goal_facelets, goal_state)
    if source is not None:
        from puzzlekit.cli.solve_lines import LinesSolver

        search = Solving(solver, aim(), limits, json_lines, random)
        return LinesSolver(search, source, given, aim, workers, output).run(unordered)
    search = Solving(solver, asked, limits, json_lines, random)
    try:
        if random:
            position = Position(solver.random_state(seed))
        else:
            position = positions.read_position(solver, given, asked.method)
        search.asked = aim(position.symbols)
        if everything:
            if count:
                return search.count_all(position.state)
            return search.list_all(position.state, limit, sort)
        with search.shared(position.state, workers) as choice, Searching() as progress:
            best = search.solve(position.state, choice, progress)
    except OF_A_POSITION as error:
        if json_lines:
            from puzzlekit.solve.json_records import as_json, error_record

            click.echo(as_json(error_record(solver.puzzle.name, error)))
        raise
    except KeyboardInterrupt:
        return search.interrupted()
    search.print(best, explain=explain, symbols=position.symbols)
    return 0


def _aimed(
    solver: Solver,
    asked: SearchOptions,
    given: options.Given,
    goal_facelets: str | None,
    goal_state: str | None,
    symbols: Mapping[str, str] | None = None,
) -> SearchOptions:
    """Return the options with the given goal and target.

    Their stickers are read in the `symbols` of the position, if they have only these symbols.
    """
    puzzle = solver.puzzle
    if goal_facelets is not None:
        from puzzlekit.goal.showing import read_stickers

        own = given.scheme, given.order, symbols
        asked = asked._replace(goal=read_stickers(puzzle, goal_facelets, *own))
    if goal_state is not None:
        scheme = given.scheme or _scheme_of(puzzle, symbols, goal_state)
        target = solver.read_position(goal_state, scheme, given.order)
        asked = asked._replace(target=target.state)
    return asked


def _scheme_of(puzzle: Puzzle, symbols: Mapping[str, str] | None, text: str) -> str | None:
    """Return the symbols in the order of the faces; None if the stickers in a text have others."""
    from puzzlekit.position.position import stickers_in
    from puzzlekit.position.sticker_reading import stickers_of

    stickers = stickers_in(puzzle, text)
    if not symbols or stickers is None or puzzle.layout is None:
        return None
    faces = puzzle.layout.faces
    scheme = "".join(sorted(symbols, key=lambda symbol: faces.index(symbols[symbol])))
    return scheme if {*stickers_of(puzzle.layout, stickers, scheme)} <= {*scheme} else None


def _check_lines(
    source: BinaryIO | None,
    unordered: bool,
    output: str | None,
) -> None:
    """Raise a UsageError for options of lines that cannot be combined."""
    given = {"--unordered": unordered, "--output": output is not None}
    for name, there in given.items():
        if there and source is None:
            raise click.UsageError(f"{name} is for lines of a file: it needs --input")
    if output is not None:
        from puzzlekit.batches.results_file import check_name

        check_name(output)


def _check_all(
    heuristic: object, source: BinaryIO | None, explain: bool, workers: options.WorkerChoice
) -> None:
    """Raise a UsageError for options that cannot be combined with --all."""
    given = {
        "--input": source,
        "--explain": explain,
        "--heuristic": heuristic,
        "--jobs": workers.jobs,
        "--cluster": workers.cluster,
    }
    for name, value in given.items():
        if value:
            raise click.UsageError(f"{name} cannot be combined with --all")
