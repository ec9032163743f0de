"""Texts and pictures of states for puzzles that declare none: rows of their pieces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from html import escape
from math import ceil, cos, pi, sin, sqrt

import attrs

from puzzlekit import Orbit, Puzzle, StateError
from puzzlekit.puzzle.layout import Writing

__all__ = ["Pieces", "shown"]

_MOST = 600  # pieces that are drawn
_GAP = 0.5  # between two kinds of pieces in a row
_LEAST = 4.0  # width, so that a single piece does not fill the page
_PIECE = re.compile(r"(\d{1,6})(?:\+(\d{1,6}))?", re.ASCII)
_LINE = "#1c2d3d"
_TEXT = 'text-anchor="middle" dominant-baseline="central" font-family="sans-serif"'


@lru_cache(maxsize=64)
def shown(puzzle: Puzzle) -> Puzzle:
    """Return a puzzle as the page writes and draws its states."""
    return puzzle if puzzle.has_facelets else attrs.evolve(puzzle, writing=Pieces(puzzle.orbits))


@attrs.frozen
class Pieces(Writing):
    """The number of the piece at each place, and how it is turned, orbit by orbit.

    >>> kinds = Orbit("edges", "edge", "1 2 3", orientations=2), Orbit("corners", "corner", "1 2")
    >>> Pieces(kinds).write(bytes([1, 0, 2, 0, 1, 0, 0, 1]))
    '2 1+1 3 / 1 2'
    >>> list(Pieces(kinds).read("2 1+1 3 / 1 2"))
    [1, 0, 2, 0, 1, 0, 0, 1]
    """

    orbits: tuple[Orbit, ...]

    def write(self, state: bytes) -> str:
        """Return the numbers of the pieces, counted from 1."""
        return " / ".join(
            " ".join(f"{label + 1}+{turn}" if turn else f"{label + 1}" for label, turn in own)
            for own in self._pieces(state)
        )

    def is_state(self, text: str) -> bool:
        """Whether a text consists of numbers."""
        words = text.replace("/", " ").split()
        return bool(words) and all(map(_PIECE.fullmatch, words))

    def read(self, text: str) -> bytes:
        """Read the numbers. Raises StateError."""
        parts = [part.split() for part in text.split("/")]
        sizes = [orbit.size for orbit in self.orbits]
        if [len(part) for part in parts] != sizes:
            numbers = " / ".join(map(str, sizes))
            raise StateError([f"a state has this many numbers of pieces: {numbers}"])
        found = bytearray()
        for orbit, words in zip(self.orbits, parts, strict=True):
            labels, turns = bytearray(), bytearray()
            for word in words:
                piece = _PIECE.fullmatch(word)
                label, by = (int(piece[1]) - 1, int(piece[2] or 0)) if piece else (-1, 0)
                if not 0 <= label <= max(orbit.solved) or by >= orbit.orientations:
                    raise StateError([f"{orbit.name} has no piece {word[:20]!r}"])
                labels.append(label)
                turns.append(by)
            found += labels + (turns if orbit.orientations > 1 else b"")
        return bytes(found)

    def draw(self, state: bytes) -> tuple[float, float, str]:
        """Draw each piece in the colour of its home, whose outline has the same colour."""
        rows: list[tuple[float, list[tuple[float, Orbit, int, int, int]]]] = []
        left = _MOST
        most = min(max(6, ceil(sqrt(2 * sum(orbit.size for orbit in self.orbits)))), 24)
        for orbit, own in zip(self.orbits, self._pieces(state), strict=True):
            lines = -(-orbit.size // most)
            columns = -(-orbit.size // lines)
            for at in range(0, min(orbit.size, left), columns):
                begin = rows[-1][0] + _GAP if rows and at == 0 and lines == 1 else most
                if begin + columns > most:
                    rows.append((0.0, []))
                    begin = 0.0
                line = [
                    (begin + i, orbit, at + i, *each) for i, each in enumerate(own[at:][:columns])
                ]
                rows[-1] = (begin + len(line), [*rows[-1][1], *line])
            left -= orbit.size
            if left <= 0:
                break
        wide = max(_LEAST, *(width for width, _ in rows))
        parts = [
            self._piece(x + (wide - width) / 2, y * 1.1, orbit, at, label, turn)
            for y, (width, line) in enumerate(rows)
            for x, orbit, at, label, turn in line
        ]
        return wide, len(rows) * 1.1 - 0.1, "\n".join(f"<g>{''.join(each)}</g>" for each in parts)

    def _piece(
        self, x: float, y: float, orbit: Orbit, at: int, label: int, turn: int
    ) -> Iterator[str]:
        kinds = max(orbit.solved) + 1
        home, own = _colour(orbit.solved[at], kinds), _colour(label, kinds)
        name = escape(f"{orbit.name} {orbit.places[at]}")
        yield (
            f'<rect x="{x + 0.08:.4g}" y="{y + 0.08:.4g}" width="0.84" height="0.84" rx="0.18" '
            f'fill="{own}" stroke="{home}" stroke-width="0.14"><title>{name}</title></rect>'
        )
        yield (
            f'<text x="{x + 0.5:.4g}" y="{y + 0.51:.4g}" font-size="0.34" font-weight="600" '
            f'fill="{_LINE}" {_TEXT}>{label + 1}</text>'
        )
        if orbit.orientations > 1:
            angle = 2 * pi * turn / orbit.orientations
            cx, cy = x + 0.5 + 0.3 * sin(angle), y + 0.5 - 0.3 * cos(angle)
            yield f'<circle cx="{cx:.4g}" cy="{cy:.4g}" r="0.06" fill="{_LINE}"/>'

    def _pieces(self, state: bytes) -> list[list[tuple[int, int]]]:
        """The label and the orientation at each place of each orbit."""
        found = []
        start = 0
        for orbit in self.orbits:
            labels = state[start : start + orbit.size]
            turns = state[start + orbit.size : start + orbit.width] or bytes(orbit.size)
            found.append(list(zip(labels, turns, strict=True)))
            start += orbit.width
        return found


def _colour(label: int, kinds: int) -> str:
    """Return the colour of a piece: the colours of an orbit go round the circle of hues."""
    if kinds == 1:
        return "hsl(220 18% 76%)"
    return f"hsl({300 * label / kinds:.0f} 62% {62 + 10 * (label % 2)}%)"
