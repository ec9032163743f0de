"""Solvers and solutions as HTML for notebooks, and the service "pictures"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from html import escape

from puzzlekit import PuzzlekitError, Solution, Solver, UsageError
from puzzlekit_pictures.svg import draw_svg, pictures, png

__all__ = ["SvgRenderer", "beside", "heading", "table"]

_LEFT = ' style="text-align: left"'  # Jupyter aligns the text of cells to the right


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return an HTML table of strings.

    >>> "&lt;</td></tr></tbody></table>" in table(["a"], [["<"]])
    True
    """
    head = "".join(f"<th{_LEFT}>{escape(each)}</th>" for each in headings)
    body = "".join(
        f"<tr>{''.join(f'<td{_LEFT}>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def heading(text: str, details: str = "") -> str:
    """Return a line in bold letters, followed by details."""
    return f"<p><strong>{escape(text)}</strong> {escape(details)}</p>"


def beside(*parts: str) -> str:
    """Return parts side by side, or below each other if the page is narrow."""
    boxes = "".join(f"<div>{part}</div>" for part in parts if part)
    style = "display: flex; flex-wrap: wrap; gap: 1.5em; align-items: flex-start"
    return f'<div style="{style}">{boxes}</div>'


def solver_html(solver: Solver) -> str:
    """Return the solved puzzle and the methods of a solver."""
    puzzle = solver.puzzle
    shown = pictures(puzzle)
    name = "solid" if "solid" in shown else "net"
    picture = draw_svg(puzzle, puzzle.solved, name, size=140) if shown else ""
    metrics = ", ".join(metric.name for metric in puzzle.metrics)
    text = heading(puzzle.title, f"{puzzle.name}; metrics {metrics}")
    try:
        rows = [[method.name, method.title] for method in solver.methods]
    except PuzzlekitError as error:
        return beside(picture, text + heading("no methods:", str(error)))
    return beside(picture, text + table(["method", "what it does"], rows))


def solution_html(solution: Solution) -> str:
    """Return the position of a solution, the moves of each phase, and links that play the moves."""
    proven = "optimal" if solution.optimal else "not proven optimal"
    rows = [
        [each.name, " ".join(move.name for move in each.merged), each.goal, f"{each.nodes:,}"]
        for each in solution.phases
    ]
    text = heading(str(solution) or "solved", f"{solution.cost} {solution.metric}, {proven}")
    text += table(["phase", "moves", "goal", "nodes"], rows)
    with suppress(UsageError):  # nothing writes links
        text += "".join(
            f'<p><a href="{address}">{site}</a></p>'.replace("&", "&amp;")
            for site, address in solution.links().items()
        )
    if solution.declared is None or not pictures(solution.declared):
        return text
    return beside(draw_svg(solution.declared, solution.state, size=240), text)


class SvgRenderer:
    """Draws positions for the core: its service "pictures"."""

    draw = staticmethod(draw_svg)
    png = staticmethod(png)

    @staticmethod
    def html(shown: Solver | Solution) -> str:
        """Return a solver or a solution as HTML."""
        return solver_html(shown) if isinstance(shown, Solver) else solution_html(shown)
