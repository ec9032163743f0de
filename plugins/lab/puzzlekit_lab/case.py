"""A case of a comparison: a method of a puzzle whose heuristics are compared."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import attrs

from puzzlekit import (
    DeclarationError,
    Heuristic,
    Method,
    Metric,
    Phase,
    SearchOptions,
    Sequential,
    Solver,
    TableStore,
    UsageError,
)
from puzzlekit.search.heuristic import format_heuristics
from puzzlekit.search.options import table_keys
from puzzlekit.search.strategies.strategy import Strategy
from puzzlekit.tables.store import ScratchStore
from puzzlekit.tables.table import TableSpec
from puzzlekit_lab.algorithms.names import algorithm_text, find_algorithm, parted
from puzzlekit_lab.record import WHOLE, CaseName, Tables


class Candidate(NamedTuple):
    """A heuristic of a case, ready to search.

    `text` names the heuristic. `heuristics` has the heuristic of each phase. `chain` is the search:
    it takes the first answer of each phase. `fingerprint` is a hash of the heuristics and of all
    tables, in eight hex digits. `algorithm` names another search than IDA*; "" for IDA*.
    """

    text: str
    heuristics: tuple[Heuristic, ...]
    chain: Strategy
    fingerprint: str
    algorithm: str = ""


def joins(phase: Phase, heuristics: Iterable[Heuristic] = ()) -> bool:
    """Whether a phase has several distances, or one that some of the heuristics changes."""
    groups = len(phase.groups)
    return groups > 1 or any(each.changes(groups) for each in heuristics)


class Case:
    """A method of a puzzle whose heuristics are compared, with the tables of one profile.

    Parameters
    ----------
    solver
        The solver of the puzzle.
    method
        Name of the method. The method must solve its phases one after the other. Default: the
        first such method that has a phase with several pruning tables.
    phases
        Names of the phases to compare. Default: all phases.
    metric
        The metric. Default: the metric of the method.
    profile
        The profile of tables. Default: the smallest tables.
    stored
        Whether to store the tables of estimates on disk. If false, the tables stay in memory.
        Choose false to try hundreds of heuristics.
    heuristics
        Heuristics that will be compared. Phases with one pruning table are included only if a
        heuristic named here changes its distance, or an algorithm follows it (`max@a-star`).
    positions
        The instances, as texts, instead of random states.

    Raises
    ------
    UsageError
        If the method or a phase cannot be compared, or does not exist.

    Examples
    --------
    >>> import puzzlekit
    >>> case = Case(puzzlekit.load("cube4"))
    >>> case.method.name, [phase.name for phase in case.phases]
    ('six-phase', ['split', 'pair', 'reduce', 'orient', 'finish'])
    >>> [phase.name for phase in case.left_out]
    ['gather']
    """

    def __init__(
        self,
        solver: Solver,
        method: str | None = None,
        phases: Sequence[str] = (),
        metric: str | Metric | None = None,
        profile: str | None = None,
        stored: bool = True,
        heuristics: Sequence[str | Heuristic] = (),
        positions: Sequence[str] = (),
    ) -> None:
        self.solver = solver
        #: Arguments of `Case` with which another process makes the same case.
        self.how: Mapping[str, Any] = {
            "method": method,
            "phases": phases,
            "metric": metric,
            "profile": profile,
            "stored": stored,
            "heuristics": tuple(heuristics),
            "positions": tuple(positions),
        }
        self.stored = stored
        self._compared = tuple(heuristics)
        self.puzzle = solver.puzzle
        self.method = self._method(method, profile)
        self._strategy = self.method.strategy.one_by_one() or Sequential()
        self.metric = solver.metric(self.method.name, metric)
        self.plan = solver.chooser.plan(self.method, self.metric)
        Sequential().check_metric(self.plan)
        self.phases, self.left_out = self._phases(phases)
        self.positions = tuple(solver.state(text) for text in positions)
        self._candidates: dict[str | Heuristic, Candidate] = {}

    def _method(self, name: str | None, profile: str | None) -> Method:
        if name is None:
            methods = self.solver.methods
            several = (each.name for each in methods if _suits(each, ()))
            changed = (each.name for each in methods if _suits(each, self._compared))
            name = next(several, None) or next(changed, None)
            if name is None:
                raise UsageError(
                    f"{self.puzzle.name} has no method that searches phase by phase with several "
                    "pruning tables in a phase, and no heuristic to compare changes the distance "
                    "of a single one: choose another puzzle or heuristic"
                )
        method = self.solver.method(name)
        if method.strategy.one_by_one() is None:
            raise UsageError(
                f"{name} of {self.puzzle.name} does not search phase by phase, so heuristics "
                "cannot be compared with this method; choose another method"
            )
        if not _suits(method, self._compared):
            raise UsageError(
                f"every phase of {name} of {self.puzzle.name} has a single pruning table, and no "
                "heuristic to compare changes its distance: choose another method or heuristic"
            )
        if profile is None:
            return method  # the smallest tables
        return self.solver.choose(SearchOptions(name, profile=profile)).method

    def _phases(self, wanted: Sequence[str]) -> tuple[tuple[Phase, ...], tuple[Phase, ...]]:
        """Return the chosen phases: those that are compared, and those that are left out."""
        every = self.method.phases
        numbers = {self.method.phase_number(name) for name in wanted} or range(len(every))
        chosen = [phase for number, phase in enumerate(every) if number in numbers]
        compared = tuple(phase for phase in chosen if self._joins(phase))
        if not compared:
            raise UsageError(
                f"{chosen[0].name} of {self.method.name} of {self.puzzle.name} has a single "
                "pruning table, and no heuristic to compare changes its distance: choose another "
                "phase or heuristic"
            )
        return compared, tuple(phase for phase in chosen if phase not in compared)

    def _joins(self, phase: Phase) -> bool:
        number = self.method.phases.index(phase)
        chosen = [parted(each) for each in self._compared]
        heuristics = (self.method.heuristics(each)[number] for each, _ in chosen)
        return any(algorithm for _, algorithm in chosen) or joins(phase, heuristics)

    @property
    def name(self) -> str:
        """The puzzle and the method."""
        return f"{self.puzzle.name} {self.method.name}"

    @property
    def case_name(self) -> CaseName:
        """The name of the case in records."""
        method = self.method
        return CaseName(self.puzzle.name, method.name, method.profile, self.metric.name)

    @cached_property
    def stretches(self) -> tuple[str, ...]:
        """Names of the compared phases. "whole" is added if all of several phases are compared."""
        names = tuple(phase.name for phase in self.phases)
        every = len(self.phases) + len(self.left_out)
        return (*names, WHOLE) if every == len(self.method.phases) > 1 else names

    def tables(self) -> list[Tables]:
        """Return the tables of each phase, with their bytes and the seconds of their build."""
        phases = (*self.phases, *self.left_out)
        keys = [
            key for each in phases for own in self.plan.resolved(each).table_keys() for key in own
        ]
        built = {
            each.fingerprint: each.seconds
            for puzzle in {key.puzzle for key in keys}
            for each in self.solver.store.entries(puzzle)
            if not each.problem
        }
        return [self._tables(phase, built) for phase in phases]

    def _tables(self, phase: Phase, built: Mapping[str, float]) -> Tables:
        simple, pruning = self.plan.resolved(phase).table_keys()
        listed = tuple(
            (declared.coordinates, key.nbytes, built.get(key.fingerprint))
            for declared, key in zip(phase.pruning_tables, pruning, strict=True)
        )
        every = [*simple, *pruning]
        return Tables(
            **self.case_name._asdict(),
            phase=phase.name,
            goal=phase.goal,
            compared=phase in self.phases,
            tables=listed,
            nbytes=sum(key.nbytes for key in every),
            seconds=sum(built.get(key.fingerprint, 0.0) for key in every),
            number=self.method.phases.index(phase),
        )

    def text(self, heuristic: str | Heuristic) -> str:
        """Return the canonical text of a heuristic. Raises UsageError if it is unknown."""
        own, algorithm = parted(heuristic)
        text = format_heuristics(self.method.heuristics(own))
        return f"{text}@{algorithm_text(algorithm)}" if algorithm else text

    def candidate(self, heuristic: str | Heuristic) -> Candidate:
        """Return a heuristic ready to search. Missing tables are built."""
        if heuristic not in self._candidates:
            own, algorithm = parted(heuristic)
            heuristics = self.method.heuristics(own)
            strategy = self._searching(algorithm) if algorithm else self._strategy
            store = self._store(heuristics)
            with store.checking():  # a damaged table would falsify all measurements
                plan = attrs.evolve(self.plan, store=store, heuristics=heuristics)
                chain = strategy.prepared(plan)
            text = self.text(heuristic)
            told = [*self._keys, *(each.identity for each in heuristics), *self._named]
            if algorithm:
                told.append(repr(strategy))
            digest = f"{zlib.crc32(' '.join(told).encode()):08x}"
            found = Candidate(text, heuristics, chain, digest, algorithm)
            self._candidates[heuristic] = self._candidates.setdefault(found.text, found)
        return self._candidates[heuristic]

    def _searching(self, algorithm: str) -> Strategy:
        """Return the strategy of an algorithm. Raises UsageError if it cannot search this case."""
        found = find_algorithm(algorithm)
        strategy = found.one_by_one()
        if strategy is None:
            raise UsageError(f"{algorithm} cannot be compared")
        try:
            strategy.check(self.method.name, self.method.phases)
        except DeclarationError as error:
            raise UsageError(f"{algorithm} cannot search {self.name}: {error}") from None
        return strategy

    @property
    def _named(self) -> tuple[str, ...]:
        """The given instances, in hex."""
        return tuple(state.hex() for state in self.positions)

    def _store(self, heuristics: Sequence[Heuristic]) -> TableStore:
        """Return the solver's store, or a temporary store for estimates that are not stored."""
        if self.stored or all(each.is_max for each in heuristics):
            return self.solver.store
        self.candidate("max")  # puts all other tables into the solver's store first
        return ScratchStore(self.solver.store)

    def keep_only(self, *heuristics: str) -> None:
        """Release the memory of all prepared heuristics except these."""
        kept = [self._candidates[each] for each in heuristics if each in self._candidates]
        self._candidates = {name: each for name, each in self._candidates.items() if each in kept}

    @cached_property
    def _keys(self) -> list[str]:
        return sorted(key.fingerprint for key in self.table_keys([None]))

    def table_keys(self, heuristics: Iterable[str | None]) -> list[TableSpec]:
        """Return the keys of the tables that these heuristics need, as far as they are known."""
        profile = self.method.profile or None
        found: dict[TableSpec, None] = {}
        for heuristic in heuristics:
            own = None if heuristic is None else parted(heuristic)[0]
            asked = SearchOptions(self.method.name, own, self.metric, profile)
            found.update(dict.fromkeys(table_keys(self.solver.choose(asked))))
        return list(found)


def _suits(method: Method, heuristics: Iterable[str | Heuristic]) -> bool:
    if method.strategy.one_by_one() is None:
        return False
    listed = [parted(each) for each in heuristics]
    if any(algorithm for _, algorithm in listed):
        return True
    chosen = [method.heuristics(each) for each, _ in listed]
    return any(
        joins(phase, (each[number] for each in chosen))
        for number, phase in enumerate(method.phases)
    )


def admissible(heuristic: Heuristic, phase: Phase) -> bool:
    """Return whether a heuristic is declared to give admissible estimates in a phase."""
    return heuristic.admissible or not heuristic.changes(len(phase.groups))
