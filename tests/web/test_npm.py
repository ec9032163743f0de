"""The npm package: made as for a release, and used by Node.js."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import exported
import pytest
from documents import ROOT

import puzzlekit

NPM = ROOT / "packaging" / "npm"
PROGRAM = """
import { puzzlekit } from "./index.js";

const kit = await puzzlekit();
const solved = await kit.solve("cube2", "R U F2");
const told = async (made) => made.then(() => "", (error) => error.message);
console.log(JSON.stringify({
  puzzles: kit.puzzles,
  solved,
  checked: await kit.check("cube2", "OGWWGYWRBOGGYRYYBROORWBO"),
  fine: await kit.check("cube2", "R R'"),
  scrambles: [await kit.scramble("cube2", 7), await kit.scramble("cube2", 7)],
  errors: [await told(kit.solve("cube2", "R Q")), await told(kit.solve("cube9", "R"))],
}));
"""

pytestmark = pytest.mark.skipif(not NPM.exists(), reason="this is not a checkout")


def test_the_package_has_our_version_and_stays_small() -> None:
    stated = json.loads((NPM / "package.json").read_text(encoding="utf-8"))
    assert stated["version"] == puzzlekit.__version__
    script = (ROOT / "packaging" / "npm.sh").read_text(encoding="utf-8")
    assert f"pyodide@{stated['dependencies']['pyodide']}" in script
    files = [*NPM.iterdir(), ROOT / "packaging" / "npm.sh"]
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) < 300


@pytest.mark.slow
def test_its_python_answers_in_any_python() -> None:
    source = (NPM / "index.js").read_text(encoding="utf-8").partition("const PYTHON = `")[2]
    own: dict[str, Any] = {}
    exec(source.partition("`;")[0].replace("${LIBRARY}", str(ROOT / "none")), own)
    sys.path.remove(str(ROOT / "none"))

    def asked(*arguments: str) -> Any:
        return json.loads(own["answer"]("check", json.dumps(arguments)))

    wrong = asked("cube2", "OGWWGYWRBOGGYRYYBROORWBO")["answer"]
    assert wrong["repairs"] == ["sticker B4: B in place of O"] and not wrong["possible"]
    assert asked("cube2", "R R'")["answer"]["solved"]


@pytest.mark.long
def test_node_solves(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node")
    pyodide = exported.pyodide()
    made = tmp_path / "package"
    command = ["bash", str(ROOT / "packaging" / "npm.sh"), str(made), pyodide, "cube2"]
    environment = os.environ | {"PYTHON": sys.executable}
    subprocess.run(command, env=environment, check=True, capture_output=True)
    modules = made / "node_modules"
    modules.mkdir()
    if Path(pyodide).is_dir():
        shutil.copytree(pyodide, modules / "pyodide")
    else:
        with tarfile.open(pyodide) as archive:
            archive.extractall(modules, filter="data")
        (modules / "package").rename(modules / "pyodide")
    (made / "program.mjs").write_text(PROGRAM, encoding="utf-8")
    done = subprocess.run(
        [node, "program.mjs"], cwd=made, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["puzzles"] == ["cube2"]
    assert found["solved"]["solution"] == "F2 U' R'" and found["solved"]["optimal"]
    assert found["checked"]["repairs"] == ["sticker B4: B in place of O"]
    assert not found["checked"]["possible"] and found["fine"]["solved"]
    one, other = found["scrambles"]
    assert one == other
    state = puzzlekit.load("cube2").state(one)
    assert not puzzlekit.load("cube2").puzzle.is_solved(state)
    assert "column 3" in found["errors"][0] and "cube9" in found["errors"][1]
