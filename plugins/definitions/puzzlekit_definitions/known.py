"""Recognise the puzzle of a plugin in a definition, and use its method."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache, cached_property
from math import inf
from threading import Event
from time import perf_counter

import attrs
import numpy as np

from puzzlekit import (
    Limits,
    Metric,
    Move,
    NoSolutionError,
    Puzzle,
    PuzzlekitError,
    Solver,
    TableStore,
    load,
)
from puzzlekit.plugins.manager import manager
from puzzlekit.puzzle.move import act
from puzzlekit.search.budget import Budget
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.candidate import Candidate, HowFound, PhaseMoves
from puzzlekit.search.strategies.strategy import Strategy, Wrapper, length_limit
from puzzlekit_beam import Beam
from puzzlekit_definitions.basic_moves import BasicMoves
from puzzlekit_definitions.same import (
    Matching,
    Points,
    Row,
    Same,
    method_moves,
    moved_parts,
    parts_of_rows,
    plain_moves,
    row_of,
)
from puzzlekit_universal import Universal

__all__ = ["AsKnown", "known_puzzle"]

_MOST_WORDS = 100_000  # that are tried, about
_TOGETHER = 1000  # words that are compared at once
_MOST_LAYERS = 4  # moves that make one move of the other puzzle
_MOST_MERGED = 3  # moves of an answer that may become others
_FEWEST = 40  # points of a puzzle: smaller ones need no other method
_MOST_PLACES = 1000  # of a puzzle
_SHARE = 2 / 3  # of the time after the first answer is for the method of the plugin
_MOST_SHARE = 0.85  # if it has no answer earlier
_MOST_SIDES = 24  # from which the puzzle is seen
UNIVERSAL = "universal"  # a method that every definition has

#: What moves of the definition cost, and these moves.
Word = tuple[int, tuple[Move, ...]]
#: For each way of holding the puzzle: what it costs to come there, from which place of an answer
#: and which way, and the moves.
_Costs = dict[int, tuple[int, int, int, tuple[Move, ...]]]


class _Words:
    """The cheapest moves of a definition for the moves of the puzzle of a plugin.

    - `costs`: what the moves of the method of the plugin cost, those that few moves make.
    - `is_whole`: whether these are all, in every way in which the puzzle may be held.
    - `may_turn`: whether an answer may leave the puzzle turned, and no words turn it back.
    """

    def __init__(self, same: Same, metric: Metric) -> None:
        self._same, self._metric = same, metric
        self._points = Points(same.other)
        self._whole = [self._points.row(*held) for held in same.other.whole_rotations]
        self._back = [np.argsort(row) for row in self._whole]
        self._rows: dict[tuple[Move, ...], Row] = {}
        self._ways: dict[tuple[tuple[Move, ...], int], list[tuple[int, Word]]] = {}
        own = Points(same.puzzle)
        still = own.row(*same.puzzle.whole_rotations[0])
        self._known: dict[bytes, Word] = {same.own_key(still): (0, ())}
        rows = {move: own.row(*move.effect) for move in plain_moves(same.puzzle)}
        rank = {family: number for number, family in enumerate(same.puzzle.turns)}
        level: list[tuple[Row, tuple[Move, ...]]] = [(still, ())]
        self._needed = method_moves(same.solver)
        for layers in range(1, _MOST_LAYERS + 1):
            level = [
                (row[rows[move]], (*word, move))
                for row, word in level
                for move in rows
                if all(
                    rank[each.family] < rank[move.family] and same.puzzle.commute(each, move)
                    for each in word
                )
            ]
            for row, word in level:
                self._note(same.own_key(row), word)
            self._measure()
            many = len(level) * len(rows) > _MOST_WORDS
            if many or (layers > 1 and self.is_whole and not self.may_turn):
                break
        if self.is_whole and self.may_turn:
            self._turn(level)

    def _note(self, key: bytes, word: tuple[Move, ...]) -> None:
        cost = self._metric.total(word)
        if key not in self._known or cost < self._known[key][0]:
            self._known[key] = cost, word

    def _measure(self) -> None:
        """See what the moves of the plugin cost, and how the puzzle may be held after an answer."""
        self._ways.clear()
        first = {move: self._way((move,), 0) for move in self._needed}
        self.costs = {move: min(way)[1][0] for move, way in first.items() if way}
        self.is_whole = len(self.costs) == len(self._needed)
        self.may_turn = False
        if not self.is_whole:
            return
        turned = self._reached([()])
        if len(turned) < len(self._whole):
            # It cannot always be turned back to how it is held at first.
            every = [(move,) for move in self._needed]
            met = self._reached([(), *every])
            self.is_whole = all(self._way(moves, held) for moves in every for held in met)
            ends = {*range(len(self._whole))}.difference(turned)
            self.may_turn = any(self._same.may_turn(held, self._needed) for held in ends)

    def _reached(self, every: Sequence[tuple[Move, ...]]) -> list[int]:
        """Return the ways of holding the puzzle to which moves lead from the first one."""
        reached = [0]
        for held in reached:  # grows during the loop
            found = {then for moves in every for then, _ in self._way(moves, held)}
            reached += found.difference(reached)
        return reached

    def _turn(self, level: Sequence[tuple[Row, tuple[Move, ...]]]) -> None:
        """Look for turns of the whole puzzle that are a word of many moves and a known one."""
        turns = [held[self._same.covered] for held in self._whole]
        found: dict[int, tuple[Move, ...]] = {}
        for begin in range(0, len(level), _TOGETHER):
            some = level[begin : begin + _TOGETHER]
            # The words done backwards, and then the turns.
            undone = self._same.image(np.argsort([row for row, _ in some], axis=1))
            for number, turn in enumerate(turns):
                if number in found:
                    continue
                for key, (_, word) in zip(undone[:, turn], some, strict=True):
                    rest = self._known.get(key.tobytes())
                    if rest is not None:
                        found[number] = (*word, *rest[1])
                        break
        for number, word in sorted(found.items()):
            self._note(self._same.key(self._whole[number]), word)
        self._measure()

    def _way(self, moves: tuple[Move, ...], held: int) -> list[tuple[int, Word]]:
        """Return words for moves of the other puzzle when it is held in some way.

        Each has the number of the way in which it is held then.
        """
        if (moves, held) not in self._ways:
            if moves not in self._rows:
                row = self._whole[0]
                for move in moves:
                    row = row[self._points.row(*move.effect)]
                self._rows[moves] = row
            row = self._back[held][self._rows[moves]]
            keys = [self._same.key(row[after]) for after in self._whole]
            self._ways[moves, held] = [
                (then, self._known[key]) for then, key in enumerate(keys) if key in self._known
            ]
        return self._ways[moves, held]

    def _relax(self, costs: _Costs, moves: tuple[Move, ...], after: _Costs, begin: int) -> bool:
        """Note cheaper ways to come to a place of an answer; return whether there are some."""
        better = False
        for held, (cost, *_) in [*costs.items()]:
            for then, (own, word) in self._way(moves, held):
                if then not in after or cost + own < after[then][0]:
                    after[then] = cost + own, begin, held, word
                    better = True
        return better

    def translated(self, moves: Sequence[Move], state: bytes) -> tuple[Move, ...] | None:
        """Return the moves for an answer to a state of the other puzzle; None if there are none."""
        puzzle = self._same.other
        every: list[_Costs] = [{} for _ in range(len(moves) + 1)]
        every[0][0] = 0, -1, -1, ()
        for begin, costs in enumerate(every):
            while self._relax(costs, (), costs, begin):  # turns of the whole puzzle
                pass
            for end in range(begin + 1, min(begin + _MOST_MERGED, len(moves)) + 1):
                if any(not puzzle.commute(moves[end - 1], each) for each in moves[begin : end - 1]):
                    break
                self._relax(costs, tuple(moves[begin:end]), every[end], begin)
        after = puzzle.apply(state, moves)
        ends = [
            (own[0], held)
            for held, own in every[-1].items()
            if self._same.is_home(act(after, *puzzle.whole_rotations[held], puzzle.modulus))
        ]
        if not ends:
            return None
        at, held = len(moves), min(ends)[1]
        found: list[Move] = []
        while (at, held) != (0, 0):
            _, at, held, word = every[at][held]
            found[:0] = word
        return tuple(found)


@attrs.define(slots=False, on_setattr=attrs.setters.frozen, eq=False)
class AsKnown(Wrapper):
    """Takes the answers of the same puzzle of a plugin, with the moves of the file.

    Another strategy has the first answer and, for states near the solved one, better ones. With a
    time limit, it goes on in the last third of the time, or less if there is no answer of the
    plugin by then; without one, it comes first. A record without moves follows when the solver of
    the plugin has taken the time that it takes without a limit.
    """

    #: The puzzle of the plugin.
    same: Same
    #: The other strategy, which needs no phases.
    strategy: Strategy = attrs.field(factory=Universal)

    def prepare(self, plan: Plan) -> None:
        """Prepare the other strategy, and load or build the tables of the solver of the plugin."""
        super().prepare(plan)
        self.same.solver.prepared(self.same.method.name, metric=self._nearest[0])

    @cached_property
    def _nearest(self) -> tuple[str, _Words]:
        """The metric of the other puzzle that is most like that of this search, and the words."""
        words = _Words(self.same, self.metric)
        metrics = self.same.solver.catalogue.metrics(self.same.method.name)
        metrics = tuple(metric for metric in metrics if metric.counts)
        differences = [
            sum((metric.cost(move) - cost) ** 2 for move, cost in words.costs.items())
            for metric in metrics
        ]
        return metrics[differences.index(min(differences))].name, words

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield ever shorter answers, then a record with the totals."""
        budget = Budget(limits)
        unlimited = limits.timeout is None and limits.max_nodes is None
        best, counts = length_limit(limits) + 1, (0, 0)
        answers = self._others(state, limits)
        if limits.max_length is None:
            for found in answers:
                counts = found.counts[0]
                if found.moves is not None:
                    best = self.metric.total(found.moves)
                    yield found
                if found.proven:
                    return
                if found.moves is not None and not unlimited:
                    break
        nodes = None if limits.max_nodes is None else max(limits.max_nodes - counts[0], 0)
        enough = _Enough(budget, limits.cancel)
        known = 0, 0
        # With a time limit, a beam may be so wide that it has no answer: the first search has none.
        for timed in (False, True):
            if timed and (limits.timeout is None or enough.is_set()):
                break
            seconds = enough.left if timed else None
            earlier = known
            left = None if nodes is None else max(nodes - known[0], 0)
            within = limits._replace(timeout=seconds, max_nodes=left, cancel=enough)
            for found in self._known(state, within):
                enough.answered = True
                known = _after(earlier, found).counts[0]
                if found.moves is not None and self.metric.total(found.moves) < best:
                    best = self.metric.total(found.moves)
                    yield _after(earlier, _after(counts, found))
                    if limits.max_length is not None:
                        return
            if not timed:
                began = perf_counter()
                yield _after(known, Candidate(None, False, (counts,)))
                enough.pause(perf_counter() - began)
        if limits.max_nodes is None or best > length_limit(limits):
            if limits.max_length is not None:
                answers = self._others(state, limits._replace(timeout=budget.timeout))
            for found in answers:
                counts = found.counts[0]
                if found.moves is not None and self.metric.total(found.moves) < best:
                    best = self.metric.total(found.moves)
                    yield _after(known, found)
                    if limits.max_length is not None:
                        return
        yield _after(known, Candidate(None, False, (counts,)))

    def _others(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield the answers of the other strategy under the name of its method."""
        for found in self.ready.search(state, limits):
            if found.moves is None:
                yield found
                continue
            phases = [PhaseMoves(0, found.moves, HowFound(method=UNIVERSAL))]
            shortest = (0,) if found.proven else ()
            yield self.candidate(phases, found.proven, found.counts, shortest=shortest)

    def _known(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield the answers of the plugin's solver."""
        metric, words = self._nearest
        budget = Budget(limits)
        for other in self.same.states(state):
            answered = False
            with suppress(NoSolutionError):
                for found in self.same.solver.improve(
                    other,
                    method=self.same.method.name,
                    metric=metric,
                    timeout=budget.timeout,
                    max_nodes=limits.max_nodes,
                    threads=limits.threads,
                    cancel=limits.cancel,
                ):
                    moves = words.translated(self.same.other.moves(" ".join(found.moves)), other)
                    if moves is not None:
                        answered = True
                        how = HowFound(method=found.method)
                        counts = ((found.nodes, found.expanded),)
                        yield self.candidate([PhaseMoves(0, moves, how)], False, counts)
            if answered:
                return


class _Enough(Event):
    """Is set when a search has taken its share of the time, or is cancelled."""

    def __init__(self, budget: Budget, cancel: Event | None) -> None:
        super().__init__()
        self.answered = False
        self._budget, self._cancel = budget, cancel
        self._time = budget.left

    def pause(self, seconds: float) -> None:
        """Leave a time out, in which something else was done."""
        self._time -= seconds

    @property
    def left(self) -> float:
        """Seconds of the share that are left."""
        share = _SHARE if self.answered else _MOST_SHARE
        return self._budget.left - self._time * (1 - share) if self._time < inf else inf

    def is_set(self) -> bool:
        """Whether the search should end."""
        return self.left <= 0 or (self._cancel is not None and self._cancel.is_set())


def _after(counts: tuple[int, int], found: Candidate) -> Candidate:
    """Return an answer with the nodes of another search, too."""
    ((generated, expanded),) = found.counts
    return found._replace(counts=((generated + counts[0], expanded + counts[1]),))


def known_puzzle(puzzle: Puzzle, families: Sequence[str], store: TableStore) -> Same | None:
    """Return a puzzle of a plugin that is the same as a puzzle; None if none is found.

    Parameters
    ----------
    puzzle
        The puzzle of a definition.
    families
        Families of its moves that make all others, without rotations.
    store
        The store for the tables of the puzzle of the plugin.
    """
    if sum(orbit.size for orbit in puzzle.orbits) > _MOST_PLACES:
        return None
    points = Points(puzzle)
    parts = moved_parts(
        points, parts_of_rows([points.row(*puzzle.move(each).effect) for each in families])
    )

    @cache
    def basic() -> list[Move]:
        return [puzzle.move(family) for family in BasicMoves(puzzle, families).families]

    for entry in manager().entries():
        with suppress(PuzzlekitError):
            solver = load(entry.name)
            if _may_be(solver):
                matching = Matching(points, parts, basic, solver)
                if (found := _same(matching, solver, store)) is not None:
                    return found
    return None


def _may_be(solver: Solver) -> bool:
    """Whether the puzzle of a plugin is large, has a group, and has a method of its own."""
    puzzle = solver.puzzle
    points = sum(orbit.size * orbit.orientations for orbit in puzzle.orbits)
    free = puzzle.guard is None and not puzzle.restricted
    return free and points >= _FEWEST and solver.method(None).name != UNIVERSAL


def _same(matching: Matching, solver: Solver, store: TableStore) -> Same | None:
    metric = next(each for each in matching.points.puzzle.metrics if each.counts)
    alike = _alike_sides(matching.others, method_moves(solver))
    seen: set[bytes] = set()
    sides = 0
    for image in matching.images():
        targets = row_of(image[point] for point in sorted(image))
        if targets.tobytes() in seen:
            continue
        same = Same(Solver(solver.puzzle, solver.methods, store), matching, image)
        if not same.is_right():
            continue
        seen.update(row[targets].tobytes() for row in alike)
        words = _Words(same, metric)
        if words.is_whole and not words.may_turn:
            return same
        if words.is_whole:
            # Its answers may leave the puzzle turned, so those are looked for that never do.
            held = _unturned(solver, store)
            if held is None:
                return None
            same = Same(held, matching, image)
            if _Words(same, metric).is_whole:
                return same
        # Seen from another side, the file may have the moves of the method.
        sides += 1
        if sides == _MOST_SIDES:
            break
    return None


def _alike_sides(points: Points, moves: Iterable[Move]) -> list[Row]:
    """Return the turns of the whole puzzle that carry the moves to the same moves in all.

    What a file lacks for these moves, it lacks from each side to which such a turn leads.
    """
    rows = [points.row(*move.effect) for move in moves]
    known = {row.tobytes() for row in rows}
    whole = [points.row(*held) for held in points.puzzle.whole_rotations]
    return [
        held for held in whole if {held[row[np.argsort(held)]].tobytes() for row in rows} == known
    ]


def _unturned(solver: Solver, store: TableStore) -> Solver | None:
    """Return a solver whose answers end held as the solved state is; None for other than beams."""
    method = solver.method(None)
    beam = method.strategy
    if not isinstance(beam, Beam):
        return None
    phases = [
        attrs.evolve(phase, goal_turns="") if phase.goal_turns else phase for phase in method.phases
    ]
    strategy = attrs.evolve(beam, starts="", alternatives=())
    own = attrs.evolve(method, phases=tuple(phases), strategy=strategy)
    return Solver(attrs.evolve(solver.puzzle, rotations=()), (own,), store)
