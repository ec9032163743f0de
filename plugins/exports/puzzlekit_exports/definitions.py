"""Definitions in the formats of cubing.js, twsearch, ksolve and GAP."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from puzzlekit_exports.permuted import Permuted, arriving_to_leaving, rows


def kpuzzle(made: Permuted) -> str:
    """Return a KPuzzle definition of cubing.js, one line for each orbit of each move."""
    orbits = [
        {"orbitName": name, "numPieces": each.size, "numOrientations": each.orientations}
        for name, each in made.sets
    ]
    # Every move names every orbit: readers of the format need that.
    moves = {
        family: {
            name: _transformation(*changes.get(name, (range(each.size), (0,) * each.size)))
            for name, each in made.sets
        }
        for family, changes in made.changes()
    }
    record = {
        "name": made.puzzle.name,
        "orbits": orbits,
        "defaultPattern": _pattern(made, made.puzzle.solved),
        "moves": moves,
    }
    return _lines(record)


def kpuzzle_state(made: Permuted, state: bytes) -> str:
    """Return a pattern of cubing.js."""
    return json.dumps({"patternData": _pattern(made, state)})


def _pattern(made: Permuted, state: bytes) -> dict[str, Any]:
    return {
        name: {"pieces": list(pieces), "orientation": list(turns)}
        for name, (pieces, turns) in made.numbers(state)
    }


def _transformation(source: Any, turns: Any) -> dict[str, list[int]]:
    return {"permutation": list(source), "orientationDelta": list(turns)}


def _lines(record: Any, depth: int = 0) -> str:
    """Return JSON with lists and innermost objects on one line."""
    values = list(record.values()) if isinstance(record, dict) else record
    nested = [each for each in values if isinstance(each, dict | list)]
    inner = [part for each in nested for part in each if isinstance(part, dict | list)]
    if not nested or (isinstance(record, dict) and not inner and isinstance(nested[0], list)):
        return json.dumps(record)
    blanks = "  " * (depth + 1)
    items = [_lines(each, depth + 1) for each in values]
    if isinstance(record, dict):
        items = [f"{json.dumps(name)}: {each}" for name, each in zip(record, items, strict=True)]
    opened, closed = "{}" if isinstance(record, dict) else "[]"
    return f"{opened}\n{blanks}" + f",\n{blanks}".join(items) + f"\n{'  ' * depth}{closed}"


def text(made: Permuted) -> str:
    """Return a definition that both twsearch and ksolve read; ksolve if pieces are glued."""
    numbered = enumerate(made.puzzle.block_turns, 1)
    centers = {f"CENTER{n}": turning for n, turning in numbered if turning is not None}
    name = re.sub(r"\s", "-", made.puzzle.name)
    lines = [f"Name {name}", ""]
    lines += [f"Set {name} {each.size} {each.orientations}" for name, each in made.sets]
    lines += [f"Set {center} 1 1" for center in centers]
    lines += ["", "Solved", *_blocks(made, made.puzzle.solved), "End"]
    for family, changes in made.changes():
        lines += ["", f"Move {family}"]
        for name, each in made.sets:
            if name in changes:
                source, turns = changes[name]
                lines += [name, rows(source, 1)]
                if each.orientations > 1:
                    lines.append(rows(arriving_to_leaving(source, turns)))
        for center, turning in centers.items():
            lines += [center, "1", "1"] if family in turning else []  # turned where it is
        lines.append("End")
    for number, block in enumerate(made.puzzle.blocks, 1):
        lines += ["", "Block", *_glued(made, block)]
        lines += [center, "1"] if (center := f"CENTER{number}") in centers else []
        lines.append("End")
    return "\n".join(lines)


def text_state(made: Permuted, state: bytes) -> str:
    """Return a scramble of twsearch and ksolve."""
    return "\n".join(["Scramble state", *_blocks(made, state), "End"])


def _glued(made: Permuted, block: Iterable[tuple[int, int, int]]) -> Iterator[str]:
    """Yield the names of sets, each followed by the numbers of the pieces of a block."""
    pieces: dict[int, list[int]] = {}
    for start, _, label in block:
        pieces.setdefault(start, []).append(label)
    for name, orbit in made.sets:
        if own := pieces.get(made.puzzle.offsets[orbit.name]):
            yield name
            yield rows(map(orbit.solved.index, own), 1)


def _blocks(made: Permuted, state: bytes) -> Iterator[str]:
    oriented = {name: each.orientations > 1 for name, each in made.sets}
    for name, (pieces, turns) in made.numbers(state):
        yield name
        yield rows(pieces, 1)
        if oriented[name]:
            yield rows(turns)


def gap(made: Permuted) -> str:
    """Return permutations for GAP. A piece with n orientations has n points, its stickers."""
    lines = [f"# {made.puzzle.title}: a point for each place and orientation, counted from 1"]
    names = []
    for family, target in _targets(made):
        names.append("M_" + re.sub(r"\W", "_", family, flags=re.ASCII))
        cycles = "".join(f"({','.join(map(str, each))})" for each in _cycles(target))
        lines.append(f"{names[-1]}:={cycles or '()'};")
    last = _last(made)
    alike = ([point for point in points if point <= last] for points in _alike(made))
    groups = [f"[{','.join(map(str, each))}]" for each in alike if len(each) > 1]
    if groups:
        lines.append(f"ip:=[{','.join(groups)}];")
    return "\n".join([*lines, f"G:=Group({','.join(names)});"])


def gap_state(made: Permuted, state: bytes) -> str:
    """Return for each point which point of the solved state looks like it.

    A file of permutations has as many points as the last one that a move moves, and so has a state.
    """
    found: list[int] = []
    for name, (pieces, turns) in made.numbers(state):
        start, modulus, _ = _starts(made)[name]
        for piece, turn in zip(pieces, turns, strict=True):
            found += [start + piece * modulus + (at - turn) % modulus for at in range(modulus)]
    return ",".join(map(str, found[: _last(made)]))


def _targets(made: Permuted) -> Iterator[tuple[str, dict[int, int]]]:
    """Yield each family with the point to which it carries each point."""
    for family, changes in made.changes():
        target: dict[int, int] = {}
        for name, (start, modulus, size) in _starts(made).items():
            source, turns = changes.get(name, (tuple(range(size)), (0,) * size))
            for place, (old, turn) in enumerate(zip(source, turns, strict=True)):
                for sticker in range(modulus):
                    new = place * modulus + (sticker + turn) % modulus
                    target[start + old * modulus + sticker] = start + new
        yield family, target


def _last(made: Permuted) -> int:
    """Return the last point that a move moves."""
    moved = (point for _, target in _targets(made) for point in target if target[point] != point)
    return max(moved, default=0)


def _starts(made: Permuted) -> dict[str, tuple[int, int, int]]:
    """Return the first point, the number of orientations and the size of each orbit."""
    found = {}
    start = 1
    for name, each in made.sets:
        found[name] = start, each.orientations, each.size
        start += each.size * each.orientations
    return found


def _alike(made: Permuted) -> Iterator[list[int]]:
    """Yield the points with the same look, where there are several."""
    for name, each in made.sets:
        start, modulus, _ = _starts(made)[name]
        for label in dict.fromkeys(each.solved):
            places = [place for place in range(each.size) if each.solved[place] == label]
            if len(places) > 1:
                for sticker in range(modulus):
                    yield [start + place * modulus + sticker for place in places]


def _cycles(target: dict[int, int]) -> Iterator[list[int]]:
    left = dict(target)
    while left:
        point, following = left.popitem()
        cycle = [point]
        while following != point:
            cycle.append(following)
            following = left.pop(following)
        if len(cycle) > 1:
            yield cycle
