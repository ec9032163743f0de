"""How the puzzle of a definition is that of a plugin, whatever the file calls it.

Two puzzles are the same if some of the moves of one, whole pieces and all, are moves of the other
under other names of the places. A file may list more moves, such as wide ones or slices, fewer, or
the same with another part held; it may leave out centers, or a corner that no move turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import accumulate, combinations, islice
from operator import eq, le

import numpy as np
import numpy.typing as npt

from puzzlekit import Move, Puzzle, Solver, StateError
from puzzlekit.puzzle.diagnose import check
from puzzlekit.puzzle.groups import orbits_of
from puzzlekit.puzzle.move import act
from puzzlekit_beam.symmetries import cycle_lengths

_MOST_TRIED = 48  # ways to map the first moves to moves
_LEAST = 0.6  # of the points of the puzzle of a plugin, at least, are points of the other one
_MOST_PAIRS = 20_000  # pairs of moves that are compared
_STEPS = 60  # moves after which the states of both puzzles are compared

#: For each point, a place with an orientation, the point from which the piece comes.
Row = npt.NDArray[np.intp]
#: A piece and a part of it: the numbers of its orbit and label, and an orientation.
_Name = tuple[int, int, int]


class Points:
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
        """Return the effect of a move, given as by `Move`, on points."""
        row = []
        for label, turn, number in self.at:
            turned = number - add[turn] if turn >= 0 else 0
            row.append(self.first[gather[label]] + turned % self.base[label])
        return np.array(row, dtype=np.intp)


def row_of(points: Iterable[int]) -> Row:
    """Return some points as an array of indices."""
    return np.array([*points], dtype=np.intp)


def _cycles(row: Row) -> Counter[int]:
    return Counter(cycle_lengths(row.tolist()))


def parts_of_rows(rows: Sequence[Row]) -> Row:
    """Return a number for each point, the same for points that the rows exchange."""
    part = np.arange(len(rows[0]) if rows else 0)
    for orbit in orbits_of(len(part), [row.tolist() for row in rows]):
        part[[*orbit]] = orbit[0]
    return part


def moved_parts(points: Points, parts: Row) -> Row:
    """Return the parts of points; -1 for those that stay, and for all but one of a place."""
    sizes = Counter(parts.tolist())
    kept: set[int] = set()
    for first in points.first.values():
        own = parts[first : first + points.base[points.at[first][0]]].tolist()
        if sizes[own[0]] > 1 and kept.isdisjoint(own):
            kept.add(own[0])
    return np.array([part if part in kept else -1 for part in parts.tolist()])


class Matching:
    """Looks for the moves of one puzzle among the moves of another one."""

    def __init__(
        self, points: Points, parts: Row, basic: Callable[[], Sequence[Move]], solver: Solver
    ) -> None:
        other = solver.puzzle
        self.points, self.others = points, Points(other)
        self.parts, self._basic = parts, basic
        self._other_moves = plain_moves(other)
        self._other_rows = [self.others.row(*move.effect) for move in self._other_moves]
        self._whole = [self.others.row(*held) for held in other.whole_rotations]
        needed = method_moves(solver)
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
            parts = moved_parts(self.others, parts_of_rows(rows))
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
            joined = parts_of_rows([rows[n] for n in chosen])
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
        points, its = row_of(image), row_of(image.values())
        to = np.zeros(len(self.parts), dtype=np.intp)
        to[points] = its
        return {
            move: [n for n in may_be if np.array_equal(self._other_rows[n][its], wanted)]
            for move, may_be in others.items()
            for wanted in (to[self._rows[move][points]],)
        }

    def _turning(self, image: dict[int, int]) -> Iterator[tuple[Row, Row]]:
        """Yield moves with the products of a few moves and a rotation that they are."""
        own, covered = row_of(image), row_of(image.values())
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
    return len({*parts_of_rows([rows[n] for n in numbers]).tolist()}) if numbers else len(rows[0])


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

    def __init__(self, solver: Solver, matching: Matching, image: dict[int, int]) -> None:
        self.solver = solver
        self.method = solver.method(None)
        self.puzzle, self.other = matching.points.puzzle, solver.puzzle
        self._points, self._others = matching.points, matching.others
        self._image = image
        self._parts = matching.parts
        self._home = {self._points.name(point): point for point in reversed(image)}
        self._ends: dict[int, bool] = {}
        self._own = row_of(image)
        self.covered = row_of(image.values())
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


def method_moves(solver: Solver) -> dict[Move, None]:
    """Return the moves of the default method."""
    phases = solver.method(None).phases
    return dict.fromkeys(
        move for phase in phases for move in solver.puzzle.named_moves(phase.moves)
    )


def plain_moves(puzzle: Puzzle) -> list[Move]:
    """Return the moves without rotations."""
    return [
        move for move in puzzle.family_moves(puzzle.turns) if move.family not in puzzle.rotations
    ]
