"""Pieces of HTML for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

__all__ = ["beside", "heading", "table"]

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
