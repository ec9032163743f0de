"""The shapes of a puzzle whose pieces prevent some moves, and loops that keep the solved shape.

The shape of a state is where the pieces are that are forbidden somewhere, and which places are
glued together, such as the halves of the corners of a Square-1. It determines which moves are
possible. So the shapes and moves form a graph.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from heapq import heappop, heappush
from itertools import islice, product
from random import Random
from typing import NamedTuple

from puzzlekit import Metric, Move, Puzzle, UsageError
from puzzlekit.puzzle.move import Effect, act, compose, gather_of, gathered, invert, no_effect

MOST_SHAPES = 100_000
NEAR = 6000  # states from each side in which short answers meet
_OF_LOOPS = 4000  # of those near the solved state, pairs make loops
_OTHER = 255  # in a shape, a place whose piece prevents no move
_BLOCKS = 128  # in a shape, the mark of the first block


class ShapeWalk(NamedTuple):
    """A sequence of moves, with its cost and its effect."""

    cost: int
    effect: Effect
    moves: tuple[Move, ...]


class Shapes:
    """The shapes that moves reach from the solved shape, and the cheapest ways home.

    - `moves`: the moves, in search order.
    - `puzzle`, `metric`: the puzzle and the metric.
    """

    def __init__(self, puzzle: Puzzle, moves: Sequence[Move], metric: Metric) -> None:
        self.puzzle = puzzle
        self.moves = tuple(moves)
        self.metric = metric
        self._costs = [metric.cost(move) for move in self.moves]
        self._bytes: list[int] = []
        self._marks: list[bytes] = []
        held = [i for i, turning in enumerate(puzzle.block_turns) if turning is not None]
        marked = [*held, *(i for i in range(len(puzzle.blocks)) if i not in held)]
        #: The marks of blocks with a center, and the families that turn it; other marks come after.
        self._turning = {_BLOCKS + at: puzzle.block_turns[i] or () for at, i in enumerate(held)}
        self._first = _BLOCKS + len(held)
        prevented = [label for _, label, _ in puzzle.forbidden]
        if puzzle.blocks and max([len(puzzle.blocks) - 1, *prevented]) >= _OTHER - _BLOCKS:
            raise UsageError(f"{puzzle.name} has too many blocks, or forbidden pieces beside them")
        for orbit in puzzle.orbits:
            start = puzzle.offsets[orbit.name]
            labels = {
                label for byte, label, _ in puzzle.forbidden if start <= byte < start + orbit.size
            }
            blocks = {
                label: _BLOCKS + number
                for number, i in enumerate(marked)
                for begin, _, label in puzzle.blocks[i]
                if begin == start
            }
            if blocks and labels:
                raise UsageError(f"{puzzle.name}: {orbit.name} cannot have blocks and be forbidden")
            if labels or blocks:
                self._bytes += range(start, start + orbit.size)
                marks = bytes(
                    blocks.get(label, label if label in labels else _OTHER) for label in range(256)
                )
                self._marks += [marks] * orbit.size
        self._has_blocks = bool(puzzle.blocks)
        number = {byte: i for i, byte in enumerate(self._bytes)}
        self._gathers = [
            gather_of([number[move.gather[byte]] for byte in self._bytes]) for move in self.moves
        ]
        self._moved = [
            frozenset(number[byte] for byte in puzzle.moved(move) if byte in number)
            for move in self.moves
        ]
        self._forbidden = [(number[byte], label) for byte, label, _ in puzzle.forbidden]
        self._after: dict[bytes, list[tuple[int, bytes]]] = {}
        self._home = self.of(puzzle.solved)
        #: For each shape the cost of the way from home, and the last move and shape of the way.
        self._found = self._search()

    def __len__(self) -> int:
        """Return the number of shapes."""
        return len(self._found)

    def of(self, state: bytes) -> bytes:
        """Return the shape of a state."""
        pairs = zip(self._marks, self._bytes, strict=True)
        return self._numbered(bytes(marks[state[byte]] for marks, byte in pairs))

    def _numbered(self, shape: bytes) -> bytes:
        """Return a shape with its blocks without center numbered in the order of their places."""
        if not self._has_blocks:
            return shape
        names = dict.fromkeys(mark for mark in shape if self._first <= mark < _OTHER)
        new = bytearray(range(256))
        for number, mark in enumerate(names, self._first):
            new[mark] = number
        return shape.translate(new)

    def _parts_no_block(self, shape: bytes, number: int) -> bool:
        """Whether a move moves all or none of each block."""
        if not self._has_blocks:
            return True
        moved, family = self._moved[number], self.moves[number].family
        inside = {shape[i] for i in moved}
        outside = {mark for i, mark in enumerate(shape) if i not in moved}
        for mark, turning in self._turning.items():
            if mark in (outside if family in turning else inside):
                return False
        return all(mark < _BLOCKS or mark == _OTHER for mark in inside & outside)

    def _next(self, shape: bytes) -> list[tuple[int, bytes]]:
        """Return each move that is possible in a shape, as its number, and the shape after it."""
        known = self._after.get(shape)
        if known is None:
            every = (
                (number, self._numbered(gathered(shape, own)))
                for number, own in enumerate(self._gathers)
                if self._parts_no_block(shape, number)
            )
            known = self._after[shape] = [
                (number, after)
                for number, after in every
                if not any(after[at] == label for at, label in self._forbidden)
            ]
        return known

    def _search(self) -> dict[bytes, tuple[int, int, bytes]]:
        found = {self._home: (0, -1, self._home)}
        heap = [(0, self._home)]
        while heap:
            cost, shape = heappop(heap)
            if cost > found[shape][0]:
                continue
            for number, after in self._next(shape):
                more = cost + self._costs[number]
                if after not in found or more < found[after][0]:
                    found[after] = more, number, shape
                    heappush(heap, (more, after))
            if len(found) > MOST_SHAPES:
                raise UsageError(
                    f"{self.puzzle.name} has more than {MOST_SHAPES:,} shapes, which is too many"
                )
        return found

    def way(self, shape: bytes) -> tuple[Move, ...]:
        """Return the cheapest moves from the solved shape to a shape that moves can reach."""
        found: list[Move] = []
        while shape != self._home:
            _, number, shape = self._found[shape]
            found.append(self.moves[number])
        return tuple(reversed(found))

    def reaches(self, state: bytes) -> bool:
        """Whether moves lead from the solved shape to the shape of a state."""
        return self.of(state) in self._found

    @cached_property
    def around(self) -> dict[bytes, ShapeWalk]:
        """The `NEAR` nearest states to the solved one, or all that moves reach, by their costs."""
        return dict(islice(self.near(self.puzzle.solved), NEAR))

    def near(self, state: bytes) -> Iterator[tuple[bytes, ShapeWalk]]:
        """Yield states with the cheapest moves to them, in the order of their costs."""
        modulus = self.puzzle.modulus
        nothing = ShapeWalk(0, no_effect(modulus), ())
        best = {state: 0}
        heap = [(0, 0, state, nothing)]
        count = 0
        while heap:
            cost, _, here, own = heappop(heap)
            if cost > best[here]:
                continue
            yield here, own
            for number, _ in self._next(self.of(here)):
                move = self.moves[number]
                after = act(here, *move.effect, modulus)
                more = cost + self._costs[number]
                if more < best.get(after, more + 1):
                    best[after] = more
                    count += 1
                    effect = compose(own.effect, move.effect, modulus)
                    heappush(
                        heap, (more, count, after, ShapeWalk(more, effect, (*own.moves, move)))
                    )

    def loops(self, short: int, random: int) -> list[ShapeWalk]:
        """Return loops of different effects, without their inverses: `short` of the cheapest ones.

        `random` more loops, through random shapes, make it nearly certain that the loops generate
        all permutations that lead from the solved shape to itself.
        """
        puzzle, modulus = self.puzzle, self.puzzle.modulus
        groups: dict[bytes, list[ShapeWalk]] = {}
        for state, near in islice(self.around.items(), _OF_LOOPS):
            groups.setdefault(self.of(state), []).append(near)
        pairs = [
            (one.cost + other.cost, one, other)
            for group in groups.values()
            for i, one in enumerate(group)
            for other in group[:i]
        ]
        pairs.sort(key=lambda pair: pair[0])
        seen = {puzzle.solved}
        found: list[ShapeWalk] = []

        def offer(there: Effect, back: Effect, moves: tuple[Move, ...]) -> None:
            effect = compose(there, invert(back, modulus), modulus)
            image = act(puzzle.solved, *effect, modulus)
            if image not in seen:
                seen.update((image, act(puzzle.solved, *invert(effect, modulus), modulus)))
                found.append(ShapeWalk(self.metric.total(moves), effect, moves))

        for _, one, other in pairs:
            if len(found) == short:
                break
            offer(one.effect, other.effect, (*one.moves, *puzzle.undo(other.moves)))
        rng = Random(1)
        shapes = list(self._found)
        for _ in range(random if self._next(self._home) else 0):
            shape = rng.choice(shapes)
            number, after = rng.choice(self._next(shape))
            there = (*self.way(shape), self.moves[number])
            back = self.way(after)
            offer(self._effect(there), self._effect(back), (*there, *puzzle.undo(back)))
        return found

    def _effect(self, moves: Sequence[Move]) -> Effect:
        done = no_effect(self.puzzle.modulus)
        for move in moves:
            done = compose(done, move.effect, self.puzzle.modulus)
        return done

    def merged(self, state: bytes, moves: Sequence[Move]) -> tuple[Move, ...]:
        """Return moves from a state, after joining moves of one family where that is possible."""
        left = list(moves)
        again = True
        while again:
            again = False
            for i, j in product(range(len(left)), repeat=2):
                if not i < j < len(left) or left[i].family != left[j].family:
                    continue
                between = left[i + 1 : j]
                if not all(self.puzzle.commute(left[i], move) for move in between):
                    continue
                amount = (left[i].amount + left[j].amount) % left[i].order
                joined = [self.puzzle.move(left[i].family, amount)] if amount else []
                other = left[:i] + joined + between + left[j + 1 :]
                if set(joined) <= set(self.moves) and self._possible(state, other):
                    left, again = other, True
                    break
        return tuple(left)

    def _possible(self, state: bytes, moves: Sequence[Move]) -> bool:
        for move in moves:
            if self.puzzle.obstacle(state, move):
                return False
            state = act(state, *move.effect, self.puzzle.modulus)
        return True
