"""`puzzlekit compare`."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from bundled import COMPILED
from click.testing import CliRunner, Result

from puzzlekit.cli import main
from puzzlekit.search.estimates import heuristics
from puzzlekit_lab.comparison import NAME
from puzzlekit_lab.record import Quality, Run, Tables, record_of

compiled = pytest.mark.skipif(not COMPILED, reason="takes minutes where nothing is compiled")

SMALL = ("--count", "2", "--max-nodes", "100000", "--jobs", "1", "--no-quality")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ("compare", *arguments))


def validate(line: str) -> None:
    """Hold a line against the schema of its kind, which tells more than `oneOf` does."""
    schema = json.loads(files("puzzlekit_lab.schema").joinpath("compare.schema.json").read_text())
    jsonschema.validate(json.loads(line), schema)
    (own,) = (
        each
        for each in schema["oneOf"]
        if each["properties"]["kind"]["const"] == json.loads(line)["kind"]
    )
    assert json.loads(line).keys() == own["properties"].keys()


@pytest.mark.slow
def test_a_table_for_people() -> None:
    found = run("--puzzle", "cube2", "--heuristic", "max,euclid", *SMALL)
    assert found.exit_code == 0, found.output
    for word in ("cube2", "solve", "max", "euclid"):
        assert word in found.stdout
    assert "blended" not in found.stdout


@pytest.mark.slow
def test_all_bundled_heuristics_unless_others_are_given() -> None:
    found = run("--puzzle", "cube2", *SMALL, "--json")
    assert found.exit_code == 0, found.output
    records = [record_of(line) for line in found.stdout.splitlines()]
    runs = [each for each in records if isinstance(each, Run)]
    names = [each.name for each in heuristics() if not each.reads_state]
    assert len(names) == 6
    for instance in range(2):
        of_instance = [each.heuristic for each in runs if each.instance == instance]
        assert sorted(of_instance) == sorted(names)
    assert sum(isinstance(each, Tables) for each in records) == 1
    for line in found.stdout.splitlines():
        validate(line)


@pytest.mark.slow
def test_several_puzzles_and_parameters() -> None:
    found = run(
        *("--puzzle", "cube2,cube3"),
        *("--heuristic", "max,blended:a=3,d=1.5,sum", "--heuristic", "0=max-sd:a=2,sd=sample"),
        *("--phase", "0"),
        *(*SMALL, "--json"),
    )
    assert found.exit_code == 0, found.output
    runs = [each for each in map(record_of, found.stdout.splitlines()) if isinstance(each, Run)]
    assert {(each.puzzle, each.phase) for each in runs} == {("cube2", "solve"), ("cube3", "orient")}
    named = {each.heuristic for each in runs if each.puzzle == "cube2"}
    assert named == {"max", "blended:a=3,d=1.5", "sum", "max-sd:a=2,sd=sample"}


@pytest.mark.slow
def test_the_files_of_a_directory(tmp_path: Path) -> None:
    directory = tmp_path / "results"
    asked = ("--puzzle", "cube2", "--heuristic", "max", "--baseline", "sum", *SMALL)
    asked += ("--output", str(directory))
    first = run(*asked)
    assert first.exit_code == 0, first.output
    assert "/ sum: ratio to sum" in first.stdout
    rows = list(csv.DictReader((directory / "summary.csv").read_text().splitlines()))
    assert [row["heuristic"] for row in rows] == ["sum", "max"]
    assert "to sum from the same start" in (directory / "summary.tex").read_text()
    page = (directory / "report.html").read_text(encoding="utf-8")
    assert "puzzlekit compare --puzzle cube2" in page and "memory" in page
    assert len(list((directory / "plots").iterdir())) == 10
    lines = (directory / NAME).read_text().splitlines()
    assert len(lines) == 1 + 4
    again = run(*asked)
    assert again.exit_code == 0 and again.stdout == first.stdout
    assert "4 of 4 runs are already done" in again.stderr
    assert (directory / NAME).read_text().splitlines() == lines


@pytest.mark.slow
def test_estimates_against_true_distances(tmp_path: Path) -> None:
    asked = ("--puzzle", "cube2", "--heuristic", "max,euclid", "--count", "1", "--json")
    found = run(*asked)
    assert found.exit_code == 0, found.output
    for line in found.stdout.splitlines():
        validate(line)
    records = map(record_of, found.stdout.splitlines())
    largest, euclid = (each for each in records if isinstance(each, Quality))
    assert largest.how == euclid.how == "exhaustive"
    assert largest.states == euclid.states == 3_674_160
    assert largest.over == 0 < euclid.over


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "--puzzle is missing"),
        (("--puzzle", "cube9"), "did you mean cube"),
        (("max", "blended"), "(max blended): write --heuristic max --heuristic blended"),
        (
            ("--puzzle", "cube2", "--heuristic", "blendd"),
            "'blendd' (did you mean blended?); there are",
        ),
        (("cube2,cube3",), "(cube2,cube3): write --puzzle cube2,cube3"),
        (("my.tws",), "(my.tws): write --puzzle my.tws"),
        (("cube2", "lines.txt"), "(lines.txt): write --input lines.txt"),
        (("",), "argument (): 'puzzlekit puzzles' lists the puzzles"),
        (("--puzzle", "cube2", "--algorithm", "tabu"), "ida-star, mm, nbs, dvcbs, bae\n"),
        (("--puzzle", "cube2", "--heuristic", "nix"), "no heuristic 'nix'"),
        (("--puzzle", "cube2", "--heuristic", "blended:q=1"), "has no parameter 'q'"),
        (("--puzzle", "cube2", "--heuristic", ","), "--heuristic is empty"),
        (("--puzzle", "cube2", "--baseline", "nix"), "no heuristic 'nix'"),
        (("--puzzle", "cube2", "--output", ""), "--output is empty"),
        (("--puzzle", "cube2", "--method", "optimal"), "single pruning table"),
        (("--puzzle", "cube2", "--phase", "9"), "has no phase '9'"),
        (("--puzzle", "cube2", "--count", "0"), "must be a whole number from 1"),
        (("--puzzle", "cube2", "--timeout", "0"), "must be a finite number of seconds above 0"),
        (("--puzzle", "cube2", "--output", "{file}"), "is a file"),
    ],
)
def test_what_cannot_be_compared(tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    (tmp_path / "file").write_text("")
    found = run(*(each.replace("{file}", str(tmp_path / "file")) for each in arguments))
    assert found.exit_code == 2, found.output
    assert told in found.stderr and found.stdout == ""


@pytest.mark.slow
@compiled
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")
def test_an_interrupt_loses_nothing_that_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("--puzzle", "cube2", "--count", "1000", "--heuristic", "max,sum")
    command = [
        sys.executable,
        "-P",
        "-m",
        "puzzlekit",
        "compare",
        *asked,
        "--no-quality",
        "--jobs",
        "2",
    ]
    command += ["--output", str(tmp_path)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    )
    path = tmp_path / NAME
    while process.poll() is None:
        if path.exists() and path.read_text().count("\n") > 20:
            process.send_signal(signal.SIGINT)
            break
        time.sleep(0.02)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130, told
    assert "repeat the command to continue" in told and "Traceback" not in told
    kept = path.read_text()
    assert kept.endswith("\n") and all(json.loads(line) for line in kept.splitlines())
    done = kept.count('"kind": "run"')
    assert 20 <= done < 2000
    command += ["--jobs", "1"]
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # no plots, which take a second
    again = CliRunner().invoke(main, command[4:])
    assert again.exit_code == 0, again.stderr
    assert f"{done:,} of 2,000 runs are already done" in again.stderr
    assert path.read_text().startswith(kept)
    assert path.read_text().count('"kind": "run"') == 2000
