"""Distributions of puzzles that can be held in several ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest
from domino import EVERY, FIXED, small
from test_holdings import distances

from puzzlekit import (
    Method,
    Permutation,
    Phase,
    Solver,
)
from puzzlekit_lab import distribution


@pytest.mark.slow
@pytest.mark.parametrize("fixed", [FIXED, {}], ids=["centers", "nothing"])
def test_distances_are_counted_from_all_solved_states(fixed: Mapping[str, str]) -> None:
    puzzle = small()
    corners = Permutation("corners", puzzle, "corners")
    phase = Phase("solve", "solved", EVERY, (corners,), ("corners",))
    counted = Solver(puzzle, [Method("first", "", (phase,), fixed=fixed)])
    for metric in puzzle.metrics:
        found = distribution(counted, metric=metric, classes=True)
        levels = Counter(distances(puzzle, metric, 20).values())
        # The centers are held in two ways, of which a method sees one.
        assert found.states == tuple(levels[cost] // 2 for cost in sorted(levels))
        assert found.classes[:2] == ((1, 4) if metric.name == "HTM" else (1, 3))
        assert found.symmetries == 32  # turned in 8 ways, and then renamed in 4
        assert not fixed or found.total * found.orientations == 80_640
