"""Answers of a few moves, searched in the full state.

Some methods might miss such answers. Searching them first ensures that a short scramble never gets
a long answer.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import product
from operator import itemgetter
from typing import NamedTuple

from puzzlekit.puzzle.guard import fits
from puzzlekit.puzzle.move import Effect, Gather, Metric, Move, act, compose, gathered, invert
from puzzlekit.puzzle.puzzle import Puzzle

__all__ = ["ShortAnswers"]

LONGEST = 4  # moves: two from the state meet two that lead to solved
_ALIKE = 8  # states with the same labels, for each step; if there are more, labels tell too little

_Step = tuple[tuple[Move, ...], Effect]
_Readers = tuple[Sequence[Callable[[bytes], bytes]], Sequence[Callable[[bytes], object]]]


class _Ends(NamedTuple):
    """The states that a step or two moves solve, and the steps.

    A state is known by its key, which other states may have, too. `keys` has the key of the state
    that a pair of steps solves, and `numbers` the number of the pair (see `ShortAnswers._path`)
    plus the number of all pairs times the index of the solved state.
    """

    keys: array[int]
    numbers: array[int]
    known: frozenset[int]


class ShortAnswers:
    """Finds answers of at most four moves, for states of the puzzle that a phase searches.

    Two moves of the phase may have the effect of a move that the phase does not have. For example,
    an outer turn and a wide turn make an inner slice. If the pair costs no more than that move, it
    counts as one move. The class finds all answers of up to three moves. It misses some answers of
    four moves that contain such pairs.
    """

    def __init__(self, puzzle: Puzzle, moves: Sequence[Move], metric: Metric) -> None:
        self._puzzle = puzzle
        self._moves = moves
        self._metric = metric
        # The bytes of a state that moves only permute; empty to look at the whole state.
        self._labels = [j for j, modulus in enumerate(puzzle.modulus) if not modulus]

    def find(self, state: bytes) -> tuple[Move, ...] | None:
        """Return the cheapest answer; None if there is none."""
        ends, pairs = self._ends, len(self._steps) ** 2
        after = self._after(state, range(pairs), self._forward)
        met = {number: key for number, each in after if (key := hash(each)) in ends.known}
        if not met:
            return None
        keys = set(met.values())
        lasts: list[list[int]] = [[] for _ in self._puzzle.solved_states]
        for number, key in zip(ends.numbers, ends.keys, strict=True):
            if key in keys:
                lasts[number // pairs].append(number % pairs)
        forward, backward = self._whole
        # Many pairs lead to the same state if the moves are loops of a small puzzle.
        firsts = self._cheapest(self._after(state, met, forward))
        ends_at = self._cheapest(
            each
            for solved, numbers in zip(self._puzzle.solved_states, lasts, strict=True)
            for each in self._after(solved, numbers, backward, back=True)
        )
        found = sorted(
            (cost + ends_at[here][0], first, ends_at[here][1])
            for here, (cost, first) in firsts.items()
            if here in ends_at
        )
        paths = (self._path(first) + self._path(last, back=True) for _, first, last in found)
        replay, solves = self._puzzle.apply, self._puzzle.is_solved
        return next((path for path in paths if solves(replay(state, path))), None)

    def _cheapest(self, after: Iterable[tuple[int, object]]) -> dict[object, tuple[int, int]]:
        """Return for each state the least cost of two steps, and the first number that has it."""
        costs = [self._metric.total(moves) for moves, _ in self._steps]
        count = len(costs)
        found: dict[object, tuple[int, int]] = {}
        for number, each in after:
            cost = costs[number // count] + costs[number % count]
            if each not in found or cost < found[each][0]:
                found[each] = cost, number
        return found

    @cached_property
    def _single(self) -> list[_Step]:
        return [((move,), move.effect) for move in self._moves]

    @cached_property
    def proven_cost(self) -> int:
        """A cost c: if `find` returns an answer that costs at most c, no cheaper answer exists.

        The proof needs a phase that can do every move of the puzzle at no higher cost.
        """
        return LONGEST if None not in self._substitutes else 0

    @cached_property
    def _steps(self) -> list[_Step]:
        """The steps: no move, each move of the phase, and each pair that counts as one move."""
        pairs = {each[1]: each for each in self._substitutes if each and len(each[0]) == 2}
        return [((), self._puzzle.whole_rotations[0]), *self._single, *pairs.values()]

    @cached_property
    def _substitutes(self) -> list[_Step | None]:
        """For each move of the puzzle, one or two moves of the phase with the same effect.

        They may leave the puzzle in another holding. None if they would cost more than the move.
        """
        puzzle, modulus = self._puzzle, self._puzzle.modulus
        if puzzle.guard is not None:
            every = puzzle.searched(puzzle.family_moves(puzzle.families))
            own = dict(zip(self._moves, self._single, strict=True))
            return [own.get(move) for move in every]
        families = [family for family in puzzle.turns if family not in puzzle.rotations]
        for pairs in ((), product(self._single, self._single)):  # pairs only if they are needed
            paths = {
                compose(one, other, modulus): (*first, *second)
                for (first, one), (second, other) in pairs
            }
            paths.update({effect: path for path, effect in self._single})
            found: list[_Step | None] = []
            for move in puzzle.family_moves(families):
                held = [compose(move.effect, way, modulus) for way in puzzle.whole_rotations]
                same = ((paths[effect], effect) for effect in held if effect in paths)
                most = self._metric.cost(move)
                found.append(next((x for x in same if self._metric.total(x[0]) <= most), None))
            if None not in found:
                break
        return found

    @cached_property
    def _ends(self) -> _Ends:
        ends = self._listed()
        if self._labels and max(Counter(ends.keys).values()) > _ALIKE * len(self._steps):
            self._labels = []
            ends = self._listed()
        return ends

    def _listed(self) -> _Ends:
        steps, moves = len(self._steps), len(self._moves)
        pairs = [
            first * steps + second
            for first in range(steps)
            for second in range(1 + moves if 1 <= first <= moves else 1)
        ]
        numbers, keys, readers = array("I"), array("q"), self._readers(True)
        for way, solved in enumerate(self._puzzle.solved_states):
            for number, each in self._after(solved, pairs, readers, back=True):
                numbers.append(way * steps**2 + number)
                keys.append(hash(each))
        return _Ends(keys, numbers, frozenset(keys))

    @cached_property
    def _forward(self) -> _Readers:
        return self._readers(False)

    @cached_property
    def _whole(self) -> tuple[_Readers, _Readers]:
        """The functions that tell all states apart, forwards and backwards."""
        return self._readers(False, whole=True), self._readers(True, whole=True)

    def _readers(self, back: bool, whole: bool = False) -> _Readers:
        """Return for each step a function for the first of two steps, and one for the second.

        The second one returns what tells states apart: labels, or all bytes. With `back`, steps are
        undone.
        """
        modulus, labels = self._puzzle.modulus, self._labels
        effects = [invert(each, modulus) if back else each for _, each in self._steps]
        if whole or not labels:
            states = [partial(act, gather=g, add=a, modulus=modulus) for g, a in effects]
            return states, states
        firsts = [partial(_moved, gather=gather) for gather, _ in effects]
        if isinstance(effects[0][0], bytes):
            return firsts, [bytes(gather[j] for j in labels).translate for gather, _ in effects]
        return firsts, [itemgetter(*(gather[j] for j in labels)) for gather, _ in effects]

    def _path(self, number: int, back: bool = False) -> tuple[Move, ...]:
        """Return the moves of two steps. Their indices are the digits of `number`.

        With `back`, the second step comes first.
        """
        first, second = divmod(number, len(self._steps))[:: -1 if back else 1]
        return self._steps[first][0] + self._steps[second][0]

    def _after(
        self, state: bytes, numbers: Iterable[int], readers: _Readers, back: bool = False
    ) -> Iterator[tuple[int, object]]:
        """Yield the number of two steps and what tells the state after them from others.

        With `back`, before them.
        """
        guarded = self._puzzle.guarded
        place = None if guarded is None else guarded.place(state)
        firsts, seconds = readers
        count, last = len(self._steps), -1
        for number in numbers:
            if place is not None and not _is_possible(self._path(number, back), place, back):
                continue
            first, second = divmod(number, count)
            if first != last:
                last, between = first, firsts[first](state)
            yield number, seconds[second](between)


def _moved(state: bytes, gather: Gather) -> bytes:
    """Return the labels after a move, as a table to translate with if they fit into one."""
    return gathered(state, gather).ljust(256)


def _is_possible(path: Sequence[Move], place: int, back: bool) -> bool:
    """Whether the guarding piece is at a place before some cases; with `back`, after them."""
    if back and path:
        return path[-1].guard_after == place and fits(path, path[0].guard_before)
    return fits(path, place)
