"""Announce builds of tables during other work."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from puzzlekit.cli.messages import say
from puzzlekit.cli.output import size
from puzzlekit.cli.progress import Stepping, on_terminal
from puzzlekit.store.store import TableStore, Watcher
from puzzlekit.store.table import TableKey

_PATIENCE = 1.0  # seconds before anything is shown


class Deriving(Watcher):
    """A watcher that prints a line when deriving a method takes longer than a second."""

    def __init__(self) -> None:
        self._timer: threading.Timer | None = None

    def begun(self, key: TableKey) -> None:
        """Announce that methods of several phases are searched for and tried."""
        from puzzlekit.definition.tried_phases import CHAIN

        if key.name == CHAIN:
            text = f"deriving a method for {key.puzzle}, once: this may take a minute or two"
            self._timer = threading.Timer(_PATIENCE, say, (text,))
            self._timer.daemon = True
            self._timer.start()

    def built(self, key: TableKey) -> None:
        """Cancel the announcement when the method is derived."""
        from puzzlekit.definition.tried_phases import CHAIN

        if self._timer is not None and key.name == CHAIN:
            self._timer.cancel()


class Announced(Watcher):
    """A watcher that shows the builds of several stores in the bar `shown`.

    Without a terminal, it prints a line when a build takes longer than a second.
    """

    def __init__(self, stores: Iterable[TableStore], shown: Stepping) -> None:
        self._stores = list(dict.fromkeys(stores))
        self._shown = shown
        self._timers: dict[TableKey, threading.Timer] = {}

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

    def begun(self, key: TableKey) -> None:
        """Announce that the build of a table has begun."""
        if not on_terminal():
            text = f"building {key.name} of {key.puzzle} ({size(key.nbytes)})"
            timer = self._timers[key] = threading.Timer(_PATIENCE, say, (text,))
            timer.daemon = True
            timer.start()

    def progressed(self, key: TableKey, share: float) -> None:
        """Show which share of a long build is done."""
        self._shown.tell(f"building {key.name}, {share:.0%}", steps=0)

    def built(self, key: TableKey) -> None:
        """Cancel the announcement of a table when its build is done."""
        if key in self._timers:
            self._timers.pop(key).cancel()
