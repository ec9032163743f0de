"""Candidates: the answers of a search before their check, and how the moves of phases merge."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.puzzle import Puzzle

__all__ = ["Candidate", "Counts", "HowFound", "PhaseMoves", "merge", "stay_apart", "summed"]

Counts = tuple[tuple[int, int], ...]


def summed(every: Iterable[Sequence[tuple[int, int]]]) -> Counts:
    """Return the sum of the node counts of several searches, phase by phase.

    A count is a pair (generated, expanded) of node numbers.
    """
    return tuple(
        (sum(generated for generated, _ in own), sum(expanded for _, expanded in own))
        for own in zip(*every, strict=True)
    )


class HowFound(NamedTuple):
    """How the moves of a phase were found, if the search did not start from the given state."""

    #: Whether the search started from the state as seen after a rotation of the whole puzzle.
    rotated: bool = False
    #: Whether the search solved the inverse of the state. The answer is then inverted, so the moves
    #: of the last phase come first.
    inverted: bool = False
    #: Number of premoves. They are applied before the scramble and appended to the answer.
    premoves: int = 0
    #: Whether the answer has only a few moves, and a search of the full state found it (see
    #: `ShortAnswers`).
    directly: bool = False
    #: Whether the phase has further moves, which lead to or from a state at which alike pieces are
    #: together.
    joined: bool = False
    #: Name of the other method that found the whole answer (see `WithFallback`); else empty.
    method: str = ""


AS_HELD = HowFound()


class PhaseMoves(NamedTuple):
    """The moves of one phase in an answer."""

    #: Number of the phase in the method, from 0.
    number: int
    #: The moves of the phase before merging.
    moves: tuple[Move, ...]
    #: How the moves were found.
    found: HowFound = AS_HELD
    #: The moves of the phase after merging (see `merge`).
    merged: tuple[Move, ...] = ()


class Candidate(NamedTuple):
    """An answer that a search has found, not yet checked.

    At the end, a search yields one more record, without moves. It has the totals of the whole
    search.
    """

    #: The moves of each phase, in the order in which they are done. None in the record at the end.
    phases: tuple[PhaseMoves, ...] | None
    #: Whether it is proven that no answer costs less.
    proven: bool
    #: Nodes (generated, expanded) of each phase of the method.
    counts: Counts
    #: CPU seconds of other threads.
    helpers_cpu: float = 0.0
    #: Numbers of the phases whose moves are proven to be the cheapest to the goal of the phase.
    shortest: frozenset[int] = frozenset()
    #: Lower bound on the cost of every answer; 0 if none is known.
    at_least: int = 0

    @property
    def moves(self) -> tuple[Move, ...] | None:
        """The moves of all phases, merged; None in the record at the end of a search."""
        if self.phases is None:
            return None
        if len(self.phases) == 1:
            return self.phases[0].merged
        return tuple([move for phase in self.phases for move in phase.merged])


def merge(
    puzzle: Puzzle, phases: Sequence[Iterable[Move]], allowed: Sequence[Collection[Move]] = ()
) -> list[tuple[Move, ...]]:
    """Merge two moves of one family if all moves between them commute with them.

    The effect stays the same and the cost never grows. If moves of the puzzle are not always
    possible, only neighbours are merged; if it has a guard, only neighbours that undo each other.

    `allowed` lists the moves of each phase. Two moves become one only if one of their phases has
    that move. By default, every power of a family is allowed.

    Returns the merged moves of each phase. If a move of a phase is merged with a move of a later
    phase, the states after it change. So the merged move and all moves after it are listed in the
    later phase. The same holds for all moves after a move that a later phase undoes.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> merged = merge(cube, [cube.moves("U R"), cube.moves("R F")])
    >>> [" ".join(move.name for move in own) for own in merged]
    ['U', 'R2 F']
    >>> merge(cube, [cube.moves("R R")], [cube.moves("R")])
    [(Move('R'), Move('R'))]
    """
    merged: list[tuple[Move, tuple[int, ...]]] = []  # each move with the phases that it is from
    begins: list[int] = []  # where the moves of each phase begin
    for number, phase in enumerate(phases):
        begins.append(len(merged))
        for move in phase:
            for at in reversed(range(len(merged))):
                other, origin = merged[at]
                joined, origin = _joined(puzzle, other, move), (*origin, number)
                if joined is not None and all(
                    not allowed or any(each in allowed[own] for own in origin) for each in joined
                ):
                    merged[at : at + 1] = [(each, origin) for each in joined]
                    begins = [min(begin, at) for begin in begins]
                    break
                if puzzle.restricted or not puzzle.commute(other, move):
                    merged.append((move, (number,)))
                    break
            else:
                merged.append((move, (number,)))
    bounds = pairwise([*begins, len(merged)])
    return [tuple(move for move, _ in merged[begin:end]) for begin, end in bounds]


def stay_apart(puzzle: Puzzle, moves: Sequence[Move]) -> bool:
    """Whether `merge` would leave moves as they are. The test is quick, and not always conclusive.

    It is true if, behind each move, a move that does not commute with it comes before all moves of
    its family.
    """
    if puzzle.restricted:
        return False
    commuting = puzzle.commuting
    for before in [at for at, pair in enumerate(pairwise(moves)) if commuting[pair]]:
        move = moves[before + 1]
        while before >= 0 and commuting[moves[before], move]:
            if moves[before].family == move.family or move.parts or moves[before].parts:
                return False
            before -= 1
    return True


def _joined(puzzle: Puzzle, one: Move, other: Move) -> tuple[Move, ...] | None:
    """Return one move, or none, with the effect of two moves; None if they cannot be merged."""
    if puzzle.guard is not None:
        return () if puzzle.inverse(one) is other else None
    if one.family != other.family or one.parts:
        return None
    amount = (one.amount + other.amount) % one.order
    joined = (puzzle.move(one.family, amount),) if amount else ()
    may_part = puzzle.blocks and any(puzzle.moved(each) != puzzle.moved(one) for each in joined)
    return None if may_part else joined
