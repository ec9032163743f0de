"""The options of a search: as names, resolved to objects, and the tables that they need."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from typing import TYPE_CHECKING, NamedTuple, Self, TypedDict

import attrs

from puzzlekit.amounts import check_kind
from puzzlekit.engine.inputs import TableInput
from puzzlekit.errors import UsageError, did_you_mean
from puzzlekit.puzzle.move import Given, Metric, Move
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.search.catalogue import Catalogue, goal_search
from puzzlekit.search.estimates import fixed_radix, group_radix, heuristics, join_radix, joined_key
from puzzlekit.search.heuristic import Heuristic
from puzzlekit.search.method import Method
from puzzlekit.search.phase import Phase
from puzzlekit.search.resolved import Plan, Resolver
from puzzlekit.tables.store import TableStore
from puzzlekit.tables.table import TableSpec

if TYPE_CHECKING:
    import threading

    from puzzlekit.puzzle.services import Goal
    from puzzlekit.search.limits import BoundReport, Progress

__all__ = [
    "MANY_BYTES",
    "Choice",
    "allowed_moves",
    "check_names",
    "did_you_mean",
    "hinted",
    "missing_bytes",
    "missing_tables",
    "profile_keys",
    "profiles",
    "table_keys",
]

_TURNS = {"BTM", "FTM", "HTM", "MOVES", "OBTM", "TURNS"}  # what people call turns by any angle
#: Bytes of tables whose build takes many seconds.
MANY_BYTES = 30_000_000


class SearchOptions(NamedTuple):
    """The options of a search as names. `Solver.choose` makes a `Choice` of them."""

    #: The name of a method. Default: the puzzle's default method.
    method: str | None = None
    #: A heuristic, or a string that `Method.heuristics` reads. Default: max.
    heuristic: str | Heuristic | None = None
    #: A metric or its name. Default: the method's first metric.
    metric: str | Metric | None = None
    #: The name of a profile of tables. Default: the largest one on disk, or else the smallest.
    profile: str | None = None
    #: Bytes for tables: the largest profile that fits is used. Not allowed with `profile`.
    memory: int | None = None
    #: A goal, or its text (see docs/goals.md). Default: solved.
    goal: Goal | str | None = None
    #: The allowed moves, such as "R,U". Default: the moves of the default method.
    moves: str | None = None
    #: Rotations after which the goal counts, too; "any" for all of them. Default: none.
    colours: str | None = None
    #: The state that counts as the solved state. Default: the solved state of the puzzle.
    target: bytes | None = None

    def checked(self) -> Self:
        """Return the same options, or raise a UsageError that names one of a wrong kind."""
        for name, (kind, words) in _KINDS.items():
            check_kind(name, getattr(self, name), kind, words)
        if not hasattr(self.goal, "as_held"):
            check_kind("goal", self.goal, str, "a name, conditions or a Goal")
        return self


_KINDS = {
    "method": (str, "a name"),
    "heuristic": ((str, Heuristic), "a name or a Heuristic"),
    "metric": ((str, Metric), "a name or a Metric"),
    "profile": (str, "a name"),
    "memory": ((int, float), "a number of bytes"),
    "moves": (str, "names of moves"),
    "colours": (str, "names of rotations"),
}


class SearchArguments(TypedDict, total=False):
    """The keyword arguments of `Solver.shortest`: fields of `SearchOptions` and of `Limits`."""

    method: str | None
    heuristic: str | Heuristic | None
    metric: str | Metric | None
    profile: str | None
    memory: int | None
    goal: Goal | str | None
    moves: str | None
    colours: str | None
    target: Given | None
    timeout: float | None
    max_nodes: int | None
    threads: int
    cancel: threading.Event | None
    on_bound: Callable[[BoundReport], None] | None
    on_progress: Callable[[Progress], None] | None


class SolveArguments(SearchArguments, total=False):
    """The keyword arguments of `Solver.solve`: fields of `SearchOptions` and of `Limits`."""

    max_length: int | None


@attrs.frozen(eq=False, repr=False)
class Choice:
    """The options of a search, resolved to objects."""

    #: The method, with the tables of the chosen profile.
    method: Method
    #: The method in one metric, with the heuristic of each phase.
    plan: Plan
    #: The choice for the method that finds upper bounds. None if the method needs none.
    upper: Choice | None = None
    #: The state that counts as the solved state; None for the solved state of the puzzle.
    target: bytes | None = attrs.field(default=None, kw_only=True)
    #: The metric of the search. (`plan.metric` may be another that searches in its place.)
    metric: Metric = attrs.field(kw_only=True)
    #: Choices of one solver with the same key share their tables and phases.
    key: tuple[object, ...] = attrs.field(init=False, repr=False)

    @key.default
    def _key(self) -> tuple[object, ...]:
        # Max is the default, and its identity takes longer to compute than all else.
        identities = ["" if each.is_max else each.identity for each in self.plan.heuristics]
        upper = () if self.upper is None else self.upper.key
        # Methods of goals are derived, so their names may be equal.
        method = self.method.name if self.method.goal is None else self.method
        return (method, self.method.profile, self.metric, *identities, upper)

    @property
    def plain(self) -> bool:
        """Whether the puzzle is solved: there is no goal and no target, and moves count."""
        return self.target is None and self.method.goal is None and self.metric.counts


# Makes the plan of a method in a metric: `Solver.plan`.
Plans = Callable[[Method, Metric], Plan]


def profiles(method: Method, metric: Metric) -> list[Method]:
    """Return one method for each profile of a method in a metric, the smallest profile first."""
    larger = [
        attrs.evolve(
            method,
            profile=each.name,
            phases=each.phases,
            larger=(),
            strategy=each.strategy or method.strategy,
        )
        for each in method.larger
        if each.exists_in(metric)
    ]
    return [attrs.evolve(method, larger=()), *larger]


def profile_keys(plans: Plans, method: Method, metric: Metric) -> list[TableSpec]:
    """Return the keys of the tables of all phases, except the tables of heuristics."""
    return list(dict.fromkeys(_keys(plans, method, metric)))


def _keys(plans: Plans, method: Method, metric: Metric) -> Iterator[TableSpec]:
    """Yield the keys phase by phase, those of pruning tables first. Keys may come twice."""
    for own, phase, _ in method.strategy.searched(plans(method, metric)):
        simple, pruning = own.resolved(phase).table_keys()
        yield from pruning
        yield from simple


def _nbytes(plans: Plans, metric: Metric, *methods: Method | None) -> int:
    """The number of bytes of the tables of some methods. Shared tables count once."""
    found = [profile_keys(plans, method, metric) for method in methods if method is not None]
    return sum(key.nbytes for key in {key for keys in found for key in keys})


def upper_profile(
    plans: Plans, method: Method, upper: Method, metric: Metric, memory: int | None
) -> str | None:
    """Return the name of the largest profile of `upper` that fits into `memory` with `method`.

    If none fits, it is the smallest. None if `memory` is None, or if `upper` has only one profile.
    """
    if memory is None or not upper.larger:
        return None
    known = profiles(upper, metric)
    fitting = [each for each in known if _nbytes(plans, metric, method, each) <= memory]
    return (fitting or known)[-1 if fitting else 0].profile


def choose_profile(
    plans: Plans,
    method: Method,
    metric: Metric,
    store: TableStore,
    profile: str | None,
    memory: int | None,
    upper: Method | None = None,
) -> Method:
    """Return the method with one of its profiles.

    Without `profile` and `memory`, it is the largest profile whose tables are all in the store, or
    else the smallest. With `memory`, in bytes, it is the largest that fits, together with the
    smallest of `upper`, the method that finds upper bounds. Raises a UsageError if the profile does
    not exist, if no profile fits, or if both `profile` and `memory` are given.
    """
    if profile is not None and memory is not None:
        raise UsageError("choose tables by a profile or by memory, not by both")
    known = profiles(method, metric)
    if profile is not None:
        for each in known:
            if each.profile == profile:
                return each
        names = ", ".join(each.profile for each in known if each.profile)
        listed = f"the profiles are {names}" if names else "it has none"
        raise UsageError(f"{method.name} has no profile {profile!r} in {metric.name}; {listed}")
    if memory is not None:
        least = None if upper is None else profiles(upper, metric)[0]
        sizes = [_nbytes(plans, metric, each, least) for each in known]
        fitting = [each for each, size in zip(known, sizes, strict=True) if size <= memory]
        if not fitting:
            raise UsageError(
                f"the tables of {method.name} take at least {sizes[0] / 1e6:.3g} MB, but only "
                f"{memory / 1e6:.3g} MB are allowed"
            )
        return fitting[-1]
    for each in reversed(known[1:]):
        if all(map(store.has, _keys(plans, each, metric))):
            return each
    return known[0]


_CHOICES_KEPT = 64  # by one solver


class Chooser:
    """Resolves the options of a search with the methods of a catalogue."""

    def __init__(self, catalogue: Catalogue, store: TableStore) -> None:
        self.catalogue = catalogue
        self.store = store
        self._resolver = Resolver()
        self._choices: dict[SearchOptions, Choice] = {}

    def plan(self, method: Method, metric: Metric, heuristics: Sequence[Heuristic] = ()) -> Plan:
        """Return the `Plan` of a method in one metric, with one heuristic for each phase.

        `heuristics` lists the heuristics. Default: max for all phases. All plans of a solver share
        prepared phases.
        """
        return method.plan(self.catalogue.puzzle, metric, self.store, heuristics, self._resolver)

    def choose(self, options: SearchOptions | None = None, listing: bool = False) -> Choice:
        """Resolve the options of a search.

        With `listing`, the method must have a single phase, so that it can list all solutions; the
        default is then the first such method. The same options give the same choice again, with the
        same profile of tables. Raises a UsageError if an option does not exist, or if two options
        contradict each other.

        >>> import puzzlekit
        >>> from puzzlekit import SearchOptions
        >>> choice = puzzlekit.load("cube3").choose(SearchOptions("optimal", metric="qtm"))
        >>> choice.method.name, choice.metric.name, choice.plan.heuristics
        ('optimal', 'QTM', (Max(),))
        >>> choice.upper.method.name
        'two-phase'
        """
        options = (options or SearchOptions()).checked()
        if listing:
            options = self._listing(options)
        target = options.target
        options = options if target is None else options._replace(target=None)
        try:
            found = self._choices.get(options)
        except TypeError:  # a heuristic of the caller that cannot be hashed
            found = self._resolved(options)
        if found is None:
            found = self._resolved(options)
            if len(self._choices) >= _CHOICES_KEPT:
                self._choices.clear()
            self._choices[options] = found
        return found if target is None else attrs.evolve(found, target=target)

    def _resolved(self, options: SearchOptions) -> Choice:
        """Resolve the options of a search without a target."""
        if options.goal is not None or options.moves is not None:
            return self._choose_goal(options)
        if options.colours is not None:
            raise UsageError("colours are given without a goal")
        name, heuristic, given, profile, memory, *_ = options
        name = name or self.catalogue.default_method(given).name
        metric = self.catalogue.metric(name, given)
        method = self._with_tables(self.catalogue.method_in(name, metric), metric, profile, memory)
        upper = None
        if second := method.strategy.other_method():
            other = self.catalogue.method(second)
            fitting = upper_profile(self.plan, method, other, metric, memory)
            upper = self.choose(SearchOptions(other.name, metric=metric, profile=fitting))
        plan = self.plan(method, metric, method.heuristics(heuristic))
        return Choice(method, plan, upper, metric=metric)

    def _choose_goal(self, options: SearchOptions) -> Choice:
        """Resolve the options of a search for a goal. The method is derived."""
        for name in ("method", "profile"):
            if (value := getattr(options, name)) is not None:
                raise UsageError(
                    f"{name} {value} cannot be chosen, because the method for a goal or for "
                    "some moves is derived"
                )
        puzzle, given = self.catalogue.puzzle, options.metric
        metric = given if isinstance(given, Metric) else puzzle.metric(given)
        if not metric.counts:
            raise UsageError(f"{metric.name} is a {metric.kind}: goals need another metric")
        moves = allowed_moves(puzzle, self.catalogue.method(), options.moves, metric)
        fixed = self._fixed(moves)
        wanted = goal_search().solved(puzzle) if options.goal is None else options.goal
        goal = self.catalogue.goal(wanted, options.colours)
        if goal.as_held:
            fixed = {}
            moves = moves if options.moves else goal_search().on_all_sides(puzzle, moves)
        method = goal_search().method(puzzle, goal, moves, fixed, options.memory)
        plan = self.plan(method, metric, method.heuristics(options.heuristic))
        return Choice(method, plan, metric=metric)

    def _fixed(self, moves: Sequence[Move]) -> Mapping[str, str]:
        """Return the places that show how the puzzle is held in a search with these moves."""
        puzzle = self.catalogue.puzzle
        fixed = self.catalogue.method().fixed
        changed = {j for move in moves for j in move.changed}
        if fixed and changed.isdisjoint(puzzle.bytes_at(fixed)):
            return fixed
        return {name: " ".join(puzzle.orbit(name).places) for name in puzzle.frames}

    def _with_tables(
        self, method: Method, metric: Metric, profile: str | None, memory: int | None
    ) -> Method:
        """A method with the tables that `profile` or `memory` chooses."""
        if not method.larger and profile is None and memory is None:
            return method
        second = method.strategy.other_method()
        other = self.catalogue.method(second) if second else None
        return choose_profile(self.plan, method, metric, self.store, profile, memory, other)

    def _listing(self, options: SearchOptions) -> SearchOptions:
        """Return the options with a method of one phase, which can list all solutions."""
        if options.goal is not None or options.moves is not None:
            return options
        catalogue = self.catalogue
        able = catalogue.listing_method
        if able is None:
            raise UsageError(f"{catalogue.puzzle.name} has no method that finds all solutions")
        name = options.method or able
        if len(catalogue.method(name).phases) > 1:
            raise UsageError(f"{name} has several phases and cannot find all solutions; {able} can")
        return options._replace(method=name)


def allowed_moves(
    puzzle: Puzzle, method: Method, text: str | None, metric: Metric
) -> tuple[Move, ...]:
    """Return the moves in a text; by default those of the method's phase with the most moves.

    Raises UsageError if there are no moves, or if a move costs nothing in the metric.
    """
    if text is None:
        phases = [phase for phase in method.phases if phase.view is None]
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


def check_names(catalogue: Catalogue, options: SearchOptions) -> None:
    """Raise a UsageError for an unknown name, before anything is read or built.

    The message lists the known names.
    """
    method, heuristic, metric, *_ = options
    if method is heuristic is metric is None:
        return
    if options.goal is not None or options.moves is not None:  # the method is derived
        _check_metric(catalogue, metric)
        return
    try:
        catalogue.method(method)
    except UsageError as error:
        raise UsageError(hinted(error, _method_hint(catalogue, str(method)))) from None
    method = method or catalogue.default_method(metric).name
    try:
        catalogue.metric(method, metric)
    except UsageError as error:
        if not isinstance(metric, str):
            raise
        names = [each.name for each in catalogue.metrics(method)]
        if metric.upper() in [each.name.upper() for each in catalogue.puzzle.metrics]:
            raise
        near = f" (did you mean {names[0]}?)" if metric.upper() in _TURNS else ""
        raise UsageError(
            f"{catalogue.method(method).name} has no metric {metric!r}"
            f"{near or did_you_mean(metric, names)}; it searches in {', '.join(names)}"
        ) from error
    if heuristic is not None:
        catalogue.method(method).heuristics(heuristic)


def _check_metric(catalogue: Catalogue, metric: str | Metric | None) -> None:
    if not isinstance(metric, str):
        return
    try:
        catalogue.puzzle.metric(metric)
    except UsageError as error:
        names = [each.name for each in catalogue.puzzle.metrics]
        raise UsageError(hinted(error, did_you_mean(metric, names))) from None


def _method_hint(catalogue: Catalogue, asked: str) -> str:
    """Return a hint for an unknown method: a similar name, or what people call a method."""
    word = asked.casefold()
    for name, each in catalogue.step_methods.items():
        if word == name.casefold() or word in getattr(each, "also", ()):
            return f" (a method of steps: 'puzzlekit steps --method {name}' solves with it)"
    titled = [each.name for each in catalogue.methods if word in each.title.casefold()]
    near = did_you_mean(asked, [each.name for each in catalogue.methods])
    return near or (f" (did you mean {titled[0]}?)" if len(word) > 3 and titled else "")


def hinted(error: object, hint: str) -> str:
    """Return the message of an error with a hint before its list, which follows a semicolon."""
    text, separator, listed = str(error).partition(";")
    return f"{text}{hint}{separator}{listed}"


def table_keys(choice: Choice) -> list[TableSpec]:
    """Return the keys of all tables that a search uses.

    The key of a heuristic's table is missing if the size of this table depends on tables that are
    not built yet.

    >>> import puzzlekit
    >>> [key.name for key in table_keys(puzzlekit.load("cube2").choose())]
    ['orientation moves', 'permutation moves', 'permutation x orientation distance HTM']
    """
    found: dict[TableSpec, None] = {}
    for own, phase, each in choice.method.strategy.searched(choice.plan):
        found.update(dict.fromkeys(_of_phase(own, phase, each)))
    if choice.upper is not None:
        found.update(dict.fromkeys(table_keys(choice.upper)))
    return list(found)


def missing_tables(choice: Choice) -> list[TableSpec]:
    """Return the keys of the tables of a search that are not on disk."""
    store = choice.plan.store
    return [key for key in table_keys(choice) if not store.has(key)]


def missing_bytes(choice: Choice) -> int:
    """Return the number of bytes of the tables of a search that are not on disk."""
    return sum(key.nbytes for key in missing_tables(choice))


def all_table_keys(chooser: Chooser) -> set[TableSpec]:
    """Return the keys of all tables for every method in every metric with every heuristic.

    Heuristics with parameters have their default parameters. Tables for other parameters are built
    in a moment.
    """
    found: set[TableSpec] = set()
    catalogue = chooser.catalogue
    for method in catalogue.methods:
        for heuristic, metric in product((None, *heuristics()), catalogue.metrics(method.name)):
            for profile in profiles(method, metric):
                asked = SearchOptions(method.name, heuristic, metric, profile.profile or None)
                with suppress(UsageError):  # the heuristic takes fewer pruning tables
                    found.update(table_keys(chooser.choose(asked)))
    return found


def _of_phase(plan: Plan, phase: Phase, heuristic: Heuristic) -> Iterator[TableSpec]:
    needs = plan.resolved(phase)
    simple, pruning = needs.table_keys()
    yield from simple
    yield from pruning
    resolved = zip(needs.tables, pruning, strict=True)
    joined = [(table.kind, key) for table, key in resolved if table.kind.in_estimate]
    groups = [len(group) for group in phase.groups]
    if phase.turned or heuristic.reads_state or not heuristic.changes(len(groups)):
        return
    tables = [plan.store.find(key) for _, key in joined]
    bits = [kind.bits for kind, _ in joined]
    radix = fixed_radix(bits)
    if radix is None and all(tables):
        found = [table.data for table in tables if table]
        radix = join_radix([TableInput((), *each) for each in zip(bits, found, strict=True)])
    if radix is not None:
        yield joined_key(needs.puzzle, heuristic, group_radix(radix, groups))
