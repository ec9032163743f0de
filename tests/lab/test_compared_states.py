"""The laboratory compares heuristics that read the state like all others."""

from __future__ import annotations

import attrs
import pytest
from pancakes import example

from puzzlekit import Limits, Sequential, Solver
from puzzlekit.search import estimates as registry
from puzzlekit_lab.case import Case
from puzzlekit_lab.measurement import measure


def test_a_heuristic_that_reads_the_state_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    with example() as page:
        puzzle = page.puzzle()
        (optimal,) = page.methods(puzzle)
        ordered = attrs.evolve(optimal, name="in-order", strategy=Sequential())
        pancakes = Solver(puzzle, [ordered])
        monkeypatch.setattr(
            registry, "heuristic_sources", [*registry.heuristic_sources, lambda: [page.Gap]]
        )
        case = Case(pancakes, "in-order", heuristics=["max", "gaps"])
        gap, usual = (measure(case, name, "solve", 1, 0, Limits()) for name in ("gaps", "max"))
    assert gap is not None and usual is not None
    assert gap.admissible and gap.cost == usual.cost and gap.generated < usual.generated
    assert gap.h >= usual.h
