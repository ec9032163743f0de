"""The command line with machines: named ones, and those of files."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result
from machine_walks import robot_cost

import puzzlekit
from puzzlekit.cli import main

ROBOT = """
arms = [["R", "L"], ["F", "B"]]
turns = ["'", "2"]
again = false
without = ["L2", "R2 + L2", "B2", "F2 + B2"]
[cost]
half = 2
grip = 1
"""


def run(*arguments: str, text: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=text)


def validator(name: str, package: str = "puzzlekit") -> jsonschema.Draft202012Validator:
    schema = json.loads((files(f"{package}.schema") / f"{name}.schema.json").read_text())
    return jsonschema.Draft202012Validator(schema)


@pytest.fixture
def robot_file(tmp_path: Path) -> str:
    path = tmp_path / "own.toml"
    path.write_text(ROBOT, encoding="utf-8")
    return str(path)


@pytest.mark.slow
def test_steps_for_people() -> None:
    lines = run("solve", "-p", "cube2", "R U F2", "--metric", "robot").output.splitlines()
    steps = next(line for line in lines if line.startswith("steps     "))
    pieces = steps.removeprefix("steps     ").split(", ")
    total = 0
    done = []
    for piece in pieces:
        names, cost = piece.rstrip(")").split(" (")
        assert robot_cost([names.split(" + ")]) == int(cost)
        done.append(names.split(" + "))
        total += int(cost)
    assert robot_cost(done) == total == 6
    solution = next(line for line in lines if line.startswith("solution  "))
    assert solution.split()[1:] == [name for step in done for name in step]
    assert any(line.startswith("length    6 robot, ") for line in lines)
    assert any(line.endswith("(optimal in robot)") for line in lines)
    assert "steps" not in run("solve", "-p", "cube2", "R U F2").output
    assert "steps" not in run("solve", "-p", "cube2", "", "--metric", "robot").output


@pytest.mark.slow
def test_many_steps_are_told_in_short_lines() -> None:
    found = run("solve", "-p", "cube2", "--random", "--seed", "4", "--metric", "ROBOT")
    lines = found.output.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("steps"))
    last = next(i for i, line in enumerate(lines) if line.startswith("length"))
    assert last - first > 1
    assert max(map(len, lines[first:last])) <= 100
    assert all(line.startswith(" " * 10) for line in lines[first + 1 : last])
    listed = " ".join(line[10:] for line in lines[first:last]).split(", ")
    record = json.loads(
        run("solve", "-p", "cube2", "--random", "--seed", "4", "--metric", "robot", "--json").output
    )
    assert listed == [f"{' + '.join(each['moves'])} ({each['cost']})" for each in record["steps"]]


@pytest.mark.slow
@pytest.mark.parametrize("scramble", ["R U F2", "R", "", "x"])
def test_json(scramble: str) -> None:
    record = json.loads(run("solve", "-p", "cube2", scramble, "--metric", "robot", "--json").stdout)
    validator("solve").validate(record)
    assert [name for step in record["steps"] for name in step["moves"]] == record["moves"]
    assert sum(step["cost"] for step in record["steps"]) == record["length"]
    assert record["lengths"].keys() == {"robot", "HTM", "QTM"}
    assert (record["metric"], record["optimal"]) == ("robot", True)
    assert robot_cost([step["moves"] for step in record["steps"]]) == record["length"]
    for wrong in ([{"moves": []}], [{"moves": ["R"], "cost": "1"}], {"R": 1}, None):
        assert not validator("solve").is_valid({**record, "steps": wrong})
    usual = json.loads(run("solve", "-p", "cube2", scramble, "--json").stdout)
    validator("solve").validate(usual)
    assert usual["steps"] == []


@pytest.mark.slow
def test_lines(robot_file: str) -> None:
    text = "R U F2\n\nR' L'  // a step\nQ\nx\n"
    named, own = (
        run("batch", "-p", "cube2", "--input", "-", "--json", "--metric", metric, text=text)
        for metric in ("robot", robot_file)
    )
    assert named.exit_code == own.exit_code == 2
    records = [json.loads(line) for line in named.stdout.splitlines()]
    assert [record["line"] for record in records] == [1, 3, 4, 5]
    assert [record.get("length") for record in records] == [6, 2, None, 0]
    for record, other in zip(records, map(json.loads, own.stdout.splitlines()), strict=True):
        validator("solve").validate(record)
        assert record.get("steps") == other.get("steps")
        assert other.get("metric") in ("own", None)
    shown = run("batch", "-p", "cube2", "--input", "-", "--metric", "robot", text="R U F2\n").output
    assert shown.endswith("  // line 1: 6 robot, optimal\n")


@pytest.mark.slow
@pytest.mark.parametrize(("scramble", "most"), [("R U F2", 10), ("R", 12), ("", 8), ("R F", 10)])
def test_all_solutions_are_listed_once_the_cheapest_first(scramble: str, most: int) -> None:
    found = run(
        "solve", "-p", "cube2", scramble, "--metric", "robot", "--all", "--json",
        "--max-length", str(most), "-o", "limit=1000",
    )  # fmt: skip
    assert found.exit_code == 0
    records = [json.loads(line) for line in found.stdout.splitlines()]
    assert len({record["solution"] for record in records}) == len(records) > 0
    lengths = [record["length"] for record in records]
    assert lengths == sorted(lengths)
    assert lengths[-1] <= most
    cube = puzzlekit.load("cube2")
    best = cube.solve(scramble, metric="robot").cost
    assert lengths[0] == best
    for record in records:
        assert robot_cost([step["moves"] for step in record["steps"]]) == record["length"]
        assert record["optimal"] == (record["length"] == best)
        assert cube.puzzle.is_solved(cube.state(f"{scramble} {record['solution']}"))


@pytest.mark.slow
def test_all_solutions_need_one_phase_and_a_limit_that_can_be_kept() -> None:
    found = run("solve", "-p", "cube2", "R U F2", "--metric", "robot", "--all", "--max-length", "5")
    assert (found.exit_code, found.stdout) == (1, "")
    assert "no solution of at most 5 robot" in found.stderr


@pytest.mark.slow
def test_distribution() -> None:
    record = json.loads(run("distribution", "-p", "cube2", "--metric", "robot", "--json").stdout)
    validator("distribution", "puzzlekit_lab").validate(record)
    assert (record["total"], record["held"]) == (3_674_160, 88_179_840)
    assert (record["diameter"], record["metric"]) == (27, "robot")
    assert record["states"][:9] == [1, 0, 4, 2, 12, 18, 42, 90, 179]
    cube = puzzlekit.load("cube2")
    state = cube.positions.from_facelets(record["facelets"])
    assert cube.solve(state, metric="robot").cost == 27
    made = cube.state(" ".join(record["farthest"]))
    assert cube.positions.to_facelets(made) == record["facelets"]


def test_verify_counts_moves_only() -> None:
    found = run("verify", "-p", "cube2", "--scramble", "R U F2", "F2 U' R'")
    assert found.exit_code == 0
    assert found.output.splitlines()[-1] == "solved after 3 HTM, 4 QTM"
    found = run("verify", "-p", "cube3", "--scramble", "R U F2", "F2 U' R'")
    assert found.output.splitlines()[-1] == "solved after 3 HTM, 4 QTM, 3 STM"


@pytest.mark.slow
def test_tables(robot_file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "small.toml"
    own.write_text('arms = [["R", "L"], ["F"]]\nturns = ["2"]')
    with monkeypatch.context() as patch:
        patch.setenv("PUZZLEKIT_CACHE", str(tmp_path / "cache"))
        cube = puzzlekit.load("cube2")
        solver = puzzlekit.Solver(cube.puzzle, cube.methods, puzzlekit.TableStore())
        patch.setattr("puzzlekit.cli.options.load_puzzle", lambda *_: solver)
        assert "cube2 small-tables small: " in run(
            "tables", "build", "cube2", "--method", "small-tables", "--metric", str(own)
        ).output  # fmt: skip
        listed = run("tables", "list", "--all").output
        assert "least cost (steps) to the goal" in listed  # whatever the machine is called
        assert "none damaged" in run("tables", "verify").output
        assert "removed 0 tables" in run("tables", "clear", "cube3").output
    run("tables", "build", "cube2", "--metric", "robot")
    again = run("tables", "build", "cube2", "--metric", "robot")
    assert again.output == "cube2 optimal robot: all tables are already on disk\n"
    assert "permutation x orientation distance robot" in run("tables", "list", "cube2").output


def test_find_counts_moves(robot_file: str) -> None:
    for metric, name in (("robot", "robot"), ("axht", "AXHT"), (robot_file, "own")):
        found = run("find", "-p", "cube2", "--to", "R", "--max-length", "1", "--metric", metric)
        assert found.exit_code == 2
        assert found.stderr == (
            f"error: sequences cannot be found in {name}, because the cost of a move depends on "
            "the moves before: use HTM, QTM\n"
        )
    found = run("find", "-p", "cube2", "--to", "R", "--max-length", "1", "--json")
    assert json.loads(found.stdout.splitlines()[0])["lengths"] == {"HTM": 1, "QTM": 1}


# --- what is wrong ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"arms = 3", '"arms" must be a list of lists'),
        (b"", '"arms" is missing'),
        (b'arms = [["R"]]\nspeed = 1', "unknown key 'speed'; the keys are name, title, arms"),
        (b'arms = [["R"]]\n[cost]\ngrip = "1"', "[cost] grip is '1', not a whole number"),
        (b'arms = [["R"]]\nturns = [2]', '"turns" has to be a list of strings, not [2]'),
        (b'arms = [["R"]]\nagain = 1', '"again" is true or false, not 1'),
        (b"\xff\xfe", "this file is not UTF-8 text"),
        (b"arms = [", "Invalid value (at end of document)"),
        (b"#" * 100_001, "this file is too large for the description of a metric"),
    ],
)
@pytest.mark.parametrize("command", ["solve", "distribution"])
def test_a_file_that_is_wrong(tmp_path: Path, content: bytes, said: str, command: str) -> None:
    path = tmp_path / "bad.TOML"
    path.write_bytes(content)
    arguments = ["R"] if command == "solve" else []
    found = run(command, "-p", "cube2", *arguments, "--metric", str(path))
    assert (found.exit_code, found.stdout) == (2, "")
    assert found.stderr.startswith(f"error: {path}: ")
    assert said in found.stderr
    assert found.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('arms = [["R", "X"]]', "the arm 'X' is not a move of cube"),
        ('arms = [["R", "U"]]', "R and U cannot turn at once"),
        ('arms = [["R"]]\nwhole = ["q"]', "has no rotation 'q'; it has x y z"),
        ('arms = [["R"]]\nturns = ["4"]', "the arm R cannot turn at all"),
        ('arms = [["R"]]\nwithout = ["R3"]', "'R3' in 'without' is not a step"),
        ('name = "AXHT"\narms = [["R"]]', "already has a metric AXHT"),
    ],
)
@pytest.mark.parametrize("puzzle", ["cube2", "cube3"])
def test_a_machine_that_does_not_fit(tmp_path: Path, text: str, said: str, puzzle: str) -> None:
    path = tmp_path / "misfit.toml"
    path.write_text(text)
    for command in (("solve", "R"), ("tables", "build")):
        arguments = (puzzle,) if command[0] == "tables" else ("-p", puzzle)
        found = run(*command, *arguments, "--metric", str(path))
        assert (found.exit_code, found.stdout) == (2, "")
        assert said in found.stderr
        assert found.stderr.count("\n") == 1


def test_a_method_that_takes_no_machines(robot_file: str) -> None:
    found = run("solve", "-p", "cube3", "R", "--method", "optimal", "--metric", robot_file)
    assert (found.exit_code, found.stdout) == (2, "")
    assert found.stderr.endswith("optimal of cube3 does not support the machine own\n")


def test_files_that_are_not_there(tmp_path: Path) -> None:
    for path, said in (
        (tmp_path / "none.toml", "No such file or directory"),
        (tmp_path / "folder.toml", "Is a directory"),
    ):
        if said.startswith("Is"):
            path.mkdir()
        found = run("solve", "-p", "cube2", "R", "--metric", str(path))
        assert (found.exit_code, found.stderr) == (2, f"error: {path}: {said}\n")


def test_what_a_machine_cannot_do(tmp_path: Path) -> None:
    path = tmp_path / "half.toml"
    path.write_text('arms = [["R", "L"], ["F", "B"]]\nturns = ["2"]')
    found = run("solve", "-p", "cube2", "R", "--metric", str(path), "--json")
    assert found.exit_code == 1
    record = json.loads(found.stdout)
    validator("solve").validate(record)
    assert record["kind"] == "unsolved"
    assert record["error"].startswith("the machine half cannot solve this: its moves reach ")
    solved = run("solve", "-p", "cube2", "R2 F2 R2", "--metric", str(path))
    assert "(optimal in half)" in solved.output


@pytest.mark.slow
def test_the_way_to_another_state_may_be_possible_where_solving_is_not(tmp_path: Path) -> None:
    (tmp_path / "arms.toml").write_text('arms = [["R", "L"], ["F", "B"]]')
    line = ["solve", "-p", "cube3", "R U F2", "--metric", str(tmp_path / "arms.toml")]
    refused = run(*line)
    assert refused.exit_code == 1 and "cannot solve this" in refused.stderr
    found = run(*line, "--goal", "state:R U F2 R")
    assert found.exit_code == 0 and "steps     R (1)" in found.stdout


@pytest.mark.parametrize(
    ("costs", "length"),
    [("grip = 1", 6), ("quarter = 2", 6), ("quarter = 3", 9), ("change = 1", 5)],
)
def test_steps_of_one_cost_on_a_puzzle_of_a_file(tmp_path: Path, costs: str, length: int) -> None:
    """The table has 2 bits an entry; the cost of all steps is its unit."""
    (tmp_path / "arms.toml").write_text(f'arms = [["A"], ["B"]]\n[cost]\n{costs}\n')
    text = "Set S 3 1\nSolved\nEnd\nMove A\nS\n2 1 3\nEnd\nMove B\nS\n1 3 2\nEnd\n"
    (tmp_path / "three.tws").write_text(text)
    line = ["-p", str(tmp_path / "three.tws"), "--metric", str(tmp_path / "arms.toml")]
    found = run("solve", *line, "A B A", "--json")
    assert found.exit_code == 0, found.stderr
    record = json.loads(found.stdout)
    assert (record["length"], record["optimal"]) == (length, True)
