"""A strategy for short answers on boards of sliding tiles, whatever their size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import attrs

from puzzlekit import DeclarationError, Heuristic, Limits, Phase
from puzzlekit.search.budget import Budget
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.candidate import Candidate, PhaseMoves
from puzzlekit.search.strategies.strategy import Strategy, length_limit

if TYPE_CHECKING:
    from puzzlekit_fifteen.boards import Boards

__all__ = ["BoardBeam"]

_NARROWEST, _WIDEST = 256, 1 << 16
_WINDOW = 60  # moves of a part of an answer that is searched again


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class BoardBeam(Strategy):
    """Searches with ever wider beams, from both ends, and searches parts of its answers again.

    It has no tables. An answer is proven if it is as long as the lower bound of its board, or if a
    beam left out no board.

    >>> BoardBeam().improves
    True
    """

    takes_guards = True
    needs_coordinates = False

    #: Seconds if no limit is given, or until the first answer.
    seconds: float = 1.0

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError unless there is one phase."""
        if len(phases) != 1:
            raise DeclarationError(f"method {name}: BoardBeam searches one phase")

    def searched(self, plan: Plan) -> Iterator[tuple[Plan, Phase, Heuristic]]:
        """Yield nothing, because the phase has no tables."""
        yield from ()

    def prepare(self, plan: Plan) -> None:
        """Note where the allowed moves carry the blank."""
        import puzzlekit_fifteen.boards  # noqa: F401  (so that NumPy is missed here)

        guarded, grid = self.puzzle.guarded, self.puzzle.grid
        assert guarded is not None and grid is not None
        self.phases = []
        self._columns = grid.columns
        self._names = sorted({case.name for case in self.allowed})
        self._there = [[-1] * len(self._names) for _ in range(guarded.size)]
        for case in self.allowed:
            self._there[case.guard_before][self._names.index(case.name)] = case.guard_after

    @property
    def no_counts(self) -> tuple[tuple[int, int], ...]:
        """The counts before any search."""
        return ((0, 0),)

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield ever shorter answers, then a record with the totals."""
        from puzzlekit_fifteen.boards import Boards

        guarded = self.puzzle.guarded
        assert guarded is not None
        boards = Boards(self._columns, self._there, guarded.label)
        budget, longest = Budget(limits), length_limit(limits)
        unlimited = limits.timeout is None and limits.max_nodes is None

        def stop() -> bool:
            spent = limits.max_nodes is not None and boards.generated >= limits.max_nodes
            return spent or budget.is_cancelled or budget.left <= 0

        best: list[int] | None = None
        for moves, proven in _answers(boards, state, self.puzzle.solved, longest, stop):
            if moves is not None:
                best = moves
            answer = None if best is None else self._made(best)
            counts = ((boards.generated, boards.expanded),)
            yield Candidate(answer, proven, counts)
            if proven or (limits.max_length is not None and answer is not None):
                return
            if unlimited:
                budget.allow(self.seconds)
        yield Candidate(None, False, ((boards.generated, boards.expanded),))

    def _made(self, moves: Sequence[int]) -> tuple[PhaseMoves, ...]:
        made = tuple(self.puzzle.move(self._names[number]) for number in moves)
        return (PhaseMoves(0, made, merged=made),)


def _answers(
    boards: Boards, start: bytes, goal: bytes, most: int, stop: Callable[[], bool]
) -> Iterator[tuple[list[int] | None, bool]]:
    """Yield ever shorter answers, and whether each is proven shortest.

    No moves, if proven, mean that the answer before is shortest, or that there is none of at most
    `most` moves.
    """
    bound = boards.bound(start, goal)
    both = -1 not in boards.undone[:-1]
    width, best = _NARROWEST, None
    while width <= _WIDEST and not stop():
        for backward in (False, True)[: 1 + both]:
            ends = (goal, start) if backward else (start, goal)
            found = boards.beam(*ends, width, most, stop)
            if found.moves is None:
                if found.whole:
                    yield None, True
                    return
                continue
            best = found.moves
            if backward:
                best = [boards.undone[move] for move in reversed(best)]
            proven = found.whole or len(best) == bound
            yield best, proven
            if proven:
                return
            most = len(best) - 2  # moves of a board are always even, or always odd
        if best is not None:
            for shorter in _mended(boards, start, best, width, stop):
                best = shorter
                yield best, len(best) == bound
                if len(best) == bound:
                    return
            most = len(best) - 2
        width *= 2


def _mended(
    boards: Boards, start: bytes, moves: list[int], width: int, stop: Callable[[], bool]
) -> Iterator[list[int]]:
    """Yield shorter answers, each with shorter moves between two of its boards."""
    at = 0
    while at + _WINDOW // 4 < len(moves) and not stop():
        end = min(at + _WINDOW, len(moves))
        there = boards.walk(start, moves)
        found = boards.beam(there[at], there[end], width, end - at - 2, stop).moves
        if found is None:
            at += _WINDOW // 4
        else:
            moves = moves[:at] + found + moves[end:]
            yield moves
            at = max(at - _WINDOW // 2, 0)
