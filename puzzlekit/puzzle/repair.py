"""Repairs: the smallest changes of painted stickers that leave no fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from puzzlekit.puzzle.diagnosis import turn_in_words
from puzzlekit.puzzle.facelets import UNKNOWN, OrbitLook, Reading, appearance, read

if TYPE_CHECKING:
    from puzzlekit.puzzle.orbit import Orbit
    from puzzlekit.puzzle.puzzle import Puzzle

_T = TypeVar("_T", int, str)
_MANY = 5  # repairs; where more pieces could be turned, one is offered in place of all


class Repair(NamedTuple):
    """A change of stickers in words, all stickers after it, and the facelets that it changes."""

    words: str
    stickers: str
    changed: tuple[int, ...]


class _Change(NamedTuple):
    """Other letters for some facelets of one place, or for one that is in no place.

    `turned` tells how much further the piece is turned that is there already; 0 for another piece.
    """

    shown: dict[int, str]
    orbit: Orbit | None = None
    place: int = 0
    turned: int = 0


def repairs(puzzle: Puzzle, reading: Reading, stickers: str) -> tuple[Repair, ...]:
    """The smallest changes of one sticker, or within one piece, that leave no fault.

    `reading` is what the stickers, all painted, mean. Of the changes that leave no fault only those
    of the fewest stickers are given, and only where faults are, if they are about places. There is
    none where more than one piece is wrong. Each is proven by reading its stickers.
    """
    back = {face: symbol for symbol, face in reading.symbols.items()}
    placed = [set(fault.facelets) for fault in reading.faults if fault.facelets]
    found: list[tuple[_Change, Repair]] = []
    for change in sorted(_changes(puzzle, reading, stickers), key=lambda each: len(each.shown)):
        if found and len(change.shown) > len(found[0][0].shown):
            break
        if any(where.isdisjoint(change.shown) for where in placed):
            continue  # that fault would stay
        painted = list(stickers)
        for facelet, face in change.shown.items():
            painted[facelet] = back[face]
        text = "".join(painted)
        if not read(puzzle, text, reading.symbols).faults:
            words = _words(puzzle, change, stickers, text)
            found.append((change, Repair(words, text, tuple(sorted(change.shown)))))
    return _offered(found)


def _offered(found: list[tuple[_Change, Repair]]) -> tuple[Repair, ...]:
    """A few repairs: where many pieces could be turned alike, one that says so."""
    if len(found) <= _MANY:
        return tuple(repair for _, repair in found)
    change, repair = found[0]
    orbit = change.orbit
    if orbit is None or any(each.orbit is not orbit or not each.turned for each, _ in found):
        return tuple(repair for _, repair in found[:_MANY])
    others = f"any other {orbit.piece}"
    if len(found) < orbit.size:
        others = f"{len(found) - 1} other {orbit.piece}s"
    return (repair._replace(words=f"{repair.words}; {others} would do as well"),)


def _words(puzzle: Puzzle, change: _Change, before: str, after: str) -> str:
    layout, orbit = appearance(puzzle).layout, change.orbit
    if len(change.shown) == 1 or orbit is None:
        (facelet,) = change.shown
        return f"sticker {layout.name(facelet)}: {after[facelet]} in place of {before[facelet]}"
    where = f"{orbit.piece} at {orbit.places[change.place]}"
    if not change.turned:
        place = layout.places[orbit.name][change.place]
        new, old = (" ".join(text[facelet] for facelet in place) for text in (after, before))
        return f"{where}: {new} in place of {old}"
    if orbit.orientations == 2:
        return f"flip the {where}"
    return f"turn the {where} {turn_in_words(change.turned, orbit.orientations)}"


def _changes(puzzle: Puzzle, reading: Reading, stickers: str) -> Iterator[_Change]:
    """Changes within one place after which every colour and every piece is there as often as it is.

    That is counted beforehand: of all ways of painting a piece hardly any is left to be tried.
    """
    look = appearance(puzzle)
    letters = "".join(reading.symbols.get(symbol, UNKNOWN) for symbol in stickers)
    colours = _difference(look.solved, letters)
    there = [[pieces.reading.get(at(letters)) for at in pieces.at] for pieces in look.orbits]
    lacking = [
        _difference(pieces.orbit.solved, [piece[0] for piece in found if piece])
        for pieces, found in zip(look.orbits, there, strict=True)
    ]
    wrong = [pieces for pieces, lack in zip(look.orbits, lacking, strict=True) if lack]
    fixed = {i: look.solved[i] for i in look.fixed if letters[i] != look.solved[i]}
    if len(wrong) + len(fixed) > 1:
        return
    if fixed:
        yield _Change(fixed)
        return
    for pieces, found, lack in zip(look.orbits, there, lacking, strict=True):
        if wrong and not lack:
            continue
        unclear = found.count(None)
        for place, old in enumerate(found):
            if unclear > (old is None):
                continue  # another place would stay wrong
            # With the piece taken away there has to be one label that is missing, once.
            missing = Counter(lack)
            missing.update([old[0]] if old else [])
            labels = [label for label, count in missing.items() if count]
            if len(labels) == 1 and missing[labels[0]] == 1:
                yield from _paintings(pieces, place, old, labels[0], letters, colours)


def _difference(wanted: Iterable[_T], found: Iterable[_T]) -> Counter[_T]:
    """How many more of each there have to be; below 0 where there are too many."""
    more = Counter(wanted)
    more.subtract(found)
    return Counter({each: count for each, count in more.items() if count})


def _paintings(
    pieces: OrbitLook,
    place: int,
    old: tuple[int, int] | None,
    label: int,
    letters: str,
    colours: Counter[str],
) -> Iterator[_Change]:
    """The ways of painting the piece `label` at a place that mend the counts of the colours."""
    for shown, (shows, turn) in pieces.reading.items():
        if shows != label:
            continue
        new = {
            facelet: face
            for facelet, face in zip(pieces.places[place], shown, strict=True)
            if letters[facelet] != face
        }
        if new and _difference(new.values(), [letters[facelet] for facelet in new]) == colours:
            turned = (turn - old[1]) % pieces.orbit.orientations if old and old[0] == label else 0
            yield _Change(new, pieces.orbit, place, turned)
