"""A sheet of scrambles to be printed: numbered, with pictures of what they lead to."""

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
    """The sheet as HTML, for paper of the size A4.

    `scrambles` are in the order of the sheet, by their labels; labels that do not begin with a
    digit are of extra scrambles, for attempts that are repeated.
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
