"""A plugin in its own distribution brings a pruning table of any layout and a compiled module."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

import attrs
import pytest
from bundled import COMPILED
from documents import ROOT
from engines import interpreted  # noqa: F401 (a fixture)

from puzzlekit import (
    Method,
    Metric,
    Orbit,
    Permutation,
    Phase,
    Plain,
    PruningTable,
    Puzzle,
    Sequential,
    Solver,
    TableStore,
)
from puzzlekit.tables.product_distances import distances
from puzzlekit.tables.pruning_table import TableText
from puzzlekit_beam import Beam
from puzzlekit_twophase import Anytime

EXAMPLE = ROOT / "examples" / "rows"
needs_compiler = pytest.mark.skipif(not COMPILED, reason="there is no compiler")

TRY = """
import puzzlekit, puzzlekit_rows
from puzzlekit.plugins.manager import manager
from puzzlekit_authoring import run_checks

manager().register(puzzlekit_rows, "rings")
solver = puzzlekit.load("rings")
for name in ("compiled", "interpreted", "plain"):
    solution = solver.solve("R2 L R' L2 R L' R", method=name)
    nodes = sum(phase.nodes for phase in solution.phases)
    print(name, solution.cost, solution.optimal, nodes)
from puzzlekit.engine import space
from puzzlekit_rows.engine import lookup
print(*(module.__file__.endswith(".py") for module in (space, lookup)))
for result in run_checks("rings", "quick"):
    if result.outcome not in ("ok", "skipped"):
        print(result)
    if "interpreted" in result.check.title:
        print(result.check.title, result.outcome)
"""


@pytest.fixture
def example(tmp_path: Path) -> Path:
    left_out = shutil.ignore_patterns("build", "*.so", "*.c", "*.egg-info", "__pycache__")
    shutil.copytree(EXAMPLE, tmp_path / "rows", ignore=left_out)
    return tmp_path / "rows"


def tried(example: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    paths = {"PYTHONPATH": str(example), "PUZZLEKIT_CACHE": str(example / "cache")}
    return subprocess.run(
        [sys.executable, "-c", TRY],
        env=os.environ | paths | environment,
        cwd=example,
        capture_output=True,
        text=True,
    )


@pytest.mark.slow
@needs_compiler
def test_a_compiled_module_of_a_plugin_looks_up_a_table(example: Path) -> None:
    build = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    quickly = {**os.environ, "CFLAGS": "-O0"}
    subprocess.run(build, cwd=example, check=True, capture_output=True, env=quickly)
    assert list(example.glob(f"puzzlekit_rows/engine/*{EXTENSION_SUFFIXES[0]}"))
    compiled = tried(example)
    assert compiled.returncode == 0, compiled.stderr
    lines = compiled.stdout.splitlines()
    assert lines[0].split()[1:] == lines[1].split()[1:]  # the same nodes
    assert lines[0].split()[1:3] == lines[2].split()[1:3] == ["7", "True"]
    assert lines[3] == "False False"
    agree = "interpreted and compiled searches agree"
    assert [line for line in lines[4:] if line != f"{agree} ok"] == []
    assert len(lines) > 4
    plainly = tried(example, PUZZLEKIT_INTERPRETED="1")
    assert plainly.stdout.splitlines()[:4] == [*lines[:3], "True True"], plainly.stderr


@needs_compiler
def test_a_plugin_that_is_not_compiled_is_refused_by_a_compiled_engine(example: Path) -> None:
    refused = tried(example)
    assert refused.returncode != 0
    assert "puzzlekit_rows.engine is not compiled" in refused.stderr
    assert "missing: lookup" in refused.stderr and "PUZZLEKIT_INTERPRETED=1" in refused.stderr


@pytest.mark.slow
def test_the_source_of_a_plugin_runs_with_the_interpreted_engine(example: Path) -> None:
    shown = tried(example, PUZZLEKIT_INTERPRETED="1")
    assert shown.stdout.splitlines()[3] == "True True", shown.stderr


# --- tables that a Python method looks up, in every kind of search


@attrs.frozen
class Reversed(PruningTable):
    """Distances from the last value to the first: a layout that the engine does not know."""

    coordinates: str
    bits = 0
    is_exact = False

    def check(self, graph: Any) -> None:
        pass

    def entries_in(self, graph: Any) -> int:
        return int(graph.values)

    def text(self, graph: Any) -> TableText:
        return TableText(f"reversed {graph.metric}", f"reversed 1 {graph.identity}", "distances")

    def build(self, graph: Any, store: TableStore, tell: Any) -> Any:
        return distances(graph, store, tell)[::-1].copy()

    def lookup(self, graph: Any, data: memoryview, values: list[int]) -> int:
        index = 0
        for value, each in zip(values, graph.coordinates, strict=True):
            index = index * each.size + value
        return int(data[-1 - index])


@attrs.frozen
class Broken(Reversed):
    """A table whose look-up fails."""

    def lookup(self, graph: Any, data: memoryview, values: list[int]) -> int:
        raise LookupError("out of order")


TURNS = {
    "L": (bytes([1, 2, 3, 0, 4, 5, 6]), bytes(7)),
    "R": (bytes([0, 1, 2, 4, 5, 6, 3]), bytes(7)),
}
RINGS = Puzzle(
    "rings",
    "Two rings",
    (Orbit("beads", "bead", "A B C D E F G"),),
    TURNS,
    (Metric("TURNS", "turns of a ring", {"L": 1, "R": 1}),),
)
PARTS = (
    Permutation("middle", RINGS, "beads", "C D E"),
    Permutation("outer", RINGS, "beads", "A B F G"),
)


def solver_of(table: type[Plain] | type[Reversed], tmp_path: Path) -> Solver:
    """All strategies, with tables over one coordinate and over both."""
    first = Phase("first", "three beads", "L R", PARTS[:1], (table("middle"),))
    own = (table("middle outer"), table("outer"))
    second = Phase("second", "all beads", "L R", PARTS, own)
    strategies = {
        "optimal": ((second,), None),
        "sequential": ((first, second), Sequential()),
        "anytime": ((first, second), Anytime()),
        "beam": ((first, second), Beam(shares=(0.4, 0.4))),
    }
    made = []
    for name, (phases, strategy) in strategies.items():
        options = {} if strategy is None else {"strategy": strategy}
        made.append(Method(name, f"by {name}", phases, **options))
    return Solver(RINGS, made, store=TableStore(str(tmp_path)))


def found(solver: Solver, method: str, heuristic: str | None = None) -> tuple[object, ...]:
    limit = {} if method in ("optimal", "sequential") else {"max_nodes": 20_000}
    solution = solver.solve("R2 L R' L2 R L' R", method=method, heuristic=heuristic, **limit)
    return str(solution), solution.optimal, [phase.nodes for phase in solution.phases]


@pytest.mark.parametrize("method", ["optimal", "sequential", "anytime", "beam"])
def test_every_search_asks_a_table_of_any_layout(method: str, tmp_path: Path) -> None:
    expected = found(solver_of(Plain, tmp_path), method)
    assert found(solver_of(Reversed, tmp_path), method) == expected


@pytest.mark.parametrize("method", ["optimal", "sequential"])
def test_interpreted_searches_ask_it_too(
    method: str,
    tmp_path: Path,
    interpreted: None,  # noqa: F811 (a fixture)
) -> None:
    expected = found(solver_of(Plain, tmp_path), method)
    assert found(solver_of(Reversed, tmp_path), method) == expected


def test_distances_of_a_table_of_any_layout_can_be_joined(tmp_path: Path) -> None:
    expected = found(solver_of(Plain, tmp_path), "sequential", "sum")
    assert found(solver_of(Reversed, tmp_path), "sequential", "sum") == expected


@pytest.mark.parametrize("method", ["optimal", "sequential", "anytime", "beam"])
def test_the_error_of_a_look_up_is_raised(method: str, tmp_path: Path) -> None:
    with pytest.raises(LookupError, match="out of order"):
        found(solver_of(Broken, tmp_path), method)
