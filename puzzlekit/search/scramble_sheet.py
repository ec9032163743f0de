"""A printable sheet of numbered scrambles with pictures of the scrambled puzzle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.printed_page import printed_page, row
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.puzzle.svg import draw_svg, pictures
from puzzlekit.search.event import Event


def sheet(event: Event, puzzle: Puzzle, scrambles: Mapping[str, Sequence[Move]], seed: int) -> str:
    """Return the sheet as HTML for A4 paper.

    `scrambles` maps labels to moves, in the order of the sheet. A label that does not begin with a
    digit marks an extra scramble, which is used for a repeated attempt.
    """
    rows = []
    extra = False
    for label, moves in scrambles.items():
        kind = "" if label[0].isdigit() else "extra" if extra else "extra first"
        extra = bool(kind)
        picture = ""
        if "net" in pictures(puzzle):
            state = puzzle.apply(puzzle.solved, moves)
            picture = draw_svg(puzzle, state, title=f"{puzzle.title} after scramble {label}")
        rows.append(row(label, [move.name for move in moves], picture, kind=kind))
    held = f"Scramble with {event.held}." if event.held else ""
    return printed_page(event.title, held, f"{event.title}, seed {seed}", rows)
