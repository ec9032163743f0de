"""The options of a search, resolved to a method, a metric and heuristics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from puzzlekit.errors import UsageError
from puzzlekit.puzzle.move import Metric, Move
from puzzlekit.search.catalogue import Catalogue
from puzzlekit.search.choice import Choice, SearchOptions
from puzzlekit.search.directions import on_all_sides
from puzzlekit.search.heuristic import Heuristic
from puzzlekit.search.heuristics import parse_heuristics
from puzzlekit.search.method import Method
from puzzlekit.search.plan import Plan
from puzzlekit.search.resolved import Resolver, is_machine
from puzzlekit.tables.store import TableStore

if TYPE_CHECKING:
    from puzzlekit.search.goals.goal import Goal

__all__ = ["allowed_moves"]

_GOALS_KEPT = 16  # methods for goals, by one solver


class Choosing(Catalogue):
    """A catalogue that resolves the options of a search. A `Solver` has all its methods."""

    #: The store of the tables, which the solver sets.
    store: TableStore

    @cached_property
    def _resolver(self) -> Resolver:
        return Resolver()

    @cached_property
    def _goal_methods(self) -> dict[tuple[object, ...], Method]:
        return {}

    @cached_property
    def _profiled(self) -> dict[tuple[str, Metric, str | None, int | None], Method]:
        return {}

    def plan(self, method: Method, metric: Metric, heuristics: Sequence[Heuristic] = ()) -> Plan:
        """Return the `Plan` of a method in one metric, with one heuristic for each phase.

        `heuristics` lists the heuristics. Default: max for all phases. All plans of a solver share
        prepared phases.
        """
        return method.plan(self.puzzle, metric, self.store, heuristics, self._resolver)

    def choose(self, options: SearchOptions | None = None) -> Choice:
        """Resolve the options of a search.

        Raises a UsageError if an option does not exist, or if two options contradict each other.

        >>> import puzzlekit
        >>> from puzzlekit import SearchOptions
        >>> choice = puzzlekit.load("cube3").choose(SearchOptions("optimal", metric="qtm"))
        >>> choice.method.name, choice.metric.name, choice.heuristics, choice.upper.method.name
        ('optimal', 'QTM', (Max(),), 'two-phase')
        """
        options = options or SearchOptions()
        if options.goal is not None or options.moves is not None:
            return self._choose_goal(options)
        if options.colours is not None:
            raise UsageError("colours are given without a goal")
        name, heuristic, given, profile, memory, *_ = options
        name = name or self.default_method(given).name
        metric = self.metric(name, given)
        method = self._with_tables(self.method(name), metric, profile, memory)
        upper = None
        if second := method.strategy.other_method():
            from puzzlekit.search.profiles import upper_profile

            other = self.method(second)
            fitting = upper_profile(self.plan, method, other, metric, memory)
            upper = self.choose(SearchOptions(other.name, metric=metric, profile=fitting))
        heuristics = parse_heuristics(method, heuristic)
        return Choice(method, metric, heuristics, upper, target=options.target)

    def _choose_goal(self, options: SearchOptions) -> Choice:
        """Resolve the options of a search for a goal. The method is derived."""
        from puzzlekit.search.goal_method import MEMORY, derive_goal

        for name in ("method", "profile"):
            if (value := getattr(options, name)) is not None:
                raise UsageError(
                    f"{name} {value} cannot be chosen, because the method for a goal or for "
                    "some moves is derived"
                )
        puzzle, given = self.puzzle, options.metric
        metric = given if isinstance(given, Metric) else puzzle.metric(given)
        if is_machine(metric):
            raise UsageError(f"{metric.name} is a machine: goals need another metric")
        key = options.goal, options.colours, options.moves, options.memory, metric
        method = self._goal_methods.get(key)
        if method is None:
            moves = allowed_moves(self, options.moves, metric)
            fixed = self._fixed(moves)
            goal = self.goal(options.goal or self._solved_goal(), options.colours)
            if goal.as_held:
                fixed = {}
                moves = moves if options.moves else on_all_sides(puzzle, moves)
            memory = options.memory or MEMORY
            method = derive_goal(puzzle, goal, moves, fixed=fixed, memory=memory)
            self._goal_methods[key] = method
            while len(self._goal_methods) > _GOALS_KEPT:
                del self._goal_methods[next(iter(self._goal_methods))]
        heuristics = parse_heuristics(method, options.heuristic)
        return Choice(method, metric, heuristics, target=options.target)

    def _fixed(self, moves: Sequence[Move]) -> Mapping[str, str]:
        """Return the places that show how the puzzle is held in a search with these moves."""
        puzzle = self.puzzle
        fixed = self.method().fixed
        changed = {j for move in moves for j in move.changed}
        if fixed and changed.isdisjoint(puzzle.bytes_at(fixed)):
            return fixed
        return {name: " ".join(puzzle.orbit(name).places) for name in puzzle.frames}

    def _solved_goal(self) -> Goal:
        """Return the goal that the whole puzzle is solved, in any holding."""
        from puzzlekit.search.goals.conditions import Solved
        from puzzlekit.search.goals.goal import Goal

        every = Solved(" ".join(orbit.name for orbit in self.puzzle.orbits))
        turns = " ".join(self.puzzle.rotations)
        return Goal("solved", "the puzzle is solved", (every,), turns)

    def _with_tables(
        self, method: Method, metric: Metric, profile: str | None, memory: int | None
    ) -> Method:
        """A method with the tables that `profile` or `memory` chooses."""
        if not method.larger and profile is None and memory is None:
            return method
        from puzzlekit.search.profiles import choose_profile

        asked = (method.name, metric, profile, memory)
        if asked not in self._profiled:
            second = method.strategy.other_method()
            other = self.method(second) if second else None
            self._profiled[asked] = choose_profile(
                self.plan, method, metric, self.store, profile, memory, other
            )
        return self._profiled[asked]

    def choose_listing(self, options: SearchOptions) -> Choice:
        """Resolve options as `choose` does, for a method that can list all solutions.

        The default is `listing_method`. Raises a UsageError if the chosen method has several
        phases, or if every method of the puzzle has several phases.
        """
        if options.goal is not None or options.moves is not None:
            return self.choose(options)
        able = self.listing_method
        if able is None:
            raise UsageError(f"{self.puzzle.name} has no method that finds all solutions")
        name = options.method or able
        if len(self.method(name).phases) > 1:
            raise UsageError(f"{name} has several phases and cannot find all solutions; {able} can")
        return self.choose(options._replace(method=name))


def allowed_moves(catalogue: Catalogue, text: str | None, metric: Metric) -> tuple[Move, ...]:
    """Return the moves in a text; by default the moves of the phase with the most moves.

    This is a phase of the default method. Raises UsageError if there are no moves, or if a move
    costs nothing in the metric.
    """
    puzzle = catalogue.puzzle
    if text is None:
        phases = [phase for phase in catalogue.method().phases if phase.view is None]
        listed = max((phase.allowed(puzzle) for phase in phases), key=len)
    else:
        found: dict[Move, None] = {}
        for name in text.replace(",", " ").split():
            found.update((move, None) for move in puzzle.turns_of(name))
        listed = tuple(found)
    if not listed:
        raise UsageError("no moves are given")
    for move in listed:
        if metric.cost(move) < 1:
            raise UsageError(
                f"{move.name} costs nothing in {metric.name}: leave out this move, or choose "
                "another metric"
            )
    return listed
