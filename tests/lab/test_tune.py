"""Tuning: what objectives say, which values are tried, and that the best ones are found."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from importlib.resources import files
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import Any

import attrs
import jsonschema
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

import puzzlekit
from puzzlekit import Heuristic, Max, UsageError
from puzzlekit.cli import main
from puzzlekit.errors import NotationError
from puzzlekit.search import estimates as registry
from puzzlekit.search.estimates import find_heuristic
from puzzlekit.search.limits import Limits
from puzzlekit_batch.clients import local_client
from puzzlekit_cubes.formulas import Blended, MaxSd
from puzzlekit_lab import tuning
from puzzlekit_lab.case import Case
from puzzlekit_lab.commands import tune as command
from puzzlekit_lab.measurement import measure
from puzzlekit_lab.objective import (
    QUANTITIES,
    Objective,
    Range,
    amount,
    figures,
    parse_objective,
    ranges,
)
from puzzlekit_lab.record import TIMEOUT, Run
from puzzlekit_lab.tuning import Tuned, Tuning, tune

needs_optuna = pytest.mark.skipif(find_spec("optuna") is None, reason="needs Optuna")
FEW: dict[str, Any] = {"count": 8, "held_out": 8, "max_nodes": 300_000}


@attrs.frozen
class Peak(Heuristic):
    """The largest distance where `x` is near 3.2 and `way` is "right"; less elsewhere."""

    name = "peak"
    admissible = True
    x: float = attrs.field(default=1.0, metadata={"search": (0.0, 10.0)})
    way: str = attrs.field(default="left", metadata={"choices": ("left", "right", "none")})

    def join(self, distances: Sequence[Any]) -> Any:
        less = int(1.5 * abs(self.x - 3.2)) + 2 * (self.way != "right")
        most = Max().join(distances) - less
        return most * (most > 0)


@attrs.frozen
class Weighted(Heuristic):
    """The largest distance so many times: fewer nodes, longer answers; some weights are refused."""

    name = "weighted"
    by: float = attrs.field(default=1.0, metadata={"search": (0.5, 4.0)})
    plain: str = "text"
    steps: int = 0

    def __attrs_post_init__(self) -> None:
        if self.steps < 0:
            raise ValueError("steps are 0 or more")

    def join(self, distances: Sequence[Any]) -> Any:
        return (Max().join(distances) * self.by) // 1


@pytest.fixture(autouse=True)
def offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        registry, "heuristic_sources", [*registry.heuristic_sources, lambda: (Peak, Weighted)]
    )


@pytest.fixture(scope="module")
def run() -> Run:
    found = measure(Case(puzzlekit.load("cube2")), "max", "solve", 1, 0, Limits(max_nodes=10**6))
    assert found is not None
    return found


def made(run: Run, cost: int | None, nodes: int, seconds: float) -> Run:
    outcome = run.outcome if cost is not None else TIMEOUT
    return attrs.evolve(run, cost=cost, generated=nodes, cpu_seconds=seconds, outcome=outcome)


quantities = st.sampled_from(QUANTITIES)


@given(quantities, quantities, st.floats(1e-9, 1e9))
def test_objectives_are_read_as_written(quantity: str, bounded: str, most: float) -> None:
    if quantity == bounded:
        bounded, most = "", inf
    objective = Objective(quantity, bounded, most)
    read = parse_objective(str(objective))
    assert (read.quantity, read.bounded) == (quantity, bounded)
    assert read.most == pytest.approx(most, rel=1e-14)


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("", 1, "expected time, nodes or length, not the end"),
        ("speed", 1, "expected time, nodes or length"),
        ("Time", 1, "expected time, nodes or length"),
        ("time on length", 6, "expected at or the end"),
        ("time at", 8, "expected nodes or length, not the end"),
        ("time at time <= 3", 9, "expected nodes or length"),
        ("time at length < 3", 16, "expected <="),
        ("time at length <=", 18, "expected a number, not the end"),
        ("time at length <= x", 19, "expected a number"),
        ("time at length <= nan", 19, "expected a finite number above 0"),
        ("time at length <= 0", 19, "expected a finite number above 0"),
        ("time at length <= 3 moves", 21, "expected the end"),
    ],
)
def test_an_objective_that_cannot_be_read(text: str, column: int, expected: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_objective(text)
    assert caught.value.column == column
    assert expected in str(caught.value) and "'time at length <= 54.5'" in str(caught.value)


def test_what_is_not_solved_counts_ten_times(run: Run) -> None:
    solved, unsolved = made(run, 9, 400, 0.02), made(run, None, 70, 0.5)
    assert [amount(solved, each) for each in QUANTITIES] == [0.02, 400, 9]
    assert [amount(unsolved, each) for each in QUANTITIES] == [5, 10**7, inf]
    found = figures([solved, unsolved, made(run, 12, 0, 0)])
    assert (found.instances, found.solved, found.length) == (3, 2, 10.5)
    assert found.nodes == pytest.approx((400 * 10**7 * 1) ** (1 / 3))
    assert found.time == pytest.approx((0.02 * 5 * 1e-6) ** (1 / 3))
    assert figures([unsolved]).of("length") == inf
    assert parse_objective("time at length <= 10.5").excess(found) == 0
    assert parse_objective("time at length <= 21").excess(found) == -0.5
    assert parse_objective("time at length <= 7").excess(found) == 0.5
    assert parse_objective("time").excess(found) == 0


@pytest.mark.parametrize("heuristic", [Blended(), MaxSd(), Peak(), Weighted()])
def test_ranges_hold_the_defaults(heuristic: Heuristic) -> None:
    for each in ranges(heuristic):
        value = getattr(heuristic, each.name)
        assert each.nearest(value) == value
        ends = each.choices or ((each.low, each.high) if each.name != "steps" else ())
        for end in ends:  # are accepted
            attrs.evolve(heuristic, **{each.name: end})  # type: ignore[misc]


def test_ranges_without_metadata() -> None:
    @attrs.frozen
    class Plain(Heuristic):
        name = "plain"
        real: float = 2.0
        minus: float = -2.0
        none: float = 0.0
        whole: int = 8
        zero: int = 0
        word: str = "kept"

        def join(self, distances: Sequence[Any]) -> Any:
            return Max().join(distances)

    found = {each.name: (each.low, each.high, each.log) for each in ranges(Plain())}
    assert found == {
        "real": (0.5, 8.0, True),
        "minus": (-8.0, -0.5, False),
        "none": (-1.0, 1.0, False),
        "whole": (2, 32, True),
        "zero": (-4, 4, False),
    }
    assert {each.name for each in ranges(Plain(), fixed=("real", "whole"))} == {
        *("minus", "none", "zero")
    }


@pytest.mark.parametrize("text", ["max", "sum", "euclid", "max-sd:a=2,sd=sample"])
def test_nothing_to_tune(text: str) -> None:
    fixed = ("a", "sd") if ":" in text else ()
    with pytest.raises(UsageError, match="nothing to tune"):
        ranges(find_heuristic(text), fixed)


@pytest.mark.slow
@needs_optuna
def test_the_best_parameters_are_found() -> None:
    found = tuning.tune(puzzlekit.load("cube2"), "peak", "nodes", trials=40, **FEW)
    best = find_heuristic(found.heuristic)
    assert isinstance(best, Peak)
    assert best.way == "right" and abs(best.x - 3.2) < 2 / 3  # where it is max
    assert found.trials == 40 and found.feasible and found.better and found.holds
    defaults, largest, tuned = found.held_out
    assert (defaults.heuristic, largest.heuristic) == ("peak", "max")
    assert tuned.heuristic == found.heuristic
    assert tuned.figures.nodes == largest.figures.nodes < defaults.figures.nodes
    assert found.by_max["nodes"] == (1, 1, 1)


@pytest.mark.slow
@needs_optuna
def test_the_bound_is_kept() -> None:
    free = tuning.tune(puzzlekit.load("cube2"), "weighted", "nodes", trials=15, **FEW)
    shortest = free.training[0].figures.length or inf
    bound = Objective("nodes", "length", shortest)
    bounded = tuning.tune(puzzlekit.load("cube2"), "weighted", bound, trials=15, **FEW)
    assert free.refused > 0  # negative steps, which nothing but the class knows of
    lengths = [found.training[-1].figures.length or inf for found in (free, bounded)]
    nodes = [found.training[-1].figures.nodes for found in (free, bounded)]
    assert bounded.feasible and lengths[1] <= shortest < lengths[0]
    assert nodes[0] < nodes[1]
    assert "plain" not in free.heuristic


@pytest.mark.slow
@needs_optuna
def test_nodes_make_it_repeatable_and_nothing_is_left_behind(tmp_path: Path) -> None:
    known = puzzlekit.load("cube2")
    # A store of its own: other tests may build tables in the common one meanwhile.
    store = puzzlekit.TableStore(str(tmp_path))
    solver = puzzlekit.Solver(known.puzzle, known.methods, store)
    solver.prepared("small-tables", "max")
    before = [stored.path for stored in solver.store.entries()]
    options: dict[str, Any] = {**FEW, "trials": 12, "seed": 5, "max_nodes": 10_000}
    one, other = (tuning.tune(solver, "blended", "nodes", **options) for _ in range(2))
    assert stable(one) == stable(other)
    assert [stored.path for stored in solver.store.entries()] == before
    changed = tuning.tune(solver, "blended", "nodes", **{**options, "seed": 6})
    assert stable(changed) != stable(one)


def stable(found: Tuned) -> Any:
    """All but times, which differ from run to run."""
    rows = [
        (row.heuristic, row.figures.length, row.figures.nodes, row.ratios["nodes"])
        for row in found.training + found.held_out
    ]
    return rows, found.heuristic, found.refused


def test_a_candidate_is_forgotten_by_all_its_names() -> None:
    case = Case(puzzlekit.load("cube2"), stored=False)
    first = case.candidate("blended:a=2.0,b=3")
    assert case.candidate("blended:b=3") is first
    case.keep_only("max")
    assert case.candidate("blended:a=2.0,b=3") is not first
    case.keep_only("nothing of that name")


@pytest.mark.slow
@needs_optuna
def test_workers_find_the_same() -> None:
    pytest.importorskip("distributed")
    few = {"count": 6, "held_out": 3, "max_nodes": 300_000}
    solver = puzzlekit.load("cube2")
    alone = tune(solver, "max-sd", "nodes", 4, **few)
    with local_client(2) as client:
        assert stable(tune(solver, "max-sd", "nodes", 4, client=client, **few)) == stable(alone)


@pytest.mark.slow
@needs_optuna
def test_hopeless_trials_are_given_up() -> None:
    limits = {"count": 20, "held_out": 2, "max_nodes": 300_000}
    search = Tuning(puzzlekit.load("cube2"), "peak:way=right", "nodes", **limits)
    assert search.fixed == ("way",)
    for _ in search.train(15):
        pass
    lengths = [len(each.runs) for each in search._attempts.values()]
    assert min(lengths) < 20 == max(lengths)
    assert search._attempts[search.best].complete and search.gain < 1


@needs_optuna
def test_limits_that_solve_nothing() -> None:
    with pytest.raises(UsageError, match="solves none of 2 training instances"):
        tuning.tune(puzzlekit.load("cube2"), "blended", count=2, held_out=2, max_nodes=1)
    with pytest.raises(UsageError, match="at least two training"):
        tuning.tune(puzzlekit.load("cube2"), "blended", count=1)


def invoke(*arguments: str) -> Result:
    few = ["--trials=4", "--count=4", "--held-out=4", "--max-nodes=3000000"]
    return CliRunner().invoke(main, ["tune", "--puzzle=cube2", *few, *arguments])


@pytest.mark.slow
@needs_optuna
def test_the_command() -> None:
    found = invoke("--heuristic=peak", "--objective=nodes at length <= 20")
    assert found.exit_code == 0, found.output
    assert "training" in found.output and "held out" in found.output
    assert "\nOn the held-out states, length <= 20 is met by defaults, max, tuned." in found.output
    last = found.output.splitlines()[-1]
    assert last.startswith("--heuristic 'peak")
    again = invoke("--heuristic", "peak", "--objective=nodes at length <= 20")
    assert again.output.splitlines()[-1] == last


@needs_optuna
def test_the_command_in_one_phase() -> None:
    found = invoke("--puzzle=cube3", "--heuristic=max-sd", "--objective=nodes", "--phase=1")
    assert found.exit_code == 0, found.output
    assert "phase finish" in found.output
    last = found.output.splitlines()[-1]
    assert last.startswith("--heuristic 'finish=max-sd")


@pytest.mark.slow
@needs_optuna
def test_the_json_of_the_command(tmp_path: Path) -> None:
    path = tmp_path / "tuned.json"
    found = invoke("--heuristic=peak", "--objective=nodes", "--json", f"--output={path}")
    read = json.loads(found.stdout)
    assert path.read_text() == found.stdout
    schema = json.loads((files("puzzlekit_lab.schema") / "tune.schema.json").read_text())
    jsonschema.validate(read, schema)
    assert read.keys() == schema["properties"].keys()
    assert read["schema"] == "puzzlekit.tune/1" and read["objective"] == "nodes"
    assert read["trials"] == 4 and read["feasible"] and read["holds"]
    assert {row["instances"] for row in read["training"] + read["held_out"]} == {4}
    assert read["held_out"][1]["solved"] == 4
    assert read["held_out"][0]["ratios"]["nodes"] == {"value": 1, "low": 1, "high": 1}


@needs_optuna
def test_the_best_value_at_the_end_of_its_range() -> None:
    found = invoke("--heuristic=weighted", "--objective=length", "--trials=1", "--json")
    assert json.loads(found.stdout)["at_ends"] == []
    narrow = Range("by", 1.0, 4.0)
    assert narrow.at_end(1.0) and narrow.at_end(3.9) and not narrow.at_end(2.0)
    assert Range("a", 1, 100, log=True).at_end(1) and not Range("a", 1, 100, log=True).at_end(2)
    assert not Range("a", choices=("x",)).at_end("x")


@pytest.mark.slow
@needs_optuna
def test_a_bound_that_nothing_keeps_to() -> None:
    found = invoke("--heuristic=peak", "--objective=nodes at length <= 1")
    assert found.exit_code == 1
    assert "--heuristic 'peak" in found.output
    assert "length <= 1 is not met by defaults, max" in found.output
    assert "no trial met the requirement: length <= 1" in found.output


@pytest.mark.slow
@needs_optuna
def test_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = Tuning.train

    def train(self: Tuning, trials: int) -> Iterator[str]:
        for number, best in enumerate(usual(self, trials), 1):
            yield best
            if number == 2:
                raise KeyboardInterrupt

    monkeypatch.setattr(Tuning, "train", train)
    found = invoke("--heuristic=peak", "--objective=nodes")
    assert found.exit_code == 130
    assert "interrupted after 2 of 4 trials" in found.output
    assert found.output.splitlines()[-1].startswith("--heuristic 'peak")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--heuristic=max"], "nothing to tune"),
        (["--heuristic=nothing"], "there is no heuristic 'nothing'"),
        (["--objective=speed"], "expected time, nodes or length"),
        (["--phase=nothing"], "no phase 'nothing'"),
        (["--method=optimal"], "single pruning table"),
        (["--trials=0"], "must be a whole number from 1"),
    ],
)
@needs_optuna
def test_what_cannot_be_tuned(arguments: list[str], message: str) -> None:
    found = invoke(*arguments)
    assert found.exit_code == 2 and message in found.output


def test_optuna_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    found = invoke()
    assert found.exit_code == 2 and "pip install 'permutation-puzzlekit[tune]'" in found.output


def test_the_defaults_of_the_options() -> None:
    for name in ("TRIALS", "COUNT", "HELD_OUT", "MAX_NODES"):
        assert getattr(command, f"_{name}") == getattr(tuning, name)
