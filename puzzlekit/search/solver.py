"""The solver: a puzzle with its methods, which solve states."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import attrs

from puzzlekit.errors import (
    DeclarationError,
    PuzzlekitError,
    UsageError,
)
from puzzlekit.puzzle.move import Given, Metric, Move
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.search.heuristic import Heuristic
from puzzlekit.search.limits import BoundReport, Limits, Progress
from puzzlekit.search.method import Method
from puzzlekit.search.options import Choice, Choosing, SearchOptions
from puzzlekit.search.outcome import Integrity, Outcome, check_whole, no_solution
from puzzlekit.search.outcome import made as make_chain
from puzzlekit.search.route import SHARE, Route, find_route
from puzzlekit.search.solution import Solution
from puzzlekit.search.step_metric import StepMetric
from puzzlekit.search.strategies.answer import Candidate
from puzzlekit.search.strategies.chain import Chain
from puzzlekit.tables.store import TableStore
from puzzlekit.tables.watchers import Patience

if TYPE_CHECKING:
    from random import Random

    from puzzlekit.puzzle.groups import StabiliserLevels
    from puzzlekit.search.goals.goal import Goal
    from puzzlekit.search.goals.step_method import StepMethod
    from puzzlekit.tables.table import TableKey

__all__ = ["Origin", "Solver"]

_Key = tuple[object, ...]  # of a choice

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


class Solver(Choosing):
    """A puzzle together with its methods, as `puzzlekit.load` returns it.

    A solver may be used from several threads at once. The threads share the tables of the solver.
    A loaded solver can be pickled, so processes of a pool can use it.
    The puzzle of a file may have a solver of a subclass (see the hook `puzzlekit_readers`).
    It reads, writes and draws positions as `Positions` does, and finds methods, metrics and goals
    by name as `Catalogue` does. It resolves the options of a search as `Choosing` does.

    Parameters
    ----------
    puzzle
        The puzzle.
    methods
        The methods, or a function that returns them. The function is called when the methods are
        first needed. The first method is the default. If the puzzle cannot have one of the
        methods, a DeclarationError is raised.
    store
        The store of the tables. Default: the directory of the cache.
    goals
        The named goals, or a function that returns them when they are first needed.
    steps
        The step methods, or a function that returns them when they are first needed.
    rankings
        More metrics by which answers can be sorted, or a function that returns them when they are
        first needed.

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
        methods: Sequence[Method] | Callable[[], Sequence[Method]],
        store: TableStore | None = None,
        goals: Sequence[Goal] | Callable[[], Sequence[Goal]] = (),
        steps: Sequence[StepMethod] | Callable[[], Sequence[StepMethod]] = (),
        rankings: Sequence[Metric] | Callable[[], Sequence[Metric]] = (),
    ) -> None:
        super().__init__(puzzle, methods, goals, steps, rankings)
        self.store = store or TableStore()
        self._chains: dict[_Key, Chain] = {}
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
        """The puzzle, and the names of its methods."""
        title = self.puzzle.title
        try:
            methods = ", ".join(method.name for method in self.methods)
        except PuzzlekitError:  # no methods; `methods` itself raises the reason
            return f"<Solver of {self.puzzle.name}: {title}>"
        return f"<Solver of {self.puzzle.name}: {title}; methods {methods}>"

    def _repr_html_(self) -> str:
        from puzzlekit.puzzle.svg import beside, draw_svg, heading, pictures, table

        shown = pictures(self.puzzle)
        name = "solid" if "solid" in shown else "net"
        picture = draw_svg(self.puzzle, self.puzzle.solved, name, size=140) if shown else ""
        metrics = ", ".join(metric.name for metric in self.puzzle.metrics)
        text = heading(self.puzzle.title, f"{self.puzzle.name}; metrics {metrics}")
        try:
            rows = [[method.name, method.title] for method in self.methods]
        except PuzzlekitError as error:
            return beside(picture, text + heading("no methods:", str(error)))
        return beside(picture, text + table(["method", "what it does"], rows))

    @property
    def explanation(self) -> tuple[str, ...]:
        """Lines of text that explain the origin of the puzzle; empty for most puzzles."""
        return ()

    def announcement(self, key: TableKey) -> str:
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
    def draws_evenly(self) -> bool:
        """Whether `random_state` draws all reachable states equally likely."""
        return True

    @property
    def decides_reach(self) -> bool:
        """Whether moves reach exactly the states that satisfy the constraints of the puzzle."""
        return True

    def stabiliser_levels(self) -> StabiliserLevels | None:
        """Return a chain of stabilisers of the group of the moves; None if it is not known.

        It is known for some puzzles from definitions.
        """
        return None

    def prepared(
        self,
        method: str | None = None,
        heuristic: str | Heuristic | None = None,
        metric: str | Metric | None = None,
        profile: str | None = None,
        memory: int | None = None,
    ) -> Chain:
        """Load or build the tables of a method, and return its `Chain`, which can search.

        The parameters are the fields of `SearchOptions`. With an inadmissible heuristic, an
        improving method cannot know whether an answer can be shortened. The method then solves its
        phases one after the other.
        """
        return self.make_ready(
            self.choose(SearchOptions(method, heuristic, metric, profile, memory))
        )

    def make_ready(self, choice: Choice) -> Chain:
        """Load or build the tables for a search, and return a `Chain` that searches with them.

        `choice` has the method, the metric and the heuristics of the search (see `choose`).
        The solver keeps the most recently used chains.
        """
        made = self._chains.get(choice.key) or self._made(choice)
        with self._lock:  # keep only the last ones: parameters and metrics are unlimited
            made = self._chains.pop(choice.key, made)  # another thread may have made it, too
            self._chains[choice.key] = made
            while len(self._chains) > _CHAINS_KEPT:
                del self._chains[next(iter(self._chains))]
        return made

    def _made(self, choice: Choice) -> Chain:
        if choice.method.goal is None:
            return self._made_with_tables(choice)
        with self.store.for_goal():
            return self._made_with_tables(choice)

    def _made_with_tables(self, choice: Choice) -> Chain:
        plan = self.plan(choice.method, choice.metric, choice.heuristics)
        check_whole(plan)
        try:
            made = make_chain(self.store, partial(choice.method.strategy.prepared, plan))
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

    def check_reach(self, state: bytes, choice: Choice) -> None:
        """Raise a NoSolutionError with the reason if the steps of a metric cannot solve a state.

        The check builds no tables. It does not find every state that the steps cannot solve.
        """
        metric, method = choice.metric, choice.method
        if isinstance(metric, StepMetric) and not self.puzzle.is_solved(state):
            steps = metric.of_method(self.puzzle, tuple(method.fixed.items()))
            steps.check_reach(state, method.phases, method.strategy.relabel)

    def solve(
        self,
        position: Given,
        *,
        method: str | None = None,
        heuristic: str | Heuristic | None = None,
        metric: str | Metric | None = None,
        profile: str | None = None,
        memory: int | None = None,
        goal: Goal | str | None = None,
        moves: str | None = None,
        colours: str | None = None,
        target: Given | None = None,
        max_length: int | None = None,
        timeout: float | None = None,
        max_nodes: int | None = None,
        threads: int = 1,
        cancel: threading.Event | None = None,
        on_answer: Callable[[Solution], None] | None = None,
        on_bound: Callable[[BoundReport], None] | None = None,
        on_progress: Callable[[Progress], None] | None = None,
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
            A heuristic, or a string that describes the heuristics, such as "max" or
            "finish=euclid". Default: max.
        metric
            A metric or its name. Default: the method's first metric.
        profile
            The name of a profile of tables. Default: the largest profile whose tables are on disk.
            If no tables are on disk, the smallest profile.
        memory
            The memory for tables, in bytes. The largest profile that fits is used. Not allowed
            together with `profile`.
        goal
            A goal to reach instead of the solved state, or text such as "cross" or
            "solved:UF,UR" (see `puzzlekit.search.goals.goal_text.read_goal`).
        moves
            The allowed moves of a search for a goal, such as "R,U". Without a goal, these moves
            solve the puzzle.
        colours
            Rotations of the whole puzzle after which the goal counts, too, such as "x2"; "any" for
            all rotations.
        target
            A position that counts as the solved state. The solution then leads to this position.
        max_length
            The highest allowed cost of an answer. The search ends with its first answer of at most
            this cost, except if the method proves its answers.
        timeout
            The wall time in seconds after which the best answer so far is returned.
        max_nodes
            The number of generated nodes after which the best answer so far is returned. With one
            thread, the answer is the same every time.
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
        limits = Limits(
            max_length, timeout, max_nodes, threads, cancel, on_bound, on_progress
        ).checked()
        state = self.state(position)
        of_goal = goal, moves, colours, None if target is None else self.state(target)
        choice = self.choose(SearchOptions(method, heuristic, metric, profile, memory, *of_goal))
        return self.search(state, choice, limits, on_answer)

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

    def improve(
        self,
        position: Given,
        *,
        method: str | None = None,
        heuristic: str | Heuristic | None = None,
        metric: str | Metric | None = None,
        profile: str | None = None,
        memory: int | None = None,
        goal: Goal | str | None = None,
        moves: str | None = None,
        colours: str | None = None,
        target: Given | None = None,
        max_length: int | None = None,
        timeout: float | None = None,
        max_nodes: int | None = None,
        threads: int = 1,
        cancel: threading.Event | None = None,
    ) -> Iterator[Solution]:
        """Yield ever shorter solutions.

        The parameters and errors are those of `solve`. To end the search early, close or delete the
        iterator, for example by leaving a loop over the iterator.
        """
        limits = Limits(max_length, timeout, max_nodes, threads, cancel).checked()
        state = self.state(position)
        of_goal = goal, moves, colours, None if target is None else self.state(target)
        choice = self.choose(SearchOptions(method, heuristic, metric, profile, memory, *of_goal))
        for run in self._runs(state, choice, limits):
            if run.improved:
                yield run.solution()

    def solutions(
        self,
        position: Given,
        *,
        max_length: int,
        method: str | None = None,
        metric: str | Metric | None = None,
        profile: str | None = None,
        memory: int | None = None,
        goal: Goal | str | None = None,
        moves: str | None = None,
        colours: str | None = None,
        target: Given | None = None,
        timeout: float | None = None,
        max_nodes: int | None = None,
        threads: int = 1,
        cancel: threading.Event | None = None,
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
        limits = Limits(max_length, timeout, max_nodes, threads, cancel).checked()
        state = self.state(position)
        of_goal = goal, moves, colours, None if target is None else self.state(target)
        choice = self.choose_listing(SearchOptions(method, None, metric, profile, memory, *of_goal))
        yield from self.list_solutions(state, choice, limits)

    def list_solutions(self, state: bytes, choice: Choice, limits: Limits) -> Iterator[Solution]:
        """Yield what `solutions` yields, for a valid state and options from `choose_listing`."""
        return self._listed(state, choice, limits, lambda chain: chain.every_answer)

    def shortest(
        self,
        position: Given,
        *,
        method: str | None = None,
        metric: str | Metric | None = None,
        profile: str | None = None,
        memory: int | None = None,
        goal: Goal | str | None = None,
        moves: str | None = None,
        colours: str | None = None,
        target: Given | None = None,
        timeout: float | None = None,
        max_nodes: int | None = None,
        threads: int = 1,
        cancel: threading.Event | None = None,
        on_bound: Callable[[BoundReport], None] | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Iterator[Solution]:
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
        limits = Limits(None, timeout, max_nodes, threads, cancel, on_bound, on_progress).checked()
        state = self.state(position)
        of_goal = goal, moves, colours, None if target is None else self.state(target)
        choice = self.choose_listing(SearchOptions(method, None, metric, profile, memory, *of_goal))
        yield from self.list_shortest(state, choice, limits)

    def list_shortest(self, state: bytes, choice: Choice, limits: Limits) -> Iterator[Solution]:
        """Yield what `shortest` yields, for a valid state and options from `choose_listing`."""
        return self._listed(state, choice, limits, lambda chain: chain.shortest_answers)

    def _listed(
        self,
        state: bytes,
        choice: Choice,
        limits: Limits,
        question: Callable[[Chain], Callable[[bytes, Limits], Iterator[Candidate]]],
    ) -> Iterator[Solution]:
        """Yield each answer of a chain once, even if the search is repeated with a new table.

        If the state is at the goal, the answer without moves comes first. It is the only shortest
        one.
        """
        route = self._route(state, choice, limits, detours=False)
        limits = route.limits(limits, choice.metric)
        integrity = Integrity(self.store, limits)
        told = array("q")  # hashes: there may be millions of answers
        before: frozenset[int] = frozenset()  # answers that were yielded by an earlier search
        while True:
            chain, left = self._begin(route.searched, choice, limits)
            run = Outcome(self.puzzle, chain, state, target=choice.target)
            if run.is_over and not told:
                run.note(chain.answer((), True, chain.no_counts))
                told.append(hash(()))
                before = frozenset(told)
                yield run.solution(improvements=False)
                if limits.max_length is None:
                    return
            try:
                normal = chain.normal(route.searched)
                for found in question(chain)(normal, integrity.limits(chain, left)):
                    answer = route.whole(found, chain)
                    run.note(answer)
                    integrity.claims(chain, answer)
                    if answer.moves is None:
                        raise no_solution(limits, run.at_least, found=len(told))
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

    def _route(self, state: bytes, choice: Choice, limits: Limits, detours: bool = True) -> Route:
        """Return the route to the target of a choice. Raises UsageError if there is none.

        Without `detours`, all of the route is searched.
        """
        from attrs import evolve

        puzzle, target = self.puzzle, choice.target
        if target is None:
            return Route(puzzle, state, None)
        if choice.method.goal is not None or not choice.metric.counts:
            puzzle.relabel_to(state, target)  # raises an error if the search cannot go there
            return Route(puzzle, state, target)
        timeout = None if limits.timeout is None else limits.timeout * SHARE
        part = Limits(timeout=timeout, max_nodes=limits.max_nodes, cancel=limits.cancel)
        direct = evolve(choice, target=None)

        def solutions(state: bytes) -> Iterator[Sequence[Move]]:
            for run in self._runs(state, direct, part):
                if run.improved and run.best is not None:
                    yield run.best.moves or ()

        ways = solutions if detours else None
        moves = choice.method.allowed(puzzle)
        return find_route(puzzle, state, target, choice.metric, moves, ways)

    def _begin(self, state: bytes, choice: Choice, limits: Limits) -> tuple[Chain, Limits]:
        """The chain of a choice, and the limits that remain after its tables are loaded."""
        self.check_reach(state, choice)
        patience = Patience(limits.timeout, limits.cancel)
        with self.store.watched(patience):
            chain = self.make_ready(choice)
        return chain, limits._replace(timeout=patience.left)

    def _runs(self, state: bytes, choice: Choice, limits: Limits) -> Iterator[Outcome]:
        """Yield the outcome after each answer, and once more at the end of the search."""
        route = self._route(state, choice, limits)
        within = route.limits(limits, choice.metric)
        integrity = Integrity(self.store, limits)
        run: Outcome | None = None
        while True:
            chain, left = self._begin(route.searched, choice, within)
            run = Outcome(self.puzzle, chain, state, run, choice.target)
            if run.is_over:
                run.note(chain.answer((), True, chain.no_counts))
                yield run
                return
            try:
                for answer in route.answers(chain, integrity.limits(chain, left)):
                    run.note(answer)
                    integrity.claims(chain, answer)
                    if answer.moves is not None:
                        yield run
                if run.best is None:
                    raise no_solution(limits, run.at_least)
            except Exception as error:
                if not integrity.explains(chain, error):
                    raise
                self._drop_chains()
            else:
                run.improved = False
                yield run
                return
