"""Answers rest on tables: those whose tables are damaged are searched again, by new ones.

Tables are compared with their checksums where a search finds something odd (it fails in whatever
way, or finds nothing), and before it claims something that only the tables show, as often as
`TableStore.check` can do that cheaply.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from puzzlekit.errors import NoSolutionError, TableError
from puzzlekit.run.limits import BoundReport, Limits
from puzzlekit.store.store import TableStore
from puzzlekit.strategy.answer import Answer
from puzzlekit.strategy.chain import Chain

Made = TypeVar("Made", bound=Chain)

_TRIES = 3


class DamagedTables(Exception):
    """Tables that a search has used turned out to be damaged; it has to be done again."""


class Vouching:
    """Vouches for the searches of one position, by chains that are made anew if need be."""

    def __init__(self, store: TableStore, limits: Limits) -> None:
        self._store = store
        self._cancel = limits.cancel
        self._tries = 0

    def claims(self, chain: Chain, answer: Answer) -> None:
        """Raise DamagedTables if more is claimed than the moves show, by damaged tables."""
        if answer.proven or answer.at_least or answer.shortest:
            self.check(chain)

    def limits(self, chain: Chain, limits: Limits) -> Limits:
        """The same limits, but that bounds are only reported by sound tables."""
        report = limits.on_bound

        def on_bound(bound: BoundReport) -> None:
            self.check(chain)
            if report is not None:
                report(bound)

        return limits._replace(on_bound=on_bound)

    def explains(self, chain: Chain, error: Exception) -> bool:
        """Whether damaged tables explain an error, so that the search has to be done again."""
        if not isinstance(error, DamagedTables):
            # That there is no solution may well be so: it is claimed like any other thing.
            usual = isinstance(error, NoSolutionError) and error.proven
            usual |= self._cancel is not None and self._cancel.is_set()
            if not self._store.check(chain.all_tables, sparing=usual):
                return False
        self._tries += 1
        if self._tries == _TRIES:
            raise TableError(
                f"tables in {self._store.root} are damaged as soon as they are built: the disk or "
                "the memory may be failing; PUZZLEKIT_CACHE names another directory"
            ) from error
        return True

    def check(self, chain: Chain) -> None:
        """Raise DamagedTables if the tables of a chain are damaged, and comparing them is cheap."""
        if self._store.check(chain.all_tables, sparing=True):
            raise DamagedTables


def made(store: TableStore, make: Callable[[], Made]) -> Made:
    """Make a chain and tell it its tables; once more if these turn out to be damaged meanwhile."""
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
