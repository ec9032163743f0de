"""Each benchmark runs with the smallest sizes, and prints what it measures."""

from __future__ import annotations

import runpy
import shlex
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
#: The options of each script, and what the output has.
TINY = {
    "colours": ("--puzzles cube2 --scans 2 --right 0", "cube2"),
    "compare_overhead": ("--instances 1 --rounds 1 --heuristic max", "us"),
    "definition_cube3": ("--states 1 --length 3 --definition TINY.tws", "peak memory"),
    "definitions": ("TINY.tws --seeds 1 --seconds 1 --one", '"right": 2, "answers": 2'),
    "entered": ('solve --puzzle cube2 "R U F"', "functions"),
    "goals": ("--states 1 --goal eo", "scrambles at eo"),
    "heuristics_cube4": ("--states 1 --heuristic max --timeout 1", "max"),
    "korf100": ("--instances 12", "nodes/s"),
    "lengths": (
        "cube2 cube3@AXHT --states 2 --first 22 --budget 0.001 --wait",
        "1 ms",
    ),
    "nodes": ("--states 1 --nodes 20000 --profile small", "reading facelets"),
    "optimal_cube3": ("--states 1 --scrambles 3 --profile small", "max"),
    "optimal_small": ("--states 2 --puzzle skewb", "2 proven"),
    "published": ("korf --most 600000", "0 instances differ"),
    "startup": ("--runs 1", "times the floor"),
    "steps": ("--states 1 --methods cfop", "cfop"),
    "warm": ("--states 2 --profile small", "a line of cube2"),
}
# Tests of their own run the arena and its wildcards, and the page of heuristics. The others need
# minutes, a browser, or tables that no test needs: they start, at least.
STARTED = {"cluster", "page", "robot_cube2", "serve"}
ELSEWHERE = {"arena", "heuristics_page", "replay", "shared", "wildcards"}

SWAPS = """Name tiny
Set PIECES 4 1
Solved
PIECES
1 2 3 4
End
Move A
PIECES
2 1 3 4
End
Move B
PIECES
2 3 4 1
End
"""


def run(name: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a script as if from the command line, in this process."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.setattr(sys, "argv", [name, *arguments])
    try:
        runpy.run_path(str(BENCHMARKS / f"{name}.py"), run_name="__main__")
    except SystemExit as end:
        assert not end.code, end.code


@pytest.mark.slow
@pytest.mark.parametrize("name", TINY)
def test_a_benchmark_prints_what_it_measures(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "tiny.tws").write_text(SWAPS, encoding="utf-8")
    words, expected = TINY[name]
    given = shlex.split(words.replace("TINY.tws", str(tmp_path / "tiny.tws")))
    run(name, given, monkeypatch)
    assert expected in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--size 10 --length 10 --count 1 --heuristic gap", "paper 117"),
        ("--size 16 --given --instances 1", "1     1,926"),  # as another A* counts
    ],
)
def test_published_means_of_pancakes(
    words: str, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run("published", ["pancakes", *words.split()], monkeypatch)
    assert told in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("cube33", "argument PUZZLE[:METHOD][@METRIC]: there is no puzzle 'cube33'"),
        ("cube3@RTM", "'RTM'"),
        ("cube3 --first 20 --states 0", "--states and --threads must be at least 1"),
        ("cube3@QTM --peer rob-twophase=.", "solves cube3 only, in its default metric"),
        ("cube3 --first 21 --peer rob-twophase=nowhere", "nowhere is no checkout of rob-twophase"),
    ],
)
def test_wrong_arguments_of_lengths_are_named(
    words: str, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.setattr(sys, "argv", ["lengths", *words.split()])
    with pytest.raises(SystemExit) as end:
        runpy.run_path(str(BENCHMARKS / "lengths.py"), run_name="__main__")
    assert end.value.code
    assert told in f"{capsys.readouterr().err} {end.value.code}"


@pytest.mark.parametrize("name", sorted(STARTED))
def test_a_benchmark_starts(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(name, ["--help"], monkeypatch)
    assert "usage" in capsys.readouterr().out


def test_every_benchmark_is_run() -> None:
    found = {path.stem for path in BENCHMARKS.glob("*.py")}
    assert found == STARTED | ELSEWHERE | set(TINY)
