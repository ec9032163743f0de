"""What a text or a painted net says, also where it is not whole or not right."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from puzzlekit.errors import StateError
from puzzlekit.puzzle.facelets import UNKNOWN, FaceletLayout, facelets, fold, read_facelets
from puzzlekit.puzzle.painting import inspect
from puzzlekit.puzzle.position import read_position_with_scheme, stickers_in
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.puzzle.schemes import known
from puzzlekit.serve.records import layout_of
from puzzlekit.serve.refusal import fault_records


def read_state(puzzle: Puzzle, stickers: str, scheme: str | None) -> bytes:
    """The state that shows these stickers; a StateError names every fault."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the page shows how they are read
        return read_facelets(puzzle, stickers, scheme)


def diagnosis(puzzle: Puzzle, stickers: str, scheme: str | None) -> dict[str, Any]:
    """Everything that is wrong with painted stickers, and how little would mend it."""
    painting = inspect(puzzle, stickers, scheme)
    return {
        "counts": [
            {"symbol": symbol, "count": count, "expected": painting.expected[symbol]}
            for symbol, count in painting.counts.items()
        ],
        "unpainted": painting.unpainted,
        "faults": fault_records(painting.faults),
        "repairs": [
            {"words": each.words, "stickers": each.stickers, "changed": list(each.changed)}
            for each in painting.repairs
        ],
        "complete": not painting.unpainted,
        "solved": painting.state is not None and puzzle.is_solved(painting.state),
    }


def read_text(puzzle: Puzzle, text: str, scheme: str | None) -> dict[str, Any]:
    """What a text means: moves from the solved state, or stickers.

    Stickers of the right number are given back with their faults, or half painted, so that they can
    be shown and mended.
    """
    layout = layout_of(puzzle)
    symbols: Mapping[str, str] | None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        try:
            found = read_position_with_scheme(puzzle, text, scheme)
        except StateError:
            stickers = fold(layout, stickers_in(puzzle, text) or "")
            if len(stickers) != len(layout.face_of):
                raise
            likely = symbols = inspect(puzzle, stickers, scheme).symbols
            shown = "".join(likely.get(each, UNKNOWN) for each in stickers)
        else:
            symbols = found.symbols
            shown = facelets(puzzle, found.state)
    return {
        "kind": "moves" if symbols is None else "stickers",
        "facelets": shown,
        "symbols": None if symbols is None else dict(symbols),
        "scheme": _scheme(layout, symbols),
        "warnings": [str(each.message) for each in caught if each.category is UserWarning],
    }


def _scheme(layout: FaceletLayout, symbols: Mapping[str, str] | None) -> str | None:
    """The name of the colour scheme in which the symbols mean these faces."""
    _, *schemes = known(layout)
    named = zip(layout.schemes, schemes, strict=True)
    return next((name for name, own in named if own == symbols), None)
