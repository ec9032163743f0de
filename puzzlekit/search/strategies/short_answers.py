"""Answers of a few moves, searched in the full state.

Some methods might miss such answers. Searching them first ensures that a short scramble never gets
a long answer.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import product

from puzzlekit.puzzle.guard import fits
from puzzlekit.puzzle.move import Effect, Metric, Move, act, compose, gathered, invert
from puzzlekit.puzzle.puzzle import Puzzle

__all__ = ["ShortAnswers"]

LONGEST = 4  # moves: two from the state meet two that lead to solved
_TAILS = 1 << 20  # so that a twentieth of the states of a 7x7x7 pass the quick test by chance

_Step = tuple[tuple[Move, ...], Effect]


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

    def find(self, state: bytes) -> tuple[Move, ...] | None:
        """Return the cheapest answer; None if there is none."""
        hashes, numbers, tails = self._solving
        answers = []
        for number, reached in self._after(state, range(len(self._steps) ** 2), tails):
            at = bisect_left(hashes, key := hash(reached))
            if at < len(hashes) and hashes[at] == key:
                answers.append(self._path(number) + self._path(numbers[at], back=True))
        replay, solves = self._puzzle.apply, self._puzzle.is_solved  # hashes of 32 bits coincide
        right = (path for path in answers if solves(replay(state, path)))
        return min(right, key=self._metric.total, default=None)

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
    def _solving(self) -> tuple[array[int], array[int], bytes]:
        """The states that a step or two moves solve, as ascending hashes.

        Each has the number of the cheapest pair of steps, the last one first (see `_path`). The
        last item has a 1 at the hash, modulo `_TAILS`, of the last bytes of each state. Large cubes
        have some sixty thousand of these states, so the memory of each one counts.
        """
        steps, moves = len(self._steps), len(self._moves)
        pairs = [
            first * steps + second
            for first in range(steps)
            for second in range(1 + moves if 1 <= first <= moves else 1)
        ]
        costs = {number: self._metric.total(self._path(number)) for number in pairs}
        found: dict[int, int] = {}
        tails = bytearray(_TAILS)
        for solved in self._puzzle.solved_states:
            for number, state in self._after(solved, pairs, back=True):
                key = hash(state)
                tails[hash(state[self._tail :]) % _TAILS] = 1
                if key not in found or costs[number] < costs[found[key]]:
                    found[key] = number
        hashes = array("q", sorted(found))
        return hashes, array("I", map(found.__getitem__, hashes)), bytes(tails)

    def _path(self, number: int, back: bool = False) -> tuple[Move, ...]:
        """Return the moves of two steps. Their indices are the digits of `number`.

        With `back`, the second step comes first.
        """
        first, second = divmod(number, len(self._steps))[:: -1 if back else 1]
        return self._steps[first][0] + self._steps[second][0]

    @cached_property
    def _tail(self) -> int:
        """Index of the first byte of a state from which moves only permute labels."""
        return len(self._puzzle.modulus.rstrip(b"\0"))

    def _after(
        self, state: bytes, numbers: Iterable[int], tails: bytes | None = None, back: bool = False
    ) -> Iterator[tuple[int, bytes]]:
        """Yield the number of two steps and the state after them; with `back`, before them.

        With `tails` from `_solving`, most states that are not in `_solving` are left out.
        """
        modulus, tail, guarded = self._puzzle.modulus, self._tail, self._puzzle.guarded
        place = None if guarded is None else guarded.place(state)
        effects = [invert(each, modulus) if back else each for _, each in self._steps]
        last = -1
        for number in numbers:
            if place is not None and not _is_possible(self._path(number, back), place, back):
                continue
            first, second = divmod(number, len(self._steps))
            if first != last:
                last, between = first, act(state, *effects[first], modulus)
            other = effects[second]
            # A quick test first, since almost no state is near the solved one.
            if tails and not tails[hash(gathered(between, other[0])[tail:]) % _TAILS]:
                continue
            yield number, act(between, *other, modulus)


def _is_possible(path: Sequence[Move], place: int, back: bool) -> bool:
    """Whether the guarding piece is at a place before some cases; with `back`, after them."""
    if back and path:
        return path[-1].guard_after == place and fits(path, path[0].guard_before)
    return fits(path, place)
