"""Colour schemes: they map the symbols of stickers to faces."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import permutations

from puzzlekit.diagnosis.diagnose import Fault
from puzzlekit.position.symbols import usual_mappings
from puzzlekit.puzzle.appearance import Appearance, Letters
from puzzlekit.puzzle.layout import FaceletLayout

# A mapping is rejected if more places of the tested orbit than this have an invalid or duplicate
# piece. A mapping with such places only serves to name the faults of the stickers.
_TOLERATED = 2


def mappings(look: Appearance, stickers: str) -> Iterator[Mapping[str, str]]:
    """Yield the possible mappings from the symbols of stickers to faces, the most likely first.

    1. Face letters and colour schemes that have all symbols of the stickers.
    2. The mapping under which the centers are solved, if each face has one center.
    3. All mappings under which every piece of one orbit exists once.
    4. Face letters and colour schemes that lack some symbols of the stickers.
    """
    layout = look.layout
    usual = usual_mappings(layout)
    symbols = dict.fromkeys(stickers)
    yield from (mapping for mapping in usual if mapping.keys() >= symbols.keys())
    # A rare symbol beyond the number of faces is a typing error. Sorting keeps the order of
    # appearance.
    common = sorted(symbols, key=stickers.count, reverse=True)[: len(layout.faces)]
    common.sort(key=list(symbols).index)
    if len(common) == len(layout.faces):
        yield from _by_centers(look, stickers, common)
        yield from _by_pieces(look, stickers, common)
    yield from (mapping for mapping in usual if not mapping.keys() >= symbols.keys())


def warn_if_unusual(layout: FaceletLayout, mapping: Mapping[str, str]) -> None:
    """Warn if `mapping` maps face letters, or letters of a known scheme, to unusual faces.

    Either the puzzle has mirrored colours, or the stickers are wrong.
    """
    usual = usual_mappings(layout)
    if mapping not in usual and any(mapping.keys() == each.keys() for each in usual):
        symbols = "".join(sorted(mapping, key=lambda symbol: layout.faces.index(mapping[symbol])))
        warnings.warn(
            "read as a mirrored or otherwise unusual colour scheme; --scheme "
            f"{symbols} confirms it",
            stacklevel=4,
        )


def other_order(
    look: Appearance,
    stickers: str,
    tried: Iterable[Mapping[str, str]],
    valid: Callable[[str, Mapping[str, str]], bool],
) -> list[Fault]:
    """Return a fault that names another order of the faces, if `valid` is true for that order.

    The text may list the faces in the wrong order. `valid` is a function that says whether
    reordered stickers describe a possible state. Only the mappings in `tried` are considered. The
    list is empty if no order is valid.
    """
    layout = look.layout
    faces = layout.faces
    area = len(stickers) // len(faces)
    if len(faces) > 6 or layout.face_of != tuple(i // area for i in range(len(stickers))):
        return []
    several = [pieces for pieces in look.orbits if len(pieces.places[0]) > 1]
    blocks = [stickers[i : i + area] for i in range(0, len(stickers), area)]
    for mapping in tried:
        if not mapping.keys() >= set(stickers):
            continue
        table = {ord(symbol): face for symbol, face in mapping.items()}
        letters = [block.translate(table) for block in blocks]
        for order in permutations(range(len(faces))):
            shown = "".join(map(letters.__getitem__, order))
            if all(at(shown) in pieces.reading for pieces in several for at in pieces.at):
                arranged = "".join(map(blocks.__getitem__, order))
                if valid(arranged, mapping):
                    there = " ".join(faces[order.index(i)] for i in range(len(faces)))
                    words = (
                        f"in the order {there} it would be a valid state; "
                        f"the order of the faces here is {' '.join(faces)}"
                    )
                    return [Fault(words)]
    return []


def _by_centers(look: Appearance, stickers: str, symbols: list[str]) -> Iterator[dict[str, str]]:
    layout = look.layout
    for pieces in look.orbits:
        faces = [layout.colour_of[place[0]] for place in pieces.places]
        if (
            pieces.orbit.distinct
            and len(pieces.places[0]) == 1
            and sorted(faces) == list(range(len(layout.faces)))
        ):
            mapping = {
                stickers[place[0]]: layout.faces[face]
                for place, face in zip(pieces.places, faces, strict=True)
            }
            if mapping.keys() == set(symbols):
                yield mapping


def _by_pieces(look: Appearance, stickers: str, symbols: list[str]) -> Iterator[dict[str, str]]:
    """Yield mappings under which all or almost all pieces of one orbit exist once."""
    # Only pieces of several colours distinguish faces. The orbit with the fewest places is the
    # cheapest to test.
    several = [pieces for pieces in look.orbits if len(pieces.places[0]) > 1]
    if not several:
        return
    fewest = min(several, key=lambda pieces: pieces.orbit.size)
    places = [at(stickers) for at in fewest.at]
    for tolerated in range(_TOLERATED + 1):
        found = False
        for mapping in _descend(places, fewest.reading, look.layout.faces, symbols, {}, tolerated):
            found = True
            yield mapping
        if found:
            return


def _descend(
    places: list[Letters],
    reading: dict[Letters, tuple[int, int]],
    faces: str,
    symbols: list[str],
    mapping: dict[str, str],
    tolerated: int,
) -> Iterator[dict[str, str]]:
    """Assign a symbol to one face after the other, and stop if too many places are invalid."""
    labels = set()
    wrong = 0
    for place in places:
        if mapping.keys() >= set(place):
            piece = reading.get(tuple(mapping[symbol] for symbol in place))
            if piece is None or piece[0] in labels:
                wrong += 1
            else:
                labels.add(piece[0])
    if wrong > tolerated:
        return
    if len(mapping) == len(faces):
        yield mapping
        return
    for symbol in symbols:
        if symbol not in mapping:
            longer = {**mapping, symbol: faces[len(mapping)]}
            yield from _descend(places, reading, faces, symbols, longer, tolerated)
