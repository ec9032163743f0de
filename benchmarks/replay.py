"""Replay moves of definition files, with a simulator that shares no code with the package.

A state is a dictionary: for each set, a list of pairs (piece, orientation). A move is a dictionary:
for each set that it changes, a list of pairs (source, turn): the piece at place i comes from place
`source` and is turned by `turn`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

State = dict[str, list[tuple[int, int]]]

_UNIT = re.compile(r"\s*(\[|\]|\(|\)|,|:|[^\s\[\](),:]+)")
_POWER = re.compile(r"(.*?)(\d*)('?)$")


class Replay:
    """The solved state and the moves of one definition file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.orientations: dict[str, int] = {}
        self.solved: State = {}
        self.moduli: dict[str, list[int]] = {}
        self.moves: dict[str, State] = {}
        self.derived: dict[str, str] = {}
        text = path.read_text()
        self._is_text = path.suffix in (".tws", ".def")
        if self._is_text:
            self._read_text(text)
        elif path.suffix == ".gap":
            self._read_gap(text)
        else:
            self._read_json(json.loads(text))

    def is_solved(self, state: State) -> bool:
        """Whether a state is the solved state of the file, as far as its pieces differ."""
        return all(
            all(
                one == other and not (turn - wanted) % modulus
                for (one, turn), (other, wanted), modulus in zip(
                    state[name], solved, self.moduli[name], strict=True
                )
            )
            for name, solved in self.solved.items()
        )

    def after(self, state: State, moves: list[str]) -> State:
        """Return a state after moves."""
        for name in moves:
            for change in self._changes(name):
                state = {of: self._changed(of, row, change) for of, row in state.items()}
        return state

    def _changed(self, of: str, row: list[tuple[int, int]], change: State) -> list[tuple[int, int]]:
        if of not in change:
            return row
        count = self.orientations[of]
        return [(row[source][0], (row[source][1] + turn) % count) for source, turn in change[of]]

    def _changes(self, name: str) -> Iterator[State]:
        """Yield the changes that a written move consists of."""
        if name in self.moves:
            yield self.moves[name]
            return
        if name in self.derived:
            for part in self._units(self.derived[name]):
                yield from self._changes(part)
            return
        if name.startswith("-"):
            yield from map(self._inverse, reversed([*self._changes(name[1:])]))
            return
        stem, digits, prime = _POWER.fullmatch(name).groups()  # type: ignore[union-attr]
        if stem == name or not stem:
            raise KeyError(name)
        if prime and digits and stem + digits in {**self.moves, **self.derived}:
            stem, digits = stem + digits, ""
        once = [*self._changes(stem)]
        if prime:
            once = [self._inverse(change) for change in reversed(once)]
        for _ in range(int(digits or 1)):
            yield from once

    def _inverse(self, change: State) -> State:
        back = {}
        for of, row in change.items():
            own = [(0, 0)] * len(row)
            for place, (source, turn) in enumerate(row):
                own[source] = (place, -turn % self.orientations[of])
            back[of] = own
        return back

    def _units(self, text: str) -> list[str]:
        """Return the moves of a derived move, with conjugates and commutators written out."""
        tokens = _UNIT.findall(text)
        found, left = self._sequence(tokens)
        if left:
            raise ValueError(f"{text!r} cannot be read")
        return found

    def _sequence(self, tokens: list[str]) -> tuple[list[str], list[str]]:
        found: list[str] = []
        while tokens and tokens[0] not in ("]", ")", ",", ":"):
            if tokens[0] not in ("[", "("):
                found.append(tokens[0])
                tokens = tokens[1:]
                continue
            closing = {"[": "]", "(": ")"}[tokens[0]]
            one, tokens = self._sequence(tokens[1:])
            if tokens[0] in (":", ","):
                kind = tokens[0]
                other, tokens = self._sequence(tokens[1:])
                back = self._back(one)
                one = [*one, *other, *back, *(self._back(other) if kind == "," else [])]
            if tokens[0] != closing:
                raise ValueError(f"expected {closing}")
            tokens = tokens[1:]
            if tokens and (power := re.fullmatch(r"(\d*)('?)", tokens[0])):
                one = (self._back(one) if power[2] else one) * int(power[1] or 1)
                tokens = tokens[1:]
            found += one
        return found, tokens

    @staticmethod
    def _back(moves: list[str]) -> list[str]:
        return [move[:-1] if move.endswith("'") else f"{move}'" for move in reversed(moves)]

    def read(self, text: str) -> State:
        """Read a state in the format of the file."""
        if self._is_text:
            return self._block(iter(text.splitlines()[1:]), self.solved)
        if self.path.suffix == ".gap" or "stickers" in self.solved:
            colours = text.split(",")
            return {"stickers": [(self._colour[each], 0) for each in colours]}
        data = json.loads(text)["patternData"]
        return {
            name: [*zip(own["pieces"], own["orientation"], strict=True)]
            for name, own in data.items()
        }

    def _read_text(self, text: str) -> None:
        lines = iter(text.splitlines())
        for line in lines:
            words = line.split("#")[0].split()
            if not words:
                continue
            if words[0] == "Set":
                self.orientations[words[1]] = int(words[2 + 1])
                still = [(place, 0) for place in range(int(words[2]))]
                self.solved[words[1]] = still
            elif words[0] in ("Solved", "StartState"):
                self.solved = self._block(lines, self.solved, int(words[0] == "Solved"), True)
            elif words[0] in ("Move", "MoveTransformation"):
                still = {
                    name: [(i, 0) for i in range(len(row))] for name, row in self.solved.items()
                }
                first = int(words[0] == "Move")
                block = self._block(lines, still, first)
                if first:  # an orientation in the file is added to the piece that leaves the place
                    block = {
                        name: [(source, row[source][1]) for source, _ in row]
                        for name, row in block.items()
                    }
                self.moves[words[1]] = block
            elif words[0] in ("MoveSequence", "MoveAlias"):
                self.derived[words[1]] = " ".join(words[2:])
        for name, row in self.solved.items():
            self.moduli.setdefault(name, [self.orientations[name]] * len(row))

    def _block(
        self, lines: Iterator[str], before: State, first: int = 1, moduli: bool = False
    ) -> State:
        found = {name: row[:] for name, row in before.items()}
        name, rows = "", 0
        for line in lines:
            words = line.split("#")[0].split()
            if words == ["End"]:
                break
            if not words:
                continue
            if words[0] in found:
                name, rows = words[0], 0
            elif rows == 0:
                found[name] = [
                    (int(word) - first, turn)
                    for word, (_, turn) in zip(words, found[name], strict=True)
                ]
                rows = 1
            else:
                turns = [0 if word == "?" else int(word) for word in words]
                found[name] = [
                    (piece, turn) for (piece, _), turn in zip(found[name], turns, strict=True)
                ]
                if moduli:
                    count = self.orientations[name]
                    self.moduli[name] = [1 if word == "?" else count for word in words]
        return found

    def _read_gap(self, text: str) -> None:
        cycles: dict[str, list[list[int]]] = {}
        for name, written in re.findall(r"^\s*M_(\w+)\s*:=\s*([^;]*);", text, re.MULTILINE):
            cycles[name] = [
                [int(each) for each in own.split(",")]
                for own in re.findall(r"\(([\d,\s]+)\)", written)
            ]
        if all(name.startswith("M_") for name in cycles):
            cycles = {name[2:]: own for name, own in cycles.items()}
        count = max(each for own in cycles.values() for cycle in own for each in cycle)
        colours = list(range(count))
        alike = re.search(r"\bip\s*:=\s*\[(.*?)\]\s*;", text, re.DOTALL)
        for group in re.findall(r"\[([\d,\s]+)\]", alike[1] if alike else ""):
            own = [int(each) - 1 for each in group.split(",")]
            for each in own:
                colours[each] = own[0]
        generators = {}
        for name, own_cycles in cycles.items():
            source = list(range(count))
            for cycle in own_cycles:
                for one, other in zip(cycle, cycle[1:] + cycle[:1], strict=True):
                    source[other - 1] = one - 1
            generators[name] = source
        self._stickers(generators, [str(each + 1) for each in colours])

    def _stickers(self, generators: dict[str, list[int]], colours: list[str]) -> None:
        self._colour = {each: number for number, each in enumerate(dict.fromkeys(colours))}
        self.orientations = {"stickers": 1}
        self.moduli = {"stickers": [1] * len(colours)}
        self.solved = {"stickers": [(self._colour[each], 0) for each in colours]}
        self.moves = {
            name: {"stickers": [(each, 0) for each in own]} for name, own in generators.items()
        }

    def _read_json(self, data: dict[str, Any]) -> None:
        if "generators" in data or "actions" in data:
            own = data.get("generators") or dict(zip(data["names"], data["actions"], strict=True))
            count = len(next(iter(own.values())))
            self._stickers(own, [str(each) for each in data.get("central_state", range(count))])
            return
        counts = {each["orbitName"]: each["numPieces"] for each in data["orbits"]}
        self.orientations = {each["orbitName"]: each["numOrientations"] for each in data["orbits"]}
        for name in counts:
            pattern = data["defaultPattern"][name]
            self.solved[name] = [*zip(pattern["pieces"], pattern["orientation"], strict=True)]
            moduli = pattern.get("orientationMod", [0] * counts[name])
            self.moduli[name] = [each or self.orientations[name] for each in moduli]
        for move, changes in data["moves"].items():
            self.moves[move] = {
                name: [
                    *zip(
                        own["permutation"],
                        own.get("orientationDelta", [0] * counts[name]),
                        strict=True,
                    )
                ]
                for name, own in changes.items()
                if name in counts
            }
        self.derived = data.get("derivedMoves") or {}
