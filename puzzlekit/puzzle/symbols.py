"""The symbols of a text of stickers, and the faces that they usually stand for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from puzzlekit.puzzle.layout import FaceletLayout

__all__ = ["usual_mappings"]

_BETWEEN_FACES = dict.fromkeys(map(ord, "/|,;'\""))
_ERRORS = 2  # symbols in a text beyond the number of colours


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
