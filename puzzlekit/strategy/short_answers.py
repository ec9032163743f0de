"""Answers of a few moves, searched in the full state.

Some methods might miss such answers. Searching them first ensures that a short scramble never gets
a long answer.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import product

from puzzlekit.engine.automaton import Automaton
from puzzlekit.puzzle.guard import fits
from puzzlekit.puzzle.metric import Metric
from puzzlekit.puzzle.move import Effect, Move, act, compose, gathered
from puzzlekit.puzzle.puzzle import Puzzle

LONGEST = 4  # moves: two from the state meet two from solved

_Step = tuple[tuple[Move, ...], Effect]


class ShortAnswers:
    """Finds answers of at most four moves, for states of the puzzle that a phase searches.

    Two moves of the phase may have the effect of a move that the phase does not have. For example,
    an outer turn and a wide turn make an inner slice. If the pair costs no more than that move, it
    counts as one move. The class finds all answers of up to three moves. It misses some answers of
    four moves that contain such pairs.
    """

    def __init__(
        self, puzzle: Puzzle, moves: Sequence[Move], automaton: Automaton, metric: Metric
    ) -> None:
        self._puzzle = puzzle
        self._moves = moves
        self._automaton = automaton
        self._metric = metric

    def find(self, state: bytes) -> tuple[Move, ...] | None:
        """Return the cheapest answer; None if there is none."""
        best: tuple[Move, ...] | None = None
        solving, tails = self._solving
        for _, path, reached in self._after(state, product(self._steps, self._steps), tails):
            number = solving.get(hash(reached))
            if number is None:
                continue
            answer = path + self._puzzle.undo(self._path(number))
            if best is None or self._cost(answer) < self._cost(best):
                best = answer
        return best

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
        return [((), self._puzzle.holdings[0]), *self._single, *pairs.values()]

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
        paths = {
            compose(one, other, modulus): (*first, *second)
            for (first, one), (second, other) in product(self._single, self._single)
        }
        paths.update({effect: path for path, effect in self._single})
        found: list[_Step | None] = []
        for move in puzzle.family_moves(families):
            held = [compose(move.effect, holding, modulus) for holding in puzzle.holdings]
            same = ((paths[effect], effect) for effect in held if effect in paths)
            cost = self._metric.cost(move)
            found.append(next((each for each in same if self._cost(each[0]) <= cost), None))
        return found

    @cached_property
    def _pairs(self) -> list[tuple[_Step, _Step]]:
        """Each step followed by nothing, and each two moves."""
        automaton, single, nothing = self._automaton, self._single, self._steps[0]
        pairs = [(step, nothing) for step in self._steps]
        if self._puzzle.guard is not None:  # the automaton's start depends on the guarding piece
            return pairs + list(product(single, single))
        return pairs + [
            (single[first], single[second])
            for first, after in automaton[0]
            for second, _ in automaton[after]
        ]

    @cached_property
    def _solving(self) -> tuple[dict[int, int], set[int]]:
        """The states that a pair reaches from solved, and their last bytes, as hashes.

        Each state has the index of the cheapest pair. Hashes and indices take a twelfth of the
        memory of states and moves. Large cubes have some twenty thousand of these states.
        """
        found: dict[int, int] = {}
        tails: set[int] = set()
        for solved in self._puzzle.solved_states:
            for number, path, state in self._after(solved, self._pairs):
                key = hash(state)
                tails.add(hash(state[self._tail :]))
                if key not in found or self._cost(path) < self._cost(self._path(found[key])):
                    found[key] = number
        return found, tails

    def _path(self, number: int) -> tuple[Move, ...]:
        """Return the moves of one of `_pairs`."""
        (first, _), (second, _) = self._pairs[number]
        return first + second

    @cached_property
    def _tail(self) -> int:
        """Index of the first byte of a state from which moves only permute labels."""
        return len(self._puzzle.modulus.rstrip(b"\0"))

    def _after(
        self,
        state: bytes,
        pairs: Iterable[tuple[_Step, _Step]],
        tails: Container[int] | None = None,
    ) -> Iterator[tuple[int, tuple[Move, ...], bytes]]:
        """Yield the number of a pair, its moves and the state after them, if `tails` has its end.

        `tails` has hashes.
        """
        modulus, tail = self._puzzle.modulus, self._tail
        guarded = self._puzzle.guarded
        last: tuple[Move, ...] | None = None
        for number, ((first, one), (second, other)) in enumerate(pairs):
            if guarded is not None and not fits(first + second, guarded.place(state)):
                continue
            if first is not last:
                last, reached = first, act(state, *one, modulus)
            # A quick test first, since almost no state is near the solved one.
            if tails is not None and hash(gathered(reached, other[0])[tail:]) not in tails:
                continue
            yield number, first + second, act(reached, *other, modulus)

    def _cost(self, path: Iterable[Move]) -> int:
        return self._metric.total(path)
