"""Metrics as automata with costs: which step is possible, and its cost, depends on earlier steps.

In a plain `Metric` each move has a cost of its own. A `StepMetric` of a plugin has *steps* instead:
one move, or several simultaneous moves, that lead from one state of the metric to another at some
cost. The search asks for these steps in terms of the moves of a method, as the automaton `Steps`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import attrs

from puzzlekit.errors import UsageError
from puzzlekit.puzzle.move import Metric, Move, Step
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.search.phase import Phase

if TYPE_CHECKING:
    from puzzlekit.engine.automaton import Edge

__all__ = ["MethodSteps", "StepMetric", "Steps"]


class Steps(NamedTuple):
    """The moves of a phase in a metric of steps, as an automaton: see `engine.automaton`."""

    moves: tuple[Move, ...]
    #: For each state, its steps: (index of a move, next state, cost). Steps that do no move, such
    #: as a new grip, are joined with the steps that follow (`engine.automaton.reduced`).
    edges: list[list[Edge]]
    start: int

    @property
    def costs(self) -> list[int]:
        """The least cost of each move."""
        every = [edge for state in self.edges for edge in state]
        return [min(cost for m, _, cost in every if m == move) for move in range(len(self.moves))]

    @property
    def remembers(self) -> bool:
        """Whether the possible moves or their costs depend on earlier moves."""
        return len(self.edges) > 1

    def among(self, allowed: Sequence[Move]) -> Steps:
        """Return the automaton with only the allowed moves.

        A move that stands for several moves at once remains if all of them are allowed.
        """
        known = set(allowed)
        return self.only([move for move in self.moves if known.issuperset(move.parts or (move,))])

    def only(self, kept: Sequence[Move]) -> Steps:
        """Return the automaton with only the moves in `kept`, in this order.

        `kept` may list moves that the automaton does not have.
        """
        number = {move: i for i, move in enumerate(kept)}
        edges = [
            [(number[self.moves[m]], to, cost) for m, to, cost in state if self.moves[m] in number]
            for state in self.edges
        ]
        return Steps(tuple(kept), edges, self.start)


class MethodSteps(ABC):
    """The steps of a metric, expressed by the moves of a method."""

    @abstractmethod
    def steps(self, allowed: tuple[Move, ...]) -> Steps:
        """Return the automaton of the steps that do allowed moves of a method.

        A step that does several of these moves at once is also a move of the automaton.
        """

    @abstractmethod
    def done(self, parts: Sequence[Sequence[Move]]) -> list[tuple[Step, ...]]:
        """Return the cheapest steps that do the moves of an answer.

        `parts` has the moves of each part of the answer. The result has the steps of each part.
        """

    def check_reach(  # noqa: B027
        self, state: bytes, phases: Sequence[Phase], relabel: bool
    ) -> None:
        """Raise a NoSolutionError with the reason if no steps solve a state.

        The check should be fast, and may miss states. The default misses all of them.

        Parameters
        ----------
        state
            The state, as it is held.
        phases
            The phases of the method.
        relabel
            Whether the strategy relabels the pieces in further ways.
        """


@attrs.frozen(eq=False, repr=False, kw_only=True)
class StepMetric(Metric, ABC):
    """A metric whose costs depend on earlier moves: the interface that a plugin implements.

    A subclass also overrides `cost`, `total` and `steps` of `Metric`.
    """

    kind: ClassVar[str] = "step metric"
    counts: ClassVar[bool] = False
    weights: Mapping[str, int] = attrs.field(init=False, factory=dict)

    @property
    def barrier(self) -> str:
        """Why a phase may not begin with some step after the phase before, in words.

        Empty if a phase may begin with any step. Then a strategy can search one phase after the
        other.
        """
        return ""

    def can(self, moves: Sequence[Move]) -> bool:
        """Return whether some steps do the given moves in this order."""
        try:
            self.steps(moves)
        except UsageError:
            return False
        return True

    def in_steps(self, strategy: Any) -> Any:
        """Return a strategy that does the answers of another one in steps; None if there is none.

        A method that cannot search in the metric searches with it in the first metric of its own.
        """
        return None

    @abstractmethod
    def check(self, puzzle: Puzzle) -> None:
        """Raise UsageError if the metric does not fit a puzzle."""

    @abstractmethod
    def even(self, puzzle: Puzzle) -> StepMetric:
        """Return a metric with the same steps, or with more, in which every step costs 1."""

    @abstractmethod
    def of_method(self, puzzle: Puzzle, fixed: tuple[tuple[str, str], ...]) -> MethodSteps:
        """Return the steps, expressed by the moves of a method that assumes some places solved.

        `fixed` has pairs: the name of an orbit, and the names of the places.
        """
