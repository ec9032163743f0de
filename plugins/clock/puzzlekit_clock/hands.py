"""States of the Clock as hours, and as a drawing of its dials."""

from __future__ import annotations

from math import cos, pi, sin

from puzzlekit import StateError
from puzzlekit.puzzle.layout import Writing

__all__ = ["Hands"]

_BETWEEN = str.maketrans(dict.fromkeys(",;/|[]()", " "))
_SIDES = ("#2f6aa8", "#5cc3ea")  # of the body and of the dials, at the back the other way
_LINE, _HAND, _PIN = "#1c2d3d", "#ffd60a", "#c8102e"
_STEP, _DIAL = 1.25, 0.5  # between the middles of dials, and the radius of a dial
_SIDE = 2 * _STEP + 2 * _DIAL + 0.7  # the width of a side


class Hands(Writing):
    """Each state is 18 hours from 0 to 11, row by row: the front, then the back as seen from there.

    >>> Hands().write(bytes(36))
    '0 0 0 0 0 0 0 0 0 / 0 0 0 0 0 0 0 0 0'
    """

    def write(self, state: bytes) -> str:
        """Return the hours of the front and of the back."""
        return " / ".join(
            " ".join(str(hour) for row in side for hour in row) for side in _sides(state)
        )

    def rows(self, state: bytes) -> str:
        """Return the hours of both sides beside each other."""
        front, back = _sides(state)
        lines = []
        for own, other in zip(front, back, strict=True):
            left, right = ("".join(f"{hour:3}" for hour in row) for row in (own, other))
            lines.append(f"{left}   {right}")
        return "\n".join(lines)

    def is_state(self, text: str) -> bool:
        """Whether a text consists of numbers."""
        words = text.translate(_BETWEEN).split()
        return 2 * sum(map(str.isdecimal, words)) > len(words)

    def read(self, text: str) -> bytes:
        """Read 18 hours, of which 12 is 0."""
        words = text.translate(_BETWEEN).split()
        wrong = [
            f"{word[:20]!r} is not an hour: use 0 to 11, or 12 for 0"
            for word in dict.fromkeys(words)
            if not (word.isascii() and word.isdecimal() and len(word) < 4 and int(word) <= 12)
        ]
        if len(words) != 18:
            plural = "" if len(words) == 1 else "s"
            wrong.insert(0, f"{len(words)} hour{plural} instead of 18: nine of each side")
        if wrong:
            raise StateError(wrong)
        hours = [int(word) % 12 for word in words]
        rows = (hours[9 * side + 3 * row :][:3] for row in range(3) for side in range(2))
        return bytes(18) + bytes(hour for row in rows for hour in row)

    def draw(self, state: bytes) -> tuple[float, float, str]:
        """Draw both sides with their dials, hands and pins."""
        parts = []
        for side, rows in enumerate(_sides(state)):
            middle = (0.5 + side) * _SIDE + 0.3 * side, 0.5 * _SIDE
            parts += _side(*middle, rows, _SIDES if side == 0 else _SIDES[::-1])
        return 2 * _SIDE + 0.3, _SIDE, "\n".join(parts)


def _sides(state: bytes) -> list[list[list[int]]]:
    """Return the rows of hours of the front and of the back."""
    hours = [*state[18:]]
    return [[hours[6 * row + 3 * side :][:3] for row in range(3)] for side in range(2)]


def _circle(x: float, y: float, radius: float, fill: str, more: str = "") -> str:
    return f'<circle cx="{x:.3g}" cy="{y:.3g}" r="{radius:.3g}" fill="{fill}"{more}/>'


def _side(x: float, y: float, rows: list[list[int]], colours: tuple[str, ...]) -> list[str]:
    body, face = colours
    edge = f' stroke="{_LINE}" stroke-width="0.08"'
    corners = [(x + _STEP * dx, y + _STEP * dy) for dx in (-1, 1) for dy in (-1, 1)]
    parts = [_circle(*corner, _DIAL + 0.25, body, edge) for corner in corners]
    parts.append(_circle(x, y, _SIDE / 2 - 0.05, body, edge))
    parts += [_circle(*corner, _DIAL + 0.21, body) for corner in corners]
    for down, row in enumerate(rows, -1):
        for across, hour in enumerate(row, -1):
            dial = _dial(x + _STEP * across, y + _STEP * down, hour, face)
            parts.append(f"<g>{''.join(dial)}</g>")
    parts += [
        _circle(x + _STEP * dx / 2, y + _STEP * dy / 2, 0.11, _LINE)
        for dx in (-1, 1)
        for dy in (-1, 1)
    ]
    return parts


def _dial(x: float, y: float, hour: int, face: str) -> list[str]:
    """Draw a dial. The mark of 12 is red, and the hand of a solved dial points to it."""
    parts = [_circle(x, y, _DIAL, face, f' stroke="{_LINE}" stroke-width="0.04"')]
    for mark in range(12):
        angle = pi * mark / 6
        size, colour = (0.06, _PIN) if mark == 0 else (0.03, _LINE)
        at = x + 0.42 * sin(angle), y - 0.42 * cos(angle)
        parts.append(_circle(*at, size, colour))
    angle = pi * hour / 6
    points = " ".join(
        f"{x + length * sin(angle + turn):.4g},{y - length * cos(angle + turn):.4g}"
        for length, turn in ((0.4, 0.0), (0.13, pi / 2), (0.13, pi), (0.13, -pi / 2))
    )
    parts.append(
        f'<polygon points="{points}" fill="{_HAND}" stroke="{_LINE}" stroke-width="0.03" '
        'stroke-linejoin="round"/>'
    )
    return parts
