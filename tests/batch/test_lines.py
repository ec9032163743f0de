"""Lines of a file or of stdin, which `puzzlekit batch` solves one by one."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from timers import CSTIMER, CSV

from puzzlekit.cli import main

SOLVED2 = "UUUURRRRFFFFDDDDLLLLBBBB"
TWISTED2 = "LUUURRRRFFFFDDDDBLLLBUBB"  # the corner ULB turned in place


def run(*arguments: str, text: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=text)


@pytest.fixture(scope="session")
def validator() -> jsonschema.Draft202012Validator:
    schema = json.loads((files("puzzlekit.schema") / "solve.schema.json").read_text())
    return jsonschema.Draft202012Validator(schema)


LINES = f"""R U  // a scramble

# a comment
// another
{SOLVED2}
state: {SOLVED2}  # with a comment
moves: {"RU" * 12}
wrgy
{TWISTED2}
x
"""


def test_lines(tmp_path: Path, validator: jsonschema.Draft202012Validator) -> None:
    path = tmp_path / "positions.txt"
    path.write_text(LINES)
    found = run("batch", "-p", "cube2", "--input", str(path), "--json")
    assert found.exit_code == 3
    records = [json.loads(line) for line in found.stdout.splitlines()]
    for record in records:
        validator.validate(record)
    assert [record["line"] for record in records] == [1, 5, 6, 7, 8, 9, 10]
    assert [record.get("kind", record.get("length")) for record in records] == [
        2, 0, 0, records[3]["length"], "notation", "state", 0,
    ]  # fmt: skip
    assert records[5]["faults"] == ["corner ULB is twisted counter-clockwise"]
    assert records[4]["text"] == "wrgy"
    assert "error: line 9: corner ULB is twisted" in found.stderr
    assert run("batch", "-p", "cube2", "--input", "-", text=LINES).exit_code == 3


def test_lines_for_people() -> None:
    found = run("batch", "-p", "cube2", "--input", "-", text="R U F2\n\nx\n")
    assert found.output.splitlines() == [
        "F2 U' R'  // line 1: 3 HTM, optimal",
        "// line 3: 0 HTM, optimal",
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("R\nQ\nstate: UUU\n", 3),
        ("R\nQ\nR U F R U F\n", 2),
        ("R\nR U F R U F\n", 1),
        ("R\n", 0),
        ("", 0),
        (b"\xef\xbb\xbfR\r\nU\r\n", 0),
        (b"R\n\xff\xfeR\n", 2),
        (b"\xff\xfeR\x00\n\x00", 2),
    ],
)
def test_exit_code_of_lines(text: str | bytes, code: int) -> None:
    found = run("batch", "-p", "cube2", "--input", "-", "--max-length", "2", text=text)
    assert found.exit_code == code
    assert "Traceback" not in found.output


def test_line_that_is_not_utf8() -> None:
    found = run("batch", "-p", "cube2", "--input", "-", text=b"R\n\xffU\nF\n")
    assert len(found.stdout.splitlines()) == 2
    assert "line 2: byte 1 of the line is not UTF-8" in found.stderr


@pytest.mark.parametrize("end", [b"\nF\n", b""])
def test_line_that_is_too_long(end: bytes, tmp_path: Path) -> None:
    """Once it ended the whole batch."""
    text = b"R\n" + b"U " * 5_000_000 + end
    found = run("batch", "-p", "cube2", "--input", "-", "--json", text=text)
    assert found.exit_code == 2
    first, long, *rest = map(json.loads, found.stdout.splitlines())
    assert (first["solution"], [each["solution"] for each in rest]) == ("R'", ["F'"] * bool(end))
    assert (long["error"], long["kind"], long["line"]) == (
        "the line is longer than 4 MB",
        "notation",
        2,
    )
    assert len(long["text"]) < 200 and long["text"].endswith("...")
    assert "error: line 2: the line is longer than 4 MB" in found.stderr


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.binary(max_size=60))
def test_garbage_in_a_file(text: bytes) -> None:
    found = run("batch", "-p", "cube2", "--input", "-", "--json", text=text)
    assert found.exit_code in (0, 2, 3)
    for line in found.stdout.splitlines():
        assert json.loads(line)["schema"] == "puzzlekit.solve/1"


def test_stickers_with_blanks() -> None:
    faces = " ".join(face * 4 for face in "WRGYOB")
    found = run("batch", "-p", "cube2", "--input", "-", "--json", text=faces + "\nR U F2 R2 U'\n")
    assert [json.loads(line)["length"] for line in found.stdout.splitlines()] == [0, 5]


def test_a_printed_net_is_no_list_of_positions() -> None:
    net = run("show", "-p", "cube2", "R").stdout.partition("\n\n")[0]
    found = run("batch", "-p", "cube2", "--input", "-", text=net + "\nR U\n")
    assert found.exit_code == 2 and len(found.stdout.splitlines()) == 6
    assert "line 6: the last 6 lines are a printed net" in found.stderr


def test_boards_and_moves(validator: jsonschema.Draft202012Validator) -> None:
    lines = "1 2 3 4 5 6 0 7 8\nL2  # moves\n2 1 3 4 5 6 0 7 8\nD\n\n1 2,3,4,5,6,0,7,8 // a state\n"
    found = run("batch", "-p", "eight", "--input", "-", "--json", text=lines)
    assert found.exit_code == 3
    records = [json.loads(line) for line in found.stdout.splitlines()]
    for record in records:
        validator.validate(record)
    assert [record.get("kind", record.get("solution")) for record in records] == [
        "R R", "R R", "state", "notation", "R R",
    ]  # fmt: skip
    assert records[0]["state"] == records[1]["state"] == "1 2 3 4 5 6 0 7 8"
    assert "two tiles are exchanged" in records[2]["faults"][0]


def test_lines_with_other_symbols_than_the_goal() -> None:
    lines = "\n".join(["R U", "WWWWRRRRGGGGYYYYOOOOBBBB", "UUUURRRRFFFFDDDDLLLLBBBB"])
    goal = ["--goal", "stickers:" + "WWWW" + "." * 20]
    asked = ["batch", "-p", "cube2", "--input", "-", *goal]
    found = CliRunner().invoke(main, asked, input=lines)
    assert found.exit_code == 0 and len(found.stdout.splitlines()) == 3
    other = "RRRRWWWWGGGGOOOOYYYYBBBB"  # with red on top
    found = CliRunner().invoke(main, asked, input=other)
    assert found.exit_code == 3 and "for other faces than those of the goal" in found.output


def test_lines_of_a_timers_export_are_solved_one_by_one() -> None:
    for text in (CSTIMER, CSV):
        found = run("batch", "-p", "cube2", "--input", "-", text=text)
        assert found.exit_code == 0, found.output
        assert len(found.stdout.splitlines()) == 2
    empty = run("batch", "-p", "cube2", "--input", "-", text=CSTIMER.partition("1. ")[0])
    assert empty.exit_code == 2 and "without scrambles" in empty.stderr
