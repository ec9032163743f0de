"""The gap heuristic, for pancakes and TopSpin."""

from __future__ import annotations

import re
from typing import Any

import attrs

from puzzlekit import Heuristic, Puzzle, UsageError


@attrs.frozen
class Gap(Heuristic):
    """Counts the neighbours that do not belong side by side.

    M. Helmert, "Landmark heuristics for the pancake problem" (SoCS 2010). A flip of the upper part
    of a stack separates one pair of neighbours, the lowest pancake and the plate among them. So it
    closes at most one gap, and the number of gaps is admissible and consistent. Two burnt
    pancakes belong side by side only if both show the right side. In TopSpin a move separates two
    pairs, and the estimate is half of the gaps, rounded up.

    Gaps are counted against the order of the solved state, which may be any order. With
    `ignored`, gaps beside the `ignored` smallest pancakes do not count: the estimates GAP-1, GAP-2
    and so on of the literature, which are weaker on purpose.
    """

    name = "gap"
    admissible = True
    is_tested = True
    uses_distances = False
    consistent = True

    #: Number of pancakes whose gaps do not count.
    ignored: int = 0

    def __attrs_post_init__(self) -> None:
        if self.ignored < 0:
            raise ValueError("ignored must be 0 or more")

    def estimate(self, puzzle: Puzzle, states: Any, distances: Any) -> Any:
        """Return the numbers of gaps of some states."""
        import numpy as np

        kind = re.match("(burnt-pancake|pancake|topspin)-", puzzle.name)
        if kind is None:
            raise UsageError(
                f"the heuristic gap is for pancake-N, burnt-pancake-N and topspin-N-K, not for "
                f"{puzzle.name}"
            )
        size = puzzle.orbits[0].size
        rank = np.argsort(np.frombuffer(puzzle.solved[:size], dtype=np.uint8)).astype(np.int16)
        order = np.full((len(states), size + 2), size, dtype=np.int16)
        order[:, 1:-1] = rank[states[:, :size]]
        if kind[1] == "topspin":
            return self._on_ring(order, size)
        order = order[:, 1:]
        small = order < self.ignored
        counted = ~(small[:, 1:] | small[:, :-1])
        steps = np.diff(order)
        gaps = abs(steps) != 1
        if kind[1] == "burnt-pancake":
            solved = np.frombuffer(puzzle.solved[size:], dtype=np.uint8)[np.argsort(rank)]
            side = np.zeros((len(states), size + 1), dtype=np.int16)
            side[:, :-1] = states[:, size:] ^ solved[order[:, :-1]]
            # Downwards, unturned pancakes grow and turned ones shrink.
            gaps |= (side[:, 1:] != side[:, :-1]) | (steps != 1 - 2 * side[:, 1:])
        return (gaps & counted).sum(axis=1)

    def _on_ring(self, order: Any, size: int) -> Any:
        """Return half of the gaps; the held token, of rank `size`, is at both ends."""
        import numpy as np

        steps = abs(np.diff(order)) % (size + 1)
        small = order < self.ignored
        counted = ~(small[:, 1:] | small[:, :-1])
        gaps = ((steps != 1) & (steps != size) & counted).sum(axis=1)
        return (gaps + 1) // 2
