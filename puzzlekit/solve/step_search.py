"""Solve a state step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import process_time
from typing import TYPE_CHECKING, Protocol

import attrs

from puzzlekit.errors import NoSolutionError, PuzzlekitError, UsageError
from puzzlekit.goal.condition import Condition
from puzzlekit.goal.goal import Goal, GoalCase
from puzzlekit.goal.step_method import GoalStep, StepMethod
from puzzlekit.puzzle.move import Effect, Move, act, product
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.run.limits import Limits
from puzzlekit.solve.choice import SearchOptions

if TYPE_CHECKING:
    from puzzlekit.method.method import Method
    from puzzlekit.solve.choice import Choice
    from puzzlekit.solve.solution import Solution

MEMORY = 12_000_000  # bytes of the pruning tables of the goal of a step
MEMORY_OF_ONE = 2_500_000  # of each alternative; each set of used alternatives has other tables

_At = tuple[str, int]  # a step, and which time it is done


class SteppingSolver(Protocol):
    """The attributes of `Solver` that solving in steps needs."""

    puzzle: Puzzle

    @property
    def goals(self) -> dict[str, Goal]:
        """The named goals."""

    def goal(self, goal: Goal | str, colours: str | None = None) -> Goal:
        """Return the goal that a text describes."""

    def method(self, name: str | None = None) -> Method:
        """Return the method of that name, or the default method."""

    def choose(self, options: SearchOptions | None = None) -> Choice:
        """Resolve the options of a search."""

    def search(self, state: bytes, choice: Choice, limits: Limits) -> Solution:
        """Solve a valid state."""


@attrs.frozen
class StepReport:
    """One step of an answer."""

    #: The name. Steps that are searched together have their names joined by " + ".
    name: str
    #: The goal in words, without what earlier steps solved.
    goal: str
    #: Rotations of the whole puzzle before the step, such as "x2"; usually empty.
    hold: str
    #: The moves.
    sequence: tuple[Move, ...]
    #: The cost of the moves in the metric.
    length: int
    #: Whether no shorter sequence of the allowed moves reaches the goal.
    optimal: bool
    #: The number of generated nodes.
    nodes: int
    #: The state after the step, with the puzzle held as then.
    state: bytes
    #: All conditions that hold after the step, up to some moves.
    case: GoalCase

    @property
    def moves(self) -> tuple[str, ...]:
        """The names of the moves."""
        return tuple(move.name for move in self.sequence)

    def grey(self, puzzle: Puzzle) -> frozenset[int]:
        """Return the facelets after the step whose pieces matter only for later steps."""
        from puzzlekit.picture.origins import origins
        from puzzlekit.puzzle.appearance import appearance

        look = appearance(puzzle)
        fixed = set(look.fixed)
        matter = {piece for each in self.case.conditions for piece in each.matters(puzzle)}
        shown = {
            facelet
            for pieces in look.orbits
            for home, place in enumerate(pieces.places)
            if pieces.orbit.name in puzzle.frames or (pieces.orbit, home) in matter
            for facelet in place
        }
        every = enumerate(origins(puzzle, self.state))
        return frozenset(i for i, home in every if home not in shown and i not in fixed)


@attrs.frozen
class StepSolution:
    """An answer of a step method. All steps were replayed and tested."""

    #: The name of the puzzle.
    puzzle: str
    #: The step method.
    method: StepMethod
    #: The name of the metric.
    metric: str
    #: The state that was solved.
    state: bytes
    #: The steps.
    steps: tuple[StepReport, ...]
    #: The cost of all moves in the metric. Moves of different steps are not merged.
    length: int
    #: Whether the whole puzzle is solved after the last step.
    solved: bool
    #: The CPU time in seconds, including the time to load or build tables.
    cpu_seconds: float

    def __str__(self) -> str:
        """The names of all moves and rotations, joined by blanks."""
        return " ".join(word for step in self.steps for word in (*step.hold.split(), *step.moves))


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
        solver: SteppingSolver,
        method: StepMethod,
        metric: str | None = None,
        together: int = 1,
    ) -> None:
        self.solver, self.method = solver, method
        self.puzzle: Puzzle = solver.puzzle
        self.metric = self.puzzle.metric(metric or method.metric or None)
        self.together = together
        self._goals: dict[object, tuple[Goal, tuple[GoalCase, ...]]] = {}
        self._libraries: dict[str, list[tuple[int, tuple[Move, ...], Effect]]] = {}
        self._held_after: dict[Effect, Effect] = {}
        for step in method.steps:
            try:
                solver.goal(step.goal)
                if step.moves:
                    solver.choose(self._options(solver.goal(step.goal), step, None))
                if step.algorithms:
                    self._libraries[step.name] = self._library(step)
            except PuzzlekitError as error:
                raise UsageError(f"step {step.name} of {method.name}: {error}") from None

    def solve(self, state: bytes, colours: str | None = None) -> StepSolution:
        """Return an answer to a state, in which each step is as short as possible.

        `colours` are rotations, such as "x2", or "any". The puzzle may be turned by them before the
        first step. Raises NoSolutionError if a step cannot be reached.
        """
        begun = process_time()
        start, at = state, None
        kept: tuple[Condition, ...] = ()
        found: list[StepReport] = []
        while groups := [*self._groups(at)]:
            options = []
            for group in groups:
                try:
                    report = self._one(state, group, kept, None if found else colours)
                    options.append((report, group[-1]))
                except NoSolutionError as error:
                    failure = error
            if not options:
                raise failure
            report, at = min(options, key=lambda each: each[0].length)
            found.append(report)
            state = report.state
            if not report.case.up_to:
                kept = report.case.conditions
        self._verify(start, found)
        return StepSolution(
            puzzle=self.puzzle.name,
            method=self.method,
            metric=self.metric.name,
            state=start,
            steps=tuple(found),
            length=sum(step.length for step in found),
            solved=self.puzzle.is_solved(state),
            cpu_seconds=process_time() - begun,
        )

    def _groups(self, at: _At | None) -> Iterator[tuple[_At, ...]]:
        """Yield each sequence of steps that may follow, to be searched together."""
        begun: list[tuple[_At, ...]] = [(each,) for each in self.method.following(at)]
        for group in begun:  # grows during the loop
            longer = [
                (*group, each)
                for each in self.method.following(group[-1])
                if not self.method.step(each[0]).algorithms
            ]
            first = self.method.step(group[0][0])
            if len(group) < self.together and longer and not first.algorithms:
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

    def _options(self, goal: Goal, step: GoalStep, colours: str | None) -> SearchOptions:
        single = len(self.solver.goal(step.goal).cases) == 1
        return SearchOptions(
            metric=self.metric,
            memory=MEMORY if single else MEMORY_OF_ONE,
            goal=goal,
            moves=step.moves or None,
            colours=colours,
        )

    def _one(
        self,
        state: bytes,
        group: tuple[_At, ...],
        kept: tuple[Condition, ...],
        colours: str | None,
    ) -> StepReport:
        """Return the shortest way to the goal of a group."""
        goal, cases = self._goal(group, kept)
        step = self.method.step(group[0][0])
        hold, optimal, nodes = "", False, 0
        if step.name in self._libraries:
            sequence = self._looked_up(state, step, goal)
            optimal = not sequence
        else:
            if colours is not None:
                choice = self.solver.choose(self._options(goal, step, colours))
                hold = self.solver.search(state, choice, Limits()).goal_after
                state = self.puzzle.apply(state, self.puzzle.moves(hold)) if hold else state
            choice = self.solver.choose(self._options(goal, step, None))
            answer = self.solver.search(state, choice, Limits())
            sequence, optimal, nodes = answer.sequence, answer.optimal, answer.nodes
        after = self.puzzle.apply(state, sequence)
        case = self._reached(after, cases)
        new = GoalCase(tuple(each for each in case.conditions if each not in kept), case.up_to)
        named = self.solver.goals.get(step.goal)
        alone = len(group) == 1 and len(cases) == 1
        return StepReport(
            name=goal.name,
            goal=named.words if named is not None and alone else new.words,
            hold=hold,
            sequence=sequence,
            length=self.metric.total(sequence),
            optimal=optimal,
            nodes=nodes,
            state=after,
            case=case,
        )

    def _seen(self, state: bytes) -> bytes:
        """Return a state with its pieces renamed so that the puzzle is held as usual."""
        return self.puzzle.recolour(state, self._holding(state))

    def _holding(self, state: bytes) -> Effect:
        """Return the renaming after which the puzzle is held as usual."""
        fixed = self.solver.method().fixed
        places = self.puzzle.bytes_at(fixed) if fixed else []
        for held in self.puzzle.holdings:
            seen = self.puzzle.recolour(state, held)
            if all(seen[j] == self.puzzle.solved[j] for j in places):
                return held
        return self.puzzle.holdings[0]

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

    def _library(self, step: GoalStep) -> list[tuple[int, tuple[Move, ...], Effect]]:
        """Return the algorithms of a step with the moves around them, the shortest first."""
        puzzle = self.puzzle
        turns: list[tuple[Move, ...]] = [()]
        turns += [(move,) for move in puzzle.family_moves([step.around] if step.around else [])]
        listed: list[tuple[Move, ...]] = [(), *(puzzle.moves(text) for text in step.algorithms)]
        found: dict[Effect, tuple[int, tuple[Move, ...], Effect]] = {}
        for algorithm in listed:
            for before in turns:
                for after in turns if algorithm and step.around not in puzzle.rotations else [()]:
                    sequence = (*before, *algorithm, *after)
                    effect = product((move.effect for move in sequence), puzzle.modulus)
                    cost = self.metric.total(sequence)
                    if effect not in found or cost < found[effect][0]:
                        found[effect] = cost, sequence, effect
        for effect in found:
            self._held_after[effect] = self._holding(act(puzzle.solved, *effect, puzzle.modulus))
        return sorted(found.values(), key=lambda each: each[0])

    def _looked_up(self, state: bytes, step: GoalStep, goal: Goal) -> tuple[Move, ...]:
        """Return the shortest algorithm that reaches a goal."""
        puzzle, seen = self.puzzle, self._seen(state)
        for _, sequence, effect in self._libraries[step.name]:
            after = act(seen, *effect, puzzle.modulus)
            # The solved puzzle is held alike after the sequence.
            if any(move.family in puzzle.rotations for move in sequence):
                after = puzzle.recolour(after, self._held_after[effect])
            if goal.reached(puzzle, after) is not None:
                return sequence
        raise NoSolutionError(f"step {step.name}: no algorithm of the step reaches its goal")
