"""A strategy for puzzles whose moves each exchange the guarding piece with another piece."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import attrs

from puzzlekit import Heuristic, Puzzle, Sequential
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.resolved import Plan
from puzzlekit_fifteen.additive import Additive
from puzzlekit_fifteen.duplicates import automaton
from puzzlekit_fifteen.pattern import bits_of, exchanges, keyed

__all__ = ["Sliding"]

_ENTRY = 8  # bits


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class Sliding(Sequential):
    """`Sequential`, with a search of its own for sliding puzzles with additive tables.

    Wherever the pieces slide: each move has to exchange the guarding piece, the blank, with one
    other piece, at a cost of 1. Then a move changes one table of each group, and only this table is
    looked up, which takes a third of the time. Nodes and answers are those of `Sequential`, which
    searches all other phases, and with all heuristics but `max`. With more `duplicates`, there are
    fewer nodes.

    >>> Sliding().choices
    1
    """

    #: The search leaves out sequences of up to this many moves if an earlier one has the same
    #: effect: see `puzzlekit_fifteen.duplicates`. 2: the pairs that any phase leaves out.
    duplicates: int = 2

    def prepare(self, plan: Plan) -> None:
        """Prepare the phases, and for each of them the input of its own search, if it has one."""
        super().prepare(plan)
        self._inputs = [
            sliding_inputs(self.puzzle, phase, heuristic, self.duplicates)
            for phase, heuristic in zip(self.phases, plan.heuristics, strict=True)
        ]

    def started(self, number: int, state: bytes, limit: int) -> Any:
        """Return a search of a phase."""
        inputs = self._inputs[number]
        starts = self.namings(state) if len(self.phases) == 1 else [state]
        if inputs is None or len(starts) > 1:
            return super().started(number, state, limit)
        from puzzlekit_fifteen.engine.sliding_search import SlidingSearch

        (start,) = starts
        search = SlidingSearch(*inputs)
        search.keep_parity(self.parity(start, number))
        search.start(start, min(limit, 1 << 30), self.puzzle.place_of_guard(start))
        return search


class SlidingInputs(NamedTuple):
    """The arguments of a `SlidingSearch`."""

    guard: int
    automaton: tuple[Any, ...]
    pieces: Any
    values: Any
    group_end: Any
    tables: list[Any]


def sliding_inputs(
    puzzle: Puzzle, phase: CompiledPhase, heuristic: Heuristic, duplicates: int = 2
) -> SlidingInputs | None:
    """Return the input of a `SlidingSearch` of a phase; None if the phase is of another form."""
    guarded, coordinates = puzzle.guarded, phase.phase.coordinates
    if guarded is None or not (heuristic.is_max and _has_form(puzzle, phase)):
        return None
    labels = guarded.size
    read = [keyed(each, labels) for each in coordinates]
    values = array("H", bytes(2 << bits_of(labels)))
    begins: dict[int, int] = {}
    pieces: list[int] = []
    parts = 0
    group_end = [*accumulate(len(group) for group in phase.phase.groups)]
    for first, end in pairwise([0, *group_end]):
        own = [(0, 0, first, 0, 0)] * labels
        for number in range(first, end):
            factor = 1
            for at in reversed(phase.tables[number].coordinates):
                found = read[at]
                if found is None or any(own[label][0] for label in found[0]):
                    return None
                if at not in begins:  # at a multiple of the number of keys
                    values.frombytes(bytes(-2 * len(values) % found[1].nbytes))
                    begins[at] = len(values)
                    values.frombytes(found[1].tobytes())
                parts += 1
                for position, label in enumerate(found[0]):
                    own[label] = parts, position * bits_of(labels), number, factor, begins[at]
                factor *= coordinates[at].size
        pieces += [each for piece in own for each in (*piece, 0, 0, 0)]
    states = phase.automaton
    if duplicates > 2:
        states = automaton(phase.moves, labels, duplicates)
    entries = [entry for listed in states for entry in listed]
    moves = [phase.moves[move] for move, _ in entries]
    return SlidingInputs(
        guarded.label,
        (
            _ints([0, *accumulate(len(listed) for listed in states)]),
            _ints([move for move, _ in entries]),
            _ints([state for _, state in entries]),
            _ints([move.guard_after for move in moves]),
            _ints([move.guard_before ^ move.guard_after for move in moves]),
        ),
        _ints(pieces),
        values,
        _ints(group_end),
        [table.data for table in phase.tables],
    )


def _has_form(puzzle: Puzzle, phase: CompiledPhase) -> bool:
    """Whether moves exchange two pieces at a cost of 1, and additive tables read everything."""
    declared, tables = phase.phase, phase.phase.pruning_tables
    read = {number for table in tables for number in declared.coordinate_numbers(table)}
    return (
        len({*puzzle.solved}) == len(puzzle.solved) == puzzle.orbits[0].size
        and declared.view is None
        and all(isinstance(table, Additive) for table in tables)
        and all(table.bits == _ENTRY for table in phase.tables)
        and all(memoryview(table.data).nbytes < 1 << 31 for table in phase.tables)
        and read == {*range(len(declared.coordinates))}
        and phase.order.steps is None
        and {*phase.costs} == {1}
        and all(exchanges(move) for move in phase.moves)
    )


def _ints(numbers: Sequence[int]) -> Any:
    return array("i", numbers)
