"""Checks of a plugin: loading, importing, heuristics and events."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import attrs

from puzzlekit import Heuristic, load
from puzzlekit.errors import PuzzlekitError
from puzzlekit.puzzle.move import act, invert
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.estimates import heuristic_fault
from puzzlekit.search.solver import Solver
from puzzlekit_authoring.checks import PLUGIN, Target, check, fail, is_importable, skip
from puzzlekit_events import AtMost, Event, Exactly, Pattern, RandomMoves

_PATIENCE = 120  # time limit in seconds for a process that imports modules
_SLOW = ("numpy", "matplotlib", "rich", "pytest")


class Imported(NamedTuple):
    """The effects of importing modules in a fresh process.

    `told` describes side effects. Opening a file is a side effect, except for files of code.
    `modules` are all imported modules. `problem` says why importing failed. It is "" if importing
    worked.
    """

    told: list[list[object]]
    modules: list[str]
    problem: str


def import_freshly(names: Sequence[str]) -> Imported:
    """Import modules in a fresh process, with warnings as errors, and record the effects.

    >>> seen = import_freshly(["puzzlekit"])
    >>> seen.told, "numpy" in seen.modules
    ([], False)
    """
    from puzzlekit_authoring import watch

    with TemporaryDirectory(prefix="puzzlekit-") as directory:
        file = os.path.join(directory, "seen.json")
        asked = json.dumps([sys.path, list(names)])
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        environment["PUZZLEKIT_CACHE"] = os.path.join(directory, "cache")
        process = subprocess.Popen(
            [sys.executable, "-P", "-W", "error", watch.__file__, asked, file],
            env=environment,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        try:
            said, _ = process.communicate(timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            said, _ = process.communicate()
            return Imported([], [], f"it takes more than {_PATIENCE} seconds")
        try:
            seen = json.loads(Path(file).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return Imported([], [], said.strip() or f"it ends with exit code {process.returncode}")
    told = seen["told"]
    if said:
        told = [["print", said.strip()], *told]
    return Imported(told, seen["modules"], seen["problem"])


def sources(module: str) -> list[Path]:
    """Return the Python files of a module or package."""
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise PuzzlekitError(f"there is no module {module}")
    path = Path(spec.origin)
    return sorted(path.parent.rglob("*.py")) if path.name == "__init__.py" else [path]


def private_imports(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line, name) for each imported name that is not public.

    Public are the names in `__all__` of puzzlekit, of one of its modules, or of a module of another
    plugin.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    own = {part for part in path.with_suffix("").parts if part.startswith("puzzlekit_")}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if _is_ours(alias.name, own) and not _exported(alias.name):
                    yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            if not _is_ours(node.module, own):
                continue
            exported = [*_exported(node.module), "__version__"]
            for alias in node.names:
                if alias.name not in exported and not _exported(f"{node.module}.{alias.name}"):
                    yield node.lineno, f"{node.module}.{alias.name}"


def _is_ours(module: str, own: set[str]) -> bool:
    top = module.partition(".")[0]
    return (top == "puzzlekit" or top.startswith("puzzlekit_")) and top not in own


def _exported(module: str) -> Sequence[str]:
    """Return the public names of a module; none if it lists none, or if there is no such module."""
    try:
        return getattr(import_module(module), "__all__", ())
    except ImportError:
        return ()


@check("it can be loaded", PLUGIN)
def loads(target: Target) -> None:
    """The hooks yield entries, and each entry makes a puzzle of the same name and its methods."""
    subject = target.subject
    if subject.problem is not None:
        fail(subject.problem)
    if not (subject.entries or subject.heuristics or subject.events or subject.others):
        fail(
            "it offers nothing: puzzlekit_puzzles, puzzlekit_heuristics or another hook, marked "
            "with @hookimpl, has to yield something"
        )
    for entry in subject.entries:
        solver = subject.solver(entry)
        puzzle, _ = solver.puzzle, solver.methods
        if puzzle.name != entry.name:
            fail(
                f"the entry {entry.name!r} makes a puzzle named {puzzle.name!r}: both names have "
                "to be the same, because tables and answers use the name of the puzzle"
            )


@check("importing it does no work", PLUGIN)
def imports(target: Target) -> None:
    """Importing the plugin opens no file, starts no process and imports no slow module."""
    module = _module(target)
    seen = import_freshly([module])
    if seen.problem:
        fail(f"importing {module} in a fresh process fails: {seen.problem}")
    if seen.told:
        event, *details = seen.told[0]
        fail(
            f"importing {module} does this: {event} {' '.join(map(str, details))}; do this work "
            "in the functions of the PuzzleEntry, which are called when the puzzle is needed"
        )
    slow = [name for name in _SLOW if name in seen.modules]
    if slow:
        fail(
            f"importing {module} imports {' and '.join(slow)}, which slows down every command: "
            "import it inside the functions that use it"
        )


@check("it imports public names only", PLUGIN)
def public(target: Target) -> None:
    """The plugin imports only names that puzzlekit and other plugins export."""
    for path in sources(_module(target)):
        for line, name in private_imports(path):
            fail(
                f"{path}, line {line}: {name} is not public and may change without notice; "
                "import what puzzlekit itself exports"
            )


@check("its heuristics give valid estimates", PLUGIN)
def heuristics(target: Target) -> None:
    """Integers and arrays give the same estimate, and admissible heuristics never overestimate."""
    if not target.subject.heuristics:
        skip("it offers no heuristics")
    for kind in target.subject.heuristics:
        if (problem := heuristic_fault(kind)) is not None:
            fail(problem)
        if kind().reads_state:
            _reads(target, kind)
        else:
            _joins(target, kind())


@check("its events have scrambles", PLUGIN)
def events(target: Target) -> None:
    """Puzzle, method and moves of an event exist. Families in `apart` commute with all others."""
    if not target.subject.events:
        skip("it offers no events")
    made = {entry.name: entry for entry in target.subject.entries}
    for event in target.subject.events:
        entry = made.get(event.puzzle)
        try:
            solver = load(event.puzzle) if entry is None else target.subject.solver(entry)
            _try_event(event, solver)
        except PuzzlekitError as error:
            fail(f"the event {event.name}: {error}")


def _try_event(event: Event, solver: Solver) -> None:
    """Use the names in an event, which raises the errors of its scrambles."""
    moves = event.moves
    for text in (event.before, *event.after):
        solver.puzzle.moves(text)
    if event.judge:
        solver.method(event.judge)
    if isinstance(moves, Pattern):
        if not moves.parts or not all(moves.parts) or moves.rounds < 1:
            fail(f"the event {event.name}: a pattern needs rounds, parts, and texts of each part")
        for text in dict.fromkeys(text for part in moves.parts for text in part):
            solver.puzzle.moves(text)
        return
    if isinstance(moves, RandomMoves):
        solver.puzzle.moves(moves.families)
        return
    method = solver.method(moves.method)
    if isinstance(moves, AtMost) and moves.strategy is not None:
        method = attrs.evolve(method, strategy=moves.strategy, profile="", larger=())
        Solver(solver.puzzle, (method,), solver.store)
    elif isinstance(moves, Exactly):
        _lists(event.name, moves, solver)


def _lists(event: str, moves: Exactly, solver: Solver) -> None:
    method, puzzle = solver.method(moves.method), solver.puzzle
    if len(method.phases) > 1:
        fail(f"the event {event}: the method {method.name} has several phases; it needs one")
    others = method.phases[0].allowed(puzzle)
    for apart in puzzle.family_moves(moves.apart.split()):
        if not all(puzzle.commute(apart, other) for other in others):
            fail(
                f"the event {event}: {apart.name}, named in apart, "
                "does not commute with all other moves"
            )


def _joins(target: Target, heuristic: Heuristic) -> None:
    import numpy as np

    for tables in (1, 2, 3, 5):
        vectors = [
            [target.random.randrange(26) for _ in range(tables)]
            for _ in range(target.effort.samples)
        ]
        alone = [heuristic.join(vector) for vector in vectors]
        arrays = [np.array(column) for column in zip(*vectors, strict=True)]
        together: Any = np.broadcast_to(heuristic.join(arrays), len(vectors))
        for vector, one, other in zip(vectors, alone, together.tolist(), strict=True):
            where = f"the heuristic {heuristic} joins the distances {vector}"
            if int(one) != int(other):
                fail(f"{where} to {one} as integers, but to {other} as arrays")
            if not 0 <= one < 1 << 16:
                fail(f"{where} to {one}: estimates are from 0 to 65,535")
            if heuristic.admissible and one > max(vector):
                fail(
                    f"{where} to {one}, which is more than the largest distance: it may "
                    "overestimate, so it cannot state admissible = True"
                )


def _reads(target: Target, kind: type[Heuristic]) -> None:
    """Check a heuristic that reads the state in the phases of the plugin that declare it."""
    for entry in target.subject.entries:
        solver = target.subject.solver(entry)
        for method in solver.methods:
            plan = method.plan(solver.puzzle, solver.metric(method.name), solver.store)
            for phase in method.phases:
                if isinstance(phase.heuristic, kind):
                    _reads_in(target, CompiledPhase(plan, phase, phase.heuristic))


def _reads_in(target: Target, ready: CompiledPhase) -> None:
    """Compare estimates of one state and of many, and with the cost of a way to the goal."""
    puzzle, moves, estimates = ready.resolved.puzzle, ready.resolved.moves, ready.state_estimates
    assert estimates is not None
    where = f"the heuristic {ready.phase.heuristic} of the phase {ready.phase.name}"
    states, costs = [puzzle.solved], [0]
    for number in range(target.effort.samples):
        state, cost = (states[-1], costs[-1]) if number % 20 else (puzzle.solved, 0)
        place = puzzle.place_of_guard(state)
        last = target.random.choice(
            [
                m
                for m, move in enumerate(moves)
                if move.guard_before < 0 or move.guard_after == place
            ]
        )
        states.append(act(state, *invert(moves[last].effect, puzzle.modulus), puzzle.modulus))
        costs.append(cost + ready.resolved.costs[last])
    for state, cost, estimate in zip(states, costs, estimates.of(states), strict=True):
        told = f"{where} is {estimate} for the state {state.hex()}"
        if [estimate] != (alone := estimates.of([state])):
            fail(f"{told} among others, but {alone[0]} for this state alone")
        if ready.admissible and estimate * ready.resolved.unit > cost:
            fail(
                f"{told}, which is {cost} from the goal: it overestimates, so it cannot state "
                "admissible = True"
            )


def _module(target: Target) -> str:
    """Return the name of the plugin's module. Skip the check if it cannot be imported."""
    module = target.subject.module
    if not is_importable(module):
        skip("its module cannot be imported by name")
    import_module(module)
    return module
