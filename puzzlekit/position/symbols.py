"""The symbols of a text of stickers, and the faces that they usually stand for."""

from __future__ import annotations

from collections.abc import Mapping

from puzzlekit.puzzle.layout import FaceletLayout

_BETWEEN_FACES = dict.fromkeys(map(ord, "/|,;'\""))


def fold(layout: FaceletLayout, text: str) -> str:
    """`text` without blanks, and in capitals unless the layout distinguishes case.

    Non-ASCII text keeps its case, because some capitals are longer ("ß"). Separators of faces and
    quotes are removed if there are too many symbols with them.
    """
    symbols = "".join(text.split())
    wanted = len(layout.face_of)
    if len(symbols) > wanted:
        stickers = symbols.translate(_BETWEEN_FACES)
        if len(stickers) == wanted or len(symbols) - len(stickers) == len(layout.faces) - 1:
            symbols = stickers
    return symbols.upper() if layout.faces.isupper() and symbols.isascii() else symbols


def usual_mappings(layout: FaceletLayout) -> list[Mapping[str, str]]:
    """The mappings from symbols to faces: face letters, then each colour scheme of the layout."""
    return [
        dict(zip(fold(layout, letters), layout.faces, strict=True))
        for letters in (layout.faces, *layout.schemes.values())
    ]
