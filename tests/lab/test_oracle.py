"""Node counts as an oracle for the engine: exact integers from elsewhere than the engine.

They follow from closed formulas, from a search written down here in a few lines of Python, and from
the literature. A change to the engine that changes what is searched, or how it is counted, changes
one of them.
"""

from __future__ import annotations

import math
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple

import attrs
import pytest
from bundled import COMPILED, stickers
from documents import ROOT
from tiles import korf

import puzzlekit
from puzzlekit import Heuristic, Max
from puzzlekit.search import estimates as registry
from puzzlekit.search.limits import Limits
from puzzlekit_authoring import engines
from puzzlekit_lab.case import Case
from puzzlekit_lab.comparison import Comparison, Experiment, Journal
from puzzlekit_lab.measurement import instance, measure, measure_phase

ENGINES = [pytest.param(nullcontext, id="installed")]
if COMPILED:
    ENGINES.append(pytest.param(engines.interpreted, id="interpreted"))


@attrs.frozen
class Zero(Heuristic):
    """Nothing is known of any distance: IDA* is iterative deepening."""

    name = "zero"
    admissible = True

    def join(self, distances: Sequence[Any]) -> Any:
        """0 for every vector."""
        return 0 * distances[0]


@attrs.frozen
class Jumping(Heuristic):
    """An estimate that often falls as distances rise: no distance alone tells what it will be."""

    name = "jumping"

    def join(self, distances: Sequence[Any]) -> Any:
        """The largest distance, the one after it, or none of it, as the sum is modulo 3."""
        rest = sum(distances) % 3
        return (Max().join(distances) + (rest == 2)) * (rest > 0)


@pytest.fixture(autouse=True)
def zero_can_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        registry, "heuristic_sources", [*registry.heuristic_sources, lambda: [Zero, Jumping]]
    )


# --- a search in plain Python --------------------------------------------------------------------


class Turn(NamedTuple):
    """A move as the search here knows it: its name, what it turns, its cost, whether a tip."""

    name: str
    family: str
    cost: int
    tip: bool

    def may_follow(self, last: Turn | None) -> bool:
        """Whether both are listed in this order: tips before all else, each in one order.

        The tips of a pyraminx turn by themselves, so they commute with everything.
        """
        if last is None:
            return True
        if self.tip:
            return last.tip and "ulrb".index(last.family) < "ulrb".index(self.family)
        return last.family != self.family


class Counted(NamedTuple):
    """What IDA* did: (bound, generated, expanded) of each iteration, and the answer."""

    rows: list[tuple[int, int, int]]
    names: list[str]


def ida_star(
    start: Any,
    turns: Sequence[Turn],
    child: Callable[[Any, str], Any],
    estimates: Callable[[Any], Sequence[int]],
    is_goal: Callable[[Any], bool],
    parity: int | None = None,
) -> Counted:
    """IDA* by its book, with the counts of nodes that the engine is to have.

    Of several estimates for a state the first that is above the bound cuts it, and tells the next
    bound. A goal at the bound ends the search; one below it has its children listed first.
    """
    rows: list[tuple[int, int, int]] = []
    path: list[Turn] = []
    above: list[int] = []
    bound = max(estimates(start))
    generated = expanded = 0

    def visit(state: Any, spent: int) -> bool:
        nonlocal generated, expanded
        goal = is_goal(state)
        if goal and spent == bound:
            return True
        expanded += 1
        listed = [turn for turn in turns if turn.may_follow(path[-1] if path else None)]
        if goal:
            generated += len(listed)
            return True
        for turn in listed:
            generated += 1
            after = child(state, turn.name)
            costs = [spent + turn.cost + each for each in estimates(after)]
            too_much = [cost for cost in costs if cost > bound]
            above.extend(too_much[:1])
            if too_much:
                continue
            path.append(turn)
            if visit(after, spent + turn.cost):
                return True
            path.pop()
        return False

    while True:
        bound += parity is not None and bound % 2 != parity
        generated = expanded = 0
        above.clear()
        found = visit(start, 0)
        rows.append((bound, generated, expanded))
        if found:
            return Counted(rows, [turn.name for turn in path])
        bound = min(above)


def turns_of(case: Case) -> list[Turn]:
    """The moves of the one phase of a case in the order in which the engine lists them."""
    (phase,) = case.candidate("max").chain.phases
    moves = zip(phase.moves, phase.costs, strict=True)
    return [Turn(move.name, move.name[0], cost, move.name[0].islower()) for move, cost in moves]


# --- h = 0 ---------------------------------------------------------------------------------------

# Canonical sequences of <U, R, F> by what they cost: each move is of another face than the last.
SEQUENCES = {"HTM": (1, 9, 54, 324, 1944, 11664), "QTM": (1, 6, 27, 120, 534, 2376)}
# What makes a state, and generated and expanded nodes of the last iteration, which ends early.
LAST = {
    ("HTM", "F'"): (43, 7),
    ("HTM", "R U2 F'"): (1614, 270),
    ("HTM", "R U R' U'"): (104, 20),
    ("HTM", "R U' F2 U R"): (50820, 8472),
    ("QTM", "R U2 F'"): (2904, 485),
    ("QTM", "F U' R F' U"): (5258, 878),
}


def listed(metric: str, bound: int) -> tuple[int, int]:
    """Generated and expanded nodes of an iteration without an answer, h being 0.

    Every sequence within the bound is expanded; the first move is one of 9, each later one of 6.
    """
    expanded = sum(SEQUENCES[metric][: bound + 1])
    return 9 + 6 * (expanded - 1), expanded


@pytest.mark.slow
@pytest.mark.parametrize("using", ENGINES)
@pytest.mark.parametrize(("metric", "scramble"), LAST)
def test_without_an_estimate_every_sequence_is_generated(
    metric: str, scramble: str, using: Callable[[], Any]
) -> None:
    """On cube2, against closed formulas, and for the last iteration against turned stickers."""
    solver = puzzlekit.load("cube2")
    state = solver.state(scramble)
    case = Case(solver, "small-tables", metric=metric)
    case.candidate("zero")  # the tables are there
    with using():
        case = Case(solver, "small-tables", metric=metric)
        run = measure_phase(case, "zero", 0, state, Limits())
    cube = stickers("cube2")
    counted = ida_star(
        cube.replay(cube.solved, scramble),
        turns_of(case),
        cube.replay,
        lambda _: (0,),
        cube.is_solved,
        parity=run["cost"] % 2 if metric == "QTM" else None,  # a quarter turn is odd
    )
    rows = [tuple(each) for each in run["iterations"]]
    assert rows == counted.rows and run["moves"].split() == counted.names
    assert all(row[1:] == listed(metric, row[0]) for row in rows[:-1])
    assert rows[-1] == (run["cost"], *LAST[metric, scramble])
    assert (run["h"], run["length"]) == (0, len(counted.names))
    assert run["generated"] == sum(row[1] for row in rows)
    assert run["expanded"] == sum(row[2] for row in rows)


# --- what is measured ----------------------------------------------------------------------------


class Lookup:
    """The distances of a state in the pruning tables of a phase, read as the tables are written."""

    def __init__(self, case: Case) -> None:
        chain = case.candidate("max").chain
        (self.phase,) = chain.phases
        self.puzzle = chain.puzzle
        self.sizes = [each.size for each in self.phase.coordinates]
        self.tables = [
            (each.coordinates, each.bits, memoryview(each.data)) for each in self.phase.tables
        ]
        self.moves = {move.name: [move] for move in self.phase.moves}

    def child(self, state: bytes, name: str) -> bytes:
        """The state after a move."""
        return self.puzzle.apply(state, self.moves[name])

    def distances(self, state: bytes) -> list[int]:
        """One of each table: entries of four bits, the even one in the low half of a byte."""
        values = [each.rank(state) for each in self.phase.phase.coordinates]
        found = []
        for own, bits, data in self.tables:
            assert bits == 4
            index = 0
            for number in own:
                index = index * self.sizes[number] + values[number]
            found.append(data[index >> 1] >> 4 * (index & 1) & 15)
        return found


def case_of(puzzle: str) -> Case:
    return Case(puzzlekit.load(puzzle), {"cube2": "small-tables", "pyraminx": "optimal"}[puzzle])


# Generated nodes with each heuristic, by the number of the instance of seed 1.
MEASURED = {
    ("cube2", "max"): {0: 79, 1: 304, 2: 26, 3: 832, 4: 866, 5: 15},
    ("cube2", "sum"): {0: 157, 1: 707, 2: 262, 3: 178, 4: 4571, 5: 59},
    ("cube2", "max-sd"): {0: 133, 1: 211, 2: 146, 3: 99, 4: 2598, 5: 90},
    ("cube2", "blended"): {0: 79, 1: 298, 2: 26, 3: 820, 4: 848, 5: 87},
    ("cube2", "jumping"): {0: 10516, 2: 4490, 5: 255},
    ("pyraminx", "max"): {0: 5864, 1: 2479, 2: 2843, 3: 807, 4: 858, 5: 358},
    ("pyraminx", "blended"): {0: 5864, 1: 2479, 2: 2843, 3: 807, 4: 858, 5: 358},
    ("pyraminx", "sum"): {1: 202, 5: 5216},
}


@pytest.mark.slow
@pytest.mark.parametrize("using", ENGINES)
@pytest.mark.parametrize(("puzzle", "heuristic"), MEASURED)
def test_records_say_what_the_search_did(
    puzzle: str, heuristic: str, using: Callable[[], Any]
) -> None:
    """Against IDA* in Python, with the tables of the case and the formula of the heuristic."""
    case = case_of(puzzle)
    chosen = registry.find_heuristic(heuristic)
    look = Lookup(case)

    def estimates(state: bytes) -> Sequence[int]:
        distances = look.distances(state)
        return distances if heuristic == "max" else (chosen.join(distances),)

    for number, nodes in MEASURED[puzzle, heuristic].items():
        state = instance(case, 1, number)
        with using():
            run = measure(case_of(puzzle), heuristic, "solve", 1, number, Limits())
        assert run is not None and run.solved
        counted = ida_star(state, turns_of(case), look.child, estimates, look.puzzle.is_solved)
        assert [tuple(each) for each in run.iterations] == counted.rows
        assert run.moves.split() == counted.names
        assert (run.state, run.h) == (state.hex(), max(estimates(state)))
        assert run.cost == run.length == len(counted.names)
        assert run.generated == nodes == sum(row[1] for row in counted.rows)
        assert run.expanded == sum(row[2] for row in counted.rows)
        assert run.before_last == sum(row[1] for row in counted.rows[:-1])


# --- the page of findings -----------------------------------------------------------------------


def test_the_page_of_findings_is_right_about_vectors() -> None:
    """Vectors of docs/heuristics.md: their maximum, norm and blend; and what is said of two."""
    blended = registry.find_heuristic("blended")
    text = (ROOT / "docs" / "heuristics.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \d+ \| ([\d ]+) \| (\d+) \| ([\d.]+) \| (\d+) \|$", text, re.MULTILINE)
    assert len(rows) >= 6
    for distances, most, norm, blend in rows:
        vector = [int(each) for each in distances.split()]
        assert (max(vector), f"{math.hypot(*vector):.1f}") == (int(most), norm)
        assert blended.join(vector) == int(blend)
    assert [blended.join(vector) for vector in ([9, 9, 9, 8], [4, 4, 4, 4], [4, 4, 4, 1])] == [
        9,
        4,
        6,
    ]
    pairs = [(less, most) for most in range(77) for less in range(most + 1)]
    assert next(pair for pair in pairs if blended.join(pair) != pair[1]) == (20, 76)


@pytest.mark.slow
def test_the_tables_of_the_page_can_be_made(tmp_path: Path) -> None:
    experiment = Experiment([case_of("cube2")], ["max", "blended"], 3, 1, None, 10**6)
    with Journal(str(tmp_path)) as journal:
        for _ in Comparison(experiment, journal).run():
            pass
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- what follows is made by benchmarks/heuristics_page.py -->\nold\n")
    script = ROOT / "benchmarks" / "heuristics_page.py"
    subprocess.run([sys.executable, script, tmp_path, "--write", page], check=True)
    text = page.read_text(encoding="utf-8")
    assert text.startswith("before\n") and "old" not in text
    assert "| cube2 `solve` |" in text and "| cube2, `solve` | `max` | 3/3 |" in text
    assert "|  | `blended` | 3/3 |" in text


# --- the literature ------------------------------------------------------------------------------

# Instances of the 15-puzzle that Korf (1985) solved in fewer than two million nodes, and how many:
# IDA* with the Manhattan distance, the blank going up, left, right, down. The start is counted.
KORF = {
    9: 1_650_696,
    12: 546_344,
    19: 1_280_495,
    42: 877_823,
    47: 1_411_294,
    48: 1_905_023,
    55: 927_212,
    74: 1_897_728,
    79: 540_860,
    93: 1_599_909,
    94: 1_337_340,
    97: 1_002_927,
}


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="takes minutes where the engine is not compiled")
def test_the_nodes_of_korf_are_those_of_korf() -> None:
    """To the node; the engine counts children, so the start is not among them."""
    solver = puzzlekit.load("fifteen-blank-first")
    boards = {number: korf()[number].tiles for number in KORF}
    found = {
        number: solver.solve(bytes(tiles), method="manhattan").nodes + 1
        for number, tiles in boards.items()
    }
    assert found == KORF
