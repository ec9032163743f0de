"""Puzzles from definition files on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from bundled import COMPILED
from click.testing import CliRunner, Result

from puzzlekit.cli import main, progress
from puzzlekit_definitions import DefinedSolver

EXAMPLES = Path(__file__).parents[2] / "examples" / "definitions"
PYRAMINX = str(EXAMPLES / "pyraminx.tws")
FLIPPED = "EDGES\n1 2 3 4 5 6\n1 0 0 0 0 0"


def run(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=text)


def test_solve() -> None:
    found = run("solve", "--puzzle", PYRAMINX, "U R' B L", "--explain")
    assert found.exit_code == 0
    assert "all of them are reachable (proven by Schreier-Sims)" in found.stdout
    assert "pruning table" in found.stdout and "orbit EDGES" in found.stdout
    assert "solution  L' B' R U'" in found.stdout
    assert "4 moves, 4 turns (optimal in moves)" in found.stdout


def test_solve_lines_and_json() -> None:
    found = run(
        "batch",
        "--puzzle",
        PYRAMINX,
        "--input",
        "-",
        "--json",
        "--metric",
        "turns",
        text="U\nR2\n",
    )
    assert found.exit_code == 0
    answers = [json.loads(line) for line in found.stdout.splitlines()]
    assert [answer["solution"] for answer in answers] == ["U'", "R"]
    assert {answer["puzzle"] for answer in answers} == {"Pyraminx"}


@pytest.mark.parametrize("comment", ["", " # x", " // x"])
def test_a_comment_may_follow_a_state_of_a_definition(tmp_path: Path, comment: str) -> None:
    (tmp_path / "c.gap").write_text("M_A:=(1,2,3,4);\nM_B:=(1,2);\nGen:=[M_A,M_B];\n")
    (tmp_path / "lines").write_text(f"2,1,3,4{comment}\n")
    asked = ["batch", "-p", str(tmp_path / "c.gap"), "--input", str(tmp_path / "lines")]
    done = CliRunner().invoke(main, asked)
    assert (done.exit_code, done.stdout) == (0, "B  // line 1: 1 turns, optimal\n"), done.stderr


def test_a_line_that_cannot_be_read_does_not_end_a_batch(tmp_path: Path) -> None:
    path = tmp_path / "ring.json"
    path.write_text('{"generators": {"A": [1, 2, 0, 3], "B": [0, 2, 3, 1]}}')
    lines = "A\n1,2\nstate: 1,2\nstate: 1,2,0,3\nQ\nB\n"
    found = run("batch", "--puzzle", str(path), "--input", "-", "--json", text=lines)
    assert found.exit_code == 2
    records = [json.loads(line) for line in found.stdout.splitlines()]
    assert [each.get("solution", each.get("kind")) for each in records] == [
        "A'",
        "notation",
        "notation",
        "A'",
        "notation",
        "B'",
    ]
    assert "line 2: state: expected the colours of 4 stickers, found 2" in found.stderr


def test_a_state_that_cannot_be_read_gives_an_object() -> None:
    found = run("solve", "--puzzle", PYRAMINX, "--state", "EDGES\n1 2", "--json")
    record = json.loads(found.stdout)
    assert found.exit_code == 2 and record["kind"] == "notation"
    assert record["error"].startswith("state: line 2, column 1: expected the pieces of EDGES")


def test_states_go_round(tmp_path: Path) -> None:
    shown = run("show", "--puzzle", PYRAMINX, "U R' B L")
    assert shown.exit_code == 0
    state, _, rest = shown.stdout.partition("solved")
    assert rest.split() == ["no"]
    path = tmp_path / "state.txt"
    path.write_text(state)
    for given in (state, str(path)):
        found = run("solve", "--puzzle", PYRAMINX, "--state", given)
        assert "solution  L' B' R U'" in found.stdout
        found = run("verify", "--puzzle", PYRAMINX, "--state", given, "L' B' R U'")
        assert found.exit_code == 0
    assert run("check", "--puzzle", PYRAMINX, "--state", state).exit_code == 0


def test_a_pattern_as_state() -> None:
    path = str(EXAMPLES / "cube3.json")
    shown = run("show", "--puzzle", path, "R U")
    pattern = shown.stdout.splitlines()[0]
    assert json.loads(pattern)["patternData"]["EDGES"]["pieces"][4:7] == [7, 4, 2]
    found = run("check", "--puzzle", path, "--state", pattern)
    assert found.exit_code == 0 and "the 3x3x3 cube can be in this state" in found.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["check", "--state", FLIPPED], 3, "edge 1 is flipped"),
        (["solve", "--state", FLIPPED], 3, "edge 1 is flipped"),
        (["check", "--state", "EDGES\n2 1 3 4 5 6"], 3, "parity: two edges are exchanged"),
        (["solve", "--state", "EDGES\n1 2"], 2, "state: line 2, column 1: expected the pieces"),
        (["solve", "--state", "nowhere.txt"], 2, "nowhere.txt: No such file or directory"),
        (["solve", "U Q"], 2, "column 3: 'Q': not a move"),
        (["solve", "U", "--state", FLIPPED], 2, "a scramble and --state cannot be combined"),
        (["solve", "--state", "UUU"], 2, "UUU: No such file or directory"),
        (["solve", "--tables", "1B", "U"], 2, "bytes are too few for the tables of Pyraminx"),
    ],
)
def test_errors(arguments: list[str], code: int, message: str) -> None:
    found = run(*arguments, "--puzzle", PYRAMINX)
    assert found.exit_code == code
    assert message in found.stderr


def test_files_that_are_no_definitions(tmp_path: Path) -> None:
    for name, text, message in [
        ("a.tws", "Set A\n", "a.tws: line 1, column 1: expected 'Set NAME PIECES ORIENTATIONS'"),
        (
            "a.txt",
            "",
            "a.txt: no plugin reads files that end in .txt; the name has to end in",
        ),
        ("a.json", "{", "a.json: line 1, column 2: this is not JSON"),
        ("b.tws", "#" * 20_000_001, "b.tws: larger than 20,000,000 bytes"),
        ("c.tws", "\x00\x01", "c.tws: line 1: this is not text in UTF-8"),
    ]:
        path = tmp_path / name
        path.write_text(text)
        found = run("solve", "--puzzle", str(path), "U")
        assert (found.exit_code, message in found.stderr) == (2, True), found.stderr
    assert run("solve", "--puzzle", str(tmp_path), "U").exit_code == 2


@pytest.mark.slow
def test_a_puzzle_too_large_for_tables_gets_the_universal_method(tmp_path: Path) -> None:
    path = tmp_path / "ring.tws"
    turned = [*range(2, 51), 1]
    path.write_text(
        "Name ring\nSet BEADS 50 1\nSolved\nBEADS\n"
        f"{' '.join(map(str, range(1, 51)))}\nEnd\n"
        f"Move A\nBEADS\n{' '.join(map(str, turned))}\nEnd\n"
        f"Move B\nBEADS\n2 1 {' '.join(map(str, range(3, 51)))}\nEnd\n"
    )
    assert run("show", "--puzzle", str(path), "B A").exit_code == 0
    assert "no faults" in run("check", "--puzzle", str(path), "B A").stdout
    found = run("solve", "--puzzle", str(path), "B A")
    assert found.exit_code == 0 and "solution  A' B\n" in found.stdout


def test_state_needs_a_definition() -> None:
    found = run("solve", "-p", "cube2", "--state", FLIPPED)
    assert found.exit_code == 3 and "instead of 24" in found.stderr


def test_what_is_left_out_is_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "pyraminx.def"
    path.write_text(Path(PYRAMINX).read_text() + "MaxDepth 3\n")
    found = run("solve", "--puzzle", str(path), "U R' B L")
    assert found.exit_code == 0
    assert "MaxDepth is ignored: the depth is chosen for each search" in found.stderr


def test_distribution_and_tables() -> None:
    found = run("distribution", "--puzzle", PYRAMINX, "--json")
    assert json.loads(found.stdout)["total"] == 933_120
    assert run("tables", "build", PYRAMINX).exit_code == 0
    found = run("tables", "build", PYRAMINX)
    assert "Pyraminx optimal moves: all tables are already on disk" in found.stdout


def test_scrambles() -> None:
    found = run("scramble", "--puzzle", PYRAMINX, "--count", "3", "--seed", "5")
    assert found.exit_code == 0 and len(set(found.stdout.splitlines())) == 3
    assert found.stderr == ""
    for line in found.stdout.splitlines():
        assert run("solve", "--puzzle", PYRAMINX, line).exit_code == 0


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="without the compiled engine, no phases are tried")
def test_deriving_a_method_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setattr(DefinedSolver, "_known", lambda _: None)
    monkeypatch.setenv("PUZZLEKIT_CACHE", str(tmp_path))
    solve = ("solve", "--puzzle", str(EXAMPLES / "cube3.json"), "R U", "--timeout", "2")
    line = "deriving a method for 3x3x3 cube, once"
    assert line in run(*solve).stderr
    assert line not in run(*solve).stderr  # the method is kept


def test_a_scramble_that_takes_too_long_is_random_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    from puzzlekit.search import scrambling

    monkeypatch.setattr(scrambling, "_NODES", 1)
    monkeypatch.setattr(scrambling, "_MOST_NODES", 0)
    found = run("scramble", "--puzzle", PYRAMINX, "--count", "2", "--seed", "5")
    assert found.exit_code == 0
    assert [len(line.split()) for line in found.stdout.splitlines()] == [100, 100]
    assert "these scrambles are 100 random moves each" in found.stderr


def test_a_name_does_nothing_outside_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "a" / "cache"
    monkeypatch.setenv("PUZZLEKIT_CACHE", str(cache))
    path = tmp_path / "evil.tws"
    text = Path(PYRAMINX).read_text().replace("Name Pyraminx", "Name ../../../x/.. evil")
    path.write_text(text.replace("EDGES", "../EDGES"))
    assert run("solve", "--puzzle", str(path), "U R").exit_code == 0
    made = {each.relative_to(tmp_path).parts[0] for each in tmp_path.rglob("*")}
    assert made == {"a", "evil.tws"}
    directories = {each.parent.relative_to(cache) for each in cache.rglob("*.*") if each.is_file()}
    assert directories == {Path("v1/x-evil")}


def test_a_position_in_colours_is_read_as_it_is_printed(tmp_path: Path) -> None:
    """Without spaces, it is one word, as the name of a file is, and perhaps longer than any."""
    path = tmp_path / "ring.json"
    path.write_text(
        json.dumps({"generators": {"l": [1, 2, 3, 0]}, "central_state": [0, 0, 1, 1]}), "utf8"
    )
    for state, code in (("0,1,1,0", 0), ("0,1,1", 2), ("0,1,1,1", 3), ("0,1" * 200, 2)):
        found = run("solve", "--puzzle", str(path), "--state", state)
        assert found.exit_code == code and "No such file" not in found.stderr
        typed = run("solve", "--puzzle", str(path), state)  # as stickers of a cube are typed
        assert (typed.exit_code, typed.stderr) == (code, found.stderr)
    assert run("solve", "--puzzle", str(path), "l, l").exit_code == 0
    assert "not a move" in run("solve", "--puzzle", str(path), "q").stderr
    assert "No such file" in run("solve", "--puzzle", str(path), "--state", "a.txt").stderr


def test_a_random_state_comes_with_its_position() -> None:
    def solved(*arguments: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(run(*asked, *arguments, "--json").stdout)
        return found

    asked = ("solve", "--puzzle", PYRAMINX)
    record = solved("--random", "--seed", "3")
    again = solved("--state", record["position"])
    scrambled = solved(record["scramble"])
    assert again["state"] == scrambled["state"] == record["state"]
    assert record["position"] in run(*asked, "--random", "--seed", "3").stdout


def test_the_endings_of_files_are_named() -> None:
    found = run("show", "--puzzle", "one.stl", "R")
    assert found.exit_code == 2
    assert "the name has to end in .tws, .def, .json, .gap, .csv, .network or .pg" in found.stderr
