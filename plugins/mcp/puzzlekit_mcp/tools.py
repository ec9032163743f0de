"""The tools of the server: what assistants are told of them, and what they do."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from puzzlekit import Solver, StateError, UsageError

__all__ = ["TOOLS", "Result", "Tool"]

_LONGEST = 600.0  # seconds of a search
_MOST = 100  # scrambles


class Result(NamedTuple):
    """What a tool returns: text for people and models, and the same as an object."""

    text: str
    record: dict[str, Any]


class Tool(NamedTuple):
    """A tool: its description, the JSON Schema of its arguments, and its function."""

    description: str
    properties: dict[str, dict[str, Any]]
    required: tuple[str, ...]
    call: Callable[[Mapping[str, Any], threading.Event], Result]

    def record(self, name: str) -> dict[str, Any]:
        """Return the object that describes the tool to a client."""
        schema: dict[str, Any] = {"type": "object", "properties": self.properties}
        schema |= {"required": list(self.required), "additionalProperties": False}
        hints = {"readOnlyHint": True, "openWorldHint": False}
        return {
            "name": name,
            "description": self.description,
            "inputSchema": schema,
            "annotations": hints,
        }

    def check(self, given: Mapping[str, Any]) -> None:
        """Raise a UsageError that names a missing, unknown or wrong argument."""
        for name in self.required:
            if name not in given:
                raise UsageError(f"the argument {name} is missing")
        kinds = {"string": str, "integer": int, "number": (int, float)}
        for name, value in given.items():
            if name not in self.properties:
                known = ", ".join(self.properties) or "none"
                raise UsageError(f"there is no argument {name!r}; the arguments are {known}")
            stated = self.properties[name]
            kind: Any = kinds[stated["type"]]
            if not isinstance(value, kind) or isinstance(value, bool):
                raise UsageError(f"the argument {name} has to be of the type {stated['type']}")
            low, high = stated.get("minimum", value), stated.get("maximum", value)
            if not low <= value <= high:
                raise UsageError(f"the argument {name} has to be from {low} to {high}")


def _puzzles(_: Mapping[str, Any], __: threading.Event) -> Result:
    from puzzlekit.plugins.manager import manager

    found = [{"name": each.name, "title": each.title} for each in manager().entries()]
    families = [
        {"name": each.name, "title": each.title, "sizes": each.sizes}
        for each in manager().families()
    ]
    lines = [f"{each['name']}: {each['title']}" for each in [*found, *families]]
    return Result("\n".join(lines), {"puzzles": found, "families": families})


def _load(given: Mapping[str, Any]) -> Solver:
    from puzzlekit import load

    return load(given["puzzle"])


def _search(given: Mapping[str, Any], cancel: threading.Event) -> Any:
    solver = _load(given)
    asked = {
        name: given[name] for name in ("method", "metric", "goal", "max_length") if name in given
    }
    timeout = given.get("timeout", 10)
    return solver, solver.solve(given["position"], timeout=timeout, cancel=cancel, **asked)


def _solve(given: Mapping[str, Any], cancel: threading.Event) -> Result:
    from puzzlekit.cli.answers import summary

    solver, solution = _search(given, cancel)
    return Result(summary(solver, solution), solution.to_dict())


def _explain(given: Mapping[str, Any], cancel: threading.Event) -> Result:
    from puzzlekit.cli.answers import explain

    solver, solution = _search(given, cancel)
    return Result(explain(solver, solution, coloured=False), solution.to_dict())


def _check(given: Mapping[str, Any], _: threading.Event) -> Result:
    from puzzlekit_repairs import repairs_of_text

    solver = _load(given)
    puzzle = solver.puzzle
    try:
        state = solver.positions.read_position(given["position"]).state
    except StateError as error:
        faults = [str(each) for each in error.faults]
        repairs = [each.words for each in repairs_of_text(puzzle, given["position"])]
        lines = [f"fault: {each}" for each in faults] + [f"repair: {each}" for each in repairs]
        return Result("\n".join(lines), {"possible": False, "faults": faults, "repairs": repairs})
    solved = puzzle.is_solved(state)
    text = f"the {puzzle.title} can be in this state{' and is solved' if solved else ''}"
    net = solver.net(state) if puzzle.has_facelets else ""
    record = {"possible": True, "faults": [], "repairs": [], "solved": solved}
    return Result(f"{text}\n{net}".strip(), record)


def _scramble(given: Mapping[str, Any], _: threading.Event) -> Result:
    from random import Random

    solver = _load(given)
    rng = Random(given["seed"]) if "seed" in given else Random()
    found = [solver.scramble(rng) for _ in range(given.get("count", 1))]
    return Result("\n".join(found), {"scrambles": found})


_PUZZLE = {
    "type": "string",
    "description": "The name of a puzzle, such as cube3, 3x3x3, pyraminx or fifteen; the tool "
    "puzzles lists them.",
}
_POSITION = {
    "type": "string",
    "description": "A scramble such as R U2 F', or the stickers face by face in the order "
    "U R F D L B, one symbol each (for sliding tiles: the numbers row by row, 0 for the blank).",
}
_SEARCH: dict[str, dict[str, Any]] = {
    "puzzle": _PUZZLE,
    "position": _POSITION,
    "method": {
        "type": "string",
        "description": "The method, such as optimal, which proves that its answer is shortest. "
        "Default: the method that answers soon.",
    },
    "metric": {"type": "string", "description": "What counts as one move, such as HTM or QTM."},
    "goal": {"type": "string", "description": "A goal instead of the solved state, such as cross."},
    "max_length": {"type": "integer", "minimum": 0, "description": "The highest allowed length."},
    "timeout": {
        "type": "number",
        "minimum": 0.01,
        "maximum": _LONGEST,
        "description": "Seconds after which the best answer so far is returned. Default: 10.",
    },
}

#: The tools by name.
TOOLS = {
    "puzzles": Tool("List the puzzles that can be solved here.", {}, (), _puzzles),
    "solve": Tool(
        "Solve a position. The moves were replayed on the position; whether their number is proven "
        "to be the smallest is said with them.",
        _SEARCH,
        ("puzzle", "position"),
        _solve,
    ),
    "check": Tool(
        "Say whether a puzzle can be in a position; if not, name every fault, and the smallest "
        "changes of stickers that remove all of them.",
        {"puzzle": _PUZZLE, "position": _POSITION},
        ("puzzle", "position"),
        _check,
    ),
    "scramble": Tool(
        "Make scrambles that lead to random states, all equally likely.",
        {
            "puzzle": _PUZZLE,
            "count": {
                "type": "integer",
                "minimum": 1,
                "maximum": _MOST,
                "description": "How many.",
            },
            "seed": {"type": "integer", "description": "The same seed gives the same scrambles."},
        },
        ("puzzle",),
        _scramble,
    ),
    "explain": Tool(
        "Solve a position, and explain the answer phase by phase: the goal, the moves and the "
        "puzzle after each phase.",
        _SEARCH,
        ("puzzle", "position"),
        _explain,
    ),
}
