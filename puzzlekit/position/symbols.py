"""The symbols of a text of stickers, and the faces that they usually stand for."""

from __future__ import annotations

from collections.abc import Mapping

from puzzlekit.puzzle.layout import FaceletLayout

_BETWEEN_FACES = dict.fromkeys(map(ord, "/|,;'\""))


def fold(layout: FaceletLayout, text: str) -> str:
    """Return `text` without white space, in upper case if the layout has only upper case.

    Non-ASCII text keeps its case, because some letters are longer in upper case ("ß"). If there are
    more symbols than facelets, characters that separate faces (/ | , ;) and quotation marks are
    removed.
    """
    symbols = "".join(text.split())
    wanted = len(layout.face_of)
    if len(symbols) > wanted:
        stickers = symbols.translate(_BETWEEN_FACES)
        if len(stickers) == wanted or len(symbols) - len(stickers) == len(layout.faces) - 1:
            symbols = stickers
    return symbols.upper() if layout.faces.isupper() and symbols.isascii() else symbols


def usual_mappings(layout: FaceletLayout) -> list[Mapping[str, str]]:
    """Return the usual mappings from symbols to faces: face letters, then each colour scheme."""
    return [
        dict(zip(fold(layout, letters), layout.faces, strict=True))
        for letters in (layout.faces, *layout.schemes.values())
    ]
