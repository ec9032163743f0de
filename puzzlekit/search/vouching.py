"""Protection against damaged tables: a search that used a damaged table is repeated.

Tables are compared with their checksums in two cases. In the first case, a search fails or finds no
answer. In the second case, an answer has a proof or a lower bound, which follows from the tables
alone. In the second case, `TableStore.check` skips checks that would take too much time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from puzzlekit.errors import NoSolutionError, TableError
from puzzlekit.search.limits import BoundReport, Limits
from puzzlekit.search.strategies.answer import Candidate
from puzzlekit.search.strategies.chain import Chain
from puzzlekit.tables.store import TableStore

Made = TypeVar("Made", bound=Chain)

_TRIES = 3


class DamagedTables(Exception):
    """A search has used damaged tables and must be repeated."""


class Vouching:
    """Checks the tables that the searches for one position use."""

    def __init__(self, store: TableStore, limits: Limits) -> None:
        self._store = store
        self._cancel = limits.cancel
        self._tries = 0

    def claims(self, chain: Chain, answer: Candidate) -> None:
        """Raise DamagedTables if an answer has a proof or a bound and a table is damaged."""
        if answer.proven or answer.at_least or answer.shortest:
            self.check(chain)

    def limits(self, chain: Chain, limits: Limits) -> Limits:
        """Return the same limits, with a check of the tables before each bound is reported."""
        report = limits.on_bound

        def on_bound(bound: BoundReport) -> None:
            self.check(chain)
            if report is not None:
                report(bound)

        return limits._replace(on_bound=on_bound)

    def explains(self, chain: Chain, error: Exception) -> bool:
        """Whether an error comes from damaged tables, so that the search must be repeated."""
        if not isinstance(error, DamagedTables):
            # "No solution" may be true. Like a proven answer, it needs only the cheap check.
            usual = isinstance(error, NoSolutionError) and error.proven
            usual |= self._cancel is not None and self._cancel.is_set()
            if not self._store.check(chain.all_tables, sparing=usual):
                return False
        self._tries += 1
        if self._tries == _TRIES:
            raise TableError(
                f"tables in {self._store.root} are damaged as soon as they are built: the disk or "
                "the memory may be failing; set PUZZLEKIT_CACHE to another directory"
            ) from error
        return True

    def check(self, chain: Chain) -> None:
        """Raise DamagedTables if a cheap check finds damage in the tables of a chain."""
        if self._store.check(chain.all_tables, sparing=True):
            raise DamagedTables


def made(store: TableStore, make: Callable[[], Made]) -> Made:
    """Return the chain that `make` returns, with its tables. Repeat if a table is damaged."""
    with store.noting() as taken:
        try:
            chain = make()
        except Exception:
            if not store.check(taken.values()):
                raise
            taken.clear()
            chain = make()
    chain.tables = tuple(taken.values())
    return chain
