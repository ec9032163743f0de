"""The API inside an exported site, for its web worker with Pyodide.

The requests and answers are the same as on a server. The site has all tables, so no tables are
built.
"""

from __future__ import annotations

import json
import logging
import marshal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from importlib.util import MAGIC_NUMBER
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

import attrs

from puzzlekit import (
    Limits,
    NoSolutionError,
    PuzzlekitError,
    SearchOptions,
    Solution,
    Solver,
    UsageError,
    load,
    universal_method,
)
from puzzlekit.search.options import check_names, profile_keys, profiles
from puzzlekit.search.strategies.named import Named
from puzzlekit.search.strategies.strategy import length_limit
from puzzlekit_steps import solve_in_steps
from puzzlekit_steps.search import StepSearch
from puzzlekit_web.bodies import SolveRequest, read_body
from puzzlekit_web.reading import ANSWERS, fresh_seed, read_painted, search_of
from puzzlekit_web.records import answer_record, bound_record, steps_record
from puzzlekit_web.refusal import INTERNAL, Refusal, error_record, status_of

if TYPE_CHECKING:
    from puzzlekit import Method
    from puzzlekit.search.options import Choice
    from puzzlekit.tables.table import TableSpec
    from puzzlekit_steps import StepMethod

MOST_TABLES = 40_000_000  # bytes of a method's tables; more takes too long to download
MOST_STEP_TABLES = 16_000_000  # bytes of all tables of a step method
MOST_OPTIMAL_TABLES = 1_000_000  # bytes of a method whose first answer is a shortest one
MOST_SEARCHES = 100  # with different tables, in a step method
PATIENCE = 2.0  # seconds without an answer after which `universal` gives one

# The header of bytecode that is not compared with its source.
_BYTECODE = MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)

log = logging.getLogger(__name__)


def site_methods(solver: Solver) -> list[Method]:
    """Return the methods of a puzzle that an interpreted engine searches soon enough."""
    return [each for each in solver.methods if not each.strategy.needs_compiler]


@cache
def site_solver(puzzle: str) -> Solver:
    """Return the solver of a puzzle on a site, with one method in the method's first metric.

    The method is the first one whose smallest tables take at most `MOST_TABLES` bytes. If no method
    fits, it is the method with the smallest tables. A search of shortest answers with large tables
    takes an interpreted engine too long, so a method that improves its answers replaces it if its
    tables are small; this is the beam of sliding tiles. A method that needs NumPy even to know its
    tables is left out without NumPy. The strategy is adapted to an interpreted engine.
    """
    solver = load(puzzle)
    methods = site_methods(solver)
    found: list[tuple[int, Method]] = []

    def weighed(method: Method) -> tuple[int, Method]:
        metric = solver.metric(method.name)
        smallest = profiles(method, metric)[0]
        keys = profile_keys(solver.chooser.plan, smallest, metric)
        machines = {
            name: each for name, each in smallest.searched_as.items() if name == metric.name
        }
        alone = attrs.evolve(smallest, metrics=(metric.name,), searched_as=machines)
        return sum(key.nbytes for key in keys), alone

    for method in methods:
        try:
            found.append(weighed(method))
        except ImportError as error:
            if error.name != "numpy" or (method is methods[-1] and not found):
                raise
            continue
        if found[-1][0] <= MOST_TABLES:
            break
    nbytes, chosen = min(found, key=lambda each: each[0])
    if nbytes > MOST_OPTIMAL_TABLES and len(chosen.phases) == 1 and not chosen.strategy.improves:
        for method in methods:
            if method.strategy.improves:
                with suppress(ImportError):  # of NumPy: the other method does without it
                    size, own = weighed(method)
                    if size <= MOST_OPTIMAL_TABLES:
                        chosen = own
                        break
    suited = attrs.evolve(chosen, strategy=chosen.strategy.interpreted())
    goals = tuple(solver.catalogue.goals.values())

    def steps() -> list[StepMethod]:
        known = solver.catalogue.step_methods.values()
        return [each for each in known if step_tables(made, each)]

    made = Solver(solver.puzzle, [suited], solver.store, goals, steps)
    return made


@cache
def early_solver(puzzle: str) -> Solver | None:
    """Return a solver that soon has its first answer although the engine is interpreted.

    It has the method `universal`. None if the puzzle has no such method, or if it is the method of
    the site already.
    """
    solver = site_solver(puzzle)
    if solver.puzzle.restricted or isinstance(solver.method().strategy, Named):
        return None
    strategy = Named("universal", "universal", needs_coordinates=False).interpreted()
    method = universal_method(solver.puzzle, strategy)
    return Solver(solver.puzzle, [method], solver.store)


def step_choices(solver: Solver, method: StepMethod) -> Iterator[Choice]:
    """Yield the options of every search of a step method; nothing if it is too slow for a site."""
    if method.beam is None:
        yield from islice(StepSearch(solver, method).choices(), MOST_SEARCHES)


def step_tables(solver: Solver, method: StepMethod) -> list[TableSpec]:
    """Return the keys of the tables of a step method.

    The result is empty if a site does not have the method, because there are too many tables.
    """
    from puzzlekit.search.options import table_keys

    found: dict[TableSpec, None] = {}
    for number, choice in enumerate(step_choices(solver, method), 1):
        found.update(dict.fromkeys(table_keys(choice)))
        if number == MOST_SEARCHES or sum(key.nbytes for key in found) > MOST_STEP_TABLES:
            return []
    return list(found)


def prepare(puzzle: str) -> None:
    """Open the tables of a puzzle, so that the first search begins at once."""
    solver = site_solver(puzzle)
    solver.make_ready(solver.choose())


def lacks_numpy(puzzle: str) -> bool:
    """Return whether the method of a puzzle needs NumPy, and NumPy is missing."""
    try:
        prepare(puzzle)
    except (ImportError, PuzzlekitError) as error:
        missing = error if isinstance(error, ImportError) else error.__cause__
        if getattr(missing, "name", None) != "numpy":
            raise
        return True
    return False


def answer(puzzle: str, question: str, body: str) -> str:
    """Return the answer to a question about a puzzle, as JSON of the HTTP status and the record."""

    def made() -> dict[str, Any]:
        kind, make = ANSWERS[question]
        asked = attrs.asdict(read_body(body.encode(), kind))
        if question == "random" and asked["seed"] is None:
            asked["seed"] = fresh_seed()  # the tables may not be loaded yet, but are not missing
        return make(site_solver(puzzle), **asked)

    return json.dumps(_answered(made))


def solve(puzzle: str, body: str, post: Callable[[str, str], None]) -> None:
    """Search, and call `post` with the name of each event and the JSON of its data."""

    def tell(event: str, data: dict[str, Any]) -> None:
        post(event, json.dumps(data))

    def search() -> dict[str, Any]:
        solver = site_solver(puzzle)
        asked = read_body(body.encode(), SolveRequest)
        if asked.steps is not None:
            return in_steps(solver, asked)
        state, symbols = read_painted(solver.puzzle, asked.stickers, asked.scheme)
        options, limits = search_of(solver, asked, symbols)
        check_names(solver.catalogue, options)
        limits = limits._replace(on_bound=lambda report: tell("bound", bound_record(report)))
        found = searched(solver, state, solver.choose(options), limits, improved)
        return answer_record(solver, found)

    def in_steps(solver: Solver, asked: SolveRequest) -> dict[str, Any]:
        method = load(puzzle).catalogue.step_methods.get(asked.steps or "")
        if method is None:
            raise UsageError(f"{puzzle} has no step method {asked.steps!r}")
        state = read_painted(solver.puzzle, asked.stickers, asked.scheme).state
        found = solve_in_steps(solver, state, method, metric=asked.metric, timeout=asked.timeout)
        return steps_record(solver, found)

    def improved(solution: Solution) -> None:
        tell("answer", answer_record(site_solver(puzzle), solution))

    status, record = _answered(search)
    tell("done" if status == 200 else "error", record)


def searched(
    solver: Solver,
    state: bytes,
    choice: Choice,
    limits: Limits,
    tell: Callable[[Solution], None],
) -> Solution:
    """Search, and call `tell` with ever better answers. Return the best one.

    If the search has no answer soon, `universal` gives the first one, and the search begins anew.
    This answer is kept for the next search of the same state. A search for a goal has none.
    """
    global _latest
    early = early_solver(solver.puzzle.name) if choice.plain else None
    if early is None:
        return solver.search(state, choice, limits, on_answer=tell)
    ends = monotonic() + (limits.timeout or float("inf"))

    def left() -> Limits:
        return limits._replace(timeout=limits.timeout and max(0.0, ends - monotonic()))

    asked = solver.puzzle.name, choice.metric.name, state
    if _latest[0] != asked or (_latest[1] and _latest[1].cost > length_limit(limits)):
        soon = _Soon()

        def first(answer: Solution) -> None:
            soon.told = True
            tell(answer)

        try:
            return solver.search(state, choice, limits._replace(cancel=soon), on_answer=first)
        except NoSolutionError:
            if not soon.is_set() or monotonic() >= ends:
                raise
        _latest = asked, _early(early, state, choice, left())
    known = _latest[1]
    if known is not None:
        tell(known)
        if known.optimal or limits.max_length is not None:
            return known

    def better(answer: Solution) -> None:
        if known is None or answer.cost < known.cost:
            tell(answer)

    try:
        found = solver.search(state, choice, left(), on_answer=better)
    except NoSolutionError:
        if known is None:
            raise
        return known
    return found if known is None or found.optimal or found.cost < known.cost else known


def _early(early: Solver, state: bytes, choice: Choice, limits: Limits) -> Solution | None:
    """Return the first answer of `universal`; None if it has none."""
    found: list[Solution] = []
    soon = threading.Event()

    def first(answer: Solution) -> None:
        found.append(answer)
        soon.set()

    within = Limits(limits.max_length, limits.timeout, cancel=soon)
    try:
        options = SearchOptions("universal", metric=choice.metric)
        early.search(state, early.choose(options), within, on_answer=first)
    except (PuzzlekitError, ImportError) as error:
        if not found:
            log.warning("no early answer: %s", error)
    return found[0] if found else None


#: The last state for which `universal` was asked, and its answer.
_latest: tuple[tuple[object, ...], Solution | None] = (), None


class _Soon(threading.Event):
    """Set once a search has had its time for the first answer."""

    def __init__(self) -> None:
        super().__init__()
        self.told = False
        self._end = monotonic() + PATIENCE

    def is_set(self) -> bool:
        return not self.told and monotonic() > self._end


def compiled(archive: str, target: str, *, whole: bool) -> Iterator[None]:
    """Write a zip of Python sources anew, with bytecode in place of the modules in use.

    Unless the `whole` archive is wanted, it has only the packages of these modules. Yields before
    each module that is compiled, so that the caller can do something else meanwhile.
    """
    packages = {name.partition(".")[0] for name in sys.modules}
    with ZipFile(archive) as sources, ZipFile(target, "w") as made:
        for path in sources.namelist():
            content = sources.read(path)
            module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            if path.endswith(".py") and module in sys.modules:
                yield
                code = compile(content, path, "exec", dont_inherit=True)
                made.writestr(f"{path}c", _BYTECODE + marshal.dumps(code))
            elif whole or module.partition(".")[0] in packages:
                made.writestr(path, content)


def _answered(make: Callable[[], dict[str, Any]]) -> tuple[int, dict[str, Any]]:
    """The HTTP status and the record of an answer, or of its error."""
    try:
        return 200, make()
    except Refusal as refusal:
        return refusal.status, refusal.record()
    except PuzzlekitError as error:
        return status_of(error), error_record(error)
    except Exception as error:
        log.exception("an answer failed: %s: %s", type(error).__name__, error)
        return INTERNAL.status, INTERNAL.record()
