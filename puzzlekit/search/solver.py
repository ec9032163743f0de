"""The solver: a puzzle with its methods, which solve states."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from operator import is_
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import attrs

from puzzlekit.amounts import check_kind
from puzzlekit.errors import DeclarationError, PuzzlekitError, UsageError
from puzzlekit.puzzle.move import Given, Metric, Move
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.puzzle.services import find_service, html
from puzzlekit.search.budget import thread_time
from puzzlekit.search.catalogue import Catalogue, Route, goal_search
from puzzlekit.search.heuristic import Heuristic
from puzzlekit.search.limits import Limits
from puzzlekit.search.method import Method
from puzzlekit.search.options import (
    Choice,
    Chooser,
    SearchArguments,
    SearchOptions,
    SolveArguments,
    missing_tables,
)
from puzzlekit.search.outcome import Integrity, Outcome, no_solution
from puzzlekit.search.outcome import made as make_chain
from puzzlekit.search.positions import Positions
from puzzlekit.search.solution import Solution
from puzzlekit.search.step_metric import StepMetric
from puzzlekit.search.strategies.candidate import Candidate
from puzzlekit.search.strategies.strategy import ANY_LENGTH, Strategy, length_limit
from puzzlekit.tables.store import TableStore
from puzzlekit.tables.watchers import Patience

if TYPE_CHECKING:
    from random import Random

    from puzzlekit.puzzle.services import Goal
    from puzzlekit.search.strategies.bounds import Bidirectional
    from puzzlekit.tables.table import TableSpec

__all__ = ["Origin", "Solver"]

# Seconds of builds, before which a short answer is searched, and then any other one.
SOME, LONG = 1.3, 2.65
_Key = tuple[object, ...]  # of a choice

_OPTIONS = frozenset(SearchOptions._fields)
_LIMITS = frozenset(Limits._fields)
_CHAINS_KEPT = 16  # by one solver; a new chain loads its tables in milliseconds


@attrs.frozen
class Origin:
    """What a solver was loaded from, in a form that another process can load it from."""

    #: Name of the puzzle.
    puzzle: str
    #: Function of a module that makes the solver. Its last argument is the directory of the tables;
    #: None for the cache of the process.
    make: Callable[..., Solver]
    #: The arguments of `make` before the directory. They can be pickled.
    arguments: tuple[Any, ...]
    #: Whether the name alone loads the puzzle, because an installed plugin declares it.
    declared: bool = False

    def solver(self, root: str | None = None) -> Solver:
        """Return the solver, made in this process, with its tables in the directory `root`."""
        return self.make(*self.arguments, root)


class Quick(NamedTuple):
    """An answer that was found without tables, and what it took."""

    strategy: Strategy
    answer: Candidate
    seconds: float
    cpu_seconds: float


class Solver:
    """A puzzle together with its methods, as `puzzlekit.load` returns it.

    A solver may be used from several threads at once. The threads share the tables of the solver.
    A loaded solver can be pickled, so processes of a pool can use it.
    Its parts are public: `positions` reads, writes and draws positions, `catalogue` finds methods,
    metrics and goals by name, and `chooser` resolves the options of a search. The methods of these
    parts that are used most are methods of the solver, too.
    The puzzle of a file may have a solver of a subclass (see the hook `puzzlekit_readers`).

    Parameters
    ----------
    puzzle
        The puzzle.
    methods
        The methods, or a function that returns them. The function is called when the methods are
        first needed; if it is a generator, each method is made when it is first needed. The first
        method is the default. If the puzzle cannot have one of the methods, a DeclarationError is
        raised.
    store
        The store of the tables. Default: the directory of the cache.
    goals
        The named goals, or a function that returns them when they are first needed.
    steps
        The step methods, which the plugin `steps` searches, or a function that returns them when
        they are first needed. Each has a `name`.
    rankings
        More metrics by which answers can be sorted, or a function that returns them when they are
        first needed.
    positions
        What reads, writes and draws positions. Default: `Positions(puzzle)`.

    Examples
    --------
    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2")
    >>> solution = cube.solve("R U F2")
    >>> solution.length, solution.metric, solution.optimal
    (3, 'HTM', True)
    >>> str(cube.solve("R U F2", target="R U")), cube.solve("R U", goal="piece:DBL").length
    ('F2', 0)
    """

    #: What the solver was loaded from. None for a solver that was made from its parts, which cannot
    #: be pickled.
    origin: Origin | None = None

    #: Whether `scramble` returns random moves if a random state takes too long to solve.
    gives_up = False

    def __init__(
        self,
        puzzle: Puzzle,
        methods: Sequence[Method] | Callable[[], Iterable[Method]],
        store: TableStore | None = None,
        goals: Sequence[Goal] | Callable[[], Sequence[Goal]] = (),
        steps: Sequence[Any] | Callable[[], Sequence[Any]] = (),
        rankings: Sequence[Metric] | Callable[[], Sequence[Metric]] = (),
        positions: Positions | None = None,
    ) -> None:
        self.puzzle = puzzle
        self.store = store or TableStore()
        self.positions = positions or Positions(puzzle)
        self.catalogue = Catalogue(puzzle, methods, goals, steps, rankings)
        self.chooser = Chooser(self.catalogue, self.store)
        self._chains: dict[_Key, Strategy] = {}
        #: The choice of the latest chain, and the chain.
        self._latest: tuple[Choice | None, Strategy | None] = None, None
        #: The key of the latest choice that was searched without tables, and its strategy.
        self._few: tuple[_Key, Strategy] | None = None
        #: What the latest search without tables was asked, and what it found.
        self._quick: tuple[tuple[_Key, bytes, Limits], Quick | None] | None = None
        #: The latest arguments of a search, if none can change, and what they mean.
        self._asked_last: tuple[Any, Any, Any, Any] = None, None, None, None
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the solver as what it was loaded from, and the directory of its tables."""
        if self.origin is None:
            from pickle import PicklingError

            raise PicklingError(
                f"this solver of {self.puzzle.name} was made from its parts; "
                "only loaded solvers can be pickled"
            )
        return self.origin.make, (*self.origin.arguments, self.store.root)

    def __repr__(self) -> str:
        title = self.puzzle.title
        try:
            methods = ", ".join(method.name for method in self.methods)
        except PuzzlekitError:  # no methods; `methods` itself raises the reason
            return f"<Solver of {self.puzzle.name}: {title}>"
        return f"<Solver of {self.puzzle.name}: {title}; methods {methods}>"

    def _repr_html_(self) -> str | None:
        return html(self)

    @property
    def explanation(self) -> tuple[str, ...]:
        """Lines of text that explain the origin of the puzzle; empty for most puzzles."""
        return ()

    def announcement(self, key: TableSpec) -> str:
        """Return what the command line says if the build of a table takes longer than a second.

        Empty for nothing. This is for tables that are built when the methods are made.
        """
        return ""

    def scramble(self, seed: int | Random | None = None) -> str:
        """Return moves from the solved puzzle to a random state.

        All states except the solved one are equally likely. The same seed gives the same moves.
        Pass a `Random` instead of a seed to draw several scrambles in a row.

        >>> import puzzlekit
        >>> puzzlekit.load("cube2").scramble(seed=7)
        "F U R U R2 U2 F2 U' R'"
        """
        from random import Random

        from puzzlekit.search.scrambling import random_moves, random_scramble

        rng = seed if isinstance(seed, Random) else Random(seed)
        return " ".join(random_scramble(self, rng) or random_moves(self, rng))

    @property
    def methods(self) -> tuple[Method, ...]:
        """The methods; the first one is the default."""
        return self.catalogue.methods

    def method(self, name: str | None = None) -> Method:
        """Return the method that is called `name`; see `Catalogue.method`."""
        return self.catalogue.method(name)

    def metric(self, method: str | None = None, metric: str | Metric | None = None) -> Metric:
        """Return the metric in which a method is to search; see `Catalogue.metric`."""
        return self.catalogue.metric(method, metric)

    def goal(self, goal: Goal | str, colours: str | None = None) -> Goal:
        """Return the goal that a text describes; see `Catalogue.goal`."""
        return self.catalogue.goal(goal, colours)

    def state(self, position: Given) -> bytes:
        """Return the state of a position: a string, a list of moves, or a state itself.

        See `Positions.state`.
        """
        return self.positions.state(position)

    def random_state(self, seed: int | Random | None = None) -> bytes:
        """Return a random reachable state; see `Positions.random_state`."""
        return self.positions.random_state(seed)

    def net(self, position: Given, *, coloured: bool = False) -> str:
        """Return the net or the grid of a position as text; see `Positions.net`."""
        return self.positions.net(position, coloured=coloured)

    def svg(
        self,
        position: Given,
        picture: str = "net",
        *,
        only: str | Iterable[int] = "",
        grey: str | Iterable[int] = "",
    ) -> str:
        """Return a position as SVG. The parameters are those of `Positions.svg`."""
        return self.positions.svg(position, picture, only=only, grey=grey)

    def choose(self, options: SearchOptions | None = None, listing: bool = False) -> Choice:
        """Resolve the options of a search; see `Chooser.choose`."""
        return self.chooser.choose(options, listing)

    def prepared(
        self,
        method: str | None = None,
        heuristic: str | Heuristic | None = None,
        metric: str | Metric | None = None,
        profile: str | None = None,
        memory: int | None = None,
    ) -> Strategy:
        """Load or build the tables of a method, and return its strategy, ready to search.

        The parameters are the fields of `SearchOptions`. With an inadmissible heuristic, an
        improving method cannot know whether an answer can be shortened. The method then solves its
        phases one after the other.
        """
        return self.make_ready(
            self.choose(SearchOptions(method, heuristic, metric, profile, memory))
        )

    def make_ready(self, choice: Choice) -> Strategy:
        """Load or build the tables for a search, and return the strategy that searches with them.

        `choice` has the method, the metric and the heuristics of the search (see `choose`).
        The solver keeps the most recently used chains.
        """
        chosen, latest = self._latest
        if latest is not None and chosen is choice:
            return latest
        made = self._chains.get(choice.key) or self._made(choice)
        with self._lock:  # keep only the last ones: parameters and metrics are unlimited
            made = self._chains.pop(choice.key, made)  # another thread may have made it, too
            self._chains[choice.key] = made
            while len(self._chains) > _CHAINS_KEPT:
                del self._chains[next(iter(self._chains))]
            self._latest = choice, made
        return made

    def _made(self, choice: Choice) -> Strategy:
        prepare = partial(choice.method.strategy.prepared, choice.plan)
        try:
            with nullcontext() if choice.method.goal is None else self.store.for_goal():
                made = make_chain(self.store, prepare)
        except DeclarationError as error:
            if choice.metric.counts:
                raise
            raise UsageError(f"{choice.metric.kind} {choice.metric.name}: {error}") from None
        if choice.upper is not None:
            made.other = self.make_ready(choice.upper)
        return made

    def _drop_chains(self) -> None:
        """Forget all chains after a table was damaged. Making a new chain takes milliseconds."""
        with self._lock:
            self._chains.clear()
            self._latest = None, None

    def needs_tables(self, state: bytes, choice: Choice, limits: Limits) -> bool:
        """Whether the search of a state loads or builds tables.

        It does not if their builds take long and a search without tables, which takes at most a
        second, solves the state in a few moves. `search` then has this answer at once.
        """
        return self._without_tables(state, choice, limits) is None

    def early(self, state: bytes, choice: Choice, limits: Limits) -> Solution | None:
        """Return an answer of `universal` within the limits if tables of a search take long.

        None if all tables are there or soon built, and for a search that `universal` cannot do.
        """
        long = sum(key.seconds for key in missing_tables(choice)) >= LONG
        if not choice.plain or not long or self.puzzle.restricted:
            return None
        first = Limits(ANY_LENGTH, limits.timeout, limits.max_nodes, limits.threads, limits.cancel)
        try:
            other = self.choose(SearchOptions("universal", metric=choice.metric))
            found = self.search(state, other, first)
        except PuzzlekitError:  # such as a metric that the method does not have
            return None
        return found if found.cost <= length_limit(limits) else None

    def _without_tables(self, state: bytes, choice: Choice, limits: Limits) -> Quick | None:
        """Return an answer of a few moves that was found without tables; None to use tables."""
        if choice is self._latest[0] or choice.key in self._chains:
            return None
        if not choice.plain or choice.plan.metric is not choice.metric:
            return None
        if self.puzzle.restricted or limits.max_nodes is not None:
            return None
        if sum(key.seconds for key in missing_tables(choice)) < SOME:
            return None
        asked = choice.key, state, limits._replace(on_bound=None, on_progress=None)
        last = self._quick
        if last is None or last[0] != asked:
            last = self._quick = asked, self._quickly(state, choice, limits)
        return last[1]

    def _quickly(self, state: bytes, choice: Choice, limits: Limits) -> Quick | None:
        started, cpu_started = perf_counter(), thread_time()
        latest = self._few
        if latest is None or latest[0] != choice.key:
            service: Bidirectional | None = find_service("bidirectional")
            if service is None:
                return None
            latest = self._few = choice.key, service.few_moves().prepared(choice.plan)
        _, strategy = latest
        if self.puzzle.is_solved(state):
            answer = strategy.candidate((), True, strategy.no_counts)
        else:
            answer = next(strategy.search(state, limits))
        if answer.phases is None:
            return None
        return Quick(strategy, answer, perf_counter() - started, thread_time() - cpu_started)

    def check_reach(self, state: bytes, choice: Choice) -> None:
        """Raise a NoSolutionError with the reason if the steps of a metric cannot solve a state.

        The check builds no tables. It does not find every state that the steps cannot solve.
        """
        metric, method = choice.metric, choice.method
        searched = metric is choice.plan.metric
        if metric.counts or not searched or self.puzzle.is_solved(state):
            return  # `counts` is tested first because it takes the least time
        if isinstance(metric, StepMetric):
            steps = metric.of_method(self.puzzle, tuple(method.fixed.items()))
            steps.check_reach(state, method.phases, method.strategy.relabel)

    def solve(
        self,
        position: Given,
        *,
        on_answer: Callable[[Solution], None] | None = None,
        **options: Unpack[SolveArguments],
    ) -> Solution:
        """Solve a position.

        Without limits, a method that improves its answers stops after the time that its strategy
        sets. A method that proves its answers runs until the proof. With an inadmissible heuristic,
        phases are solved one after the other.

        Parameters
        ----------
        position
            A string (a scramble or stickers), a list of moves, or a state (bytes).
        method
            The name of a method. Default: the puzzle's default method.
        heuristic
            A heuristic, or a string such as "max" or "finish=euclid". Default: max.
        metric
            A metric or its name. Default: the method's first metric.
        profile
            The name of a profile of tables. Default: the largest one on disk, or else the smallest.
        memory
            Bytes for tables: the largest profile that fits is used. Not allowed with `profile`.
        goal
            A goal to reach instead of the solved state, or text such as "cross" or
            "solved:UF,UR" (see docs/goals.md).
        moves
            The allowed moves, such as "R,U", with or without a goal.
        colours
            Rotations after which the goal counts, too, such as "x2"; "any" for all of them.
        target
            A position that counts as the solved state. The solution then leads to this position.
        max_length
            The highest allowed cost of an answer. The search ends with its first answer of at most
            this cost, except if the method proves its answers.
        timeout
            The wall time in seconds after which the best answer so far is returned.
        max_nodes
            The number of generated nodes after which the best answer so far is returned; there may
            be slightly more. With one thread, the answer is the same every time.
        threads
            The number of threads that search.
        cancel
            An event that ends the search when another thread sets it.
        on_answer
            Called with each answer that is shorter than all earlier answers.
        on_bound
            Called with a report after each bound that a proving method completes.
        on_progress
            Called a few times a second while a proving method searches a bound.

        Raises
        ------
        UsageError
            If an option does not exist, or if its value is not allowed.
        NoSolutionError
            If no answer was found within the limits, or if no answer exists.
        NotationError, StateError
            If the position cannot be read (NotationError), or if the puzzle cannot be in this state
            (StateError).
        """
        check_kind("on_answer", on_answer, Callable, "a function")
        return self.search(*self._asked(position, options), on_answer)

    def search(
        self,
        state: bytes,
        choice: Choice,
        limits: Limits,
        on_answer: Callable[[Solution], None] | None = None,
    ) -> Solution:
        """Solve a valid state as `solve` does, with options that `choose` has resolved."""
        for run in self._runs(state, choice, limits):
            if on_answer is not None and run.improved:
                on_answer(run.solution())
        return run.solution()

    def improve(self, position: Given, **options: Unpack[SolveArguments]) -> Iterator[Solution]:
        """Yield ever shorter solutions.

        The parameters and errors are those of `solve`. To end the search early, close or delete the
        iterator, for example by leaving a loop over the iterator.
        """
        for run in self._runs(*self._asked(position, options)):
            if run.improved:
                yield run.solution()

    def solutions(
        self, position: Given, *, max_length: int, **options: Unpack[SearchArguments]
    ) -> Iterator[Solution]:
        """Yield every solution that costs at most `max_length`, the cheapest first.

        Only canonical sequences are listed. If sequences differ only in the order of commuting
        moves, one of them is listed. Moves that a single move, or another pair, of the same cost
        can replace are not listed. The parameters are those of `solve`, but `method` must have a
        single phase. The default is the first method with a single phase.

        Raises a UsageError if every method of the puzzle has several phases. If a limit
        of time or nodes was met, the list may be incomplete. A NoSolutionError then follows the
        last solution.

        >>> import puzzlekit
        >>> cube = puzzlekit.load("cube2")
        >>> [str(solution) for solution in cube.solutions("R U R'", max_length=5)]
        ["R U' R'"]
        """
        asked = {**options, "max_length": max_length}
        yield from self.listed(*self._asked(position, asked, listing=True))

    def shortest(self, position: Given, **options: Unpack[SearchArguments]) -> Iterator[Solution]:
        """Yield every shortest solution as soon as the solution is found.

        Only canonical sequences are listed, as in `solutions`. The parameters are those of `solve`,
        but `method` must have a single phase. The default is the first method with a single phase.

        Raises a UsageError if every method of the puzzle has several phases. If a limit
        of time or nodes was met, the list may be incomplete. A NoSolutionError then follows the
        last solution.

        >>> import puzzlekit
        >>> cube = puzzlekit.load("cube2")
        >>> [str(solution) for solution in cube.shortest("R U R U R")]
        ["U' R' U' R' U'", "R' U' R' U' R'"]
        """
        yield from self.listed(*self._asked(position, options, listing=True), shortest=True)

    def _asked(
        self, position: Given, arguments: Mapping[str, Any], listing: bool = False
    ) -> tuple[bytes, Choice, Limits]:
        """Return the state of a position, and keyword arguments as a choice and limits."""
        names, values, choice, limits = self._asked_last
        if names == (listing, *arguments) and all(map(is_, values, arguments.values())):
            return self.state(position), choice, limits
        if unknown := [name for name in arguments if name not in _LIMITS | _OPTIONS]:
            raise TypeError(f"a search has no option {unknown[0]!r}")
        options = {name: arguments[name] for name in arguments if name in _OPTIONS}
        within = {name: arguments[name] for name in arguments if name in _LIMITS}
        limits = Limits(**within).checked()
        state = self.state(position)
        if options.get("target") is not None:
            options["target"] = self.state(options["target"])
        choice = self.choose(SearchOptions(**options), listing)
        if all(isinstance(each, str | int | float | None) for each in arguments.values()):
            self._asked_last = (listing, *arguments), (*arguments.values(),), choice, limits
        return state, choice, limits

    def listed(
        self, state: bytes, choice: Choice, limits: Limits, shortest: bool = False
    ) -> Iterator[Solution]:
        """Yield what `solutions` or `shortest` yields, for a valid state and a choice to list.

        Each answer is yielded once, even if the search is repeated with a new table. If the state
        is at the goal, the answer without moves comes first. It is the only shortest one.
        """
        route = None
        if choice.target is not None:
            route = self._route(state, choice, choice.target, limits, detours=False)
        searched = state if route is None else route.searched
        limits = limits if route is None else route.limits(limits, choice.metric)
        integrity = Integrity(self.store, limits)
        told = array("q")  # hashes: there may be millions of answers
        before: frozenset[int] = frozenset()  # answers that were yielded by an earlier search
        while True:
            chain, left = self._begin(searched, choice, limits)
            run = Outcome(self.puzzle, chain, state, target=choice.target)
            if run.is_goal(state) and not told:
                run.note(chain.candidate((), True, chain.no_counts))
                told.append(hash(()))
                before = frozenset(told)
                yield run.solution(improvements=False)
                if shortest:
                    return
            try:
                normal = chain.normal(searched)
                every = chain.shortest_answers if shortest else chain.every_answer
                for found in every(normal, integrity.limits(chain, left)):
                    answer = found if route is None else route.whole(found, chain)
                    run.note(answer)
                    integrity.claims(chain, answer)
                    if answer.moves is None:
                        raise no_solution(limits, choice.metric, run.at_least, found=len(told))
                    if (moves := hash(answer.moves)) not in before:
                        told.append(moves)
                        yield run.solution(improvements=False)
                integrity.check(chain)
            except Exception as error:
                if not integrity.explains(chain, error):
                    raise
                self._drop_chains()
                before = frozenset(told)
            else:
                return

    def _route(
        self, state: bytes, choice: Choice, target: bytes, limits: Limits, detours: bool = True
    ) -> Route:
        """Return the route to the target of a choice.

        Without `detours`, all of the route is searched. Raises UsageError if there is no route.
        """
        direct = attrs.evolve(choice, target=None)

        def solutions(state: bytes, share: float) -> Iterator[Sequence[Move]]:
            timeout = None if limits.timeout is None else limits.timeout * share
            part = Limits(timeout=timeout, max_nodes=limits.max_nodes, cancel=limits.cancel)
            for run in self._runs(state, direct, part):
                if run.improved and run.best is not None:
                    yield run.best.moves or ()

        metric, method, ways = choice.metric, choice.method, solutions if detours else None
        free = method.goal is None and metric.counts
        moves = method.allowed(self.puzzle) if free else None
        return goal_search().route(self.puzzle, state, target, metric, moves, ways)

    def _begin(self, state: bytes, choice: Choice, limits: Limits) -> tuple[Strategy, Limits]:
        """The chain of a choice, and the limits that remain after its tables are loaded."""
        self.check_reach(state, choice)
        if choice.key in self._chains:
            return self.make_ready(choice), limits
        patience = Patience(limits.timeout, limits.cancel)
        with self.store.watched(patience):
            chain = self.make_ready(choice)
        return chain, limits._replace(timeout=patience.left)

    def _runs(self, state: bytes, choice: Choice, limits: Limits) -> Iterator[Outcome]:
        """Yield the outcome after each answer, and once more at the end of the search."""
        if (quick := self._without_tables(state, choice, limits)) is not None:
            run = Outcome(self.puzzle, quick.strategy, state)
            run.begin_earlier(quick.seconds, quick.cpu_seconds)
            run.note(quick.answer)
            yield run
            run.improved = False
            yield run
            return
        route = None
        if choice.target is not None:
            route = self._route(state, choice, choice.target, limits)
        searched = state if route is None else route.searched
        within = limits if route is None else route.limits(limits, choice.metric)
        integrity = Integrity(self.store, limits)
        earlier: Outcome | None = None
        while True:
            chain, left = self._begin(searched, choice, within)
            run = earlier = Outcome(self.puzzle, chain, state, earlier, choice.target)
            if run.is_goal(state):
                run.note(chain.candidate((), True, chain.no_counts))
                yield run
                return
            try:
                left = integrity.limits(chain, left)
                if route is None:
                    found = chain.search(chain.normal(state), left)
                else:
                    found = route.answers(chain, left)
                for answer in found:
                    run.note(answer)
                    integrity.claims(chain, answer)
                    if answer.phases is not None:
                        yield run
                if run.best is None:
                    raise no_solution(limits, choice.metric, run.at_least, reached=run.reached)
            except Exception as error:
                if not integrity.explains(chain, error):
                    raise
                self._drop_chains()
            else:
                run.improved = False
                yield run
                return
