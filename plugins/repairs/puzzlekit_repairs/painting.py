"""Paintings: stickers that a person paints one by one, with their faults and repairs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from time import perf_counter
from typing import NamedTuple, TypeVar

from puzzlekit import EvenParity, Puzzle, StateError, UsageError
from puzzlekit.puzzle.diagnose import NO_PIECE, Fault, diagnose, turn_in_words
from puzzlekit.puzzle.orbit import Bandaged, Law
from puzzlekit.puzzle.position import stickers_in
from puzzlekit.puzzle.sticker_reading import (
    StickerReading,
    interpret,
    interpret_text,
    read,
    stickers_of,
)
from puzzlekit.puzzle.stickers import UNKNOWN, Appearance, OrbitLook, appearance
from puzzlekit_repairs.completion import LISTED, complete, fill_in, new_stickers

__all__ = ["Painting", "Repair", "Repairs", "inspect", "repairs_of_text"]


_T = TypeVar("_T")
_NEAR = 2  # stickers; all repairs that change at most so many are listed
_MOST = 200  # repairs
_SECONDS = 2.0  # after which no more changes are tried
_BRIEF = 0.1  # seconds; for a search while someone paints


class Repair(NamedTuple):
    """A change of stickers that removes all faults."""

    #: The change in words.
    words: str
    #: All stickers after the change.
    stickers: str
    #: The facelets that the change concerns.
    changed: tuple[int, ...]


class _Piece(NamedTuple):
    """Another piece, or another turn of the piece, at one place of orbit number `orbit`.

    `old` and `label` are the labels of the pieces before and after the change. `old` is None if the
    stickers at the place show no piece. `shown` has the new letters of the facelets that change.
    """

    shown: dict[int, str]
    orbit: int
    place: int
    old: int | None
    label: int
    turn: int


class _Change(NamedTuple):
    """New letters of facelets, and the new pieces at one or two places."""

    shown: dict[int, str]
    pieces: tuple[_Piece, ...]


def repairs(puzzle: Puzzle, reading: StickerReading, stickers: str) -> tuple[Repair, ...]:
    """Return the repairs of faulty stickers, the smallest first.

    The result has every repair that changes one or two stickers, wherever they are. Of repairs that
    change as many stickers, those that solve the puzzle come first, then those at places with
    faults, then exchanges of two stickers. If there is no such repair, the result has the smallest
    ones that change more stickers of a single piece, or only those that solve the puzzle.

    At most 200 repairs are listed. A search that takes longer than two seconds, which only puzzles
    with very many pieces need, may miss some.

    `stickers` has a letter for each sticker, and `reading` is the result of `interpret` for this
    string. The result is empty if the string is too short or too long. Each repaired string is read
    again, to verify that no fault remains.

    >>> from puzzlekit import FaceletLayout, Orbit, Puzzle
    >>> from puzzlekit.puzzle.sticker_reading import interpret
    >>> layout = FaceletLayout("ABC", (0, 1, 2), {"dots": ((0,), (1,), (2,))}, (), {}, ())
    >>> three = Puzzle("three", "", (Orbit("dots", "dot", "A B C"),), {}, (), layout=layout)
    >>> for repair in repairs(three, interpret(three, "CAC"), "CAC"):
    ...     print(repair.words, repair.stickers, repair.changed)
    sticker A1: B in place of C BAC (0,)
    sticker C1: B in place of C CAB (2,)
    sticker A1: A in place of C, sticker B1: B in place of A ABC (0, 1)
    sticker B1: B in place of A, sticker C1: A in place of C CBA (1, 2)
    """
    if len(stickers) != len(appearance(puzzle).solved):
        return ()
    end = perf_counter() + _SECONDS
    back = {face: symbol for symbol, face in reading.symbols.items()}
    named = {facelet for fault in reading.faults for facelet in fault.facelets}
    painting = _Painting(puzzle, reading, stickers)
    found: list[tuple[tuple[int, bool, bool, bool], Repair]] = []
    for change in sorted(painting.changes(), key=lambda each: len(each.shown)):
        size = len(change.shown)
        if perf_counter() > end or (found and size > max(_NEAR, found[-1][0][0])):
            break
        state = painting.state_after(change)
        if diagnose(puzzle, state):
            continue
        painted = list(stickers)
        for facelet, face in change.shown.items():
            painted[facelet] = back[face]
        text = "".join(painted)
        if read(puzzle, text, reading.symbols).faults:
            continue
        repair = Repair(painting.words(change, text), text, tuple(sorted(change.shown)))
        apart = named.isdisjoint(change.shown)
        exchanged = _is_exchange(stickers, text, repair.changed)
        found.append(((size, not puzzle.is_solved(state), apart, not exchanged), repair))
    found.sort(key=lambda each: each[0])
    if found and found[0][0][0] > _NEAR and not found[0][0][1]:
        found = [each for each in found if not each[0][1]]
    return tuple(repair for _, repair in found[:_MOST])


def repairs_of_text(
    puzzle: Puzzle, text: str, scheme: str | None = None, order: str | None = None
) -> tuple[Repair, ...]:
    """Return the repairs of faulty stickers, as `repairs`; none if no stickers can be read.

    `text` is a position that `read_position` refused. `scheme` and `order` are as for
    `read_facelets`.
    """
    if puzzle.layout is None:
        return ()
    try:
        shown = stickers_in(puzzle, text) or text
        stickers, reading = interpret_text(puzzle, shown, scheme, order)
    except StateError:  # a net without the right rows
        return ()
    return repairs(puzzle, reading, stickers)


def _is_exchange(before: str, after: str, changed: tuple[int, ...]) -> bool:
    """Whether the change is an exchange of two stickers."""
    one, other = changed[0], changed[-1]
    return len(changed) == 2 and (before[one], before[other]) == (after[other], after[one])


class _Painting:
    """Faulty stickers, the pieces that they show, and the changes that may remove the faults."""

    def __init__(self, puzzle: Puzzle, reading: StickerReading, stickers: str) -> None:
        self.puzzle = puzzle
        self.stickers = stickers
        self.look: Appearance = appearance(puzzle)
        letters = "".join(reading.symbols.get(symbol, UNKNOWN) for symbol in stickers)
        self.letters = letters
        #: For each orbit its pieces, as (label, orientation); None for a place that shows no piece.
        self.found = [
            [each.reading.get(at(letters)) for at in each.at] for each in self.look.orbits
        ]
        self.unclear = [
            (number, place)
            for number, pieces in enumerate(self.found)
            for place, piece in enumerate(pieces)
            if piece is None
        ]
        #: The missing number of each piece (orbit, label); negative for a surplus.
        self.lacking: Counter[tuple[int, int]] = Counter()
        for number, (look, pieces) in enumerate(zip(self.look.orbits, self.found, strict=True)):
            missing = _difference(look.orbit.solved, [piece[0] for piece in pieces if piece])
            self.lacking.update({(number, label): count for label, count in missing.items()})
        self._fixed = {
            i: self.look.solved[i] for i in self.look.fixed if letters[i] != self.look.solved[i]
        }
        self._state = bytearray()
        for look, pieces in zip(self.look.orbits, self.found, strict=True):
            labels, turns = zip(*(piece or (NO_PIECE, 0) for piece in pieces), strict=True)
            self._state += bytes(labels)
            if look.orbit.orientations > 1:
                self._state += bytes(turns)

    def changes(self) -> Iterator[_Change]:
        """Yield the changes after which every piece exists once and every place shows a piece.

        Such a change concerns one place, or one sticker of each of two places, and stickers that no
        move changes.
        """
        if len(self._fixed) > _NEAR or len(self.unclear) > _NEAR:
            return
        one: list[_Piece] = []  # changes of a single sticker
        several: list[_Piece] = []
        for number in self._concerned():
            for piece in self._pieces(number):
                (one if len(piece.shown) == 1 else several).append(piece)
        free = _NEAR - len(self._fixed)
        if self._fixed and not self.lacking:  # then no piece has to change
            yield _Change(self._fixed, ())
        for piece in one * (free >= 1) + several * (not self._fixed):
            if self._suffices((piece,)):
                yield self._joined(piece)
        if free < _NEAR:
            return
        partners: defaultdict[tuple[int, int | None, int], list[_Piece]] = defaultdict(list)
        for piece in one:
            partners[piece.orbit, piece.old, piece.label].append(piece)
        for piece in one:
            for other in partners.get(self._wanted(piece) or (-1, None, -1), ()):
                pair = piece, other
                if (piece.orbit, piece.place) < (other.orbit, other.place) and self._suffices(pair):
                    yield self._joined(*pair)

    def _concerned(self) -> list[int]:
        """Return the numbers of the orbits in which a change may remove a fault."""
        wrong = {number for number, _ in [*self.lacking, *self.unclear]}
        bound: set[str] = set()
        for constraint in self.puzzle.constraints:
            if isinstance(constraint, Bandaged):
                continue
            if not isinstance(constraint, (EvenParity, Law)):
                bound.add(constraint.orbit)
            elif constraint.orbits:
                bound.update(constraint.orbits)
            else:
                bound.update(orbit.name for orbit in self.puzzle.orbits)
        return [
            number
            for number, look in enumerate(self.look.orbits)
            if number in wrong or look.orbit.name in bound
        ]

    def _pieces(self, number: int) -> Iterator[_Piece]:
        """Yield all changes of one sticker in an orbit, and the larger ones that may suffice."""
        look = self.look.orbits[number]
        for place, old in enumerate(self.found[number]):
            facelets = look.places[place]
            before = look.at[place](self.letters)
            left = None if old is None else old[0]
            for shown, (label, turn) in look.reading.items():
                new = {
                    facelet: face
                    for facelet, face, had in zip(facelets, shown, before, strict=True)
                    if face != had
                }
                if new:
                    piece = _Piece(new, number, place, left, label, turn)
                    if len(new) == 1 or self._suffices((piece,)):
                        yield piece

    def _after(self, pieces: Iterable[_Piece]) -> Counter[tuple[int, int]]:
        """Return what is lacking after changes."""
        lacking = self.lacking.copy()
        for piece in pieces:
            if piece.old is not None:
                lacking[piece.orbit, piece.old] += 1
            lacking[piece.orbit, piece.label] -= 1
        return lacking

    def _suffices(self, pieces: tuple[_Piece, ...]) -> bool:
        """Whether no piece is missing or surplus after changes, and no place shows no piece."""
        if sum(piece.old is None for piece in pieces) < len(self.unclear):
            return False
        return not any(self._after(pieces).values())

    def _wanted(self, piece: _Piece) -> tuple[int, int | None, int] | None:
        """Return the orbit, the old label and the new label of the change that `piece` needs."""
        lacking = self._after((piece,))
        missing = [each for each, count in lacking.items() if count > 0]
        surplus = [each for each, count in lacking.items() if count < 0]
        if len(missing) != 1 or len(surplus) > 1:
            return None
        ((orbit, label),) = missing
        return orbit, surplus[0][1] if surplus else None, label

    def _joined(self, *pieces: _Piece) -> _Change:
        shown = dict(self._fixed)
        for piece in pieces:
            shown |= piece.shown
        return _Change(shown, pieces)

    def state_after(self, change: _Change) -> bytes:
        """Return the state after a change."""
        state = bytearray(self._state)
        for piece in change.pieces:
            orbit = self.look.orbits[piece.orbit].orbit
            byte = self.puzzle.offsets[orbit.name] + piece.place
            state[byte] = piece.label
            if orbit.orientations > 1:
                state[byte + orbit.size] = piece.turn
        return bytes(state)

    def words(self, change: _Change, after: str) -> str:
        """Return a change in words. `after` has all stickers after the change."""
        name, before = self.look.layout.name, self.stickers
        changed = tuple(sorted(change.shown))
        if len(change.pieces) == 1 and len(changed) > 1 and not self._fixed:
            (piece,) = change.pieces
            return self._turn_in_words(self.look.orbits[piece.orbit], piece, after)
        if _is_exchange(before, after, changed):
            one, other = changed
            return (
                f"exchange the stickers {name(one)} ({before[one]}) and {name(other)} "
                f"({before[other]})"
            )
        return ", ".join(f"sticker {name(i)}: {after[i]} in place of {before[i]}" for i in changed)

    def _turn_in_words(self, look: OrbitLook, piece: _Piece, after: str) -> str:
        """Return in words how several stickers of one place change."""
        orbit = look.orbit
        where = f"{orbit.piece} at {orbit.places[piece.place]}"
        old = self.found[piece.orbit][piece.place]
        if old is None or old[0] != piece.label:
            at = look.at[piece.place]
            return f"{where}: {' '.join(at(after))} in place of {' '.join(at(self.stickers))}"
        if orbit.orientations == 2:
            return f"flip the {where}"
        turn = (piece.turn - old[1]) % orbit.orientations
        return f"turn the {where} {turn_in_words(turn, orbit.orientations)}"


def _difference(wanted: Iterable[_T], found: Iterable[_T]) -> Counter[_T]:
    """Return the missing number of each element; negative for a surplus."""
    more = Counter(wanted)
    more.subtract(found)
    return Counter({each: count for each, count in more.items() if count})


_SHOWN = 54  # stickers in the repr


class Painting(NamedTuple):
    """Stickers that may be partly painted, with their faults and repairs."""

    #: The inspected stickers, without white space.
    stickers: str
    #: The face of each symbol, in the order of the faces.
    symbols: Mapping[str, str]
    #: The number of stickers of each symbol.
    counts: Mapping[str, int]
    #: The correct number of stickers of each symbol.
    expected: Mapping[str, int]
    #: The number of unpainted stickers.
    unpainted: int
    #: All faults. Each fault has the painted facelets that it affects.
    faults: tuple[Fault, ...]
    #: The changes that remove all faults, the smallest first. If some stickers are unpainted but
    #: there are no faults: the ways to paint these stickers, if there are at most five.
    repairs: tuple[Repair, ...]
    #: The state. It is None if a sticker is unpainted or there are faults.
    state: bytes | None

    def __repr__(self) -> str:
        """The first stickers, and the numbers of unpainted stickers, faults and repairs."""
        more = "..." if len(self.stickers) > _SHOWN else ""
        found = f"{len(self.faults)} faults, {len(self.repairs)} repairs"
        shown = f"{self.stickers[:_SHOWN]}{more}"
        return f"<Painting {shown}: {self.unpainted} unpainted, {found}>"


def inspect(puzzle: Puzzle, stickers: str, scheme: str | None = None) -> Painting:
    """Return the faults of stickers and their repairs. Unpainted stickers are "?".

    `stickers` and `scheme` are as for `read_facelets`. If some stickers are unpainted, the painted
    stickers must be face letters or letters of a known scheme, unless `scheme` names other symbols.

    If all stickers are painted, the faults are the same as those that `read_facelets` reports. If
    some are unpainted, the result has only faults that remain however the rest is painted. These
    are too many stickers of a colour, stickers that no piece has, duplicate pieces, and a painted
    orbit that breaks a constraint. Some of these faults are found only when more stickers are
    painted. A partly painted piece is known as soon as only one piece matches. If half of the
    stickers are painted and allow at most five states, the repairs paint the others.

    Raises a StateError for a wrong number of stickers. Raises a UsageError if the puzzle has no
    stickers or the scheme is unknown.

    >>> from puzzlekit import FaceletLayout, Orbit, Puzzle
    >>> lights = {"dots": ((0,), (1,), (2,))}
    >>> layout = FaceletLayout("ABC", (0, 1, 2), lights, (), {}, ())
    >>> three = Puzzle("three", "", (Orbit("dots", "dot", "A B C"),), {}, (), layout=layout)
    >>> inspect(three, "c??").faults
    ()
    >>> painting = inspect(three, "c?c")
    >>> painting.faults
    ('2 stickers of C instead of 1', 'dot C is there twice: at A and at C')
    >>> painting.faults[1].facelets, painting.unpainted
    ((0, 2), 1)
    """
    layout = puzzle.layout
    if layout is None:
        raise UsageError(f"{puzzle.name} has no stickers to paint")
    if scheme is not None and UNKNOWN in scheme:
        raise UsageError(f"{UNKNOWN} stands for a sticker that is not painted, not for a face")
    painted = stickers_of(layout, stickers, scheme)
    unpainted = painted.count(UNKNOWN)
    reading = interpret(puzzle, painted, scheme, unfinished=unpainted > 0)
    if len(painted) != len(layout.face_of):
        raise StateError(reading.faults)
    symbols = dict(sorted(reading.symbols.items(), key=lambda pair: layout.faces.index(pair[1])))
    sound = not (reading.faults or unpainted)
    faults = reading.faults
    mended: tuple[Repair, ...] = ()
    if faults and not unpainted:
        mended = repairs(puzzle, reading, painted)
    elif 0 < 2 * unpainted <= len(painted) and not faults:
        faults, mended = _completing(puzzle, painted, reading.symbols)
    return Painting(
        stickers=painted,
        symbols=symbols,
        counts={symbol: painted.count(symbol) for symbol in symbols},
        expected={symbol: layout.colour_of.count(i) for i, symbol in enumerate(symbols)},
        unpainted=unpainted,
        faults=tuple(
            Fault(fault, (i for i in fault.facelets if painted[i] != UNKNOWN)) for fault in faults
        ),
        repairs=mended,
        state=reading.state if sound else None,
    )


def _completing(
    puzzle: Puzzle, stickers: str, mapping: Mapping[str, str]
) -> tuple[list[Fault], tuple[Repair, ...]]:
    """Return the repairs that fill in the UNKNOWN stickers of a painting, if there are only a few.

    If no state has the other stickers, the result has a fault instead.
    """
    found = complete(puzzle, stickers, mapping, LISTED, _BRIEF)
    if not found.all:
        return [], ()
    if not found.stickers:
        return [Fault("no state has the painted stickers: one of them is wrong")], ()
    unknown = tuple(i for i, symbol in enumerate(stickers) if symbol == UNKNOWN)
    return [], tuple(
        Repair(f"fill in {new_stickers(puzzle, stickers, text)}", text, unknown)
        for text in found.stickers
    )


class Repairs:
    """The service "repairs" of this plugin."""

    inspect = staticmethod(inspect)
    of_text = staticmethod(repairs_of_text)
    fill_in = staticmethod(fill_in)
