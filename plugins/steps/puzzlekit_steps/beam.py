"""Solve a state in steps, with many candidates of each step, also on the inverse."""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time
from typing import TYPE_CHECKING, NamedTuple

import attrs

from puzzlekit import (
    Limits,
    Metric,
    Move,
    Puzzle,
    PuzzlekitError,
    SearchOptions,
    Solver,
    UsageError,
)
from puzzlekit.engine.statuses import EXHAUSTED
from puzzlekit.puzzle.move import Effect, compose, invert
from puzzlekit.search.budget import Budget
from puzzlekit.search.directions import Direction, are_undone
from puzzlekit.search.outcome import no_solution
from puzzlekit.search.strategies.candidate import merge
from puzzlekit.search.strategies.strategy import ANY_LENGTH
from puzzlekit_beam.phases import MOST_KEPT, BeamWay, Turning
from puzzlekit_steps.goal import Condition, Goal, GoalCase, alternatives, rotation_names
from puzzlekit_steps.report import StepReport, StepSolution
from puzzlekit_steps.sides import seen_after
from puzzlekit_steps.step_method import GoalStep, StepMethod

if TYPE_CHECKING:
    from puzzlekit.search.compiled_phase import CompiledPhase
    from puzzlekit_beam.engine.stages import Stage

MEMORY = 12_000_000  # bytes of the pruning tables of the goal of a step
_TURN = 100_000  # nodes between two looks at the clock
_FIRST_ROUND = 20  # the first round keeps this many times fewer candidates, for a quick answer
_GROWTH = 5  # each later round keeps this many times more candidates than the round before
_NODES = 1000  # that the last search of a round may generate for each candidate


class _Level(NamedTuple):
    """A step, ready to search."""

    step: GoalStep
    goal: Goal
    #: The conditions that the step adds.
    added: GoalCase
    way: BeamWay


class _Done(NamedTuple):
    """A step of an answer."""

    turning: int
    moves: tuple[Move, ...]


class StepBeamSearch:
    """Solves states by a step method with a beam.

    Parameters
    ----------
    solver
        The solver of the puzzle.
    method
        The step method. Its goals and moves are read at once, and its tables are made.
    metric
        The name of the metric. Default: that of the method.
    """

    def __init__(self, solver: Solver, method: StepMethod, metric: str | None = None) -> None:
        self.solver, self.method = solver, method
        self.puzzle: Puzzle = solver.puzzle
        self.metric: Metric = self.puzzle.metric(metric or method.metric or None)
        self._moves: tuple[Move, ...] = ()
        self._levels: list[_Level] = []
        kept: tuple[Condition, ...] = ()
        for step in method.steps:
            try:
                self._levels.append(self._level(step, kept))
            except PuzzlekitError as error:
                raise UsageError(f"step {step.name} of {method.name}: {error}") from None
            kept = self._levels[-1].goal.conditions

    def _level(self, step: GoalStep, kept: tuple[Condition, ...]) -> _Level:
        cases = self.solver.goal(step.goal).cases
        if len(cases) > 1 or cases[0].up_to:
            raise UsageError("in a beam, a goal has neither alternatives nor up-to")
        added = tuple(each for each in cases[0].conditions if each not in kept)
        goal = Goal(step.name, "", (*kept, *added))
        options = SearchOptions(
            metric=self.metric, memory=MEMORY, goal=goal, moves=step.moves or None
        )
        chain = self.solver.make_ready(self.solver.choose(options))
        (phase,) = chain.phases
        if not self._levels:
            self._first, self._moves = chain, phase.moves
        if not set(phase.moves) <= set(self._moves):
            raise UsageError("in a beam, the first step must have all moves of this step")
        turned = alternatives(self.puzzle, attrs.evolve(goal, colours=step.turns))
        for each in turned:
            if not all(condition.is_kept(self.puzzle, each.rotation) for condition in kept):
                raise UsageError(f"after {each.after}, earlier steps would have other goals")
        found = seen_after(self.puzzle, self._moves, [each.rotation for each in turned])
        ways = [each for each in found if each is not None and {*each.back} == {*self._moves}]
        if len(ways) < len(turned):
            raise UsageError(f"after {step.turns}, the first step does not have all moves")
        if self._is_inverted(step, phase):
            ways += [each._replace(inverted=True) for each in ways]
        turnings = [Turning(each.rotation, each) for each in ways]
        return _Level(step, goal, GoalCase(added, ""), BeamWay(self.puzzle, phase, turnings))

    def _is_inverted(self, step: GoalStep, phase: CompiledPhase) -> bool:
        """Whether a step is also done on the inverse. The last step reaches the same either way."""
        assert self.method.beam is not None
        if not self.method.beam.inverse or step is self.method.steps[-1]:
            return False
        if not self.puzzle.invertible:
            raise UsageError(
                f"{self.puzzle.name} has pieces that are alike, so its states have no inverse: "
                "write inverse = false"
            )
        if not are_undone(self.puzzle, phase.moves, phase.costs):
            raise UsageError(
                "a step is also done on the inverse of the state, so each move needs its inverse "
                "among the moves: write inverse = false"
            )
        return True

    def solve(
        self, state: bytes, colours: str | None = None, limits: Limits | None = None
    ) -> StepSolution:
        """Return the shortest answer to a state that is found.

        Without a timeout in `limits`, the search is the same every time. Raises NoSolutionError if
        no answer is found.
        """
        begun = process_time()
        if colours is not None:
            raise UsageError(f"{self.method.name} states by itself how to turn the puzzle")
        limits = limits or Limits()
        found = _BeamRun(self, self.normal(state), limits)
        best = found.search()
        if best is None:
            raise no_solution(limits, self.metric, 0)
        sequence = self.joined(best)
        return StepSolution(
            puzzle=self.puzzle.name,
            method=self.method,
            metric=self.metric.name,
            state=state,
            steps=tuple(self._reports(state, best, found.nodes)),
            sequence=sequence,
            length=self.metric.total(sequence),
            solved=self.puzzle.is_solved(self.puzzle.apply(state, sequence)),
            cpu_seconds=process_time() - begun,
        )

    @property
    def levels(self) -> Sequence[_Level]:
        """The steps."""
        return self._levels

    def normal(self, state: bytes) -> bytes:
        """Return a state with its pieces renamed so that the puzzle is held as usual."""
        return self._first.normal(state)

    def _direction(self, number: int, done: _Done) -> Direction:
        return self._levels[number].way.turnings[done.turning].direction

    def joined(self, steps: Sequence[_Done]) -> tuple[Move, ...]:
        """Return the moves of an answer on the state, with moves that cancel or join merged."""
        normal: tuple[Move, ...] = ()
        inverse: tuple[Move, ...] = ()
        for number, done in reversed([*enumerate(steps)]):
            direction = self._direction(number, done)
            normal = tuple(direction.back[move] for move in (*done.moves, *normal))
            inverse = tuple(direction.back[move] for move in inverse)
            if direction.inverted:
                normal, inverse = inverse, normal
        moves = (*normal, *self.puzzle.undo(inverse))
        return merge(self.puzzle, [moves], [self._moves])[0]

    def is_answer(self, state: bytes, steps: Sequence[_Done]) -> bool:
        """Replay an answer, and test whether each step reaches its goal."""
        seen = state
        for number, done in enumerate(steps):
            seen = self._direction(number, done).see(self.puzzle, seen)
            seen = self.puzzle.apply(seen, done.moves)
            if self._levels[number].goal.reached(self.puzzle, seen) is None:
                return False
        return True

    def _reports(
        self, state: bytes, steps: Sequence[_Done], nodes: Sequence[int]
    ) -> list[StepReport]:
        """Return the steps as a person does them: without turning the puzzle."""
        puzzle = self.puzzle
        names = rotation_names(puzzle)
        normal = self.normal(state)
        renaming = next(each for each in names if puzzle.relabel(state, each) == normal)
        as_given = invert(renaming, puzzle.modulus)
        backs: list[dict[Move, Move]] = []
        held: Effect = puzzle.whole_rotations[0]
        on_inverse = False
        reports = []
        for number, (level, done) in enumerate(zip(self._levels, steps, strict=True)):
            direction = self._direction(number, done)
            backs.append(direction.back)
            held = compose(direction.unrotation, held, puzzle.modulus)
            on_inverse ^= direction.inverted
            moves = done.moves
            for back in reversed(backs):
                moves = tuple(back[move] for move in moves)
            if on_inverse:
                normal = puzzle.invert(puzzle.apply(puzzle.invert(normal), moves))
            else:
                normal = puzzle.apply(normal, moves)
            named = self.solver.catalogue.goals.get(level.step.goal)
            reports.append(
                StepReport(
                    name=level.step.name,
                    goal=named.words if named is not None else level.added.words,
                    hold="",
                    sequence=moves,
                    length=self.metric.total(moves),
                    optimal=False,
                    nodes=nodes[number],
                    state=puzzle.relabel(normal, as_given),
                    case=GoalCase(level.goal.conditions, ""),
                    inverse=on_inverse,
                    after=names[held],
                )
            )
        return reports


class _BeamRun:
    """The search for one state: rounds that keep more and more candidates."""

    def __init__(self, search: StepBeamSearch, state: bytes, limits: Limits) -> None:
        self._search = search
        self._levels = search.levels
        self._state = state
        self._starts = [
            turning.direction.see(search.puzzle, state) for turning in search.levels[0].way.turnings
        ]
        self._timed = limits.timeout is not None
        self._budget = Budget(limits)
        self._stages: list[Stage] = []
        self._best: list[_Done] | None = None
        self._limit = ANY_LENGTH
        #: The number of generated nodes of each step.
        self.nodes = [0] * len(self._levels)

    def search(self) -> list[_Done] | None:
        """Return the best answer; None without one."""
        beam = self._search.method.beam
        assert beam is not None
        kept = [max(1, width // _FIRST_ROUND) for width in beam.kept]
        while True:
            self._round(kept)
            done = not self._timed and kept[-1] >= beam.kept[-1]
            if done or self._is_over or self._limit < 0 or min(kept) >= MOST_KEPT:
                return self._best
            if kept[-1] < beam.kept[-1]:
                kept = [*beam.kept]
            else:
                kept = [min(_GROWTH * width, MOST_KEPT) for width in kept]

    @property
    def _is_over(self) -> bool:
        late = self._best is not None and self._budget.left <= 0
        return self._budget.is_cancelled or late

    def _round(self, kept: Sequence[int]) -> None:
        levels = self._levels
        self._stages = []
        for number, level in enumerate(levels[:-1]):
            most = kept[number] if number < len(levels) - 2 else MOST_KEPT
            stage = level.way.stage(levels[number + 1].way, self._limit, most)
            if number:
                level.way.enter(stage, self._stages[-1:])
            else:
                stage.add_states(self._starts, [0] * len(self._starts))
            self._stages.append(stage)
            last = number == len(levels) - 2
            nodes = _NODES * kept[-1]
            seen, status = 0, None
            while status != EXHAUSTED and not self._is_over and not (last and stage.work > nodes):
                status = stage.run(_TURN)
                if last:
                    for end in range(seen, stage.count):
                        if stage.rating(end) <= self._limit:
                            self._finish(stage, end)
                    seen = stage.count
            self.nodes[number] += stage.nodes[0]

    def _finish(self, stage: Stage, end: int) -> None:
        """Do the last step after an end of the step before."""
        way = self._levels[-1].way
        final = way.stage(None, self._limit, 1)
        way.enter(final, [stage], (end, ANY_LENGTH))
        while final.run(_TURN) != EXHAUSTED and not final.count and not self._is_over:
            pass
        self.nodes[-1] += final.nodes[0]
        if not final.count:
            return
        stages = [*self._stages, final]
        found: list[_Done] = []
        number = 0
        for level, own in reversed([*zip(self._levels, stages, strict=True)]):
            _, _, origin, tag, path = own.end(number)
            # The tag of a start of the first step is its number among the starts.
            turning = origin if own is stages[0] else tag
            moves = tuple(level.way.phase.moves[move] for move in path)
            found.insert(0, _Done(turning, moves))
            number = origin
        length = self._search.metric.total(self._search.joined(found))
        if length <= self._limit and self._search.is_answer(self._state, found):
            self._best, self._limit = found, length - 1
            stage.tighten(self._limit)
