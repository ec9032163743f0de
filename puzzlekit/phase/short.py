"""Answers of a few moves, found in the full state.

For methods that do not find them by themselves, so that a short scramble never gets a long answer.
"""

from __future__ import annotations

from functools import cached_property

from puzzlekit.phase.assembly import Assembled
from puzzlekit.puzzle.metric import Metric
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.puzzle import Puzzle

LONGEST = 4  # moves: two from the state meet two from solved

_Path = tuple[Move, ...]


class ShortAnswers:
    """The answers of at most four moves of a phase, to states of the phase's puzzle."""

    def __init__(self, puzzle: Puzzle, phase: Assembled, metric: Metric) -> None:
        self._puzzle = puzzle
        self._phase = phase
        self._metric = metric

    def find(self, state: bytes) -> _Path | None:
        """The cheapest answer of at most four moves; None if there is none."""
        best: _Path | None = None
        for reached, path in self._within_two(state):
            rest = self._solving.get(reached)
            if rest is None:
                continue
            if best is None or self._cost(path + rest) < self._cost(best):
                best = path + rest
        return best

    @cached_property
    def _solving(self) -> dict[bytes, _Path]:
        """The cheapest answer to each state within two moves of solved, in any holding."""
        puzzle = self._puzzle
        found: dict[bytes, _Path] = {}
        for solved in puzzle.solved_states:
            for state, path in self._within_two(solved):
                answer = tuple(puzzle.inverse(move) for move in reversed(path))
                if state not in found or self._cost(answer) < self._cost(found[state]):
                    found[state] = answer
        return found

    def _within_two(self, state: bytes) -> list[tuple[bytes, _Path]]:
        """The state, and what up to two moves make of it, redundant ones left out."""
        moves, automaton, apply = self._phase.moves, self._phase.automaton, self._puzzle.apply
        found: list[tuple[bytes, _Path]] = [(state, ())]
        for first, after in automaton[0]:
            reached = apply(state, [moves[first]])
            found.append((reached, (moves[first],)))
            found += [
                (apply(reached, [moves[second]]), (moves[first], moves[second]))
                for second, _ in automaton[after]
            ]
        return found

    def _cost(self, path: _Path) -> int:
        return sum(map(self._metric.cost, path))
