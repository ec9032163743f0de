"""Show on stderr which tables the checks of a plugin build."""

from __future__ import annotations

from collections.abc import Iterable

from puzzlekit import TableStore
from puzzlekit.cli.output import size
from puzzlekit.cli.progress import Stepping, Telling, on_terminal
from puzzlekit.tables.table import TableSpec


class Announced(Telling):
    """A watcher that shows the builds of several stores in the bar `shown`.

    Without a terminal, it prints a line when a build takes longer than a second.
    """

    def __init__(self, stores: Iterable[TableStore], shown: Stepping) -> None:
        super().__init__(_line)
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

    def progressed(self, key: TableSpec, share: float) -> None:
        """Show which share of a long build is done."""
        self._shown.tell(f"building {key.name}, {share:.0%}", steps=0)


def _line(key: TableSpec) -> str:
    """Return the line for a build; empty if a bar is shown."""
    return "" if on_terminal() else f"building {key.name} of {key.puzzle} ({size(key.nbytes)})"
