"""Solve the lines of a file, in this process or on workers."""

from __future__ import annotations

import contextlib
import os
import stat
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import click

from puzzlekit import (
    FaceletLayout,
    NotationError,
    PuzzlekitError,
    SearchOptions,
    Solution,
    Solver,
    StateError,
)
from puzzlekit.cli.answers import one_line
from puzzlekit.cli.options import Given
from puzzlekit.cli.output import (
    ENVIRONMENT,
    INTERRUPTED,
    echo_line,
    end_line,
    exit_code,
    is_terminal,
    print_error,
    say,
    several,
)
from puzzlekit.cli.progress import Searching
from puzzlekit.cli.solve import OF_A_POSITION, Solving
from puzzlekit.puzzle.stickers import net_in
from puzzlekit.search.options import Choice, table_keys
from puzzlekit.search.solution import SCHEMA, as_json, error_record, written
from puzzlekit_batch.batching import BatchProgress, WorkerChoice, working
from puzzlekit_batch.clients import load_dask
from puzzlekit_batch.results_file import DataColumn, ResultsFile, ResultsLayout
from puzzlekit_batch.solve_many import Replay, solve_job
from puzzlekit_exports import in_heading

if TYPE_CHECKING:
    from puzzlekit.cli.positions import Aim

__all__ = ["read_lines"]

_LONGEST_LINE = 4_000_000  # bytes; longer than any text that the notation reads
_ENDLESS = 1_000_000_000  # bytes of a line that is not even skipped
_SHOWN = 100  # bytes of a longer line that are kept
# The exit codes of the kinds of errors in results; all others have ENVIRONMENT.
_CODES = {"unsolved": 1, "notation": 2, "usage": 2, "state": 3}


def _skip_line(stream: BinaryIO, read: bytes, number: int) -> None:
    """Read the rest of a line. Raise a UsageError if it does not end, as that of a device."""
    skipped = 0
    while read and not read.endswith(b"\n"):
        read = stream.readline(_LONGEST_LINE)
        skipped += len(read)
        if skipped > _ENDLESS:
            raise click.UsageError(f"line {number} of the input is longer than 1 GB")


def read_lines(stream: BinaryIO) -> Iterator[tuple[int, str, NotationError | None]]:
    """Yield the number, the text and the error of each line as soon as the line arrives.

    Skip blank lines, comments, and the heading of a list from a timer. The error is None unless the
    line is not valid UTF-8, or is too long. The text of a line that is too long is its beginning.
    """
    number = 0
    heading = False
    while raw := stream.readline(_LONGEST_LINE + 1):
        number += 1
        if number == 1:
            if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise click.UsageError("the input is UTF-16; save it as UTF-8")
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        error = None
        if len(raw) > _LONGEST_LINE:
            _skip_line(stream, raw, number)
            raw = raw[:_SHOWN] + b"..."
            error = NotationError("the line is longer than 4 MB")
        try:
            text = raw.decode().strip()
        except UnicodeDecodeError as failure:
            text = raw.decode(errors="replace").strip()
            error = error or NotationError(
                f"byte {failure.start + 1} of the line is not UTF-8", text=text
            )
        if not text or text.startswith(("#", "//")):
            continue
        heading = in_heading(text, heading)
        if not heading:
            yield number, text, error
    if heading:
        raise click.UsageError(
            "the input is a list of times without scrambles; export it from csTimer with scrambles"
        )


#: The columns of a Parquet file. The other fields of `solve.schema.json` have no simple type.
COLUMNS = (
    DataColumn("line", "integer", "the number of the line of the input, from 1"),
    DataColumn("text", "text", "the text of the line"),
    DataColumn("puzzle", "text", "the name of the puzzle"),
    DataColumn("method", "text", "the method"),
    DataColumn("heuristic", "text", "the heuristics"),
    DataColumn("metric", "text", "the metric of `length`"),
    DataColumn("profile", "text", "the profile of tables"),
    DataColumn("state", "text", "the state: stickers, or bytes in hexadecimal"),
    DataColumn("moves", "texts", "the moves that solve the state"),
    DataColumn("length", "integer", "the cost of the moves"),
    DataColumn("optimal", "truth", "whether the answer is proven shortest"),
    DataColumn("at_least", "integer", "a lower bound on the cost of all answers"),
    DataColumn("nodes", "integer", "the number of generated nodes"),
    DataColumn("expanded", "integer", "the number of expanded nodes"),
    DataColumn("seconds", "number", "the wall time of the search"),
    DataColumn("cpu_seconds", "number", "the CPU time of the search"),
    DataColumn("verified", "truth", "whether the moves were applied and solve the state"),
    DataColumn("error", "text", "why the line could not be read or solved"),
    DataColumn("kind", "text", "the kind of the error"),
)


def solve_layout(
    solver: Solver, choice: Choice, read: Callable[[str], bytes] | None = None
) -> ResultsLayout:
    """Return the layout of a file with the results of a search.

    `read` reads the state in a line of the input. Default: `solver.state`.
    """
    read = read or solver.state
    replay = Replay(solver, choice)

    def check(record: Mapping[str, Any]) -> None:
        if "kind" in record:
            return  # no answer, but an error
        try:
            state = read(record["text"])
        except PuzzlekitError as error:
            raise ValueError(f"its text cannot be read: {error}") from None
        if record["state"] != written(solver.puzzle, state):
            raise ValueError("its state is not the one that its text describes")
        moves = record["moves"]
        if not replay.solves(state, moves):
            raise ValueError("its moves do not solve its state")
        if choice.metric.counts:
            length = choice.metric.total(solver.puzzle.moves(" ".join(moves)) if moves else ())
            if record["length"] != length:
                raise ValueError(f"its moves cost {length}, not {record['length']}")

    wanted = {
        "puzzle": solver.puzzle.name,
        "method": choice.method.name,
        "metric": choice.metric.name,
        "profile": choice.method.profile,
    }
    return ResultsLayout("batch --input", SCHEMA, wanted, "line", COLUMNS, "text", check)


def _stickers(asked: SearchOptions) -> object:
    """Return the goal of a search, comparable if it was read from stickers."""
    goal = asked.goal
    return goal if goal is None or isinstance(goal, str) else goal.conditions


def _check_rows(layout: FaceletLayout, lines: Sequence[str]) -> None:
    """Raise a NotationError if the last lines are the rows of a net, which were read one by one."""
    width = len(layout.net[-1]) - layout.net[-1].count(None)
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

        layout = solve_layout(self._solver, choice, self._state)
        self._file = stack.enter_context(ResultsFile(self._output, layout))
        self._worst = max((_CODES.get(kind, ENVIRONMENT) for kind in self._file.kinds), default=0)
        if self._file.found:
            say(f"{several(self._file.found, 'line')} of the input are already done")

    def _lines(self) -> Iterator[tuple[Line, bytes | PuzzlekitError]]:
        """Yield each line that is left, with its state or the error of reading it."""
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
        self._done += 1
        if not isinstance(result, PuzzlekitError):
            self._solved += 1
            if self._file is not None:
                self._file.append(result.to_dict() | line.fields)
            elif self._search.json_lines:
                echo_line(as_json(result.to_dict() | line.fields))
            else:
                echo_line(one_line(result, line.number))
            return
        self._worst = max(self._worst, exit_code(result))
        record = error_record(self._solver.puzzle.name, result) | line.fields
        if self._file is not None:
            self._file.append(record)
        elif self._search.json_lines:
            echo_line(as_json(record))
        print_error(result, f"line {line.number}: ")

    def _interrupted(self) -> int:
        """After Ctrl-C, say how to continue."""
        end_line()
        kept = "repeat the command to continue" if self._file else "use --output to keep results"
        say(f"interrupted: {several(self._done, 'line')} done; {kept}")
        return INTERRUPTED
