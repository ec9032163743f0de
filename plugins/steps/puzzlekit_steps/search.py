"""Solve a state step by step."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate
from time import process_time
from typing import TYPE_CHECKING, NamedTuple, cast

import attrs

from puzzlekit import (
    Limits,
    Move,
    NoSolutionError,
    Puzzle,
    PuzzlekitError,
    SearchOptions,
    Solver,
    UsageError,
)
from puzzlekit.puzzle.move import Effect, act, product
from puzzlekit.puzzle.symmetry import relabellings
from puzzlekit.search.budget import Budget
from puzzlekit.search.outcome import no_solution
from puzzlekit.search.strategies.candidate import merge
from puzzlekit_steps.goal import Condition, Goal, GoalCase, alternatives
from puzzlekit_steps.report import StepReport, StepSolution
from puzzlekit_steps.step_method import GoalStep, StepMethod

if TYPE_CHECKING:
    from puzzlekit.search.options import Choice

__all__ = ["StepSearch"]

MEMORY = 12_000_000  # bytes of the pruning tables of the goal of a step
MEMORY_OF_ONE = 2_500_000  # of each alternative; each set of used alternatives has other tables

_HELD = 8  # rotations, those with the shortest first steps, after which all steps are searched

_At = tuple[str, int]  # a step, and which time it is done


class _StepLine(NamedTuple):
    """The steps of an answer so far."""

    state: bytes
    #: The last step; None at the start.
    at: _At | None
    #: The conditions that hold after the steps.
    kept: tuple[Condition, ...]
    steps: tuple[StepReport, ...]
    #: The moves that are allowed in each step.
    allowed: tuple[Collection[Move], ...] = ()


class _Algorithm(NamedTuple):
    """An algorithm of a step, with the moves around it."""

    cost: int
    sequence: tuple[Move, ...]
    effect: Effect
    name: str


class StepSearch:
    """Solves states by one step method.

    Parameters
    ----------
    solver
        The solver of the puzzle.
    method
        The step method. Its goals, moves and algorithms are read at once.
    metric
        The name of the metric. Default: that of the method.
    together
        The number of steps that are searched together.
    """

    def __init__(
        self,
        solver: Solver,
        method: StepMethod,
        metric: str | None = None,
        together: int = 1,
    ) -> None:
        self.solver, self.method = solver, method
        self.puzzle: Puzzle = solver.puzzle
        self.metric = self.puzzle.metric(metric or method.metric or None)
        self.together = together
        self._goals: dict[object, tuple[Goal, tuple[GoalCase, ...]]] = {}
        self._libraries: dict[str, list[_Algorithm]] = {}
        self._held_after: dict[Effect, Effect] = {}
        for step in method.steps:
            try:
                solver.goal(step.goal)
                if step.moves:
                    solver.choose(self._options(cast(Goal, solver.goal(step.goal)), step))
                if step.algorithms:
                    self._libraries[step.name] = self._library(step)
            except PuzzlekitError as error:
                raise UsageError(f"step {step.name} of {method.name}: {error}") from None

    def solve(
        self, state: bytes, colours: str | None = None, limits: Limits | None = None
    ) -> StepSolution:
        """Return an answer to a state, in which each step is as short as possible.

        `colours` are rotations, such as "x2", or "any". The puzzle may be turned by them before the
        first step, so that the whole answer becomes shorter. Raises NoSolutionError if a step
        cannot be reached, or not within the timeout in `limits`, or if the search is cancelled.
        """
        begun = process_time()
        limits = limits or Limits()
        budget = Budget(Limits(timeout=limits.timeout, cancel=limits.cancel))
        starts = []
        for hold in [""] if colours is None else self._holds(colours):
            held = self.puzzle.apply(state, self.puzzle.moves(hold)) if hold else state
            try:
                first = self._next(_StepLine(held, None, (), ()), budget)
            except NoSolutionError as error:
                failure = error
                continue
            (step,) = first.steps
            starts.append(first._replace(steps=(attrs.evolve(step, hold=hold),)))
        starts.sort(key=lambda each: each.steps[0].length)
        best: tuple[int, tuple[Move, ...], _StepLine] | None = None
        for candidate in starts[:_HELD]:
            try:
                while [*self._groups(candidate.at)]:
                    candidate = self._next(candidate, budget)
            except NoSolutionError as error:
                failure = error
                continue
            merged = self._merged(candidate)
            sequence = tuple(move for own in merged for move in own)
            length = self.metric.total(sequence)
            if best is None or length < best[0]:
                best = length, sequence, candidate
                ends = tuple(accumulate(map(len, merged)))[1::2]
        if best is None:
            raise failure
        length, sequence, chosen = best
        self._verify(state, chosen.steps)
        return StepSolution(
            puzzle=self.puzzle.name,
            method=self.method,
            metric=self.metric.name,
            state=state,
            steps=chosen.steps,
            sequence=sequence,
            length=length,
            solved=self.puzzle.is_solved(chosen.state),
            cpu_seconds=process_time() - begun,
            ends=ends,
        )

    def _merged(self, line: _StepLine) -> list[tuple[Move, ...]]:
        """Return the rotations and moves of each step, merged to moves that the steps allow."""
        phases: list[Sequence[Move]] = []
        allowed: list[Collection[Move]] = []
        for step, own in zip(line.steps, line.allowed, strict=True):
            phases += [self.puzzle.moves(step.hold) if step.hold else (), step.sequence]
            allowed += [self.puzzle.family_moves(self.puzzle.rotations), own]
        return merge(self.puzzle, phases, allowed)

    def choices(self) -> Iterator[Choice]:
        """Yield the options of every search that an answer may need.

        There are many if steps have alternatives, because each set of used alternatives counts.
        """
        seen: set[tuple[_At, frozenset[Condition]]] = set()
        fresh: list[tuple[_At | None, tuple[Condition, ...]]] = [(None, ())]
        for at, kept in fresh:  # grows during the loop
            for group in self._groups(at):
                goal, cases = self._goal(group, kept)
                step = self.method.step(group[0][0])
                if step.name not in self._libraries:
                    yield self.solver.choose(self._options(goal, step))
                for case in cases:
                    after = kept if case.up_to or not step.keep else case.conditions
                    key = group[-1], frozenset(after)
                    if key not in seen:
                        seen.add(key)
                        fresh.append((group[-1], after))

    def _holds(self, colours: str) -> list[str]:
        """Return the rotations of `colours` after which the first step has different goals."""
        found: dict[str, None] = {}
        for group in self._groups(None):
            goal = attrs.evolve(self._goal(group, ())[0], colours=colours)
            found.update((each.after, None) for each in alternatives(self.puzzle, goal))
        return list(found)

    def _next(self, candidate: _StepLine, budget: Budget) -> _StepLine:
        """Return a candidate after one more step, the shortest of the steps that may follow."""
        options = []
        for group in self._groups(candidate.at):
            try:
                found = self._one(candidate.state, group, candidate.kept, budget)
                options.append((*found, group[-1]))
            except NoSolutionError as error:
                failure = error
        if not options:
            raise failure
        report, allowed, at = min(options, key=lambda each: each[0].length)
        passing = report.case.up_to or not self.method.step(at[0]).keep
        kept = candidate.kept if passing else report.case.conditions
        steps, moves = (*candidate.steps, report), (*candidate.allowed, allowed)
        return _StepLine(report.state, at, kept, steps, moves)

    def _groups(self, at: _At | None) -> Iterator[tuple[_At, ...]]:
        """Yield each sequence of steps that may follow, to be searched together."""
        begun: list[tuple[_At, ...]] = [(each,) for each in self.method.following(at)]
        for group in begun:  # grows during the loop
            longer = [
                (*group, each)
                for each in self.method.following(group[-1])
                if not self.method.step(each[0]).alone
            ]
            first = self.method.step(group[0][0])
            if len(group) < self.together and longer and not first.alone:
                begun += longer
            else:
                yield group

    def _goal(
        self, group: tuple[_At, ...], kept: tuple[Condition, ...]
    ) -> tuple[Goal, tuple[GoalCase, ...]]:
        """Return the goal of steps that are searched together, and its alternatives."""
        key = tuple(name for name, _ in group), frozenset(kept)
        if key not in self._goals:
            cases = {frozenset(kept): GoalCase(kept, "")}
            for name, _ in group:
                following = {}
                for known, before in cases.items():
                    for own in self.solver.goal(self.method.step(name).goal).cases:
                        added = tuple(each for each in own.conditions if each not in known)
                        if added:
                            conditions = before.conditions if not before.up_to else ()
                            whole = GoalCase((*conditions, *added), own.up_to)
                            following[frozenset(whole.conditions)] = whole
                cases = following
            every = tuple(cases.values())
            if not every:
                raise UsageError(
                    f"{self.method.name}: before step {group[-1][0]}, all alternatives of its goal "
                    "are used"
                )
            name = " + ".join(name for name, _ in group)
            if len(every) == 1:
                goal = Goal(name, "", *every[0])
            else:
                goal = Goal(name, any_of=tuple(Goal(name, "", *each) for each in every))
            self._goals[key] = goal, every
        return self._goals[key]

    def _options(self, goal: Goal, step: GoalStep) -> SearchOptions:
        single = len(self.solver.goal(step.goal).cases) == 1
        return SearchOptions(
            metric=self.metric,
            memory=MEMORY if single else MEMORY_OF_ONE,
            goal=goal,
            moves=step.moves or None,
        )

    def _one(
        self,
        state: bytes,
        group: tuple[_At, ...],
        kept: tuple[Condition, ...],
        budget: Budget,
    ) -> tuple[StepReport, Collection[Move]]:
        """Return the shortest way to the goal of a group, and the moves that are allowed."""
        if budget.is_cancelled:
            raise no_solution(budget.limits, self.metric, 0)
        goal, cases = self._goal(group, kept)
        step = self.method.step(group[0][0])
        optimal, nodes, algorithm = False, 0, ""
        if step.name in self._libraries:
            sequence, algorithm = self._looked_up(state, step, goal)
            optimal = not sequence
            allowed = self.puzzle.family_moves(self.puzzle.families)  # in any algorithm
        else:
            choice = self.solver.choose(self._options(goal, step))
            given = budget.timeout
            try:
                answer = self.solver.search(state, choice, budget.limits._replace(timeout=given))
            except NoSolutionError:
                if given is None or (budget.timeout or 0) > given / 4:
                    raise
                last = f" (searched last: {goal.name})"
                raise no_solution(budget.limits, self.metric, 0, reached=last) from None
            sequence, optimal, nodes = answer.sequence, answer.optimal, answer.nodes
            allowed = choice.method.allowed(self.puzzle)
        after = self.puzzle.apply(state, sequence)
        case = self._reached(after, cases)
        new = GoalCase(tuple(each for each in case.conditions if each not in kept), case.up_to)
        named = self.solver.catalogue.goals.get(step.goal)
        alone = len(group) == 1 and len(cases) == 1
        report = StepReport(
            name=goal.name,
            goal=named.words if named is not None and alone else new.words,
            hold="",
            sequence=sequence,
            length=self.metric.total(sequence),
            optimal=optimal,
            nodes=nodes,
            state=after,
            case=case,
            algorithm=algorithm,
        )
        return report, allowed

    def _seen(self, state: bytes) -> bytes:
        """Return a state with its pieces renamed so that the puzzle is held as usual."""
        return self.puzzle.relabel(state, self._holding(state))

    def _holding(self, state: bytes) -> Effect:
        """Return the renaming after which the puzzle is held as usual."""
        fixed = self.solver.method().fixed
        places = self.puzzle.bytes_at(fixed) if fixed else []
        found = relabellings(self.puzzle, state, places)
        return next((held for held, _ in found), self.puzzle.whole_rotations[0])

    def _reached(self, state: bytes, cases: Sequence[GoalCase]) -> GoalCase:
        """Return the alternative that holds in a state."""
        seen = self._seen(state)
        for case in cases:
            if case.test(self.puzzle)(seen):
                return case
        raise AssertionError(f"{self.method.name}: the moves of a step do not reach its goal")

    def _verify(self, state: bytes, found: Sequence[StepReport]) -> None:
        """Replay all steps, and test their goals."""
        for step in found:
            words = " ".join((step.hold, *step.moves))
            state = self.puzzle.apply(state, self.puzzle.moves(words) if words.strip() else ())
            self._reached(state, [step.case])

    def _library(self, step: GoalStep) -> list[_Algorithm]:
        """Return the algorithms of a step with the moves around them, the shortest first."""
        puzzle = self.puzzle
        turns: list[tuple[Move, ...]] = [()]
        turns += [(move,) for move in puzzle.family_moves([step.around] if step.around else [])]
        listed: list[tuple[Move, ...]] = [(), *(puzzle.moves(text) for text in step.algorithms)]
        names = ("", *(step.names or [""] * len(step.algorithms)))
        found: dict[Effect, _Algorithm] = {}
        for name, algorithm in zip(names, listed, strict=True):
            for before in turns:
                for after in turns if algorithm and step.around not in puzzle.rotations else [()]:
                    sequence = (*before, *algorithm, *after)
                    effect = product((move.effect for move in sequence), puzzle.modulus)
                    cost = self.metric.total(sequence)
                    if effect not in found or cost < found[effect].cost:
                        found[effect] = _Algorithm(cost, sequence, effect, name)
        for effect in found:
            self._held_after[effect] = self._holding(act(puzzle.solved, *effect, puzzle.modulus))
        return sorted(found.values(), key=lambda each: each.cost)

    def _looked_up(self, state: bytes, step: GoalStep, goal: Goal) -> tuple[tuple[Move, ...], str]:
        """Return the shortest algorithm that reaches a goal, and its name."""
        puzzle, seen = self.puzzle, self._seen(state)
        for _, sequence, effect, name in self._libraries[step.name]:
            after = act(seen, *effect, puzzle.modulus)
            # The solved puzzle is held alike after the sequence.
            if any(move.family in puzzle.rotations for move in sequence):
                after = puzzle.relabel(after, self._held_after[effect])
            if goal.reached(puzzle, after) is not None:
                return sequence, name
        raise NoSolutionError(f"step {step.name}: no algorithm of the step reaches its goal")
