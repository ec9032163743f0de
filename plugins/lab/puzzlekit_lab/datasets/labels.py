"""The bundled labels: the answer of a method, and the coordinates of a method."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from puzzlekit import Choice, Limits, NotationError, SearchOptions
from puzzlekit.search.named_coordinates import coordinate_values
from puzzlekit.search.scrambling import patiently
from puzzlekit_batch import DataColumn
from puzzlekit_lab.datasets.label import Label

if TYPE_CHECKING:
    from puzzlekit import Solution, Solver


@attrs.frozen
class MethodAnswer(Label):
    """The answer of a method.

    A method that proves its answers searches until the proof. Every other method searches a fixed
    number of nodes, so that the answer does not depend on the speed of the machine. If this number
    gives no answer, it searches four times as many, and so on.

    >>> str(MethodAnswer("two-phase"))
    'two-phase'
    """

    about = "the answer of the method METHOD"

    #: The name of the method.
    method: str
    #: The profile of tables; None for the largest profile in the cache.
    profile: str | None = attrs.field(default=None, kw_only=True)

    def __str__(self) -> str:
        """Return the name of the method."""
        return self.method

    def settled(self, solver: Solver, metric: str, profile: str | None) -> MethodAnswer:
        """Return the label with the name of its profile."""
        chosen = attrs.evolve(self, profile=profile).choice(solver, metric)
        return attrs.evolve(self, profile=chosen.method.profile or None)

    @property
    def constants(self) -> Mapping[str, Any]:
        """The profile."""
        return {"profile": self.profile or ""}

    def choice(self, solver: Solver, metric: str) -> Choice:
        """Return the search of the method."""
        return solver.choose(SearchOptions(self.method, metric=metric, profile=self.profile))

    def columns_for(self, solver: Solver) -> Sequence[DataColumn]:
        """Return the columns."""
        return (
            DataColumn("moves", "texts", "the moves that solve the state"),
            DataColumn("length", "integer", "the cost of the moves"),
            DataColumn("optimal", "truth", "whether the moves are a proven shortest solution"),
            DataColumn("profile", "text", "the profile of tables; empty if there is only one"),
        )

    def labelling(self, solver: Solver, metric: str) -> Callable[[bytes], Mapping[str, Any]]:
        """Load the tables, and return the function that solves a state."""
        choice = self.choice(solver, metric)
        solver.make_ready(choice)
        proves = choice.method.strategy.proves

        def label(state: bytes) -> Mapping[str, Any]:
            def search(nodes: int | None) -> Solution:
                return solver.search(state, choice, Limits(max_nodes=nodes))

            found = search(None) if proves else patiently(solver, search)
            return {
                "moves": list(found.moves),
                "length": found.cost,
                "optimal": found.optimal,
                "profile": found.profile,
            }

        return label

    def fault(self, solver: Solver, state: bytes, fields: Mapping[str, Any]) -> str:
        """Return what is wrong if the moves do not solve the state."""
        puzzle, moves = solver.puzzle, " ".join(fields["moves"])
        try:
            end = puzzle.apply(state, puzzle.moves(moves))
        except NotationError as error:
            return str(error)
        return "" if puzzle.is_solved(end) else f"{moves or 'no moves'} does not solve the state"


@attrs.frozen
class Coordinates(Label):
    """The values of the coordinates of a method. Each coordinate is a column.

    >>> str(Coordinates("two-phase"))
    'coordinates:two-phase'
    """

    word = "coordinates"
    about = "the values of the coordinates of a method; by default, of the default method"

    #: The name of the method; empty for the default method.
    method: str = ""

    def columns_for(self, solver: Solver) -> Sequence[DataColumn]:
        """Return a column for each coordinate."""
        method = solver.method(self.method or None)
        return [
            DataColumn(each.name, "integer", f"{each.tells}; a number below {each.size:,}")
            for each in coordinate_values(solver.puzzle, method, solver.puzzle.solved)
        ]

    def labelling(self, solver: Solver, metric: str) -> Callable[[bytes], Mapping[str, Any]]:
        """Return the function that gives the coordinates of a state."""
        return lambda state: solver.catalogue.to_coordinates(state, self.method or None)
