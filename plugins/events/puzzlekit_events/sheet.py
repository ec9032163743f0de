"""Pages for printing: numbered sequences of moves, each with a picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from string import Template

from puzzlekit import Puzzle, __version__
from puzzlekit_events.event import Event
from puzzlekit_pictures import draw_svg, pictures

__all__ = ["printed_page", "row"]


def scramble_sheet(
    event: Event, puzzle: Puzzle, scrambles: Mapping[str, Sequence[str]], seed: int
) -> str:
    """Return a sheet of scrambles with pictures of the scrambled puzzle, as HTML for A4 paper.

    `scrambles` maps labels to the lines of scrambles, in the order of the sheet. A label that does
    not begin with a digit marks an extra scramble, which is used for a repeated attempt.
    """
    rows = []
    extra = False
    for label, lines in scrambles.items():
        kind = "" if label[0].isdigit() else "extra" if extra else "extra first"
        extra = bool(kind)
        picture = ""
        if "net" in pictures(puzzle):
            state = puzzle.apply(puzzle.solved, puzzle.moves(" ".join(lines)))
            picture = draw_svg(puzzle, state, title=f"{puzzle.title} after scramble {label}")
        rows.append(row(label, _words(lines), picture, kind=kind))
    held = f"Scramble with {event.held}." if event.held else ""
    return printed_page(event.title, held, f"{event.title}, seed {seed}", rows)


def _words(lines: Sequence[str]) -> Iterator[str]:
    """Yield the words of a scramble, which may break after a slash, and a line end after a line."""
    for number, line in enumerate(lines):
        if number:
            yield "\n"
        yield from line.replace("/(", "/ (").split()


def row(label: str, moves: Iterable[str], picture: str, *, note: str = "", kind: str = "") -> str:
    """Return one row of a page as HTML.

    Parameters
    ----------
    label
        The number of the row, in large letters.
    moves
        The names of the moves. A line end begins a new line.
    picture
        The picture as SVG. Empty if the puzzle has no picture.
    note
        A line of text below the moves. Default: none.
    kind
        CSS classes of the row, which the template styles: "extra", "first". Default: none.
    """
    names = " ".join("<br>" if name == "\n" else f"<span>{escape(name)}</span>" for name in moves)
    style = "moves lines" if "<br>" in names else "moves"
    below = f"<p>{escape(note)}</p>" if note else ""
    start = f'<tr class="{kind}">' if kind else "<tr>"
    cells = f'<td>{escape(label)}</td><td class="{style}">{names}{below}</td><td>{picture}</td>'
    return f"{start}{cells}</tr>\n"


def printed_page(title: str, note: str, footer: str, rows: Iterable[str]) -> str:
    """Return a page for A4 paper as HTML.

    `note` stands below the title, and `footer` at the bottom of every sheet of paper, followed by
    the version of puzzlekit. `row` makes the rows.
    """
    source = files("puzzlekit_events").joinpath("sheet.html.template").read_text("utf-8")
    return Template(source).substitute(
        title=escape(title),
        note=escape(note),
        footer=escape(f"{footer}, puzzlekit {__version__}"),
        rows="".join(rows),
    )
