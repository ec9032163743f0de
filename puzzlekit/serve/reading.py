"""What a text or a painted net says, also where it is not whole or not right."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from puzzlekit.errors import StateError
from puzzlekit.puzzle.facelets import facelets, fold, read_facelets
from puzzlekit.puzzle.position import read_position_with_scheme
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.serve.records import layout_of
from puzzlekit.serve.refusal import fault_records

UNPAINTED = "?"


def diagnosis(puzzle: Puzzle, stickers: str, scheme: str | None) -> dict[str, Any]:
    """Everything that is wrong with painted stickers, and how little would mend it."""
    layout = layout_of(puzzle)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            state: bytes | None = read_facelets(puzzle, stickers, scheme)
            faults: list[str] = []
        except StateError as error:
            state, faults = None, error.faults
    if UNPAINTED in stickers:
        faults = []
    symbols = dict.fromkeys(each for each in stickers if each != UNPAINTED)
    return {
        "counts": [
            {
                "symbol": each,
                "count": stickers.count(each),
                "expected": len(layout.face_of) // len(layout.faces),
            }
            for each in symbols
        ],
        "unpainted": stickers.count(UNPAINTED),
        "faults": fault_records(faults),
        "repairs": [],
        "complete": UNPAINTED not in stickers,
        "solved": state is not None and puzzle.is_solved(state),
    }


def read_text(puzzle: Puzzle, text: str, scheme: str | None) -> dict[str, Any]:
    """What a text means: moves from the solved state, or stickers, which may be faulty."""
    layout = layout_of(puzzle)
    symbols: Mapping[str, str] | None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        try:
            found = read_position_with_scheme(puzzle, text, scheme)
        except StateError:
            stickers = fold(layout, text.removeprefix("state:"))
            if len(stickers) != len(layout.face_of):
                raise
            likely = symbols = _likely(puzzle, stickers)
            shown = "".join(likely.get(each, UNPAINTED) for each in stickers)
        else:
            symbols = found.symbols
            shown = facelets(puzzle, found.state)
    return {
        "kind": "moves" if symbols is None else "stickers",
        "facelets": shown,
        "symbols": None if symbols is None else dict(symbols),
        "scheme": _scheme_name(puzzle, symbols),
        "warnings": [str(each.message) for each in caught],
    }


def _likely(puzzle: Puzzle, stickers: str) -> Mapping[str, str]:
    """The symbols that explain most of the stickers: face letters, or those of a scheme."""
    layout = layout_of(puzzle)
    known = [layout.faces, *(fold(layout, each) for each in layout.schemes.values())]
    best = max(known, key=lambda symbols: sum(each in symbols for each in stickers))
    return dict(zip(best, layout.faces, strict=True))


def _scheme_name(puzzle: Puzzle, symbols: Mapping[str, str] | None) -> str | None:
    layout = layout_of(puzzle)
    for name, letters in layout.schemes.items():
        if symbols == dict(zip(fold(layout, letters), layout.faces, strict=True)):
            return name
    return None
