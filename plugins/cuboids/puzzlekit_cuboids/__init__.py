"""Cuboids: a family of puzzles with layers of unlike sizes, such as 2x2x3 and 3x3x2."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from puzzlekit import PuzzleEntry, PuzzleFamily, UsageError, hookimpl

puzzlekit_api = 2

# The sizes of three sides, in ascending order.
SIZES = ((1, 2, 2), (1, 2, 3), (1, 3, 3), (2, 2, 3), (2, 2, 4), (2, 2, 5), (2, 3, 3), (3, 3, 4))
WORDS = f"{', '.join('x'.join(map(str, sizes)) for sizes in SIZES)}, with the sides in any order"


# Cuboids that lists and the page show, with the other names that people give them.
KNOWN = {
    (2, 2, 3): ("2x2x3", "tower cube"),
    (3, 3, 2): ("3x3x2", "domino", "magic domino"),
    (1, 3, 3): ("1x3x3", "floppy cube"),
    (3, 3, 4): ("3x3x4",),
}


def entry(width: int, depth: int, height: int, aliases: tuple[str, ...] = ()) -> PuzzleEntry:
    """Return the entry of a cuboid. Its modules are imported when the puzzle is made."""

    def made() -> Any:
        from puzzlekit_cuboids.cuboid import Cuboid

        return Cuboid(width, depth, height)

    def methods(cuboid: Any) -> Any:
        from puzzlekit_cuboids.methods import methods

        return methods(cuboid, made())

    name = f"{width}x{depth}x{height}"
    return PuzzleEntry(
        f"cuboid-{name}", f"{name} cuboid", lambda: made().puzzle(), methods, aliases
    )


def sized(name: str) -> PuzzleEntry | None:
    """Return the entry of a name such as cuboid-2x2x3."""
    sides = "([1-9][0-9]{0,5})x([1-9][0-9]{0,5})x([1-9][0-9]{0,5})"
    found = re.fullmatch(f"(cuboid-)?{sides}", name)
    if found is None:
        return None
    width, depth, height = map(int, found.groups()[1:])
    if not found[1]:  # without "cuboid-", only those of KNOWN have a name
        if tuple(sorted((width, depth, height))) not in SIZES or (width, depth, height) in KNOWN:
            return None
        raise UsageError(f"there is no puzzle {name!r} (did you mean cuboid-{name}?)")
    if tuple(sorted((width, depth, height))) not in SIZES:
        hint = f"; cube{width} is a cube" if width == depth == height and 2 <= width <= 7 else ""
        raise UsageError(f"there is no puzzle {name!r}: cuboids have the sides {WORDS}{hint}")
    return entry(width, depth, height)


@hookimpl
def puzzlekit_puzzles() -> Iterator[PuzzleEntry | PuzzleFamily]:
    """Register cuboid-AxBxC, and some of them by name."""
    for sides, aliases in KNOWN.items():
        yield entry(*sides, aliases)
    yield PuzzleFamily(
        "cuboid-AxBxC", "cuboids, A wide, B deep and C high", WORDS, "cuboid-2x2x4", sized
    )
