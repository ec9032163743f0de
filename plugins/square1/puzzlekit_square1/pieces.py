"""States of a Square-1 as its pieces in order, and as a drawing of both layers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import cos, pi, sin, sqrt, tan
from random import Random

from puzzlekit import Puzzle, StateError
from puzzlekit.puzzle.layout import Writing
from puzzlekit_square1 import CORNERS, EDGES, PLACES
from puzzlekit_square1.graph import graph

__all__ = ["HALVES", "Pieces", "drawn", "following", "layers"]

_NAMES = PLACES.split()
#: The labels of both halves of each corner, in order, and the label of each edge.
HALVES = tuple((_NAMES.index(each), _NAMES.index(each.lower())) for each in CORNERS)
_EDGES = tuple(_NAMES.index(each) for each in EDGES)
_FIRST = {one: k for k, (one, _) in enumerate(HALVES)}
_SECOND = {other: k for k, (_, other) in enumerate(HALVES)}
_MIDDLES = "-/"  # the middle layer is square, or its right half is turned

# Colours of the top and the bottom, and of the sides, clockwise from the left.
_TOP, _BOTTOM = "#ffd60a", "#ffffff"
_SIDES = ("#1756c9", "#ff8c1a", "#0a9d4f", "#c8102e")  # left, back, right, front
_LINE = "#22252a"


def following(place: int) -> int:
    """Return the place after another one, clockwise in its layer."""
    return place - 11 if place % 12 == 11 else place + 1


def layers(state: bytes) -> list[list[tuple[str, int, int]]]:
    """Return the pieces of both layers, clockwise from the first piece that begins in the layer.

    A piece is its kind ("c" or "e"), its number among its kind, and the hour at which it begins.
    """
    found = []
    for start in (0, 12):
        own = []
        for hour, label in enumerate(state[start : start + 12]):
            if label in _FIRST:
                own.append(("c", _FIRST[label], hour))
            elif label not in _SECOND:
                own.append(("e", _EDGES.index(label), hour))
        found.append(own)
    return found


def drawn(_: Puzzle, state: bytes, rng: Random) -> bytes:
    """Return a random state that can be cut: a random shape with random pieces.

    The middle layer remains as it is.
    """
    corners, edges = [*range(8)], [*range(8)]
    shapes = cut_shapes()
    shape = shapes[rng.randrange(len(shapes))]
    rng.shuffle(corners)
    rng.shuffle(edges)
    labels: list[int] = []
    for kind in shape:
        labels += HALVES[corners.pop()] if kind == "c" else [_EDGES[edges.pop()]]
    return bytes(labels) + state[24:]


@cache
def cut_shapes() -> tuple[str, ...]:
    """Return the pieces of all 3,678 shapes that can be cut, both layers from the cut at the front.

    >>> len(cut_shapes())
    3678
    """
    found = dict[str, None]()
    for (top, bottom), own in zip(graph().shapes, graph().slices, strict=True):
        for each in own:
            upper = top[each.top :] + top[: each.top]
            found[upper + bottom[each.bottom :] + bottom[: each.bottom]] = None
    return (*found,)


class Pieces(Writing):
    """States as pieces: corners A to H, edges 1 to 8, and the middle layer.

    The top layer comes first, clockwise from the cut at the front; then the bottom layer in the
    same way as seen from below, and `-` for a square middle layer or `/` for the other one. If the
    cut would pass through a corner, the layer begins with its second half, a small letter, and ends
    with its first half.

    >>> Pieces().write(bytes(range(24)) + bytes(2))
    'A1B2C3D45E6F7G8H-'
    """

    def write(self, state: bytes) -> str:
        """Return the pieces, and the middle layer."""
        text = ""
        for start in (0, 12):
            names = [_NAMES[label] for label in state[start : start + 12]]
            text += "".join(name for k, name in enumerate(names) if k == 0 or not name.islower())
        return text + _MIDDLES[state[25]]

    def is_state(self, text: str) -> bool:
        """Whether a text has as many pieces as a state."""
        pieces = [char for char in text if not char.isspace()]
        known = {*text.upper()} & {*CORNERS}
        return len(known) > 5 and all(char.isalnum() or char in _MIDDLES for char in pieces)

    def read(self, text: str) -> bytes:
        """Read the pieces, with or without the middle layer."""
        given = [char for char in text if not char.isspace()]
        middle = _MIDDLES.index(given.pop()) if given and given[-1] in _MIDDLES else 0
        wrong = [
            f"{char!r} is not a piece: use A to H for corners, 1 to 8 for edges, and a small "
            "letter where a layer begins with half a corner"
            for char in dict.fromkeys(given)
            if char not in _NAMES
        ]
        labels: list[int] = []
        for char in given if not wrong else ():
            labels.append(_NAMES.index(char))
            half = char.upper() if char.islower() else ""
            if len(labels) % 12 == 1 and half:
                continue
            if half:
                wrong.append(f"{char} is half a corner, which only begins a layer")
            elif char in CORNERS and len(labels) % 12:
                labels.append(_NAMES.index(char.lower()))
            elif char in CORNERS and labels[-12] != _NAMES.index(char.lower()):
                layer = "top" if len(labels) == 12 else "bottom"
                wrong.append(f"corner {char} does not fit into the {layer} layer")
        for char in (*CORNERS, *EDGES):
            count = given.count(char)
            kind = "corner" if char in CORNERS else "edge"
            if count != 1:
                missing = "is missing" if not count else f"is there {count} times"
                wrong.append(f"{kind} {char} {missing}")
        if not wrong and len(labels) != 24:
            wrong.append(f"the pieces take {len(labels)} hours instead of 24")
        if wrong:
            raise StateError(wrong)
        return bytes(labels) + bytes([0, middle])

    def rows(self, state: bytes) -> str:
        """Return each layer, and the middle layer, in a line."""
        text = self.write(state)
        size = len(layers(state)[0]) + (state[0] in _SECOND)
        top, bottom, middle = text[:size], text[size:-1], "square" if text[-1] == "-" else "turned"
        return f"top     {' '.join(top)}\nmiddle  {middle}\nbottom  {' '.join(bottom)}"

    def draw(self, state: bytes) -> tuple[float, float, str]:
        """Draw the top layer, the bottom layer as seen from below, and the middle layer."""
        parts: list[str] = []
        for layer, pieces in zip(_LAYERS, layers(state), strict=True):
            for each in pieces:
                parts.append(f"<g>{''.join(_piece(layer, *each))}</g>")
            parts.append(_cut(layer))
        parts += _middle(state[25])
        return 11.4, 6.6, "\n".join(parts)


# The middle of each layer in the drawing, and the hours from the direction up to the cut in front,
# which is 15 degrees to the left of the middle. In front is down, and for the bottom layer up.
_LAYERS = ((2.8, 2.8, 6.5), (8.6, 2.8, -0.5))
_RADIUS = 1.5  # from the middle of a layer to the middle of its sides
_DEPTH = 0.42  # of the stickers of the sides in the drawing


def _point(layer: tuple[float, float, float], radius: float, hours: float) -> str:
    """Return a point at an angle, in hours clockwise from the cut in front."""
    x, y, cut = layer
    angle = pi * (cut + hours) / 6
    return f"{x + radius * sin(angle):.4g},{y - radius * cos(angle):.4g}"


def _polygon(points: Sequence[str], fill: str) -> str:
    return (
        f'<polygon points="{" ".join(points)}" fill="{fill}" stroke="{_LINE}" '
        'stroke-width="0.06" stroke-linejoin="round"/>'
    )


def _piece(layer: tuple[float, float, float], kind: str, number: int, hour: int) -> Iterator[str]:
    """Draw a piece: its sticker on the layer, and those on its sides."""
    face = _TOP if number < 4 else _BOTTOM
    edge, corner = _RADIUS / cos(pi / 12), _RADIUS * sqrt(2)
    wide = (_RADIUS + _DEPTH) / _RADIUS
    if kind == "e":
        rim = [(edge, hour), (edge, hour + 1)]
        sides = [_side_of_edge(number)]
    else:
        rim = [(edge, hour), (corner, hour + 1), (edge, hour + 2)]
        sides = [*_sides_of_corner(number)]
    yield _polygon([_point(layer, 0, 0), *(_point(layer, *each) for each in rim)], face)
    for (one, begin), (other, end), colour in zip(rim, rim[1:], sides, strict=False):
        outer = [_point(layer, other * wide, end), _point(layer, one * wide, begin)]
        inner = [_point(layer, one, begin), _point(layer, other, end)]
        yield _polygon([*inner, *outer], colour)


def _sides_of_corner(number: int) -> tuple[str, str]:
    """Return the colours of the sides of a corner, clockwise as seen from its layer."""
    if number < 4:  # corner A is at the front on the left
        return _SIDES[(number - 1) % 4], _SIDES[number % 4]
    k = number - 4
    return _SIDES[(3 - k) % 4], _SIDES[(2 - k) % 4]


def _side_of_edge(number: int) -> str:
    """Return the colour of the side of an edge: edge 1 is on the left, edge 5 in front."""
    return _SIDES[number % 4] if number < 4 else _SIDES[(3 - (number - 4)) % 4]


def _cut(layer: tuple[float, float, float]) -> str:
    """Draw the line of the cut."""
    one, other = _point(layer, 2.45, 0), _point(layer, 2.45, 6)
    (x1, y1), (x2, y2) = one.split(","), other.split(",")
    return (
        f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#8a9099" stroke-width="0.07" '
        'stroke-dasharray="0.2 0.14"/>'
    )


def _middle(turned: int) -> Iterator[str]:
    """Draw the middle layer from the front: its left part, and its right part."""
    y, left = 5.75, 4.2
    small = _RADIUS * (1 - tan(pi / 12))
    yield _box(left, y, small, _SIDES[3])
    wide = small if turned else 2 * _RADIUS - small
    yield _box(left + small, y, wide, _SIDES[1] if turned else _SIDES[3])


def _box(x: float, y: float, width: float, fill: str) -> str:
    return (
        f'<rect x="{x:.4g}" y="{y:.4g}" width="{width:.4g}" height="0.6" fill="{fill}" '
        f'stroke="{_LINE}" stroke-width="0.06"/>'
    )
