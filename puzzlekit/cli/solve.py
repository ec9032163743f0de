"""The command solve: the search of one position, with its progress and its printed answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

import click

from puzzlekit.cli import Command, options
from puzzlekit.cli.output import INTERRUPTED, echo_json, end_line, say, several
from puzzlekit.errors import NoSolutionError, NotationError, PuzzlekitError, StateError

if TYPE_CHECKING:
    from puzzlekit.cli.progress import Searching
    from puzzlekit.puzzle.move import Metric, Move
    from puzzlekit.search.limits import BoundReport, Limits, Progress
    from puzzlekit.search.options import Choice, SearchOptions
    from puzzlekit.search.solution import Solution
    from puzzlekit.search.solver import Solver

__all__ = ["OF_A_POSITION", "Solving"]


_USUAL_LIMIT = 100  # solutions that --all lists with --max-length

# Errors of a single position. All other errors end the command at once.
OF_A_POSITION = (NoSolutionError, NotationError, StateError)


class Solving:
    """Solves positions one after the other, and prints the answers.

    After Ctrl-C it prints the best answer so far.
    """

    def __init__(
        self,
        solver: Solver,
        asked: SearchOptions,
        limits: Limits,
        json_lines: bool,
        random: bool = False,
    ) -> None:
        self.solver = solver
        self.random = random
        self._how_drawn: dict[str, str] | None = None  # the result of `_drawn`
        self.asked = asked
        self.limits = limits
        self.json_lines = json_lines
        self.best: Solution | None = None
        #: An answer from before long builds of tables.
        self.early: Solution | None = None
        self.at_least = 0
        self.started, self.cpu_started = perf_counter(), process_time()
        #: The display of the searches, and the limits with callbacks that report to it.
        self._reported: tuple[Searching, Limits] | None = None

    def prepare(self, state: bytes | None = None, choice: Choice | None = None) -> Choice:
        """Load or build the tables, or raise an error if the state is known to be unsolvable.

        With only a state, first print an answer on stderr that comes before tables that take long.

        The wait for another process that builds tables counts against --timeout. Nothing is built
        if the search needs no tables, unless `choice` is given, which is for listing answers.
        """
        from puzzlekit.search.options import missing_bytes

        listing = choice is not None
        choice = choice or self.solver.choose(self.asked)
        if not missing_bytes(choice):  # the search itself checks whether the state is reached
            self.solver.make_ready(choice)
            return choice
        if state is not None and choice.target is None:  # else the search checks the way to it
            self.solver.check_reach(state, choice)
            if not (listing or self.solver.needs_tables(state, choice, self.limits)):
                return choice
            if not listing and self._answers_early(state, choice):
                return choice
        from puzzlekit.cli.progress import prepare
        from puzzlekit.tables.watchers import Patience

        patience = Patience(self.limits.timeout)
        with self.solver.store.watched(patience):
            prepare(self.solver, choice)
        self.limits = self.limits._replace(timeout=patience.left)
        return choice

    def _answers_early(self, state: bytes, choice: Choice) -> bool:
        """Search an answer that comes before long builds, and return whether it is shortest."""
        from puzzlekit.cli.answers import listed
        from puzzlekit.cli.progress import Searching

        with Searching(what="searching a first answer"):
            self.best = self.early = self.solver.early(state, choice, self.limits)
        if self.early is not None and not self.early.optimal:
            say(f"a first answer, before tables are built: {listed(self.early)}")
        return self.early is not None and self.early.optimal

    @contextmanager
    def errors_printed(self) -> Iterator[None]:
        """With --json, print an error of the position as JSON too."""
        try:
            yield
        except OF_A_POSITION as error:
            if self.json_lines:
                from puzzlekit.search.solution import as_json, error_record

                click.echo(as_json(error_record(self.solver.puzzle.name, error)))
            raise

    def list_all(self, state: bytes, limit: int | None, sort: str | Metric | None) -> int:
        """Print each solution as soon as it is found. Stop after `limit` solutions.

        With `sort`, find all solutions first, and print the cheapest in this metric.
        """
        from puzzlekit.cli.answers import Sorting, listed
        from puzzlekit.cli.progress import Searching, print_all
        from puzzlekit.search.solution import as_json

        choice = self.solver.choose(self.asked, listing=True)
        progress = Searching()
        longest = self.limits.max_length
        if limit is None and longest is not None:
            limit = _USUAL_LIMIT
        order = None if sort is None else Sorting(self.solver, sort, choice.metric)

        def line(each: Solution) -> str:
            if not self.json_lines:
                if self._how_drawn is None:
                    self._tell_drawn(each)
                note = "" if order is None else order.note(each.moves, each.metric)
                return listed(each, note)
            rank = {} if order is None else order.record(each.moves)
            return as_json(each.to_dict() | rank | self._drawn(each))

        found = self._everything(state, choice, progress)
        if order is not None:
            found, limit = order.first(found, lambda each: each.moves, limit), None
        lines = map(line, found)
        none = f"no solution of at most {longest} {choice.metric.name} was found"
        return print_all(lines, "solution", limit, "--option limit", none, progress)

    def count_all(self, state: bytes) -> int:
        """Print the number of solutions, and return the exit code."""
        from puzzlekit.cli.progress import Searching
        from puzzlekit.search.solution import written

        choice = self.solver.choose(self.asked, listing=True)
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
                length=None if last is None else last.cost,
                complete=over is None,
                **({} if last is None else self._drawn(last)),
            )
        else:
            if last is not None:
                self._tell_drawn(last)
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
        limits = self._reporting(progress, choice)
        return self.solver.listed(state, choice, limits, shortest=limits.max_length is None)

    def solve(self, state: bytes, choice: Choice, progress: Searching) -> Solution:
        """Return the best answer within the limits, and report to `progress`."""

        def keep(solution: Solution) -> None:
            if self.best is None or solution.cost <= self.best.cost:
                self.best = solution
            progress.tell(f"(found {solution.cost} {solution.metric})")

        self.best = early = self.early
        self.at_least = 0
        if early is not None and early.optimal:
            return early
        self.started, self.cpu_started = perf_counter(), process_time()
        if self._reported is None or self._reported[0] is not progress:
            self._reported = progress, self._reporting(progress, choice)
        try:
            found = self.solver.search(state, choice, self._reported[1], on_answer=keep)
        except NoSolutionError:
            if early is None:
                raise
            found = early
        self.best = self.early = None  # not an answer to the next position
        return early if early and early.cost <= found.cost and not found.optimal else found

    def _reporting(self, progress: Searching, choice: Choice) -> Limits:
        """Tell `progress` what is searched; return the limits, with callbacks that report to it."""
        from puzzlekit.cli import answers

        progress.aim = answers.aim(choice, self.limits)

        def report(bound: BoundReport) -> None:
            self.at_least = bound.at_least
            progress.tell(answers.progress(bound))

        def tell(news: Progress) -> None:
            progress.tell(answers.bound_progress(news))

        watched = tell if progress.shown else None
        return self.limits._replace(on_bound=report, on_progress=watched)

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
            from puzzlekit.search.solution import as_json

            more = (line or {}) | self._drawn(solution)
            click.echo(as_json(solution.to_dict() | more))
        elif line:
            click.echo(answers.one_line(solution, line["line"]))
        else:
            for name, text in self._drawn(solution).items():
                between = "\n" if "\n" in text else "  "
                click.echo(f"{name}{between}{text}")
            if explain and self.solver.explanation:
                click.echo("\n".join([*self.solver.explanation, ""]))
            show = answers.explain if explain else answers.describe
            output.echo(show(self.solver, solution, output.wants_colour(), symbols))

    def _drawn(self, solution: Solution) -> dict[str, str]:
        """Return how to come to a state that was drawn at random: a scramble, and the position.

        The position is in the format of the definition, if the puzzle has one.
        """
        if not self.random:
            return {}
        if self._how_drawn is None:
            moves = self._scramble(solution)
            position = self.solver.positions.written(solution.state)
            text = {} if moves is None else {"scramble": self.solver.puzzle.text(moves)}
            self._how_drawn = text | ({"position": position} if position else {})
        return self._how_drawn

    def _scramble(self, solution: Solution) -> tuple[Move, ...] | None:
        """Return moves to the state that a solution solves; None if finding them takes long."""
        from puzzlekit.cli.scramble import missing_tables
        from puzzlekit.puzzle.symmetry import setup_moves
        from puzzlekit.search.scrambling import patient_solution

        solver, state = self.solver, solution.state
        moves = setup_moves(solver.puzzle, state, solution.sequence)
        if moves is not None or missing_tables(solver):  # the solution may end in a goal
            return moves
        try:
            return setup_moves(solver.puzzle, state, patient_solution(solver, state).sequence)
        except NoSolutionError:
            return None

    def _tell_drawn(self, solution: Solution) -> None:
        for name, text in self._drawn(solution).items():
            say(f"{name} {text}")

    def interrupted(self, line: dict[str, Any] | None = None) -> int:
        """After Ctrl-C, print the best answer so far, with the time until now."""
        from puzzlekit.search.solution import as_json, error_record

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


@click.command(
    "solve",
    cls=Command,
    short_help="Solve a scramble, a state, or a random state.",
    sections={
        "Position": "puzzle state random seed",
        "Search": "method metric profile goal moves",
        "Limits": "max_length timeout threads",
        "Output": "everything json_lines explain",
    },
)
@options.puzzle_option
@options.advanced(
    options.heuristic_option,
    options.nodes_option,
    options.scheme_option,
    options.order_option,
    options.sort_option,
    click.option(
        "--limit",
        type=options.whole(1, 10**9),
        help="With --all: stop after this many solutions. Default with --max-length: 100.",
    ),
    click.option("--count", is_flag=True, help="With --all: print only the number of solutions."),
)
@options.scramble_argument
@options.state_option
@click.option("--random", is_flag=True, help="Solve a random state.")
@options.seed_option
@options.search_options
@options.goal_options
@options.limit_options
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="List all shortest solutions. With --max-length, list all solutions up to that length.",
)
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object per answer.")
@click.option(
    "--explain", is_flag=True, help="Show the goal and moves of each phase, and the net after it."
)
def command(
    puzzle: str | None,
    given: options.Given,
    random: bool,
    seed: int | None,
    json_lines: bool,
    explain: bool,
    everything: bool,
    sort: str | Metric | None,
    count: bool,
    limit: int | None,
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
      puzzlekit solve --puzzle cube2 --state OGWWGYWRBOGGYRYYBROORWBB
      puzzlekit solve --puzzle cube3 --random --seed 7 --max-length 20 --json
      puzzlekit solve --puzzle cube3 --random --method optimal --threads 2 --tables 1.5GiB
      puzzlekit solve --puzzle cube3 "R U R' U' R U R'" --all
      puzzlekit solve --puzzle cube3 "R U R' U'" --all --max-length 8
      puzzlekit solve --puzzle cube3 "R U F2" --all --max-length 7 -o sort=ergonomic
      puzzlekit solve --puzzle pyraminx.tws "U R' B" --explain
      puzzlekit solve --puzzle cube3 --random --option heuristic=blended:a=3 --explain

    \b
    Exit codes
      0 solved   1 no solution within the limits   2 error in the command line or moves
      3 impossible state   4 tables, memory or a plugin failed   130 interrupted
    """
    from puzzlekit.cli import positions
    from puzzlekit.cli.positions import loaded
    from puzzlekit.cli.progress import Searching
    from puzzlekit.puzzle.position import Position

    positions.one_source({**given.sources, "--random": random})
    positions.check_drawn(random, seed, given)
    if json_lines and explain:
        raise click.UsageError("--explain and --json cannot be combined")
    if everything:
        for name, value in {"--explain": explain, "--option heuristic": asked.heuristic}.items():
            if value:
                raise click.UsageError(f"{name} cannot be combined with --all")
    elif count or limit is not None or sort is not None:
        name = "count" if count else "limit" if limit is not None else "sort"
        raise click.UsageError(f"--option {name} needs --all")
    for name, there in {"sort": sort is not None, "limit": limit is not None}.items():
        if count and there:
            raise click.UsageError(f"--option count and {name} cannot be combined")
    solver, asked, aim = loaded(puzzle, asked, given)
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
