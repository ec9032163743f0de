"""Faults of stickers as text: wrong numbers of stickers, and unknown symbols."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from puzzlekit.puzzle.appearance import UNKNOWN
from puzzlekit.puzzle.diagnose import Fault
from puzzlekit.puzzle.layout import FaceletLayout


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
