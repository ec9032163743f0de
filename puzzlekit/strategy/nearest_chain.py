"""Search several ways to a goal together, bound by bound."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from puzzlekit.errors import DeclarationError, NoSolutionError, UsageError
from puzzlekit.phase.phase import Phase
from puzzlekit.prepare.assembled import Assembled, assemble
from puzzlekit.prepare.plan import Plan
from puzzlekit.puzzle.move import Move, invert
from puzzlekit.run.limits import Limits
from puzzlekit.strategy.bound_search import BoundSearch, BoundTask, BoundWork
from puzzlekit.strategy.bounds import Bounds
from puzzlekit.strategy.goal_way import GoalWay
from puzzlekit.strategy.prove_chain import ProveChain
from puzzlekit.strategy.tree_search import TreeSearch

if TYPE_CHECKING:
    from puzzlekit.goal.goal import Goal


class _WaySearch(NamedTuple):
    """The search of one way for one state, and the number of each move in the first phase."""

    tree: TreeSearch
    numbers: Sequence[int]


class NearestChain(ProveChain):
    """A method of one phase that searches several ways to its goal."""

    def __init__(self, plan: Plan, ways: Sequence[GoalWay], others: Sequence[Phase]) -> None:
        super().__init__(plan, 0, 1.0)
        assert plan.goal is not None
        self.goal: Goal = plan.goal
        every = [self.phases[0], *(assemble(plan, phase) for phase in others)]
        number = {move: i for i, move in enumerate(self.phases[0].moves)}
        costs = self.phases[0].costs
        self._ways = []
        for way in ways:
            phase = every[way.phase]
            numbers = [number[way.direction.back[move]] for move in phase.moves]
            if any(cost != costs[i] for i, cost in zip(numbers, phase.costs, strict=True)):
                raise UsageError(
                    f"{plan.metric.name} gives a move another cost after a rotation of the "
                    "whole puzzle, so the colours of a goal cannot be exchanged: choose "
                    "another metric"
                )
            undone = [invert(each, self.puzzle.modulus) for each in way.undone]
            self._ways.append((phase, way, undone, numbers))

    def bounds(self, state: bytes, limits: Limits) -> Bounds:
        """Return the bounds of a state over all ways."""
        puzzle = self.puzzle
        found = []
        for phase, way, undone, numbers in self._ways:
            seen = way.direction.see(puzzle, state)
            starts = dict.fromkeys(puzzle.recolour(seen, each) for each in undone)
            own = [
                start
                for start in starts
                if all(start[j] == value for j, value in way.still)
                and all(bytes(start[j] for j in places) in known for places, known in way.reached)
                and all(each.rank(start) in each.goals for each in way.lasting)
                and not any(bar(start) for bar in way.bars)
                and _is_ranked(phase, start)
            ]
            if own:
                found.append(_WaySearch(TreeSearch(puzzle, phase, own), numbers))
        if not found:
            error = NoSolutionError(
                f"the moves {' '.join(move.name for move in self.phases[0].moves)} do not reach "
                f"the goal {self.goal.name} from this state"
            )
            error.proven = True
            raise error
        search = _NearestSearch(found, partial(self._is_answer, state))
        return Bounds(search, self._growth, None, limits)

    def _is_answer(self, state: bytes, path: Sequence[int]) -> bool:
        moves: list[Move] = [self.phases[0].moves[i] for i in path]
        return self.goal.reached(self.puzzle, self.puzzle.apply(state, moves)) is not None


def _is_ranked(phase: Assembled, state: bytes) -> bool:
    """Whether the phase can rank a state. If not, no moves lead to its goal."""
    try:
        phase.inputs.ranks(state)
    except DeclarationError:
        return False
    return True


class _NearestSearch(BoundSearch):
    """Searches one bound in one way after the other."""

    def __init__(self, seen: Sequence[_WaySearch], fits: Callable[[Sequence[int]], bool]) -> None:
        self._seen = seen
        self._fits = fits
        self._estimates = [each.tree.estimate() for each in seen]

    def estimate(self) -> int:
        """Return the least estimate of all ways."""
        return min(self._estimates)

    def search(self, task: BoundTask, work: BoundWork) -> Iterator[list[int]]:
        """Yield answers that cost exactly the bound, as numbers of the moves of the first phase."""
        for i, (each, least) in enumerate(zip(self._seen, self._estimates, strict=True)):
            if least > task.bound:
                work.further = min(work.further, least)
                continue
            total = _WorkSum(work, i, len(self._seen))
            most = task.limits.max_nodes
            limits = task.limits._replace(max_nodes=None if most is None else most - work.generated)
            # Some answers of a phase may miss the goal, so the first one does not end the search.
            whole = task._replace(limits=limits, everything=True)
            for path in each.tree.search(whole, total.own):
                found = [each.numbers[move] for move in path]
                if self._fits(found):
                    total.note()
                    yield found
            total.note()
            work.further = min(work.further, total.own.further)
            if not work.finished:
                return
        work.finished = True


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
