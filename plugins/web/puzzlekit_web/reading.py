"""Read texts and painted nets, which may be incomplete or faulty."""

from __future__ import annotations

import random
import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import attrs

from puzzlekit import Limits, NotationError, Puzzle, SearchOptions, Solver, StateError, UsageError
from puzzlekit.puzzle.diagnose import Fault
from puzzlekit.puzzle.net import facelets
from puzzlekit.puzzle.notation import Parentheses
from puzzlekit.puzzle.position import (
    Position,
    read_moves,
    read_position_with_scheme,
    stickers_in,
)
from puzzlekit.puzzle.schemes import usual_mappings
from puzzlekit.puzzle.stickers import UNKNOWN
from puzzlekit.search.options import MANY_BYTES, missing_bytes
from puzzlekit.search.scrambling import random_moves
from puzzlekit_pictures import draw_svg
from puzzlekit_repairs import inspect
from puzzlekit_steps.goal_text import read_stickers
from puzzlekit_web.bodies import (
    DrawRequest,
    PaintedStickers,
    RandomRequest,
    ScanRequest,
    SolveRequest,
    Text,
    VerifyRequest,
    WordsRequest,
)
from puzzlekit_web.faces import named
from puzzlekit_web.pieces import shown
from puzzlekit_web.records import layout_of, played, together
from puzzlekit_web.refusal import fault_records
from puzzlekit_web.scans import read_scan

_MOST_MOVES = 2000  # for display one by one
_one_at_a_time = threading.Lock()  # because the warnings of all threads are caught


def read_painted(puzzle: Puzzle, stickers: str, scheme: str | None) -> Position:
    """Return the state with these stickers. Raises a StateError that names every fault.

    Some stickers may be unpainted if the others determine them.
    """
    if puzzle.layout is None:
        return read_position_with_scheme(shown(puzzle), stickers)
    painting = inspect(puzzle, stickers, scheme)
    if painting.unpainted and len(painting.repairs) == 1:
        painting = inspect(puzzle, painting.repairs[0].stickers, scheme)
    if painting.state is None:
        count = painting.unpainted
        missing = [i for i, each in enumerate(painting.stickers) if each == UNKNOWN]
        several = "sticker is" if count == 1 else "stickers are"
        unpainted = [Fault(f"{count} {several} not painted yet", missing)] if count else []
        raise StateError([*unpainted, *named(puzzle, painting.faults)])
    return Position(painting.state, painting.symbols)


def fresh_seed() -> int:
    """Return a seed that nobody can predict."""
    return random.randrange(2**32)


def random_stickers(solver: Solver, seed: int | None) -> dict[str, Any]:
    """Return a random reachable state. The same seed gives the same state.

    Without a seed, if the moves to such a state need large tables that are missing, it is the state
    after random moves.
    """
    chosen = fresh_seed() if seed is None else seed
    large = not solver.gives_up and missing_bytes(solver.choose()) > MANY_BYTES
    if seed is None and large:
        moves = random_moves(solver, random.Random(chosen))
        found = facelets(shown(solver.puzzle), solver.state(moves))
        return {"facelets": found, "scramble": " ".join(moves)}
    found = facelets(shown(solver.puzzle), solver.random_state(chosen))
    return {"facelets": found, "seed": chosen}


def diagnosis(puzzle: Puzzle, stickers: str, scheme: str | None) -> dict[str, Any]:
    """Return all faults of painted stickers, and their repairs."""
    if puzzle.layout is None:
        return _diagnosis_of_text(puzzle, stickers)
    painting = inspect(puzzle, stickers, scheme)
    repairs = named(puzzle, [each.words for each in painting.repairs])
    return {
        "counts": [
            {"symbol": symbol, "count": count, "expected": painting.expected[symbol]}
            for symbol, count in painting.counts.items()
        ],
        "unpainted": painting.unpainted,
        "faults": fault_records(named(puzzle, painting.faults)),
        "repairs": [
            {"words": words, "stickers": each.stickers, "changed": list(each.changed)}
            for each, words in zip(painting.repairs, repairs, strict=True)
        ],
        "complete": not painting.unpainted,
        "solved": painting.state is not None and puzzle.is_solved(painting.state),
    }


def _diagnosis_of_text(puzzle: Puzzle, text: str) -> dict[str, Any]:
    faults: tuple[str, ...] = ()
    solved = False
    try:
        solved = puzzle.is_solved(read_painted(puzzle, text, None).state)
    except StateError as error:
        faults = tuple(error.faults)
    counted = {"counts": [], "unpainted": 0, "repairs": [], "complete": True}
    return counted | {"faults": fault_records(faults), "solved": solved}


def drawings(puzzle: Puzzle, frames: Sequence[str]) -> dict[str, Any]:
    """Return a picture of each state, as SVG."""
    if len(frames) > _MOST_MOVES + 1:
        raise UsageError(f"{len(frames):,} states: at most {_MOST_MOVES + 1:,} can be drawn")
    found = (read_painted(puzzle, each, None).state for each in frames)
    return {"pictures": [draw_svg(shown(puzzle), state) for state in found]}


def verification(
    puzzle: Puzzle, stickers: str, scheme: str | None, moves: str, parentheses: Parentheses = "ask"
) -> dict[str, Any]:
    """Return the effect of moves on a state, and whether the moves solve the state.

    Raises a NotationError if there are too many moves.
    """
    state = read_painted(puzzle, stickers, scheme).state
    done = read_moves(puzzle, moves, parentheses)
    if len(done) > _MOST_MOVES:
        raise NotationError(f"{len(done):,} moves: at most {_MOST_MOVES:,} can be shown")
    record = {
        "solved": puzzle.is_solved(puzzle.apply(state, done)),
        "moves": [move.name for move in done],
        "lengths": puzzle.lengths(done),
        **played(puzzle, state, done),
    }
    return together(puzzle, done, record)


def moves_in_words(
    puzzle: Puzzle, stickers: str, moves: Sequence[str], language: str
) -> dict[str, Any]:
    """Return what each move does, in words of the puzzle; "" if it has none."""
    if len(moves) > _MOST_MOVES:
        raise NotationError(f"{len(moves):,} moves: at most {_MOST_MOVES:,} can be shown")
    state = read_painted(puzzle, stickers, None).state
    found = []
    for text in moves:
        words = []
        for move in puzzle.moves(text):
            if puzzle.move_words is not None:
                words.append(puzzle.move_words(move, state, language))
            state = puzzle.apply(state, [move])
        found.append("; ".join(filter(None, words)))
    return {"words": found}


def read_text(puzzle: Puzzle, text: str, scheme: str | None) -> dict[str, Any]:
    """Return the stickers that a text describes: moves from the solved state, or stickers.

    Stickers of the right number are returned even if they are faulty or partly painted. The page
    can then show them for correction.
    """
    if puzzle.layout is None:
        return _read_without_stickers(puzzle, text)
    stickers = stickers_in(puzzle, text)
    symbols: Mapping[str, str] | None
    with _one_at_a_time, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        if stickers is not None and UNKNOWN in stickers:  # elsewhere it is an ordinary symbol
            letters, symbols = _painted(puzzle, stickers, scheme)
        else:
            try:
                state, symbols = read_position_with_scheme(puzzle, text, scheme)
                letters = facelets(puzzle, state)
            except StateError:
                letters, symbols = _painted(puzzle, stickers or "", scheme)
    _, *usual = usual_mappings(layout_of(puzzle))
    named = zip(layout_of(puzzle).schemes, usual, strict=True)
    return {
        "kind": "moves" if symbols is None else "stickers",
        "facelets": letters,
        "symbols": None if symbols is None else dict(symbols),
        "scheme": next((name for name, own in named if own == symbols), None),
        "warnings": [
            *(str(each.message) for each in caught if each.category is UserWarning),
            *(_small_letters(puzzle, text) if symbols is None else ()),
        ],
    }


def _small_letters(puzzle: Puzzle, text: str) -> list[str]:
    """Return a warning if moves are in small letters, with which people may mean capital ones."""
    if not text.islower():
        return []
    with suppress(NotationError):
        own, other = puzzle.moves(text), puzzle.moves(text.upper())
        for one, meant in zip(own, other, strict=False):
            if one.family != meant.family:
                letter = next(each for each in text if each.isalpha())
                what = f"{letter} is not {letter.upper()}"
                return [f"small letters turn other layers than capital ones: {what}"]
    return []


def _read_without_stickers(puzzle: Puzzle, text: str) -> dict[str, Any]:
    with _one_at_a_time, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        state = read_position_with_scheme(shown(puzzle), text).state
    return {
        "kind": "moves" if stickers_in(shown(puzzle), text) is None else "stickers",
        "facelets": facelets(shown(puzzle), state),
        "symbols": None,
        "scheme": None,
        "warnings": [str(each.message) for each in caught if each.category is UserWarning],
    }


def _painted(puzzle: Puzzle, stickers: str, scheme: str | None) -> tuple[str, Mapping[str, str]]:
    """The face of each sticker if it is known, and the face of each symbol."""
    painting = inspect(puzzle, stickers, scheme)
    symbols = painting.symbols
    return "".join(symbols.get(each, UNKNOWN) for each in painting.stickers), symbols


def _of_puzzle(answer: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    def of_solver(solver: Solver, **asked: Any) -> dict[str, Any]:
        return answer(solver.puzzle, **asked)

    return of_solver


#: For each question about a puzzle: the class of its body, and the function that answers the
#: question. The function is called with the solver of the puzzle and the fields of the body.
ANSWERS: dict[str, tuple[type[attrs.AttrsInstance], Callable[..., dict[str, Any]]]] = {
    "diagnose": (PaintedStickers, _of_puzzle(diagnosis)),
    "draw": (DrawRequest, _of_puzzle(drawings)),
    "random": (RandomRequest, random_stickers),
    "read": (Text, _of_puzzle(read_text)),
    "scan": (ScanRequest, _of_puzzle(read_scan)),
    "verify": (VerifyRequest, _of_puzzle(verification)),
    "words": (WordsRequest, _of_puzzle(moves_in_words)),
}


def search_of(
    solver: Solver, asked: SolveRequest, symbols: Mapping[str, str] | None
) -> tuple[SearchOptions, Limits]:
    """Return the options and limits of a request. `symbols` are those of the state to solve.

    Raises a UsageError or a StateError if the stickers of a goal cannot be read.
    """
    if asked.goal in solver.catalogue.goals:
        options = SearchOptions(None, asked.heuristic, asked.metric, goal=asked.goal)
    elif asked.goal is not None:
        stickers = asked.goal.replace(UNKNOWN, ".")
        goal = read_stickers(solver.puzzle, stickers, asked.scheme, symbols=symbols)
        options = SearchOptions(None, asked.heuristic, asked.metric, goal=goal)
    else:
        options = SearchOptions(asked.method, asked.heuristic, asked.metric)
    return options, Limits(asked.max_length, asked.timeout)
