"""Each documented exit code, and how the command behaves in a shell: real processes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from processes import COMMAND, HARD, POSIX, interrupted, run, wait_for_work

import puzzlekit
from puzzlekit import errors
from puzzlekit.cli import main
from puzzlekit.cli.output import exit_code


@pytest.fixture(autouse=True, scope="module")
def tables() -> None:
    """What the commands take: building is told on stderr where it takes long."""
    puzzlekit.load("cube2").prepared()
    puzzlekit.load("cube3").prepared()


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        (0, ["solve", "-p", "cube2", "R U"]),
        (0, ["solve", "-p", "cube2", ""]),
        (1, ["solve", "-p", "cube2", "R U F R U F", "--max-length", "2"]),
        (1, ["verify", "-p", "cube2", "--scramble", "R", "R"]),
        (2, ["solve", "-p", "cube2", "R Q"]),
        (2, ["solve", "-p", "cube2"]),
        (2, ["solve", "R"]),
        (2, ["solve", "-p", "cube9", "R"]),
        (2, ["solve", "-p", "cube2", "R", "--random"]),
        (2, ["solve", "-p", "cube2", "R", "--seed", "1"]),
        (2, ["solve", "-p", "cube2", "R", "--json", "--explain"]),
        (2, ["solve", "-p", "cube2", "R", "--method", "nothing"]),
        (2, ["solve", "-p", "cube2", "R", "--metric", "nothing"]),
        (2, ["solve", "-p", "cube2", "R", "-o", "heuristic=nothing"]),
        (2, ["solve", "-p", "cube2", "R", "--nothing"]),
        (2, ["solve", "-p", "cube2", "--state", "U" * 24, "-o", "scheme=nothing"]),
        (2, ["check", "-p", "cube2", "-o", "scheme=western", "R U"]),
        (2, ["solve", "-p", "cube2", "--random", "-o", "scheme=western"]),
        (2, ["solve", "-p", "cube2", "R0"]),
        (2, ["tables", "clear", "nothing"]),
        (2, ["tables", "build", "--method", "optimal"]),
        (2, ["nothing"]),
        (2, []),
        (3, ["solve", "-p", "cube2", "--state", "U"]),
        (3, ["solve", "-p", "cube3", "--state", "cp=0"]),
        (3, ["check", "-p", "cube2", "U" * 24]),
        (3, ["check", "-p", "cube2", "--state", ""]),
    ],
)
def test_exit_code(code: int, arguments: list[str]) -> None:
    found = CliRunner().invoke(main, arguments)
    assert found.exit_code == code
    assert "Traceback" not in found.stderr
    if code == 0:
        assert found.stderr == ""
    elif code > 1 and arguments:
        assert found.stderr.startswith("error: ") or "\nerror: " in found.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "arguments", "said"),
    [
        (1, ["solve", "-p", "cube2", "R U F R U F", "--max-length", "2"], "error: "),
        (3, ["check", "-p", "cube2", "U" * 24], "error: "),
    ],
)
def test_exit_code_of_a_process(code: int, arguments: list[str], said: str) -> None:
    found = run(*arguments)
    assert found.returncode == code
    assert said in found.stderr + found.stdout and "Traceback" not in found.stderr


def test_every_public_error_is_in_one_tree_and_has_an_exit_code() -> None:
    kinds = {name: getattr(errors, name) for name in errors.__all__}
    assert {name for name in puzzlekit.__all__ if name.endswith("Error")} < {*kinds}
    assert all(issubclass(kind, puzzlekit.PuzzlekitError) for kind in kinds.values())
    assert {name: exit_code(kind("")) for name, kind in kinds.items()} == {
        "PuzzlekitError": 4,
        "NoSolutionError": 1,
        "UsageError": 2,
        "NotationError": 2,
        "StateError": 3,
        "DeclarationError": 4,
        "DefinitionError": 2,
        "PluginError": 4,
        "TableError": 4,
    }


@pytest.mark.parametrize("option", ["--timeout", "--option max-nodes", "--max-length", "--threads"])
@pytest.mark.parametrize("value", ["-1", "nan", "inf", "", "x", "1e400", "9" * 5000])
def test_values_out_of_range(option: str, value: str) -> None:
    from click.testing import CliRunner

    from puzzlekit.cli import main

    asked = f"{option}={value}".split(" ", 1)
    found = CliRunner().invoke(main, ["solve", "-p", "cube2", "R", *asked])
    assert found.exit_code == 2
    assert re.search(f"invalid value for ('-t' / )?'{option}'", found.stderr)
    assert len(found.stderr) < 300
    found = CliRunner().invoke(main, ["solve", "-p", "cube2", "R", "-o", "max-nodes=0"])
    assert "must be a whole number from 1 to 1,000,000,000,000,000, not 0" in found.stderr


@pytest.mark.slow
def test_broken_plugin_is_4_and_no_harm_to_others(tmp_path: Path) -> None:
    info = tmp_path / "broken-1.0.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_text("[puzzlekit]\nbrokenpuzzle = broken_plugin\n")
    (tmp_path / "broken_plugin.py").write_text("raise RuntimeError('out of order')\n")
    path = {"PYTHONPATH": str(tmp_path)}
    found = run("solve", "-p", "brokenpuzzle", "R", **path)
    assert found.returncode == 4
    assert found.stderr.startswith("error: ")
    assert "out of order" in found.stderr
    assert run("solve", "-p", "cube2", "R", **path).returncode == 0
    listed = run("plugins", **path)
    assert listed.returncode == 0
    assert "broken: importing broken_plugin failed" in listed.stdout
    assert run("doctor", **path).returncode == 4


@pytest.mark.slow
def test_cache_that_cannot_be_written(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("no directory")
    found = run("solve", "-p", "cube2", "R U", PUZZLEKIT_CACHE=str(place / "below"))
    assert found.returncode == 0
    assert "solution  U' R'" in found.stdout
    assert "\nwarning: cannot store" in "\n" + found.stderr  # after what is told of a slow build
    assert found.stderr.count("warning: ") == 1
    assert run("doctor", PUZZLEKIT_CACHE=str(place / "below")).returncode == 4
    found = run("tables", "build", "cube2", PUZZLEKIT_CACHE=str(place / "below"))
    assert found.returncode == 4
    assert "error: cube2 optimal HTM: 3 tables could not be kept" in found.stderr
    assert found.stdout == ""
    process = subprocess.Popen(
        [*COMMAND, "tables", "build", "cube3"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PUZZLEKIT_CACHE": str(place / "below")},
    )
    with process:
        assert process.stderr
        told = next(line for line in process.stderr if line.startswith("building"))
        process.kill()  # what it builds is of no use
    assert re.search(r"cube3 \(13 tables, \d+ MB, about .+ left\) in memory\n", told)


@pytest.mark.slow
@POSIX
def test_interrupt_with_json() -> None:
    code, output, errors = interrupted("solve", "-p", "cube3", "--json", "--timeout", "60", HARD)
    assert code == 130
    (record,) = map(json.loads, output.splitlines())
    assert record["verified"] and 0 < record["seconds"] < 60
    assert record.get("line") is None
    assert errors.splitlines()[-1].startswith("interrupted")  # after lines on a long search


@pytest.mark.slow
@POSIX
def test_closed_streams() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    command = " ".join(COMMAND)
    for line, code, said in (
        (f"{command} solve -p cube2 R --json >&-", 4, "standard output is closed"),
        (f"{command} solve -p cube2 Q 2>/dev/full", 2, ""),
        (f"{command} check -p cube2 {'U' * 24} 2>/dev/full", 3, ""),
        (f"{command} solve -p cube2 R 2>&-", 0, ""),
    ):
        found = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60)
        assert found.returncode == code
        assert said in found.stderr
        assert "internal" not in found.stderr


@pytest.mark.slow
@POSIX
def test_interrupt_gives_the_best_answer_so_far() -> None:
    arguments = ["solve", "-p", "cube3", "--random", "--seed", "1", "--timeout", "60"]
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    wait_for_work(process)
    started = time.monotonic()
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=10)
    assert time.monotonic() - started < 5
    assert process.returncode == 130
    assert "solution" in output
    seconds = next(line.split()[1] for line in output.splitlines() if line.startswith("time"))
    assert float(seconds) > 0.3
    assert errors.splitlines()[-1] == "interrupted: this is the best answer so far"


@pytest.mark.slow
@POSIX
def test_closed_pipe_is_no_error() -> None:
    command = " ".join(COMMAND)
    for line in (
        f"{command} scramble -p cube2 --count 100000 | head -1",
        f"{command} --help | true",
    ):
        script = f"{line}; echo ${{PIPESTATUS[*]}}"
        found = subprocess.run(
            ["bash", "-c", script], capture_output=True, text=True, timeout=60, check=False
        )
        assert found.stderr == ""
        assert found.stdout.splitlines()[-1].split()[-2:] == ["0", "0"]


@POSIX
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_full_device(unbuffered: str) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    with open("/dev/full", "w") as full:
        found = subprocess.run(
            [*COMMAND, "solve", "-p", "cube2", "R"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        )
    assert found.returncode == 4
    assert found.stderr == "error: No space left on device\n"


@pytest.mark.slow
def test_no_colour_where_nobody_looks() -> None:
    assert "\x1b" not in run("show", "-p", "cube2", "R").stdout
    assert "\x1b" in run("show", "-p", "cube2", "R", FORCE_COLOR="1", NO_COLOR="").stdout


@pytest.mark.slow
def test_output_in_a_small_character_set() -> None:
    found = run("tables", "list", PUZZLEKIT_CACHE="/tmp/\u4e2d", PYTHONIOENCODING="latin-1")
    assert found.returncode == 0
    assert "\\u4e2d" in found.stdout


def test_nothing_is_imported_that_a_solve_does_not_need() -> None:
    script = (
        "import sys; from puzzlekit.cli import main\n"
        "try: main(['solve', '--puzzle', 'cube3', 'R U F2', '--max-length', '22'])\n"
        "except SystemExit: pass\n"
        "slow = {'numpy', 'rich', 'json', 'filelock', 'importlib.metadata', 'hashlib', 'shutil',"
        " 'random', 'puzzlekit_cube2'}\n"
        "print(sorted(slow & set(sys.modules)))"
    )
    found = subprocess.run(
        [sys.executable, "-P", "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert found.stdout.splitlines()[-1] == "[]"
