"""Read files of permutations: GAP, JSON, and the table `puzzle_info.csv` of Santa 2023."""

from __future__ import annotations

import ast
import csv
import io
import re
from collections.abc import Mapping, Sequence

import attrs

from puzzlekit.errors import DefinitionError
from puzzlekit_definitions.definition import (
    MAX_PLACES,
    MAX_TEXT,
    Definition,
    Numbers,
    Pattern,
    checked_name,
    repeated,
    write_kpuzzle_state,
)
from puzzlekit_definitions.kpuzzle import Node, parsed, read_kpuzzle, read_kpuzzle_state
from puzzlekit_definitions.permutations import (
    PermutationDefinition,
    permutation_definition,
    read_colours,
    write_colours,
)

_LISTED = r"\s*\d+(?:\s*,\s*\d+)*\s*"
_MOVE = re.compile(r"^[ \t]*M_(\w+)\s*:=", re.MULTILINE)
_CYCLES = re.compile(rf"\s*((?:\({_LISTED}\)\s*)+|\(\s*\)\s*);", re.ASCII)
_ALIKE = re.compile(r"\bip\s*:=")
_GROUPS = re.compile(rf"\s*\[\s*(\[{_LISTED}\](?:\s*,\s*\[{_LISTED}\])*)?\s*\]\s*;", re.ASCII)


def read_gap(text: str, source: str, name: str) -> Definition:
    """Read a GAP file with a move `M_NAME:=(1,2,3)(4,5);` on each line.

    A cycle (1,2,3) moves the sticker at 1 to 2. A list `ip:=[[1,2],[3]];` has the stickers with the
    same colour.
    """
    if len(text) > MAX_TEXT:
        raise DefinitionError(f"more than {MAX_TEXT:,} characters", source)
    cycles = _cycles(text, source)
    if not cycles:
        raise DefinitionError("there is no move, such as a line M_R:=(1,2,3)(4,5);", source)
    if not any(cycles.values()):
        raise DefinitionError("no move has an effect", source)
    count = max((s for own in cycles.values() for cycle in own for s in cycle), default=0)
    moves = {}
    for move, own in cycles.items():
        origin = list(range(count))
        for cycle in own:
            for one, other in zip(cycle, cycle[1:] + cycle[:1], strict=True):
                origin[other - 1] = one - 1
        moves[move] = origin
    shared = all(move.startswith("M_") for move in moves)
    named = {move[2:] if shared else move: origin for move, origin in moves.items()}
    colours = [str(sticker + 1) for sticker in range(count)]
    for group in _alike(text, source, count):
        for sticker in group:
            colours[sticker - 1] = str(group[0])
    return permutation_definition(source, name, named, colours)


def _alike(text: str, source: str, count: int) -> list[list[int]]:
    """Return the groups of stickers with the same colour; without `ip`, there are none."""
    start = _ALIKE.search(text)
    if start is None:
        return []
    line = _line(text, start)
    groups = _GROUPS.match(text, start.end())
    if groups is None:
        problem = "ip: expected lists of stickers such as [[1,2],[3]], and a semicolon"
        raise DefinitionError(problem, source, line)
    found = []
    for group in re.findall(r"\[([^\]]+)\]", groups[1] or ""):
        stickers = re.findall("[0-9]+", group)
        for sticker in stickers:
            if not _fits(sticker, count):
                problem = f"ip names the sticker {_short(sticker)}, but the last one is {count}"
                raise DefinitionError(problem, source, line)
        found.append([int(sticker) for sticker in stickers])
    every = [sticker for group in found for sticker in group]
    twice = repeated(every)
    if twice is not None:
        raise DefinitionError(f"ip names the sticker {every[twice]} twice", source, line)
    return found


def _line(text: str, start: re.Match[str]) -> str:
    return f"line {text.count(chr(10), 0, start.start()) + 1}"


def _fits(digits: str, most: int) -> bool:
    """Whether digits, which may be any number of them, are a number from 1 to `most`."""
    digits = digits.lstrip("0")
    return 1 <= len(digits) <= len(str(most)) and int(digits) <= most


def _cycles(text: str, source: str) -> dict[str, list[list[int]]]:
    """Return the cycles of each move of a GAP file; stickers have numbers from 1."""
    found: dict[str, list[list[int]]] = {}
    for start in _MOVE.finditer(text):
        move, line = start[1], _line(text, start)
        cycles = _CYCLES.match(text, start.end())
        if cycles is None:
            problem = f"move {move}: expected cycles such as (1,2,3)(4,5), and a semicolon"
            raise DefinitionError(problem, source, line)
        if move in found:
            raise DefinitionError(f"there is already a move {move}", source, line)
        for digits in re.findall("[0-9]+", cycles[1]):
            if not _fits(digits, MAX_PLACES):
                wrong = f"expected stickers from 1 to {MAX_PLACES:,}, not {_short(digits)}"
                raise DefinitionError(f"move {move}: {wrong}", source, line)
        own = [re.findall("[0-9]+", cycle) for cycle in re.findall(r"\(([^)]+)\)", cycles[1])]
        found[move] = [[int(digits) for digits in cycle] for cycle in own if cycle]
        stickers = [sticker for cycle in found[move] for sticker in cycle]
        twice = repeated(stickers)
        if twice is not None:
            problem = f"move {move}: the sticker {stickers[twice]} is there twice"
            raise DefinitionError(problem, source, line)
    return found


def _short(text: str) -> str:
    """Return a text of a file for a message: its first characters, without control characters."""
    shown = "".join(char if char.isprintable() else "?" for char in text[:20])
    return shown if len(text) <= 20 else f"{shown}..."


def read_json(text: str, source: str, name: str) -> Definition:
    """Read a KPuzzle of cubing.js, or generators.

    Generators are an object with `generators`, which maps the name of each move to its permutation,
    or with the lists `actions` and `names`. `central_state` has the colours of the solved state.
    """
    root = parsed(text, source)
    if "generators" not in root and "actions" not in root:
        return read_kpuzzle(root, source, name)
    if "generators" in root:
        listed = root["generators"].items("permutations")
    else:
        names = [each.expect(str, "a name") for each in root["names"].elements("names")]
        nodes = root["actions"].elements("permutations", len(names))
        listed = list(zip(names, nodes, strict=True))
        twice = repeated(names)
        if twice is not None:
            raise DefinitionError(f"there are two moves {names[twice]!r}", source)
    moves = {move: _permutation(node) for move, node in listed}
    solved = None
    if "central_state" in root:
        solved = [str(each.value) for each in root["central_state"].elements("colours")]
    return permutation_definition(source, name, moves, solved)


def _permutation(node: Node) -> list[int]:
    elements = node.elements("numbers")
    return [each.number(0, len(elements) - 1) for each in elements]


def read_json_state(text: str, source: str, definition: Definition) -> Mapping[str, Pattern]:
    """Read a state of a puzzle that `read_json` has read."""
    kind = isinstance(definition, PermutationDefinition)
    return (read_colours if kind else read_kpuzzle_state)(text, source, definition)


def write_json_state(definition: Definition, numbers: Numbers) -> str:
    """Return a state of a puzzle that `read_json` has read."""
    kind = isinstance(definition, PermutationDefinition)
    return (write_colours if kind else write_kpuzzle_state)(definition, numbers)


def read_puzzle_info(text: str, source: str, name: str) -> Definition:
    """Read the puzzle with a name from the table of Santa 2023, or the only puzzle of the table.

    The table has the columns `puzzle_type` and `allowed_moves`. An entry of `allowed_moves` is a
    Python dictionary of permutations. It is read, not executed.
    """
    known = puzzle_info(text, source)
    if name not in known and len(known) > 1:
        problem = (
            "expected one of its puzzles after the name of the file, such as "
            f"{source}#{_short(next(iter(known)))}; it has {', '.join(map(_short, known))}"
        )
        raise DefinitionError(problem, source)
    if not known:
        raise DefinitionError("there is no puzzle", source)
    chosen = name if name in known else next(iter(known))
    if chosen:
        checked_name(chosen, "the puzzle", source, "puzzle_type")
    told = f"{source}, puzzle {_short(chosen)}"
    moves = allowed_moves(known[chosen], told)
    return attrs.evolve(permutation_definition(told, chosen, moves), source=source)


def puzzle_info(text: str, source: str) -> dict[str, str]:
    """Return the entries of `allowed_moves` in the table of Santa 2023, by puzzle."""
    csv.field_size_limit(MAX_TEXT)
    rows = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    found: dict[str, str] = {}
    try:
        if not {"puzzle_type", "allowed_moves"} <= set(rows.fieldnames or ()):
            problem = "expected a table with the columns puzzle_type and allowed_moves"
            raise DefinitionError(problem, source, "line 1")
        for row in rows:
            puzzle = row["puzzle_type"] or ""
            if puzzle and puzzle in found:
                problem = f"there is already a puzzle {_short(puzzle)}"
                raise DefinitionError(problem, source, f"line {rows.line_num}")
            found[puzzle] = row["allowed_moves"] or ""
    except csv.Error as error:
        line = f"line {rows.line_num + 1}"
        raise DefinitionError(f"this is not a table: {error}", source, line) from None
    return found


def allowed_moves(written: str, source: str) -> dict[str, Sequence[int]]:
    """Return the permutations in an entry of `allowed_moves`."""
    try:
        tree = ast.parse(written.strip(), mode="eval").body
        found = ast.literal_eval(tree)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        found = None
    if not isinstance(found, dict) or not all(
        isinstance(move, str)
        and isinstance(numbers, list)
        and all(type(number) is int for number in numbers)
        for move, numbers in found.items()
    ):
        problem = "expected a dictionary of lists of numbers in allowed_moves"
        raise DefinitionError(problem, source)
    if isinstance(tree, ast.Dict) and len(tree.keys) > len(found):
        raise DefinitionError("there are two moves of one name in allowed_moves", source)
    return found
