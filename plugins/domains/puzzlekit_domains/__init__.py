"""Domains of research on heuristic search: stacks of pancakes, TopSpin, parts of a cube.

>>> import puzzlekit
>>> str(puzzlekit.load("pancake-5").solve("3 5 1 4 2"))
'F4 F3 F5 F3 F4'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial

from puzzlekit import (
    Heuristic,
    Method,
    Puzzle,
    PuzzleEntry,
    PuzzleFamily,
    UsageError,
    hookimpl,
)

puzzlekit_api = 2

MOST_PANCAKES = 60
MOST_TOKENS = 26
_NUMBER = "([1-9][0-9]{0,5})"


def stack(name: str, burnt: bool) -> PuzzleEntry | None:
    """Return the entry of a name such as pancake-10 or burnt-pancake-8."""
    found = re.fullmatch(f"{'burnt-' * burnt}pancake-{_NUMBER}", name)
    if found is None:
        return None
    size = int(found[1])
    if not 2 <= size <= MOST_PANCAKES:
        raise UsageError(f"there is no puzzle {name!r}: stacks have 2 to {MOST_PANCAKES} pancakes")

    def puzzle() -> Puzzle:
        from puzzlekit_domains.pancakes import pancakes

        return pancakes(name, size, burnt)

    def methods(puzzle: Puzzle) -> Iterable[Method]:
        from puzzlekit_domains.pancakes import methods

        return methods(puzzle)

    title = f"stack of {size} {'burnt ' * burnt}pancakes"
    return PuzzleEntry(name, title, puzzle, methods)


def ring(name: str) -> PuzzleEntry | None:
    """Return the entry of a name such as topspin-12-4."""
    found = re.fullmatch(f"topspin-{_NUMBER}-{_NUMBER}", name)
    if found is None:
        return None
    size, turned = map(int, found.groups())
    if not (5 <= size <= MOST_TOKENS and 2 <= turned <= size - 2):
        raise UsageError(
            f"there is no puzzle {name!r}: topspin-N-K has N from 5 to {MOST_TOKENS} tokens and "
            "turns over K of them, from 2 to N - 2"
        )
    if size % 2 == 0 and turned % 2 == 1:
        raise UsageError(
            f"there is no puzzle {name!r}: with an even number of tokens, turning over an odd "
            "number never exchanges neighbours; choose an even K"
        )

    def puzzle() -> Puzzle:
        from puzzlekit_domains.topspin import topspin

        return topspin(name, size, turned)

    def methods(puzzle: Puzzle) -> Iterable[Method]:
        from puzzlekit_domains.topspin import methods

        return methods(puzzle)

    return PuzzleEntry(name, f"TopSpin, {size} tokens, {turned} turned over", puzzle, methods)


def part(name: str) -> PuzzleEntry:
    """Return the entry of cube3-corners or cube3-edges."""
    own = name.removeprefix("cube3-")

    def puzzle() -> Puzzle:
        from puzzlekit_domains.cube_parts import cube_part

        return cube_part(name, own)

    def methods(puzzle: Puzzle) -> Iterable[Method]:
        from puzzlekit_domains.cube_parts import methods

        return methods(puzzle)

    return PuzzleEntry(name, f"{own} of the 3x3x3 cube", puzzle, methods)


@hookimpl
def puzzlekit_puzzles() -> Iterator[PuzzleEntry | PuzzleFamily]:
    """Register the parts of the cube, and pancake-N, burnt-pancake-N and topspin-N-K."""
    yield part("cube3-corners")
    yield part("cube3-edges")
    for burnt in (False, True):
        what = "burnt " * burnt
        yield PuzzleFamily(
            f"{'burnt-' * burnt}pancake-N",
            f"stacks of N {what}pancakes, of which a flip turns over the upper ones",
            f"2 to {MOST_PANCAKES} pancakes",
            f"{'burnt-' * burnt}pancake-10",
            partial(stack, burnt=burnt),
        )
    yield PuzzleFamily(
        "topspin-N-K",
        "TopSpin: a ring of N tokens, of which a move turns over K neighbours",
        f"N from 5 to {MOST_TOKENS}, K from 2 to N - 2, even if N is even",
        "topspin-10-4",
        ring,
    )


@hookimpl
def puzzlekit_heuristics() -> Iterator[type[Heuristic]]:
    """Add the heuristic gap."""
    from puzzlekit_domains.gap import Gap

    yield Gap
