"""The commands of the plugin, and what the commands of the core say about their options."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.resources import files
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

import puzzlekit_batch
from puzzlekit.cli import main
from puzzlekit_batch import command


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        ("solve -p cube2 --input -", "batch"),
        ("solve -p cube2 --input=-", "batch"),
        ("solve cube2 R --jobs 2", "batch"),
        ("solve -p cube2 R --cluster tcp://x:1 --ship-tables", "batch"),
        ("solve -p cube2 --output a.jsonl", "batch"),
        ("solve cube2 R -j 2", "batch"),
        ("scramble -p cube2 --jobs 2", "batch-scramble"),
        ("scramble -p cube2 --cluster tcp://x:1", "batch-scramble"),
        ("doctor --cluster tcp://x:1", "workers"),
    ],
)
def test_the_core_names_the_command_for_an_option(arguments: str, command: str) -> None:
    found = CliRunner().invoke(main, arguments.split())
    assert found.exit_code == 2
    assert f" (did you mean 'puzzlekit {command}'?)\n" in found.stderr


@pytest.mark.slow
def test_without_the_plugin() -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-P", "-m", "puzzlekit", *arguments],
            env={**os.environ, "PUZZLEKIT_WITHOUT": "batch"},
            capture_output=True,
            text=True,
        )

    solved = run("solve", "-p", "cube2", "R U F")
    assert solved.returncode == 0 and "solution  F' U' R'" in solved.stdout
    listed = run("--help")
    assert listed.returncode == 0 and "batch" not in listed.stdout
    for arguments in (["solve", "-p", "cube2", "R", "--jobs", "2"], ["batch", "-p", "cube2"]):
        refused = run(*arguments)
        assert refused.returncode == 2
        assert "PUZZLEKIT_WITHOUT leaves out the plugins batch" in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "alone"),
    [
        (["-p", "cube2"], "scramble"),
        (["-p", "cube3", "--goal", "f2l"], "practice"),
        (["--event", "333"], "event-scramble"),
    ],
)
def test_scrambles_need_processes(arguments: list[str], alone: str) -> None:
    found = CliRunner().invoke(main, ["batch-scramble", *arguments])
    assert found.exit_code == 2 and f"'puzzlekit {alone}' makes scrambles" in found.stderr


@pytest.mark.parametrize("problem", [None, "other puzzlekit than in this process"])
def test_workers(problem: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    facts: dict[str, Any] = {
        "host": "one",
        "puzzlekit": "0.1.0",
        "python": "3.11.2",
        "compiled": True,
        "plugins": {},
        "broken": [],
        "cache": "/tables",
        "writable": True,
        "tables": 3,
        "bytes": 5_000_000,
        "nodes_per_second": 12_300_000,
    }
    found = facts, {"tcp://one:1": facts | {"problem": problem}}
    monkeypatch.setattr(command, "_workers", lambda _: found)
    asked = ["workers", "tcp://one:8786"]
    shown = CliRunner().invoke(main, asked)
    assert shown.exit_code == (4 if problem else 0)
    assert "12.3M  3 (5.0 MB)  /tables\n1 worker\n" in shown.stdout
    assert (f"tcp://one:1: {problem}" in shown.stdout) is (problem is not None)
    record = json.loads(CliRunner().invoke(main, [*asked, "--json"]).stdout)
    schema = json.loads((files(puzzlekit_batch) / "workers.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(record)
    assert record["works"] is (problem is None)
