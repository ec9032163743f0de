"""Colour schemes: the faces that the symbols of stickers stand for."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, combinations, permutations

from puzzlekit.puzzle.diagnose import Fault
from puzzlekit.puzzle.layout import FaceletLayout
from puzzlekit.puzzle.stickers import NET, UNKNOWN, Appearance, Letters, OrbitLook, arranged

__all__ = ["mappings", "usual_mappings"]


_BETWEEN_FACES = dict.fromkeys(map(ord, "/|,;'\""))
_ERRORS = 2  # symbols in a text beyond the number of colours
# A mapping is rejected if more places of the tested orbit than this have an invalid or duplicate
# piece. A mapping with such places only serves to name the faults of the stickers.
_TOLERATED = 2
_MOST_FACES = 6  # whose orders are all tried
# Cases of a search for mappings, which take less than a second. Pieces of three colours need some
# hundreds. Of two colours they may need millions, if some stickers are wrong.
_MOST_CASES = 8_000


def fold(layout: FaceletLayout, text: str, scheme: str | Iterable[str] = ()) -> str:
    """Return `text` without white space, in upper case if the case of its letters says nothing.

    The case says something if the layout has lower case, or if the symbols could not stand for all
    colours without it. `scheme` has the symbols of the colours if they are known; by default the
    symbols of the text decide. Non-ASCII text keeps its case, because some letters are longer in
    upper case ("ß"). If there are more symbols than facelets, characters that separate faces (/ | ,
    ;) and quotation marks are removed.

    >>> import puzzlekit
    >>> layout = puzzlekit.load("cube2").puzzle.layout
    >>> fold(layout, "rrrr RRRR bbbb BBBB gggg wwww"), fold(layout, "Rrrr Bbbb")
    ('rrrrRRRRbbbbBBBBggggwwww', 'RRRRBBBB')
    """
    symbols = "".join(text.split())
    wanted = len(layout.face_of)
    if len(symbols) > wanted:
        stickers = symbols.translate(_BETWEEN_FACES)
        if len(stickers) == wanted or len(symbols) - len(stickers) == len(layout.faces) - 1:
            symbols = stickers
    folds = layout.faces.isupper() and symbols.isascii()
    return symbols.upper() if folds and not _needs_case(layout, scheme or symbols) else symbols


def _needs_case(layout: FaceletLayout, symbols: Iterable[str]) -> bool:
    """Whether symbols stand for all colours only if upper and lower case differ."""
    distinct = set(symbols)
    colours = len(set(layout.colour_of))
    folded = {symbol.upper() for symbol in distinct}
    # A few symbols more may be typing errors. Many more are words in mixed case.
    return len(folded) < colours <= len(distinct) <= colours + _ERRORS


def usual_mappings(layout: FaceletLayout) -> list[Mapping[str, str]]:
    """Return the usual mappings from symbols to faces: face letters, then each colour scheme."""
    return [
        dict(zip(fold(layout, letters), layout.faces, strict=True))
        for letters in (layout.faces, *layout.schemes.values())
    ]


def mappings(look: Appearance, stickers: str) -> Iterator[Mapping[str, str]]:
    """Yield the possible mappings from the symbols of stickers to faces, the most likely first.

    1. Face letters and colour schemes that have all symbols of the stickers.
    2. The mapping under which the centers are solved, if each face has one center.
    3. All mappings under which nearly every piece of one orbit exists once; none if this holds for
       face letters or a colour scheme, or if the search for them takes too long.
    4. Face letters and colour schemes that lack some symbols of the stickers.
    """
    layout = look.layout
    usual = usual_mappings(layout)
    symbols = dict.fromkeys(stickers)
    yield from (mapping for mapping in usual if mapping.keys() >= symbols.keys())
    # A rare symbol beyond the number of faces is a typing error. Sorting keeps the order of
    # appearance. "?" is an unknown sticker, unless it is needed as the symbol of a face.
    if len(symbols) > len(layout.faces):
        symbols.pop(UNKNOWN, None)
    common = sorted(symbols, key=stickers.count, reverse=True)[: len(layout.faces)]
    common.sort(key=list(symbols).index)
    if len(common) == len(layout.faces):
        yield from _by_centers(look, stickers, common)
        if not any(_nearly_fits(look, stickers, each) for each in usual):
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
            "read as a mirrored or otherwise unusual colour scheme; --option "
            f"scheme={symbols} confirms it",
            stacklevel=4,
        )


def other_order(
    look: Appearance,
    stickers: str,
    forced: Mapping[str, str] | None,
    valid: Callable[[str, Mapping[str, str]], bool],
) -> list[Fault]:
    """Return a fault that names another order of the stickers, if `valid` is true for that order.

    The text may list the faces in the wrong order, or the rows of the net from top to bottom.
    `valid` is a function that says whether reordered stickers describe a possible state. The
    mapping `forced` is the only one if it is given. The list is empty if no order is valid.
    """
    layout = look.layout
    faces = layout.faces
    several = [pieces for pieces in look.orbits if len(pieces.places[0]) > 1]
    if len(faces) > _MOST_FACES or not several:
        return []
    fewest = min(several, key=lambda pieces: pieces.orbit.size)
    orders = [NET, *_orders_of_faces(layout, fewest, stickers, look.solved)]
    listed = [(order, arranged(layout, stickers, order)) for order in orders]
    usual = usual_mappings(layout) if forced is None else [forced]
    for own in (False, True) if forced is None else (False,):
        for order, shown in listed:
            for mapping in _own_mappings(look, shown) if own else usual:
                if mapping.keys() >= {*stickers} and valid(shown, mapping):
                    return [Fault(_order_in_words(order, faces))]
    return []


def _order_in_words(order: str, faces: str) -> str:
    if order == NET:
        return (
            "row by row, as in the net, it would be a valid state; --option "
            f"order={NET} reads it so"
        )
    return (
        f"in the order {' '.join(order)} it would be a valid state; the order of the faces here is "
        f"{' '.join(faces)}; --option order={order} reads it so"
    )


def _orders_of_faces(
    layout: FaceletLayout, pieces: OrbitLook, stickers: str, solved: str
) -> Iterator[str]:
    """Yield the orders of the faces in which as many pieces look alike as in the solved puzzle.

    All other orders are wrong for every mapping from symbols to faces.
    """
    sizes = [layout.face_of.count(face) for face in range(len(layout.faces))]
    # For each place the face of each facelet, and the number of the facelet on this face.
    places = [
        [(layout.face_of[i], layout.face_of[:i].count(layout.face_of[i])) for i in place]
        for place in pieces.places
    ]

    def kinds(shown: Iterable[Iterable[str]]) -> list[int]:
        """Return how often each piece and each pair of its letters is there."""
        found: Counter[tuple[str, ...]] = Counter()
        for letters in map(sorted, shown):
            found.update([tuple(letters), *combinations(letters, 2)])
        return sorted(found.values())

    def begins(order: Sequence[int]) -> list[int]:
        ends = accumulate(sizes[face] for face in order)
        found = {face: end - sizes[face] for face, end in zip(order, ends, strict=True)}
        return [found[face] for face in range(len(order))]

    right = kinds(at(solved) for at in pieces.at)
    for order in permutations(range(len(sizes))):
        begin = begins(order)
        if kinds([stickers[begin[face] + i] for face, i in place] for place in places) == right:
            yield "".join(layout.faces[face] for face in order)


def _own_mappings(look: Appearance, stickers: str) -> Iterator[Mapping[str, str]]:
    """Yield the mappings that the pieces allow, for symbols without a usual meaning."""
    symbols = [*dict.fromkeys(stickers)]
    if len(symbols) == len(look.layout.faces):
        yield from _by_centers(look, stickers, symbols)
        yield from _by_pieces(look, stickers, symbols, 0)


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


def _distinguishing(look: Appearance) -> OrbitLook | None:
    """Return the orbit whose pieces distinguish all faces, the one with the fewest places."""
    several = [
        pieces
        for pieces in look.orbits
        if len(pieces.places[0]) > 1
        and {look.layout.colour_of[i] for at in pieces.places for i in at}
        == {*look.layout.colour_of}
    ]
    return min(several, key=lambda pieces: pieces.orbit.size, default=None)


def _by_pieces(
    look: Appearance, stickers: str, symbols: list[str], most: int = _TOLERATED
) -> Iterator[dict[str, str]]:
    """Yield mappings under which all pieces of one orbit, or all but `most`, exist once."""
    fewest = _distinguishing(look)
    if fewest is None:
        return
    # A place with a symbol of no face says nothing.
    places = [place for at in fewest.at if {*(place := at(stickers))} <= {*symbols}]
    for tolerated in range(most + 1):
        found = [*_agreeing(places, fewest.reading, look.layout.faces, symbols, tolerated)]
        if found:
            found.sort(key=lambda mapping: [symbols.index(each) for each in mapping])
            yield from found
            return


def _nearly_fits(look: Appearance, stickers: str, mapping: Mapping[str, str]) -> bool:
    """Return whether a mapping is as good as those of `_by_pieces`."""
    fewest = _distinguishing(look)
    if fewest is None or not mapping.keys() >= {*stickers}:
        return False
    faces = stickers.translate({ord(symbol): face for symbol, face in mapping.items()})
    found = [fewest.reading.get(at(faces)) for at in fewest.at]
    return len({piece[0] for piece in found if piece}) >= len(found) - _TOLERATED


def _agreeing(
    places: list[Letters],
    reading: dict[Letters, tuple[int, int]],
    faces: str,
    symbols: list[str],
    tolerated: int,
) -> Iterator[dict[str, str]]:
    """Yield each mapping under which all places but `tolerated` have a piece, each its own.

    The symbols of a mapping are in the order of the faces. One place after the other is taken to
    have a certain piece, or to be wrong. Two faces that meet determine their neighbours, so few
    cases remain after the first place, however many faces there are. The search is given up after
    `_MOST_CASES`.
    """
    cases = 0

    def descend(mapping: dict[str, str], wrong: frozenset[int]) -> Iterator[dict[str, str]]:
        nonlocal cases
        cases += 1
        if cases > _MOST_CASES:
            return
        labels = set()
        open_: list[int] = []
        faults = len(wrong)
        for number, place in enumerate(places):
            if not mapping.keys() >= {*place}:
                if number not in wrong:
                    open_.append(number)
                continue
            piece = reading.get(tuple(mapping[symbol] for symbol in place))
            if piece is not None and piece[0] not in labels:
                labels.add(piece[0])
                if number in wrong:  # this mapping is found without a wrong place here
                    return
            elif number not in wrong:
                faults += 1
        if faults > tolerated:
            return
        if not open_:
            left = [face for face in faces if face not in mapping.values()]
            for order in permutations(symbol for symbol in symbols if symbol not in mapping):
                cases += 1
                if cases > _MOST_CASES:
                    return
                back = {face: symbol for symbol, face in mapping.items()}
                back |= dict(zip(left, order, strict=True))
                yield {back[face]: face for face in faces}
            return
        number = max(open_, key=lambda each: sum(symbol in mapping for symbol in places[each]))
        for shown in reading:
            longer = _longer(mapping, places[number], shown)
            if longer is not None:
                yield from descend(longer, wrong)
        yield from descend(mapping, wrong | {number})

    yield from descend({}, frozenset())


def _longer(mapping: dict[str, str], place: Letters, shown: Letters) -> dict[str, str] | None:
    """Return the mapping with which symbols at a place are those of a piece; None if impossible."""
    longer = dict(mapping)
    for symbol, face in zip(place, shown, strict=True):
        if longer.setdefault(symbol, face) != face:
            return None
    return longer if len({*longer.values()}) == len(longer) else None
