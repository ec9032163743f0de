"""What each move of a Square-1 does, in words of six languages."""

from __future__ import annotations

from puzzlekit import Move

__all__ = ["in_words"]

# In each language: the top layer, the bottom layer, clockwise, counter-clockwise, and a slice.
_WORDS = {
    "en": (
        "top layer, {}° clockwise",
        "top layer, {}° counter-clockwise",
        "bottom layer, {}° clockwise as seen from below",
        "bottom layer, {}° counter-clockwise as seen from below",
        "right half, half a turn",
    ),
    "de": (
        "obere Schicht, {}° im Uhrzeigersinn",
        "obere Schicht, {}° gegen den Uhrzeigersinn",
        "untere Schicht, von unten gesehen {}° im Uhrzeigersinn",
        "untere Schicht, von unten gesehen {}° gegen den Uhrzeigersinn",
        "rechte Hälfte, halbe Drehung",
    ),
    "fr": (
        "couche du haut, {}° dans le sens horaire",
        "couche du haut, {}° dans le sens antihoraire",
        "couche du bas, vue d’en bas : {}° dans le sens horaire",
        "couche du bas, vue d’en bas : {}° dans le sens antihoraire",
        "moitié droite, demi-tour",
    ),
    "es": (
        "capa superior, {}° en sentido horario",
        "capa superior, {}° en sentido antihorario",
        "capa inferior, vista desde abajo: {}° en sentido horario",
        "capa inferior, vista desde abajo: {}° en sentido antihorario",
        "mitad derecha, media vuelta",
    ),
    "ja": (
        "上の層、時計回りに{}度",
        "上の層、反時計回りに{}度",
        "下の層、下から見て時計回りに{}度",
        "下の層、下から見て反時計回りに{}度",
        "右半分を180度",
    ),
    "zh": (
        "上层，顺时针 {} 度",
        "上层，逆时针 {} 度",
        "下层，从下面看顺时针 {} 度",
        "下层，从下面看逆时针 {} 度",
        "右半边，180 度",
    ),
}


def in_words(move: Move, _: bytes, language: str) -> str:
    """Return which layer turns, which way, and how far; "" in another language."""
    words = _WORDS.get(language)
    if words is None:
        return ""
    if move.family == "/":
        return words[4]
    hours = (move.amount + 5) % 12 - 5
    number = 2 * (move.family == "D") + (hours < 0)
    return words[number].format(30 * abs(hours))
