"""The findings of a report, checked against all rows of made-up summaries of each kind."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any

import attrs
import made_up
import pytest

from puzzlekit_lab.page import findings, write_page
from puzzlekit_lab.summary import Row, Summary, summarise

COUNT = 12

RUN = attrs.evolve(
    made_up.RUN, phase="finish", moves="A B A", generated=1000, expanded=500, iterations=[]
)


def wide(mean: float, number: int) -> float:
    """Ratios that scatter by 64 around a mean, so that their interval holds 1."""
    return mean * (8 if number % 2 else 1 / 8)


# What a heuristic may do beside the baseline, as changes of its run number n.
NODES = {
    "fewer": lambda n: {"generated": 570 + n},
    "fewest, in doubt": lambda n: {"generated": int(1000 * wide(0.5, n))},
    "slightly fewer": lambda n: {"generated": 995},
    "alike": lambda n: {},
    "as many, other moves": lambda n: {"moves": "B A B"},
    "more": lambda n: {"generated": 3000 + n},
    "most, in doubt": lambda n: {"generated": int(1000 * wide(5, n))},
    "less solved": lambda n: {"outcome": "timeout", "cost": None} if n == 3 else {},
    "nothing solved": lambda n: {"outcome": "nodes", "cost": None},
    "no answer": lambda n: {"outcome": "none", "cost": None} if n == 5 else {},
}


def made(*kinds: str, phases: tuple[str, ...] = ("finish",), count: int = COUNT) -> Summary:
    """A summary of the baseline and a heuristic of each kind."""
    runs: list[Any] = []
    for phase, number in product(phases, range(count)):
        base = attrs.evolve(RUN, phase=phase, instance=number)
        runs.append(base)
        for i, kind in enumerate(kinds):
            changes = {"heuristic": f"h{i}", "admissible": False} | NODES[kind](number)
            runs.append(attrs.evolve(base, **changes))
    return summarise(runs)


def others(summary: Summary) -> list[Row]:
    return [row for row in summary.rows if row.heuristic != "max"]


def clear(row: Row, side: int) -> bool:
    """Whether the interval of the ratio of nodes lies below (-1) or above (1) 1, by 1 % or more.

    The paired test must say so, too.
    """
    found = row.node_ratio
    if found is None or found.low is None or found.high is None:
        return False
    if row.by_nodes is None or row.by_nodes.p_holm >= 0.05:
        return False
    return found.high < 1 and found.value <= 0.99 if side < 0 else found.low > 1 <= found.value


def named(sentences: list[str], pattern: str) -> list[str]:
    """Which heuristics the sentences of a kind name."""
    return [match[1] for each in sentences for match in [re.match(pattern, each)] if match]


def check(summary: Summary) -> None:
    """Every sentence about nodes says what all rows say, and none is missing."""
    said = findings(summary, summary.cases[0])
    rows = others(summary)
    told = named(said, r"In finish, (\S+) generates ")
    expected = []
    for side, best in ((-1, min), (1, max)):
        group = [row for row in rows if clear(row, side) and row.common]
        if group:
            expected.append(best(group, key=lambda row: row.node_ratio or 0).heuristic)
    assert told == expected
    nothing = "No heuristic generates clearly fewer nodes than max in finish."
    solved = bool(rows[0].common)
    assert (nothing in said) == (solved and not any(clear(row, -1) for row in rows))
    assert ("No instance was solved by all heuristics in finish." in said) == (not solved)
    assert any(each.startswith("In finish, ") and "fastest" in each for each in said) == solved
    missed = [f"{row.heuristic} {row.instances - row.solved}" for row in rows if row.unsolved]
    for each in missed:
        assert any(re.search(rf"Unsolved instances: .*{each}\b", sentence) for sentence in said)
    assert bool(missed) == any("Unsolved instances" in each for each in said)


@pytest.mark.slow
@pytest.mark.parametrize("kinds", list(product(NODES, repeat=2)), ids=" + ".join)
def test_findings_hold_for_all_rows(kinds: tuple[str, ...]) -> None:
    summary = made(*kinds)
    check(summary)
    said = findings(summary, summary.cases[0])
    solved = "nothing solved" not in kinds
    alike = [f"h{i}" for i, kind in enumerate(kinds) if kind == "alike" and solved]
    assert named(said, r"(\S+) searches exactly like max in finish\.$") == alike


@pytest.mark.slow
def test_a_clear_gain_is_found_beside_a_larger_one_in_doubt(tmp_path: Path) -> None:
    summary = made("fewest, in doubt", "fewer")
    doubtful, gain = others(summary)
    assert doubtful.node_ratio and gain.node_ratio
    assert doubtful.node_ratio.value < gain.node_ratio.value
    page = tmp_path / "report.html"
    write_page(summary, page)
    text = page.read_text(encoding="utf-8")
    assert "No heuristic generates clearly fewer" not in text
    assert "In finish, h1 generates 0.58 (0.57 to 0.58) times the nodes of max" in text


def test_few_instances_show_nothing_clearly() -> None:
    summary = made("fewer", "more", count=3)
    check(summary)
    assert "No heuristic generates clearly fewer nodes" in findings(summary, summary.cases[0])[1]


def test_phases_without_a_gain_are_told_together_by_their_baseline() -> None:
    runs = [attrs.evolve(RUN, phase=phase, instance=n) for phase in "ab" for n in range(COUNT)]
    runs += [attrs.evolve(run, heuristic="sum", admissible=False) for run in runs]
    runs += [
        attrs.evolve(RUN, phase="c", instance=n, heuristic=name)
        for n in range(COUNT)
        for name in ("blended", "sum")
    ]
    summary = summarise(runs)
    said = findings(summary, summary.cases[0])
    assert "No heuristic generates clearly fewer nodes than max in a and in b." in said
    assert "No heuristic generates clearly fewer nodes than blended in c." in said
    assert "sum searches exactly like max in a and in b." in said
    assert "sum searches exactly like blended in c." in said


def test_who_may_be_as_quick_is_told_of_every_other() -> None:
    times = {"max": (9, 9), "h0": (2, 2), "h1": (1, 4.2)}
    runs = [
        attrs.evolve(RUN, heuristic=name, instance=n, cpu_seconds=times[name][n % 2])
        for name in times
        for n in range(COUNT)
    ]
    summary = summarise(runs)
    quick = findings(summary, summary.cases[0])[0]
    assert "In finish, h0 is fastest (geometric mean 2,000 ms; h1 may be as fast)" in quick


def test_shares_of_optimal_answers_are_of_those_whose_optimum_is_known() -> None:
    runs = [attrs.evolve(RUN, instance=n, admissible=n < 4) for n in range(COUNT)]
    runs += [
        attrs.evolve(run, heuristic="sum", admissible=False, generated=500, cost=6) for run in runs
    ]
    summary = summarise(runs)
    assert others(summary)[0].proven == 4
    said = findings(summary, summary.cases[0])
    assert said[1].endswith("100% longer, and 0% of the 4 with a known optimum are optimal.")
