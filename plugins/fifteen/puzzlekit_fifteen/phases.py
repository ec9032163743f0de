"""How sliding tiles are solved."""

from __future__ import annotations

from puzzlekit import Method, Permutation, Phase, Puzzle


def methods(puzzle: Puzzle, rows: int, columns: int) -> list[Method]:
    """`optimal` with one exact table over all places of all tiles."""
    order = Permutation("order", puzzle, "tiles")
    phase = Phase("solve", "every tile at home", "U L R D", (order,), ("order",), bits=8)
    return [Method("optimal", "shortest answers from one exact table", (phase,))]
