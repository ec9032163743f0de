"""States of stacks and rings as numbers in a line, and as pictures."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from math import cos, pi, sin

import attrs

from puzzlekit import StateError
from puzzlekit.puzzle.layout import Writing

_BETWEEN = str.maketrans(dict.fromkeys(",;|[]()", " "))
_LINE, _FILL, _BURNT = "#1c2d3d", "#f2c879", "#5a3a1e"
_TEXT = 'text-anchor="middle" dominant-baseline="central" font-family="sans-serif"'


@attrs.frozen
class Line(Writing):
    """Numbers in a line, each of them once.

    - `first`, `size`: the smallest number, and how many there are.
    - `held`: what is written before them, because it never moves; "" for nothing.
    - `signed`: whether a pancake that shows its burnt side has a minus sign.
    """

    first: int
    size: int
    held: str = ""
    signed: bool = False

    def write(self, state: bytes) -> str:
        """Return the numbers."""
        numbers = [self.first + label for label in state[: self.size]]
        if self.signed:
            sides = state[self.size :]
            numbers = [-n if side else n for n, side in zip(numbers, sides, strict=True)]
        return " ".join([*self.held.split(), *map(str, numbers)])

    def is_state(self, text: str) -> bool:
        """Whether a text consists of numbers."""
        words = text.translate(_BETWEEN).split()
        return 2 * sum(_is_number(word) for word in words) > len(words)

    def read(self, text: str) -> bytes:
        """Read the numbers. Raises StateError, which names all faults."""
        words = text.translate(_BETWEEN).split()
        held = self.held.split()
        if held and held[0] in words:  # a ring may begin anywhere
            at = words.index(held[0])
            words = [*words[at + 1 :], *words[:at]]
        last = self.first + self.size - 1
        faults = []
        numbers = []
        for word in dict.fromkeys(words):
            number = int(word) if _is_number(word) and len(word) < 5 else 0
            if not self.first <= abs(number) <= last or (number < 0 and not self.signed):
                faults.append(f"{word[:20]!r} is not a number from {self.first} to {last}")
        if not faults:
            numbers = [int(word) for word in words]
            times = Counter(map(abs, numbers))
            every = range(self.first, last + 1)
            faults += [f"{n} is missing" for n in every if n not in times]
            faults += [f"{n} is there {many} times" for n, many in times.items() if many > 1]
        if faults:
            raise StateError(faults)
        labels = bytes(abs(number) - self.first for number in numbers)
        return labels + bytes(number < 0 for number in numbers) * self.signed

    @abstractmethod
    def draw(self, state: bytes) -> tuple[float, float, str]:
        """Return the width and the height of a picture, and its SVG elements."""


@attrs.frozen
class Stack(Line):
    """Pancakes from the top down, drawn as bars; the burnt sides are dark."""

    def draw(self, state: bytes) -> tuple[float, float, str]:
        """Draw the stack on its plate."""
        wide = 2.0 + self.size / 2
        parts = []
        for row, label in enumerate(state[: self.size]):
            own = 1.5 + label / 2
            x, y = (wide - own) / 2, row * 0.6
            parts.append(
                f'<rect x="{x:.3g}" y="{y:.3g}" width="{own:.3g}" height="0.56" rx="0.25" '
                f'fill="{_FILL}" stroke="{_LINE}" stroke-width="0.04"/>'
            )
            if self.signed:
                edge = y + (0.06 if state[self.size + row] else 0.42)
                parts.append(
                    f'<rect x="{x + 0.15:.3g}" y="{edge:.3g}" width="{own - 0.3:.3g}" '
                    f'height="0.08" fill="{_BURNT}"/>'
                )
            parts.append(
                f'<text x="{wide / 2:.3g}" y="{y + 0.29:.3g}" font-size="0.36" {_TEXT}>'
                f"{self.first + label}</text>"
            )
        bottom = self.size * 0.6
        parts.append(
            f'<rect x="0" y="{bottom:.3g}" width="{wide:.3g}" height="0.15" fill="{_LINE}"/>'
        )
        return wide, bottom + 0.15, "\n".join(parts)


@attrs.frozen
class Ring(Line):
    """Tokens of a ring, after the one that is held; drawn as a ring."""

    def draw(self, state: bytes) -> tuple[float, float, str]:
        """Draw the ring with the held token on top."""
        numbers = [1, *(self.first + label for label in state)]
        radius = 0.6 * len(numbers) / pi
        whole = 2 * radius + 1.2
        parts = []
        for at, number in enumerate(numbers):
            angle = 2 * pi * at / len(numbers)
            x, y = whole / 2 + radius * sin(angle), whole / 2 - radius * cos(angle)
            parts.append(
                f'<circle cx="{x:.3g}" cy="{y:.3g}" r="0.5" fill="{_FILL}" stroke="{_LINE}" '
                'stroke-width="0.04"/>'
                f'<text x="{x:.3g}" y="{y:.3g}" font-size="0.5" {_TEXT}>{number}</text>'
            )
        return whole, whole, "\n".join(parts)


def _is_number(word: str) -> bool:
    digits = word.removeprefix("-")
    return digits.isascii() and digits.isdecimal()
