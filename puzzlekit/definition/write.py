"""States in the format of their definition, as they are read again."""

from __future__ import annotations

import json
from collections.abc import Mapping

from puzzlekit.definition.definition import Definition

Numbers = Mapping[str, tuple[list[int], list[int]]]


def write_text_state(definition: Definition, numbers: Numbers) -> str:
    """A state as twsearch and ksolve write it."""
    lines = ["Scramble state"]
    for of in definition.sets:
        pieces, turns = numbers[of.name]
        lines += [of.name, " ".join(str(piece + 1) for piece in pieces)]
        if of.orientations > 1:
            moduli = definition.solved[of.name].moduli
            open_to = {
                piece: modulus == 1
                for piece, modulus in zip(definition.solved[of.name].pieces, moduli, strict=True)
            }
            lines.append(
                " ".join(
                    "?" if open_to[piece] else str(turn)
                    for piece, turn in zip(pieces, turns, strict=True)
                )
            )
    return "\n".join([*lines, "End"])


def write_kpuzzle_state(definition: Definition, numbers: Numbers) -> str:
    """A state as a pattern of cubing.js."""
    data = {}
    for of in definition.sets:
        pieces, turns = numbers[of.name]
        data[of.name] = {"pieces": pieces, "orientation": turns}
        solved = definition.solved[of.name]
        modulus = dict(zip(solved.pieces, solved.moduli, strict=True))
        moduli = [modulus[piece] % of.orientations for piece in pieces]
        if any(moduli):
            data[of.name]["orientationMod"] = moduli
    return json.dumps({"patternData": data})
