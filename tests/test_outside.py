"""What plugins add from outside: strategies, kinds of tables and kinds of coordinates."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import attrs
import pytest

from puzzlekit import DeclarationError, Method, SearchOptions, Sequential, Solver, UsageError
from puzzlekit.plugins.manager import PluginManager
from puzzlekit.search.options import table_keys
from puzzlekit_authoring.plugin_checks import private_imports
from puzzlekit_authoring.run import run_checks
from puzzlekit_twophase import Anytime

OUTSIDE = Path(__file__).parent / "outside"
SCRAMBLE = "L R L2 R' L' R2 L R"


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The package on the path, with an entry point, as pip would have it."""
    info = tmp_path / "puzzlekit_outside-1.0.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_text("[puzzlekit]\noutside = puzzlekit_outside\n")
    for directory in (OUTSIDE, tmp_path):
        monkeypatch.syspath_prepend(str(directory))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, (OUTSIDE, tmp_path))))


@pytest.fixture
def rings(installed: None) -> Solver:
    entry = PluginManager().entry("outside")
    puzzle = entry.puzzle()
    return Solver(puzzle, entry.methods(puzzle))


def test_it_imports_public_names_only() -> None:
    for path in (OUTSIDE / "puzzlekit_outside").glob("*.py"):
        assert list(private_imports(path)) == []


def test_a_strategy_from_outside_solves(rings: Solver) -> None:
    """From either end, so never longer than from one, and now and then shorter."""
    shorter = 0
    for seed in range(40):
        state = rings.random_state(seed)
        both, one, other = (
            rings.solve(state, method="both-ends"),
            rings.solve(state, method="plain"),
            rings.solve(rings.puzzle.invert(state), method="plain"),
        )
        assert both.verified and both.cost == min(one.cost, other.cost)
        assert both.nodes == one.nodes + other.nodes
        shorter += both.cost < one.cost
    assert shorter > 3


def test_how_it_was_found_is_said(rings: Solver) -> None:
    state = next(
        state
        for state in map(rings.random_state, range(40))
        if len(list(rings.improve(state))) == 2
    )
    first, second = rings.solve(state).phases
    assert [first.name, second.name] == ["order", "pair"]
    assert first.found.inverted and second.found.inverted


def test_it_may_search_by_any_strategy(rings: Solver) -> None:
    from puzzlekit_outside.both_ends import BothEnds

    phases = rings.method("plain").phases
    for each in (Sequential(choices=5), Anytime(seconds=0.0)):
        plan = rings.method("plain").plan(rings.puzzle, rings.metric(), rings.store)
        chain = BothEnds(each).prepared(plan)
        assert chain.plan.phases == phases
        with pytest.raises(UsageError, match="plain cannot find all solutions"):
            next(iter(chain.every_answer(rings.state(SCRAMBLE), None)))  # type: ignore[arg-type]


def distances(rings: Solver) -> dict[bytes, int]:
    """The distance of every state, plainly."""
    puzzle = rings.puzzle
    moves = puzzle.family_moves("LR")
    found = {puzzle.solved: 0}
    for state in (listed := [puzzle.solved]):  # grows while it is gone through
        for move in moves:
            near = puzzle.apply(state, [move])
            if near not in found:
                found[near] = found[state] + 1
                listed.append(near)
    return found


def test_a_kind_of_table_from_outside_solves(rings: Solver) -> None:
    """Its entries are exact up to 5 and 6 beyond, and answers are shortest."""
    expected = distances(rings)
    assert max(expected.values()) > 6
    (phase,) = rings.prepared("near").phases
    for state in list(expected)[::97]:
        assert phase.estimate(rings.puzzle, state) == min(expected[state], 6)
        solution = rings.solve(state, method="near")
        assert (solution.cost, solution.optimal) == (expected[state], True)


def test_the_inventory_lists_a_table_from_outside(rings: Solver) -> None:
    key = table_keys(rings.choose(SearchOptions("near")))[-1]
    assert (key.name, key.nbytes) == ("left x right near TURNS", 210 * 210 // 2)
    assert key.purpose.endswith("44,100 entries of 4 bits")


def test_a_kind_of_coordinate_from_outside_solves(rings: Solver) -> None:
    """Its own runner runs it, and tables of puzzlekit are over it; answers are shortest."""
    from puzzlekit_outside.seats import SeatRunner

    before = SeatRunner.made
    expected = distances(rings)
    for state in list(expected)[::97]:
        solution = rings.solve(state, method="seats")
        assert (solution.cost, solution.optimal) == (expected[state], True)
    assert SeatRunner.made == before + 7, "one for each coordinate"
    keys = table_keys(rings.choose(SearchOptions("seats")))
    assert not [key.name for key in keys if key.name.startswith("seat-D")]


def test_a_kind_of_table_checks_itself(rings: Solver) -> None:
    from puzzlekit_outside.near import Near

    with pytest.raises(DeclarationError, match="table left: distances from 1 to 14 are near, not"):
        Near("left", 15)
    (phase,) = rings.method("near").phases
    wrong = attrs.evolve(phase, goal_moves="L2")
    with pytest.raises(DeclarationError, match="table left right: a near table is over closed"):
        Solver(rings.puzzle, [Method("wrong", "", (wrong,))]).prepared()


@pytest.mark.slow
def test_the_checks_of_puzzlekit_hold_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a module on the path: the manager of this process may be older than an entry point."""
    monkeypatch.syspath_prepend(str(OUTSIDE))
    monkeypatch.setenv("PYTHONPATH", str(OUTSIDE))
    import puzzlekit_outside

    results = list(run_checks(puzzlekit_outside, effort="quick"))
    assert [result for result in results if result.outcome == "failed"] == []
    passed = {str(result.check) for result in results if result.outcome == "ok"}
    assert "outside-near-solve: pruning tables never overestimate" in passed
    assert "outside-near: scrambles are solved" in passed
    assert "outside-seats: scrambles are solved" in passed


@pytest.mark.slow
@pytest.mark.usefixtures("installed")
def test_load_and_the_command_line_find_it() -> None:
    code = f"import puzzlekit; print(puzzlekit.load('outside').solve({SCRAMBLE!r}).method)"
    ran = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=100
    )
    assert (ran.stdout, ran.stderr) == ("both-ends\n", "")
    command = [sys.executable, "-P", "-m", "puzzlekit", "solve", "--puzzle", "outside", "--json"]
    ran = subprocess.run([*command, SCRAMBLE], capture_output=True, text=True, timeout=100)
    assert ran.stderr == "" or "table" in ran.stderr
    (record,) = [json.loads(line) for line in ran.stdout.splitlines()]
    assert record["method"] == "both-ends" and record["verified"]
