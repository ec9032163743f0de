"""Checks of a plugin: loading, importing, heuristics and events."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import attrs

from puzzlekit.errors import PuzzlekitError
from puzzlekit.plugins.manager import load
from puzzlekit.search.estimates import heuristic_fault
from puzzlekit.search.event import AtMost, Event, Exactly, RandomMoves
from puzzlekit.search.heuristic import Heuristic
from puzzlekit.search.solver import Solver
from puzzlekit.testing.check import PLUGIN, check, fail, skip
from puzzlekit.testing.imports import import_freshly, private_imports, sources
from puzzlekit.testing.target import Target, is_importable

_SLOW = ("numpy", "matplotlib", "rich", "pytest")


@check("it can be loaded", PLUGIN)
def loads(target: Target) -> None:
    """The hooks yield entries, and each entry makes a puzzle of the same name and its methods."""
    subject = target.subject
    if subject.problem is not None:
        fail(subject.problem)
    if not subject.entries and not subject.heuristics and not subject.events:
        fail(
            "it offers nothing: puzzlekit_puzzles, puzzlekit_heuristics or puzzlekit_events, "
            "marked with @hookimpl, has to yield something"
        )
    for entry in subject.entries:
        puzzle = subject.solver(entry).puzzle
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


def _module(target: Target) -> str:
    """Return the name of the plugin's module. Skip the check if it cannot be imported."""
    module = target.subject.module
    if not is_importable(module):
        skip("its module cannot be imported by name")
    import_module(module)
    return module
