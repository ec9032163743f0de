"""The methods, metrics, goals, step methods and rankings of a puzzle, found by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, count, islice
from threading import RLock
from typing import TYPE_CHECKING, Any, Protocol, cast

import attrs

from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.puzzle.move import Metric, Move
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.puzzle.services import needed
from puzzlekit.search.limits import Limits
from puzzlekit.search.method import Method
from puzzlekit.search.step_metric import StepMetric
from puzzlekit.search.strategies.candidate import Candidate
from puzzlekit.search.strategies.strategy import Strategy

if TYPE_CHECKING:
    from puzzlekit.puzzle.services import Goal

__all__ = ["Coordinates", "GoalSearch", "Route"]


class Route(Protocol):
    """A way to a state that takes the place of the solved one. A search finds a part of it."""

    @property
    def searched(self) -> bytes:
        """The state that the search solves."""

    def limits(self, limits: Limits, metric: Metric) -> Limits:
        """Return the limits of the search, with the `max_length` of the whole route."""

    def answers(self, strategy: Strategy, limits: Limits) -> Iterator[Candidate]:
        """Yield ever shorter answers for the whole route, within its `max_length`."""

    def whole(self, answer: Candidate, strategy: Strategy) -> Candidate:
        """Return the answer for the whole route, from an answer for the searched part."""


class GoalSearch(Protocol):
    """How goals are read and reached: the service "goals"."""

    def read(self, puzzle: Puzzle, text: str, named: Mapping[str, Goal]) -> Goal:
        """Return the goal that a text describes, with the help of the puzzle's named goals.

        Raises UsageError if the text cannot be read.
        """

    def solved(self, puzzle: Puzzle) -> Goal:
        """Return the goal that the whole puzzle is solved, however it is held."""

    def on_all_sides(self, puzzle: Puzzle, moves: Sequence[Move]) -> tuple[Move, ...]:
        """Return moves and their images after rotations of the whole puzzle."""

    def read_stickers(
        self,
        puzzle: Puzzle,
        text: str,
        scheme: str | None = None,
        order: str | None = None,
        symbols: Mapping[str, str] | None = None,
    ) -> Goal:
        """Return the goal that stickers describe. A dot stands for any sticker.

        `scheme` and `order` explain the stickers, as in `Positions.from_facelets`. `symbols` has
        the face of each symbol in the position from which the goal is to be reached. Raises
        UsageError or StateError if the stickers cannot be read.
        """

    def method(
        self,
        puzzle: Puzzle,
        goal: Goal,
        moves: Sequence[Move],
        fixed: Mapping[str, str],
        memory: int | None,
    ) -> Method:
        """Return a method that reaches a goal with some moves.

        `fixed` are places, by orbit, that show how the puzzle is held (see `Method.fixed`).
        `memory` is the most bytes for tables; None for the usual amount. Raises UsageError if the
        goal cannot be searched for.
        """

    def route(
        self,
        puzzle: Puzzle,
        state: bytes,
        target: bytes,
        metric: Metric,
        moves: Sequence[Move] | None,
        solutions: Callable[[bytes, float], Iterable[Sequence[Move]]] | None,
    ) -> Route:
        """Return a route from a state to a target.

        `moves` are the allowed moves; None if the search itself has to go from the state to the
        target. `solutions` yields moves that solve a state, found in a share of the time; None if
        all of the route has to be searched. Raises UsageError if there is no route.
        """


class Coordinates(Protocol):
    """How coordinates of methods are named and read: the service "coordinates"."""

    def values(self, puzzle: Puzzle, method: Method, state: bytes) -> Sequence[Any]:
        """Return the value of each coordinate of a method in a state.

        They are named tuples: `phase` and `name`, `value` (None if it has none until an earlier
        phase is done), `size` (the number of values), `solved` (the value in the solved state), and
        `tells` (the meaning).
        """

    def read(self, puzzle: Puzzle, method: Method, given: str | Mapping[str, int | None]) -> bytes:
        """Return the state with these values; see `Catalogue.from_coordinates`."""


def coordinates() -> Coordinates:
    """Return how coordinates are named and read. Raises UsageError if no plugin offers it."""
    return cast(Coordinates, needed("coordinates", "coordinates by name come"))


def goal_search() -> GoalSearch:
    """Return how goals are read and reached. Raises UsageError if no plugin offers it."""
    return cast(GoalSearch, needed("goals", "a search for a goal, or with other moves, comes"))


class Catalogue:
    """The methods, metrics, goals, step methods and rankings of a puzzle: `Solver.catalogue`.

    The parameters are those of `Solver`.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        methods: Sequence[Method] | Callable[[], Iterable[Method]],
        goals: Sequence[Goal] | Callable[[], Sequence[Goal]] = (),
        steps: Sequence[Any] | Callable[[], Sequence[Any]] = (),
        rankings: Sequence[Metric] | Callable[[], Sequence[Metric]] = (),
    ) -> None:
        if isinstance(methods, Method):
            raise DeclarationError(f"{puzzle.name}: methods have to be a list; write [method]")
        self.puzzle = puzzle
        self._stated_goals = goals
        self._stated_steps = steps
        self._stated_rankings = rankings
        self._stated_methods = methods
        self._made: list[Method] = []
        self._rest: Iterator[Method] | None = None  # makes the methods that are not made yet
        self._lock = RLock()
        if not callable(methods):
            self.methods = self._all()

    @cached_property
    def methods(self) -> tuple[Method, ...]:
        """The methods; the first one is the default."""
        return self._all()

    def _all(self) -> tuple[Method, ...]:
        methods = tuple(self._each())
        if not methods:
            raise DeclarationError(f"{self.puzzle.name} has no method")
        bounding = {each.name for each in methods if not each.strategy.proves}
        for each in methods:
            other = each.strategy.other_method()
            if other and other not in bounding:
                raise DeclarationError(
                    f"method {each.name}: the strategy uses the method {other!r}, but the puzzle "
                    "has no method of this name that proves nothing itself"
                )
        return methods

    def _each(self) -> Iterator[Method]:
        """Yield the methods. A generator of a plugin makes only those that are asked for."""
        for number in count():
            if number == len(self._made) and not self._make_next(number):
                return
            yield self._made[number]

    def _make_next(self, number: int) -> bool:
        """Make the method at a position, unless another thread has; False if there is none."""
        with self._lock:
            if number < len(self._made):
                return True
            try:
                if self._rest is None:
                    stated = self._stated_methods
                    self._rest = islice(stated() if callable(stated) else stated, number, None)
                for method in self._rest:
                    _check(self.puzzle, method)
                    self._made.append(method)
                    return True
            except BaseException:
                self._rest = None  # the next call tries again
                raise
        return False

    @cached_property
    def goals(self) -> dict[str, Goal]:
        """The named goals of the puzzle, by name.

        >>> import puzzlekit
        >>> puzzlekit.load("cube3").catalogue.goals["cross"]
        Goal('cross')
        """
        stated = self._stated_goals
        return {each.name: each for each in (stated() if callable(stated) else stated)}

    @cached_property
    def step_methods(self) -> dict[str, Any]:
        """The step methods of the puzzle, by name; the first one is the default.

        >>> import puzzlekit
        >>> [step.name for step in puzzlekit.load("cube3").catalogue.step_methods["cfop"].steps]
        ['cross', 'pair', 'oll', 'pll']
        """
        stated = self._stated_steps
        return {each.name: each for each in (stated() if callable(stated) else stated)}

    @cached_property
    def rankings(self) -> dict[str, Metric]:
        """All metrics by which answers can be sorted, by name.

        They are the metrics of the puzzle, and those that the plugin states only for sorting.

        >>> import puzzlekit
        >>> cube = puzzlekit.load("cube3")
        >>> cube.catalogue.rankings["ergonomic"].total(cube.puzzle.moves("R U R' U'"))
        8
        """
        stated = self._stated_rankings
        extra = stated() if callable(stated) else stated
        return {each.name: each for each in (*self.puzzle.metrics, *extra)}

    def ranking(self, name: str) -> Metric:
        """Return the metric of `rankings` with a name in upper or lower case.

        Raises a UsageError if there is no such metric.
        """
        for known, metric in self.rankings.items():
            if known.lower() == name.lower():
                return metric
        raise UsageError(
            f"answers of {self.puzzle.name} cannot be sorted by {name!r}: choose one of "
            f"{', '.join(self.rankings)}, or a .toml file"
        )

    def goal(self, goal: Goal | str, colours: str | None = None) -> Goal:
        """Return the goal that a text describes (see docs/goals.md).

        `colours` are rotations after which the goal counts, too; "any" for all of them. Raises
        UsageError if the text or the rotations cannot be read.

        >>> import puzzlekit
        >>> puzzlekit.load("cube3").goal("oriented:edges layer:D").words
        'edges oriented, layer:D solved'
        """
        from attrs import evolve

        if isinstance(goal, str):
            goal = goal_search().read(self.puzzle, goal, self.goals)
        if colours is not None:
            goal = cast("Goal", evolve(cast(Any, goal), colours=colours))
            goal.rotations(self.puzzle)  # reports names that are not rotations
        return goal

    def method(self, name: str | None = None) -> Method:
        """Return the method that is called `name`. Without a name, return the default method.

        The default method is the first method. If the engine is not compiled, methods that are
        marked `heavy` are skipped. Raises a UsageError for an unknown name.
        """
        if name is None:
            from puzzlekit.engine.fill import COMPILED

            light = (each for each in self._each() if not each.heavy or COMPILED)
            return next(light, None) or self.methods[0]
        for method in self._each():
            if method.name == name:
                return method
        if name == "universal":
            return self._universal
        known = ", ".join(method.name for method in self.methods)
        raise UsageError(f"{self.puzzle.name} has no method {name!r}; it has {known}")

    def default_method(self, metric: str | Metric | None = None) -> Method:
        """Return the default method for a search in a metric.

        It is `method()`. If that method does not support the metric, it is the first one that does.
        If no method does, it is `method()` again, and `metric` raises the error.

        >>> import puzzlekit
        >>> puzzlekit.load("supercube3").catalogue.default_method("QTM")
        Method('two-phase')
        """
        first = self.method()
        name = metric.name if isinstance(metric, Metric) else metric
        if name is None or not first.metrics:
            return first
        for method in chain((first,), self._each()):
            if name.upper() in [each.name.upper() for each in self.metrics(method.name)]:
                return method
        return first

    @cached_property
    def _universal(self) -> Method:
        from puzzlekit.search.universal import universal_method

        return universal_method(self.puzzle)

    @property
    def listing_method(self) -> str | None:
        """The first method that can list all solutions; None if no method can.

        Such a method has a single phase, and a strategy that searches coordinates.
        """
        able = (
            each.name
            for each in self._each()
            if len(each.phases) == 1 and each.strategy.needs_coordinates
        )
        return next(able, None)

    def to_coordinates(self, state: bytes, method: str | None = None) -> dict[str, int | None]:
        """Return the values of a method's coordinates in a state, by name.

        The value is None if a coordinate is not defined in the state.
        Raises a UsageError if no plugin names coordinates.
        """
        self.puzzle.apply(state, ())  # tests the number of bytes
        found = coordinates().values(self.puzzle, self.method(method), state)
        return {each.name: each.value for each in found}

    def from_coordinates(
        self, given: str | Mapping[str, int | None], method: str | None = None
    ) -> bytes:
        """Return the state with given coordinates, such as "permutation=12 orientation=3".

        In this state the pieces are renamed, so that every place that the method fixes is solved.
        Raises a StateError that names every impossible value, or every place that the coordinates
        do not determine, and a UsageError if no plugin names coordinates.
        """
        return coordinates().read(self.puzzle, self.method(method), given)

    def metrics(self, method: str | None = None) -> tuple[Metric, ...]:
        """Return the metrics of a method; the first one is the default."""
        names = self.method(method).metrics
        return tuple(map(self.puzzle.metric, names)) if names else self.puzzle.metrics

    def metric(self, method: str | None = None, metric: str | Metric | None = None) -> Metric:
        """Return the metric in which a method is to search.

        `metric` is a name in upper or lower case, a `Metric` object, or a `StepMetric` of your own.
        Without a `metric`, the result is the first metric that the method supports. Raises a
        UsageError if the method does not support the metric.
        """
        possible = self.metrics(method) or (self.puzzle.metric(),)
        if isinstance(metric, Metric) and not (metric.counts or metric in self.puzzle.metrics):
            self._check_own(self.method(method), metric)
            return metric
        named = possible[0] if metric is None else metric
        measure = named if isinstance(named, Metric) else self.puzzle.metric(named)
        if measure not in possible:
            known = ", ".join(each.name for each in possible)
            name = self.method(method).name
            raise UsageError(f"{name} does not search in {measure.name}, only in {known}")
        return measure

    def method_in(self, name: str, metric: Metric) -> Method:
        """Return a method as it is searched in a metric.

        Raises a UsageError if it cannot be.
        """
        method = self.method(name)
        if not isinstance(metric, StepMetric):
            return method
        able = method.strategy.takes_step_metrics or metric.name in method.metrics
        if able and not any(each.view for each in method.phases):
            return method
        strategy = metric.in_steps(method.strategy)
        if strategy is None:
            named = f"the {metric.kind} {metric.name}"
            raise UsageError(f"{name} of {self.puzzle.name} does not support {named}")
        own = self.metrics(name)[0]
        metrics, as_own = (own.name, metric.name), {metric.name: own}
        found = attrs.evolve(method, metrics=metrics, searched_as=as_own, profile="", larger=())
        return attrs.evolve(found, strategy=strategy)

    def _check_own(self, method: Method, metric: Metric) -> None:
        """Raise a UsageError if a method does not support a metric of the user."""
        if not isinstance(metric, StepMetric):
            raise UsageError(f"{metric.name} can only sort answers: search in another metric")
        if self.puzzle.restricted:
            raise UsageError(
                f"{self.puzzle.name} has no {metric.kind}s: its moves are not always possible"
            )
        metric.check(self.puzzle)
        self.method_in(method.name, metric)
        if metric.name.lower() in [each.name.lower() for each in self.puzzle.metrics]:
            raise UsageError(
                f"{self.puzzle.name} already has a metric {metric.name}: give the {metric.kind} "
                "another name"
            )


def _check(puzzle: Puzzle, method: Method) -> None:
    """Raise a DeclarationError if the puzzle cannot have a method."""
    if not isinstance(method, Method):
        raise DeclarationError(f"{puzzle.name}: {method!r} is not a Method")
    strategy = method.strategy
    if puzzle.guard is not None and not strategy.takes_guards:
        raise DeclarationError(
            f"method {method.name}: the moves of this puzzle are not always possible, so "
            f"the strategy must be Sequential, not {type(strategy).__name__}"
        )
    if (puzzle.forbidden or puzzle.blocks) and not strategy.takes_forbidden:
        raise DeclarationError(
            f"method {method.name}: pieces of this puzzle prevent some moves, so the strategy "
            f"must be ByShapes, not {type(strategy).__name__}, or one that takes forbidden places"
        )
