"""Stickers: what each piece shows, and the order in which text lists them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import itemgetter

from puzzlekit.errors import DeclarationError, StateError, UsageError
from puzzlekit.puzzle.diagnose import diagnose
from puzzlekit.puzzle.layout import FaceletLayout
from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.puzzle import Puzzle

__all__ = ["UNKNOWN", "Appearance", "Letters", "OrbitLook", "appearance", "net_in", "origins"]


# The result of operator.itemgetter: one letter, or a tuple of several.
Letters = str | tuple[str, ...]

UNKNOWN = "?"  # a sticker whose colour is not known
#: The orders that have names; any other order is one of the faces.
FACES, NET = "faces", "net"
_NEAR = 2  # stickers that a net may lack or have too many, and still be called a net
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")  # the colours of a terminal
_BRACKETS = "()[],:"
_SUFFIXES = "'`\u00b4\u02bc\u2018\u2019\u2032"  # what may follow the letter of a move
_BETWEEN = str.maketrans("", "", "|[]")
# A line under a printed net, such as "solved    no".
_REPORT = re.compile(r"\s*[a-z]{4,} {2,}\S")


class OrbitLook:
    """The stickers of the pieces of one orbit.

    - `places`: for each place its facelets.
    - `at`: for each place a function. It takes the stickers of a state and returns the letters at
      this place.
    - `shown`: maps each pair (label, orientation) to the letters that the piece then shows.
    - `reading`: maps these letters back to the pair.
    """

    def __init__(self, orbit: Orbit, layout: FaceletLayout, solved: str) -> None:
        self.orbit = orbit
        self.places = layout.places[orbit.name]
        self.at: list[Callable[[str], Letters]] = [itemgetter(*place) for place in self.places]
        self.shown: dict[tuple[int, int], Letters] = {}
        self.reading: dict[Letters, tuple[int, int]] = {}
        around = len(self.places[0])
        in_order = itemgetter(*range(around))
        for label in dict.fromkeys(orbit.solved):
            letters = [solved[facelet] for facelet in self.places[orbit.solved.index(label)]]
            for turn in range(orbit.orientations):
                first = -turn % around
                seen = in_order(letters[first:] + letters[:first])
                self.shown[label, turn] = seen
                # If orientations show the same stickers, as with plain centers, the first counts.
                self.reading.setdefault(seen, (label, turn))

    def matching(self, letters: Letters) -> list[tuple[int, int]]:
        """Return the (label, orientation) pairs that match these letters.

        UNKNOWN matches any letter.
        """
        return [
            piece
            for shown, piece in self.reading.items()
            if all(seen in (own, UNKNOWN) for seen, own in zip(letters, shown, strict=True))
        ]


class Appearance:
    """The stickers of the pieces of a puzzle, orbit by orbit (see `appearance`).

    `solved` has the face letters of the solved puzzle. `fixed` lists the facelets that belong to no
    place, so that their stickers never change.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        if puzzle.layout is None:
            raise DeclarationError(f"{puzzle.name} has no facelets")
        self.layout = puzzle.layout
        self.solved = "".join(map(self.layout.faces.__getitem__, self.layout.colour_of))
        self.orbits = [OrbitLook(orbit, self.layout, self.solved) for orbit in puzzle.orbits]
        moving = {facelet for look in self.orbits for place in look.places for facelet in place}
        self.fixed = [i for i in range(len(self.solved)) if i not in moving]
        self.symbols = dict(zip(self.layout.faces, self.layout.faces, strict=True))
        listed = [facelet for look in self.orbits for place in look.places for facelet in place]
        where = {facelet: i for i, facelet in enumerate([*listed, *self.fixed])}
        #: For each facelet its index among the facelets of all places, then the fixed ones.
        self.listed_at = [where[i] for i in range(len(self.solved))]

    def state(self, letters: str) -> bytes | None:
        """Return the state that the face letters of all facelets show; None if they show none.

        A state that is returned may still be impossible.
        `puzzlekit.puzzle.sticker_reading.read` reads any symbols, and names the faults.
        """
        if len(letters) != len(self.solved) or not self.symbols.keys() >= set(letters):
            return None
        state = b""
        for look in self.orbits:
            try:
                labels, turns = zip(*[look.reading[at(letters)] for at in look.at], strict=True)
            except KeyError:
                return None
            state += bytes(labels)
            if look.orbit.orientations > 1:
                state += bytes(turns)
        same = all(letters[i] == self.solved[i] for i in self.fixed)
        return state if same else None


@lru_cache(maxsize=16)
def appearance(puzzle: Puzzle) -> Appearance:
    """Return the appearance of a puzzle; raise DeclarationError if the puzzle has no layout."""
    return Appearance(puzzle)


def origins(puzzle: Puzzle, state: bytes) -> list[int]:
    """Return, for each facelet of a state, the home facelet of the sticker that it shows.

    For a puzzle with a `Grid`, the result is the home place of the piece at each place. If pieces
    are alike, the home of the first such piece is returned. Raises a StateError if the state has
    pieces or orientations that do not exist.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2")
    >>> origins(cube.puzzle, cube.state("U"))[:8]
    [2, 0, 3, 1, 20, 21, 6, 7]
    """
    try:
        if puzzle.grid is not None:
            (orbit,) = puzzle.orbits
            return [orbit.solved.index(label) for label in puzzle.labels(state, orbit)]
        if puzzle.writing is not None:
            return []
        found = list(range(len(appearance(puzzle).solved)))
        for look in appearance(puzzle).orbits:
            labels = puzzle.labels(state, look.orbit)
            turns = puzzle.orientations(state, look.orbit)
            for place, label, turn in zip(look.places, labels, turns, strict=True):
                home = look.places[look.orbit.solved.index(label)]
                if turn >= look.orbit.orientations:
                    raise ValueError(turn)
                for k, facelet in enumerate(place):
                    found[facelet] = home[(k - turn) % len(home)]
    except ValueError:
        raise StateError(diagnose(puzzle, state)) from None
    return found


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
    >>> net_in(cube.puzzle.layout, cube.net("R")) == cube.positions.to_facelets(cube.state("R"))
    True
    """
    if len(text.splitlines()) < 2:
        return None
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
    if text.isascii() and text.isalpha():
        return True
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
