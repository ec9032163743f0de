"""Recognise the puzzle of a plugin in a definition, whatever the file calls it, and use its method.

Two puzzles are the same if some of the moves of one, whole pieces and all, are moves of the other
under other names of the places. A file may list more moves, such as wide ones or slices, fewer, or
the same with another part held; it may leave out centers, or a corner that no move turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache, cached_property
from itertools import accumulate, combinations, islice
from math import inf
from operator import eq, le
from threading import Event
from time import perf_counter

import attrs
import numpy as np
import numpy.typing as npt

from puzzlekit import (
    Limits,
    Metric,
    Move,
    NoSolutionError,
    Puzzle,
    PuzzlekitError,
    Solver,
    StateError,
    TableStore,
    load,
)
from puzzlekit.plugins.manager import manager
from puzzlekit.puzzle.diagnose import check
from puzzlekit.puzzle.groups import orbits_of
from puzzlekit.puzzle.move import act
from puzzlekit.search.budget import Budget
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.candidate import Candidate, HowFound, PhaseMoves
from puzzlekit.search.strategies.strategy import Strategy, Wrapper, length_limit
from puzzlekit_beam import Beam
from puzzlekit_beam.symmetries import cycle_lengths
from puzzlekit_definitions.basic_moves import BasicMoves
from puzzlekit_universal import Universal

__all__ = ["AsKnown", "Same", "known_puzzle"]

_MOST_TRIED = 48  # ways to map the first moves to moves
_MOST_WORDS = 100_000  # that are tried, about
_TOGETHER = 1000  # words that are compared at once
_MOST_LAYERS = 4  # moves that make one move of the other puzzle
_MOST_MERGED = 3  # moves of an answer that may become others
_FEWEST = 40  # points of a puzzle: smaller ones need no other method
_LEAST = 0.6  # of the points of the puzzle of a plugin, at least, are points of the other one
_MOST_PLACES = 1000  # of a puzzle
_MOST_PAIRS = 20_000  # pairs of moves that are compared
_SHARE = 2 / 3  # of the time after the first answer is for the method of the plugin
_MOST_SHARE = 0.85  # if it has no answer earlier
_MOST_SIDES = 24  # from which the puzzle is seen
UNIVERSAL = "universal"  # a method that every definition has
_STEPS = 60  # moves after which the states of both puzzles are compared

#: For each point, a place with an orientation, the point from which the piece comes.
Row = npt.NDArray[np.intp]
#: What moves of the definition cost, and these moves.
Word = tuple[int, tuple[Move, ...]]
#: A piece and a part of it: the numbers of its orbit and label, and an orientation.
_Name = tuple[int, int, int]
#: For each way of holding the puzzle: what it costs to come there, from which place of an answer
#: and which way, and the moves.
_Costs = dict[int, tuple[int, int, int, tuple[Move, ...]]]


class _Points:
    """The pairs of a place and an orientation of a puzzle, numbered."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        #: For each point the byte of its label, the byte of its orientation, and its orientation.
        self.at: list[tuple[int, int, int]] = []
        self.first: dict[int, int] = {}  # the point with orientation 0, by the byte of its label
        for orbit in puzzle.orbits:
            start = puzzle.offsets[orbit.name]
            for label in range(start, start + orbit.size):
                self.first[label] = len(self.at)
                turn = label + orbit.size if orbit.orientations > 1 else -1
                self.at += [(label, turn, number) for number in range(orbit.orientations)]
        self._orbit = [n for n, orbit in enumerate(puzzle.orbits) for _ in range(orbit.width)]
        self.base = {label: puzzle.modulus[turn] if turn >= 0 else 1 for label, turn, _ in self.at}

    def name(self, point: int, state: bytes | None = None) -> _Name:
        """Return what is at a point of a state: the piece and the part of it, by their names."""
        label, turn, number = self.at[point]
        if state is None:
            return self._orbit[label], self.puzzle.solved[label], number
        turned = number - (state[turn] if turn >= 0 else 0)
        return self._orbit[label], state[label], turned % self.base[label]

    def row(self, gather: Sequence[int], add: Sequence[int]) -> Row:
        row = []
        for label, turn, number in self.at:
            turned = number - add[turn] if turn >= 0 else 0
            row.append(self.first[gather[label]] + turned % self.base[label])
        return np.array(row, dtype=np.intp)


def _numbers(points: Iterable[int]) -> Row:
    return np.array([*points], dtype=np.intp)


def _cycles(row: Row) -> Counter[int]:
    return Counter(cycle_lengths(row.tolist()))


def _parts(rows: Sequence[Row]) -> Row:
    """Return a number for each point, the same for points that the rows exchange."""
    part = np.arange(len(rows[0]) if rows else 0)
    for orbit in orbits_of(len(part), [row.tolist() for row in rows]):
        part[[*orbit]] = orbit[0]
    return part


def _kept(points: _Points, parts: Row) -> Row:
    """Return the parts of points; -1 for those that stay, and for all but one of a place."""
    sizes = Counter(parts.tolist())
    kept: set[int] = set()
    for first in points.first.values():
        own = parts[first : first + points.base[points.at[first][0]]].tolist()
        if sizes[own[0]] > 1 and kept.isdisjoint(own):
            kept.add(own[0])
    return np.array([part if part in kept else -1 for part in parts.tolist()])


class _Matching:
    """Looks for the moves of one puzzle among the moves of another one."""

    def __init__(
        self, points: _Points, parts: Row, basic: Callable[[], Sequence[Move]], solver: Solver
    ) -> None:
        other = solver.puzzle
        self.points, self.others = points, _Points(other)
        self.parts, self._basic = parts, basic
        self._other_moves = _turning(other)
        self._other_rows = [self.others.row(*move.effect) for move in self._other_moves]
        self._whole = [self.others.row(*held) for held in other.whole_rotations]
        needed = _needed(solver)
        self._method_rows = [
            row
            for move, row in zip(self._other_moves, self._other_rows, strict=True)
            if move in needed
        ]
        self._pairs: dict[tuple[bool, int, int], tuple[Counter[int], Counter[int]]] = {}

    @cached_property
    def _rows(self) -> list[Row]:
        return [self.points.row(*move.effect) for move in self._basic()]

    def _fits(self) -> Iterator[tuple[Callable[[Counter[int], Counter[int]], bool], Row]]:
        """Yield how to compare numbers of cycles, and the parts of the other puzzle, if they fit.

        Rotations and slices join parts that a file may have apart, such as the centers of a
        supercube. So the parts are those of all of these, of the moves without rotations, or of the
        moves of the method.
        """
        known = []
        for rows in ([*self._other_rows, *self._whole], self._other_rows, self._method_rows):
            parts = _kept(self.others, _parts(rows))
            if parts.tolist() in known:
                continue
            known.append(parts.tolist())
            if (found := self._fit(parts)) is not None:
                yield found

    def _fit(self, parts: Row) -> tuple[Callable[[Counter[int], Counter[int]], bool], Row] | None:
        """Return how to compare numbers of cycles, and parts of the other puzzle; None if none fit.

        Each part has to be in a part of its own. At most one is smaller, as corners are if a file
        never turns one of them.
        """
        own = _sizes(self.parts)
        sizes = Counter(parts[parts >= 0].tolist())
        found = Counter(sizes.values())
        lacking = [part for part, size in sizes.items() if size not in own]
        if own == Counter(sizes[part] for part in sizes if part not in lacking):
            return eq, np.where(np.isin(parts, lacking), -1, parts)
        smaller, left = own - found, found - own
        few = sum(own.elements()) < _LEAST * sum(found.elements())
        if few or own.total() > found.total() or smaller.total() > 1:
            return None
        if max(smaller.elements(), default=0) > max(left.elements(), default=0):
            return None
        return le, parts

    def images(self) -> Iterator[dict[int, int]]:
        """Yield the point of the other puzzle for each point that moves."""
        for fit, other_parts in self._fits():
            self._pairs.clear()
            yield from self._images(fit, other_parts)

    def _images(
        self, fit: Callable[[Counter[int], Counter[int]], bool], other_parts: Row
    ) -> Iterator[dict[int, int]]:
        rows = [_within(self.parts, row) for row in self._rows]
        other_rows = [_within(other_parts, row) for row in self._other_rows]
        kinds, other_kinds = [_cycles(row) for row in rows], [_cycles(row) for row in other_rows]
        fits = [[n for n, other in enumerate(other_kinds) if fit(kind, other)] for kind in kinds]
        usable = sorted((n for n, own in enumerate(fits) if own), key=lambda n: len(fits[n]))
        if not usable:
            return
        chosen: list[int] = []
        left = len(rows[0]) + 1
        while (now := _count(rows, chosen)) < left:
            left = now
            chosen.append(min(usable, key=lambda n: _count(rows, [*chosen, n])))
        chosen.pop()

        def pair(mine: bool, one: int, other: int) -> tuple[Counter[int], Counter[int]]:
            key = mine, one, other
            if key not in self._pairs:
                every = rows if mine else other_rows
                first, second = every[one], every[other]
                self._pairs[key] = _cycles(first[second]), _cycles(first[np.argsort(second)])
            return self._pairs[key]

        products = [*accumulate((rows[n] for n in chosen), lambda one, other: one[other])]
        cycles = [_cycles(product) for product in products]

        def mapped(images: list[int], product: Row) -> Iterator[list[int]]:
            if len(images) == len(chosen):
                yield images
                return
            move = chosen[len(images)]
            for image in fits[move]:
                if len(self._pairs) > _MOST_PAIRS:
                    return
                after = product[other_rows[image]]
                if fit(cycles[len(images)], _cycles(after)) and all(
                    fit(a, b)
                    for one, other in zip(chosen, images, strict=False)
                    for a, b in zip(pair(True, one, move), pair(False, other, image), strict=True)
                ):
                    yield from mapped([*images, image], after)

        still = np.arange(len(self.others.at))
        for images in islice(mapped([], still), _MOST_TRIED):
            steps = [
                (self._rows[one], self._other_rows[other])
                for one, other in zip(chosen, images, strict=True)
            ]
            joined = _parts([rows[n] for n in chosen])
            found = self._carried(steps, joined, {}, {n: fits[n] for n in usable})
            if found and len(found) < np.count_nonzero(self.parts >= 0):
                # Some moves, such as slices, also turn the whole puzzle.
                steps += self._turning(found)
                found = self._carried(steps, self.parts, found, {})
            if found and len(found) == np.count_nonzero(self.parts >= 0):
                yield found

    def _carried(
        self,
        steps: Sequence[tuple[Row, Row]],
        joined: Row,
        image: dict[int, int],
        others: dict[int, list[int]],
    ) -> dict[int, int] | None:
        """Return the images of all points in parts that the steps join; None if there are none.

        `others` has moves, by their numbers, and those that they may be.
        """
        pairs = [(one.tolist(), other.tolist()) for one, other in steps]
        every = [
            np.flatnonzero(self.parts == part)
            for part in dict.fromkeys(self.parts[self.parts >= 0].tolist())
        ]
        wanted = [
            points
            for points in every
            if int(points[0]) not in image and np.all(joined[points] == joined[points[0]])
        ]

        def carried(
            number: int, image: dict[int, int], others: dict[int, list[int]]
        ) -> dict[int, int] | None:
            if number == len(wanted):
                return image
            for target in range(len(self.others.at)):
                own = _spread(int(wanted[number][0]), target, pairs)
                if own and self._is_plain(image | own):
                    left = self._left(own, others)
                    found = carried(number + 1, image | own, left) if all(left.values()) else None
                    if found is not None:
                        return found
            return None

        return carried(0, image, others)

    def _left(self, image: dict[int, int], others: dict[int, list[int]]) -> dict[int, list[int]]:
        """Return moves, and those that they may be, if some points go to some others."""
        points, its = _numbers(image), _numbers(image.values())
        to = np.zeros(len(self.parts), dtype=np.intp)
        to[points] = its
        return {
            move: [n for n in may_be if np.array_equal(self._other_rows[n][its], wanted)]
            for move, may_be in others.items()
            for wanted in (to[self._rows[move][points]],)
        }

    def _turning(self, image: dict[int, int]) -> Iterator[tuple[Row, Row]]:
        """Yield moves with the products of a few moves and a rotation that they are."""
        own, covered = _numbers(image), _numbers(image.values())
        few = [np.arange(len(self.others.at)), *self._other_rows]
        few += [
            row[other]
            for (one, row), (two, other) in combinations(
                zip(self._other_moves, self._other_rows, strict=True), 2
            )
            if one.family != two.family and self.others.puzzle.commute(one, two)
        ]
        known = {row[covered].tobytes(): row for row in few}
        for row in self._rows:
            moved = np.array([image[i] for i in row[own].tolist()])
            back = np.arange(len(self.others.at))
            back[covered] = moved
            for held in self._whole:
                # The product and then the rotation do what the move does.
                found = known.get(back[np.argsort(held)][covered].tobytes())
                if found is not None:
                    yield row, found[held]
                    break

    def _is_plain(self, image: dict[int, int]) -> bool:
        """Whether points go to different points, and those of alike pieces to those of such.

        Pieces that the other puzzle has alike may be in orbits of their own.
        """
        names: dict[_Name, _Name] = {}
        for point, its in image.items():
            name, other = self.points.name(point), self.others.name(its)
            if names.setdefault(name, other) != other:
                return False
        different = {(orbit, other) for (orbit, _, _), other in names.items()}
        return len(different) == len(names) and len({*image.values()}) == len(image)


def _sizes(parts: Row) -> Counter[int]:
    return Counter(Counter(parts[parts >= 0].tolist()).values())


def _within(parts: Row, row: Row) -> Row:
    """Return what a permutation does to the points that are in parts."""
    return np.where(parts >= 0, row, np.arange(len(row)))


def _count(rows: Sequence[Row], numbers: Sequence[int]) -> int:
    """Return how many parts some permutations leave."""
    return len({*_parts([rows[n] for n in numbers]).tolist()}) if numbers else len(rows[0])


def _spread(base: int, target: int, pairs: Sequence[tuple[list[int], list[int]]]) -> dict[int, int]:
    """Return the images of points if that of one is a target; empty if moves contradict it."""
    own, new = {base: target}, [base]
    while new:
        at = new.pop()
        for one, other in pairs:
            if one[at] not in own:
                own[one[at]] = other[own[at]]
                new.append(one[at])
            elif own[one[at]] != other[own[at]]:
                return {}
    return own if len({*own.values()}) == len(own) else {}


class Same:
    """A puzzle of a plugin that is the same as another puzzle.

    - `solver`: the solver of the puzzle of the plugin, `other`.
    - `method`: its default method.
    """

    def __init__(self, solver: Solver, matching: _Matching, image: dict[int, int]) -> None:
        self.solver = solver
        self.method = solver.method(None)
        self.puzzle, self.other = matching.points.puzzle, solver.puzzle
        self._points, self._others = matching.points, matching.others
        self._image = image
        self._parts = matching.parts
        self._home = {self._points.name(point): point for point in reversed(image)}
        self._ends: dict[int, bool] = {}
        self._own = _numbers(image)
        self.covered = _numbers(image.values())
        self._targets = np.zeros(len(self._points.at), dtype=np.intp)
        self._targets[self._own] = self.covered
        seen = {self._others.at[its][0] for its in image.values()}
        #: The bytes of pieces that the other puzzle lacks.
        self._free = [
            byte
            for label, turn, number in self._others.at
            if label not in seen and number == 0
            for byte in ((label, turn) if turn >= 0 else (label,))
        ]

    def states(self, state: bytes) -> Iterator[bytes]:
        """Yield the states of the puzzle of the plugin that may be a state of the other one."""
        made = self._made(state)
        for held in self.other.whole_rotations if self._free else self.other.whole_rotations[:1]:
            whole = act(self.other.solved, *held, self.other.modulus)
            for byte in self._free:
                made[byte] = whole[byte]
            with suppress(StateError):
                check(self.other, bytes(made))
                yield bytes(made)

    def _made(self, state: bytes) -> bytearray:
        """Return a state of the puzzle of the plugin; pieces that the other lacks are solved."""
        made = bytearray(self.other.solved)
        for point, its in self._image.items():
            place, turn, number = self._others.at[its]
            home = self._image[self._home[self._points.name(point, state)]]
            source, _, first = self._others.at[home]
            made[place] = self.other.solved[source]
            if turn >= 0:
                made[turn] = (number - first) % self._others.base[place]
        return made

    def is_right(self) -> bool:
        """Whether what moves do to states is what they do to points."""
        moves = self.puzzle.family_moves(self.puzzle.turns)
        state = self.puzzle.solved
        for number in range(_STEPS):
            move = moves[number * number % len(moves)]
            before, state = self._made(state), self.puzzle.apply(state, [move])
            row = self.image(self._points.row(*move.effect))
            if self._made(state) != self._moved(before, row):
                return False
        return True

    def _moved(self, state: bytearray, row: Row) -> bytearray:
        """Return a state of the puzzle of the plugin after a permutation of its points."""
        made = bytearray(state)
        for point in self.covered.tolist():
            label, turn, number = self._others.at[point]
            source, source_turn, source_number = self._others.at[int(row[point])]
            made[label] = state[source]
            if turn >= 0:
                turned = number - source_number + state[source_turn]
                made[turn] = turned % self._others.base[label]
        return made

    def may_turn(self, held: int, moves: Iterable[Move]) -> bool:
        """Whether answers of some moves of the plugin may leave the puzzle turned as a whole."""
        if held not in self._ends:
            self._ends[held] = self._may_turn(held, moves)
        return self._ends[held]

    def _may_turn(self, held: int, moves: Iterable[Move]) -> bool:
        gather, add = self.other.whole_rotations[held]
        changed = {byte for move in moves for byte in move.changed}
        if any(gather[byte] != byte and byte not in changed for byte in self._free):
            return False
        back = {its: point for point, its in self._image.items()}
        row = self._others.row(gather, add)
        state = bytearray(self.puzzle.solved)
        for point, its in self._image.items():
            home = back.get(int(row[its]))
            if home is None or self._parts[home] != self._parts[point]:
                return False  # no move brings the piece there
            label, turn, number = self._points.at[point]
            source, _, source_number = self._points.at[home]
            state[label] = self.puzzle.solved[source]
            if turn >= 0:
                state[turn] = (number - source_number) % self._points.base[label]
        try:
            check(self.puzzle, bytes(state))
        except StateError:
            return False
        return True

    def is_home(self, state: bytes) -> bool:
        """Whether all pieces that both puzzles have are where they belong."""
        solved = bytearray(self.other.solved)
        for byte in self._free:
            solved[byte] = state[byte]
        return bytes(solved) == state

    def key(self, row: Row) -> bytes:
        """Return what an effect on the puzzle of the plugin does to the pieces that both have."""
        return row[self.covered].tobytes()

    def own_key(self, row: Row) -> bytes:
        """Return the same for an effect on the other puzzle."""
        return self.key(self.image(row))

    def image(self, row: Row) -> Row:
        """Return an effect on the other puzzle, or a row for each effect, as of the plugin's."""
        image = np.empty((*row.shape[:-1], len(self._others.at)), dtype=np.intp)
        image[...] = np.arange(len(self._others.at))
        image[..., self.covered] = self._targets[row[..., self._own]]
        return image


class _Words:
    """The cheapest moves of a definition for the moves of the puzzle of a plugin.

    - `costs`: what the moves of the method of the plugin cost, those that few moves make.
    - `is_whole`: whether these are all, in every way in which the puzzle may be held.
    - `may_turn`: whether an answer may leave the puzzle turned, and no words turn it back.
    """

    def __init__(self, same: Same, metric: Metric) -> None:
        self._same, self._metric = same, metric
        self._points = _Points(same.other)
        self._whole = [self._points.row(*held) for held in same.other.whole_rotations]
        self._back = [np.argsort(row) for row in self._whole]
        self._rows: dict[tuple[Move, ...], Row] = {}
        self._ways: dict[tuple[tuple[Move, ...], int], list[tuple[int, Word]]] = {}
        own = _Points(same.puzzle)
        still = own.row(*same.puzzle.whole_rotations[0])
        self._known: dict[bytes, Word] = {same.own_key(still): (0, ())}
        rows = {move: own.row(*move.effect) for move in _turning(same.puzzle)}
        rank = {family: number for number, family in enumerate(same.puzzle.turns)}
        level: list[tuple[Row, tuple[Move, ...]]] = [(still, ())]
        self._needed = _needed(same.solver)
        for layers in range(1, _MOST_LAYERS + 1):
            level = [
                (row[rows[move]], (*word, move))
                for row, word in level
                for move in rows
                if all(
                    rank[each.family] < rank[move.family] and same.puzzle.commute(each, move)
                    for each in word
                )
            ]
            for row, word in level:
                self._note(same.own_key(row), word)
            self._measure()
            many = len(level) * len(rows) > _MOST_WORDS
            if many or (layers > 1 and self.is_whole and not self.may_turn):
                break
        if self.is_whole and self.may_turn:
            self._turn(level)

    def _note(self, key: bytes, word: tuple[Move, ...]) -> None:
        cost = self._metric.total(word)
        if key not in self._known or cost < self._known[key][0]:
            self._known[key] = cost, word

    def _measure(self) -> None:
        """See what the moves of the plugin cost, and how the puzzle may be held after an answer."""
        self._ways.clear()
        first = {move: self._way((move,), 0) for move in self._needed}
        self.costs = {move: min(way)[1][0] for move, way in first.items() if way}
        self.is_whole = len(self.costs) == len(self._needed)
        self.may_turn = False
        if not self.is_whole:
            return
        turned = self._reached([()])
        if len(turned) < len(self._whole):
            # It cannot always be turned back to how it is held at first.
            every = [(move,) for move in self._needed]
            met = self._reached([(), *every])
            self.is_whole = all(self._way(moves, held) for moves in every for held in met)
            ends = {*range(len(self._whole))}.difference(turned)
            self.may_turn = any(self._same.may_turn(held, self._needed) for held in ends)

    def _reached(self, every: Sequence[tuple[Move, ...]]) -> list[int]:
        """Return the ways of holding the puzzle to which moves lead from the first one."""
        reached = [0]
        for held in reached:  # grows during the loop
            found = {then for moves in every for then, _ in self._way(moves, held)}
            reached += found.difference(reached)
        return reached

    def _turn(self, level: Sequence[tuple[Row, tuple[Move, ...]]]) -> None:
        """Look for turns of the whole puzzle that are a word of many moves and a known one."""
        turns = [held[self._same.covered] for held in self._whole]
        found: dict[int, tuple[Move, ...]] = {}
        for begin in range(0, len(level), _TOGETHER):
            some = level[begin : begin + _TOGETHER]
            # The words done backwards, and then the turns.
            undone = self._same.image(np.argsort([row for row, _ in some], axis=1))
            for number, turn in enumerate(turns):
                if number in found:
                    continue
                for key, (_, word) in zip(undone[:, turn], some, strict=True):
                    rest = self._known.get(key.tobytes())
                    if rest is not None:
                        found[number] = (*word, *rest[1])
                        break
        for number, word in sorted(found.items()):
            self._note(self._same.key(self._whole[number]), word)
        self._measure()

    def _way(self, moves: tuple[Move, ...], held: int) -> list[tuple[int, Word]]:
        """Return words for moves of the other puzzle when it is held in some way.

        Each has the number of the way in which it is held then.
        """
        if (moves, held) not in self._ways:
            if moves not in self._rows:
                row = self._whole[0]
                for move in moves:
                    row = row[self._points.row(*move.effect)]
                self._rows[moves] = row
            row = self._back[held][self._rows[moves]]
            keys = [self._same.key(row[after]) for after in self._whole]
            self._ways[moves, held] = [
                (then, self._known[key]) for then, key in enumerate(keys) if key in self._known
            ]
        return self._ways[moves, held]

    def _relax(self, costs: _Costs, moves: tuple[Move, ...], after: _Costs, begin: int) -> bool:
        """Note cheaper ways to come to a place of an answer; return whether there are some."""
        better = False
        for held, (cost, *_) in [*costs.items()]:
            for then, (own, word) in self._way(moves, held):
                if then not in after or cost + own < after[then][0]:
                    after[then] = cost + own, begin, held, word
                    better = True
        return better

    def translated(self, moves: Sequence[Move], state: bytes) -> tuple[Move, ...] | None:
        """Return the moves for an answer to a state of the other puzzle; None if there are none."""
        puzzle = self._same.other
        every: list[_Costs] = [{} for _ in range(len(moves) + 1)]
        every[0][0] = 0, -1, -1, ()
        for begin, costs in enumerate(every):
            while self._relax(costs, (), costs, begin):  # turns of the whole puzzle
                pass
            for end in range(begin + 1, min(begin + _MOST_MERGED, len(moves)) + 1):
                if any(not puzzle.commute(moves[end - 1], each) for each in moves[begin : end - 1]):
                    break
                self._relax(costs, tuple(moves[begin:end]), every[end], begin)
        after = puzzle.apply(state, moves)
        ends = [
            (own[0], held)
            for held, own in every[-1].items()
            if self._same.is_home(act(after, *puzzle.whole_rotations[held], puzzle.modulus))
        ]
        if not ends:
            return None
        at, held = len(moves), min(ends)[1]
        found: list[Move] = []
        while (at, held) != (0, 0):
            _, at, held, word = every[at][held]
            found[:0] = word
        return tuple(found)


def _needed(solver: Solver) -> dict[Move, None]:
    """Return the moves of the default method."""
    phases = solver.method(None).phases
    return dict.fromkeys(
        move for phase in phases for move in solver.puzzle.named_moves(phase.moves)
    )


def _turning(puzzle: Puzzle) -> list[Move]:
    """Return the moves without rotations."""
    return [
        move for move in puzzle.family_moves(puzzle.turns) if move.family not in puzzle.rotations
    ]


@attrs.define(slots=False, on_setattr=attrs.setters.frozen, eq=False)
class AsKnown(Wrapper):
    """Takes the answers of the same puzzle of a plugin, with the moves of the file.

    Another strategy has the first answer and, for states near the solved one, better ones. With a
    time limit, it goes on in the last third of the time, or less if there is no answer of the
    plugin by then; without one, it comes first. A record without moves follows when the solver of
    the plugin has taken the time that it takes without a limit.
    """

    #: The puzzle of the plugin.
    same: Same
    #: The other strategy, which needs no phases.
    strategy: Strategy = attrs.field(factory=Universal)

    def prepare(self, plan: Plan) -> None:
        """Prepare the other strategy, and load or build the tables of the solver of the plugin."""
        super().prepare(plan)
        self.same.solver.prepared(self.same.method.name, metric=self._nearest[0])

    @cached_property
    def _nearest(self) -> tuple[str, _Words]:
        """The metric of the other puzzle that is most like that of this search, and the words."""
        words = _Words(self.same, self.metric)
        metrics = self.same.solver.catalogue.metrics(self.same.method.name)
        metrics = tuple(metric for metric in metrics if metric.counts)
        differences = [
            sum((metric.cost(move) - cost) ** 2 for move, cost in words.costs.items())
            for metric in metrics
        ]
        return metrics[differences.index(min(differences))].name, words

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield ever shorter answers, then a record with the totals."""
        budget = Budget(limits)
        unlimited = limits.timeout is None and limits.max_nodes is None
        best, counts = length_limit(limits) + 1, (0, 0)
        answers = self._others(state, limits)
        if limits.max_length is None:
            for found in answers:
                counts = found.counts[0]
                if found.moves is not None:
                    best = self.metric.total(found.moves)
                    yield found
                if found.proven:
                    return
                if found.moves is not None and not unlimited:
                    break
        nodes = None if limits.max_nodes is None else max(limits.max_nodes - counts[0], 0)
        enough = _Enough(budget, limits.cancel)
        known = 0, 0
        # With a time limit, a beam may be so wide that it has no answer: the first search has none.
        for timed in (False, True):
            if timed and (limits.timeout is None or enough.is_set()):
                break
            seconds = enough.left if timed else None
            earlier = known
            left = None if nodes is None else max(nodes - known[0], 0)
            within = limits._replace(timeout=seconds, max_nodes=left, cancel=enough)
            for found in self._known(state, within):
                enough.answered = True
                known = _after(earlier, found).counts[0]
                if found.moves is not None and self.metric.total(found.moves) < best:
                    best = self.metric.total(found.moves)
                    yield _after(earlier, _after(counts, found))
                    if limits.max_length is not None:
                        return
            if not timed:
                began = perf_counter()
                yield _after(known, Candidate(None, False, (counts,)))
                enough.pause(perf_counter() - began)
        if limits.max_nodes is None or best > length_limit(limits):
            if limits.max_length is not None:
                answers = self._others(state, limits._replace(timeout=budget.timeout))
            for found in answers:
                counts = found.counts[0]
                if found.moves is not None and self.metric.total(found.moves) < best:
                    best = self.metric.total(found.moves)
                    yield _after(known, found)
                    if limits.max_length is not None:
                        return
        yield _after(known, Candidate(None, False, (counts,)))

    def _others(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield the answers of the other strategy under the name of its method."""
        for found in self.ready.search(state, limits):
            if found.moves is None:
                yield found
                continue
            phases = [PhaseMoves(0, found.moves, HowFound(method=UNIVERSAL))]
            shortest = (0,) if found.proven else ()
            yield self.candidate(phases, found.proven, found.counts, shortest=shortest)

    def _known(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield the answers of the plugin's solver."""
        metric, words = self._nearest
        budget = Budget(limits)
        for other in self.same.states(state):
            answered = False
            with suppress(NoSolutionError):
                for found in self.same.solver.improve(
                    other,
                    method=self.same.method.name,
                    metric=metric,
                    timeout=budget.timeout,
                    max_nodes=limits.max_nodes,
                    threads=limits.threads,
                    cancel=limits.cancel,
                ):
                    moves = words.translated(self.same.other.moves(" ".join(found.moves)), other)
                    if moves is not None:
                        answered = True
                        how = HowFound(method=found.method)
                        counts = ((found.nodes, found.expanded),)
                        yield self.candidate([PhaseMoves(0, moves, how)], False, counts)
            if answered:
                return


class _Enough(Event):
    """Is set when a search has taken its share of the time, or is cancelled."""

    def __init__(self, budget: Budget, cancel: Event | None) -> None:
        super().__init__()
        self.answered = False
        self._budget, self._cancel = budget, cancel
        self._time = budget.left

    def pause(self, seconds: float) -> None:
        """Leave a time out, in which something else was done."""
        self._time -= seconds

    @property
    def left(self) -> float:
        """Seconds of the share that are left."""
        share = _SHARE if self.answered else _MOST_SHARE
        return self._budget.left - self._time * (1 - share) if self._time < inf else inf

    def is_set(self) -> bool:
        """Whether the search should end."""
        return self.left <= 0 or (self._cancel is not None and self._cancel.is_set())


def _after(counts: tuple[int, int], found: Candidate) -> Candidate:
    """Return an answer with the nodes of another search, too."""
    ((generated, expanded),) = found.counts
    return found._replace(counts=((generated + counts[0], expanded + counts[1]),))


def known_puzzle(puzzle: Puzzle, families: Sequence[str], store: TableStore) -> Same | None:
    """Return a puzzle of a plugin that is the same as a puzzle; None if none is found.

    Parameters
    ----------
    puzzle
        The puzzle of a definition.
    families
        Families of its moves that make all others, without rotations.
    store
        The store for the tables of the puzzle of the plugin.
    """
    if sum(orbit.size for orbit in puzzle.orbits) > _MOST_PLACES:
        return None
    points = _Points(puzzle)
    parts = _kept(points, _parts([points.row(*puzzle.move(each).effect) for each in families]))

    @cache
    def basic() -> list[Move]:
        return [puzzle.move(family) for family in BasicMoves(puzzle, families).families]

    for entry in manager().entries():
        with suppress(PuzzlekitError):
            solver = load(entry.name)
            if _may_be(solver):
                matching = _Matching(points, parts, basic, solver)
                if (found := _same(matching, solver, store)) is not None:
                    return found
    return None


def _may_be(solver: Solver) -> bool:
    """Whether the puzzle of a plugin is large, has a group, and has a method of its own."""
    puzzle = solver.puzzle
    points = sum(orbit.size * orbit.orientations for orbit in puzzle.orbits)
    free = puzzle.guard is None and not puzzle.restricted
    return free and points >= _FEWEST and solver.method(None).name != UNIVERSAL


def _same(matching: _Matching, solver: Solver, store: TableStore) -> Same | None:
    metric = next(each for each in matching.points.puzzle.metrics if each.counts)
    alike = _alike_sides(matching.others, _needed(solver))
    seen: set[bytes] = set()
    sides = 0
    for image in matching.images():
        targets = _numbers(image[point] for point in sorted(image))
        if targets.tobytes() in seen:
            continue
        same = Same(Solver(solver.puzzle, solver.methods, store), matching, image)
        if not same.is_right():
            continue
        seen.update(row[targets].tobytes() for row in alike)
        words = _Words(same, metric)
        if words.is_whole and not words.may_turn:
            return same
        if words.is_whole:
            # Its answers may leave the puzzle turned, so those are looked for that never do.
            held = _unturned(solver, store)
            if held is None:
                return None
            same = Same(held, matching, image)
            if _Words(same, metric).is_whole:
                return same
        # Seen from another side, the file may have the moves of the method.
        sides += 1
        if sides == _MOST_SIDES:
            break
    return None


def _alike_sides(points: _Points, moves: Iterable[Move]) -> list[Row]:
    """Return the turns of the whole puzzle that carry the moves to the same moves in all.

    What a file lacks for these moves, it lacks from each side to which such a turn leads.
    """
    rows = [points.row(*move.effect) for move in moves]
    known = {row.tobytes() for row in rows}
    whole = [points.row(*held) for held in points.puzzle.whole_rotations]
    return [
        held for held in whole if {held[row[np.argsort(held)]].tobytes() for row in rows} == known
    ]


def _unturned(solver: Solver, store: TableStore) -> Solver | None:
    """Return a solver whose answers end held as the solved state is; None for other than beams."""
    method = solver.method(None)
    beam = method.strategy
    if not isinstance(beam, Beam):
        return None
    phases = [
        attrs.evolve(phase, goal_turns="") if phase.goal_turns else phase for phase in method.phases
    ]
    strategy = attrs.evolve(beam, starts="", alternatives=())
    own = attrs.evolve(method, phases=tuple(phases), strategy=strategy)
    return Solver(attrs.evolve(solver.puzzle, rotations=()), (own,), store)
