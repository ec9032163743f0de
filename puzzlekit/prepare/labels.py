"""What becomes of whole states when something is done before them, as the engine does it.

Moves done before a state make premoves and images of it; rotations of the whole puzzle rename its
pieces.
"""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit.engine.ranks import Labels
from puzzlekit.puzzle.move import Effect, act
from puzzlekit.puzzle.puzzle import Puzzle

_SPAN = 256  # bytes an orbit takes in a table: labels, and 128 further on their turns


def labels(puzzle: Puzzle, effects: Sequence[Effect]) -> Labels:
    """How some effects are done before a state.

    Moves where all pieces differ; rotations of the whole puzzle, which rename its pieces, always.
    """
    via: list[int] = []
    base: list[int] = []
    for number, orbit in enumerate(puzzle.orbits):
        own = range(len(via), len(via) + orbit.size)
        via += own
        base += [_SPAN * number] * orbit.size
        if orbit.orientations > 1:
            via += own
            base += [_SPAN * number + _SPAN // 2] * orbit.size
    tables = [_by_label(puzzle, effect) for effect in effects]
    return Labels(via, base, list(puzzle.modulus), tables or [b"\0"])


def _by_label(puzzle: Puzzle, effect: Effect) -> bytes:
    """What becomes of each piece when a turn is done before the state: its label and its turn."""
    moved = act(puzzle.solved, *effect, puzzle.modulus)
    table = bytearray(_SPAN * len(puzzle.orbits))
    for number, orbit in enumerate(puzzle.orbits):
        labels = puzzle.labels(moved, orbit)
        turns = puzzle.orientations(moved, orbit)
        for place, label in enumerate(orbit.solved):
            table[_SPAN * number + label] = labels[place]
            table[_SPAN * number + _SPAN // 2 + label] = turns[place]
    return bytes(table)
