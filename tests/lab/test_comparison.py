"""Comparing heuristics: cases, measured runs, experiments, the journal, several processes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from errno import ENOSPC
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any

import attrs
import pytest
from bundled import COMPILED
from record_schema import FILE, record_schema

import puzzlekit
import puzzlekit_robots
from puzzlekit import Max, PuzzlekitError, Solver, UsageError
from puzzlekit.search import estimates as registry
from puzzlekit.search.limits import Limits
from puzzlekit.search.strategies.sequential import Sequential
from puzzlekit_batch.clients import local_client
from puzzlekit_lab import measurement
from puzzlekit_lab.case import Case
from puzzlekit_lab.comparison import NAME, Comparison, Experiment, Journal
from puzzlekit_lab.exhaustive import exhaustive
from puzzlekit_lab.judged_phase import JudgedPhase
from puzzlekit_lab.measurement import (
    instance,
    measure,
    measure_whole,
    settings_of,
    starts,
)
from puzzlekit_lab.record import (
    NODES,
    SOLVED,
    TIMEOUT,
    WHOLE,
    Run,
    Tables,
    key_of,
    record_of,
)

compiled = pytest.mark.skipif(not COMPILED, reason="takes minutes where nothing is compiled")

FEW = Limits(max_nodes=200_000)


def case_of(name: str, *how: object, **more: object) -> Case:
    return Case(puzzlekit.load(name), *how, **more)  # type: ignore[arg-type]


def timeless(run: Run) -> Run:
    return attrs.evolve(run, seconds=0.0, cpu_seconds=0.0)


@pytest.mark.parametrize(
    ("name", "method", "profile", "stretches", "left_out"),
    [
        ("cube2", "small-tables", "", ["solve"], []),
        ("cube3", "two-phase", "small", ["orient", "finish", WHOLE], []),
        (
            "cube4",
            "six-phase",
            "",
            ["split", "pair", "reduce", "orient", "finish", WHOLE],
            ["gather"],
        ),
    ],
)
def test_what_is_compared_by_default(
    name: str, method: str, profile: str, stretches: list[str], left_out: list[str]
) -> None:
    case = case_of(name)
    assert (case.method.name, case.method.profile) == (method, profile)
    assert list(case.stretches) == stretches
    assert [phase.name for phase in case.left_out] == left_out
    for phase in case.left_out:
        assert len(phase.pruning_tables) == 1


def test_phases_can_be_chosen() -> None:
    case = case_of("cube4", None, ("1", "reduce"))
    assert case.stretches == ("split", "reduce")
    assert case.left_out == ()


@pytest.mark.parametrize(
    ("name", "method", "phases", "told"),
    [
        ("cube2", "optimal", (), "every phase of optimal of cube2 has a single pruning table"),
        ("cube4", "reduction", (), "does not search phase by phase"),
        ("cube4", "six-phase", ("gather",), "gather .* has a single pruning table"),
        ("cube4", "six-phase", ("7",), "has no phase '7'; it has 0 gather, 1 split"),
        ("cube2", "nothing", (), "no method 'nothing'"),
    ],
)
def test_what_cannot_be_compared(
    name: str, method: str, phases: tuple[str, ...], told: str
) -> None:
    with pytest.raises(UsageError, match=told):
        case_of(name, method, phases)


def test_a_puzzle_without_several_tables(tmp_path: Path) -> None:
    cube = puzzlekit.load("cube2")
    with pytest.raises(UsageError, match="no method that searches phase by phase"):
        Case(Solver(cube.puzzle, [cube.method("optimal")], cube.store))


class Doubled(Max):
    """Twice the largest distance."""

    name = "doubled"
    admissible = False

    def join(self, distances: Sequence[Any]) -> Any:
        return 2 * Max().join(distances)


@pytest.mark.slow
def test_a_heuristic_that_changes_one_distance_is_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        registry, "heuristic_sources", [*registry.heuristic_sources, lambda: [Doubled]]
    )
    with pytest.raises(UsageError, match=r"eight has no method .* no heuristic to compare changes"):
        case_of("eight", heuristics=["max", "sum", "euclid"])
    case = case_of("eight", heuristics=["max", "doubled"])
    assert (case.method.name, case.stretches, case.left_out) == ("optimal", ("solve",), ())
    usual, doubled = (measure(case, each, "solve", 1, 0, FEW) for each in ("max", "doubled"))
    assert usual is not None and doubled is not None and usual.state == doubled.state
    assert (usual.admissible, doubled.admissible) == (True, False)
    assert usual.h == usual.cost and doubled.h == 2 * usual.h <= 2 * (doubled.cost or 0)
    found = exhaustive(JudgedPhase(case, "solve", ["max", "doubled"]))
    assert [each.states for each in found] == [181_440] * 2
    assert [each.over for each in found] == [0, 181_439]  # all but the goal


def test_an_instance_is_the_same_whatever_their_number() -> None:
    case = case_of("cube2")
    states = [instance(case, 5, number) for number in range(20)]
    assert len(set(states)) == 20
    assert states != [instance(case, 6, number) for number in range(20)]
    assert states[7] == instance(case_of("cube2", "small-tables"), 5, 7)


@pytest.mark.slow
@compiled
def test_phases_start_where_those_before_lead_with_max() -> None:
    case = case_of("cube4")
    found = starts(case, 3, 0)
    assert found[0] == instance(case, 3, 0) and len(found) == 6
    phases = case.candidate("max").chain.phases
    for number, state in enumerate(found[1:]):
        assert state is not None
        # A state at the goal of the phase before, whose estimate there is 0.
        assert phases[number].estimate(case.puzzle, state) == 0
    for heuristic in ("max", "sum"):
        run = measure(case, heuristic, "reduce", 3, 0, Limits(max_nodes=50_000_000))
        assert run is not None and found[3] is not None and run.state == found[3].hex()


@pytest.mark.parametrize("heuristic", ["max", "sum", "max-sd", "euclid", "blended"])
def test_a_run(heuristic: str) -> None:
    case = case_of("cube2")
    exact = puzzlekit.load("cube2")
    for number in range(10):
        run = measure(case, heuristic, "solve", 1, number, Limits())
        assert run is not None and run.outcome == SOLVED and run.solved
        state = bytes.fromhex(run.state)
        moves = case.puzzle.moves(run.moves)
        assert case.puzzle.is_solved(case.puzzle.apply(state, moves))
        assert run.length == run.cost == len(moves)
        assert run.h == case.candidate(heuristic).chain.phases[0].estimate(case.puzzle, state)
        best = exact.solve(state, method="optimal").cost
        assert run.cost == best if heuristic == "max" else run.cost >= best
        assert run.admissible == (heuristic == "max")
        assert run.generated == sum(each.generated for each in run.iterations)
        assert run.expanded == sum(each.expanded for each in run.iterations)
        assert run.before_last == run.generated - run.iterations[-1].generated
        bounds = [each.bound for each in run.iterations]
        assert bounds == sorted(set(bounds)) and bounds[0] == run.h and bounds[-1] >= run.cost
        assert run.cpu_seconds >= 0 and run.seconds > 0
        assert run.nodes_per_second * run.cpu_seconds == pytest.approx(run.generated)
        one, other = (
            key_of(settings_of(case, heuristic, "solve", seed, number, Limits())) for seed in (1, 2)
        )
        assert run.key == one != other


def test_limits_end_a_run() -> None:
    case = case_of("cube3")
    run = measure(case, "max", "finish", 1, 0, Limits(max_nodes=100))
    assert run is not None and run.outcome == NODES and not run.solved
    assert run.length is run.cost is None and run.moves == "" and run.generated >= 100
    over = Event()
    over.set()
    run = measure(case, "max", "finish", 1, 0, Limits(timeout=10, cancel=over))
    assert run is not None and run.outcome == TIMEOUT


@compiled
@pytest.mark.parametrize("phase", ["finish", WHOLE])
def test_a_run_tells_which_limit_it_met(phase: str) -> None:
    case = case_of("cube3")
    for nodes in (300, 700, 1100, 1500):  # it generates some fewer or more
        run = measure(case, "max", phase, 1, 0, Limits(timeout=60, max_nodes=nodes))
        assert run is not None and run.outcome == NODES
        assert 0 < run.expanded < run.generated < nodes + 50
    run = measure(case, "max", phase, 1, 0, Limits(timeout=1e-9))
    assert run is not None and run.outcome == TIMEOUT


def test_a_whole_solve_is_nothing_but_its_phases(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time to look for short answers first, and to prepare for that, is none of theirs."""
    monkeypatch.delattr(Sequential, "_short")
    case = case_of("cube3")
    state = case.puzzle.apply(case.puzzle.solved, case.puzzle.moves("R U F"))
    found = measure_whole(case, "max", state, Limits())
    assert found["outcome"] == SOLVED and found["generated"] > found["expanded"] > 0


def test_a_machine_that_cannot_do_phases_one_by_one() -> None:
    robot = puzzlekit_robots.Machine(
        "three", "", arms=(("R", "L"), ("F", "B"), ("U", "D")), again=False
    )
    with pytest.raises(UsageError, match="may not start a phase with the arms"):
        case_of("cube3", metric=robot)


@pytest.mark.slow
@compiled
def test_a_whole_solve() -> None:
    case = case_of("cube4")
    run = measure(case, "max", WHOLE, 2, 1, Limits())
    assert run is not None and run.solved and run.phase == WHOLE
    state = bytes.fromhex(run.state)
    solved = case.puzzle.apply(state, case.puzzle.moves(run.moves))
    assert case.puzzle.is_solved(solved)
    known = case.solver.solve(state, method="six-phase", heuristic="max")
    assert (run.length, run.cost) == (known.length, known.cost)
    assert run.generated == known.nodes


@compiled
def test_times_are_those_of_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """What else a chain does, such as to look for answers of a few moves, is not timed."""
    clock = count()
    for name in ("perf_counter", "thread_time"):
        monkeypatch.setattr(measurement, name, lambda: float(next(clock)))
    case = case_of("cube3")
    for phase, searches in (("orient", 1), ("finish", 1), (WHOLE, 2)):
        run = measure(case, "max", phase, 1, 0, Limits())
        assert run is not None and run.solved
        assert run.seconds == run.cpu_seconds == 2 * searches


@pytest.mark.slow
def test_records_come_back_as_they_were() -> None:
    case = case_of("cube2")
    run = measure(case, "blended:a=3", "solve", 1, 0, FEW)
    assert run is not None and run.heuristic == "blended:a=3"
    assert record_of(run.line()) == run
    (tables,) = case.tables()
    assert record_of(tables.line()) == tables
    assert [name for name, _, _ in tables.tables] == [
        "permutation",
        "orientation",
        "lower orientation",
        "upper",
    ]
    with pytest.raises(UsageError, match="number of a tables must be a whole number"):
        record_of(tables.line().replace('"number": 0', '"number": "0"'))
    assert tables.compared and tables.nbytes > sum(size for _, size, _ in tables.tables)


def test_the_schema_is_that_of_the_classes() -> None:
    """After a change of a class `python tests/record_schema.py` writes it."""
    assert json.loads(FILE.read_text(encoding="utf-8")) == record_schema()


def test_a_fingerprint_tells_formulas_apart() -> None:
    case = case_of("cube2")
    texts = ["max", "sum", "blended", "blended:a=3", "blended:sd=sample"]
    assert len({case.candidate(text).fingerprint for text in texts}) == len(texts)
    assert case.candidate("blended:a=2").text == "blended"
    assert case.candidate("blended:a=2") is case.candidate("blended")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "not JSON"),
        ("[1]", "not a record"),
        ('{"kind": "else"}', "not a record: its kind must be one of run, quality, tables"),
        ('{"kind": "run", "puzzle": "cube2"}', "method of a run is missing"),
        ("[" * 100_000, "not JSON"),
        ("9" * 5000, "not JSON"),
    ],
)
def test_lines_that_are_no_records(line: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        record_of(line)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("generated", -5),
        ("generated", True),
        ("seconds", float("nan")),
        ("cpu_seconds", float("inf")),
        ("cost", 10**30),
        ("iterations", [[1, 2]]),
        ("iterations", [[1, 2, -3]]),
        ("iterations", [5]),
        ("machine", 5),
        ("versions", {"puzzlekit": []}),
        ("versions", {"puzzlekit": 1}),
    ],
)
def test_values_that_no_run_has(name: str, value: object) -> None:
    run = measure(case_of("cube2"), "max", "solve", 1, 0, FEW)
    assert run is not None
    with pytest.raises(UsageError, match=f"{name} of a run (must|cannot) be "):
        record_of(json.dumps(json.loads(run.line()) | {name: value}))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            {"outcome": "lost"},
            "outcome of a run must be solved, timeout, nodes, none or stopped, not 'lost'",
        ),
        ({"cost": None}, "a solved run needs a length and a cost"),
    ],
)
def test_runs_that_contradict_themselves(changes: dict[str, object], told: str) -> None:
    run = measure(case_of("cube2"), "max", "solve", 1, 0, FEW)
    assert run is not None and run.solved
    with pytest.raises(UsageError, match=told):
        record_of(json.dumps(json.loads(run.line()) | changes))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"heuristics": []}, "no heuristics"),
        ({"heuristics": ["max", "nix"]}, "no heuristic 'nix'"),
        ({"count": 0}, "count must be a whole number from 1"),
        ({"timeout": -1.0}, "timeout"),
        ({"max_nodes": 1.5}, "max_nodes"),
    ],
)
def test_experiments_that_cannot_be(given: dict[str, object], told: str) -> None:
    wanted = {"cases": [case_of("cube2")], "heuristics": ["max"], **given}
    with pytest.raises(UsageError, match=told):
        Experiment(**wanted)  # type: ignore[arg-type]


def test_records_could_not_tell_cases_of_one_name_apart() -> None:
    with pytest.raises(UsageError, match="cube2 small-tables HTM is given twice"):
        Experiment([case_of("cube2"), case_of("cube2")], ["max"])
    Experiment([case_of("cube2"), case_of("cube2", metric="QTM")], ["max"])


def experiment(seed: int = 1, count: int = 3, *heuristics: str) -> Experiment:
    cases = [case_of("cube2"), case_of("cube3", None, ("orient",))]
    return Experiment(
        cases, heuristics or ("max", "euclid"), count, seed, timeout=None, max_nodes=200_000
    )


def finish(comparison: Comparison) -> list[Run]:
    done = list(comparison.run())
    assert len(done) == len(comparison.tasks) == comparison.finished
    return comparison.runs


@pytest.mark.slow
def test_an_experiment_runs_everything_once() -> None:
    runs = finish(Comparison(experiment(count=6)))
    assert len(runs) == len({run.key for run in runs}) == 2 * 2 * 6
    for puzzle in ("cube2", "cube3"):
        own = [run for run in runs if run.puzzle == puzzle]
        orders = set()
        for number in range(6):
            same = [run for run in own if run.instance == number]
            assert len({run.state for run in same}) == 1
            orders.add(tuple(run.heuristic for run in same))
        assert orders == {("max", "euclid"), ("euclid", "max")}


def test_a_short_search_is_timed_with_warm_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    case = case_of("cube2")
    clock = iter([0.0, 0.0019, 10.0, 10.001, 20.0, 20.0018, 30.0, 30.009, 40.0, 40.003])
    monkeypatch.setattr(measurement, "thread_time", lambda: next(clock))
    found = [measure(case, "max", "solve", 1, number, Limits()) for number in range(3)]
    times = [round(run.cpu_seconds, 6) for run in found if run is not None]
    assert times == [0.001, 0.0018, 0.003]  # the shorter of two; a long search is done once
    assert next(clock, None) is None


@pytest.mark.slow
def test_what_is_in_the_journal_is_not_run_again(tmp_path: Path) -> None:
    directory = str(tmp_path / "new" / "place")
    with Journal(directory) as journal:
        comparison = Comparison(experiment(), journal)
        for _, _ in zip(range(5), comparison.run(), strict=False):
            pass
        assert comparison.finished == 5
    text = Path(directory, NAME).read_text()
    with Journal(directory) as journal:
        comparison = Comparison(experiment(), journal)
        assert len(comparison.runs) == 5 and len(comparison.tasks) == 7
        finish(comparison)
    assert Path(directory, NAME).read_text().startswith(text)
    with Journal(directory) as journal:
        assert Comparison(experiment(), journal).tasks == []
        # What differs in anything is another run.
        assert len(Comparison(experiment(seed=2), journal).tasks) == 12
        assert len(Comparison(experiment(1, 4, "max", "sum"), journal).tasks) == 16 - 6
        kinds = [type(each) for each in journal.records]
        assert kinds.count(Run) == 12 and kinds.count(Tables) == 2


@pytest.mark.slow
def test_runs_elsewhere_are_others(tmp_path: Path) -> None:
    with Journal(str(tmp_path)) as journal:
        finish(Comparison(experiment(), journal))
    path = tmp_path / NAME
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for found in lines:
        if found["kind"] == "run":
            found["versions"]["puzzlekit"] = "0.0.1"
    path.write_text("".join(json.dumps(found) + "\n" for found in lines))
    with Journal(str(tmp_path)) as journal:
        comparison = Comparison(experiment(), journal)
        assert comparison.runs == [] and len(comparison.tasks) == 12


@pytest.mark.slow
def test_a_half_written_line_is_dropped(tmp_path: Path) -> None:
    with Journal(str(tmp_path)) as journal:
        runs = finish(Comparison(experiment(), journal))
    path = tmp_path / NAME
    whole = path.read_bytes()
    path.write_bytes(whole[:-10])
    with Journal(str(tmp_path)) as journal:
        comparison = Comparison(experiment(), journal)
        assert len(comparison.tasks) == 1
        again = finish(comparison)
    assert list(map(timeless, again)) == list(map(timeless, runs))
    assert len(path.read_bytes().splitlines()) == len(whole.splitlines())


@pytest.mark.parametrize("line", ["{}", "nonsense", '{"kind": "run"}', "\xff"])
def test_a_line_that_is_no_record_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / NAME).write_bytes(b"\n".join([line.encode("latin-1"), b""]))
    with pytest.raises(UsageError, match=f"{NAME}: line 1: "):
        Journal(str(tmp_path))


def test_what_does_not_fit_on_the_disk_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full:
        """A disk with room for so many bytes."""

        room = 100

        def write(self, given: bytes) -> int:
            taken = min(len(given), self.room)
            if not taken:
                raise OSError(ENOSPC, "No space left on device")
            self.room -= taken
            return taken

    run = measure(case_of("cube2"), "max", "solve", 1, 0, FEW)
    assert run is not None
    with Journal(str(tmp_path)) as journal:
        monkeypatch.setattr(journal._file, "_file", Full())
        with pytest.raises(PuzzlekitError, match=f"{NAME}: No space left on device"):
            journal.append(run)
        assert journal.records == []


def test_a_journal_has_one_writer(tmp_path: Path) -> None:
    with Journal(str(tmp_path)), pytest.raises(UsageError, match="another process writes to"):
        Journal(str(tmp_path))
    with Journal(str(tmp_path)):
        pass
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


def test_a_directory_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="file: "):
        Journal(str(tmp_path / "file"))


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    pytest.importorskip("distributed")
    with local_client(2) as made:
        yield made


@pytest.mark.slow
@compiled
def test_several_processes_find_the_same(client: Any) -> None:
    alone = finish(Comparison(experiment()))
    shared = finish(Comparison(experiment(), client=client))

    def by_key(runs: list[Run]) -> list[Run]:
        return sorted(map(timeless, runs), key=lambda run: str(run.key))

    assert by_key(alone) == by_key(shared)


@pytest.mark.slow
@compiled
def test_several_processes_can_be_ended(client: Any) -> None:
    slow = Experiment([case_of("cube4")], ["sum"], 50, timeout=60.0)
    comparison = Comparison(slow, client=client)
    for _ in zip(range(3), comparison.run(), strict=False):
        pass
    assert comparison.finished == 3
