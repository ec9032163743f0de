"""Solve the lines of a file, in this process or on workers."""

from __future__ import annotations

import contextlib
import os
import stat
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import click

from puzzlekit import NotationError, PuzzlekitError, StateError
from puzzlekit.cli.output import INTERRUPTED, exit_code, is_terminal, print_error, say, several
from puzzlekit.cli.solve import OF_A_POSITION

if TYPE_CHECKING:
    from puzzlekit import Choice, FaceletLayout, SearchOptions, Solution
    from puzzlekit.cli.options import Given
    from puzzlekit.cli.positions import Aim
    from puzzlekit.cli.progress import Searching
    from puzzlekit.cli.solve import Solving
    from puzzlekit_batch.options import WorkerChoice
    from puzzlekit_batch.results_file import ResultsFile


def _stickers(asked: SearchOptions) -> object:
    """Return the goal of a search, comparable if it was read from stickers."""
    goal = asked.goal
    return goal if goal is None or isinstance(goal, str) else goal.conditions


def _check_rows(layout: FaceletLayout, lines: Sequence[str]) -> None:
    """Raise a NotationError if the last lines are the rows of a net, which were read one by one."""
    from puzzlekit.puzzle.stickers import net_in

    width = sum(facelet is not None for facelet in layout.net[-1])
    if len(lines) < len(layout.net) or sum(map(len, lines[-1].split())) != width:
        return  # a fast test of all other lines
    with contextlib.suppress(StateError):
        if net_in(layout, "\n".join(lines)) is None:
            return
        rows = len(layout.net)
        raise NotationError(
            f"the last {rows} lines are a printed net, but each of them was read as a position",
            text=lines[-1],
            hint="give the net as an argument, or its stickers in one line",
        )


class Line(NamedTuple):
    """A line of the input."""

    number: int
    text: str

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of the line in JSON objects."""
        return {"line": self.number, "text": self.text}


class LinesSolver:
    """Solves the lines of a file, and prints or writes the results.

    - `search`: the options and limits of each search.
    - `source`: the file.
    - `given`: the colour scheme and the order of stickers, if the user gave them.
    - `aim`: returns the options of a search for a position with the given symbols of stickers.
    - `workers`: where the searches run.
    - `output`: the path of the file for the results; None prints the results.
    """

    def __init__(
        self,
        search: Solving,
        source: BinaryIO,
        given: Given,
        aim: Aim,
        workers: WorkerChoice,
        output: str | None,
    ) -> None:
        self._search = search
        self._solver = search.solver
        self._source = source
        self._given = given
        self._aim = aim
        self._workers = workers
        self._output = output
        self._file: ResultsFile | None = None
        self._worst = 0
        self._done = self._solved = self._read = 0

    def run(self, unordered: bool) -> int:
        """Solve the lines, and return the largest exit code of them."""
        with contextlib.ExitStack() as stack:
            if not self._workers.several:
                choice = self._search.prepare()
                self._open(stack, choice)
                return self._finished(self._here(choice))
            from puzzlekit_batch.clients import load_dask

            load_dask()  # before the file is made
            choice = self._solver.choose(self._search.asked)
            self._open(stack, choice)
            return self._finished(self._spread(choice, unordered))

    def _finished(self, code: int) -> int:
        if self._file is not None and code != INTERRUPTED:
            self._file.finish()
        return code

    def _open(self, stack: contextlib.ExitStack, choice: Choice) -> None:
        """Open the file for the results."""
        if self._output is None:
            return
        from puzzlekit.cli.output import code_of_kind
        from puzzlekit_batch.results_file import ResultsFile
        from puzzlekit_batch.solve_layout import solve_layout

        layout = solve_layout(self._solver, choice, self._state)
        self._file = stack.enter_context(ResultsFile(self._output, layout))
        self._worst = max(map(code_of_kind, self._file.kinds), default=0)
        if self._file.found:
            say(f"{several(self._file.found, 'line')} of the input are already done")

    def _lines(self) -> Iterator[tuple[Line, bytes | PuzzlekitError]]:
        """Yield each line that is left, with its state or the error of reading it."""
        from puzzlekit_batch.input_lines import read_lines

        layout = self._solver.puzzle.layout
        recent: deque[str] = deque(maxlen=len(layout.net) if layout else 0)
        for number, text, unread in read_lines(self._source):
            self._read += 1
            recent.append(text)
            if self._file is not None and self._file.is_done(number, text):
                self._done += 1
                continue
            try:
                if unread:
                    raise unread
                if layout is not None:
                    _check_rows(layout, recent)
                yield Line(number, text), self._state(text)
            except OF_A_POSITION as error:
                yield Line(number, text), error

    def _state(self, text: str) -> bytes:
        found = self._solver.positions.read_position(text, self._given.scheme, self._given.order)
        self._check_aim(found.symbols)
        return found.state

    def _check_aim(self, symbols: Mapping[str, str] | None) -> None:
        """Raise a StateError if the goal of the search has another meaning in these symbols."""
        usual, own = self._search.asked, self._aim(symbols)
        if own.target == usual.target and _stickers(own) == _stickers(usual):
            return
        raise StateError(
            [
                "the stickers stand for other faces than those of the goal: give their symbols by "
                "--option scheme=..., or solve this position by itself, without --input"
            ]
        )

    def _here(self, choice: Choice) -> int:
        """Solve the lines in this process."""
        from puzzlekit.cli.progress import Searching

        # On a terminal the answers themselves show the progress.
        with Searching(self._is_quiet) as progress:
            for line, state in self._lines():
                try:
                    result = self._solve(state, choice, progress)
                except KeyboardInterrupt:
                    if self._file is not None:
                        return self._interrupted()
                    return self._search.interrupted(line.fields)
                self._keep(line, result)
                progress.tell(f"(line {line.number}, {self._solved} solved)")
        return self._worst

    def _solve(
        self, state: bytes | PuzzlekitError, choice: Choice, progress: Searching
    ) -> Solution | PuzzlekitError:
        if isinstance(state, PuzzlekitError):
            return state
        try:
            return self._search.solve(state, choice, progress)
        except OF_A_POSITION as error:
            return error

    def _spread(self, choice: Choice, unordered: bool) -> int:
        """Solve the lines on the workers."""
        from puzzlekit.search.options import table_keys
        from puzzlekit_batch.batching import BatchProgress, working
        from puzzlekit_batch.solve_many import Replay, solve_job

        if self._workers.needs_tables:
            self._search.prepare(choice=choice)  # once, and with its progress shown
        solver = self._solver
        job = solve_job(solver, choice, self._search.asked, self._search.limits)
        replay = Replay(solver, choice)
        share = self._share()
        try:
            with (
                working(
                    self._workers, job, [solver], lambda: table_keys(choice), unordered
                ) as stream,
                BatchProgress(self._is_quiet) as progress,
                contextlib.closing(stream.results(self._lines())) as results,
            ):
                for line, state, result in results:
                    self._keep(line, replay.check(state, result))
                    progress.tell(self._done, stream.workers, share)
        except KeyboardInterrupt:
            return self._interrupted()
        return self._worst

    @property
    def _is_quiet(self) -> bool:
        """Whether no answers appear on a terminal."""
        return self._file is not None or not is_terminal()

    def _share(self) -> Callable[[], float | None]:
        """Return a function that estimates the share of the input that is finished."""
        try:
            facts = os.fstat(self._source.fileno())
        except (OSError, AttributeError, ValueError):
            return lambda: None
        if not stat.S_ISREG(facts.st_mode) or not facts.st_size:
            return lambda: None
        return lambda: self._source.tell() / facts.st_size * self._done / max(self._read, 1)

    def _keep(self, line: Line, result: Solution | PuzzlekitError) -> None:
        """Print or write a result."""
        from puzzlekit.search.solution import as_json, error_record

        self._done += 1
        if not isinstance(result, PuzzlekitError):
            self._solved += 1
            if self._file is not None:
                self._file.append(result.record() | line.fields)
            else:
                self._search.print(result, line.fields)
            return
        self._worst = max(self._worst, exit_code(result))
        record = error_record(self._solver.puzzle.name, result) | line.fields
        if self._file is not None:
            self._file.append(record)
        elif self._search.json_lines:
            click.echo(as_json(record))
        print_error(result, f"line {line.number}: ")

    def _interrupted(self) -> int:
        """After Ctrl-C, say how to continue."""
        from puzzlekit.cli.output import end_line

        end_line()
        kept = "repeat the command to continue" if self._file else "use --output to keep results"
        say(f"interrupted: {several(self._done, 'line')} done; {kept}")
        return INTERRUPTED
