"""Objects that commands print with --json, against their schemas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result
from json_records import printed, schema_of

import puzzlekit
from puzzlekit.cli import main

TWISTED2 = "LUUURRRRFFFFDDDDBLLLBUBB"  # the corner ULB turned in place
COMMANDS = {
    "check": ["check", "-p", "cube2", "R U"],
    "verify": ["verify", "-p", "cube2", "--scramble", "R U", "U' R'"],
    "puzzles": ["puzzles"],
    "plugins": ["plugins"],
    "doctor": ["doctor"],
    "tables": ["tables", "list"],
    "scramble": ["scramble", "-p", "cube2"],
}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def record_of(name: str, *arguments: str, code: int = 0) -> dict[str, Any]:
    """The only object that a command prints, which its schema allows."""
    record = printed(schema_of(name), *(arguments or COMMANDS[name]), code=code)
    assert record["schema"] == f"puzzlekit.{name}/1"
    return record


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_objects_have_a_schema_and_are_documented(name: str) -> None:
    record_of(name)
    text = (Path(__file__).parents[1] / "docs" / "cli.md").read_text(encoding="utf-8")
    assert f"`{name}.schema.json`" in text


def test_check() -> None:
    record = record_of("check")
    assert record["faults"] == record["repairs"] == []
    assert record["solved"] is False
    assert record["state"] == puzzlekit.load("cube2").positions.to_facelets(
        puzzlekit.load("cube2").state("R U")
    )
    record = record_of("check", "check", "-p", "cube2", "--state", TWISTED2, code=3)
    assert len(record["faults"]) == 1
    assert "state" not in record
    shop = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0"
    record = record_of("check", "check", "-p", "fifteen", shop)
    other = {
        "puzzle": "fifteen-blank-first",
        "goal": " ".join(map(str, range(16))),
        "possible": False,
    }
    assert (record["solved"], record["other"]) == (True, other)
    assert run("check", "-p", "cube2", "R Q", "--json").stdout == ""


def test_verify() -> None:
    record = record_of("verify")
    assert (record["moves"], record["lengths"]["HTM"], record["solved"]) == (["U'", "R'"], 2, True)
    other = record_of("verify", "verify", "-p", "cube2", "--scramble", "R U", "R'", code=1)
    assert other["solved"] is False


def test_puzzles() -> None:
    record = record_of("puzzles")
    found = {each["name"]: each for each in record["puzzles"]}
    assert found.keys() == set(puzzlekit.available())
    assert [each["name"] for each in found["cube3"]["methods"]] == ["two-phase", "optimal"]
    assert found["fifteen"]["solved"].endswith("15 0")
    assert "tiles-MxN-blank-first" in [each["name"] for each in record["families"]]


@pytest.mark.slow
def test_plugins_and_doctor() -> None:
    listed = record_of("plugins")["plugins"]
    record = record_of("doctor")
    assert record["plugins"] == listed and record["works"] is True
    (cube,) = [each for each in listed if each["plugin"] == "cube3"]
    assert cube["puzzles"] == ["cube3", "supercube3"] and cube["problem"] is None
    assert record["facts"]["puzzlekit"] == puzzlekit.__version__
    schemas = (schema_of("plugins"), schema_of("doctor"))
    assert schemas[0]["properties"]["plugins"] == schemas[1]["properties"]["plugins"]


def test_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUZZLEKIT_CACHE", str(tmp_path))
    eight = puzzlekit.load("eight")
    puzzlekit.Solver(eight.puzzle, eight.methods, puzzlekit.TableStore()).prepared("manhattan")
    (tmp_path / "v1" / "eight" / "old-0123456789abcdef0123456789abcdef.npy").write_bytes(
        b"what is no table"
    )
    record = record_of("tables")
    assert record["directory"] == str(tmp_path)
    problems = [each["problem"] for each in record["tables"]]
    assert len(problems) > 2 and sum(each is not None for each in problems) == 1
    profiles = {(each["method"], each["profile"]): each for each in record["profiles"]}
    assert profiles["optimal", "2gb"]["nbytes"] > 10**9
    assert not profiles["optimal", "2gb"]["on_disk"]
    assert record_of("tables", "tables", "list", "cube2")["tables"] == []


def test_doctor_describes_plugins_as_plugins_does() -> None:
    assert (
        schema_of("doctor")["properties"]["plugins"]
        == schema_of("plugins")["properties"]["plugins"]
    )


def solved(*arguments: str) -> dict[str, Any]:
    """The object that `solve` prints, which its schema allows."""
    found = run(*arguments, "--json")
    assert found.exit_code == 0, found.output
    record: dict[str, Any] = json.loads(found.stdout)
    jsonschema.Draft202012Validator(schema_of("solve")).validate(record)
    return record


def test_a_solution_as_a_dict_is_what_json_prints() -> None:
    printed = solved("solve", "-p", "cube2", "R U F2")
    mine = json.loads(json.dumps(puzzlekit.load("cube2").solve("R U F2").to_dict()))
    for each in (printed, mine):  # times differ
        for key in ("seconds", "cpu_seconds", "improvements"):
            each.pop(key, None)
        for phase in each["phases"]:
            phase.pop("seconds", None)
    assert printed == mine


@pytest.mark.parametrize(
    "asked",
    [
        ("-p", "cube2"),
        ("-p", "cube2", "--all", "-o", "count"),
        ("-p", "tiles-2x3"),
    ],
)
def test_a_random_state_comes_with_a_scramble(asked: tuple[str, ...]) -> None:
    record = solved("solve", *asked, "--random", "--seed", "3")
    solver = puzzlekit.load(asked[1])
    assert solver.puzzle.apply(
        solver.puzzle.solved, solver.puzzle.moves(record["scramble"])
    ) == solver.random_state(3)
    assert "position" not in record
    printed = run("solve", *asked, "--random", "--seed", "3").output
    assert f"scramble {record['scramble']}" in printed.replace("  ", " ")
    assert "scramble" not in solved("solve", "-p", "cube2", "R U")
