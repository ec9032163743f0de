"""Puzzles whose pieces prevent some moves: solve the shape first, then the pieces by loops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice, product
from string import ascii_lowercase, ascii_uppercase
from typing import cast

import attrs

from puzzlekit import (
    Heuristic,
    Limits,
    Metric,
    Move,
    NoSolutionError,
    Orbit,
    Phase,
    Puzzle,
    UsageError,
)
from puzzlekit.puzzle.groups import orbits_of
from puzzlekit.puzzle.move import Effect, gather_of
from puzzlekit.search.budget import Budget
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.candidate import Candidate, Counts, HowFound, PhaseMoves
from puzzlekit.search.strategies.strategy import Strategy, length_limit
from puzzlekit_universal.places import undoable_moves
from puzzlekit_universal.shapes import NEAR, Shapes, ShapeWalk
from puzzlekit_universal.strategy import Universal

_SHORT, _RANDOM = 90, 30  # loops; with their inverses at most 255


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class ByShapes(Strategy):
    """Solves a puzzle whose pieces prevent some moves: first its shape, then its pieces.

    The shape of a state is where the pieces are that are `Forbidden` somewhere, and which places
    are glued together (`Bandaged`). It determines which moves are possible. The first moves of an
    answer bring the shape home. The rest consists of loops: sequences of moves that start and end
    at the solved shape. Loops are always possible there, so another strategy solves the pieces with
    them. Short scrambles get shortest answers.

    >>> ByShapes(Universal(seconds=1.0)).takes_forbidden
    True
    """

    takes_forbidden = True
    needs_coordinates = False

    #: The strategy that solves the pieces by loops.
    pieces: Universal = attrs.field(factory=Universal)

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError unless the strategy for the pieces accepts the phases."""
        self.pieces.check(name, phases)

    def interpreted(self) -> ByShapes:
        """Return the strategy with less effort."""
        return attrs.evolve(self, pieces=self.pieces.interpreted())

    def searched(self, plan: Plan) -> Iterator[tuple[Plan, Phase, Heuristic]]:
        """Yield nothing, because the phase has no tables."""
        yield from ()

    def prepare(self, plan: Plan) -> None:
        """Find the loops and prepare their search. Raises UsageError for too many shapes."""
        if not plan.metric.counts:
            raise UsageError(
                f"{plan.name} of {plan.puzzle.name} does not support {plan.metric.kind}s"
            )
        self.phases = []
        self.shapes = Shapes(self.puzzle, undoable_moves(plan), self.metric)
        names = map("".join, product(ascii_uppercase, ascii_lowercase))
        self._loops = dict(zip(names, self.shapes.loops(_SHORT, _RANDOM), strict=False))
        self._kept, self._looped = _looped(self.puzzle, self._loops)
        looped = self._looped
        self._inner: Universal | None = None
        if looped is not None:
            phase = Phase("solve", "the puzzle is solved", " ".join(looped.turns), (), ())
            inner = attrs.evolve(
                plan, puzzle=looped, phases=(phase,), metric=looped.metrics[0], fixed={}, moves=""
            )
            self._inner = cast("Universal", self.pieces.prepared(inner))
            self._inner.list_short()

    @property
    def no_counts(self) -> Counts:
        """The counts before any search."""
        return ((0, 0),)

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield ever shorter answers, then a record with the totals."""
        budget = Budget(limits)
        if not self.shapes.reaches(state):
            raise _unreachable()
        short, proven = self._short(state, budget)
        best = length_limit(limits) + 1
        if short is not None and self.metric.total(short) < best:
            found = PhaseMoves(0, short, HowFound(directly=True), short)
            shortest = frozenset([0] if proven else [])
            yield Candidate((found,), proven, self.no_counts, shortest=shortest)
            return
        if short is not None and proven:  # every answer is longer than the limit
            yield Candidate(None, False, self.no_counts, at_least=self.metric.total(short))
            return
        home = self.puzzle.undo(self.shapes.way(self.shapes.of(state)))
        solved_shape = self.puzzle.apply(state, home)
        if not self._is_open(solved_shape):
            yield Candidate(None, False, self.no_counts)
            return
        if self._inner is None:
            if self.metric.total(home) < best:
                yield Candidate((PhaseMoves(0, home, merged=home),), False, self.no_counts)
            return
        projected = bytes(solved_shape[byte] for byte in self._kept)
        own = limits._replace(max_length=None, timeout=budget.timeout)
        for answer in self._inner.search(projected, own):
            if answer.moves is None:
                yield Candidate(None, False, answer.counts, answer.helpers_cpu)
                return
            each = [self._expanded(move) for move in answer.moves]
            moves = self.shapes.merged(state, [*home, *(one for own in each for one in own)])
            if self.metric.total(moves) < best:
                best = self.metric.total(moves)
                found = PhaseMoves(0, moves, merged=moves)
                yield Candidate((found,), False, answer.counts, answer.helpers_cpu)
                if limits.max_length is not None:
                    return

    def _is_open(self, state: bytes) -> bool:
        """Whether loops may solve a state of the solved shape: whether they move what is unsolved.

        Each piece has to be among those that loops bring to its place.
        """
        left = bytearray(self.puzzle.solved)
        at = 0
        for orbit in self._looped.orbits if self._looped else ():
            own = self._kept[at : at + orbit.size]
            if sorted(state[byte] for byte in own) != sorted(orbit.solved):
                return False
            at += orbit.width
        for byte in self._kept:
            left[byte] = state[byte]
        return state == left

    def _expanded(self, move: Move) -> tuple[Move, ...]:
        """Return the moves of the puzzle that a power of a loop stands for."""
        moves = self._loops[move.family].moves
        if move.amount * 2 > move.order:
            return self.puzzle.undo(moves) * (move.order - move.amount)
        return moves * move.amount

    def _short(self, state: bytes, budget: Budget) -> tuple[tuple[Move, ...] | None, bool]:
        """Return the cheapest answer of a few moves, and whether no answer is cheaper.

        States near the given state meet states near the solved state, for at most half of the time
        that is left. Raises NoSolutionError if moves reach all states from one of both, and not the
        other.
        """
        half = budget.left / 2
        best: tuple[Move, ...] | None = None
        least, complete, seen = 0, 0, 0
        if len(self.shapes.around) < NEAR and state not in self.shapes.around:
            raise _unreachable()
        for number, (here, near) in enumerate(islice(self.shapes.near(state), NEAR), 1):
            complete, seen = near.cost - 1, number
            if best is not None and near.cost >= least:
                break
            rest = self.shapes.around.get(here)
            if rest is not None and (best is None or near.cost + rest.cost < least):
                least = near.cost + rest.cost
                best = (*near.moves, *self.puzzle.undo(rest.moves))
            if budget.left < half:
                break
        else:
            if best is None and seen < NEAR:
                raise _unreachable()
        dearest = max(map(self.metric.cost, self.shapes.moves))
        return best, least <= complete + self._complete + 2 - dearest or least <= complete + 1

    @cached_property
    def _complete(self) -> int:
        """A cost so that all states of at most this cost are near the solved state."""
        return max(near.cost for near in self.shapes.around.values()) - 1


def _unreachable() -> NoSolutionError:
    error = NoSolutionError("there is no solution: no moves lead from this state to the goal")
    error.proven = True
    return error


def _looped(puzzle: Puzzle, loops: dict[str, ShapeWalk]) -> tuple[list[int], Puzzle | None]:
    """Return the puzzle whose moves are loops, and the bytes of a state that it keeps.

    At the solved shape, pieces that are forbidden somewhere are solved, except for orientations.
    The puzzle has none of their places. It is None if loops change nothing.
    """
    marked = {(byte, label) for byte, label, _ in puzzle.forbidden}
    orbits: list[Orbit] = []
    kept: list[int] = []
    for orbit in puzzle.orbits:
        start = puzzle.offsets[orbit.name]
        fixed = {label for byte, label in marked if start <= byte < start + orbit.size}
        sources = [
            [loop.effect[0][start + i] - start for i in range(orbit.size)]
            for loop in loops.values()
        ]
        for group in orbits_of(orbit.size, sources):
            turned = orbit.orientations > 1 and any(
                loop.effect[1][start + orbit.size + place]
                for loop in loops.values()
                for place in group
            )
            labels = tuple(orbit.solved[place] for place in group)
            if not turned and (len(set(labels)) == 1 or set(labels) <= fixed):
                continue
            kept += [start + place for place in group]
            if turned:
                kept += [start + orbit.size + place for place in group]
            name = f"{orbit.name}.{orbit.places[group[0]]}"
            places = tuple(orbit.places[place] for place in group)
            turns = orbit.orientations if turned else 1
            orbits.append(Orbit(name, orbit.piece, places, turns, labels))
    if not orbits:
        return kept, None
    number = {byte: i for i, byte in enumerate(kept)}

    def projected(effect: Effect) -> Effect:
        gather, add = effect
        return gather_of([number[gather[byte]] for byte in kept]), bytes(add[byte] for byte in kept)

    own = {name: projected(loop.effect) for name, loop in loops.items()}
    nothing = gather_of(range(len(kept))), bytes(len(kept))
    turns_of = {name: effect for name, effect in own.items() if effect != nothing}
    weights = {name: loops[name].cost for name in turns_of}
    metric = Metric("loops", "moves of all loops", weights, per_turn=True)
    return kept, Puzzle(f"{puzzle.name} loops", puzzle.title, tuple(orbits), turns_of, (metric,))
