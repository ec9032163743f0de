"""Facelets: how a state looks, and how a state is read from stickers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING

import attrs

from puzzlekit.errors import DeclarationError, StateError, UsageError
from puzzlekit.puzzle.diagnosis import diagnose
from puzzlekit.puzzle.grid import read_grid, write_grid

if TYPE_CHECKING:
    from puzzlekit.puzzle.orbit import Orbit
    from puzzlekit.puzzle.puzzle import Puzzle

# What operator.itemgetter gives: one letter, or a tuple of several.
Letters = str | tuple[str, ...]

# Stands for a sticker whose colour is not known, and for the label of a piece that is not known.
UNKNOWN = "?"
_NO_PIECE = 255
_MANY = 6  # faults; where there are more, the faces may be in another order


@attrs.frozen(slots=False, eq=False, repr=False)
class FaceletLayout:
    """Where the stickers of a puzzle are.

    `faces` has one letter a face, in the order in which facelet strings list them; `face_of` gives
    for each facelet the index of its face; `places` gives for each orbit, place by place, the
    facelets of that place, starting with the one that shows orientation 0 and going round in the
    order in which orientations are counted; `net` gives the rows of the unfolded net (a facelet
    index, or None where the net is empty); `schemes` maps the name of a colour scheme to one colour
    letter a face; `colours` gives for each face the usual colour of its stickers, in words.
    """

    faces: str
    face_of: tuple[int, ...]
    places: Mapping[str, tuple[tuple[int, ...], ...]]
    net: tuple[tuple[int | None, ...], ...]
    schemes: Mapping[str, str]
    colours: tuple[str, ...]

    def name(self, facelet: int) -> str:
        """The name of a facelet: its face and its number there, counted from 1, as in "U5"."""
        face = self.face_of[facelet]
        return f"{self.faces[face]}{self.face_of[: facelet + 1].count(face)}"


class OrbitLook:
    """How the pieces of one orbit look.

    `places` gives the facelets of each place and `at` gets their letters out of a string; `shown`
    gives the letters that a (label, orientation) shows there, `reading` turns that round.
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
                # What the stickers do not show (the turn of a plain center) is read as the first.
                self.reading.setdefault(seen, (label, turn))


class Appearance:
    """How the pieces of a puzzle look, orbit by orbit; made once for a puzzle by `appearance`.

    `solved` is how the solved puzzle looks; the facelets in `fixed`, which are in no place, always
    look so.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        if puzzle.layout is None:
            raise DeclarationError(f"{puzzle.name} has no facelets")
        self.layout = puzzle.layout
        self.solved = "".join(map(self.layout.faces.__getitem__, self.layout.face_of))
        self.orbits = [OrbitLook(orbit, self.layout, self.solved) for orbit in puzzle.orbits]
        moving = {facelet for look in self.orbits for place in look.places for facelet in place}
        self.fixed = [i for i in range(len(self.solved)) if i not in moving]


@lru_cache(maxsize=16)
def appearance(puzzle: Puzzle) -> Appearance:
    """How the pieces of a puzzle look; a DeclarationError if it has no layout."""
    return Appearance(puzzle)


def facelets(puzzle: Puzzle, state: bytes) -> str:
    """How a state looks: the face letter of each sticker, in the order of the layout.

    Or its numbers, if the puzzle has a `Grid`. Raises a StateError if there are no such pieces or
    orientations.
    """
    if puzzle.grid is not None:
        return write_grid(puzzle, state)
    look = appearance(puzzle)
    stickers = list(look.solved)
    try:
        for pieces in look.orbits:
            for place, label, turn in zip(
                pieces.places,
                puzzle.labels(state, pieces.orbit),
                puzzle.orientations(state, pieces.orbit),
                strict=True,
            ):
                for facelet, letter in zip(place, pieces.shown[label, turn], strict=True):
                    stickers[facelet] = letter
    except (KeyError, ValueError):
        raise StateError(diagnose(puzzle, state)) from None
    return "".join(stickers)


def read_facelets(puzzle: Puzzle, text: str, scheme: str | None = None) -> bytes:
    """The state that looks as `text` says; a StateError names every fault of it.

    `text` has one symbol a sticker, in the order of the layout: face letters, the colour letters of
    a scheme, or any other symbols, one a face. Case and blanks do not matter. Which symbol means
    which face is found out (see `mappings`), unless `scheme` says it: the name of a scheme of the
    layout, or the symbols in the order of the faces; a UsageError if it is neither.
    The state is as the puzzle is held: nothing is turned. For a puzzle with a `Grid` the text is of
    numbers.

    >>> from puzzlekit.puzzle.orbit import Orbit
    >>> from puzzlekit.puzzle.puzzle import Puzzle
    >>> lights = {"dots": ((0,), (1,))}
    >>> layout = FaceletLayout("AB", (0, 1), lights, (), {"traffic": "RG"}, ("red", "green"))
    >>> pair = Puzzle("pair", "two dots", (Orbit("dots", "dot", "A B"),), {}, (), layout=layout)
    >>> list(read_facelets(pair, "ba")), list(read_facelets(pair, "G R"))
    ([1, 0], [1, 0])
    >>> read_facelets(pair, "b")
    Traceback (most recent call last):
    puzzlekit.errors.StateError: 1 sticker instead of 2
    """
    return read_facelets_with_scheme(puzzle, text, scheme)[0]


def read_facelets_with_scheme(
    puzzle: Puzzle, text: str, scheme: str | None = None
) -> tuple[bytes, Mapping[str, str]]:
    """As `read_facelets`, with the mapping from symbols to faces that was found or given.

    Where usual letters have to be read in an unusual way, a UserWarning says so.
    """
    if puzzle.grid is not None:
        if scheme is not None:
            raise UsageError(f"{puzzle.name} has no colours: its states are given by numbers")
        return read_grid(puzzle, text), {}
    if puzzle.layout is None:
        raise UsageError(f"{puzzle.name} has no stickers: its states cannot be given by them")
    look = appearance(puzzle)
    stickers = fold(look.layout, text)
    if len(stickers) != len(look.solved):
        raise StateError(_length_faults(look, stickers, scheme))
    best: tuple[int, int, list[str]] | None = None
    for mapping in _candidates(look, stickers, scheme):
        state, faults = _read(puzzle, look, stickers, mapping)
        if not faults:
            if scheme is None and "".join(mapping) != look.layout.faces:
                from puzzlekit.puzzle.schemes import warn_if_unusual

                warn_if_unusual(look.layout, mapping)
            return state, mapping
        strange = sum(symbol not in mapping for symbol in stickers)
        if best is None or (strange, len(faults)) < best[:2]:
            best = strange, len(faults), faults
    assert best is not None  # the faces and the schemes of the layout are always tried
    if 3 * best[0] > len(stickers):
        raise StateError([_no_mapping(look.layout, stickers, scheme)])
    faults = best[2]
    if len(faults) > _MANY:
        from puzzlekit.puzzle.schemes import other_order

        def valid(arranged: str, mapping: Mapping[str, str]) -> bool:
            return not _read(puzzle, look, arranged, mapping)[1]

        forced = None if scheme is None else _forced(look.layout, scheme)
        faults = other_order(look, stickers, forced, valid) + faults
    raise StateError(faults)


def fold(layout: FaceletLayout, text: str) -> str:
    """`text` without blanks, and in capitals unless the layout tells letters apart by case.

    Letters whose capitals are longer ("ß") stay as they are, so that stickers can be counted.
    """
    symbols = "".join(text.split())
    return symbols.upper() if layout.faces.isupper() and symbols.isascii() else symbols


def _candidates(look: Appearance, stickers: str, scheme: str | None) -> Iterable[Mapping[str, str]]:
    layout = look.layout
    if scheme is None:
        # The usual case comes first, so that it imports nothing.
        if set(stickers) <= set(layout.faces):
            yield dict(zip(layout.faces, layout.faces, strict=True))
        from puzzlekit.puzzle.schemes import mappings

        yield from mappings(look, stickers)
    else:
        yield _forced(layout, scheme)


def _forced(layout: FaceletLayout, scheme: str) -> dict[str, str]:
    """The mapping that the caller asks for."""
    names = {name.lower(): letters for name, letters in layout.schemes.items()}
    symbols = fold(layout, names.get(scheme.lower(), scheme))
    if len(symbols) != len(layout.faces) or len(set(symbols)) != len(symbols):
        raise UsageError(
            f"unknown colour scheme {scheme!r}: use {', '.join(layout.schemes)}, or "
            f"{len(layout.faces)} different symbols for the faces {layout.faces}"
        )
    return dict(zip(symbols, layout.faces, strict=True))


def _read(
    puzzle: Puzzle, look: Appearance, stickers: str, mapping: Mapping[str, str]
) -> tuple[bytes, list[str]]:
    """The state shown under a mapping from symbols to faces, and all faults."""
    letters = stickers.translate(
        {ord(symbol): mapping.get(symbol, UNKNOWN) for symbol in set(stickers)}
    )
    state = bytearray()
    faults: list[str] = []
    unread: set[int] = set()
    for pieces in look.orbits:
        orbit = pieces.orbit
        labels = bytearray()
        turns = bytearray()
        for place, at in enumerate(pieces.at):
            piece = pieces.reading.get(at(letters))
            if piece is None:
                byte = len(state) + place
                piece = pieces.reading.get(at(letters)[::-1])
                if piece is None:
                    unread.add(byte)
                    piece = _NO_PIECE, 0
                    wrong = f"no {orbit.piece} has these colours"
                else:
                    piece = piece[0], 0
                    wrong = "its colours are in mirror order"
                unread.add(byte + orbit.width - orbit.size)
                if UNKNOWN not in at(letters):
                    faults.append(
                        f"{orbit.piece} at {orbit.places[place]} shows "
                        f"{' '.join(at(stickers))}: {wrong}"
                    )
            labels.append(piece[0])
            turns.append(piece[1])
        state += labels
        if orbit.orientations > 1:
            state += turns
    for i in look.fixed:
        if letters[i] not in (look.solved[i], UNKNOWN):
            faults.append(f"sticker {look.layout.name(i)}, which no move changes, is {stickers[i]}")
    faults += diagnose(puzzle, bytes(state), unread)
    if faults:
        # Where a colour is not there at all, what becomes of its pieces need not be said.
        absent = not mapping.keys() <= set(stickers)
        counts = _count_faults(look.layout, stickers, mapping, placed=True)
        faults = counts if absent else counts + faults
    return bytes(state), faults


def _count_faults(
    layout: FaceletLayout, stickers: str, mapping: Mapping[str, str], placed: bool
) -> list[str]:
    """Too many symbols, unknown ones, wrong numbers of stickers; where, if all are `placed`."""
    symbols = dict.fromkeys(stickers)
    faults = []
    if len(symbols) > len(mapping):
        faults.append(
            f"{len(symbols)} different symbols instead of {len(mapping)}: {' '.join(symbols)}"
        )
    for strange in symbols:
        if strange not in mapping:
            where = ", ".join(
                f"sticker {i + 1} ({layout.name(i)})" if placed else f"sticker {i + 1}"
                for i, symbol in enumerate(stickers)
                if symbol == strange
            )
            faults.append(f"{strange} is none of {' '.join(mapping)}: {where}")
    for symbol, face in mapping.items():
        count = stickers.count(symbol)
        expected = layout.face_of.count(layout.faces.index(face))
        if count != expected:
            plural = "" if count == 1 else "s"
            faults.append(f"{count} sticker{plural} of {symbol} instead of {expected}")
    return faults


def _length_faults(look: Appearance, stickers: str, scheme: str | None) -> list[str]:
    """What can be said where stickers are missing or too many: nothing about places."""
    layout = look.layout
    if scheme is None:
        known = [layout.faces, *layout.schemes.values()]
        symbols = min(known, key=lambda letters: sum(s not in letters for s in stickers))
        mapping = dict(zip(fold(layout, symbols), layout.faces, strict=True))
    else:
        mapping = _forced(layout, scheme)
    plural = "" if len(stickers) == 1 else "s"
    faults = [f"{len(stickers)} sticker{plural} instead of {len(look.solved)}"]
    # The counts help to find a slip of the finger, not in a text that is something else.
    if 2 * abs(len(look.solved) - len(stickers)) < len(stickers) and 2 * sum(
        symbol in mapping for symbol in stickers
    ) > len(stickers):
        faults += _count_faults(layout, stickers, mapping, placed=False)
    return faults


def _no_mapping(layout: FaceletLayout, stickers: str, scheme: str | None) -> str:
    symbols = " ".join(dict.fromkeys(stickers))
    if scheme is not None:
        return f"symbols {symbols} instead of {' '.join(_forced(layout, scheme))}"
    schemes = "".join(f", {name} {letters}" for name, letters in layout.schemes.items())
    return (
        f"symbols {symbols}: neither the faces {layout.faces} nor the colours of a known scheme"
        f"{schemes.replace(',', ':', 1)}; and no way of giving them to faces makes the pieces"
    )
