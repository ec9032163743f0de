"""Checks: their scope, their targets, their effort and their outcomes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from random import Random
from traceback import extract_tb
from types import ModuleType
from typing import NamedTuple, NoReturn
from unittest import SkipTest

import attrs

from puzzlekit import (
    Heuristic,
    Method,
    Metric,
    Move,
    Phase,
    Puzzle,
    PuzzleEntry,
    SearchOptions,
    load,
)
from puzzlekit.errors import PuzzlekitError, UsageError
from puzzlekit.plugins.manager import Plugin, PluginManager, manager
from puzzlekit.search.resolved import Plan
from puzzlekit.search.solver import Solver
from puzzlekit_events import Event

What = str | PuzzleEntry | ModuleType
# The scope of a check: a plugin, a puzzle of the plugin, a method of the puzzle, or a phase of the
# method. The number is the length of `Target.path`.
PLUGIN = 0
PUZZLE = 1
METHOD = 2
PHASE = 3
REGISTRY: list[DeclaredCheck] = []


class Effort(NamedTuple):
    """Sizes and limits of a check.

    `samples` is the number of random states or values. `values` is the most values of a coordinate
    that are checked one by one, and `entries` the most entries of a table. Automata are compared
    over about `states` states. A search ends after `nodes` nodes. If missing tables need more than
    `build` bytes, a check is skipped.
    """

    name: str
    samples: int
    values: int
    entries: int
    states: int
    nodes: int
    build: int


EFFORTS = {
    effort.name: effort
    for effort in (
        Effort("quick", 40, 1 << 17, 1 << 18, 2_000, 50_000, 32 << 20),
        Effort("normal", 200, 1 << 21, 1 << 22, 20_000, 300_000, 160 << 20),
        Effort("thorough", 2_000, 1 << 24, 1 << 26, 200_000, 5_000_000, 4 << 30),
    )
}


@attrs.frozen(eq=False)
class Subject:
    """A plugin, or one puzzle of a plugin. All checks of one run share the subject."""

    name: str
    #: Name of the plugin's module, "" if unknown.
    module: str
    entries: Sequence[PuzzleEntry]
    heuristics: Sequence[type[Heuristic]] = ()
    #: Why the plugin cannot be used.
    problem: str | None = None
    events: Sequence[Event] = ()
    #: Whether the plugin offers commands, strategies, services or readers of files.
    others: bool = False
    #: Failed checks, and checks skipped because of them: (title, path, title of the failed check).
    failed: list[tuple[str, tuple[str, ...], str]] = attrs.field(init=False, factory=list)
    _solvers: dict[str, Solver] = attrs.field(init=False, factory=dict)

    def solver(self, entry: PuzzleEntry) -> Solver:
        """Return the solver of an entry. It is made once."""
        if entry.name not in self._solvers:
            ours = [each for plugin in manager().plugins for each in plugin.entries or ()]
            if any(each is entry for each in ours):
                self._solvers[entry.name] = load(entry.name)
            else:
                puzzle = entry.puzzle()
                goals = entry.goals(puzzle) if entry.goals else ()
                rankings = entry.rankings(puzzle) if entry.rankings else ()
                self._solvers[entry.name] = Solver(
                    puzzle, tuple(entry.methods(puzzle)), goals=goals, rankings=rankings
                )
        return self._solvers[entry.name]

    def said(self, error: BaseException) -> str:
        """Describe an exception, with the line of the plugin where it was raised."""
        known = isinstance(error, PuzzlekitError)
        words = str(error) if known else f"{type(error).__name__}: {error}"
        package = self.module.partition(".")[0]
        lines = [
            f"{frame.filename}, line {frame.lineno}"
            for frame in extract_tb(error.__traceback__)
            if package and not known and package in frame.filename.replace("\\", "/").split("/")
        ]
        return f"{words} ({lines[-1]})" if lines else words


@attrs.frozen(slots=False, eq=False)
class Target:
    """The target of one check: a plugin, a puzzle, a method or a phase.

    `path` has the names of the puzzle, the method and the phase. `title` is the title of the check.
    """

    subject: Subject
    effort: Effort
    seed: int
    path: tuple[str, ...] = ()
    entry: PuzzleEntry | None = None
    title: str = ""

    @property
    def name(self) -> str:
        """The names of puzzle, method and phase, or the name of the plugin."""
        return "-".join(self.path) or f"plugin {self.subject.name}"

    def related(self, path: tuple[str, ...]) -> bool:
        """Whether the target at `path` is a part of this target, or contains this target."""
        shared = min(len(path), len(self.path))
        return path[:shared] == self.path[:shared]

    @cached_property
    def solver(self) -> Solver:
        """The puzzle with its methods."""
        assert self.entry is not None
        return self.subject.solver(self.entry)

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle."""
        return self.solver.puzzle

    @property
    def method(self) -> Method:
        """The method."""
        return self.solver.method(self.path[1])

    def plan(self, metric: Metric) -> Plan:
        """Return the plan of the method in one metric."""
        return self.solver.chooser.plan(self.method, metric)

    def search_options(
        self, method: Method | None = None, metric: Metric | None = None
    ) -> SearchOptions:
        """Return options for a search with the smallest tables of a method.

        Default: the method of this target.
        """
        method = method or self.method
        return SearchOptions(method.name, metric=metric, profile=method.profile or None)

    @property
    def phase(self) -> Phase:
        """The phase."""
        return next(each for each in self.method.phases if each.name == self.path[2])

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics of the method that it searches by the costs of single moves."""
        method = self.method
        return tuple(
            each
            for each in self.solver.catalogue.metrics(method.name)
            if each.counts and each.name not in method.searched_as
        )

    @cached_property
    def random(self) -> Random:
        """The random numbers of this check. They depend only on the check and the seed."""
        return Random(f"{self.seed} {self.name} {self.title}")

    @property
    def all_moves(self) -> tuple[Move, ...]:
        """Every move of the puzzle."""
        return self.puzzle.family_moves(self.puzzle.families)

    @property
    def turns(self) -> tuple[Move, ...]:
        """Every move that does not turn the whole puzzle."""
        return tuple(each for each in self.all_moves if each.family not in self.puzzle.rotations)

    def possible(self, moves: Sequence[Move], state: bytes) -> Sequence[Move]:
        """Return the moves that are possible in a state."""
        if self.puzzle.guarded is None:
            if not self.puzzle.restricted:
                return moves
            return [move for move in moves if not self.puzzle.obstacle(state, move)]
        at = self.puzzle.place_of_guard(state)
        return [
            move
            for move in moves
            if (move.cases[at] is not None if move.cases else move.guard_before == at)
        ]

    def walk(
        self, moves: Sequence[Move], length: int, state: bytes | None = None
    ) -> Iterator[tuple[Move, bytes]]:
        """Yield random moves from a state, each with the state after the move.

        The default state is the solved state. The walk ends early if no move is possible.
        """
        state = self.puzzle.solved if state is None else state
        for _ in range(length):
            possible = self.possible(moves, state)
            if not possible:
                return
            move = self.random.choice(possible)
            state = self.puzzle.apply(state, [move])
            yield move, state

    def states(self, moves: Sequence[Move], count: int) -> Iterator[bytes]:
        """Yield the solved state, then random states after 1 to 30 moves, in growing order."""
        yield self.puzzle.solved
        for number in range(1, count):
            path = list(self.walk(moves, 1 + number * 30 // count))
            if path:
                yield path[-1][1]


def subject_of(what: What) -> Subject:
    """Return the subject for the name of a plugin or puzzle, a `PuzzleEntry`, or a plugin module.

    Raise a UsageError that lists the puzzles and plugins if the name is unknown.
    """
    if isinstance(what, ModuleType):
        return _of_module(what)
    if isinstance(what, PuzzleEntry):
        module = getattr(what.puzzle, "__module__", "").partition(".")[0]
        known = hasattr(sys.modules.get(module), "puzzlekit_api")
        return Subject(what.name, module if known else "", (what,))
    for plugin in manager().plugins:
        if plugin.name == what:
            manager().events()
            return _of_plugin(plugin)
    try:
        entry = manager().entry(what)
    except UsageError as error:
        names = ", ".join(plugin.name for plugin in manager().plugins)
        raise UsageError(f"{error}; the plugins are {names or 'none'}") from None
    owner = next(
        plugin
        for plugin in manager().plugins
        if entry in (plugin.entries or ())
        or any(family.entry(entry.name) is not None for family in plugin.families)
    )
    manager().events()
    events = [event for event in owner.events if event.puzzle == entry.name]
    return Subject(entry.name, owner.module, (entry,), owner.heuristics, events=events)


def _of_plugin(plugin: Plugin) -> Subject:
    examples = (family.entry(family.example) for family in plugin.families)
    entries = [*(plugin.entries or ()), *(each for each in examples if each is not None)]
    others = (plugin.commands, plugin.strategies, plugin.services, plugin.readers, plugin.metrics)
    return Subject(
        plugin.name,
        plugin.module,
        entries,
        plugin.heuristics,
        plugin.problem,
        plugin.events,
        any(others),
    )


def _of_module(module: ModuleType) -> Subject:
    for plugin in manager().plugins:
        if plugin.module == module.__name__:
            return subject_of(plugin.name)
    name = module.__name__.removeprefix("puzzlekit_")
    apart = PluginManager()
    try:
        apart.register(module, name)
    except PuzzlekitError as error:
        return Subject(name, module.__name__, (), problem=str(error))
    apart.events()
    return _of_plugin(next(each for each in apart.plugins if each.name == name))


def is_importable(module: str) -> bool:
    """Whether another process can import the module by its name."""
    from importlib.util import find_spec

    try:
        spec = find_spec(module) if module else None
    except (ImportError, ValueError):  # made in this process, without a file
        return False
    return spec is not None and spec.origin is not None


Function = Callable[[Target], None]


class CheckFailed(AssertionError):
    """Raised if a check finds a fault. The message describes the fault to the plugin author."""


class CheckSkipped(SkipTest):
    """Raised if a check does not apply. The message gives the reason, and pytest skips the test."""


def fail(message: str) -> NoReturn:
    """Raise CheckFailed, which ends the check."""
    raise CheckFailed(message)


def skip(reason: str) -> NoReturn:
    """Raise CheckSkipped, which ends the check."""
    raise CheckSkipped(reason)


class DeclaredCheck(NamedTuple):
    """A function that checks something, with its title and scope, but without a target yet.

    `needs` has the titles of the checks that have to pass first.
    """

    title: str
    scope: int
    needs: tuple[str, ...]
    function: Function


def check(title: str, scope: int, needs: tuple[str, ...] = ()) -> Callable[[Function], Function]:
    """Return a decorator that adds a function to the list of checks.

    The decorated function calls `fail` if it finds a fault, and `skip` if the check does not apply.
    Any other exception is a failure, too. A check is skipped if one of the checks in `needs` has
    failed.
    """

    def add(function: Function) -> Function:
        known = {kind.title for kind in REGISTRY}
        assert title not in known and known.issuperset(needs), title
        REGISTRY.append(DeclaredCheck(title, scope, needs, function))
        return function

    return add


@attrs.frozen(eq=False, repr=False)
class Check:
    """One check of one target. Call the object to run the check.

    A call returns nothing if the check passes. It raises an AssertionError that describes a fault,
    or a `unittest.SkipTest` that says why the check does not apply. `str` gives the name of the
    target and the title of the check.

    >>> from puzzlekit_authoring import checks_of
    >>> check = checks_of("cube2", "quick")[5]
    >>> str(check)
    'cube2: it has moves'
    >>> check.about
    'There are moves. (A puzzle whose moves tear pieces apart cannot be made.)'
    >>> check()
    """

    kind: DeclaredCheck
    target: Target

    @property
    def name(self) -> str:
        """The name of the target, such as "rings-optimal-solve"."""
        return self.target.name

    @property
    def title(self) -> str:
        """The condition that has to hold."""
        return self.kind.title

    @property
    def about(self) -> str:
        """A sentence on what the check tests: the first line of its docstring."""
        return (self.kind.function.__doc__ or "").partition("\n")[0]

    def __str__(self) -> str:
        return f"{self.name}: {self.title}"

    __repr__ = __str__

    def __call__(self) -> None:
        """Run the check."""
        failed = self.target.subject.failed
        for title, path, root in failed:
            if title in self.kind.needs and self.target.related(path):
                failed.append((self.title, self.target.path, root))
                skip(f"it relies on another check that failed: {root}")
        target = attrs.evolve(self.target, title=self.title)
        try:
            self.kind.function(target)
        except SkipTest:
            raise
        except Exception as error:
            failed.append((self.title, self.target.path, self.title))
            if isinstance(error, CheckFailed):
                raise
            raise CheckFailed(self.target.subject.said(error)) from error
