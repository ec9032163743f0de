"""A printable sheet of numbered scrambles with pictures of the scrambled puzzle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from string import Template

from puzzlekit.method.event import Event
from puzzlekit.picture.svg import draw_svg, pictures
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.version import __version__

_ROW = """<tr{kind}><td>{label}</td><td class="moves">{moves}</td><td>{picture}</td></tr>
"""


def sheet(event: Event, puzzle: Puzzle, scrambles: Mapping[str, Sequence[Move]], seed: int) -> str:
    """Return the sheet as HTML for A4 paper.

    `scrambles` maps labels to moves, in the order of the sheet. A label that does not begin with a
    digit marks an extra scramble, which is used for a repeated attempt.
    """
    rows = []
    extra = False
    for label, moves in scrambles.items():
        kind = "" if label[0].isdigit() else ' class="extra"' if extra else ' class="extra first"'
        extra = bool(kind)
        picture = ""
        if "net" in pictures(puzzle):
            state = puzzle.apply(puzzle.solved, moves)
            picture = draw_svg(puzzle, state, title=f"{puzzle.title} after scramble {label}")
        names = " ".join(f"<span>{escape(move.name)}</span>" for move in moves)
        rows.append(_ROW.format(kind=kind, label=label, moves=names, picture=picture))
    source = files("puzzlekit.templates").joinpath("scrambles.html.template").read_text("utf-8")
    return Template(source).substitute(
        title=escape(event.title),
        held=escape(f"Scramble with {event.held}." if event.held else ""),
        footer=f"{escape(event.title)}, seed {seed}, puzzlekit {__version__}",
        rows="".join(rows),
    )
