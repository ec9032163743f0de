"""Answers of a few moves, found in the full state.

For methods that do not find them by themselves, so that a short scramble never gets a long answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import product

from puzzlekit.phase.assembly import Assembled
from puzzlekit.puzzle.metric import Metric
from puzzlekit.puzzle.move import Effect, Move, act, compose
from puzzlekit.puzzle.puzzle import Puzzle

LONGEST = 4  # moves: two from the state meet two from solved

_Step = tuple[tuple[Move, ...], Effect]


class ShortAnswers:
    """The answers of at most four moves of a phase, to states of the phase's puzzle.

    A move that the phase has not, but two of its moves together do (an inner slice, for outer and
    wide turns), counts as one move here where it costs as much as the two; of such an answer at
    most three moves are found.
    """

    def __init__(self, puzzle: Puzzle, phase: Assembled, metric: Metric) -> None:
        self._puzzle = puzzle
        self._phase = phase
        self._metric = metric

    def find(self, state: bytes) -> tuple[Move, ...] | None:
        """The cheapest answer; None if there is none."""
        best: tuple[Move, ...] | None = None
        for path, reached in self._after(state, product(self._steps, self._steps)):
            rest = self._solving.get(reached)
            if rest is not None and (best is None or self._cost(path + rest) < self._cost(best)):
                best = path + rest
        return best

    @cached_property
    def _single(self) -> list[_Step]:
        return [((move,), move.effect) for move in self._phase.moves]

    @cached_property
    def _steps(self) -> list[_Step]:
        """No move, the phase's moves, and pairs of them that do what another move does.

        In whichever way the puzzle is held then.
        """
        puzzle, modulus = self._puzzle, self._puzzle.modulus
        families = [family for family in puzzle.turns if family not in puzzle.rotations]
        together = {
            compose(one, other, modulus): (*first, *second)
            for (first, one), (second, other) in product(self._single, self._single)
        }
        steps: list[_Step] = [((), puzzle.holdings[0]), *self._single]
        known = {effect for _, effect in steps}
        for move in puzzle.family_moves(families):
            held = [compose(move.effect, holding, modulus) for holding in puzzle.holdings]
            if not known.isdisjoint(held):
                continue
            known.update(held)
            pairs = [(together[effect], effect) for effect in held if effect in together]
            steps += [each for each in pairs if self._cost(each[0]) <= self._metric.cost(move)][:1]
        return steps

    @cached_property
    def _solving(self) -> dict[bytes, tuple[Move, ...]]:
        """The cheapest answer to each state a step or two moves from solved, in any holding."""
        puzzle, automaton, single = self._puzzle, self._phase.automaton, self._single
        nothing = self._steps[0]
        pairs = [(step, nothing) for step in self._steps]
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
        return {
            state: tuple(puzzle.inverse(move) for move in reversed(path))
            for state, path in found.items()
        }

    def _after(
        self, state: bytes, pairs: Iterable[tuple[_Step, _Step]]
    ) -> Iterator[tuple[tuple[Move, ...], bytes]]:
        """The moves of two steps, and the state after them."""
        modulus = self._puzzle.modulus
        last: tuple[Move, ...] | None = None
        for (first, one), (second, other) in pairs:
            if first is not last:
                last, reached = first, act(state, *one, modulus)
            yield first + second, act(reached, *other, modulus)

    def _cost(self, path: Iterable[Move]) -> int:
        return sum(map(self._metric.cost, path))
