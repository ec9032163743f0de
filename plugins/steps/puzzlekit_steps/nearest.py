"""Several ways to a goal, searched together bound by bound."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, cast

import attrs

from puzzlekit import Coordinate, Heuristic, Limits, Max, Move, Phase, Puzzle
from puzzlekit.errors import DeclarationError, NoSolutionError, UsageError
from puzzlekit.puzzle.move import Effect, invert
from puzzlekit.search.budget import Budget
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.directions import Direction
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.bounds import UNBOUNDED, Bounds, BoundSearch, BoundTask, BoundWork
from puzzlekit.search.strategies.candidate import Candidate
from puzzlekit.search.strategies.optimal import Proof
from puzzlekit.search.strategies.single_phase import SinglePhase
from puzzlekit.search.strategies.tree_search import TreeSearch
from puzzlekit_steps.goal import Goal
from puzzlekit_steps.obstacles import Obstacles

_BOUNDS = 6  # without an answer, before proofs are looked for that there is none
_NODES = 50_000  # the same
_STATES = 100_000  # listed for such a proof


class GoalWay(NamedTuple):
    """A way to search for a goal: a phase, and how the state is seen by this phase."""

    #: Number of the phase: 0 for the phase of the method, then the phases of `Nearest.others`.
    phase: int
    #: The direction in which the phase sees the state.
    direction: Direction
    #: Rotations of the whole puzzle by which the pieces of the state are renamed. The search starts
    #: from one state for each of them.
    rotations: tuple[Effect, ...]
    #: Effects that are undone before the state is solved. The search starts from one state for each
    #: of them.
    undone: tuple[Effect, ...]
    #: Proofs that the moves do not reach the goal.
    obstacles: Obstacles
    #: Coordinates whose goal values the moves exchange only with each other. A state without such a
    #: value never reaches the goal.
    lasting: tuple[Coordinate, ...] = ()


class _WaySearch(NamedTuple):
    """The search of one way for one state."""

    phase: CompiledPhase
    #: The states from which the way may reach the goal.
    starts: list[bytes]
    obstacles: Obstacles
    #: The number of each move in the first phase.
    numbers: Sequence[int]


@attrs.define(slots=False, on_setattr=attrs.setters.frozen, eq=False)
class Nearest(SinglePhase):
    """Searches several ways to a goal together, bound by bound, until the first is proven shortest.

    `derive_goal` makes it for a goal. The goal of the method decides which states are answers. So
    the coordinates of the phases may have more goal values than the goal allows.
    """

    proves = True
    needs_bounds = True
    takes_state_heuristics = False

    #: The ways. All phases have corresponding moves in the same order.
    ways: tuple[GoalWay, ...]
    #: Phases for ways in which the moves are other ones than those of the method's phase.
    others: tuple[Phase, ...] = ()

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError unless there is one phase, and a way."""
        if len(phases) != 1 or not self.ways:
            raise DeclarationError(f"method {name}: Nearest needs one phase, and at least one way")

    def searched(self, plan: Plan) -> Iterator[tuple[Plan, Phase, Heuristic]]:
        """Yield each phase whose tables the search needs."""
        yield from super().searched(plan)
        for phase in self.others:
            yield plan, phase, Max()

    def prepare(self, plan: Plan) -> None:
        """Prepare the phase and the ways.

        Raises UsageError for machines, for inadmissible heuristics, and for a metric that gives a
        move another cost after a rotation of the whole puzzle.
        """
        if not plan.metric.counts:
            raise UsageError(
                f"{plan.name} cannot search in {plan.metric.name}, because {plan.metric.name} "
                f"is a {plan.metric.kind}: choose another metric"
            )
        if not plan.admissible:
            raise UsageError(f"{plan.name} needs an admissible heuristic, such as max")
        super().prepare(plan)
        phases = self.phases
        assert plan.goal is not None
        self._goal = cast(Goal, plan.goal)
        every = [*phases, *(CompiledPhase(plan, phase) for phase in self.others)]
        number = {move: i for i, move in enumerate(phases[0].moves)}
        costs = phases[0].costs
        self._searched = []
        for way in self.ways:
            phase = every[way.phase]
            numbers = [number[way.direction.back[move]] for move in phase.moves]
            if any(cost != costs[i] for i, cost in zip(numbers, phase.costs, strict=True)):
                raise UsageError(
                    f"{plan.metric.name} gives a move another cost after a rotation of the "
                    "whole puzzle, so the colours of a goal cannot be exchanged: choose "
                    "another metric"
                )
            undone = [invert(each, self.puzzle.modulus) for each in way.undone]
            self._searched.append((phase, way, undone, numbers))

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield the shortest answer, then a record with the totals."""
        return Proof(self, state, limits, 0, 1.0).answers()

    def bounds(self, state: bytes, limits: Limits) -> Bounds:
        """Return the bounds of a state over all ways."""
        puzzle = self.puzzle
        found = []
        for phase, way, undone, numbers in self._searched:
            seen = way.direction.see(puzzle, state)
            starts = dict.fromkeys(
                puzzle.relabel(puzzle.relabel(seen, held), each)
                for held in way.rotations
                for each in undone
            )
            own = [
                start
                for start in starts
                if not way.obstacles.bar(start)
                and all(each.rank(start) in each.goals for each in way.lasting)
                and _is_ranked(phase, start)
            ]
            if own:
                found.append(_WaySearch(phase, own, way.obstacles, numbers))
        if not found:
            raise self._out_of_reach()
        search = _NearestSearch(puzzle, found, partial(self._is_answer, state), self._out_of_reach)
        return Bounds(search, self._growth, None, limits)

    def _is_answer(self, state: bytes, path: Sequence[int]) -> bool:
        moves: list[Move] = [self.phases[0].moves[i] for i in path]
        end = self.puzzle.apply(state, moves)
        return self._goal.reached(self.puzzle, self.held(end)) is not None

    def _out_of_reach(self) -> NoSolutionError:
        error = NoSolutionError(
            f"the moves {' '.join(move.name for move in self.phases[0].moves)} do not reach "
            f"the goal {self._goal.name} from this state"
        )
        error.proven = True
        return error


def _is_ranked(phase: CompiledPhase, state: bytes) -> bool:
    """Whether the phase can rank a state. If not, no moves lead to its goal."""
    try:
        phase.ranks(state)
    except DeclarationError:
        return False
    return True


class _NearestSearch(BoundSearch):
    """Searches one bound in one way after the other.

    After some work without an answer, it looks for proofs that there is none.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        ways: Sequence[_WaySearch],
        fits: Callable[[Sequence[int]], bool],
        out_of_reach: Callable[[], NoSolutionError],
    ) -> None:
        self._puzzle = puzzle
        self._ways = ways
        self._fits = fits
        self._out_of_reach = out_of_reach
        self._plant(ways)
        self._bounds = self._nodes = 0  # without an answer
        self._open = True  # whether no proof was looked for
        self._found = False

    def _plant(self, ways: Sequence[_WaySearch]) -> None:
        self._ways = ways
        self._trees = [TreeSearch(self._puzzle, way.phase, way.starts) for way in ways]
        self._estimates = [each.estimate() for each in self._trees]

    def estimate(self) -> int:
        """Return the least estimate of all ways."""
        return min(self._estimates)

    def search(self, task: BoundTask, work: BoundWork) -> Iterator[list[int]]:
        """Yield answers that cost exactly the bound, as numbers of the moves of the first phase."""
        if self._open and (self._bounds >= _BOUNDS or self._nodes >= _NODES):
            self._open = False
            self._look_for_proofs(task)
        self._bounds += 1
        rows = zip(self._ways, self._trees, self._estimates, strict=True)
        for i, (way, tree, least) in enumerate(rows):
            if least > task.bound:
                work.further = min(work.further, least)
                continue
            total = _WorkSum(work, i, len(self._ways))
            most = task.limits.max_nodes
            limits = task.limits._replace(max_nodes=None if most is None else most - work.generated)
            # Some answers of a phase may miss the goal, so the first one does not end the search.
            whole = task._replace(budget=Budget(limits, task.budget), everything=True)
            for path in tree.search(whole, total.own):
                found = [way.numbers[move] for move in path]
                if self._fits(found):
                    total.note()
                    self._open = False
                    self._found = True
                    yield found
            total.note()
            work.further = min(work.further, total.own.further)
            if not work.finished:
                return
        work.finished = True
        self._nodes += work.generated
        if work.further >= UNBOUNDED and not self._found:
            raise self._out_of_reach()

    def _look_for_proofs(self, task: BoundTask) -> None:
        """Leave out the starts from which the goal is proven to be out of reach."""

        def is_over() -> bool:
            return task.budget.left <= 0 or task.budget.is_cancelled

        left = []
        for way in self._ways:
            starts = [start for start in way.starts if not way.obstacles.separate(start)]
            if starts:
                left.append(way._replace(starts=starts))
        most = _STATES
        for way in left:
            for start in way.starts:
                count = way.obstacles.exhaust(start, most, is_over)
                if not count:
                    self._plant(left)
                    return
                most -= count
        raise self._out_of_reach()


class _WorkSum:
    """Adds the work of one way to the work of the ways before it."""

    def __init__(self, work: BoundWork, number: int, count: int) -> None:
        self._work = work
        self._before = work.generated, work.expanded, work.helpers_cpu
        self._number, self._count = number, count
        self.own = BoundWork(None if work.tell is None else self._tell)

    def note(self) -> None:
        """Write the sums."""
        work, own = self._work, self.own
        generated, expanded, cpu = self._before
        work.generated = generated + own.generated
        work.expanded = expanded + own.expanded
        work.helpers_cpu = cpu + own.helpers_cpu
        work.share = (self._number + own.share) / self._count
        work.finished = own.finished

    def _tell(self) -> None:
        self.note()
        if self._work.tell is not None:
            self._work.tell()
