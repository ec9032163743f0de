"""Read definitions of cubing.js (KPuzzle JSON), and its patterns as states.

Places and pieces are numbered from 0. The n-th orientation in a state is that of the piece at
place n. In a move, it is added to the piece that arrives at place n. `orientationMod` lists the
modulus of the orientation of each piece. The modulus 0 stands for the number of orientations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from puzzlekit_definitions.definition import (
    MAX_DEFINED,
    MAX_ORIENTATIONS,
    MAX_PLACES,
    MAX_SETS,
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
from puzzlekit_definitions.json_node import Node, parsed


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
    solved = _pattern(root["defaultPattern"], sets)
    unknown: dict[str, str] = {}
    moves = [_move(move, node, sets, unknown) for move, node in _bounded(root["moves"])]
    derived = []
    if "derivedMoves" in root:
        for move, node in _bounded(root["derivedMoves"]):
            checked_name(move, "a move", source, node.path)
            derived.append(DerivedMove(move, node.expect(str, "moves in one string"), node.path))
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


def _pattern(node: Node, sets: Sequence[Set]) -> dict[str, Pattern]:
    known = {each.name: each for each in sets}
    found = {}
    for orbit, inside in node.items("orbits"):
        if orbit not in known:
            inside.fail(f"there is no such orbit; the orbits are {', '.join(known)}")
        of = known[orbit]
        pieces = inside["pieces"].numbers(of.size, 0, of.size - 1)
        turns = inside["orientation"].numbers(of.size, 0, of.orientations - 1)
        moduli = [of.orientations] * of.size
        if "orientationMod" in inside:
            for i, each in enumerate(inside["orientationMod"].elements("numbers", of.size)):
                modulus = each.number(0, of.orientations) or of.orientations
                if of.orientations % modulus:
                    each.fail(f"expected a divisor of {of.orientations}, or 0, found {modulus}")
                moduli[i] = modulus
        turns = tuple(turn % modulus for turn, modulus in zip(turns, moduli, strict=True))
        found[of.name] = Pattern(pieces, turns, tuple(moduli))
    for of in sets:
        if of.name not in found:
            node.fail(f"orbit {of.name} is missing")
    return found
