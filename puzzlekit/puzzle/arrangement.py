"""The order in which a text lists stickers: face by face, or row by row as in the net."""

from __future__ import annotations

import re
from collections.abc import Sequence

from puzzlekit.errors import StateError, UsageError
from puzzlekit.puzzle.layout import FaceletLayout

__all__ = ["net_in"]

#: The orders that have names; any other order is one of the faces.
FACES, NET = "faces", "net"

_NEAR = 2  # stickers that a net may lack or have too many, and still be called a net
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")  # the colours of a terminal
_BRACKETS = "()[],:"
_SUFFIXES = "'`\u00b4\u02bc\u2018\u2019\u2032"  # what may follow the letter of a move
_BETWEEN = str.maketrans("", "", "|[]")
# A line under a printed net, such as "solved    no".
_REPORT = re.compile(r"\s*[a-z]{4,} {2,}\S")


def arranged(layout: FaceletLayout, symbols: str, order: str) -> str:
    """Return the symbols of stickers in the order of the layout.

    `order` is the order in which `symbols` lists them: "faces" (the order of the layout), "net"
    (row by row, as in the net), or the letters of all faces in another order, such as "ULFRBD". A
    text with a wrong number of symbols is returned as it is. Raises a UsageError for an unknown
    order.

    >>> import puzzlekit
    >>> layout = puzzlekit.load("cube2").puzzle.layout
    >>> arranged(layout, "UUUULLFFRRBBLLFFRRBBDDDD", "net")
    'UUUURRRRFFFFDDDDLLLLBBBB'
    """
    facelets = _listed(layout, order)
    if len(facelets) != len(symbols):
        return symbols
    return "".join(symbol for _, symbol in sorted(zip(facelets, symbols, strict=True)))


def _listed(layout: FaceletLayout, order: str) -> Sequence[int]:
    """Return the facelets in the order in which a text lists them."""
    name = order.lower()
    if name == FACES:
        return range(len(layout.face_of))
    if name == NET:
        return [facelet for row in layout.net for facelet in row if facelet is not None]
    faces = order.upper() if layout.faces.isupper() else order
    if sorted(faces) != sorted(layout.faces):
        raise UsageError(
            f"unknown order {order!r}: use {FACES}, {NET}, or the letters {layout.faces} in the "
            "order of the faces in the text"
        )
    return [
        facelet
        for letter in faces
        for facelet, face in enumerate(layout.face_of)
        if layout.faces[face] == letter
    ]


def net_in(layout: FaceletLayout, text: str) -> str | None:
    """Return the stickers of a printed net in the order of the layout; None for other text.

    A text is a net if it has the rows of the net of the puzzle. Blanks and frames around stickers,
    colours of a terminal, and a report under the net do not matter. Raises a StateError if only a
    few stickers are missing or too many, or if the net is that of a cube of another size.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2")
    >>> net_in(cube.puzzle.layout, cube.net("R")) == cube.to_facelets(cube.scrambled("R"))
    True
    """
    lines = [line for line in _ESCAPES.sub("", text).splitlines() if line.strip()]
    while lines and _REPORT.match(lines[-1]):
        lines.pop()
    wanted = [sum(facelet is not None for facelet in row) for row in layout.net]
    if len(lines) < 2 or len(set(wanted)) < 2:
        return None
    for between in ({}, _BETWEEN):
        words = [line.translate(between).split() for line in lines]
        if not all(is_plain(word) for row in words for word in row):
            continue
        rows = ["".join(row) for row in words]
        found = [*map(len, rows)]
        if found == wanted:
            return arranged(layout, "".join(rows), NET)
        if _is_near(found, wanted):
            raise StateError(
                f"row {number} of the net has {have} sticker{'' if have == 1 else 's'} instead of "
                f"{want}"
                for number, (have, want) in enumerate(zip(found, wanted, strict=True), 1)
                if have != want
            )
        if _is_cross(found):
            raise StateError([f"a net of {sum(found)} stickers instead of {sum(wanted)}"])
    return None


def is_plain(text: str) -> bool:
    """Whether the text has no bracket, and no number or prime mark after a letter."""
    after_letter = False
    for char in text:
        if char in _BRACKETS or char in _SUFFIXES or (after_letter and char.isdecimal()):
            return False
        after_letter = char.isalpha()
    return bool(text)


def _is_near(found: Sequence[int], wanted: Sequence[int]) -> bool:
    if len(found) != len(wanted):
        return False
    wrong = sum(abs(one - other) for one, other in zip(found, wanted, strict=True))
    return wrong <= _NEAR and sum(wanted) >= 10 * _NEAR


def _is_cross(rows: Sequence[int]) -> bool:
    """Whether these are the numbers of stickers in the rows of the net of a cube."""
    size = len(rows) // 3
    return size > 1 and [*rows] == [size] * size + [4 * size] * size + [size] * size
