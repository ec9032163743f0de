"""Divide rotations out: find the moves that turn the whole puzzle, and search with the others.

Some files list rotations of the whole puzzle among the moves. How the puzzle is held is then part
of a state, and methods that know nothing of rotations find long answers, if any. A rotation makes
another move of each move. So every answer is a rotation, followed by an answer without rotations,
and the same puzzle without rotations has a method for this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from heapq import heappop, heappush
from itertools import combinations, count
from typing import TYPE_CHECKING

import attrs

from puzzlekit import (
    Heuristic,
    Limits,
    Metric,
    Move,
    NoSolutionError,
    Phase,
    Puzzle,
    Solver,
    StateError,
    UsageError,
)
from puzzlekit.puzzle.move import Effect, compose, invert, no_effect
from puzzlekit.search.budget import Budget
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.candidate import Candidate, Counts, HowFound, PhaseMoves
from puzzlekit.search.strategies.strategy import Strategy, length_limit

if TYPE_CHECKING:
    from puzzlekit_universal import NearWalk
    from puzzlekit_universal.near_search import NearStates

__all__ = ["Unrotated", "rotations_of"]

_WHOLE = 0.8  # of the places that a move changes, at most, are changed by each rotation
_BEFORE = 4_000_000  # nodes of the search for a short answer in all ways, before any answer
_NODES = 300_000_000  # and after the first one
_MOST_CHANGES = 30_000_000  # numbers of all pairs of moves; those of larger puzzles take seconds
_MOST_WAYS = 200  # of holding a puzzle, and one more


def rotations_of(puzzle: Puzzle) -> list[str]:
    """Return the families of moves that turn the whole puzzle.

    Such a move changes nearly as many places as any other. A rotation, one of the moves that turn
    only a part, and the rotation undone make a move of this kind again, of the same cost. All
    rotations together hold the puzzle in fewer than 200 ways. If the other moves all commute, as on
    a Clock, the search needs no help, and the result is empty.
    """
    metrics = [metric for metric in puzzle.metrics if metric.counts]
    size = {family: _size(puzzle.move(family)) for family in puzzle.turns}
    most = _WHOLE * max(size.values())
    found = [family for family in puzzle.turns if size[family] >= most]
    while found:
        others = [move for move in puzzle.family_moves(puzzle.turns) if move.family not in found]
        cost = {move.effect: [metric.cost(move) for metric in metrics] for move in others}
        kept = [family for family in found if _turns_all(puzzle, puzzle.move(family), cost)]
        if kept == found:
            few = len(list(_ways(puzzle, metrics[0], found))) < _MOST_WAYS
            apart = all(puzzle.commute(*pair) for pair in combinations(others, 2))
            return found if few and not apart else []
        found = kept
    return []


def _size(move: Move) -> int:
    """Return how many bytes of a state a move changes."""
    gather, add = move.effect
    return sum(gather[i] != i or add[i] > 0 for i in range(len(add)))


def _turns_all(puzzle: Puzzle, by: Move, cost: dict[Effect, list[int]]) -> bool:
    """Whether a rotation makes a move of the same cost of each move, and changes some move."""
    undo = invert(by.effect, puzzle.modulus)
    changed = False
    for effect, own in cost.items():
        turned = compose(compose(by.effect, effect, puzzle.modulus), undo, puzzle.modulus)
        if cost.get(turned) != own:
            return False
        changed = changed or turned != effect
    return changed


@attrs.define(slots=False, on_setattr=attrs.setters.frozen, eq=False)
class Unrotated(Strategy):
    """Holds the puzzle right by rotations, then takes the answers of the puzzle without them."""

    needs_coordinates = False

    #: The solver of the puzzle without rotations.
    solver: Solver
    #: Returns its state for a state; raises StateError if it has none.
    state: Callable[[bytes], bytes]
    #: The families of the rotations.
    rotations: tuple[str, ...]

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Accept any phases: the other solver has its own."""

    def searched(self, plan: Plan) -> Iterator[tuple[Plan, Phase, Heuristic]]:
        """Yield nothing: the other solver has its own phases."""
        yield from ()

    def prepare(self, plan: Plan) -> None:
        """Prepare nothing until the other solver is needed."""
        if not plan.metric.counts:
            kind = plan.metric.kind
            raise UsageError(f"{plan.name} of {plan.puzzle.name} does not support {kind}s")
        self.phases = []

    @property
    def no_counts(self) -> Counts:
        """The counts before any search."""
        return ((0, 0),)

    @cached_property
    def _ways(self) -> list[tuple[Move, ...]]:
        """The cheapest moves of each rotation that rotations make, the cheapest first."""
        return list(_ways(self.puzzle, self.metric, self.rotations))

    @cached_property
    def _near(self) -> NearStates | None:
        """The states near the solved one without rotations; None for very large puzzles."""
        from puzzlekit_universal.near_search import NearStates, fits_codes  # imports NumPy

        puzzle = self.solver.puzzle
        moves = puzzle.family_moves(puzzle.turns)
        large = len(moves) ** 2 * len(puzzle.modulus) > _MOST_CHANGES
        if large or not fits_codes(puzzle):
            return None
        (metric,) = (each for each in puzzle.metrics if each.name == self.metric.name)
        return NearStates(puzzle, moves, [metric.cost(move) for move in moves])

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield ever shorter answers, then a record with the totals."""
        budget, longest = Budget(limits), length_limit(limits)
        held = self._held(state)
        one_way = len(held) == 1
        nodes = expanded = 0
        walk = None
        if len(held) > 1 and self._near is not None:
            from puzzlekit_universal import NearWalk  # imports NumPy

            # Any way of holding it may be right. So a short answer is looked for in all ways.
            walk = NearWalk(self._near, [own for _, own in held], limits)
            short = self._short(walk, held, _BEFORE, longest, budget.left)
            nodes, expanded = walk.generated, walk.expanded
            if short is not None:
                yield short
                return
        for way, own in held:
            most = longest - self.metric.total(way)
            if most < 0:
                continue
            left = None if limits.max_nodes is None else max(limits.max_nodes - nodes, 0)
            found = None
            try:
                for found in self.solver.improve(
                    own,
                    metric=self.metric.name,
                    max_length=None if limits.max_length is None else most,
                    timeout=budget.timeout,
                    max_nodes=left,
                    threads=limits.threads,
                    cancel=limits.cancel,
                ):
                    counts = nodes + found.nodes, expanded + found.expanded
                    moves = self.solver.puzzle.moves(" ".join(found.moves))
                    proven = found.optimal and one_way
                    answer = self._answer(way, moves, proven, counts, HowFound(method=found.method))
                    yield answer
                    if walk is not None:
                        best = self.metric.total(answer.moves or ()) - 1
                        short = self._short(walk, held, _NODES, best, budget.left / 2)
                        walk = None
                        if short is not None:
                            yield short
                            return
            except NoSolutionError:  # such as for a way in which no moves lead to the state
                pass
            if found is not None:
                nodes, expanded = counts
                break
        yield Candidate(None, False, ((nodes, expanded),))

    def _short(
        self,
        walk: NearWalk,
        held: Sequence[tuple[tuple[Move, ...], bytes]],
        nodes: int,
        longest: int,
        seconds: float,
    ) -> Candidate | None:
        """Return an answer of few moves after one of some ways of holding a state."""
        path = walk.go_on(nodes, longest, seconds)
        if path is None:
            return None
        puzzle = self.solver.puzzle
        way = next(way for way, own in held if puzzle.apply(own, path) == puzzle.solved)
        if self.metric.total((*way, *self._own(path))) > longest:
            return None
        counts = walk.generated, walk.expanded
        return self._answer(way, path, False, counts, HowFound(directly=True))

    def _held(self, state: bytes) -> list[tuple[tuple[Move, ...], bytes]]:
        """Return the rotations that may hold a state right, and the state without rotations then.

        Those after which most is solved come first.
        """
        held = []
        for way in self._ways:
            try:
                held.append((way, self.state(self.puzzle.apply(state, way))))
            except StateError:  # it is held in another way
                continue
        solved = self.solver.puzzle.solved
        held.sort(key=lambda each: sum(a != b for a, b in zip(each[1], solved, strict=True)))
        return held

    def _own(self, moves: Sequence[Move]) -> tuple[Move, ...]:
        """Return the moves of this puzzle with the names of moves of the other."""
        return self.puzzle.moves(" ".join(move.name for move in moves))

    def _answer(
        self,
        way: Sequence[Move],
        moves: Sequence[Move],
        proven: bool,
        counts: tuple[int, int],
        how: HowFound,
    ) -> Candidate:
        phase = PhaseMoves(0, (*way, *self._own(moves)), how)
        return self.candidate([phase], proven, (counts,), shortest=(0,) if proven else ())


def _ways(puzzle: Puzzle, metric: Metric, families: Sequence[str]) -> Iterator[tuple[Move, ...]]:
    """Yield the cheapest moves of each element of the group of some moves, the cheapest first."""
    moves, number = puzzle.family_moves(families), count()
    seen: set[Effect] = set()
    queue: list[tuple[int, int, Effect, tuple[Move, ...]]] = []
    heappush(queue, (0, next(number), no_effect(puzzle.modulus), ()))
    while queue and len(seen) < _MOST_WAYS:
        cost, _, effect, way = heappop(queue)
        if effect in seen:
            continue
        seen.add(effect)
        yield way
        for move in moves:
            after = compose(effect, move.effect, puzzle.modulus)
            if after not in seen:
                heappush(queue, (cost + metric.cost(move), next(number), after, (*way, move)))
