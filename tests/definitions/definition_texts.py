"""For the tests: definitions of puzzles, in each of the formats."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from puzzlekit import Orbit, Puzzle

Change = tuple[Orbit, list[int], list[int]]  # where pieces come from; turns by the place moved to


def changes(puzzle: Puzzle, family: str) -> list[Change]:
    """What a move does to each orbit."""
    gather, add = puzzle.turns[family]
    found = []
    for orbit in puzzle.orbits:
        start, n = puzzle.offsets[orbit.name], orbit.size
        source = [byte - start for byte in gather[start : start + n]]
        turns = list(add[start + n : start + 2 * n]) if orbit.orientations > 1 else [0] * n
        found.append((orbit, source, turns))
    return found


def pieces_of(puzzle: Puzzle, state: bytes, orbit: Orbit) -> tuple[list[int], list[int]]:
    """Numbers of pieces, alike ones having that of the first, and their orientations."""
    labels = [orbit.solved.index(label) for label in puzzle.labels(state, orbit)]
    return labels, list(puzzle.orientations(state, orbit))


def _numbers(numbers: Sequence[int], first: int) -> str:
    return " ".join(str(number + first) for number in numbers)


def _text_state(puzzle: Puzzle, state: bytes, first: int) -> list[str]:
    lines = []
    for orbit in puzzle.orbits:
        pieces, turns = pieces_of(puzzle, state, orbit)
        lines += [orbit.name, _numbers(pieces, first), _numbers(turns, 0)]
    return [*lines, "End"]


def _text(puzzle: Puzzle, families: Sequence[str], *, passive: bool) -> str:
    lines = [f"Name {puzzle.name}", "# a comment", ""]
    lines += [f"Set {orbit.name} {orbit.size} {orbit.orientations}" for orbit in puzzle.orbits]
    lines += ["StartState" if passive else "Solved"]
    lines += _text_state(puzzle, puzzle.solved, 0 if passive else 1)
    for family in families:
        lines.append(f"{'MoveTransformation' if passive else 'Move'} {family}")
        for orbit, source, turns in changes(puzzle, family):
            said = [turns[source.index(i)] for i in range(orbit.size)]
            lines += [orbit.name, _numbers(source, 0 if passive else 1)]
            if orbit.orientations > 1:
                lines.append(_numbers(turns if passive else said, 0))
        lines.append("End")
    return "\n".join(lines) + "\n"


def as_tws(puzzle: Puzzle, families: Sequence[str]) -> str:
    """In the words of twsearch, as ksolve has them too."""
    return _text(puzzle, families, passive=False)


def as_new_tws(puzzle: Puzzle, families: Sequence[str]) -> str:
    """In those words of twsearch that count from 0."""
    return _text(puzzle, families, passive=True)


def as_kpuzzle(puzzle: Puzzle, families: Sequence[str], **more: Any) -> str:
    """As a KPuzzle of cubing.js."""
    moves = {
        family: {
            orbit.name: {"permutation": source, "orientationDelta": turns}
            for orbit, source, turns in changes(puzzle, family)
        }
        for family in families
    }
    written = {
        "name": puzzle.name,
        "orbits": [
            {
                "orbitName": orbit.name,
                "numPieces": orbit.size,
                "numOrientations": orbit.orientations,
            }
            for orbit in puzzle.orbits
        ],
        "defaultPattern": json.loads(kpuzzle_state(puzzle, puzzle.solved)),
        "moves": moves,
        **more,
    }
    return json.dumps(written)


def text_state(puzzle: Puzzle, state: bytes) -> str:
    """A state in the words of twsearch and ksolve."""
    return "\n".join(["Scramble one", *_text_state(puzzle, state, 1)])


def kpuzzle_state(puzzle: Puzzle, state: bytes) -> str:
    """A state as a pattern of cubing.js."""
    pattern = {}
    for orbit in puzzle.orbits:
        pieces, turns = pieces_of(puzzle, state, orbit)
        pattern[orbit.name] = {"pieces": pieces, "orientation": turns}
    return json.dumps(pattern)


# By a name for the test: how it is written, the format, and how its states are.
WRITERS: dict[str, tuple[Callable[..., str], str, Callable[[Puzzle, bytes], str]]] = {
    "tws": (as_tws, "tws", text_state),
    "new tws": (as_new_tws, "tws", text_state),
    "def": (as_tws, "def", text_state),
    "json": (as_kpuzzle, "json", kpuzzle_state),
}

# Five pieces, and two moves that cycle three of them.
RING = """
Set RING 5 1
Solved
RING
1 2 3 4 5
End
Move A
RING
2 3 1 4 5
End
Move B
RING
1 2 4 5 3
End
"""
