"""Repairs: the smallest changes of painted stickers that remove all faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeVar

from puzzlekit.diagnosis.diagnose import turn_in_words
from puzzlekit.position.sticker_reading import StickerReading, read
from puzzlekit.puzzle.appearance import UNKNOWN, OrbitLook, appearance
from puzzlekit.puzzle.constraint import OrientationSum
from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.puzzle import Puzzle

_T = TypeVar("_T", int, str)
_MANY = 5  # most repairs; if a turn of any of more pieces is a repair, one stands for all


class Repair(NamedTuple):
    """A change of stickers that removes all faults."""

    #: The change in words.
    words: str
    #: All stickers after the change.
    stickers: str
    #: The facelets that the change concerns.
    changed: tuple[int, ...]


class _Repainting(NamedTuple):
    """Other letters for some facelets of one place, or for one facelet that is in no place.

    `turned` is the additional turn of the piece at the place. It is 0 if another piece takes the
    place.
    """

    shown: dict[int, str]
    orbit: Orbit | None = None
    place: int = 0
    turned: int = 0


class _Mended(NamedTuple):
    """A repair, its change, and whether the puzzle is solved after the change."""

    repair: Repair
    change: _Repainting
    solved: bool


def repairs(puzzle: Puzzle, reading: StickerReading, stickers: str) -> tuple[Repair, ...]:
    """Return the repairs that change the fewest stickers, at most five.

    A repair changes one sticker, or several stickers of one piece, so that no fault remains.
    `stickers` has a letter for each sticker, and `reading` is the result of `interpret` for this
    string. If some repairs lead to the solved puzzle, only these repairs are returned. Repairs at
    places with faults come first. The result is empty if more than one piece is wrong, or if the
    string `stickers` is too short or too long. Each repaired string is read again, to verify that
    no fault remains.

    >>> from puzzlekit.position.sticker_reading import FaceletLayout, interpret
    >>> from puzzlekit.puzzle.orbit import Orbit
    >>> from puzzlekit.puzzle.puzzle import Puzzle
    >>> layout = FaceletLayout("ABC", (0, 1, 2), {"dots": ((0,), (1,), (2,))}, (), {}, ())
    >>> three = Puzzle("three", "", (Orbit("dots", "dot", "A B C"),), {}, (), layout=layout)
    >>> for repair in repairs(three, interpret(three, "CAC"), "CAC"):
    ...     print(repair.words, repair.stickers, repair.changed)
    sticker A1: B in place of C BAC (0,)
    sticker C1: B in place of C CAB (2,)
    """
    if len(stickers) != len(appearance(puzzle).solved):
        return ()
    back = {face: symbol for symbol, face in reading.symbols.items()}
    named = {facelet for fault in reading.faults for facelet in fault.facelets}
    found: list[_Mended] = []
    for change in sorted(
        _changes(puzzle, reading, stickers),
        key=lambda each: (len(each.shown), named.isdisjoint(each.shown)),
    ):
        if found and len(change.shown) > len(found[0].change.shown):
            break
        painted = list(stickers)
        for facelet, face in change.shown.items():
            painted[facelet] = back[face]
        text = "".join(painted)
        mended = read(puzzle, text, reading.symbols)
        if not mended.faults:
            words = _words(puzzle, change, stickers, text)
            repair = Repair(words, text, tuple(sorted(change.shown)))
            found.append(_Mended(repair, change, puzzle.is_solved(mended.state)))
    return _offered([each for each in found if each.solved] or found)


def _offered(found: list[_Mended]) -> tuple[Repair, ...]:
    """Return at most a few repairs.

    If turning any one of many pieces is a repair, the first one stands for all of them.
    """
    if len(found) <= _MANY:
        return tuple(each.repair for each in found)
    repair, change, _ = found[0]
    orbit = change.orbit
    if orbit is None or any(each.change.orbit is not orbit for each in found) or not change.turned:
        return tuple(each.repair for each in found[:_MANY])
    places = len({each.change.place for each in found})
    others = f"any other {orbit.piece}"
    if places < orbit.size:
        others = f"{places - 1} other {orbit.piece}s"
    return (repair._replace(words=f"{repair.words}; {others} would do as well"),)


def _words(puzzle: Puzzle, change: _Repainting, before: str, after: str) -> str:
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


class _Seen(NamedTuple):
    """The pieces at the places of an orbit, as (label, orientation); None for an unclear piece.

    `lacking` has the number of missing pieces by label. A negative number is a surplus. `twist` is
    the sum of the orientations, which a repair must make 0. It is None if any sum is allowed.
    """

    pieces: OrbitLook
    found: list[tuple[int, int] | None]
    lacking: Counter[int]
    twist: int | None


def _changes(puzzle: Puzzle, reading: StickerReading, stickers: str) -> Iterator[_Repainting]:
    """Yield changes within one place that correct the numbers of colours and pieces.

    They also correct the sum of the orientations. This test leaves very few changes to try.
    """
    look = appearance(puzzle)
    letters = "".join(reading.symbols.get(symbol, UNKNOWN) for symbol in stickers)
    colours = _difference(look.solved, letters)
    seen = [_seen(puzzle, pieces, letters) for pieces in look.orbits]
    wrong = [each for each in seen if each.lacking or each.twist]
    fixed = {i: look.solved[i] for i in look.fixed if letters[i] != look.solved[i]}
    if len(wrong) + len(fixed) > 1:
        return
    if fixed:
        yield _Repainting(fixed)
        return
    for each in wrong or seen:
        unclear = each.found.count(None)
        for place, old in enumerate(each.found):
            # If the old piece is removed, exactly one piece must be missing.
            missing = Counter(each.lacking)
            missing.update([old[0]] if old else [])
            labels = [label for label, count in missing.items() if count]
            if unclear == (old is None) and len(labels) == 1 and missing[labels[0]] == 1:
                yield from _paintings(each, place, labels[0], letters, colours)


def _seen(puzzle: Puzzle, pieces: OrbitLook, letters: str) -> _Seen:
    orbit = pieces.orbit
    found = [pieces.reading.get(at(letters)) for at in pieces.at]
    lacking = _difference(orbit.solved, [piece[0] for piece in found if piece])
    summed = [part.orbit for part in puzzle.constraints if isinstance(part, OrientationSum)]
    if orbit.name not in summed:
        return _Seen(pieces, found, lacking, None)
    twist = sum(piece[1] for piece in found if piece) % orbit.orientations
    return _Seen(pieces, found, lacking, twist)


def _difference(wanted: Iterable[_T], found: Iterable[_T]) -> Counter[_T]:
    """Return the missing number of each element; negative for a surplus."""
    more = Counter(wanted)
    more.subtract(found)
    return Counter({each: count for each, count in more.items() if count})


def _paintings(
    seen: _Seen, place: int, label: int, letters: str, colours: Counter[str]
) -> Iterator[_Repainting]:
    """Yield ways to paint the piece `label` at a place that correct the colours and the twist."""
    orbit = seen.pieces.orbit
    n = orbit.orientations
    old_label, old_turn = seen.found[place] or (None, 0)
    for shown, (shows, turn) in seen.pieces.reading.items():
        turned = (turn - old_turn) % n
        if shows != label or (seen.twist is not None and (seen.twist + turned) % n):
            continue
        new = {
            facelet: face
            for facelet, face in zip(seen.pieces.places[place], shown, strict=True)
            if letters[facelet] != face
        }
        if new and _difference(new.values(), [letters[facelet] for facelet in new]) == colours:
            yield _Repainting(new, orbit, place, turned if old_label == label else 0)
