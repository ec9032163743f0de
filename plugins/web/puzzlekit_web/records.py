"""Puzzles, states and solutions as the JSON objects of the API (see `document`)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from itertools import accumulate, pairwise
from random import Random
from typing import Any

from puzzlekit import (
    FaceletLayout,
    Method,
    Move,
    Puzzle,
    PuzzlekitError,
    Solution,
    Solver,
    available,
    heuristics,
    load,
)
from puzzlekit.plugins.manager import manager
from puzzlekit.puzzle.net import facelets
from puzzlekit.puzzle.symmetry import setup_moves
from puzzlekit.search.heuristic import format_heuristics
from puzzlekit.search.limits import BoundReport
from puzzlekit.search.scrambling import random_moves
from puzzlekit.search.solution import SCHEMA
from puzzlekit_steps import StepReport, StepSolution
from puzzlekit_web.faces import face_names, named
from puzzlekit_web.pieces import shown
from puzzlekit_web.scans import reads_scans

_MOST_TURNS = 120  # buttons


@cache
def puzzles_shown() -> tuple[str, ...]:
    """Return the names of the puzzles that the page shows. Broken puzzles are left out.

    These puzzles have a net to paint, or states in a text of their own, with a picture. Of a family
    of puzzles, there are those that it calls popular.
    """
    painted, written = [], []
    popular = [each for family in manager().families() for each in family.popular]
    for each in (*available(), *popular):
        try:
            puzzle = load(each).puzzle
        except PuzzlekitError:
            continue
        if puzzle.layout is not None and puzzle.layout.net:
            painted.append(each)
        elif puzzle.layout is None and puzzle.has_facelets:
            written.append(each)
    return (*painted, *written)


def list_record() -> dict[str, Any]:
    """Return the JSON object of the puzzles."""
    found = [{"name": each, "title": load(each).puzzle.title} for each in puzzles_shown()]
    return {"puzzles": found, "files": []}


@cache
def known_record(solver: Solver) -> dict[str, Any]:
    """Return the JSON object of a puzzle of a plugin. It is made once."""
    return puzzle_record(solver)


def puzzle_record(solver: Solver) -> dict[str, Any]:
    """Return the JSON object of a puzzle that the page shows."""
    puzzle = solver.puzzle
    return {
        "name": puzzle.name,
        "title": puzzle.title,
        "written": puzzle.layout is None,
        **(_WITHOUT_STICKERS if puzzle.layout is None else _sticker_record(puzzle, puzzle.layout)),
        "solved": facelets(shown(puzzle), puzzle.solved),
        "opened": False,
        "turns": _turns(puzzle) if puzzle.layout is None else [],
        "slides": _slides(puzzle),
        "in_words": puzzle.move_words is not None,
        "example": _example(solver),
        "methods": [_method_record(solver, method) for method in solver.methods],
        "takes_goals": puzzle.layout is not None and not puzzle.restricted,
        "goals": [] if puzzle.restricted else _goals(solver),
        "step_methods": [
            {
                "name": each.name,
                "title": each.title,
                "metric": puzzle.metric(each.metric or None).name,
                "steps": [step.name for step in each.steps],
            }
            for each in solver.catalogue.step_methods.values()
        ],
    }


# The record of a puzzle whose states are written in another way than by stickers.
_WITHOUT_STICKERS: dict[str, Any] = {
    "longitude": 0,
    "faces": "",
    "face_of": [],
    "net": [],
    "drawing": None,
    "face_names": [],
    "facelet_names": [],
    "schemes": [],
    "colours": [],
    "centers": [],
    "solid": None,
    "scans": False,
}


def _sticker_record(puzzle: Puzzle, layout: FaceletLayout) -> dict[str, Any]:
    from puzzlekit_web.solid import solid_record  # NumPy, which an exported site does without

    return {
        "longitude": layout.longitude,
        "faces": layout.faces,
        "face_of": list(layout.face_of),
        "net": [list(row) for row in layout.net],
        "drawing": _drawing(layout),
        "face_names": face_names(puzzle),
        "facelet_names": named(puzzle, map(layout.name, range(len(layout.face_of)))),
        "schemes": [{"name": name, "symbols": symbols} for name, symbols in layout.schemes.items()],
        "colours": list(layout.colours),
        "centers": _centers(puzzle, layout),
        "solid": solid_record(puzzle, layout),
        "scans": reads_scans(),
    }


def _turns(puzzle: Puzzle) -> list[str]:
    """Return the names of moves for buttons: each family one step forwards, and one back."""
    found: list[Move] = []
    for family in puzzle.families:
        # Pieces in rows look alike however they are held; what a plugin draws may have a back.
        if puzzle.has_facelets or family not in puzzle.rotations:
            own = puzzle.family_moves([family])
            found += own[:1] if len(own) == 1 else [own[0], own[-1]]
    return [puzzle.text([move]) for move in found[:_MOST_TURNS]]


def _slides(puzzle: Puzzle) -> dict[str, Any] | None:
    """Return for each place of the blank the moves, and the places to which they bring it."""
    guarded = puzzle.guarded
    if guarded is None or puzzle.grid is None:
        return None
    moves = [
        {move.name: case.guard_after for move in guarded.moves.values() if (case := move.cases[at])}
        for at in range(guarded.size)
    ]
    return {"blank": str(guarded.label), "columns": puzzle.grid.columns, "moves": moves}


def _goals(solver: Solver) -> list[dict[str, str]]:
    return [{"name": n, "title": goal.words} for n, goal in solver.catalogue.goals.items()]


def _drawing(layout: FaceletLayout) -> dict[str, Any] | None:
    """Return the outlines of the net that a plugin draws itself; None for a net of rows.

    An outline is a list of points (x, y). The unit is about the width of a sticker.
    """
    own = next((each for each in layout.pictures() if each.name == "net"), None)
    if own is None:
        return None
    drawn = own.draw(layout)
    return {
        "stickers": [[facelet, [*map(list, outline)]] for facelet, outline in drawn.stickers],
        "plates": [[*map(list, outline)] for outline in drawn.plates],
    }


def _centers(puzzle: Puzzle, layout: FaceletLayout) -> list[int]:
    """The facelets whose colours depend only on how the puzzle is held.

    These facelets belong to frames whose pieces have one sticker and no orientations.
    """
    still = [name for name in puzzle.frames if puzzle.orbit(name).orientations == 1]
    return [place[0] for name in still for place in layout.places[name] if len(place) == 1]


def scheme_records(layout: FaceletLayout) -> list[dict[str, Any]]:
    """Return the colour schemes, with the colour of each symbol in words."""
    usual = next(iter(layout.schemes.values()), layout.faces)
    words = dict(zip(usual, layout.colours, strict=True))
    return [
        {
            "name": name,
            "symbols": symbols,
            "colours": {symbol: words.get(symbol, symbol) for symbol in symbols},
        }
        for name, symbols in layout.schemes.items()
    ]


def layout_of(puzzle: Puzzle) -> FaceletLayout:
    """Return the layout of a puzzle that is known to have a layout."""
    assert puzzle.layout is not None
    return puzzle.layout


def played(puzzle: Puzzle, state: bytes, moves: Sequence[Move]) -> dict[str, Any]:
    """Return the JSON object of some moves.

    The object has the stickers before the first move and after each move, the inverse of the moves,
    and the moves that set up the state.
    """
    setup = setup_moves(puzzle, state, moves)
    states = accumulate(moves, lambda each, move: puzzle.apply(each, [move]), initial=state)
    return {
        "frames": [facelets(shown(puzzle), each) for each in states],
        "inverse": puzzle.text(puzzle.undo(moves)),
        "setup": None if setup is None else puzzle.text(setup),
    }


def together(puzzle: Puzzle, moves: Sequence[Move], record: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON object of some moves with those as one that are written together: (3,-1)."""
    if not puzzle.grouped:
        return record
    ends: list[int] = []
    families: set[str] = set()
    for number, move in enumerate(moves):
        if move.family in families or not {move.family, *families} <= {*puzzle.grouped}:
            ends += [number] if number else []
            families = set()
        families.add(move.family)
    ends += [len(moves)] if moves else []
    bounds = [0, *ends]
    parts = [
        part | {key: bisect_left(bounds, part[key]) for key in ("first", "last")}
        for part in record.get("parts", ())
    ]
    return record | {
        "moves": [puzzle.text(moves[one:other]) for one, other in pairwise(bounds)],
        "frames": [record["frames"][each] for each in bounds],
        **({"parts": parts} if parts else {}),
    }


def answer_record(solver: Solver, solution: Solution) -> dict[str, Any]:
    """Return the JSON object of a solution, with the stickers after each move."""
    record = {
        **solution.to_dict(),
        **played(solver.puzzle, solution.state, solution.sequence),
        "parts": parts_records(solution),
    }
    return together(solver.puzzle, solution.sequence, record)


def steps_record(solver: Solver, found: StepSolution) -> dict[str, Any]:
    """Return the JSON object of an answer of a step method, with the fields of `answer_record`.

    Its phases are the steps, and so are its parts. A method that also solves the inverse has one
    part.
    """
    puzzle, moves = found.puzzle, found.sequence
    seconds = round(found.cpu_seconds, 6)
    parts = [(found.method.name, found.method.title, 0, len(moves))]
    if found.ends:
        names = [(step.algorithm or step.name, step.goal) for step in found.steps]
        starts = (0, *found.ends)
        parts = [(*names[i], starts[i], end) for i, end in enumerate(found.ends)]
    keys = ("name", "goal", "first", "last")
    return {
        "schema": SCHEMA,
        "puzzle": puzzle,
        "method": found.method.name,
        "heuristic": "",
        "metric": found.metric,
        "profile": "",
        "state": facelets(shown(solver.puzzle), found.state),
        "solution": str(found),
        "moves": [move.name for move in moves],
        "steps": [],
        "length": found.length,
        "lengths": solver.puzzle.lengths(moves),
        "phases": [_step_record(step) for step in found.steps],
        "nodes": sum(step.nodes for step in found.steps),
        "expanded": 0,
        "seconds": seconds,
        "cpu_seconds": seconds,
        "improvements": [],
        "optimal": False,
        "at_least": 0,
        "verified": True,
        "goal": None,
        **played(solver.puzzle, found.state, moves),
        "parts": [dict(zip(keys, part, strict=True)) | {"direct": True} for part in parts],
    }


def _step_record(step: StepReport) -> dict[str, Any]:
    """Return the JSON object of a step. The rotation before the step is one of its moves."""
    return {
        "name": step.name,
        "goal": f"{step.goal}, on the inverse" if step.inverse else step.goal,
        "moves": [*step.hold.split(), *step.moves],
        "length": step.length,
        "nodes": step.nodes,
        "expanded": 0,
        "seconds": 0.0,
        "optimal": step.optimal,
    }


def bound_record(report: BoundReport) -> dict[str, Any]:
    """Return the JSON object of a completed bound."""
    record = report._asdict() | {"seconds": round(report.seconds, 6)}
    del record["next_seconds"]
    return record


def parts_records(solution: Solution) -> list[dict[str, Any]]:
    """Return for each phase the range of its moves in the solution, as JSON objects."""
    ends = list(accumulate(len(phase.merged) for phase in solution.phases))
    return [
        {
            "name": phase.name,
            "goal": phase.goal_words,
            "direct": phase.direct,
            "first": end - len(phase.merged),
            "last": end,
        }
        for phase, end in zip(solution.phases, ends, strict=True)
    ]


def _method_record(solver: Solver, method: Method) -> dict[str, Any]:
    chosen = method.heuristics()
    usual = format_heuristics(chosen, chosen)
    return {
        "name": method.name,
        "title": method.title,
        "default": method is solver.method(),
        "improves": method.strategy.improves,
        "metrics": [metric.name for metric in solver.catalogue.metrics(method.name)],
        "heuristics": [usual, *(name for name in _heuristics(method) if name != usual)],
    }


def _heuristics(method: Method) -> list[str]:
    """The names of the heuristics that every phase supports (see `CompiledPhase`)."""
    phases = [*method.phases, *(phase for each in method.larger for phase in each.phases)]
    if any(phase.turned for phase in phases):
        return ["max"]
    bounds = method.strategy.needs_bounds
    reads = method.strategy.takes_state_heuristics
    return [
        each.name
        for each in heuristics()
        if (each.admissible or not bounds) and (reads or not each.reads_state)
    ]


def _example(solver: Solver) -> str:
    puzzle = solver.puzzle
    if puzzle.guarded is not None:
        return " ".join(random_moves(solver, Random(1), 5))
    families = [each for each in puzzle.turns if each not in puzzle.rotations]
    moves = [puzzle.family_moves([each]) for each in families[:5]]
    return puzzle.text(own[i % len(own)] for i, own in enumerate(moves))
