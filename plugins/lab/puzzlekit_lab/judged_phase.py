"""A phase whose heuristics are checked, and the distances that its pruning tables can return."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, reduce
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlekit import Heuristic, Max, TableStore
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.estimates import group_radix, join_radix, joined_estimates
from puzzlekit.search.resolved import ResolvedPhase
from puzzlekit.tables.goals import goal_flags
from puzzlekit.tables.pruning_table import UNREACHED, ResolvedTable
from puzzlekit_lab.case import Candidate, Case, admissible
from puzzlekit_lab.measurement import computer, versions
from puzzlekit_lab.record import Quality

Pairs = tuple[tuple[int, int, int], ...]  # distance, estimate, number of states
Tell = Callable[[float], object]  # called with the share of the work done, from 0 to 1

_ENTRIES = 1 << 22  # entries of a table processed at once


class JudgedPhase:
    """A phase of a case and the candidates that are checked in the phase, without duplicates.

    `phase` is the name or number of a phase, which may have a single table. A candidate whose
    heuristic reads the state is left out. Raises UsageError if the phase or a heuristic does not
    exist.

    >>> import puzzlekit
    >>> phase = JudgedPhase(Case(puzzlekit.load("cube2")), "solve", ["max", "sum", "max"])
    >>> [each.text for each in phase.candidates], phase.vectors.sizes, len(phase.vectors)
    (['max', 'sum'], [8, 7, 10, 6], 3360)
    """

    def __init__(self, case: Case, phase: str, heuristics: Sequence[str]) -> None:
        self.case = case
        self.puzzle = case.puzzle
        self.number = case.method.phase_number(phase)
        self.phase = case.method.phases[self.number]
        self.needs = case.plan.resolved(self.phase)
        texts = dict.fromkeys(map(case.text, heuristics))
        every = (case.candidate(text) for text in texts)
        # A heuristic that reads the state has no estimate for a combination of distances.
        self.candidates = tuple(
            each for each in every if not each.heuristics[self.number].reads_state
        )
        self.max = self.ready(case.candidate("max"))

    @cached_property
    def vectors(self) -> Vectors:
        """The combinations of distances that the pruning tables can return."""
        return Vectors(self.max, self.needs, self.case.solver.store)

    def ready(self, candidate: Candidate) -> CompiledPhase:
        """Return the phase, ready to be searched with a candidate."""
        return candidate.chain.phases[self.number]

    def record(self, candidate: Candidate, pairs: Pairs, **found: Any) -> Quality:
        """Return the quality of a candidate from its pairs and the fields `found`."""
        heuristic = candidate.heuristics[self.number]
        return Quality(
            **self.case.case_name._asdict(),
            phase=self.phase.name,
            heuristic=candidate.text,
            admissible=admissible(heuristic, self.phase),
            fingerprint=candidate.fingerprint,
            zeros=self._zeros,
            vectors=len(self.vectors),
            vectors_differ=self.vectors.differing(heuristic),
            machine=computer(),
            versions=versions(),
            states=sum(count for _, _, count in pairs),
            pairs=pairs,
            over=sum(count for distance, h, count in pairs if h > distance),
            goals=sum(count for distance, _, count in pairs if not distance),
            goals_above=sum(count for distance, h, count in pairs if h and not distance),
            **found,
        )

    @cached_property
    def _zeros(self) -> dict[str, bool | None]:
        """For each pruning table, whether it is 0 exactly at the goals of its coordinates."""
        store, tables = self.case.solver.store, self.needs.tables
        return {table.kind.coordinates: zero_at_goals(store, table) for table in tables}


class Vectors:
    """The combinations of distances that the tables of a phase can return.

    Additive tables whose distances are added form a group. Any other table is a group by itself.
    A combination has one distance for each group. `sizes` has the largest distance of
    each group, plus 1. The combinations are numbered from 0 in lexicographic order.
    """

    def __init__(self, ready: CompiledPhase, needs: ResolvedPhase, store: TableStore) -> None:
        tables = ready.tables
        self._puzzle = needs.puzzle
        self._store = store
        self.groups = [len(own) for own in ready.phase.groups] * len(ready.sides)
        radixes = join_radix(tables)
        self._radix = group_radix(radixes, self.groups)
        # If an entry is the minimum over several places or states, any distance may be missing.
        gap = max(needs.prices) if not (needs.places or needs.remembers) else UNREACHED
        told = [
            _told(table.bits, table.data, radix, gap)
            for table, radix in zip(tables, radixes, strict=True)
        ]
        self.sizes = group_radix(told, self.groups)

    def __len__(self) -> int:
        """Return the number of combinations."""
        return prod(self.sizes)

    def estimates(self, heuristic: Heuristic) -> npt.NDArray[np.int64]:
        """Return the table of estimates that the engine uses: one entry for each combination."""
        if not heuristic.changes(len(self.sizes)):
            axes = np.ogrid[tuple(slice(size) for size in self.sizes)]
            found = reduce(np.maximum, axes, np.zeros(self.sizes, dtype=np.int64))
        else:
            data = joined_estimates(self._puzzle, heuristic, self._radix, self._store).data
            whole = np.asarray(data).reshape(self._radix)
            found = whole[tuple(slice(size) for size in self.sizes)].astype(np.int64)
        return found.reshape(-1)

    def differing(self, heuristic: Heuristic) -> int:
        """Return the number of combinations whose estimate differs from the largest distance."""
        if not heuristic.changes(len(self.sizes)):
            return 0
        return int((self.estimates(heuristic) != self.estimates(Max())).sum())


def _told(bits: int, data: Any, most: int, gap: int) -> int:
    """Return the largest distance of a table, plus 1, or `most` if the entries do not show it.

    The largest possible entry usually means that no goal can be reached. With 4 bits this entry is
    a distance if the next smaller entry is at most `gap` less.
    """
    if bits == 2:
        return most
    counts = np.zeros(1 << bits, dtype=np.int64)
    for part in _parts(np.asarray(data)):
        counts += np.bincount(_digits(part, bits), minlength=len(counts))
    largest, before = np.flatnonzero(counts)[:-3:-1].tolist() if (counts > 0).sum() > 1 else (0, 0)
    unreached = largest == len(counts) - 1 and (bits == 8 or before < largest - gap)
    return int(before if unreached else largest) + 1


def _parts(array: Any) -> list[Any]:
    """Split an array into parts, so that temporary arrays stay small."""
    return [array[begin : begin + _ENTRIES] for begin in range(0, len(array), _ENTRIES)]


def zero_at_goals(store: TableStore, table: ResolvedTable) -> bool | None:
    """Return whether a pruning table is 0 exactly at the goals of its coordinates.

    Returns None if the entries are not distances, or if symmetric values share an entry.
    """
    kind, graph = table.kind, table.graph
    if not kind.in_estimate or kind.bits == 2 or graph.is_reduced:
        return None
    data = np.asarray(table.get(store).data)
    found = [np.flatnonzero(_digits(part, kind.bits) == 0) for part in _parts(data)]
    each = 2 if kind.bits == 4 else 1
    zeros = np.concatenate([at + n * _ENTRIES * each for n, at in enumerate(found)])
    at_goal: Any = 0
    together = bool(graph.goal_states) and not graph.goal_moves
    for coordinate in graph.coordinates:
        if together:  # only combinations that occur in a goal state
            values = np.array([coordinate.rank(state) for state in graph.goal_states])
            at_goal = at_goal * coordinate.size + values
            continue
        flags = goal_flags(store, coordinate, graph.goal_moves, graph.goal_states)
        at_goal = np.add.outer(np.multiply(at_goal, coordinate.size), np.flatnonzero(flags))
    return np.array_equal(zeros[zeros < table.entries], np.unique(at_goal))


def _digits(part: Any, bits: int) -> Any:
    return np.stack([part & 15, part >> 4], axis=1).reshape(-1) if bits == 4 else part
