"""The way of one solve, as CONTRIBUTING.md lists it, against a solve that is traced."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import puzzlekit

GUIDE = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
STEPS = re.findall(
    r"^\d+\. `(?:plugins/\w+/)?(puzzlekit\w*/[\w/]+\.py)`, `([\w.]+)`: ", GUIDE, re.MULTILINE
)

# Prints [path, line of the definition] of each function called, in the order of the first calls.
TRACER = """
import json, sys, threading
from puzzlekit.cli import main
called = {}
def note(frame, event, argument):
    if event == "call":
        called.setdefault((frame.f_code.co_filename, frame.f_code.co_firstlineno))
threading.setprofile(note)
sys.setprofile(note)
try:
    main(["solve", "--puzzle", "cube3", "R U F2 D L B"], standalone_mode=False)
except SystemExit:
    pass
sys.setprofile(None)
print()
print(json.dumps(list(called)))
"""


def installed(path: str) -> Path:
    """Where the code that runs is, of a file such as "puzzlekit/cli/solve.py"."""
    package, _, inside = path.partition("/")
    return Path(import_module(package).__path__[0], inside)


def first_line(path: str, name: str) -> int:
    """The line at which a function ("solve") or method ("Solver.solve") begins."""
    node: ast.AST | None = ast.parse(installed(path).read_text(encoding="utf-8"))
    for part in name.split("."):
        inside = ast.iter_child_nodes(node) if node is not None else ()
        node = next((each for each in inside if getattr(each, "name", None) == part), None)
    assert isinstance(node, ast.FunctionDef), f"{path} has no function {name}"
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


def is_compiled(path: str) -> bool:
    """Whether a module is compiled, so that its functions cannot be traced."""
    spec = find_spec(path.removesuffix(".py").replace("/", "."))
    return spec is not None and not str(spec.origin).endswith(".py")


@pytest.mark.slow
def test_one_solve_goes_the_way_that_the_guide_lists(tmp_path: Path) -> None:
    assert len(STEPS) >= 15
    starts = [[str(installed(path)), first_line(path, name)] for path, name in STEPS]
    puzzlekit.load("cube3").prepared(None)  # builds the tables
    done = subprocess.run(
        [sys.executable, "-c", TRACER],
        cwd=tmp_path,  # not in a checkout, whose sources would be imported
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
        timeout=100,
    )
    called = json.loads(done.stdout.splitlines()[-1])
    traced = {
        step: called.index(start) if start in called else None
        for step, start in zip(STEPS, starts, strict=True)
        if not is_compiled(step[0])
    }
    assert [step for step, at in traced.items() if at is None] == []
    assert list(traced) == sorted(traced, key=lambda step: traced[step] or 0)
