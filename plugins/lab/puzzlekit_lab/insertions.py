"""Insert short cycles into a skeleton of moves that leaves a few pieces unsolved.

Let the moves before a point of the skeleton lead to a state, and let the moves after this point
solve another state. A sequence inserted at the point must lead from the first state to the second.
So for each point, the effect that the insertion needs is known. It is looked up among short
sequences. If no sequence has this effect, a first insertion leaves fewer or other pieces unsolved,
and the search continues.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import attrs
import numpy as np

from puzzlekit import Limits, Metric, Move, NoSolutionError, Puzzle, Solver, UsageError
from puzzlekit.amounts import whole
from puzzlekit.puzzle.move import Effect, Given, act, compose, gather_of, invert, no_effect, product
from puzzlekit.puzzle.notation import Parentheses
from puzzlekit.puzzle.position import read_moves
from puzzlekit.search.budget import Budget
from puzzlekit.search.options import allowed_moves
from puzzlekit.search.strategies.candidate import merge
from puzzlekit_lab.effects import write_cycles
from puzzlekit_lab.sequences import NamedMoves, taking
from puzzlekit_lab.short_cycles import ShortCycles

_PIECES = 4  # that an inserted sequence changes: cycles of three pieces, pairs of exchanges
_LENGTHS = whole(1, 12)
_COUNTS = whole(1, 5)
_BEAM = 1000  # unfinished answers that are kept before each further insertion


class Insertion(NamedTuple):
    """A sequence that is inserted into other moves."""

    #: The names of the moves into which the sequence is inserted.
    into: tuple[str, ...]
    #: The number of these moves before the inserted sequence.
    after: int
    #: The names of the inserted moves.
    moves: tuple[str, ...]
    #: The effect of the inserted moves in cycles.
    effect: str
    #: How much shorter the answer is because moves cancel or merge, in the metric.
    cancelled: int


@attrs.frozen
class InsertedAnswer(NamedMoves):
    """A solution made of a skeleton and inserted sequences."""

    #: The insertions, in the order in which they are made.
    insertions: tuple[Insertion, ...]


class _Partial(NamedTuple):
    """Moves that may leave some pieces unsolved, and the insertions that led to them."""

    moves: tuple[Move, ...]
    made: tuple[Insertion, ...]


class _Point(NamedTuple):
    """A point of moves, and the effect that a sequence inserted there needs."""

    before: tuple[Move, ...]
    behind: tuple[Move, ...]
    needed: Effect


class _Left(NamedTuple):
    """The part that is left to solve, seen as the puzzle is held at the end."""

    #: The number of pieces that are not solved.
    unsolved: int
    #: The effect from the solved state to the state, before the rotation `holding`.
    effect: Effect
    #: The rotation of the whole puzzle with which the puzzle is held at the end.
    holding: Effect


class Inserter:
    """A search for insertions, ready to run. It has the parameters of `insert_cycles`."""

    def __init__(
        self,
        solver: Solver,
        position: Given,
        skeleton: str,
        *,
        insertions: int = 2,
        cycle_length: int = 8,
        max_length: int | None = None,
        moves: str | None = None,
        metric: str | Metric | None = None,
        timeout: float | None = None,
        parentheses: Parentheses = "ask",
    ) -> None:
        self._limits = Limits(timeout=timeout).checked()
        #: Whether the search ended because of the timeout, so that a shorter answer may exist.
        self.stopped = False
        _COUNTS.check_argument("insertions", insertions)
        _LENGTHS.check_argument("cycle_length", cycle_length)
        puzzle = self.puzzle = solver.puzzle
        if puzzle.restricted:
            raise UsageError(
                f"{puzzle.name} does not allow insertions: its moves are not always possible"
            )
        self.metric = metric if isinstance(metric, Metric) else puzzle.metric(metric)
        if not self.metric.counts:
            raise UsageError(f"insertions cannot be counted in {self.metric.name}")
        self._allowed = allowed_moves(solver.puzzle, solver.method(), moves, self.metric)
        self._cycle_length = cycle_length
        self._insertions = insertions
        self._most = max_length
        self.state = solver.state(position)
        self.skeleton = read_moves(puzzle, skeleton, parentheses)
        self.left = _best_holding(puzzle, puzzle.apply(self.state, self.skeleton))
        # From the solved state to the state, with a name for each piece; and to the solved state
        # as it is held at the end.
        undone = product([move.effect for move in puzzle.undo(self.skeleton)], puzzle.modulus)
        self._end = self.left.holding
        self._start = compose(
            compose(self.left.effect, self._end, puzzle.modulus), undone, puzzle.modulus
        )

    @property
    def unsolved(self) -> str:
        """The cycles of the pieces that the skeleton leaves unsolved."""
        return write_cycles(
            self.puzzle, act(self.puzzle.solved, *self.left.effect, self.puzzle.modulus)
        )

    @cached_property
    def _budget(self) -> Budget:
        return Budget(self._limits)

    @cached_property
    def cycles(self) -> ShortCycles:
        """The sequences that can be inserted."""
        return ShortCycles(self.puzzle, self._allowed, self._cycle_length, _PIECES, self._budget)

    def answers(self) -> list[InsertedAnswer]:
        """Return the answers, the shortest first (see `insert_cycles`)."""
        found: dict[tuple[Move, ...], InsertedAnswer] = {}
        skeleton = self._merged(self.skeleton)
        if self.left.unsolved == 0:
            self._keep(found, skeleton, ())
        fresh = [_Partial(skeleton, ())]
        for left in reversed(range(self._insertions)):
            further: dict[tuple[Move, ...], tuple[int, _Partial]] = {}
            for partial in fresh:
                for point in self._points(partial.moves):
                    self.stopped = self.stopped or self._budget.left <= 0
                    if self.stopped:
                        break
                    row = self.cycles.row_of(point.needed)
                    fitting = self.cycles.with_effect(row)
                    for number in fitting if self.cycles.is_possible(point.needed) else ():
                        moves, made = self._inserted(partial, point, number)
                        self._keep(found, moves, made)
                    if left:
                        for number, unsolved in self._helpful(row, left):
                            moves, made = self._inserted(partial, point, number)
                            rank = self.metric.total(moves) + unsolved
                            if moves not in further or rank < further[moves][0]:
                                further[moves] = rank, _Partial(moves, made)
            fresh = [each for _, each in sorted(further.values(), key=lambda one: one[0])[:_BEAM]]
        if not found:
            when = " before the timeout" if self.stopped else ""
            raise NoSolutionError(
                f"no answer was found{when}: the skeleton leaves {self.unsolved}. Allow more "
                "insertions or longer cycles, or choose another skeleton"
            )
        return sorted(found.values(), key=lambda each: (each.length, len(each.insertions)))

    def _points(self, moves: Sequence[Move]) -> Iterator[_Point]:
        """Yield each point, also those between two moves that commute and are exchanged."""
        puzzle = self.puzzle
        modulus = puzzle.modulus
        before = [self._start]  # the state before each move
        for move in moves:
            before.append(compose(before[-1], move.effect, modulus))
        behind = [self._end]  # the state that the moves from here on solve, from the end
        for move in reversed(moves):
            behind.append(compose(behind[-1], invert(move.effect, modulus), modulus))
        behind.reverse()
        for at in range(len(moves) + 1):
            needed = compose(invert(before[at], modulus), behind[at], modulus)
            yield _Point(tuple(moves[:at]), tuple(moves[at:]), needed)
            if 0 < at < len(moves) and puzzle.commute(moves[at - 1], moves[at]):
                first, second = moves[at], moves[at - 1]
                own = compose(before[at - 1], first.effect, modulus)
                rest = compose(behind[at + 1], invert(second.effect, modulus), modulus)
                needed = compose(invert(own, modulus), rest, modulus)
                yield _Point((*moves[: at - 1], first), (second, *moves[at + 1 :]), needed)

    def _helpful(self, row: Any, left: int) -> Iterator[tuple[int, int]]:
        """Yield the sequences after which `left` more insertions may be enough.

        A sequence leaves fewer pieces unsolved than before, or so few that one insertion may solve
        them. Each sequence is yielded with the number of pieces that it leaves unsolved.
        """
        before = int((self.cycles.row_of(no_effect(self.puzzle.modulus)) != row).sum())
        most = min(left * _PIECES, max(before - 1, _PIECES))
        unsolved = (self.cycles.rows != row).sum(1)
        fitting = (unsolved > 0) & (unsolved <= most)
        for number in np.flatnonzero(fitting).tolist():
            yield number, int(unsolved[number])

    def _inserted(
        self, partial: _Partial, point: _Point, number: int
    ) -> tuple[tuple[Move, ...], tuple[Insertion, ...]]:
        cycle = [self.cycles.moves[each] for each in self.cycles.words[number]]
        moves = self._merged([*point.before, *cycle, *point.behind])
        total = self.metric.total
        saved = total(partial.moves) + total(cycle) - total(moves)
        made = Insertion(
            tuple(move.name for move in (*point.before, *point.behind)),
            len(point.before),
            tuple(move.name for move in cycle),
            "",
            saved,
        )
        return moves, (*partial.made, made)

    def _merged(self, moves: Sequence[Move]) -> tuple[Move, ...]:
        return merge(self.puzzle, [moves])[0]

    def _keep(
        self,
        found: dict[tuple[Move, ...], InsertedAnswer],
        moves: tuple[Move, ...],
        made: tuple[Insertion, ...],
    ) -> None:
        """Add a new answer, if it is short enough. It is replayed on the full state."""
        puzzle = self.puzzle
        length = self.metric.total(moves)
        if moves in found or (self._most is not None and length > self._most):
            return
        if not puzzle.is_solved(puzzle.apply(self.state, moves)):
            return  # pieces that are alike or places that no inserted move changes
        found[moves] = InsertedAnswer(
            puzzle=puzzle.name,
            moves=tuple(move.name for move in moves),
            metric=self.metric.name,
            length=length,
            lengths=puzzle.lengths(moves, self.metric),
            insertions=tuple(each._replace(effect=self._effect(each.moves)) for each in made),
        )

    def _effect(self, names: Sequence[str]) -> str:
        puzzle = self.puzzle
        return write_cycles(puzzle, puzzle.apply(puzzle.solved, puzzle.moves(" ".join(names))))


def _best_holding(puzzle: Puzzle, state: bytes) -> _Left:
    """Return the part that is left to solve, held so that most pieces are solved.

    Pieces that are alike get names: a piece that is at one of its places belongs there.
    """
    found: list[_Left] = []
    for holding in puzzle.whole_rotations:
        seen = act(state, *invert(holding, puzzle.modulus), puzzle.modulus)
        if all(
            tuple(puzzle.labels(seen, orbit)) == tuple(orbit.solved)
            for orbit in puzzle.orbits
            if orbit.name in puzzle.frames
        ):
            effect, unsolved = _named_effect(puzzle, seen)
            found.append(_Left(unsolved, effect, holding))
    return min(found, key=lambda each: each.unsolved)


def _named_effect(puzzle: Puzzle, state: bytes) -> tuple[Effect, int]:
    """Return an effect from the solved state to a state, and the number of unsolved places."""
    gather, add = list(range(len(puzzle.modulus))), bytearray(len(puzzle.modulus))
    unsolved = 0
    for orbit in puzzle.orbits:
        start = puzzle.offsets[orbit.name]
        labels, turns = puzzle.labels(state, orbit), puzzle.orientations(state, orbit)
        free: dict[int, list[int]] = {}
        wrong = [place for place in range(orbit.size) if labels[place] != orbit.solved[place]]
        for home in wrong:
            free.setdefault(orbit.solved[home], []).append(home)
        unsolved += len(wrong) + sum(turns[place] > 0 for place in {*range(orbit.size)} - {*wrong})
        for place in range(orbit.size):
            home = free[labels[place]].pop(0) if place in wrong else place
            gather[start + place] = start + home
            if orbit.orientations > 1:
                gather[start + orbit.size + place] = start + orbit.size + home
                add[start + orbit.size + place] = turns[place]
    return (gather_of(gather), bytes(add)), unsolved


@taking(Inserter)
def insert_cycles(*given: Any, **asked: Any) -> list[InsertedAnswer]:  # noqa: D417
    """Solve a position by inserting short sequences into a skeleton of moves.

    The skeleton leaves a few pieces unsolved. All sequences that change at most four pieces can be
    inserted, such as cycles of three corners. They can be inserted at every point of the skeleton,
    also between two moves that commute and are exchanged. Moves that cancel or merge are counted as
    such. With one insertion, the shortest answer is certain. With more insertions, only the 1000
    most promising answers are kept after each insertion, so a shorter answer may be missed.

    Parameters
    ----------
    solver
        The solver of the puzzle.
    position
        The position to solve: a scramble, stickers, a list of moves, or a state.
    skeleton
        The moves after the scramble, which solve most pieces.
    insertions
        The largest number of insertions, 1 to 5. A later sequence can be inserted into an earlier
        one.
    cycle_length
        The largest number of moves of an inserted sequence, 1 to 12.
    max_length
        The largest cost of an answer in `metric`. Default: any.
    moves
        The moves of the inserted sequences, as in `find`.
    metric
        The metric, or its name. Default: the first metric of the puzzle.
    timeout
        Seconds. The answers that were found in this time are returned.
    parentheses
        What parentheses in the skeleton mean: "groups" of moves, or moves on the "inverse" (NISS).
        With "ask", the skeleton is refused if the two meanings differ. See `Notation.parse`.

    Returns
    -------
    list of InsertedAnswer
        The answers that were found, the shortest first. Each is replayed and solves the position.

    Raises
    ------
    UsageError, NotationError, StateError
        If an argument cannot be read, or the puzzle cannot be in the state.
    NoSolutionError
        If no answer was found.

    Examples
    --------
    >>> import puzzlekit
    >>> from puzzlekit_lab import insert_cycles
    >>> cube = puzzlekit.load("cube2")
    >>> answers = insert_cycles(cube, "R2 U R2 U' F U2 R'", "R U2 F' R2", cycle_length=4)
    >>> str(answers[0]), answers[0].insertions[0].moves
    ("R U2 F' U R2 U' R2", ('U', 'R2', "U'"))
    """
    return Inserter(*given, **asked).answers()
