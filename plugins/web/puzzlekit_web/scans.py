"""Measured colours of stickers, read by the plugin `colours` where it is installed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from puzzlekit import FaceletLayout, Puzzle, UsageError
from puzzlekit.plugins.manager import manager
from puzzlekit.puzzle.stickers import UNKNOWN
from puzzlekit_repairs import inspect

__all__ = ["READER", "read_scan", "reads_scans"]

READER = "colours"  # the plugin that reads scans
_PATIENCE = 10.0  # seconds from which on no other reading is tried


def reads_scans() -> bool:
    """Whether the plugin that reads scans is installed and not left out."""
    return any(each.name == READER for each in manager().plugins)


def read_scan(
    puzzle: Puzzle, colours: Sequence[Sequence[float]], scheme: str | None
) -> dict[str, Any]:
    """Return the most probable stickers found for measured colours, and those in doubt.

    `colours` has three numbers for each sticker, on any scale from 0. The answer has the `stickers`
    as symbols, the indices of those that are `mended`, the `doubts` with the odds, and the letters
    of faces that had been scanned another way up (`turned`).

    They are in the colours that were seen, however the puzzle was held, if the scheme has these
    colours and the puzzle can show them; otherwise in the colours of the scheme as if the puzzle
    was held as the solved one is. Raises a UsageError if the puzzle has no stickers, or the numbers
    are not those of all of them, and a StateError if no legal state is near the colours.
    """
    if not reads_scans():
        raise UsageError("colours are read by the plugin colours, which is not installed")
    from puzzlekit_colours import read_colours

    layout = puzzle.layout
    if layout is None:
        raise UsageError(f"{puzzle.name} has no stickers whose colours could be read")
    held = inspect(puzzle, UNKNOWN * len(layout.face_of), scheme).symbols
    symbols = {face: symbol for symbol, face in held.items()}
    found = read_colours(puzzle, colours, timeout=_PATIENCE)
    seen = _seen(layout, found.names, symbols)
    if seen and inspect(puzzle, _translated(found.stickers, seen), scheme).state is not None:
        symbols = seen
    return {
        "stickers": _translated(found.stickers, symbols),
        "doubts": [
            {
                "sticker": each.facelet,
                "read": symbols[each.read],
                "runner_up": symbols[each.runner_up],
                "odds": each.odds,
            }
            for each in found.doubts
        ],
        "mended": [each.facelet for each in found.mended],
        "turned": "".join(found.turned),
    }


def _seen(
    layout: FaceletLayout, names: dict[str, str], symbols: dict[str, str]
) -> dict[str, str] | None:
    """Return the symbol of the colour that each face has; None if the scheme has others."""
    usual = next(iter(layout.schemes.values()), "")
    if {*usual} != {*symbols.values()}:
        return None
    of_word = dict(zip(layout.colours, usual, strict=True))
    return {face: of_word[word] for face, word in names.items()}


def _translated(stickers: str, symbols: dict[str, str]) -> str:
    return "".join(symbols[letter] for letter in stickers)
