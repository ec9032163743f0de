"""Announce builds of tables during other work."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable
from functools import partial

from puzzlekit.cli.messages import say
from puzzlekit.cli.output import size
from puzzlekit.cli.progress import Stepping, later, on_terminal
from puzzlekit.search.solver import Solver
from puzzlekit.tables.store import TableStore, Watcher
from puzzlekit.tables.table import TableKey


class _Telling(Watcher, ABC):
    """A watcher that prints a line for a build that takes longer than a second."""

    def __init__(self) -> None:
        self._timers: dict[TableKey, threading.Timer] = {}

    @abstractmethod
    def line(self, key: TableKey) -> str:
        """Return the line for a build; empty for none."""

    def begun(self, key: TableKey) -> None:
        """Announce that the build of a table has begun."""
        if text := self.line(key):
            self._timers[key] = later(partial(say, text))

    def built(self, key: TableKey) -> None:
        """Cancel the announcement of a table when its build is done."""
        if key in self._timers:
            self._timers.pop(key).cancel()


class Deriving(_Telling):
    """A watcher that prints a line when work on the methods of a solver takes longer than a second.

    The solver says for which tables (see `Solver.announcement`).
    """

    def __init__(self, solver: Solver) -> None:
        super().__init__()
        self._solver = solver

    def line(self, key: TableKey) -> str:
        """Return the line of the solver for a build."""
        return self._solver.announcement(key)


class Announced(_Telling):
    """A watcher that shows the builds of several stores in the bar `shown`.

    Without a terminal, it prints a line when a build takes longer than a second.
    """

    def __init__(self, stores: Iterable[TableStore], shown: Stepping) -> None:
        super().__init__()
        self._stores = list(dict.fromkeys(stores))
        self._shown = shown

    def __enter__(self) -> Announced:
        for store in self._stores:
            store.watchers.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        for store in self._stores:
            store.watchers.remove(self)
        self.quiet()

    def quiet(self) -> None:
        """Cancel all announcements. A build that fails is never reported as built."""
        for key in list(self._timers):
            self.built(key)

    def line(self, key: TableKey) -> str:
        """Return the line for a build; empty if a bar is shown."""
        return "" if on_terminal() else f"building {key.name} of {key.puzzle} ({size(key.nbytes)})"

    def progressed(self, key: TableKey, share: float) -> None:
        """Show which share of a long build is done."""
        self._shown.tell(f"building {key.name}, {share:.0%}", steps=0)
