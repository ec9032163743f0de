"""What `puzzlekit serve --export` writes, and what the worker of a site answers."""

from __future__ import annotations

import gzip
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest
from click.testing import CliRunner

import puzzlekit
from puzzlekit.cli import main
from puzzlekit.search.options import table_keys
from puzzlekit.search.strategies.sequential import Sequential
from puzzlekit_web import PAGE, worker
from puzzlekit_web.export import _PYODIDE

CUBE2 = puzzlekit.load("cube2")
SEEN = {
    "U": (240, 240, 235),
    "R": (180, 30, 35),
    "F": (30, 140, 70),
    "D": (215, 205, 40),
    "L": (235, 110, 30),
    "B": (25, 70, 150),
}
HARD = CUBE2.positions.to_facelets(CUBE2.random_state(7))
SCRAMBLED = CUBE2.positions.to_facelets(CUBE2.state("R U F2 R'"))


@pytest.fixture(scope="module")
def pyodide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with files that are named as those of the package."""
    directory = tmp_path_factory.mktemp("pyodide")
    for name in _PYODIDE:
        (directory / name).write_text(name)
    lock = {"packages": {"numpy": {"file_name": "numpy.whl"}}}
    (directory / "pyodide-lock.json").write_text(json.dumps(lock))
    (directory / "numpy.whl").write_text("numpy")
    return directory


def export(*options: object) -> Any:
    """What the command comes to."""
    return CliRunner(env={"PUZZLEKIT_PYODIDE": None}).invoke(main, ["serve", *map(str, options)])


@pytest.fixture(scope="module")
def site(pyodide: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with the 2x2x2 alone."""
    directory = tmp_path_factory.mktemp("export") / "site"
    done = export("--export", directory, "--pyodide", pyodide, "--puzzle", "2x2x2")
    assert done.exit_code == 0, done.output
    assert re.match(r"the site is in .* \(\d", done.stdout)
    return directory


@pytest.mark.slow
def test_the_site_has_the_page_and_answers_to_get(site: Path) -> None:
    page = {path.relative_to(PAGE).as_posix() for path in PAGE.rglob("*") if path.is_file()}
    there = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    assert page <= there
    assert "./local.js" in (site / "transport.js").read_text()
    (listed,) = json.loads((site / "api" / "puzzles.json").read_text())["puzzles"]
    assert listed == {"name": "cube2", "title": "2x2x2 cube"}
    record = json.loads((site / "api" / "puzzles" / "cube2.json").read_text())
    (method,) = record["methods"]
    assert (method["name"], method["metrics"]) == ("optimal", ["HTM"])
    assert method["heuristics"] == ["max"]
    assert record["scans"] and (site / "pyodide" / "numpy.whl").exists()


@pytest.mark.slow
def test_every_file_is_kept_for_a_visit_without_a_network(site: Path) -> None:
    script = (site / "offline.js").read_text()
    version = re.search(r'const VERSION = "[0-9a-f]{8}";', script)
    assert version is not None
    assert (
        version[0] in (site / "worker.js").read_text()
    )  # the bytecode that it keeps is of one site
    found = re.search(r"const FILES = (\[.*\]);", script)
    assert found is not None
    there = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    assert {*json.loads(found[1])} == {"./", *(name for name in there if "tables/" not in name)}


@pytest.mark.slow
def test_the_tables_are_those_of_the_cache(site: Path) -> None:
    tables = json.loads((site / "site.json").read_text())["tables"]["cube2"]
    stored = {key.filename: CUBE2.store.npy(key) for key in table_keys(CUBE2.choose())}
    assert len(tables) == len(stored) == 3
    for each in tables:
        packed = (site / "tables" / f"{each['path']}.gz").read_bytes()
        assert len(packed) == each["bytes"]
        assert gzip.decompress(packed) == stored[Path(each["path"]).name]


@pytest.fixture(scope="module")
def library(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The library of the site, unpacked as the worker does it."""
    directory = tmp_path_factory.mktemp("library")
    zipfile.ZipFile(site / "library.zip").extractall(directory)
    yield directory


@pytest.mark.slow
def test_the_library_solves_by_itself(site: Path, library: Path, tmp_path: Path) -> None:
    """With nothing but the standard library beside it, and without `thread_time`."""
    files = json.loads((site / "site.json").read_text())
    assert [*files["steps"]["cube2"]] == ["ortega"]
    early = files["early"]["cube2"]
    for each in (*files["tables"]["cube2"], *early, *files["steps"]["cube2"]["ortega"]):
        place = tmp_path / each["path"]
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(gzip.decompress((site / "tables" / f"{each['path']}.gz").read_bytes()))
    seen = [SEEN[letter] for letter in SCRAMBLED]
    code = f"""
import json, sys, time
del time.thread_time
sys.path.insert(0, {str(library)!r})
from puzzlekit_web import worker
worker.prepare("cube2")
body = {json.dumps({"stickers": SCRAMBLED})!r}
worker.solve("cube2", body, lambda event, data: print(event, data))
body = {json.dumps({"stickers": SCRAMBLED, "steps": "ortega"})!r}
worker.solve("cube2", body, lambda event, data: print(event, data))
body = {json.dumps({"stickers": SCRAMBLED, "steps": "roux"})!r}
worker.solve("cube2", body, lambda event, data: print(event, data))
worker.PATIENCE = -1.0  # the search has no answer in time
first = []
body = {json.dumps({"stickers": HARD})!r}
worker.solve("cube2", body, lambda event, data: first.append((event, json.loads(data))))
(_, early), (event, best) = first[0], first[-1]
assert (early["method"], event, best["method"]) == ("universal", "done", "optimal"), first
assert best["optimal"] and best["length"] < early["length"]
assert "numpy" not in sys.modules
sys.path.append({str(Path(np.__file__).parents[1])!r})  # where the worker loads it for a scan
print(worker.answer("cube2", "scan", {json.dumps({"colours": seen})!r}))
"""
    # Without site-packages (-S), and without what the environment adds to the path (-I).
    command = [sys.executable, "-I", "-S", "-c", code]
    environment = {"PUZZLEKIT_CACHE": str(tmp_path), "HOME": str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    *told, scanned = done.stdout.splitlines()
    assert json.loads(scanned) == [
        200,
        {"stickers": SCRAMBLED, "doubts": [], "mended": [], "turned": ""},
    ]
    found, stepped, refused = (
        line.partition(" ") for line in told if not line.startswith("answer")
    )
    assert (found[0], stepped[0], refused[0]) == ("done", "done", "error")
    assert json.loads(found[2])["optimal"]
    assert [each["name"] for each in json.loads(stepped[2])["phases"]] == ["face", "oll", "pbl"]
    assert "no step method 'roux'" in refused[2]


@pytest.mark.slow
def test_later_visits_find_bytecode(site: Path, tmp_path: Path) -> None:
    """A part of the standard library, and the whole library; modules in use have no sources."""
    standard, library = tmp_path / "standard.zip", tmp_path / "library.zip"
    with zipfile.ZipFile(tmp_path / "sources.zip", "w") as sources:
        sources.writestr("json/__init__.py", "HERE = 1")
        sources.writestr("json/other.py", "")
        sources.writestr("turtle.py", "")
    steps = [*worker.compiled(str(tmp_path / "sources.zip"), str(standard), whole=False)]
    steps += worker.compiled(str(site / "library.zip"), str(library), whole=True)
    assert len(steps) > 100  # pauses
    assert zipfile.ZipFile(standard).namelist() == ["json/__init__.pyc", "json/other.py"]
    given, made = (zipfile.ZipFile(each).namelist() for each in (site / "library.zip", library))
    assert [name.replace(".pyc", ".py") for name in made] == given
    zipfile.ZipFile(library).extractall(tmp_path / "library")
    code = f"""
import sys
sys.path[:0] = [{str(standard)!r}, {str(tmp_path / "library")!r}]
import json
assert json.HERE == 1
del sys.path[0], sys.modules["json"]
from puzzlekit_web import worker
assert worker.__file__.endswith("worker.pyc")
assert worker.answer("cube2", "random", "{{}}").startswith("[200")
"""
    command = [sys.executable, "-I", "-S", "-c", code]
    done = subprocess.run(command, env={"HOME": str(tmp_path)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_the_package_may_be_packed(pyodide: Path, tmp_path: Path) -> None:
    packed = tmp_path / "pyodide.tgz"
    with tarfile.open(packed, "w:gz") as archive:
        for name in _PYODIDE:  # no NumPy
            content = (pyodide / name).read_bytes()
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    done = export("--export", tmp_path / "site", "--pyodide", packed, "--puzzle", "cube2")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "site" / "pyodide" / "pyodide.mjs").read_text() == "pyodide.mjs"
    record = json.loads((tmp_path / "site" / "api" / "puzzles" / "cube2.json").read_text())
    assert not record["scans"]


@pytest.mark.slow
def test_an_earlier_site_is_replaced_and_nothing_else(pyodide: Path, tmp_path: Path) -> None:
    options = ("--export", tmp_path / "site", "--pyodide", pyodide, "--puzzle")
    assert export(*options, "ivy").exit_code == 0
    assert export(*options, "eight").exit_code == 0
    assert [path.name for path in (tmp_path / "site" / "api" / "puzzles").iterdir()] == [
        "eight.json"
    ]
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "diary.txt").write_text("mine")
    done = export("--export", tmp_path / "own", "--pyodide", pyodide, "--puzzle", "cube2")
    assert done.exit_code == 2
    assert "has other files than a site" in done.stderr
    assert [path.name for path in (tmp_path / "own").iterdir()] == ["diary.txt"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--export", "site"], "npm pack pyodide"),
        (["--export", "site", "--pyodide", "missing.tgz"], "missing.tgz is not the npm package"),
        (
            ["--export", "site", "--pyodide", __file__],
            "is not the npm package pyodide: not a gzip file;",
        ),
        (["--pyodide", "missing.tgz"], "need --export"),
        (["--puzzle", "cube2"], "need --export"),
    ],
)
def test_options_that_do_not_fit(options: list[str], told: str) -> None:
    done = export(*options)
    assert done.exit_code == 2
    assert told in done.stderr


@pytest.mark.slow
def test_puzzles_that_need_numpy(
    pyodide: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser loads NumPy for them; a site without NumPy lacks them."""
    chosen = ("--puzzle", "cube2", "--puzzle", "rex")
    with_numpy = export("--export", tmp_path / "with", "--pyodide", pyodide, *chosen)
    assert with_numpy.exit_code == 0, with_numpy.stderr
    assert "without NumPy" not in with_numpy.stderr
    assert json.loads((tmp_path / "with" / "site.json").read_text())["numpy"] == ["rex"]
    bare = tmp_path / "pyodide"
    shutil.copytree(pyodide, bare)
    (bare / "numpy.whl").unlink()
    refused = export("--export", tmp_path / "chosen", "--pyodide", bare, *chosen)
    assert refused.exit_code == 2 and "missing, for rex: unpack" in refused.stderr
    monkeypatch.setattr("puzzlekit_web.export.puzzles_shown", lambda: ["cube2", "rex"])
    without = export("--export", tmp_path / "without", "--pyodide", bare)
    assert without.exit_code == 0, without.stderr
    assert "without NumPy it lacks rex: unpack" in without.stderr
    listed = json.loads((tmp_path / "without" / "api" / "puzzles.json").read_text())["puzzles"]
    assert [each["name"] for each in listed] == ["cube2"]


def test_a_puzzle_that_a_site_cannot_have(pyodide: Path, tmp_path: Path) -> None:
    done = export("--export", tmp_path / "s", "--pyodide", pyodide, "--puzzle", "square1")
    assert done.exit_code == 2
    assert "a site cannot have square1; it can have cube2, " in done.stderr


def test_a_method_says_that_it_needs_a_compiler() -> None:
    """A site then has another method of the puzzle."""
    cube = puzzlekit.load("cube2")

    class Slow(Sequential):
        needs_compiler = True

    first, second = cube.methods
    slow = attrs.evolve(first, strategy=Slow())
    solver = puzzlekit.Solver(cube.puzzle, [slow, second], cube.store)
    assert worker.site_methods(solver) == [second]


@pytest.mark.slow
def test_puzzles_without_stickers_are_on_a_site(pyodide: Path, tmp_path: Path) -> None:
    """Large boards have a beam, which needs NumPy and no tables."""
    chosen = ("--puzzle", "eight", "--puzzle", "fifteen", "--puzzle", "clock")
    done = export("--export", tmp_path / "site", "--pyodide", pyodide, *chosen)
    assert done.exit_code == 0, done.stderr
    made = json.loads((tmp_path / "site" / "site.json").read_text())
    assert made["numpy"] == ["fifteen"] and not made["tables"]["fifteen"]
    tiles = puzzlekit.load("fifteen")
    state = tiles.positions.to_facelets(tiles.random_state(1))
    status, drawn = json.loads(worker.answer("fifteen", "draw", json.dumps({"frames": [state]})))
    assert status == 200 and drawn["pictures"][0].startswith("<svg")
    told: list[tuple[str, Any]] = []
    body = json.dumps({"stickers": state, "timeout": 20})
    worker.solve("fifteen", body, lambda event, data: told.append((event, json.loads(data))))
    assert told[-1][0] == "done" and told[-1][1]["method"] == "beam"


# --- the worker ----------------------------------------------------------------------------------


def answered(question: str, body: Any) -> tuple[int, Any]:
    """What the worker answers."""
    status, record = json.loads(worker.answer("cube2", question, json.dumps(body)))
    return status, record


def test_questions_are_answered_as_by_a_server() -> None:
    status, report = answered("diagnose", {"stickers": SCRAMBLED})
    assert status == 200 and report["complete"] and not report["faults"]
    assert answered("random", {"seed": 7})[1]["facelets"] == "RLBURDRFLFRBBUUUDDBDFFLL"
    assert answered("random", {"seed": None})[0] == 200
    assert answered("random", [])[0] == 400
    status, error = answered("read", {"text": "R Q"})
    assert (status, error["kind"], error["column"]) == (422, "notation", 3)
    assert answered("diagnose", {"sticker": ""})[0] == 400


def test_a_search_tells_of_its_answers() -> None:
    told: list[tuple[str, Any]] = []
    body = json.dumps({"stickers": SCRAMBLED})
    worker.solve("cube2", body, lambda event, data: told.append((event, json.loads(data))))
    assert [event for event, _ in told][-1] == "done"
    assert told[-1][1]["moves"] == ["R", "F2", "U'", "R'"]
    worker.solve("cube2", "{}", lambda event, data: told.append((event, json.loads(data))))
    assert told[-1] == ("error", {"error": "the field 'stickers' is missing", "kind": "request"})


def test_an_early_answer_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scramble ends with it, and the next search of the state begins with it."""
    monkeypatch.setattr(worker, "PATIENCE", -1.0)
    told: list[tuple[str, Any]] = []

    def solve(**limits: Any) -> list[str]:
        told.clear()
        body = json.dumps({"stickers": HARD, **limits})
        worker.solve("cube2", body, lambda event, data: told.append((event, json.loads(data))))
        return [event for event, _ in told]

    assert solve(max_length=1_000_000, timeout=10) == ["answer", "done"]
    early = told[-1][1]["moves"]
    monkeypatch.setattr(worker, "_early", None)
    assert solve() == ["answer", "answer", "done"]
    assert told[0][1]["moves"] == early and told[-1][1]["optimal"]
    monkeypatch.undo()
    assert solve(max_length=11)[-1] == "done"


def test_a_goal_has_no_early_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of `universal` would solve the whole puzzle."""
    monkeypatch.setattr(worker, "PATIENCE", -1.0)
    told: list[tuple[str, Any]] = []
    body = json.dumps({"stickers": HARD, "goal": "layer"})
    worker.solve("cube2", body, lambda event, data: told.append((event, json.loads(data))))
    assert told[-1][0] == "done"
    assert all(each["goal"]["name"] == "layer" for _, each in told if "moves" in each)


def test_the_tables_of_a_site_are_not_too_large() -> None:
    methods = {name: worker.site_solver(name).method().name for name in ("cube3", "cube4")}
    assert methods == {"cube3": "two-phase", "cube4": "six-phase"}
    (method,) = worker.site_solver("cube3").methods
    assert method.profile == "small"
