"""How a method sees the way in which the puzzle is held: pieces renamed as it wants them."""

from __future__ import annotations

from collections.abc import Iterator

from puzzlekit.errors import DeclarationError
from puzzlekit.phase.declaration import Method
from puzzlekit.puzzle.puzzle import Puzzle


def fixed_bytes(puzzle: Puzzle, method: Method) -> list[int]:
    """The numbers of the bytes of a state that the phases of a method take to be solved."""
    found = []
    for name, places in method.fixed.items():
        orbit = puzzle.orbit(name)
        for place in places.split():
            label = puzzle.offsets[name] + orbit.place(place)
            found += [label, label + orbit.size] if orbit.orientations > 1 else [label]
    return found


def renamed(puzzle: Puzzle, method: Method, state: bytes) -> Iterator[bytes]:
    """The state with its pieces renamed in each way that solves what the method takes for fixed.

    One that fixes nothing takes the state as it is held; with `recolour` every way there is.
    """
    fixed = fixed_bytes(puzzle, method)
    as_held = not fixed and not method.recolour
    none = True
    for held in puzzle.holdings[:1] if as_held else puzzle.holdings:
        seen = puzzle.recolour(state, held)
        if all(seen[byte] == puzzle.solved[byte] for byte in fixed):
            none = False
            yield seen
    if none:
        raise DeclarationError(f"no way of holding {puzzle.name} solves what is fixed")
