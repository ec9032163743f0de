"""Write states in the format of their definition."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from puzzlekit_definitions.definition import Definition, Pattern

Numbers = Mapping[str, tuple[list[int], list[int]]]


def write_text_state(definition: Definition, numbers: Numbers) -> str:
    """Return a state in the format of twsearch and ksolve."""
    lines = ["Scramble state"]
    for of in definition.sets:
        pieces, turns = numbers[of.name]
        lines += [of.name, " ".join(str(piece + 1) for piece in pieces)]
        if of.orientations > 1:
            moduli = _moduli(definition.solved[of.name], pieces)
            shown = zip(turns, moduli, strict=True)
            lines.append(" ".join("?" if modulus == 1 else str(turn) for turn, modulus in shown))
    return "\n".join([*lines, "End"])


def write_kpuzzle_state(definition: Definition, numbers: Numbers) -> str:
    """Return a state as a pattern of cubing.js."""
    data = {}
    for of in definition.sets:
        pieces, turns = numbers[of.name]
        data[of.name] = {"pieces": pieces, "orientation": turns}
        moduli = [m % of.orientations for m in _moduli(definition.solved[of.name], pieces)]
        if any(moduli):
            data[of.name]["orientationMod"] = moduli
    return json.dumps({"patternData": data})


def _moduli(solved: Pattern, pieces: Iterable[int]) -> list[int]:
    """Return the modulus of the orientation of each piece."""
    known = dict(zip(solved.pieces, solved.moduli, strict=True))
    return [known[piece] for piece in pieces]
