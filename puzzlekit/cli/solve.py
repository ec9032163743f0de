"""`puzzlekit solve`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from puzzlekit.cli import Command, options
from puzzlekit.errors import NoSolutionError, NotationError, PuzzlekitError, StateError

if TYPE_CHECKING:
    from puzzlekit.cli.progress import Searching
    from puzzlekit.run.limits import BoundReport, Limits, Progress
    from puzzlekit.solve.choice import Choice, SearchOptions
    from puzzlekit.solve.solution import Solution
    from puzzlekit.solve.solver import Solver

_USUAL_LIMIT = 100  # solutions that --all lists with --max-length

# Errors of a single position. All other errors end the command at once.
_OF_A_POSITION = (NoSolutionError, NotationError, StateError)


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
@options.search_options
@options.goal_options
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
    json_lines: bool,
    explain: bool,
    everything: bool,
    count: bool,
    limit: int | None,
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
      puzzlekit solve --definition pyraminx.tws "U R' B" --explain
      puzzlekit solve --puzzle cube3 --random --heuristic 0=max/1=blended:a=3 --explain
      puzzlekit scramble --puzzle cube3 --count 9 | puzzlekit solve --puzzle cube3 --input -

    \b
    Exit codes
      0 solved   1 no solution within the limits   2 error in the command line or moves
      3 impossible state   4 tables, memory or a plugin failed   130 interrupted
    """
    from puzzlekit.cli import positions
    from puzzlekit.cli.progress import Searching
    from puzzlekit.position.position import Position
    from puzzlekit.run.limits import Limits
    from puzzlekit.solve.unknown_names import check_names

    positions.one_source({**given.sources, "--random": random, "--input": source is not None})
    if seed is not None and not random:
        raise click.UsageError("--seed needs --random")
    if json_lines and explain:
        raise click.UsageError("--explain and --json cannot be combined")
    if random and given.scheme is not None:
        raise click.UsageError("--scheme is for stickers: it cannot be combined with --random")
    if source is not None and explain:
        raise click.UsageError("--explain shows one position: it cannot be combined with --input")
    limits = Limits(**limited)
    if everything:
        _check_all(asked.heuristic, source, explain)
    elif count or limit is not None:
        raise click.UsageError(f"{'--count' if count else '--limit'} needs --all")
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
    check_names(solver, asked)
    if goal_state is not None:
        asked = asked._replace(target=solver.read_position(goal_state, given.scheme).state)
    if asked.profile is not None or asked.memory is not None:
        solver.choose(asked)  # reports errors before anything is read
    search = _Solving(solver, asked, limits, json_lines)
    if source is not None:
        return search.lines(source, given.scheme)
    try:
        if random:
            position = Position(solver.random_state(seed))
        else:
            position = positions.read_position(solver, given, asked.method)
        if everything:
            if count:
                return search.count_all(position.state)
            return search.list_all(position.state, limit)
        choice = search.prepare(position.state)
        with Searching() as progress:
            best = search.solve(position.state, choice, progress)
    except _OF_A_POSITION as error:
        if json_lines:
            from puzzlekit.solve.json_records import as_json, error_record

            click.echo(as_json(error_record(solver.puzzle.name, error)))
        raise
    except KeyboardInterrupt:
        return search.interrupted()
    search.print(best, explain=explain, symbols=position.symbols)
    return 0


def _check_all(heuristic: object, source: BinaryIO | None, explain: bool) -> None:
    """Raise a UsageError for options that cannot be combined with --all."""
    given = {"--input": source, "--explain": explain, "--heuristic": heuristic}
    for name, value in given.items():
        if value:
            raise click.UsageError(f"{name} cannot be combined with --all")


class _Solving:
    """Solves positions one after the other, and prints the answers.

    After Ctrl-C it prints the best answer so far.
    """

    def __init__(
        self, solver: Solver, asked: SearchOptions, limits: Limits, json_lines: bool
    ) -> None:
        self.solver = solver
        self.asked = asked
        self.limits = limits
        self.json_lines = json_lines
        self.best: Solution | None = None
        self.at_least = 0
        self.started = self.cpu_started = 0.0

    def prepare(self, state: bytes | None = None, choice: Choice | None = None) -> Choice:
        """Load or build the tables, or raise an error if the state is known to be unsolvable.

        The wait for another process that builds tables counts against --timeout.
        """
        from puzzlekit.cli.progress import prepare
        from puzzlekit.store.watchers import Patience

        choice = choice or self.solver.choose(self.asked)
        if state is not None:
            self.solver.check_reach(state, choice)
        patience = Patience(self.limits.timeout)
        with self.solver.store.watched(patience):
            prepare(self.solver, choice)
        self.limits = self.limits._replace(timeout=patience.left)
        return choice

    def list_all(self, state: bytes, limit: int | None) -> int:
        """Print each solution as soon as it is found. Stop after `limit` solutions."""
        from puzzlekit.cli.answers import listed
        from puzzlekit.cli.progress import Searching, print_all
        from puzzlekit.solve.json_records import as_json, solution_record

        choice = self.solver.choose_listing(self.asked)
        progress = Searching()
        longest = self.limits.max_length
        if limit is None and longest is not None:
            limit = _USUAL_LIMIT
        lines = (
            as_json(solution_record(self.solver, each)) if self.json_lines else listed(each)
            for each in self._everything(state, choice, progress)
        )
        none = f"no solution of at most {longest} moves was found"
        return print_all(lines, "solution", limit, "--limit", none, progress)

    def count_all(self, state: bytes) -> int:
        """Print the number of solutions, and return the exit code."""
        from puzzlekit.cli.messages import INTERRUPTED, end_line, say
        from puzzlekit.cli.output import echo_json, several
        from puzzlekit.cli.progress import Searching
        from puzzlekit.solve.json_records import written

        choice = self.solver.choose_listing(self.asked)
        progress = Searching()
        found = self._everything(state, choice, progress)
        count = 0
        last: Solution | None = None
        over: BaseException | None = None
        try:
            with progress:
                for each in found:
                    last = each
                    count += 1
                    progress.tell(f"({several(count, 'solution')})")
        except (KeyboardInterrupt, NoSolutionError) as error:
            if last is None:
                raise
            over = error
        if self.json_lines:
            echo_json(
                "solve",
                puzzle=self.solver.puzzle.name,
                method=choice.method.name,
                metric=choice.metric.name,
                profile=choice.method.profile,
                state=written(self.solver.puzzle, state),
                count=count,
                length=None if last is None else last.length,
                complete=over is None,
            )
        else:
            click.echo(f"{count}")
        if isinstance(over, NoSolutionError):
            raise over
        if over is not None:
            end_line()
            say(f"interrupted after {several(count, 'solution')}: there may be more")
            return INTERRUPTED
        return 0

    def _everything(self, state: bytes, choice: Choice, progress: Searching) -> Iterator[Solution]:
        """Yield the shortest solutions, or with --max-length all solutions up to that length."""
        self.prepare(state, choice)
        limits = self._reporting(progress)
        if limits.max_length is not None:
            return self.solver.list_solutions(state, choice, limits)
        return self.solver.list_shortest(state, choice, limits)

    def solve(self, state: bytes, choice: Choice, progress: Searching) -> Solution:
        """Return the best answer within the limits, and report to `progress`."""

        def keep(solution: Solution) -> None:
            self.best = solution
            progress.tell(f"(found {solution.length} {solution.metric})")

        self.best = None
        self.at_least = 0
        self.started, self.cpu_started = perf_counter(), process_time()
        limits = self._reporting(progress)
        solution = self.solver.search(state, choice, limits, on_answer=keep)
        self.best = None  # not an answer to the next position
        return solution

    def _reporting(self, progress: Searching) -> Limits:
        """Return the limits, with callbacks that report to `progress`."""
        from puzzlekit.cli import answers

        def report(bound: BoundReport) -> None:
            self.at_least = bound.at_least
            progress.tell(answers.progress(bound))

        def tell(news: Progress) -> None:
            progress.tell(answers.bound_progress(news))

        watched = tell if progress.shown else None
        return self.limits._replace(on_bound=report, on_progress=watched)

    def lines(self, source: BinaryIO, scheme: str | None) -> int:
        """Solve a file line by line, and return the largest exit code of its lines."""
        from puzzlekit.cli.messages import exit_code, print_error
        from puzzlekit.cli.positions import read_lines
        from puzzlekit.cli.progress import Searching
        from puzzlekit.solve import json_records as records

        choice = self.prepare()
        worst = 0
        solved = 0
        # On a terminal the answers themselves show the progress.
        with Searching(shown=not (sys.stdout and sys.stdout.isatty())) as progress:
            for number, text, unread in read_lines(source):
                line = {"line": number, "text": text}
                try:
                    if unread:
                        raise unread
                    state = self.solver.read_position(text, scheme).state
                    solution = self.solve(state, choice, progress)
                except _OF_A_POSITION as error:
                    worst = max(worst, exit_code(error))
                    if self.json_lines:
                        record = records.error_record(self.solver.puzzle.name, error)
                        click.echo(records.as_json(record | line))
                    print_error(error, f"line {number}: ")
                except KeyboardInterrupt:
                    return self.interrupted(line)
                else:
                    solved += 1
                    self.print(solution, line)
                progress.tell(f"(line {number}, {solved} solved)")
        return worst

    def print(
        self,
        solution: Solution,
        line: dict[str, Any] | None = None,
        explain: bool = False,
        symbols: Mapping[str, str] | None = None,
    ) -> None:
        """Print an answer for people, or as JSON. An answer to a line of a file is one line too."""
        from puzzlekit.cli import answers, output

        if self.json_lines:
            from puzzlekit.solve.json_records import as_json, solution_record

            click.echo(as_json(solution_record(self.solver, solution) | (line or {})))
        elif line:
            click.echo(answers.one_line(solution, line["line"]))
        else:
            if explain and self.solver.explanation:
                click.echo("\n".join([*self.solver.explanation, ""]))
            show = answers.explain if explain else answers.describe
            output.echo(show(self.solver, solution, output.wants_colour(), symbols))

    def interrupted(self, line: dict[str, Any] | None = None) -> int:
        """After Ctrl-C, print the best answer so far, with the time until now."""
        from puzzlekit.cli.messages import INTERRUPTED, end_line, say
        from puzzlekit.solve.json_records import as_json, error_record

        best = self.best
        seconds, cpu_seconds = perf_counter() - self.started, process_time() - self.cpu_started
        end_line()
        if best is not None:
            best = best.evolve(
                seconds=max(best.seconds, seconds),
                cpu_seconds=max(best.cpu_seconds, cpu_seconds),
                at_least=max(best.at_least, self.at_least),
            )
            self.print(best, line)
        elif self.json_lines:
            error = PuzzlekitError("interrupted before an answer was found")
            record = error_record(self.solver.puzzle.name, error) | {"kind": "interrupted"}
            click.echo(as_json(record | (line or {})))
        told = "this is the best answer so far" if best else "no answer was found yet"
        say(f"interrupted: {told}")
        return INTERRUPTED
