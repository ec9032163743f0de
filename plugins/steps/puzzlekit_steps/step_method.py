"""Step methods: goals that people reach one after the other."""

from __future__ import annotations

import attrs

from puzzlekit.errors import DeclarationError

__all__ = ["GoalStep", "StepBeam", "StepMethod"]


_MOST_TIMES = 100


@attrs.frozen
class GoalStep:
    """A step of a `StepMethod`: a goal, and how to reach it.

    >>> GoalStep("cross", "cross").times
    1
    """

    #: The name of the step.
    name: str
    #: The goal, as text for `--goal`. Later steps keep what a step solved, so the text only has
    #: to state what is new. If it has alternatives, each one can be used once.
    goal: str
    #: The allowed moves, such as "R,U". Default: the moves of the puzzle's default method.
    moves: str = ""
    #: The number of times that the step is done.
    times: int = 1
    #: The names of the steps that may follow; None for the next step in the list. The shortest
    #: continuation is used. An empty tuple ends the method.
    then: tuple[str, ...] | None = None
    #: Sequences of moves from which the answer is chosen instead of a search.
    algorithms: tuple[str, ...] = ()
    #: The names of the algorithms, such as "OLL: Sune", in the same order; empty for none.
    names: tuple[str, ...] = ()
    #: A move, such as "U", that may be done before and after an algorithm.
    around: str = ""
    #: Whether later steps keep what the step solved.
    keep: bool = True
    #: In a beam: rotations, such as "z", by which the puzzle may be turned before the step; "any"
    #: for all rotations.
    turns: str = ""

    @property
    def alone(self) -> bool:
        """Whether the step is never searched together with other steps."""
        return bool(self.algorithms) or not self.keep


@attrs.frozen
class StepBeam:
    """Keep many candidates of each step, and look for the shortest whole answer.

    >>> StepBeam().kept
    (1000, 20000)
    """

    #: The number of candidates that are kept after each step but the last two. After the step
    #: before the last one, all candidates are kept that may give a shorter answer.
    kept: tuple[int, ...] = (1_000, 20_000)
    #: Whether each step may be done on the inverse of the state. In the field, this is called NISS.
    inverse: bool = True


@attrs.frozen
class StepMethod:
    """A method that consists of steps.

    >>> StepMethod("easy", "", (GoalStep("all", "layer:D"),)).following(None)
    (('all', 1),)
    """

    #: The name in `--method`.
    name: str
    #: The title for people.
    title: str
    #: The steps. The first step is the start.
    steps: tuple[GoalStep, ...]
    #: The name of the metric; empty for the default metric of the puzzle.
    metric: str = ""
    #: Search all steps together by a beam. None: search one step after the other, each one as short
    #: as possible.
    beam: StepBeam | None = None
    #: Other names in lower case, which messages understand.
    also: tuple[str, ...] = ()

    def __attrs_post_init__(self) -> None:
        if not self.steps:
            raise DeclarationError(f"step method {self.name}: there are no steps")
        names = [step.name for step in self.steps]
        for step in self.steps:
            where = f"step method {self.name}, step {step.name}"
            if names.count(step.name) > 1:
                raise DeclarationError(f"{where}: two steps have this name")
            if not 1 <= step.times <= _MOST_TIMES:
                raise DeclarationError(f"{where}: times must be from 1 to {_MOST_TIMES}")
            if step.names and len(step.names) != len(step.algorithms):
                raise DeclarationError(
                    f"{where}: {len(step.names)} names for {len(step.algorithms)} algorithms"
                )
            if step.around and not step.algorithms:
                raise DeclarationError(f"{where}: around needs algorithms")
            if step.turns and self.beam is None:
                raise DeclarationError(f"{where}: turns need a beam")
            if step.moves and step.algorithms:
                raise DeclarationError(f"{where}: moves and algorithms cannot be combined")
            for other in step.then or ():
                if other not in names:
                    raise DeclarationError(f"{where}: there is no step {other!r} that could follow")
        self._check_end((self.steps[0].name, 1), ())
        if self.beam is not None:
            self._check_beam(self.beam)

    def _check_beam(self, beam: StepBeam) -> None:
        """Raise DeclarationError if a beam cannot search the steps."""
        where = f"step method {self.name}"
        for step in self.steps:
            if step.times > 1 or step.then is not None or step.algorithms or not step.keep:
                raise DeclarationError(
                    f"{where}, step {step.name}: times, then, algorithms and keep are impossible "
                    "in a beam"
                )
        if len(self.steps) < 2 or self.steps[-1].turns:
            raise DeclarationError(f"{where}: a beam needs two steps, the last one without turns")
        if len(beam.kept) != max(1, len(self.steps) - 2) or min(beam.kept) < 1:
            raise DeclarationError(
                f"{where}: kept needs a number of at least 1 for each step but the last two"
            )

    def _check_end(self, at: tuple[str, int], before: tuple[tuple[str, int], ...]) -> None:
        """Raise DeclarationError if steps follow each other in a circle."""
        if at in before:
            raise DeclarationError(
                f"step method {self.name}: step {at[0]} follows itself; use times to repeat a step"
            )
        for after in self.following(at):
            self._check_end(after, (*before, at))

    def step(self, name: str) -> GoalStep:
        """Return the step with a name."""
        return next(step for step in self.steps if step.name == name)

    def following(self, at: tuple[str, int] | None) -> tuple[tuple[str, int], ...]:
        """Return the steps that may follow a step: pairs of its name and which time it is.

        `at` is None at the start. The result is empty at the end.
        """
        if at is None:
            return ((self.steps[0].name, 1),)
        name, time = at
        step = self.step(name)
        if time < step.times:
            return ((name, time + 1),)
        if step.then is not None:
            return tuple((each, 1) for each in step.then)
        number = self.steps.index(step) + 1
        return tuple((each.name, 1) for each in self.steps[number : number + 1])
