"""Show progress on stderr: builds of tables, finished steps, and searches of more than a second.

Progress is shown only if stderr is a terminal. Elsewhere, a line announces a build that takes
longer than a second, and lines at growing intervals report on a search of more than ten seconds.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from puzzlekit.cli.output import INTERRUPTED, end_line, say, several, size
from puzzlekit.errors import NoSolutionError
from puzzlekit.search.solver import Solver
from puzzlekit.tables.store import Watcher
from puzzlekit.tables.table import TableSpec
from puzzlekit.tables.watchers import Builds

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

    from puzzlekit.search.options import Choice

__all__ = [
    "Searching",
    "Stepping",
    "Telling",
    "building",
    "on_terminal",
    "prepare",
    "print_all",
    "share_bar",
]


_PATIENCE = 1.0  # seconds before anything is shown
_FIRST_LINE = 10.0  # seconds before the first line about a search, if stderr is no terminal
_INTERVALS = 3  # times the seconds so far until the next of these lines


def on_terminal() -> bool:
    """Whether stderr is a terminal."""
    return bool(sys.stderr and sys.stderr.isatty()) and os.environ.get("TERM") != "dumb"


def prepare(solver: Solver, choice: Choice) -> int:
    """Load or build the tables of a search, show progress, and return the number of builds."""

    def keys() -> list[TableSpec]:
        from puzzlekit.search.options import table_keys

        return table_keys(choice)

    with building(solver, keys) as builds:
        solver.make_ready(choice)
    return builds.count


@contextmanager
def building(solver: Solver, keys: Callable[[], Sequence[TableSpec]]) -> Iterator[Builds]:
    """Show the progress of the builds within the context. `keys` lists the tables."""
    shown = _Building(solver, keys)
    try:
        with solver.store.watched(shown):
            yield shown
        shown.finish()
    finally:
        shown.close()


def later(call: Callable[[], None], seconds: float | None = None) -> threading.Timer:
    """Call a function after some seconds, by default as many as pass before anything is shown.

    Do nothing if there is no memory for a thread.
    """
    timer = threading.Timer(_PATIENCE if seconds is None else seconds, call)
    timer.daemon = True
    with suppress(RuntimeError):
        timer.start()
    return timer


class _Building(Builds):
    """Shows the builds of one preparation."""

    def __init__(self, solver: Solver, keys: Callable[[], Sequence[TableSpec]]) -> None:
        super().__init__(solver.store, keys)
        self.puzzle = solver.puzzle.name
        self.started = 0.0
        self.bar: Any = None
        self.timer: threading.Timer | None = None
        self.waited: set[TableSpec] = set()

    def news(self, key: TableSpec) -> None:
        """Show the finished share, and about how long the rest takes."""
        if not self.started:
            self._begin()
        if self.bar:
            of = max(1, self.count, len(self.missing))
            words = f"table {min(self.count + 1, of)} of {of}, {self.share:.0%}, {self._rest()}"
            self.bar.update(self.bar.task_ids[0], description=words, completed=1000 * self.share)

    def _rest(self) -> str:
        from puzzlekit.cli.answers import duration

        return f"about {duration(self.left)} left"

    def waiting(self, key: TableSpec, owner: str, seconds: float) -> None:
        """Say once for each table that another process is building it."""
        if self.in_own_thread and seconds >= _PATIENCE and key not in self.waited:
            self.waited.add(key)
            say(f"waiting for {owner} to build the table {key.name!r} (Ctrl-C stops)")

    def _begin(self) -> None:
        self.started = perf_counter()
        if not on_terminal():

            def announce() -> None:
                where = "memory" if self.in_memory else self.store.root
                tables = several(len(self.missing), "table")
                number = f"{tables}, {size(self.total)}, " if self.missing else ""
                say(f"building tables of {self.puzzle} ({number}{self._rest()}) in {where}")

            self.timer = later(announce)
            return
        self.bar = share_bar("building tables")

    def close(self) -> None:
        """Remove the bar."""
        if self.timer:
            self.timer.cancel()
        if self.bar:
            self.bar.stop()
            self.bar = None

    def finish(self) -> None:
        """Say what was built, if the bar was shown."""
        if not self.bar or self.last is None:
            return
        self.close()
        kept = "" if self.in_memory else f", kept in {self.store.root}"
        seconds = perf_counter() - self.started
        built = f"{several(self.count, 'table')} ({size(self.nbytes)})"
        say(f"built {built} in {seconds:.1f} s{kept}")


class Searching(AbstractContextManager["Searching"]):
    """Shows that a search, or other work named `what`, is running for more than a second.

    If stderr is not a terminal, lines at growing intervals say so, the first one after ten seconds.
    """

    def __init__(self, shown: bool = True, what: str = "searching") -> None:
        self.note = ""
        #: What is searched, and whether the search may go on for ever. Empty if nobody said so.
        self.aim = ""
        #: Whether progress is shown, so that callers can skip reports that nobody sees.
        self.shown = shown and on_terminal()
        self._told = shown and not self.shown
        self._what = what
        self._timer: threading.Timer | None = None
        self._live: Any = None
        self._lock = threading.Lock()
        self._over = False
        self._begun = self._quiet_since = 0.0

    def __enter__(self) -> Searching:
        self._begun = self._quiet_since = perf_counter()
        if self.shown:
            self._timer = later(self._start)
        elif self._told:
            self._timer = later(self._say, _FIRST_LINE)
        return self

    def _say(self) -> None:
        """Print a line about the search, and the next one after several times as long."""
        from puzzlekit.cli.answers import duration

        with self._lock:
            if self._over:
                return
            seconds = perf_counter() - self._begun
            none = "(no answer so far, and none is excluded)" if self.aim else ""
            words = f"still {self._what} after {duration(seconds)}", self.aim, self.note or none
            say(" ".join(word for word in words if word))
            self._timer = later(self._say, (_INTERVALS - 1) * seconds)

    def __exit__(self, *_: object) -> None:
        if self._timer is None:
            return
        with self._lock:
            self._over = True
            self._timer.cancel()
        if self._live:
            self._hide()

    def tell(self, note: str) -> None:
        """Show the latest news."""
        self.note = note
        if self._live:
            self._live.update(self._live.task_ids[0], description=f"{self._what} {note}")
        elif (
            self.shown
            and self._timer is not None
            and perf_counter() - self._quiet_since > _PATIENCE
        ):
            self._start()

    def echo(self, line: str) -> None:
        """Print a line of an answer. First hide the progress if stdout is a terminal."""
        if self._live and sys.stdout and sys.stdout.isatty():
            self._hide()
        self._quiet_since = perf_counter()
        click.echo(line)

    def _hide(self) -> None:
        with self._lock:
            if self._live:
                self._live.stop()
                self._live = None

    def _start(self) -> None:
        from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

        with self._lock:
            if self._over or self._live or perf_counter() - self._quiet_since < _PATIENCE / 2:
                return
            live = _progress(
                SpinnerColumn("line"),
                TextColumn("{task.description}"),
                TimeElapsedColumn(),
                TextColumn("(Ctrl-C stops)"),
            )
            live.add_task(f"{self._what} {self.note or self.aim}")
            live.tasks[0].start_time = live.get_time() - (perf_counter() - self._begun)
            live.start()
            self._live = live


def print_all(
    lines: Iterable[str],
    noun: str,
    most: int | None,
    option: str,
    none: str,
    progress: Searching | None = None,
) -> int:
    """Print lines as soon as they are found, and return the exit code.

    `noun` (in the singular) is what a message calls a line. After `most` lines, set by `option`,
    it stops. Raise a NoSolutionError with the message `none` if there are no lines.
    """
    found = 0
    with progress or Searching() as shown:
        try:
            for line in islice(lines, most):
                found += 1
                shown.echo(line)
                shown.tell(f"({several(found, noun)})")
        except KeyboardInterrupt:
            end_line()
            say(f"interrupted after {several(found, noun)}: there may be more")
            return INTERRUPTED
    if not found:
        raise NoSolutionError(none)
    if found == most:
        say(f"these are the first {several(found, noun)}; raise {option} to see more")
    return 0


def _progress(*shown: ProgressColumn) -> Progress:
    """Make a progress display on stderr that disappears at the end."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    return Progress(*shown, console=console, redirect_stdout=False, transient=True)


def _bar(what: str, done: ProgressColumn, total: int, even: bool = True) -> Progress:
    """Return a bar that is shown, with a column `done` for the finished part of `total`.

    The bar shows the time left only if all steps take about the same time (`even`).
    """
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    bar = _progress(
        TextColumn(what),
        BarColumn(),
        done,
        TimeElapsedColumn(),
        *([TimeRemainingColumn()] if even else []),
        TextColumn("{task.description}"),
    )
    bar.add_task("", total=total)
    bar.start()
    return bar


def share_bar(what: str) -> Progress:
    """Return a bar that is shown, with 1000 steps and a text that the caller updates."""
    from rich.progress import TextColumn

    return _bar(what, TextColumn(""), 1000, even=False)


class Stepping(AbstractContextManager["Stepping"]):
    """A bar for a number of steps, with the name of the current step. It is shown on a terminal.

    `what` is its title. `begun` is 1 if `tell` announces the beginning of a step, 0 for the end. If
    all steps take about the same time (`even`), the bar shows the time left.
    """

    def __init__(self, steps: int, what: str, begun: int = 1, even: bool = True) -> None:
        self._steps = steps
        self._even = even
        self._begun = begun
        self._what = what
        self._bar: Any = None

    def __enter__(self) -> Stepping:
        if on_terminal():
            from rich.progress import MofNCompleteColumn

            done = MofNCompleteColumn()
            self._bar = _bar(self._what, done, self._steps, self._even)
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()

    def tell(self, name: str, steps: int = 1) -> None:
        """Advance the bar by `steps`, and show `name` as the name of the current step."""
        steps, self._begun = steps - self._begun, 0  # the first step is not done when it begins
        if self._bar:
            self._bar.update(self._bar.task_ids[0], advance=steps, description=name)


class Telling(Watcher):
    """A watcher that prints the `line` of a table, if any, when its build takes over a second."""

    def __init__(self, line: Callable[[TableSpec], str]) -> None:
        self._line = line
        self._timers: dict[TableSpec, threading.Timer] = {}

    def begun(self, key: TableSpec) -> None:
        """Announce that the build of a table has begun."""
        if text := self._line(key):
            self._timers[key] = later(partial(say, text))

    def built(self, key: TableSpec) -> None:
        """Cancel the announcement of a table when its build is done."""
        if key in self._timers:
            self._timers.pop(key).cancel()
