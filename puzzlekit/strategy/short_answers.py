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
        for path, reached in self._after(state, product(self._steps, self._steps), self._tails):
            rest = self._solving.get(reached)
            if rest is not None and (best is None or self._cost(path + rest) < self._cost(best)):
                best = path + rest
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
    def _solving(self) -> dict[bytes, tuple[Move, ...]]:
        """The cheapest answer of each state that one step or two moves reach from solved."""
        puzzle, automaton, single = self._puzzle, self._automaton, self._single
        nothing = self._steps[0]
        pairs = [(step, nothing) for step in self._steps]
        if puzzle.guard is not None:  # the automaton's start depends on the guarding piece
            pairs += product(single, single)
        else:
            pairs += [
                (single[first], single[second])
                for first, after in automaton[0]
                for second, _ in automaton[after]
            ]
        found: dict[bytes, tuple[Move, ...]] = {}
        for solved in puzzle.solved_states:
            for path, state in self._after(solved, pairs):
                if state not in found or self._cost(path) < self._cost(found[state]):
                    found[state] = path
        return {state: puzzle.undo(path) for state, path in found.items()}

    @cached_property
    def _tail(self) -> int:
        """Index of the first byte of a state from which moves only permute labels."""
        return len(self._puzzle.modulus.rstrip(b"\0"))

    @cached_property
    def _tails(self) -> set[bytes]:
        """The last bytes of the states with a known answer."""
        return {state[self._tail :] for state in self._solving}

    def _after(
        self,
        state: bytes,
        pairs: Iterable[tuple[_Step, _Step]],
        tails: Container[bytes] | None = None,
    ) -> Iterator[tuple[tuple[Move, ...], bytes]]:
        """Yield the moves of two steps and the state after them, if its end is in `tails`."""
        modulus, tail = self._puzzle.modulus, self._tail
        guarded = self._puzzle.guarded
        last: tuple[Move, ...] | None = None
        for (first, one), (second, other) in pairs:
            if guarded is not None and not fits(first + second, guarded.place(state)):
                continue
            if first is not last:
                last, reached = first, act(state, *one, modulus)
            # A quick test first, since almost no state is near the solved one.
            if tails is not None and gathered(reached, other[0])[tail:] not in tails:
                continue
            yield first + second, act(reached, *other, modulus)

    def _cost(self, path: Iterable[Move]) -> int:
        return self._metric.total(path)
