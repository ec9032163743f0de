"""How a method sees the way in which the puzzle is held: pieces renamed as it wants them."""

from __future__ import annotations

from collections.abc import Iterator

from puzzlekit.errors import DeclarationError
from puzzlekit.phase.declaration import Method
from puzzlekit.puzzle.puzzle import Puzzle


def renamed(puzzle: Puzzle, method: Method, state: bytes) -> Iterator[bytes]:
    """The state with its pieces renamed in each way that solves what the method takes for fixed.

    One that fixes nothing takes the state as it is held; with `recolour` every way there is.
    """
    fixed = puzzle.bytes_at(method.fixed)
    as_held = not fixed and not method.recolour
    none = True
    for held in puzzle.holdings[:1] if as_held else puzzle.holdings:
        seen = puzzle.recolour(state, held)
        if all(seen[byte] == puzzle.solved[byte] for byte in fixed):
            none = False
            yield seen
    if none:
        raise DeclarationError(f"no way of holding {puzzle.name} solves what is fixed")
