"""Reads sheets for printing."""

from __future__ import annotations

from html.parser import HTMLParser


class SheetPage(HTMLParser):
    """The rows of a sheet, cell by cell, and how many pictures they have."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.pictures = 0
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "path"):
            self.open.append(tag)
        self.pictures += tag == "svg"
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert tag == "path" or self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"td", "th"} & set(self.open) and "svg" not in self.open:
            self.rows[-1][-1] += data
