"""What is installed is complete, and the documents say what is true."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata, resources
from pathlib import Path
from typing import Any

import pytest
from documents import DOCUMENTS, PACKAGES, ROOT, hooks_of

import puzzlekit
from puzzlekit.engine.compiled import missing
from puzzlekit.version import DISTRIBUTION

README = (ROOT / "README.md").read_text(encoding="utf-8")


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def installed() -> metadata.Distribution:
    """Our distribution, the one whose plugins are the bundled ones, whatever it is called."""
    (cube,) = metadata.entry_points(group="puzzlekit", name="cube3")
    assert cube.dist
    return cube.dist


def test_version(installed: metadata.Distribution) -> None:
    assert installed.version == puzzlekit.__version__
    assert f"## {puzzlekit.__version__} " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_nothing_tells_anyone_to_install_the_distribution_of_others() -> None:
    """The distribution called puzzlekit is another program."""
    assert project()["name"] == DISTRIBUTION
    wrong = re.compile(
        r"(?<![\w-])puzzlekit\[\w|(pip|pipx|uv|uvx|uv tool|conda|mamba|pixi)( install| add| run)? "
        r"(-\S+ |--from )*['\"]?puzzlekit(?![\w./-])|dependencies = \[\"puzzlekit[\"><=]"
    )
    for text in ("pip install 'puzzlekit[plot]'", "uvx puzzlekit", "pip install -U puzzlekit"):
        assert wrong.search(text), text
    searched = 0
    for top in ("README.md", "CONTRIBUTING.md", "pyproject.toml", "docs", "puzzlekit", "plugins",
                "examples", "packaging", "paper", ".github"):  # fmt: skip
        for path in [ROOT / top, *(ROOT / top).rglob("*")]:
            if path.suffix in (".md", ".py", ".toml", ".yaml", ".yml", ".template", ".rb", ".cff"):
                found = wrong.search(path.read_text(encoding="utf-8"))
                assert not found, f"{path}: {found}"
                searched += 1
    assert searched > 100


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_ship_their_types(package: str) -> None:
    assert resources.files(package).joinpath("py.typed").is_file()


def test_every_package_is_named_here(installed: metadata.Distribution) -> None:
    found = installed.files or []
    shipped = {path.parts[0] for path in found if path.name == "py.typed"}
    assert shipped in ({*PACKAGES}, set())  # nothing is listed of an editable installation


def test_json_schema_ships() -> None:
    package = resources.files("puzzlekit")
    directories = [package, *(entry for entry in package.iterdir() if entry.is_dir())]
    names = [entry.name for directory in directories for entry in directory.iterdir()]
    assert any(name.endswith(".schema.json") for name in names)


def test_entry_points(installed: metadata.Distribution) -> None:
    ours = {each.name: each.value for each in installed.entry_points.select(group="puzzlekit")}
    assert ours == {name.partition("_")[2]: name for name in PACKAGES if hooks_of(name)}
    (script,) = metadata.entry_points(group="console_scripts", name="puzzlekit")
    assert callable(script.load())


def test_licence(installed: metadata.Distribution) -> None:
    assert installed.metadata["License-Expression"] == "MIT"
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")
    files = installed.files or []
    assert any(path.name == "LICENSE" for path in files)


def test_only_the_peers_need_a_compiler() -> None:
    everything = {"peers": [], **project()["optional-dependencies"]}
    del everything["peers"]
    required = [
        *project()["dependencies"],
        *(name for names in everything.values() for name in names),
    ]
    assert not any("kociemba" in name for name in required)


def test_readme_starts_with_two_commands() -> None:
    found = re.findall(r"```sh\n(.*?)\n```", README, re.DOTALL)
    solve, test = found[:2]
    assert README.index(solve) < README.index("\n## ")
    install = "python3 -m venv .venv && .venv/bin/pip install "
    assert solve.startswith(f"{install}. && .venv/bin/puzzlekit solve --puzzle cube3 ")
    assert test == f"{install}'.[test]' && .venv/bin/pytest -n auto --dist loadfile"


@pytest.fixture
def makefile() -> str:
    path = ROOT / "Makefile"
    if not path.exists():
        pytest.skip("this is not a checkout")
    return path.read_text(encoding="utf-8")


def recipe(makefile: str, target: str) -> str:
    found = re.search(rf"^{re.escape(target)}:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    assert found, target
    return found[1]


def test_ci_runs_the_two_commands_of_the_readme(makefile: str) -> None:
    taken = re.search(r"^readme = .*\$\$\(grep '(.*)' README.md \| sed -n \$\(1\)p", makefile, re.M)
    assert taken
    # The rule by which the Makefile finds the commands, applied here.
    commands = re.findall(rf"{taken[1]}.*", README, re.MULTILINE)
    assert len(commands) == 2 and ".venv/bin/pytest" in commands[1]
    assert "$(call readme,1)" in recipe(makefile, "$(W)/readme.done")
    assert "$(call readme,2)" in recipe(makefile, "test")


def test_ci_runs_every_lane(makefile: str) -> None:
    targets = re.findall(r"^([a-z-]+):[^#\n]*## ", makefile, re.MULTILINE)
    listed = re.search(r"^lanes := ((?:.*\\\n)*.*)", makefile, re.MULTILINE)
    assert listed
    lanes = listed[1].replace("\\\n", " ").split()
    assert {*targets} == {"help", "check", *lanes}
    assert "make -j2 --keep-going --output-sync check" in (ROOT / ".ci" / "run").read_text()
    workflow = (ROOT / ".github" / "workflows" / "check.yml").read_text(encoding="utf-8")
    in_parallel = re.search(r"^ +lane: \[([^]]*)\]", workflow, re.MULTILINE)
    assert in_parallel and re.findall(r"[\w-]+", in_parallel[1]) == lanes


def test_the_tests_see_what_is_installed() -> None:
    assert str(ROOT) not in map(str, map(Path, sys.path))


def test_python_in_a_checkout_says_that_its_engine_is_not_compiled(tmp_path: Path) -> None:
    """As in a checkout after `pip install .`: the modules are compiled in another directory."""
    package = Path(puzzlekit.__file__).parent
    if missing(str(package / "engine")):
        pytest.skip("the engine is not compiled")
    copied = tmp_path / "puzzlekit"
    (copied / "engine").mkdir(parents=True)
    for path in (*package.glob("*.py"), *package.glob("engine/*.py")):
        shutil.copy(path, copied / path.relative_to(package))
    command = [sys.executable, "-c", "from puzzlekit.engine import search, space"]
    environment = os.environ | {"PYTHONPATH": str(package.parent)}
    elsewhere, inside = (
        subprocess.run(
            command, cwd=place, env=environment, capture_output=True, text=True, check=True
        )
        for place in (tmp_path / "puzzlekit", tmp_path)
    )
    assert (elsewhere.stdout, elsewhere.stderr) == ("", "")
    assert inside.stderr.count("RuntimeWarning: searches are much slower here") == 1
    assert "'python -P'" in inside.stderr and "pip install -e ." in inside.stderr


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_in_documents_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8")):
        assert (document.parent / target).exists(), target
