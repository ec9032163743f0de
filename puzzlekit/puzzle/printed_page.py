"""Pages for printing: numbered sequences of moves, each with a picture."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from importlib.resources import files
from string import Template

from puzzlekit.version import __version__

__all__ = ["printed_page", "row"]


def row(label: str, moves: Iterable[str], picture: str, *, note: str = "", kind: str = "") -> str:
    """Return one row of a page as HTML.

    Parameters
    ----------
    label
        The number of the row, in large letters.
    moves
        The names of the moves.
    picture
        The picture as SVG. Empty if the puzzle has no picture.
    note
        A line of text below the moves. Default: none.
    kind
        CSS classes of the row, which the template styles: "extra", "first". Default: none.
    """
    names = " ".join(f"<span>{escape(name)}</span>" for name in moves)
    below = f"<p>{escape(note)}</p>" if note else ""
    start = f'<tr class="{kind}">' if kind else "<tr>"
    cells = f'<td>{escape(label)}</td><td class="moves">{names}{below}</td><td>{picture}</td>'
    return f"{start}{cells}</tr>\n"


def printed_page(title: str, note: str, footer: str, rows: Iterable[str]) -> str:
    """Return a page for A4 paper as HTML.

    `note` stands below the title, and `footer` at the bottom of every sheet of paper, followed by
    the version of puzzlekit. `row` makes the rows.
    """
    source = files("puzzlekit.templates").joinpath("sheet.html.template").read_text("utf-8")
    return Template(source).substitute(
        title=escape(title),
        note=escape(note),
        footer=escape(f"{footer}, puzzlekit {__version__}"),
        rows="".join(rows),
    )
