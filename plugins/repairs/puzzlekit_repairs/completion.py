"""Completions: the states that have some stickers, while other stickers are unknown."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from time import perf_counter
from typing import NamedTuple

from puzzlekit import Puzzle
from puzzlekit.puzzle.diagnose import NO_PIECE, Fault, diagnose
from puzzlekit.puzzle.schemes import mappings, usual_mappings
from puzzlekit.puzzle.sticker_reading import StickerReading, interpret, read
from puzzlekit.puzzle.stickers import UNKNOWN, Letters, OrbitLook, appearance

__all__ = ["Completions", "complete", "fill_in"]

_COUNTED = 1000  # states at most
_SECONDS = 2.0  # after which no more states are searched for
LISTED = 5  # states at most

#: For some places of an orbit: the letters, the label and the orientation of a piece.
_Placed = dict[int, tuple[Letters, int, int]]


class Completions(NamedTuple):
    """The ways to paint the unknown stickers of a painting so that the puzzle can be in the state.

    `stickers` has all stickers of each state that was found, in the symbols of the painting. `all`
    says whether these are all such states.
    """

    stickers: tuple[str, ...]
    all: bool


def complete(
    puzzle: Puzzle,
    stickers: str,
    mapping: Mapping[str, str],
    most: int = _COUNTED,
    seconds: float = _SECONDS,
) -> Completions:
    """Return the states that have these stickers, at most `most`; UNKNOWN is any sticker.

    The search ends after `seconds`.
    """
    back = {face: symbol for symbol, face in mapping.items()}
    found: list[str] = []
    ended = True
    try:
        for shown in _Search(puzzle, stickers, mapping, perf_counter() + seconds).states():
            if len(found) == most:
                ended = False
                break
            painted = list(stickers)
            for facelet, face in shown.items():
                painted[facelet] = back[face]
            found.append("".join(painted))
    except TimeoutError:
        ended = False
    return Completions(tuple(found), ended)


def new_stickers(puzzle: Puzzle, before: str, after: str) -> str:
    """Return the stickers that were UNKNOWN before, such as "U1: W, R5: G"."""
    name = appearance(puzzle).layout.name
    unknown = [i for i, symbol in enumerate(before) if symbol == UNKNOWN]
    return ", ".join(f"{name(i)}: {after[i]}" for i in unknown)


def open_faults(puzzle: Puzzle, found: Completions) -> list[Fault]:
    """Return the faults of stickers that several states have."""
    layout = appearance(puzzle).layout
    open_ = [i for i, each in enumerate(zip(*found.stickers, strict=True)) if len({*each}) > 1]
    count = f"{len(found.stickers):,}" if found.all else f"{len(found.stickers):,} or more"
    where = f"; they differ at {', '.join(map(layout.name, open_))}" if found.all else ""
    listed = [Fault(f"one of them is {text}") for text in found.stickers[:LISTED]]
    return [Fault(f"{count} states have these stickers{where}", open_), *listed]


def fill_in(puzzle: Puzzle, stickers: str, scheme: str | None) -> StickerReading:
    """Return the reading of stickers, some of which are UNKNOWN, if the others determine these.

    A UserWarning says what was filled in. Otherwise the reading has faults, which say how many
    states are possible.
    """
    look = appearance(puzzle)
    reading = interpret(puzzle, stickers, scheme, unfinished=True)
    if len(stickers) != len(look.solved):
        return reading
    known = {*stickers} - {UNKNOWN}
    tried: Iterable[Mapping[str, str]] = [reading.symbols]
    if scheme is None:
        tried = [*usual_mappings(look.layout), *mappings(look, stickers)]
    stopped = False
    for mapping in tried:
        if not mapping.keys() >= known or read(puzzle, stickers, mapping, unfinished=True).faults:
            continue
        found = complete(puzzle, stickers, mapping)
        if len(found.stickers) == 1 and found.all:
            (text,) = found.stickers
            warnings.warn(f"filled in {new_stickers(puzzle, stickers, text)}", stacklevel=5)
            return read(puzzle, text, mapping)
        if found.stickers:
            return reading._replace(faults=open_faults(puzzle, found))
        if not found.all:
            stopped = True
            break
    unknown = [i for i, symbol in enumerate(stickers) if symbol == UNKNOWN]
    plural = f"{len(unknown)} stickers are" if len(unknown) > 1 else "1 sticker is"
    if reading.faults:
        words = f"{plural} unknown ({UNKNOWN})"
    elif stopped:
        words = f"{plural} unknown ({UNKNOWN}), and no state was found that has the others"
    else:
        words = f"{plural} unknown ({UNKNOWN}), and no state has the others: one of these is wrong"
    return reading._replace(faults=[*reading.faults, Fault(words)])


class _Search:
    """A search for the states that have some stickers, orbit by orbit."""

    def __init__(
        self, puzzle: Puzzle, stickers: str, mapping: Mapping[str, str], end: float
    ) -> None:
        self.puzzle = puzzle
        self._look = appearance(puzzle)
        self._end = end
        self._letters = "".join(mapping.get(symbol, UNKNOWN) for symbol in stickers)
        self._state = bytearray(puzzle.solved)
        self._unread: set[int] = set()
        for look in self._look.orbits:
            for place in range(look.orbit.size):
                self._set(look, place, None)

    def states(self) -> Iterator[dict[int, str]]:
        """Yield the letters of the unknown facelets of each state.

        Raises TimeoutError after the end.
        """
        fixed = {i: self._look.solved[i] for i in self._look.fixed}
        if all(self._letters[i] in (face, UNKNOWN) for i, face in fixed.items()):
            unknown = {i: face for i, face in fixed.items() if self._letters[i] == UNKNOWN}
            # Orbits without unknown stickers come first, because they decide about the others.
            orbits = sorted(self._look.orbits, key=self._count_unknown)
            yield from self._from(orbits, unknown)

    def _count_unknown(self, look: OrbitLook) -> int:
        return sum(UNKNOWN in at(self._letters) for at in look.at)

    def _from(self, orbits: list[OrbitLook], shown: dict[int, str]) -> Iterator[dict[int, str]]:
        if not orbits:
            yield shown
            return
        look, *others = orbits
        for placed in self._arrangements(look):
            for place, (_, label, turn) in placed.items():
                self._set(look, place, (label, turn))
            if not diagnose(self.puzzle, bytes(self._state), self._unread, bool(others)):
                new = {
                    facelet: face
                    for place, (letters, _, _) in placed.items()
                    for facelet, face in zip(look.places[place], letters, strict=True)
                    if self._letters[facelet] == UNKNOWN
                }
                yield from self._from(others, shown | new)
        for place in range(look.orbit.size):
            self._set(look, place, None)

    def _set(self, look: OrbitLook, place: int, piece: tuple[int, int] | None) -> None:
        """Put a piece (label, orientation) at a place of the state, or none."""
        orbit = look.orbit
        byte = self.puzzle.offsets[orbit.name] + place
        parts = (byte, byte + orbit.size) if orbit.orientations > 1 else (byte,)
        for part, value in zip(parts, piece or (NO_PIECE, 0), strict=False):
            self._state[part] = value
        (self._unread.difference_update if piece else self._unread.update)(parts)

    def _arrangements(self, look: OrbitLook) -> Iterator[_Placed]:
        """Yield all ways to put the pieces of an orbit at places whose stickers they match."""
        matching: dict[int, list[tuple[Letters, int, int]]] = {}
        left = Counter(look.orbit.solved)
        known: _Placed = {}
        for place, at in enumerate(look.at):
            letters = at(self._letters)
            pieces = [
                (shown, label, turn)
                for shown, (label, turn) in look.reading.items()
                if all(seen in (own, UNKNOWN) for seen, own in zip(letters, shown, strict=True))
            ]
            if len(pieces) == 1:
                (known[place],) = pieces
                left[pieces[0][1]] -= 1
            else:
                matching[place] = pieces
        if min(left.values()) >= 0:
            yield from self._arranged(matching, left, known)

    def _arranged(
        self,
        matching: dict[int, list[tuple[Letters, int, int]]],
        left: Counter[int],
        placed: _Placed,
    ) -> Iterator[_Placed]:
        """Yield all ways to put the pieces that are left at the places that are left."""
        if perf_counter() > self._end:
            raise TimeoutError
        if not matching:
            yield placed
            return
        possible = {
            place: [each for each in pieces if left[each[1]]] for place, pieces in matching.items()
        }
        rooms = Counter(
            label for pieces in possible.values() for label in {each[1] for each in pieces}
        )
        if any(rooms[label] < count for label, count in left.items()):
            return
        # The place with the fewest pieces is next.
        place = min(possible, key=lambda each: len(possible[each]))
        others = {each: pieces for each, pieces in possible.items() if each != place}
        for piece in possible[place]:
            left[piece[1]] -= 1
            yield from self._arranged(others, left, {**placed, place: piece})
            left[piece[1]] += 1
