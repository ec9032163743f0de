"""Reading a state from stickers, with every fault of the text."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from puzzlekit.errors import StateError, UsageError, check_text
from puzzlekit.puzzle.diagnose import NO_PIECE, Fault, check, diagnose, fault_at
from puzzlekit.puzzle.layout import FaceletLayout
from puzzlekit.puzzle.net import facelets, read_grid
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.puzzle.schemes import fold, usual_mappings
from puzzlekit.puzzle.stickers import (
    FACES,
    NET,
    UNKNOWN,
    Appearance,
    Letters,
    OrbitLook,
    appearance,
    arranged,
    net_in,
)

__all__ = [
    "StickerReading",
    "forced_mapping",
    "interpret",
    "interpret_text",
    "read",
    "read_facelets",
    "stickers_of",
]

_MANY = 6  # faults; if there are more, the faces may be in another order


def read_facelets(
    puzzle: Puzzle, text: str, scheme: str | None = None, order: str | None = None
) -> bytes:
    """Return the state that the stickers in `text` show, in the way the puzzle is held.

    `text` has one symbol for each sticker, in the order of the layout, or is a printed net (see
    `net_in`). The symbols are face letters, colour letters of a scheme, or any other symbols.
    Blanks do not matter. Case matters only if some symbols differ in nothing else. If the puzzle
    has a `Grid`, `text` has numbers instead. `scheme` is the name of a colour scheme of the layout,
    or one symbol for each face, in the order of the faces. By default the scheme is derived from
    the stickers (see `mappings`). `order` is the order of the stickers in the text (see
    `arranged`). By default it is the order of the layout, or that of the rows of the net if the
    stickers show a possible state only in this order.

    Stickers that are unknown are written as "?". If the others determine them, they are filled in,
    and a UserWarning says so. (If "?" stands for a face, it is a symbol like any other.)

    Raises a StateError that names every fault if the stickers show no possible state, or says how
    many states they show if some are unknown. Raises a UsageError if `scheme` is unknown.

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
    return read_facelets_with_scheme(puzzle, text, scheme, order)[0]


def read_facelets_with_scheme(
    puzzle: Puzzle, text: str, scheme: str | None = None, order: str | None = None
) -> tuple[bytes, Mapping[str, str]]:
    """Return the state as `read_facelets` does, and the mapping from symbols to faces.

    Gives a UserWarning if the stickers are read row by row as in the net although the text is in
    one line, if unknown stickers are filled in, or if face letters or usual colour letters stand
    for unusual faces.
    """
    check_text(text, "a state by its stickers")
    if puzzle.grid is not None or puzzle.writing is not None:
        if scheme is not None or order is not None:
            form = "numbers" if puzzle.grid else f"text such as {facelets(puzzle, puzzle.solved)!r}"
            raise UsageError(f"{puzzle.name} has no colours: give its states by {form}")
        if puzzle.writing is None:
            return read_grid(puzzle, text), {}
        state = puzzle.writing.read(text)
        check(puzzle, state)
        return state, {}
    if puzzle.layout is None:
        raise UsageError(f"{puzzle.name} has no stickers that could describe a state")
    layout = puzzle.layout
    stickers, reading = interpret_text(puzzle, text, scheme, order)
    if reading.faults and UNKNOWN in stickers:
        from puzzlekit.puzzle.services import repairs

        reading = repairs().fill_in(puzzle, stickers, scheme)
    if reading.faults:
        raise StateError(reading.faults)
    mapping = reading.symbols
    if scheme is None and "".join(mapping) != layout.faces:
        from puzzlekit.puzzle.schemes import warn_if_unusual

        warn_if_unusual(layout, mapping)
    return reading.state, mapping


class StickerReading(NamedTuple):
    """The state that stickers show, the face of each symbol, and all faults of the stickers.

    If there are faults, the state is not valid.
    """

    state: bytes
    symbols: Mapping[str, str]
    faults: list[Fault]


def stickers_of(
    layout: FaceletLayout, text: str, scheme: str | None = None, order: str | None = None
) -> str:
    """Return the stickers in a text, in the order of the layout.

    The parameters are those of `read_facelets`. Without `order`, only a printed net is put in
    order.
    """
    net = net_in(layout, text) if order in (None, NET) and "\n" in text else None
    stickers = fold(layout, text if net is None else net, _symbols_of(layout, scheme))
    return stickers if order is None or net is not None else arranged(layout, stickers, order)


def interpret_text(
    puzzle: Puzzle, text: str, scheme: str | None = None, order: str | None = None
) -> tuple[str, StickerReading]:
    """Return the stickers in a text, in the order of the layout, and what they show.

    The parameters are those of `read_facelets`.
    """
    layout = appearance(puzzle).layout
    stickers = stickers_of(layout, text, scheme, order)
    reading = _best(puzzle, stickers, scheme)
    if not reading.faults or order is not None:
        return stickers, reading
    rows = arranged(layout, stickers, NET)
    other = reading if rows == stickers else _best(puzzle, rows, scheme)
    if not other.faults:
        warnings.warn(
            f"read row by row, as in the net; --option order={NET} confirms it, and --option "
            f"order={FACES} reads face by face",
            stacklevel=4,
        )
        return rows, other
    return stickers, _hinted(puzzle, stickers, scheme, reading)


def interpret(
    puzzle: Puzzle, stickers: str, scheme: str | None = None, unfinished: bool = False
) -> StickerReading:
    """Return the state that stickers show, the face of each symbol, and all faults.

    Several mappings from symbols to faces are tried. The result has the mapping with the fewest
    faults. `stickers` is a result of `fold`. If the stickers show a possible state in another
    order, the first fault says so.

    If `unfinished` is true, some stickers may be UNKNOWN, because they are not painted yet. The
    result then lists only the faults that remain however these stickers are painted.
    """
    reading = _best(puzzle, stickers, scheme, unfinished)
    return reading if unfinished else _hinted(puzzle, stickers, scheme, reading)


def _best(
    puzzle: Puzzle, stickers: str, scheme: str | None = None, unfinished: bool = False
) -> StickerReading:
    """Return the reading with the fewest faults."""
    look = appearance(puzzle)
    best: tuple[int, int, StickerReading] | None = None
    if len(stickers) == len(look.solved):
        for mapping in _candidates(look, stickers, scheme, unfinished):
            reading = read(puzzle, stickers, mapping, unfinished)
            if not reading.faults:
                return reading
            strange = sum(symbol not in mapping for symbol in stickers)
            if best is None or (strange, len(reading.faults)) < best[:2]:
                best = strange, len(reading.faults), reading
    forced = None if scheme is None else forced_mapping(look.layout, scheme)
    if best is None:
        tried = usual_mappings(look.layout) if forced is None else [forced]
        return StickerReading(b"", tried[0], length_faults(look.layout, stickers, tried))
    reading = best[2]
    if not unfinished and _is_strange(stickers, reading.symbols):
        return reading._replace(faults=[no_mapping(look.layout, stickers, forced)])
    return reading


def _is_strange(stickers: str, mapping: Mapping[str, str]) -> bool:
    return 3 * sum(symbol not in mapping for symbol in stickers) > len(stickers)


def _hinted(
    puzzle: Puzzle, stickers: str, scheme: str | None, reading: StickerReading
) -> StickerReading:
    """Return a reading with a fault in front that names the order in which it has no faults."""
    unread = len(reading.faults) > _MANY or _is_strange(stickers, reading.symbols)
    if not unread or not reading.state:
        return reading
    from puzzlekit.puzzle.schemes import other_order

    def valid(arranged: str, mapping: Mapping[str, str]) -> bool:
        return not read(puzzle, arranged, mapping).faults

    look = appearance(puzzle)
    forced = None if scheme is None else forced_mapping(look.layout, scheme)
    found = other_order(look, stickers, forced, valid)
    return reading._replace(faults=found + reading.faults)


def _candidates(
    look: Appearance, stickers: str, scheme: str | None, unfinished: bool
) -> Iterable[Mapping[str, str]]:
    layout = look.layout
    if scheme is None:
        # Face letters come first, so that the common case imports nothing.
        if set(stickers) <= set(layout.faces):
            yield dict(zip(layout.faces, layout.faces, strict=True))
        from puzzlekit.puzzle.schemes import mappings

        yield from usual_mappings(layout) if unfinished else mappings(look, stickers)
    else:
        yield forced_mapping(layout, scheme)


def _symbols_of(layout: FaceletLayout, scheme: str | None) -> str:
    """Return the symbols of a scheme, given by its name or symbols; empty for None."""
    names = {name.lower(): letters for name, letters in layout.schemes.items()}
    return "" if scheme is None else names.get(scheme.lower(), scheme)


def forced_mapping(layout: FaceletLayout, scheme: str) -> dict[str, str]:
    """Return the mapping from symbols to faces for a scheme, given by its name or symbols."""
    symbols = fold(layout, _symbols_of(layout, scheme))
    if len(symbols) != len(layout.faces) or len(set(symbols)) != len(symbols):
        raise UsageError(
            f"unknown colour scheme {scheme!r}: use {', '.join(layout.schemes)}, or "
            f"{len(layout.faces)} different symbols for the faces {layout.faces}"
        )
    return dict(zip(symbols, layout.faces, strict=True))


def read(
    puzzle: Puzzle, stickers: str, mapping: Mapping[str, str], unfinished: bool = False
) -> StickerReading:
    """Return the state and all faults for one mapping from symbols to faces (see `interpret`)."""
    look = appearance(puzzle)
    letters = stickers.translate(
        {ord(symbol): mapping.get(symbol, UNKNOWN) for symbol in set(stickers)}
    )
    state = bytearray()
    faults: list[Fault] = []
    unread: set[int] = set()
    for pieces in look.orbits:
        orbit = pieces.orbit
        labels = bytearray()
        turns = bytearray()
        for place, at in enumerate(pieces.at):
            piece = pieces.reading.get(at(letters))
            if piece is None:
                byte = len(state) + place
                piece, wrong = _unclear(pieces, at(letters), unfinished)
                if wrong:
                    where = f"{orbit.piece} at {orbit.places[place]}"
                    words = f"{where} shows {' '.join(at(stickers))}: {wrong}"
                    faults.append(fault_at(puzzle, orbit, [place], words))
                if piece is None or wrong:
                    unread.add(byte + orbit.width - orbit.size)
                if piece is None:
                    unread.add(byte)
                    piece = NO_PIECE, 0
            labels.append(piece[0])
            turns.append(piece[1])
        state += labels
        if orbit.orientations > 1:
            state += turns
    for i in look.fixed:
        if letters[i] not in (look.solved[i], UNKNOWN):
            name = look.layout.name(i)
            words = f"sticker {name}, which no move changes, is {stickers[i]}"
            faults.append(Fault(words, [i]))
    if faults or unread or puzzle.states is None or not puzzle.states.is_sound(bytes(state)):
        faults += diagnose(puzzle, bytes(state), unread, unfinished)
    if faults or UNKNOWN in letters:
        counts = count_faults(look.layout, stickers, mapping, unfinished=unfinished)
        # If no sticker has some colour, faults of its pieces would only repeat that.
        absent = not unfinished and not mapping.keys() <= set(stickers)
        faults = counts if absent else counts + faults
    return StickerReading(bytes(state), mapping, faults)


def _unclear(
    pieces: OrbitLook, letters: Letters, unfinished: bool
) -> tuple[tuple[int, int] | None, str]:
    """Return the piece that letters mean although they match no piece exactly, and the fault.

    The piece is None if several pieces or none are possible. If the letters are in mirror order,
    the piece is known, but its orientation is not.
    """
    if unfinished and UNKNOWN in letters:
        matching = pieces.matching(letters)
        if matching:
            return matching[0] if len(matching) == 1 else None, ""
    mirrored = pieces.reading.get(letters[::-1])
    if mirrored is not None:
        return (mirrored[0], 0), "its colours are in mirror order"
    if UNKNOWN in letters and not unfinished:
        return None, ""  # the unknown symbol has its own fault
    return None, f"no {pieces.orbit.piece} has these colours"


def count_faults(
    layout: FaceletLayout,
    stickers: str,
    mapping: Mapping[str, str],
    placed: bool = True,
    unfinished: bool = False,
) -> list[Fault]:
    """Return the faults of the symbols in a string of stickers.

    There are three kinds of faults: too many different symbols, symbols that `mapping` does not
    have, and symbols with a wrong number of stickers. If `placed` is true, sticker i of `stickers`
    belongs to facelet i, and the fault of an unknown symbol names the facelets with this symbol.
    Other faults name no facelets, because each sticker of the symbol may be the wrong one. If the
    painting is `unfinished`, unpainted stickers and missing stickers of a colour are not faults.
    """
    symbols = dict.fromkeys(stickers)
    if unfinished:
        symbols.pop(UNKNOWN, None)
    faults = []
    if len(symbols) > len(mapping):
        words = f"{len(symbols)} different symbols instead of {len(mapping)}: {' '.join(symbols)}"
        faults.append(Fault(words))
    for strange in symbols:
        if strange not in mapping:
            found = [i for i, symbol in enumerate(stickers) if symbol == strange]
            where = ", ".join(
                f"sticker {i + 1} ({layout.name(i)})" if placed else f"sticker {i + 1}"
                for i in found
            )
            words = f"{strange} is not one of {' '.join(mapping)}: {where}"
            faults.append(Fault(words, found if placed else ()))
    for symbol, face in mapping.items():
        count = stickers.count(symbol)
        expected = layout.colour_of.count(layout.faces.index(face))
        if count > expected or (count < expected and not unfinished):
            plural = "" if count == 1 else "s"
            faults.append(Fault(f"{count} sticker{plural} of {symbol} instead of {expected}"))
    return faults


def length_faults(
    layout: FaceletLayout, stickers: str, tried: Sequence[Mapping[str, str]]
) -> list[Fault]:
    """Return the faults of a string with too few or too many stickers. They name no facelets."""
    mapping = min(tried, key=lambda each: sum(symbol not in each for symbol in stickers))
    wanted = len(layout.face_of)
    plural = "" if len(stickers) == 1 else "s"
    faults = [Fault(f"{len(stickers)} sticker{plural} instead of {wanted}")]
    # The numbers of each symbol help to find a typing error. They do not help if the text has no
    # stickers at all.
    if 2 * abs(wanted - len(stickers)) < len(stickers) and 2 * sum(
        symbol in mapping for symbol in stickers
    ) > len(stickers):
        faults += count_faults(layout, stickers, mapping, placed=False)
    return faults


def no_mapping(layout: FaceletLayout, stickers: str, forced: Mapping[str, str] | None) -> Fault:
    """Return the fault of symbols that fit no mapping to faces.

    If a mapping is `forced`, the fault is that the symbols do not fit this mapping.
    """
    symbols = " ".join(dict.fromkeys(stickers))
    if forced is not None:
        return Fault(f"symbols {symbols} instead of {' '.join(forced)}")
    schemes = ", ".join(f"{name} {letters}" for name, letters in layout.schemes.items())
    return Fault(
        f"symbols {symbols}: neither the faces {layout.faces} nor the colours of a known scheme"
        f"{schemes and ': '}{schemes}; no assignment of these symbols to faces gives valid pieces"
    )
