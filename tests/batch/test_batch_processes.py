"""How `puzzlekit batch` behaves in a shell: real processes."""

from __future__ import annotations

import json
import subprocess

import pytest
from processes import COMMAND, HARD, POSIX, interrupted, run

import puzzlekit


@pytest.mark.slow
def test_wrong_arguments() -> None:
    found = run("batch", "-p", "cube2", "--input", "/no/such/file")
    assert found.returncode == 2 and "Traceback" not in found.stderr
    assert found.stderr.startswith("error: ") or "\nerror: " in found.stderr


@pytest.mark.slow
@POSIX
def test_interrupt_with_json() -> None:
    puzzlekit.load("cube3").prepared()
    asked = ("batch", "-p", "cube3", "--json", "--timeout", "60", "--input", "-")
    code, output, errors = interrupted(*asked, text=HARD + "\n")
    assert code == 130
    (record,) = map(json.loads, output.splitlines())
    assert record["verified"] and 0 < record["seconds"] < 60 and record["line"] == 1
    assert errors.splitlines()[-1].startswith("interrupted")


@pytest.mark.slow
@POSIX
def test_closed_streams() -> None:
    command = f"{' '.join(COMMAND)} batch -p cube2 --input -"
    found = subprocess.run(["bash", "-c", f"{command} <&-"], capture_output=True, text=True)
    assert found.returncode == 2 and "standard input is closed" in found.stderr
    script = f"yes R U F | {command} --json | head -1; echo ${{PIPESTATUS[*]}}"
    found = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60)
    assert found.stderr == "" and found.stdout.splitlines()[-1].split()[-2:] == ["0", "0"]


@pytest.mark.slow
def test_answers_come_as_lines_are_read() -> None:
    process = subprocess.Popen(
        [*COMMAND, "batch", "-p", "cube2", "--input", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin and process.stdout
    for scramble, answer in (("R", "R'"), ("U", "U'")):
        process.stdin.write(f"{scramble}\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith(answer)
    process.stdin.close()
    assert process.wait(10) == 0
    process.stdout.close()
