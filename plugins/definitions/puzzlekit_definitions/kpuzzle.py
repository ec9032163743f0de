"""Read definitions of cubing.js (KPuzzle JSON), and its patterns as states.

Places and pieces are numbered from 0. The n-th orientation in a state is that of the piece at
place n. In a move, it is added to the piece that arrives at place n. `orientationMod` lists the
modulus of the orientation of each piece. The modulus 0 stands for the number of orientations.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import gcd
from typing import Any, NoReturn

import attrs

from puzzlekit.amounts import whole
from puzzlekit.errors import DefinitionError
from puzzlekit_definitions.definition import (
    MAX_DEFINED,
    MAX_ORIENTATIONS,
    MAX_PLACES,
    MAX_SETS,
    MAX_TEXT,
    Change,
    DefinedMove,
    Definition,
    DerivedMove,
    Pattern,
    Set,
    checked_name,
    checked_set,
    repeated,
)


@attrs.frozen
class Node:
    """A value in the file and its path, such as moves.R.CORNERS.permutation[3]."""

    value: Any
    path: str
    source: str

    def fail(self, problem: str) -> NoReturn:
        """Raise a DefinitionError at this value."""
        raise DefinitionError(problem, self.source, self.path)

    def expect(self, kind: type, what: str) -> Any:
        """Return the value if it has a type; fail if not. `what` names the type in words."""
        if type(self.value) is not kind:
            self.fail(f"expected {what}, found {_shown(self.value)}")
        return self.value

    def items(self, what: str) -> list[tuple[str, Node]]:
        """Return the members of an object."""
        members: dict[str, Any] = self.expect(dict, f"an object of {what}")
        return [(name, self._inside(value, _step(name))) for name, value in members.items()]

    def __getitem__(self, name: str) -> Node:
        """Return a required member of an object."""
        members: dict[str, Any] = self.expect(dict, f'an object with "{name}"')
        if name not in members:
            self.fail(f'"{name}" is missing')
        return self._inside(members[name], _step(name))

    def __contains__(self, name: str) -> bool:
        return name in self.expect(dict, "an object")

    def elements(self, what: str, size: int | None = None) -> list[Node]:
        """Return the elements of an array. If `size` is given, the array must have this size."""
        listed: list[Any] = self.expect(list, f"an array of {what}")
        if size is not None and len(listed) != size:
            self.fail(f"expected an array of {size} {what}, found {len(listed)}")
        return [self._inside(value, f"[{i}]") for i, value in enumerate(listed)]

    def number(self, least: int, most: int) -> int:
        """Return the value as a whole number from `least` to `most`."""
        allowed = whole(least, most)
        if not allowed.fits(self.value):
            self.fail(f"expected {allowed.words}, found {_shown(self.value)}")
        found: int = self.value
        return found

    def numbers(self, size: int, least: int, most: int) -> tuple[int, ...]:
        """Return an array of whole numbers from `least` to `most`."""
        return tuple(each.number(least, most) for each in self.elements("numbers", size))

    def _inside(self, value: Any, step: str) -> Node:
        return Node(value, f"{self.path}{step}".lstrip("."), self.source)


def _shown(value: Any) -> str:
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "an array"
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _step(name: str) -> str:
    return "." + "".join(char if char.isprintable() else "?" for char in name[:40])


def parsed(text: str, source: str) -> Node:
    """Return the value of a JSON text. Raise a DefinitionError if the text is not JSON."""
    if len(text) > MAX_TEXT:
        raise DefinitionError(f"more than {MAX_TEXT:,} characters", source)

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice = repeated([name for name, _ in pairs])
            raise DefinitionError(f"duplicate key {json.dumps(pairs[twice or 0][0][:40])}", source)
        return found

    try:
        return Node(json.loads(text, object_pairs_hook=members), "", source)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise DefinitionError(f"this is not JSON: {error.msg}", source, where) from None
    except ValueError:
        raise DefinitionError("this is not JSON: a number has too many digits", source) from None
    except RecursionError:
        raise DefinitionError("this is nested too deeply", source) from None


def read_kpuzzle(root: Node, source: str, name: str) -> Definition:
    """Read a definition. Raise a DefinitionError if the definition is wrong."""
    if "name" in root:
        name = checked_name(root["name"].expect(str, "a string"), "the puzzle", source, "name")
    sets: list[Set] = []
    for node in root["orbits"].elements("orbits"):
        named = node["orbitName"]
        new = Set(
            checked_name(named.expect(str, "a string"), "an orbit", source, named.path),
            node["numPieces"].number(1, MAX_PLACES),
            node["numOrientations"].number(1, MAX_ORIENTATIONS),
        )
        sets.append(checked_set(sets, new, source, node.path))
    if not sets:
        root["orbits"].fail(f"expected 1 to {MAX_SETS} orbits, found none")
    solved = _pattern(root["defaultPattern"], sets, wildcards=True)
    unknown: dict[str, str] = {}
    moves = [_move(move, node, sets, unknown) for move, node in _bounded(root["moves"])]
    derived = []
    if "derivedMoves" in root:
        for move, node in _bounded(root["derivedMoves"]):
            checked_name(move, "a move", source, node.path)
            made = node.expect(str, "moves in one string")
            # "_" stands for a move that is among `moves` already.
            if made.strip() != "_" or all(move != each.name for each in moves):
                derived.append(DerivedMove(move, made, node.path))
    notes = tuple(
        f"{path}: {name} is not an orbit; its changes are ignored" for name, path in unknown.items()
    )
    return Definition(
        source, name, 0, tuple(sets), solved, tuple(moves), tuple(derived), notes=notes
    )


def read_kpuzzle_state(text: str, source: str, definition: Definition) -> Mapping[str, Pattern]:
    """Read a state from a string: a pattern, or an object with the pattern as `patternData`."""
    root = parsed(text, source)
    wrapped = "patternData" in root
    return _pattern(root["patternData"] if wrapped else root, definition.sets)


def _bounded(node: Node) -> list[tuple[str, Node]]:
    found = node.items("moves")
    if len(found) > MAX_DEFINED:
        node.fail(f"a definition has at most {MAX_DEFINED} moves")
    return found


def _move(name: str, node: Node, sets: Sequence[Set], unknown: dict[str, str]) -> DefinedMove:
    """Read a move. Put undeclared orbits into `unknown`, with the path of their first use."""
    checked_name(name, "a move", node.source, node.path)
    known = {each.name: each for each in sets}
    changes = {}
    for orbit, inside in node.items("orbits"):
        if orbit not in known:
            unknown.setdefault(orbit, inside.path)
            continue
        of = known[orbit]
        permutation = inside["permutation"]
        source = permutation.numbers(of.size, 0, of.size - 1)
        twice = repeated(source)
        if twice is not None:
            permutation.elements("numbers")[twice].fail(
                f"duplicate number {source[twice]}: each place of {of.name} has to appear once"
            )
        turns = inside["orientationDelta"].numbers(of.size, 0, of.orientations - 1)
        changes[of.name] = Change(source, turns)
    return DefinedMove(name, changes, node.path)


def _pattern(node: Node, sets: Sequence[Set], wildcards: bool = False) -> dict[str, Pattern]:
    """Read a pattern. With `wildcards`, null is any piece, or any orientation.

    The pieces at the places with null count as alike.
    """
    known = {each.name: each for each in sets}
    found = {}
    for orbit, inside in node.items("orbits"):
        if orbit not in known:
            inside.fail(f"there is no such orbit; the orbits are {', '.join(known)}")
        of = known[orbit]
        pieces, _ = _numbers(inside["pieces"], of.size, of.size - 1, wildcards)
        turns, open_turns = _numbers(inside["orientation"], of.size, of.orientations - 1, wildcards)
        moduli = [1 if i in open_turns else of.orientations for i in range(of.size)]
        if "orientationMod" in inside:
            for i, each in enumerate(inside["orientationMod"].elements("numbers", of.size)):
                modulus = each.number(0, of.orientations) or moduli[i]
                if of.orientations % modulus:
                    each.fail(f"expected a divisor of {of.orientations}, or 0, found {modulus}")
                moduli[i] = gcd(modulus, moduli[i])
        turns = tuple(turn % modulus for turn, modulus in zip(turns, moduli, strict=True))
        found[of.name] = Pattern(pieces, turns, tuple(moduli))
    for of in sets:
        if of.name not in found:
            node.fail(f"orbit {of.name} is missing")
    return found


def _numbers(node: Node, size: int, most: int, wildcards: bool) -> tuple[tuple[int, ...], set[int]]:
    """Return numbers from 0 to `most`, and the indices of those that are null.

    All that are null get the smallest number that the others do not have, or 0.
    """
    each = node.elements("numbers", size)
    null = {i for i, number in enumerate(each) if wildcards and number.value is None}
    given = {i: number.number(0, most) for i, number in enumerate(each) if i not in null}
    free = next((number for number in range(most + 1) if number not in given.values()), 0)
    return tuple(given.get(i, free) for i in range(size)), null
