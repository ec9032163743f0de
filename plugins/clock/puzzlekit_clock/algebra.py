"""Answers of the Clock by linear algebra modulo 12.

All turns commute. So an answer is a number of hours for each of the 30 choices of pins and side,
and these numbers solve 14 linear equations.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Any

import attrs

from puzzlekit import Heuristic, Limits, Move, Phase, UsageError
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.candidate import Candidate, Counts, PhaseMoves
from puzzlekit.search.strategies.strategy import Strategy, length_limit
from puzzlekit.tables.table import TableSpec
from puzzlekit_clock import DIALS, PINS, WCA, turned

__all__ = ["FewestTurns", "FixedForm"]

# Pins in the order of the compiled search.
_PINS = ("UR", "DR", "DL", "UL")
# The turns of a half (see the compiled search): with one pin, and with two neighbours.
_SINGLE = _PINS
_PAIRS = ("U", "R", "D", "L")
# The other turns, which move all dials that are beside no corner.
_OTHERS = ("ULDR", "URDL", "URDRDL", "DRDLUL", "URDLUL", "URDRUL", "ALL")
_ENTRIES = 12**6
Hours = dict[tuple[int, str], int]  # of each side (0 is the front) and choice of pins


class _Algebra(Strategy):
    """A strategy that computes the hours of each turn."""

    needs_coordinates = False
    improves = False

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Do nothing: the phase only names the turns."""

    def searched(self, plan: Plan) -> Iterator[tuple[Plan, Phase, Heuristic]]:
        """Yield nothing, because the phase has no coordinates."""
        yield from ()

    def prepare(self, plan: Plan) -> None:
        """Refuse user-defined metrics."""
        if not plan.metric.counts:
            raise UsageError(f"{plan.name} of clock does not support {plan.metric.kind}s")
        self.phases = []

    @property
    def no_counts(self) -> Counts:
        """The counts before any search."""
        return ((0, 0),)

    def answer(self, hours: Hours, proven: bool, counts: Counts) -> Candidate:
        """Return the answer with these hours: the turns of the front, `y2`, those of the back."""
        moves: list[Move] = []
        for side in (0, 1):
            own = [
                self.puzzle.move(f"{pins}+", hours[side, pins] % 12)
                for pins in PINS
                if hours.get((side, pins), 0) % 12
            ]
            moves += [self.puzzle.move("y2")] * (side and bool(own)) + own
        found = PhaseMoves(0, tuple(moves), merged=tuple(moves))
        shortest = frozenset([0] if proven else [])
        at_least = len(hours) if proven else 0
        return Candidate((found,), proven, counts, shortest=shortest, at_least=at_least)


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class FewestTurns(_Algebra):
    """Finds an answer with the fewest turns.

    Eight turns of each side are chosen so that they and seven others set the dials beside no
    corner. A table has the fewest of these other turns for the corner dials.

    >>> FewestTurns().proves
    True
    """

    proves = True

    def prepare(self, plan: Plan) -> None:
        """Load or build the table."""
        super().prepare(plan)
        key = TableSpec(
            "clock",
            "other turns",
            "clock: fewest of the 14 turns with opposite, three or four pins, version 1",
            "u1",
            (_ENTRIES,),
            "Counts the turns that move all dials beside no corner.",
        )
        self.table = plan.store.get(key, _fill)
        self.tables = (self.table,)

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield the answer with the fewest turns, if it is within the limits."""
        from puzzlekit_clock.engine.pairs import HALVES, best_pair, list_halves

        front, back, corners = _wanted(state)
        halves = []
        for side, wanted in enumerate((front, back)):
            keys, ends = array("q", bytes(8 * HALVES)), array("i", bytes(40))
            on_corners = array("i", (0, 0, 0, 0) if side else corners)
            list_halves(array("i", wanted), on_corners, bool(side), keys, ends)
            halves += [keys, ends]
        found = array("q", bytes(32))
        most = min(length_limit(limits), 30) + 1
        keys, begin, other_keys, other_begin = halves
        fewest = best_pair(keys, begin, other_keys, other_begin, self.table.data, most, found)
        counts = ((found[3], found[3]),)
        if fewest == most:
            yield Candidate(None, False, counts, at_least=most)
            return
        hours = _of_half(0, found[0], front) | _of_half(1, found[1], back)
        for side, pins, amount in _way(self.table.data, found[2]):
            hours[side, pins] = amount
        yield self.answer({turn: n for turn, n in hours.items() if n}, True, counts)


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class FixedForm(_Algebra):
    """Finds the answer in the fixed form of WCA scrambles.

    It has nine turns of the front and five of the back, less those of 0 hours.

    >>> FixedForm().proves
    False
    """

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield the only answer in the fixed form, if it is within the limits."""
        front, back, corners = _wanted(state)
        wanted = [*front, *back, *corners]
        hours = {
            turn: sum(a * b for a, b in zip(row, wanted, strict=True)) % 12
            for turn, row in zip(_form(), _inverse(), strict=True)
        }
        answer = self.answer({turn: n for turn, n in hours.items() if n}, False, ((0, 0),))
        fits = sum(map(bool, hours.values())) <= length_limit(limits)
        yield answer if fits else Candidate(None, False, ((0, 0),))


def _wanted(state: bytes) -> tuple[list[int], list[int], list[int]]:
    """Return the hours that an answer adds to the dials U, R, D, L and C of each side.

    The third list has those of the corner dials of the front, in the order of `_PINS`.
    """

    def hours(names: Sequence[str], side: str) -> list[int]:
        return [-state[18 + DIALS.index(f"{name}{side}")] % 12 for name in names]

    return hours("URDLC", "f"), hours("URDLC", "b"), hours(_PINS, "f")


def _of_half(side: int, number: int, wanted: Sequence[int]) -> Hours:
    """Return the hours of the turns of a half, which the compiled search found."""
    ur, dr, dl, ul = number // 1728, number // 144 % 12, number // 12 % 12, number % 12
    pairs = (
        wanted[4] - wanted[2] - ur - ul,
        wanted[4] - wanted[3] - ur - dr,
        wanted[4] - wanted[0] - dr - dl,
        wanted[4] - wanted[1] - ul - dl,
    )
    amounts = (ur, dr, dl, ul, *(each % 12 for each in pairs))
    return {(side, pins): amount for pins, amount in zip(_SINGLE + _PAIRS, amounts, strict=True)}


@cache
def _steps() -> tuple[tuple[int, str, tuple[int, ...]], ...]:
    """Return the other turns: their side and pins, and what one hour adds to the six numbers.

    The numbers are the hours of the corner dials of the front in the order of `_PINS`, and the sums
    of the amounts on the front and on the back.
    """
    found = []
    for side in (0, 1):
        for pins in _OTHERS:
            raised = PINS[pins].split()
            # A pin of the back is beside the corner dial of the front with the other side's name.
            front = [_PINS[3 - _PINS.index(pin)] if side else pin for pin in raised]
            corners = [(11 if side else 1) * (pin in front) for pin in _PINS]
            found.append((side, pins, (*corners, 1 - side, side)))
    return tuple(found)


def _fill() -> Any:
    """Return the table: breadth first, with all hours of a turn at once."""
    import numpy as np

    axes = tuple(range(6))
    fewest = np.full((12,) * 6, 255, np.uint8)
    level = np.zeros((12,) * 6, bool)
    level[(0,) * 6] = True
    turns = 0
    while level.any():
        fewest[level] = turns
        turns += 1
        near = np.zeros_like(level)
        for _, _, step in _steps():
            reached = level.copy()
            for hours in (1, 2, 4, 8):
                reached |= np.roll(reached, [hours * each for each in step], axes)
            near |= reached
        level = near & (fewest == 255)
    return fewest.reshape(-1)


def _way(table: Sequence[int], place: int) -> Iterator[tuple[int, str, int]]:
    """Yield the fewest other turns of an entry of the table, with their hours."""
    digits = [place // 12**k % 12 for k in reversed(range(6))]
    while table[place]:
        for side, pins, step in _steps():
            for hours in range(1, 12):
                left = [(a - hours * b) % 12 for a, b in zip(digits, step, strict=True)]
                other = 0
                for digit in left:
                    other = 12 * other + digit
                if table[other] < table[place]:
                    break
            else:
                continue
            yield side, pins, hours
            digits, place = left, other
            break


def _form() -> list[tuple[int, str]]:
    """Return the turns of the fixed form, as side and pins."""
    return [*((0, pins) for pins in WCA), *((1, pins) for pins in WCA[4:])]


@cache
def _inverse() -> tuple[tuple[int, ...], ...]:
    """Return the inverse of the matrix of the fixed form, modulo 12."""
    names = [*(f"{each}f" for each in "URDLC"), *(f"{each}b" for each in "URDLC")]
    names += [f"{pin}f" for pin in _PINS]
    columns = []
    for side, pins in _form():
        hours = {DIALS[dial]: each for dial, each in turned(PINS[pins]).items()}
        if side:  # the names of the sides change places
            hours = {
                name[:-1] + ("f" if name[-1] == "b" else "b"): each for name, each in hours.items()
            }
        columns.append([hours.get(name, 0) for name in names])
    size = len(names)
    rows = [
        [column[i] for column in columns] + [int(i == j) for j in range(size)] for i in range(size)
    ]
    for i in range(size):
        _make_unit(rows, i)
        inverse = next(k for k in range(12) if k * rows[i][i] % 12 == 1)
        rows[i] = [inverse * each % 12 for each in rows[i]]
        for j in range(size):
            if j != i and rows[j][i]:
                factor = rows[j][i]
                rows[j] = [(a - factor * b) % 12 for a, b in zip(rows[j], rows[i], strict=True)]
    return tuple(tuple(row[size:]) for row in rows)


def _make_unit(rows: list[list[int]], i: int) -> None:
    """Make the pivot of row i invertible: another row is exchanged with it, or added to it."""
    units = (1, 5, 7, 11)
    for j in range(i, len(rows)):
        if rows[j][i] in units:
            rows[i], rows[j] = rows[j], rows[i]
            return
    for j, k in combinations(range(i, len(rows)), 2):
        for factor in range(1, 12):
            if (rows[j][i] + factor * rows[k][i]) % 12 in units:
                rows[j] = [(a + factor * b) % 12 for a, b in zip(rows[j], rows[k], strict=True)]
                rows[i], rows[j] = rows[j], rows[i]
                return
    raise AssertionError("the matrix has an inverse")
