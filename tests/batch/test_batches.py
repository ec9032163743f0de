"""Batches: the same answers as one process gives, in order, and files that go on."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import attrs
import pytest
from batch_jobs import squares
from click.testing import CliRunner, Result

import puzzlekit
import puzzlekit_batch
import puzzlekit_definitions
from puzzlekit.cli import main
from puzzlekit.errors import NoSolutionError, NotationError, PuzzlekitError, UsageError
from puzzlekit.plugins.manager import origin_of
from puzzlekit.search.limits import Limits
from puzzlekit.search.options import SearchOptions
from puzzlekit.search.strategies import tree_search
from puzzlekit_batch import batching
from puzzlekit_batch.clients import check_workers, local_client
from puzzlekit_batch.job import BatchTask, Job, Source, Versions, do_task
from puzzlekit_batch.lines import solve_layout
from puzzlekit_batch.results_file import AppendedFile, ResultsFile
from puzzlekit_batch.solve_many import Replay, solve_job
from puzzlekit_batch.stream import IN_FLIGHT, Stream, SubtreeHelpers, _End, check_shared
from puzzlekit_steps.practice import GoalStates

J = TypeVar("J", bound=Job)

COMMAND = [sys.executable, "-P", "-m", "puzzlekit"]
SCRAMBLES = ["R U F2", "", "F' R2 U", "R U R' U'", "U2"]


@pytest.mark.slow
def test_nobody_else_connects_to_the_processes() -> None:
    """Whoever connected to 127.0.0.1 once ran code as the user."""
    distributed = pytest.importorskip("distributed")
    with local_client(1) as client:
        addresses = [client.scheduler.address, *client.nthreads()]
        assert all(each.startswith("tls://127.0.0.1:") for each in addresses)
        for each in addresses:
            for address in (each, each.replace("tls://", "tcp://")):
                with pytest.raises((OSError, TypeError, AssertionError)):
                    distributed.Client(address, timeout=1, set_as_default=False)
        assert client.submit(sum, [1, 2]).result(timeout=10) == 3


def test_workers_know_the_machines_of_a_puzzle() -> None:
    solver = puzzlekit.load("cube2")
    options = SearchOptions(metric="robot")
    job = pickle.loads(pickle.dumps(solve_job(solver, solver.choose(options), options, Limits())))
    assert solver.choose(job.options).metric is solver.puzzle.metric("robot")


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    pytest.importorskip("distributed")
    puzzlekit.load("cube2").prepared()
    with local_client(2) as made:
        yield made


def run(*arguments: str, text: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, ("batch", "-p", "cube2", *arguments), input=text)


# --- in this process -----------------------------------------------------------------------------


def test_a_batch_in_this_process() -> None:
    found = list(puzzlekit_batch.batch(SCRAMBLES, "cube2"))
    assert [str(each) for each in found][:2] == ["F2 U' R'", ""]
    solver = puzzlekit.load("cube2")
    again = list(puzzlekit_batch.batch(iter(SCRAMBLES), solver, method="optimal", max_length=4))
    assert [each.moves for each in again] == [each.moves for each in found]


def test_failures_are_raised_or_yielded() -> None:
    positions = ["R", "R Q", "U"]
    batch = puzzlekit_batch.batch(positions, "cube2")
    assert str(next(batch)) == "R'"
    with pytest.raises(NotationError):
        next(batch)
    kinds = [
        type(each).__name__ for each in puzzlekit_batch.batch(positions, "cube2", failures=True)
    ]
    assert kinds == ["Solution", "NotationError", "Solution"]
    with pytest.raises(UsageError, match="no method 'nothing'"):
        next(puzzlekit_batch.batch([], "cube2", method="nothing"))


@pytest.mark.slow
def test_one_process_imports_no_dask(tmp_path: Path) -> None:
    (tmp_path / "lines").write_text("R U\n")
    program = (
        "import sys\nfrom puzzlekit.cli import main\n"
        "main(sys.argv[1:], standalone_mode=False)\n"
        "assert not {'dask', 'distributed', 'tornado', 'multiprocessing'} & set(sys.modules)"
    )
    arguments = ["batch", "-p", "cube2", "--input", "lines", "--jobs", "1", "--output", "o.jsonl"]
    subprocess.run([sys.executable, "-c", program, *arguments], cwd=tmp_path, check=True)


def test_versions_that_differ() -> None:
    solver = puzzlekit.load("cube2")
    here = Source.of(solver).versions
    name, version = here.plugin.split()
    assert name.endswith("puzzlekit") and version == puzzlekit.__version__
    assert not here.differences(here)
    other = Versions("9.9", "other 1", 0)
    assert here.differences(other) == [
        f"has puzzlekit {puzzlekit.__version__} instead of 9.9",
        f"has the plugin {here.plugin} instead of other 1",
    ]
    changed = attrs.evolve(here, moves=here.moves + 1)
    assert here.differences(changed) == [
        "declares other moves for the puzzle, with the same version numbers"
    ]


def test_a_family_and_a_definition_have_an_origin() -> None:
    tiles = puzzlekit.load("tiles-2x4")
    source = Source.of(tiles)
    assert source.origin.solver() is tiles
    assert source.versions.plugin.split()[1] == puzzlekit.__version__
    text = "Set A 3 1\nSolved\nA\n1 2 3\nEnd\nMove T\nA\n2 3 1\nEnd\n"
    ring = puzzlekit_definitions.parse_definition(text, "tws", name="ring", memory=10**7)
    source = Source.of(ring)
    again = source.origin.solver()
    assert Versions.here(source.origin, again.puzzle) == source.versions


def with_versions(job: J, **changes: Any) -> J:
    """A job for workers with other versions."""
    (source,) = job.sources
    versions = attrs.evolve(source.versions, **changes)
    return attrs.evolve(job, sources=(attrs.evolve(source, versions=versions),))


def test_a_worker_refuses_other_versions() -> None:
    job = squares("refused")
    wrong = with_versions(job, puzzlekit="9.9")
    with pytest.raises(PuzzlekitError, match=r"the worker process \d+ on .* instead of 9\.9"):
        do_task(BatchTask(wrong, (1,)))


def test_the_client_replays_answers() -> None:
    solver = puzzlekit.load("cube2")
    state = solver.state("R U F2")
    solution = solver.solve(state)
    replay = Replay(solver, solver.choose())
    assert replay.check(state, solution) == solution
    other = solver.solve("R")
    for wrong in (other, other.evolve(state=state)):
        found = replay.check(state, wrong)
        assert isinstance(found, PuzzlekitError)
        assert "which does not solve the state" in str(found)


# --- files ---------------------------------------------------------------------------------------


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_an_output_goes_on(tmp_path: Path) -> None:
    source, output = tmp_path / "lines", tmp_path / "answers.jsonl"
    source.write_text("R U\n\nR Q\nF2\n")
    command = ("--input", str(source), "--output", str(output))
    first = run(*command)
    assert (first.exit_code, first.stdout) == (2, "")
    written = output.read_bytes()
    found = lines_of(output)
    assert [(each["line"], each["text"]) for each in found] == [(1, "R U"), (3, "R Q"), (4, "F2")]
    assert found[0]["solution"] == "U' R'" and found[1]["kind"] == "notation"
    output.write_bytes(written[:-30])  # the last line is incomplete
    again = run(*command)
    assert again.exit_code == 2 and "2 lines of the input are already done" in again.stderr
    untimed = [
        {name: value for name, value in each.items() if "seconds" not in name} | {"improvements": 0}
        for each in (*found, *lines_of(output))
    ]
    for each in untimed:
        for phase in each.get("phases", ()):
            phase.pop("seconds")
    assert untimed[:3] == untimed[3:]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"schema": "other/1"}\n', "line 1 is not a result .* its schema is other/1"),
        ("nothing\n", "line 1 is not a result"),
        ("{}\n", "line 1 is not a result"),
    ],
)
def test_a_file_of_another_kind_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(content)
    solver = puzzlekit.load("cube2")
    with pytest.raises(UsageError, match=message):
        ResultsFile(str(path), solve_layout(solver, solver.choose()))
    assert path.read_text() == content


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"moves": ["U", "R"]}, "its moves do not solve its state"),
        ({"moves": ["Q"]}, "its moves do not solve its state"),
        ({"moves": ["U'", "R'", "F", "F'"]}, "its moves cost 4, not 2"),
        ({"length": 1}, "its moves cost 2, not 1"),
        ({"state": "U" * 24}, "its state is not the one that its text describes"),
        ({"text": "R Q"}, "its text cannot be read: column 3"),
    ],
)
@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_answers_that_are_kept_are_replayed(
    tmp_path: Path, changes: dict[str, Any], problem: str, ending: str
) -> None:
    """Once a wrong answer in the file counted as done."""
    source, output = tmp_path / "lines", tmp_path / f"answers.{ending}"
    source.write_text("R U\nF\n")
    command = ("--input", str(source), "--output", str(output))
    assert run(*command).exit_code == 0
    assert "2 lines of the input are already done" in run(*command).stderr
    if ending == "jsonl":
        first, second = lines_of(output)
        output.write_text(f"{json.dumps(first | changes)}\n{json.dumps(second)}\n")
    else:
        pyarrow = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        table = parquet.read_table(output)
        first, second = table.to_pylist()
        rows = [first | changes, second]
        parquet.write_table(pyarrow.Table.from_pylist(rows, schema=table.schema), output)
    found = run(*command)
    assert found.exit_code == 2 and problem in found.stderr


def test_results_of_other_input_are_refused(tmp_path: Path) -> None:
    source, output = tmp_path / "lines", tmp_path / "answers.jsonl"
    command = ("--input", str(source), "--output", str(output))
    source.write_text("R U\n")
    assert run(*command).exit_code == 0
    source.write_text("R U2\n")
    other = run(*command)
    assert other.exit_code == 2 and "has a result for line 1, but of another text" in other.stderr
    source.write_text("R U\n")
    metric = run(*command, "--metric", "QTM")
    assert metric.exit_code == 2 and "its metric is HTM, not QTM" in metric.stderr
    with AppendedFile(str(output)):
        busy = run(*command)
    assert busy.exit_code == 2 and "another process writes to" in busy.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="Linux has a device that is full")
def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with AppendedFile(str(tmp_path / "file")) as file, open("/dev/full", "ab", 0) as full:
        monkeypatch.setattr(file, "_file", full)
        with pytest.raises(PuzzlekitError, match="file: No space left on device"):
            file.append("text")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["R", "--jobs", "2", "--all"], "no such option '--all'"),
        (["R"], "one position needs --jobs 2 or more, or --cluster"),
        (["--input", "-", "--explain"], "--explain cannot be combined with --input"),
        (
            ["R", "--jobs", "2", "--goal", "piece:DBL"],
            "cannot share the search of one position by ",
        ),
        (["R", "--ship-tables"], "--ship-tables needs --cluster"),
        (["R", "--output", "a.jsonl"], "--output is for lines of a file"),
        ([__file__], f"{__file__} is a file: write --input {__file__}"),
        (["R", "--unordered"], "--unordered is for lines of a file"),
        (["--input", "-", "--output", "a.txt"], "has to end in .jsonl"),
        (["--input", "-", "--jobs", "2", "--cluster", "tcp://x:1"], "cannot be combined"),
    ],
)
def test_options_that_do_not_fit(arguments: list[str], message: str) -> None:
    found = run(*arguments, text="R\n")
    assert found.exit_code == 2 and message in found.stderr


# --- on workers ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_batch_on_workers(client: Any) -> None:
    solver = puzzlekit.load("cube2")
    states = [solver.random_state(seed) for seed in range(300)]
    alone = [each.moves for each in puzzlekit_batch.batch(states, solver)]
    assert [each.moves for each in puzzlekit_batch.batch(states, solver, client=client)] == alone
    found = puzzlekit_batch.batch(states, solver, client=client, unordered=True)
    moves = {each.state: (each.moves, each.declared) for each in found}
    assert [moves[state] for state in states] == [(each, solver.puzzle) for each in alone]
    mixed = puzzlekit_batch.batch(["R", "R Q", "R U F R U F"], solver, client=client, failures=True)
    assert [type(each).__name__ for each in mixed] == ["Solution", "NotationError", "Solution"]
    goal = {"goal": "piece:DBL", "target": "R"}
    aimed = [str(each) for each in puzzlekit_batch.batch(SCRAMBLES, solver, **goal)]
    assert [
        str(each) for each in puzzlekit_batch.batch(SCRAMBLES, solver, client=client, **goal)
    ] == aimed
    short = puzzlekit_batch.batch(["R U F R U F"], solver, client=client, max_length=2)
    with pytest.raises(puzzlekit.NoSolutionError):
        next(short)


@pytest.mark.slow
def test_order_and_sizes(client: Any) -> None:
    for unordered in (False, True):
        stream = Stream(client, squares(f"squares {unordered}"), unordered)
        found = list(stream.results((str(i), i) for i in range(30_000)))
        expected = [(str(i), i, i * i) for i in range(30_000)]
        assert (sorted(found, key=lambda each: each[1]) if unordered else found) == expected
        assert sum(tally.items for tally in stream.tallies.values()) == 30_000


def test_the_last_tasks_are_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """All workers then end at nearly the same time."""
    stream, sizes = Stream(None, squares("tail"), unordered=True), []
    monkeypatch.setattr(stream, "_look", lambda: 2)
    monkeypatch.setattr(stream, "_submit", lambda sent: sizes.append(len(sent.slots)))
    stream._size = 400
    stream._waiting.extend((i, i) for i in range(1000))
    stream._send()
    assert sizes == [400, 400, 200]
    sizes.clear()
    stream._waiting.extend((i, i) for i in range(1000))
    stream._end = _End(None)
    stream._send()
    assert sizes[:3] == [250, 187, 140] and sum(sizes) == 1000
    assert sizes == sorted(sizes, reverse=True) and sizes[-2] == 20
    assert len(sizes) < 20


@pytest.mark.slow
def test_few_items_are_read_ahead(client: Any) -> None:
    stream = Stream(client, squares("endless", seconds=0.01))
    results = stream.results((i, i) for i in itertools.count())
    assert [next(results)[2] for _ in range(20)] == [i * i for i in range(20)]
    assert len(stream._running) <= IN_FLIGHT * 2
    results.close()
    assert not stream._running


@pytest.mark.slow
def test_slow_input_does_not_hold_results_back(client: Any) -> None:
    more = threading.Event()

    def slow() -> Iterator[tuple[int, int]]:
        yield 1, 1
        yield 2, 2
        assert more.wait(60)
        yield 3, 3
        raise UsageError("the input ends with an error")

    results = Stream(client, squares("slow")).results(slow())
    assert [next(results)[2], next(results)[2]] == [1, 4]
    more.set()
    assert next(results)[2] == 9
    with pytest.raises(UsageError, match="ends with an error"):
        next(results)


@pytest.mark.slow
def test_workers_are_refused_by_name(client: Any) -> None:
    solver = puzzlekit.load("cube2")
    job = solve_job(solver, solver.choose(), SearchOptions(), Limits())
    assert check_workers(client, job) == 2
    changes: dict[str, dict[str, Any]] = {
        "instead of 9.9": {"puzzlekit": "9.9"},
        r"has the plugin \w*puzzlekit .* instead of other 1": {"plugin": "other 1"},
        "declares other moves": {"moves": 0},
    }
    for message, change in changes.items():
        wrong = with_versions(job, **change)
        with pytest.raises(PuzzlekitError, match=f"the worker tls://.* {message}"):
            check_workers(client, wrong)
    missing = attrs.evolve(
        job, sources=(attrs.evolve(job.sources[0], origin=origin_of("nothing")),)
    )
    with pytest.raises(PuzzlekitError, match="cannot load the puzzle nothing"):
        check_workers(client, missing)


@pytest.mark.slow
def test_scrambles_with_processes(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batching, "connected", lambda _: contextlib.nullcontext(client))
    practice = ("--goal", "piece:DBL", "--not", "layer:D", "--count", "5")
    for one, arguments in (
        (("scramble", "-p", "cube2"), ("-p", "cube2", "--count", "40")),
        (("practice", "-p", "cube2"), ("-p", "cube2", *practice)),
        (("event-scramble", "222"), ("--event", "222", "--count", "4")),
    ):
        more = (*arguments[2:], "--seed", "7")
        alone = CliRunner().invoke(main, (*one, *more))
        shared = CliRunner().invoke(main, ("batch-scramble", *arguments[:2], *more, "--jobs", "2"))
        assert (shared.exit_code, shared.stdout) == (0, alone.stdout), shared.stderr


@pytest.mark.slow
def test_wrong_scrambles_of_workers_are_found(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batching, "connected", lambda _: contextlib.nullcontext(client))
    command = ["batch-scramble", "-p", "cube2", "--goal", "piece:DBL", "--seed", "7"]
    command += ["--jobs", "2"]
    monkeypatch.setattr(GoalStates, "has", lambda *_: False)  # here, but not on the workers
    found = CliRunner().invoke(main, command)
    assert found.exit_code == 4 and "a worker returned a wrong scramble" in found.stderr


@pytest.mark.slow
def test_processes_share_one_position(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    solver = puzzlekit.load("cube3")
    state = solver.state("R U2 F' L2 D B2 R' U F2 D' L B")
    options = SearchOptions("optimal", profile="small")
    choice = solver.choose(options)
    check_shared(choice)
    job = solve_job(solver, choice, options, Limits())
    known = solver.search(state, choice, Limits())
    monkeypatch.setattr(tree_search, "_HELPED_FROM", 100)
    helpers = SubtreeHelpers(client, job)
    found = solver.search(state, choice, Limits(helpers=helpers))
    assert (found.cost, found.optimal) == (known.cost, True) and helpers.count == 2
    assert helpers.tallies and not helpers.deaths
    with pytest.raises(NoSolutionError, match="there is no solution of at most 11 HTM"):
        solver.search(state, choice, Limits(max_length=11, helpers=helpers))


@pytest.mark.slow
def test_processes_share_one_position_with_a_goal(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batching, "connected", lambda _: contextlib.nullcontext(client))
    # Alike pieces are apart in the goal, so the search goes a roundabout way.
    asked = ["-p", "fto", "R U", "--goal", "state:U L", "--method", "optimal", "--jobs", "2"]
    found = CliRunner().invoke(main, ["batch", *asked])
    assert found.exit_code == 0 and "length    4 TURNS" in found.stdout, found.stderr


@pytest.mark.slow
def test_the_command_with_processes(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    (tmp_path / "lines").write_text("\n".join(SCRAMBLES) + "\nR Q\n")
    alone = run("--input", str(tmp_path / "lines"))
    found = subprocess.run(
        [*COMMAND, "batch", "-p", "cube2", "--input", "lines", "--jobs", "2"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (found.returncode, found.stdout) == (alone.exit_code, alone.stdout)
    assert "error: line 6: column 3: 'Q': not a move" in found.stderr
    assert "tables built" in found.stderr and "Traceback" not in found.stderr
