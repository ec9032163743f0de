"""Data sets: reproducible rows, uniform states at a distance, files that go on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

import attrs
import jsonschema
import pytest
from click.testing import CliRunner, Result
from four_corners import CASES

import puzzlekit
import puzzlekit_batch
import puzzlekit_lab
from puzzlekit.cli import main
from puzzlekit.errors import NoSolutionError, PuzzlekitError, UsageError
from puzzlekit_batch.results_file import ResultsFile
from puzzlekit_lab.datasets import Recipe
from puzzlekit_lab.kinds import LABELS, STATE_KINDS, Drawn, ExactDepth, Label, StateKind, Walk

COMMAND = [sys.executable, "-P", "-m", "puzzlekit"]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ("dataset", "-p", "cube2", *arguments))


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_rows_depend_only_on_their_numbers() -> None:
    first = list(puzzlekit_lab.dataset("cube2", 6, "walk:9", ["optimal", "coordinates"]))
    assert (
        list(puzzlekit_lab.dataset("cube2", 4, "walk:9", ["optimal", "coordinates"])) == first[:4]
    )
    other = list(puzzlekit_lab.dataset("cube2", 4, "walk:9", ["optimal", "coordinates"], seed=2))
    assert all(one["state"] != two["state"] for one, two in zip(first, other, strict=False))
    solver = puzzlekit.load("cube2")
    for row in first:
        state = bytes(row["bytes"])
        assert solver.positions.to_facelets(state) == row["state"]
        assert len(row["walk"]) == 9 and solver.state(row["walk"]) == state
        moves = solver.puzzle.moves(" ".join(row["moves"]))
        assert solver.puzzle.is_solved(solver.puzzle.apply(state, moves))
        assert row["length"] == len(row["moves"]) == solver.solve(state).cost
        coordinates = solver.catalogue.to_coordinates(state)
        assert {name: row[name] for name in coordinates} == coordinates


def test_a_puzzle_of_no_plugin(tmp_path: Path) -> None:
    solver = CASES["four"].solver(puzzlekit.TableStore(str(tmp_path)), base={"TURNS": 2}, kept=2)
    (row,) = puzzlekit_lab.dataset(solver, 1, "walk:2")
    assert row["puzzle"] == solver.puzzle.name and len(row["walk"]) == 2


def test_random_states_are_those_of_compare() -> None:
    solver = puzzlekit.load("cube2")
    found = [bytes(row["bytes"]) for row in puzzlekit_lab.dataset(solver, 3, seed=5)]
    assert found == [solver.random_state(Random(f"5 {number}")) for number in range(3)]


@pytest.mark.parametrize(
    ("puzzle", "distance", "count"),
    # Numbers of states at a distance: Jaap Scherphuis for the 2x2x2 in HTM, and the 8-puzzle.
    [("cube2", 1, 9), ("cube2", 2, 54), ("eight", 4, 16), ("eight", 6, 39)],
)
def test_every_state_at_a_distance_is_equally_likely(
    puzzle: str, distance: int, count: int
) -> None:
    solver = puzzlekit.load(puzzle)
    metric = "HTM" if puzzle == "cube2" else "STM"
    draw = ExactDepth(distance).drawing(solver, metric)
    rng = Random(1)
    times = Counter(draw(rng).state for _ in range(20 * count))
    assert len(times) == count
    # Chi-squared with count - 1 degrees of freedom: mean and standard deviation.
    spread = sum((each - 20) ** 2 / 20 for each in times.values())
    assert abs(spread - (count - 1)) < 4 * (2 * (count - 1)) ** 0.5


@pytest.mark.parametrize("metric", ["HTM", "QTM"])
def test_far_states_at_a_distance(metric: str) -> None:
    found = puzzlekit_lab.dataset("cube2", 8, "exact-depth:9", ["optimal"], metric=metric)
    assert {(row["distance"], row["length"], row["optimal"]) for row in found} == {(9, 9, True)}


def test_a_distance_that_no_state_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlekit_lab.kinds._MOST_TRIES", 5)
    with pytest.raises(UsageError, match="no state at distance 40 was found in 5 tries"):
        next(puzzlekit_lab.dataset("cube2", 1, "exact-depth:40"))


@attrs.frozen
class Turned(StateKind):
    """A kind of a stranger."""

    word = "turned"
    about = "one face turned"

    face: str = attrs.field(default="U")

    def drawing(self, solver: puzzlekit.Solver, metric: str) -> Any:
        return lambda rng: Drawn(solver.state(self.face), {})


@attrs.frozen
class Impossible(Label):
    """A label of a stranger, which no state has."""

    word = "impossible"

    def columns_for(self, solver: puzzlekit.Solver) -> Sequence[puzzlekit_batch.DataColumn]:
        return [puzzlekit_batch.DataColumn("impossible", "truth", "nothing")]

    def labelling(self, solver: puzzlekit.Solver, metric: str) -> Any:
        def label(state: bytes) -> Mapping[str, Any]:
            raise NoSolutionError("there is no label")

        return label

    def fault(self, solver: puzzlekit.Solver, state: bytes, fields: Mapping[str, Any]) -> str:
        return "it is impossible"


def test_kinds_and_labels_of_strangers() -> None:
    found = rows(run("--kind", "turned:R", "--count", "1", "--label", "optimal").stdout)
    assert [row["moves"] for row in found] == [["R'"]]
    failed = run("--label", "impossible", "--count", "2")
    assert (failed.exit_code, failed.stdout) == (1, "")
    assert "error: row 1: there is no label" in failed.stderr
    recipe = Recipe(puzzlekit.load("cube2"), "turned", ["impossible"])
    (made,) = (recipe.job.prepare([recipe.solver], None)(0),)  # type: ignore[arg-type]
    assert isinstance(made, NoSolutionError)
    assert {"random", "walk", "exact-depth", "turned"} <= STATE_KINDS.keys()
    assert {"coordinates", "impossible"} <= LABELS.keys()


def test_wrong_moves_of_a_worker_are_found() -> None:
    recipe = Recipe(puzzlekit.load("cube2"), Walk(3), ["optimal"])
    job = recipe.job
    made = job.prepare([recipe.solver], None)(0)  # type: ignore[arg-type]
    assert recipe.record(0, made)["length"] == made.labels[0]["length"]
    wrong = attrs.evolve(made, labels=({**made.labels[0], "moves": ["R"]},))
    with pytest.raises(PuzzlekitError, match="a wrong label optimal: R does not solve the state"):
        recipe.record(0, wrong)


def test_the_schema() -> None:
    schema = json.loads((files("puzzlekit_lab.schema") / "dataset.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    for kind in ("random", "walk:3", "exact-depth:3"):
        arguments = ("--kind", kind, "--label", "optimal", "--label", "coordinates")
        for row in rows(run(*arguments, "--count", "2").stdout):
            jsonschema.Draft202012Validator(schema).validate(row)
            assert row.keys() - schema["properties"].keys() == {"orientation", "permutation"}
    text = (Path(__file__).parents[2] / "docs" / "datasets.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in text for name in schema["properties"] if name != "schema")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--kind", "walks:3"], "there is no kind of states 'walks:3'; there are random, walk:LEN"),
        (["--kind", "walk"], "kind of states 'walk' is not of the form walk:LENGTH"),
        (["--kind", "walk:0"], "must be a whole number from 1 to 10,000, not 0"),
        (["--kind", "walk:x"], "must be a whole number from 1 to 10,000, not 'x'"),
        (["--label", "best"], "there is no label 'best'; there are coordinates[:METHOD]"),
        (["--label", "coordinates:x"], "cube2 has no method 'x'"),
        (["--label", "optimal", "--label", "optimal"], "two columns would have the name 'moves'"),
        (["--metric", "XTM"], "XTM"),
        (["--output", "rows.txt"], "has to end in .jsonl or .parquet"),
        (["--jobs", "2", "--cluster", "tcp://x:1"], "cannot be combined"),
    ],
)
def test_what_is_refused(arguments: list[str], message: str) -> None:
    found = run("--count", "1", *arguments)
    assert (found.exit_code, found.stdout) == (2, "") and message in found.stderr


# --- files ---------------------------------------------------------------------------------------


def test_a_file_goes_on(tmp_path: Path) -> None:
    output = tmp_path / "rows.jsonl"
    command = ("--kind", "walk:5", "--label", "optimal", "--output", str(output))
    assert run("--count", "30", *command).exit_code == 0
    whole = output.read_bytes()
    assert whole.decode() == run("--count", "30", *command[:-2]).stdout
    output.write_bytes(whole[: len(whole) // 2])
    again = run("--count", "30", *command)
    assert again.exit_code == 0 and "rows are already done" in again.stderr
    assert output.read_bytes() == whole
    assert run("--count", "35", *command).exit_code == 0
    assert output.read_bytes()[: len(whole)] == whole
    other = run("--count", "30", *command, "--seed", "2")
    assert other.exit_code == 2 and "its seed is 1, not 2" in other.stderr


def test_a_parquet_file_goes_on(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    output, lines = tmp_path / "rows.parquet", tmp_path / "rows.parquet.jsonl"
    command = ("--label", "optimal", "--label", "coordinates", "--output", str(output))
    recipe = Recipe(puzzlekit.load("cube2"), labels=["optimal", "coordinates"])
    wanted = list(puzzlekit_lab.dataset("cube2", 8, labels=["optimal", "coordinates"]))
    with ResultsFile(str(output), recipe.layout) as file:  # the command is killed
        for each in wanted[:3]:
            file.append(each)
    assert not output.exists() and len(lines.read_text().splitlines()) == 3
    assert "3 rows are already done" in run("--count", "5", *command).stderr
    assert not lines.exists()
    lines.write_text("".join(f"{json.dumps(each)}\n" for each in wanted[3:5]))  # killed later
    assert "5 rows are already done" in run("--count", "8", *command).stderr
    found = parquet.read_table(output)
    assert found.to_pylist() == [
        {name: value for name, value in each.items() if name != "schema"} for each in wanted
    ]
    assert [str(found.schema.field(name).type) for name in ("length", "optimal", "bytes")] == [
        "int64",
        "bool",
        "list<element: uint8>",
    ]
    before = output.read_bytes()
    assert run("--count", "8", *command).exit_code == 0
    assert output.read_bytes() == before and not lines.exists()
    other = run("--count", "8", *command, "--seed", "2")
    assert other.exit_code == 2 and "its seed is 1, not 2" in other.stderr
    output.write_text("nothing")
    broken = run("--count", "8", *command)
    assert broken.exit_code == 2 and "not a Parquet file" in broken.stderr


def test_pandas_reads_both_files(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    for ending in ("parquet", "jsonl"):
        assert run("--label", "optimal", "--count", "9", "--output", f"{tmp_path}/a.{ending}")
    one = pandas.read_parquet(tmp_path / "a.parquet")
    other = pandas.read_json(tmp_path / "a.jsonl", lines=True)
    assert one["length"].tolist() == other["length"].tolist()
    assert [list(each) for each in one["bytes"]] == other["bytes"].tolist()


@pytest.mark.slow
def test_a_solve_into_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    (tmp_path / "lines").write_text("R U\nR Q\nF2\n")
    command = ("batch", "-p", "cube2", "--input", f"{tmp_path}/lines", "--output")
    for _ in range(2):
        found = CliRunner().invoke(main, (*command, f"{tmp_path}/a.parquet"))
        assert found.exit_code == 2
    table = parquet.read_table(tmp_path / "a.parquet").to_pylist()
    assert [(each["line"], each["text"], each["moves"], each["kind"]) for each in table] == [
        (1, "R U", ["U'", "R'"], None),
        (2, "R Q", None, "notation"),
        (3, "F2", ["F2"], None),
    ]


@pytest.mark.slow
def test_no_file_is_left_without_dask(tmp_path: Path) -> None:
    program = (
        "import sys\nsys.modules['distributed'] = None\nfrom puzzlekit.cli import main\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    (tmp_path / "lines").write_text("R U\n")
    output = ("--jobs", "2", "--output", "o.jsonl")
    for arguments in (["batch", "--input", "lines"], ["dataset", "--count", "3"]):
        found = subprocess.run(
            [sys.executable, "-P", "-c", program, *arguments, "-p", "cube2", *output],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert (
            found.returncode == 2 and "pip install 'permutation-puzzlekit[cluster]'" in found.stderr
        )
    assert os.listdir(tmp_path) == ["lines"]


@pytest.mark.slow
def test_the_same_rows_with_two_processes(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    arguments = ["--kind", "exact-depth:4", "--label", "optimal", "--count", "200"]
    alone = run(*arguments)
    found = subprocess.run(
        [*COMMAND, "dataset", "-p", "cube2", *arguments, "--jobs", "2"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (found.returncode, found.stdout) == (0, alone.stdout)
    assert "tables built" in found.stderr
