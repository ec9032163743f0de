"""The colours of stickers in pictures."""

from __future__ import annotations

#: The colours of common puzzles, chosen to be easily distinguished.
KNOWN = {
    "white": "#ffffff",
    "yellow": "#ffd60a",
    "orange": "#ff8c1a",
    "red": "#c8102e",
    "green": "#0a9d4f",
    "blue": "#1756c9",
    "purple": "#7a3fb0",
    "violet": "#7a3fb0",
    "pink": "#ff9ec7",
    "grey": "#9a9da3",
    "gray": "#9a9da3",
    "black": "#303338",
    "brown": "#8a5a33",
    "cyan": "#4cc9e8",
    "light blue": "#7cc4ff",
    "light green": "#93d94e",
    "dark green": "#0b6b3a",
    "dark blue": "#12378a",
    "beige": "#f0e2bd",
    "cream": "#f6edc8",
}


def css_colour(word: str, index: int, count: int) -> str:
    """Return the colour of a word as "#rrggbb".

    An unknown word gets the colour number `index` of `count` evenly spaced hues.
    """
    known = KNOWN.get(word.lower())
    if known is not None:
        return known
    from colorsys import hls_to_rgb

    parts = hls_to_rgb(index / max(count, 1), 0.55, 0.55)
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)
