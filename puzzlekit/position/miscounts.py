"""Faults of stickers as a text: too many or too few of them, and symbols that mean nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from puzzlekit.diagnosis.diagnose import Fault
from puzzlekit.puzzle.appearance import UNKNOWN
from puzzlekit.puzzle.layout import FaceletLayout


def count_faults(
    layout: FaceletLayout,
    stickers: str,
    mapping: Mapping[str, str],
    placed: bool = True,
    unfinished: bool = False,
) -> list[Fault]:
    """Too many symbols, unknown ones, wrong numbers of stickers; where, if all are `placed`.

    Of an `unfinished` painting nothing is said of too few, nor of stickers yet to be painted. A
    wrong number is about no sticker: which of them is wrong it does not tell.
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
            words = f"{strange} is none of {' '.join(mapping)}: {where}"
            faults.append(Fault(words, found if placed else ()))
    for symbol, face in mapping.items():
        count = stickers.count(symbol)
        expected = layout.face_of.count(layout.faces.index(face))
        if count > expected or (count < expected and not unfinished):
            plural = "" if count == 1 else "s"
            faults.append(Fault(f"{count} sticker{plural} of {symbol} instead of {expected}"))
    return faults


def length_faults(
    layout: FaceletLayout, stickers: str, tried: Sequence[Mapping[str, str]]
) -> list[Fault]:
    """What can be said where stickers are missing or too many: nothing about places."""
    mapping = min(tried, key=lambda each: sum(symbol not in each for symbol in stickers))
    wanted = len(layout.face_of)
    plural = "" if len(stickers) == 1 else "s"
    faults = [Fault(f"{len(stickers)} sticker{plural} instead of {wanted}")]
    # The counts help to find a slip of the finger, not in a text that is something else.
    if 2 * abs(wanted - len(stickers)) < len(stickers) and 2 * sum(
        symbol in mapping for symbol in stickers
    ) > len(stickers):
        faults += count_faults(layout, stickers, mapping, placed=False)
    return faults


def no_mapping(layout: FaceletLayout, stickers: str, forced: Mapping[str, str] | None) -> Fault:
    """No way of giving the symbols to faces makes sense, or the one that is `forced` does not."""
    symbols = " ".join(dict.fromkeys(stickers))
    if forced is not None:
        return Fault(f"symbols {symbols} instead of {' '.join(forced)}")
    schemes = ", ".join(f"{name} {letters}" for name, letters in layout.schemes.items())
    return Fault(
        f"symbols {symbols}: neither the faces {layout.faces} nor the colours of a known scheme"
        f"{schemes and ': '}{schemes}; and no way of giving them to faces makes the pieces"
    )
