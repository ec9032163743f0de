"""Profiles of tables: which one is used, and how they are chosen, built and shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import attrs
import pytest
from bundled import COMPILED
from click.testing import CliRunner, Result

import puzzlekit
from puzzlekit import DeclarationError, Method, Solver, TableStore, UsageError
from puzzlekit.cli import main
from puzzlekit.errors import TableError
from puzzlekit.search.method import Profile
from puzzlekit.search.options import (
    SearchOptions,
    all_table_keys,
    profile_keys,
    profiles,
    table_keys,
)
from puzzlekit.tables import memory

CUBE2 = puzzlekit.load("cube2")
CUBE3 = puzzlekit.load("cube3")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def two_profiles(directory: Path, **changes: Any) -> Solver:
    """The 2x2x2, small with four tables and large with one, in a directory of its own."""
    small, large = CUBE2.method("small-tables"), CUBE2.method("optimal")
    method = Method(
        name="both",
        title="with either",
        phases=small.phases,
        fixed=small.fixed,
        profile="small",
        larger=(Profile("large", large.phases, **changes),),
    )
    return Solver(CUBE2.puzzle, [method], TableStore(str(directory)))


@pytest.mark.slow
def test_the_smallest_is_used_until_a_larger_one_is_there(tmp_path: Path) -> None:
    assert two_profiles(tmp_path).solve("R U F").profile == "small"
    assert two_profiles(tmp_path).solve("R U F", profile="large").profile == "large"
    assert two_profiles(tmp_path).solve("R U F").profile == "large"
    assert two_profiles(tmp_path).solve("R U F", profile="small").profile == "small"
    # What is there in one metric says nothing of another.
    assert two_profiles(tmp_path).solve("R U F", metric="QTM").profile == "small"
    solver = two_profiles(tmp_path)
    for key in table_keys(solver.choose(SearchOptions(profile="large"))):
        if key.name.startswith("permutation x"):
            (path,) = tmp_path.rglob(key.filename)
            path.unlink()
    assert two_profiles(tmp_path).solve("R U F").profile == "small"


def test_memory_asks_for_the_largest_that_fits(tmp_path: Path) -> None:
    solver = two_profiles(tmp_path)
    small, large = (
        sum(key.nbytes for key in profile_keys(solver.chooser.plan, each, solver.metric()))
        for each in profiles(solver.method(), solver.metric())
    )
    assert small < large
    assert solver.choose(SearchOptions(memory=large)).method.profile == "large"
    assert solver.choose(SearchOptions(memory=large - 1)).method.profile == "small"
    assert solver.choose(SearchOptions(memory=small)).method.profile == "small"
    with pytest.raises(UsageError, match="take at least"):
        solver.choose(SearchOptions(memory=small - 1))


def test_a_profile_may_be_for_some_metrics_only(tmp_path: Path) -> None:
    solver = two_profiles(tmp_path, metrics=("HTM",))
    assert solver.choose(SearchOptions(profile="large")).method.profile == "large"
    with pytest.raises(UsageError, match="no profile 'large' in QTM; the profiles are small"):
        solver.choose(SearchOptions(metric="QTM", profile="large"))
    with pytest.raises(UsageError, match="no profile 'any' in HTM; it has none"):
        CUBE2.choose(SearchOptions(profile="any"))


def test_both_profiles_give_answers_of_one_length(tmp_path: Path) -> None:
    solver = two_profiles(tmp_path)
    for seed in range(20 if COMPILED else 2):
        state = solver.random_state(seed)
        lengths = {solver.solve(state, profile=each).cost for each in ("small", "large")}
        assert len(lengths) == 1


@pytest.mark.slow
def test_all_profiles_are_in_use() -> None:
    used = all_table_keys(CUBE3.chooser)
    for method in CUBE3.methods:
        for metric in CUBE3.catalogue.metrics(method.name):
            for each in profiles(method, metric):
                assert used.issuperset(profile_keys(CUBE3.chooser.plan, each, metric))


def test_declarations_that_cannot_be() -> None:
    method = CUBE2.method("optimal")
    with pytest.raises(DeclarationError, match="must name the profile"):
        attrs.evolve(method, larger=(Profile("large", method.phases),))
    other = attrs.evolve(method.phases[0], name="other")
    with pytest.raises(DeclarationError, match="same names of phases as the method"):
        attrs.evolve(method, profile="small", larger=(Profile("large", (other,)),))


def test_profiles_of_cube3_are_as_large_as_stated() -> None:
    sizes = {
        (method.name, each.profile): sum(
            key.nbytes for key in profile_keys(CUBE3.chooser.plan, each, CUBE3.metric())
        )
        for method in CUBE3.methods
        for each in profiles(method, CUBE3.metric())
    }
    assert sizes["two-phase", "small"] < 25e6
    assert sizes["two-phase", "large"] < 100e6
    stated = {"120mb": 120e6, "500mb": 500e6, "1gb": 1e9, "2gb": 2e9}
    assert all(0.9 * size < sizes["optimal", name] < size for name, size in stated.items())


@pytest.fixture
def poor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine with a megabyte of memory, and no tables yet."""
    monkeypatch.setattr(memory, "available_memory", lambda: 10**6)
    monkeypatch.setenv("PUZZLEKIT_CACHE", str(tmp_path))


@pytest.mark.usefixtures("poor")
def test_more_memory_than_there_is_is_not_taken(tmp_path: Path) -> None:
    solver = Solver(CUBE2.puzzle, CUBE2.methods, TableStore(str(tmp_path)))
    with pytest.raises(TableError, match=r"takes 2 MB .* and only 1 MB are free"):
        solver.solve("R U F")
    assert not list(tmp_path.rglob("*permutation-x*.npy"))


@pytest.mark.slow
@pytest.mark.usefixtures("poor")
def test_the_command_line_says_that_memory_does_not_suffice() -> None:
    arguments = ("--method", "optimal", "--tables", "1gb")
    found = run("solve", "--puzzle", "cube3", "R U2 F' L2 D B2 R' U F2 D' L", *arguments)
    assert found.exit_code == 4
    assert "only 1 MB are free" in found.stderr


def test_available_memory_is_a_number_or_unknown() -> None:
    free = memory.available_memory()
    assert free is None or 0 <= free < 2**60


# --- the command line ----------------------------------------------------------------------------


@pytest.mark.slow
def test_profiles_are_listed_and_told() -> None:
    found = run("tables", "list")
    assert found.exit_code == 0
    rows = [line.split() for line in found.output.splitlines()]
    assert ["puzzle", "method", "profile", "metric", "size", "advantage", "on", "disk"] in rows
    listed = [
        row[:4] for row in rows if row[:1] == ["cube3"] and row[1] in ("two-phase", "optimal")
    ]
    assert listed == [
        ["cube3", "two-phase", "small", "HTM"],
        ["cube3", "two-phase", "large", "HTM"],
        ["cube3", "optimal", "small", "HTM"],
        *(["cube3", "optimal", name, "HTM"] for name in ("120mb", "500mb", "1gb", "2gb")),
        *(["cube3", "optimal", name, "QTM"] for name in ("120mb", "1gb")),
    ]
    built = "puzzlekit tables build cube3 --method optimal --tables 120mb --metric QTM"
    assert built in found.output
    assert "cube3" not in run("tables", "list", "cube2").output


def test_building_says_which_profile() -> None:
    found = run("tables", "build", "cube3", "--tables", "small")
    assert found.exit_code == 0
    assert found.stdout.startswith("cube3 two-phase HTM small:")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--tables", "huge"], "no profile 'huge' in HTM; the profiles are small, large"),
        (["--tables", "large", "--metric", "QTM"], "no profile 'large' in QTM"),
        (["--tables", "1MB"], "MB, but only 1 MB are allowed"),
        (["--tables", "lots"], "no profile 'lots' in HTM; the profiles are small, large"),
        (["--tables", "-1GB"], "no profile '-1GB'"),
        (["--tables", "1 parsec"], "no profile '1 parsec'"),
        (["--all", "--method", "two-phase"], "cannot find all solutions; optimal can"),
        (["--all", "-o", "count", "-o", "limit=3"], "count and limit cannot be combined"),
        (["--all", "-o", "count=3"], "invalid value for '--option count'"),
        (["-o", "colour=red"], "'colour=red' is not NAME=VALUE, with one of heuristic=... max-n"),
        (["-o", "limit"], "'limit' is not NAME=VALUE"),
        (["--limit", "3"], "no such option '--limit': write --option limit=VALUE"),
        (["--count"], "no such option '--count': write --option count"),
        (["--profile", "large"], "no such option '--profile': write --tables NAME"),
        (["--goal-state", "R"], "no such option '--goal-state': write --goal state:S"),
        (["--all", "--max-length", "9", "--explain"], "--explain cannot be combined with --all"),
        (
            ["--all", "--max-length", "9", "-o", "heuristic=sum"],
            "--option heuristic cannot be combined with --all",
        ),
        (["--all", "--max-length", "9", "--method", "two-phase"], "cannot find all solutions"),
        (["-o", "count"], "--option count needs --all"),
        (["-o", "limit=3"], "--option limit needs --all"),
    ],
)
def test_what_cannot_be_asked(arguments: list[str], problem: str) -> None:
    found = run("solve", "--puzzle", "cube3", "R U F", *arguments)
    assert found.exit_code == 2
    assert problem in " ".join(found.stderr.split())
    assert not found.stdout


def test_all_solutions_as_lines() -> None:
    found = run("solve", "--puzzle", "cube2", "R U R'", "--all", "--max-length", "7")
    assert found.exit_code == 0
    lines = found.stdout.splitlines()
    assert lines[0] == "R U' R'  // 3 HTM"
    expected = list(CUBE2.solutions("R U R'", max_length=7))
    assert [line.split("  //")[0] for line in lines] == list(map(str, expected))
    lengths = [each.cost for each in expected]
    assert lengths == sorted(lengths) and len(lengths) > 1


def test_all_solutions_up_to_a_count_as_json() -> None:
    found = run(
        *("solve", "--puzzle", "cube2", "R U R'", "--all", "--max-length", "11"),
        *("-o", "limit=2", "--json"),
    )
    assert found.exit_code == 0
    records = list(map(json.loads, found.stdout.splitlines()))
    assert len(records) == 2 and all(each["verified"] for each in records)
    assert "these are the first 2 solutions; raise --option limit to see more" in found.stderr


def test_a_list_that_a_limit_cut_off_says_so() -> None:
    arguments = ("--all", "--max-length", "9", "-o", "max-nodes=300")
    found = run("solve", "--puzzle", "cube2", "R U R'", *arguments)
    assert found.exit_code == 1
    assert found.stdout.startswith("R U' R'  // 3 HTM")
    assert "a limit was met: there may be more solutions" in found.stderr


def test_no_solution_within_the_length() -> None:
    found = run("solve", "--puzzle", "cube2", "R U F R U", "--all", "--max-length", "2")
    assert found.exit_code == 1
    assert "no solution of at most 2 HTM was found" in found.stderr


def test_json_says_which_tables_and_when_answers_came() -> None:
    found = run("solve", "--puzzle", "cube3", "--random", "--seed", "5", "--json")
    record = json.loads(found.stdout)
    assert record["profile"] in ("small", "large")
    lengths = [each["length"] for each in record["improvements"]]
    assert lengths == sorted(set(lengths), reverse=True) and lengths[-1] == record["length"]
    times = [each["seconds"] for each in record["improvements"]]
    assert times == sorted(times) and times[-1] <= record["seconds"]
    assert record["at_least"] == 0 or record["optimal"]


def test_the_same_options_give_the_same_choice() -> None:
    options = SearchOptions("optimal", "max", "htm")
    choice = CUBE2.choose(options)
    aimed = CUBE2.choose(options._replace(target=CUBE2.state("R")))
    assert CUBE2.choose(options) is choice and aimed.target == CUBE2.state("R")
    assert aimed.plan is choice.plan and aimed.key == choice.key and choice.target is None


def test_a_length_without_a_solution_names_its_metric() -> None:
    with pytest.raises(puzzlekit.NoSolutionError, match="no solution of at most 3 QTM"):
        puzzlekit.load("cube2").solve("U2 R2", metric="QTM", max_length=3)  # but two moves
