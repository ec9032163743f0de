"""The laboratory compares heuristics that read the state like all others."""

from __future__ import annotations

import attrs
import pytest
from pancakes import example
from turned_ring import turned_ring

from puzzlekit import Limits, Method, Orientation, Permutation, Phase, Sequential, Solver
from puzzlekit.search import estimates as registry
from puzzlekit_lab.case import Case
from puzzlekit_lab.measurement import instance, measure


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


def test_a_search_begins_in_the_way_of_holding_with_the_shortest_answer() -> None:
    """In another one, no moves may reach the goal, or more moves would count as the fewest."""
    ring = turned_ring()
    parts = Permutation("places", ring, "pieces"), Orientation("turned", ring, "pieces")
    phase = Phase("solve", "solved", "A B C D", parts, ("places", "turned"))
    solver = Solver(ring, [Method("two-tables", "by two tables", (phase,))])
    case = Case(solver, heuristics=["max", "max@a-star"])
    for number in range(30):
        found = solver.solve(instance(case, 1, number))
        assert found.optimal
        for heuristic in "max", "max@a-star":
            run = measure(case, heuristic, "solve", 1, number, Limits(max_nodes=100_000))
            assert run is not None and (run.outcome, run.cost) == ("solved", found.cost)
            assert run.h <= found.cost
