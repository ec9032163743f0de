"""What each move of a sliding puzzle does, in words of six languages."""

from __future__ import annotations

from puzzlekit import Move

__all__ = ["in_words"]

# In each language, how a tile slides when the blank moves up, left, right and down.
_WORDS = {
    "en": ("tile {} down", "tile {} to the right", "tile {} to the left", "tile {} up"),
    "de": (
        "Stein {} nach unten",
        "Stein {} nach rechts",
        "Stein {} nach links",
        "Stein {} nach oben",
    ),
    "fr": (
        "le {} vers le bas",
        "le {} vers la droite",
        "le {} vers la gauche",
        "le {} vers le haut",
    ),
    "es": ("el {} hacia abajo", "el {} a la derecha", "el {} a la izquierda", "el {} hacia arriba"),
    "ja": ("{}を下へ", "{}を右へ", "{}を左へ", "{}を上へ"),
    "zh": ("{} 向下", "{} 向右", "{} 向左", "{} 向上"),
}


def in_words(move: Move, state: bytes, language: str) -> str:
    """Return which tile slides, and which way; "" in another language, or if none can."""
    words = _WORDS.get(language)
    case = move.cases[state.index(0)] if move.cases else move
    if words is None or case is None:
        return ""
    return words["ULRD".index(move.family)].format(state[case.guard_after])
