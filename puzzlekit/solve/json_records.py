"""Answers as JSON objects (schema/solve.schema.json)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from puzzlekit.errors import NoSolutionError, NotationError, PuzzlekitError, StateError, UsageError
from puzzlekit.position.facelets import facelets
from puzzlekit.solve.goal_words import goal_words

if TYPE_CHECKING:
    from puzzlekit.puzzle.puzzle import Puzzle
    from puzzlekit.solve.solution import Solution
    from puzzlekit.solve.solver import Solver

SCHEMA = "puzzlekit.solve/1"

_KINDS = {
    NoSolutionError: "unsolved",
    NotationError: "notation",
    StateError: "state",
    UsageError: "usage",
}


def as_json(record: dict[str, Any]) -> str:
    """Return a record as one line of JSON in ASCII."""
    import json

    return json.dumps(record, allow_nan=False)


def written(puzzle: Puzzle, state: bytes) -> str:
    """Return a state as text for JSON objects: facelets, numbers, or bytes in hexadecimal."""
    return facelets(puzzle, state) if puzzle.has_facelets else state.hex()


def solution_record(solver: Solver, solution: Solution) -> dict[str, Any]:
    """Return the JSON object of a solution."""
    return {
        "schema": SCHEMA,
        "puzzle": solution.puzzle,
        "method": solution.method,
        "heuristic": solution.heuristic,
        "metric": solution.metric,
        "profile": solution.profile,
        "state": written(solver.puzzle, solution.state),
        "solution": str(solution),
        "moves": list(solution.moves),
        "steps": [{"moves": list(moves), "cost": cost} for moves, cost in solution.steps],
        "length": solution.length,
        "lengths": solution.lengths,
        "phases": [
            {
                "name": phase.name,
                "goal": goal_words(phase),
                "moves": list(phase.moves),
                "length": phase.length,
                "nodes": phase.nodes,
                "expanded": phase.expanded,
                "seconds": round(phase.seconds, 6),
                "optimal": phase.optimal,
            }
            for phase in solution.phases
        ],
        "nodes": solution.nodes,
        "expanded": solution.expanded,
        "seconds": round(solution.seconds, 6),
        "cpu_seconds": round(solution.cpu_seconds, 6),
        "improvements": [
            {"seconds": round(seconds, 6), "length": length}
            for seconds, length in solution.improvements
        ],
        "optimal": solution.optimal,
        "at_least": solution.at_least,
        "verified": solution.verified,
        "goal": _goal_record(solution),
    }


def _goal_record(solution: Solution) -> dict[str, str] | None:
    """Return the JSON object of a goal; None if the whole puzzle is solved."""
    if not solution.goal:
        return None
    return {
        "name": solution.goal,
        "words": solution.goal_words,
        "after": solution.goal_after,
    }


def error_kind(error: PuzzlekitError) -> str:
    """Return the kind of an error as a word for programs."""
    words = (word for kind, word in _KINDS.items() if isinstance(error, kind))
    return next(words, "environment")


def error_record(puzzle: str, error: PuzzlekitError) -> dict[str, Any]:
    """Return the JSON object of a position that cannot be read or solved."""
    record: dict[str, Any] = {
        "schema": SCHEMA,
        "puzzle": puzzle,
        "error": str(error),
        "kind": error_kind(error),
    }
    if isinstance(error, StateError):
        record["faults"] = error.faults
    elif isinstance(error, NotationError) and error.column:
        record["column"] = error.column
        record["token"] = error.token
    return record
