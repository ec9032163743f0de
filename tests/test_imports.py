"""Who may import whom, and what importing must not do."""

from __future__ import annotations

import ast
import json
import os
import pkgutil
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from documents import PACKAGES

import puzzlekit
from puzzlekit.plugins.manager import PluginManager
from puzzlekit_authoring.plugin_checks import import_freshly, private_imports

ROOT = Path(__file__).parents[1]
CORE = sorted((ROOT / "puzzlekit").rglob("*.py"))
PLUGINS = sorted((ROOT / "plugins").rglob("*.py"))
COMMANDS = ROOT / "puzzlekit" / "cli"

GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

# The rooms as CONTRIBUTING.md shows them: name ("tables/pruning"), level, description.
ROOMS = {
    name: (int(level), description)
    for level, name, description in re.findall(r"^ +(\d+)  ([a-z/]+) +(\S.*)$", GUIDE, re.MULTILINE)
}


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def where(found: Mapping[Path, object]) -> dict[str, object]:
    """What was found in which file, without those in which nothing was."""
    return {str(path.relative_to(ROOT)): each for path, each in found.items() if each}


def imported(path: Path) -> Iterator[tuple[str, str]]:
    """(module, name) of every import in a file, at any depth; the name is "" for `import m`."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, ""
        elif isinstance(node, ast.ImportFrom):
            base = list(package[: len(package) - node.level + 1]) if node.level else []
            module = ".".join(base + ([node.module] if node.module else []))
            for alias in node.names:
                yield module, alias.name


def strings(tree: ast.Module) -> Iterator[str]:
    """The text constants of a module, without its docstrings."""
    skipped = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                skipped.add(id(first.value))
    for node in ast.walk(tree):
        if id(node) in skipped or not isinstance(node, ast.Constant):
            continue
        if isinstance(node.value, str):
            yield node.value


def identifiers(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        for field in ("id", "attr", "name", "arg", "asname", "module"):
            value = getattr(node, field, None)
            if isinstance(value, str):
                yield value


def module_of(path: Path) -> str:
    """The dotted name under which a file of the core is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in CORE}


def core_imports(path: Path) -> set[str]:
    """The modules of the core that a file imports, by their dotted names."""
    found = (f"{module}.{name}" for module, name in imported(path))
    names = {name if name in MODULES else name.rpartition(".")[0] for name in found}
    return names & MODULES.keys()


def room_of(module: str) -> str:
    """The package below puzzlekit/ that a module lies in, or the name of a module beside those."""
    path = MODULES[module]
    inside = path.relative_to(ROOT / "puzzlekit")
    return inside.with_suffix("").parts[0]


def test_there_is_something_to_look_at() -> None:
    assert len(CORE) > 30 and len(PLUGINS) >= 5
    assert {path.parent.name for path in PLUGINS} >= {
        "puzzlekit_cube2",
        "puzzlekit_cube3",
        "puzzlekit_cube4",
    }


@pytest.mark.slow
def test_the_core_imports_no_plugin() -> None:
    found = {
        path: [module for module, _ in imported(path) if module.startswith("puzzlekit_")]
        + [text for text in strings(tree_of(path)) if "puzzlekit_cube" in text]
        for path in CORE
    }
    assert not where(found)


def test_the_guide_shows_every_room_with_its_docstring() -> None:
    levels = [level for level, _ in ROOMS.values()]
    assert levels == sorted(levels, reverse=True)
    first_lines = {
        room_of(module): (ast.get_docstring(tree_of(path)) or "").partition("\n")[0]
        for module, path in MODULES.items()
        if module.count(".") == 1 or path == ROOT / "puzzlekit" / "__init__.py"
    }
    for entrance in ("__init__", "__main__"):
        del first_lines[entrance]
    assert {name: description for name, (_, description) in ROOMS.items()} == first_lines


def not_below(path: Path) -> list[str]:
    """The modules that a file imports, of rooms that are not below its own."""
    own = room_of(module_of(path))
    level = ROOMS[own][0] if own in ROOMS else len(ROOMS)  # the entrances are above all rooms
    rooms = {module: room_of(module) for module in core_imports(path)}
    return [
        module
        for module, room in rooms.items()
        if not (room == own or (room in ROOMS and ROOMS[room][0] < level))
    ]


def test_rooms_import_downward_only() -> None:
    assert not where({path: not_below(path) for path in CORE})


def test_no_file_imports_itself_through_others() -> None:
    graph = {module: core_imports(path) for module, path in MODULES.items()}
    assert sum(map(len, graph.values())) > 500  # the graph is not empty by mistake
    TopologicalSorter(graph).prepare()  # raises a CycleError, which names the files of a circle


@pytest.mark.slow
def test_plugins_import_public_names_only() -> None:
    assert not where({path: list(private_imports(path)) for path in PLUGINS})


def test_every_public_name_exists_and_says_what_it_is() -> None:
    assert sorted(puzzlekit.__all__) == puzzlekit.__all__ == dir(puzzlekit)
    for name in puzzlekit.__all__:
        value = getattr(puzzlekit, name)
        assert name == "API_VERSION" or value.__doc__ or callable(value)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        puzzlekit.nothing  # noqa: B018


def prints(path: Path) -> Iterator[str]:
    """What a file prints or reads by itself, or may."""
    for node in ast.walk(tree_of(path)):
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Name) and called.id in ("print", "input"):
            yield f"{called.id} in line {called.lineno}"
        streams = ("stdout", "stderr", "__stdout__", "__stderr__")
        if isinstance(node, ast.Attribute) and node.attr in streams:
            yield f"{node.attr} in line {node.lineno}"
    yield from (name for _, name in imported(path) if name in ("stdout", "stderr"))


@pytest.mark.slow
def test_nothing_prints_outside_the_command_line() -> None:
    others = [path for path in CORE if COMMANDS not in path.parents]
    assert not where({path: list(prints(path)) for path in others + PLUGINS})
    assert any(list(prints(path)) for path in CORE if COMMANDS in path.parents)


@pytest.mark.slow
def test_the_core_knows_no_cube() -> None:
    """Only docstrings and comments may speak of one (and help texts, in the command line)."""
    found = {
        path: [name for name in identifiers(tree_of(path)) if "cube" in name.lower()]
        for path in CORE
    }
    for path in CORE:
        if COMMANDS not in path.parents:
            found[path] += [text for text in strings(tree_of(path)) if "cube" in text.lower()]
    assert not where(found)


def test_bundled_plugins_are_declared_as_any_other() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = project["entry-points"]["puzzlekit"]
    with_hooks = {path.parent.name for path in PLUGINS if "puzzlekit_api = " in path.read_text()}
    assert set(declared.values()) == with_hooks
    assert set(puzzlekit.available()) >= {"cube3", "dino", "eight", "skewb"}
    left_out = os.environ.get("PUZZLEKIT_WITHOUT", "").split(",")
    installed = {plugin.name: plugin.module for plugin in PluginManager().plugins}
    assert installed.items() >= {one for one in declared.items() if one[0] not in left_out}


def modules(*packages: str) -> list[str]:
    """Every module of the packages, by name."""
    found = list(packages)
    for package in packages:
        path = __import__(package).__path__
        found += [info.name for info in pkgutil.walk_packages(path, package + ".")]
    return [name for name in found if not name.endswith("__main__")]


BUNDLED = [name for name in PACKAGES if name != "puzzlekit"]
EVERYTHING = modules("puzzlekit", *BUNDLED)


def in_a_fresh_process(code: str, *arguments: str, cache: str) -> str:
    environment = {**os.environ, "PUZZLEKIT_CACHE": cache, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-P", "-W", "error", "-c", code, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


@pytest.mark.slow
def test_importing_reads_and_writes_nothing() -> None:
    # gymnasium, on which one module builds, reads entry points when it is imported.
    names = [name for name in EVERYTHING if name != "puzzlekit_lab.gym"]
    assert len(names) > 35
    seen = import_freshly(names)
    assert seen.problem == "" and seen.told == []
    assert set(names) <= set(seen.modules)


def test_the_watch_sees_what_it_is_to_see(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "careless.py").write_text(f"open({str(tmp_path / 'made')!r}, 'w').close()\n")
    assert [entry[1] for entry in import_freshly(["careless"]).told] == [str(tmp_path / "made")]


SLOW = ["numpy", "rich", "filelock", "platformdirs", "importlib.metadata", "hashlib"]


@pytest.mark.slow
def test_importing_puzzlekit_and_its_plugins_is_light() -> None:
    for names in (["puzzlekit"], BUNDLED):
        assert not set(SLOW) & set(import_freshly(names).modules)
    light = import_freshly(["puzzlekit"]).modules
    own = {name for name in light if name.startswith("puzzlekit.")}
    assert own == {"puzzlekit.lazy", "puzzlekit.version"} and "attr" not in light


@pytest.mark.slow
@pytest.mark.parametrize(
    ("puzzle", "method"), [("cube2", "optimal"), ("cube2", "small-tables"), ("cube3", None)]
)
def test_a_solve_with_tables_at_hand_imports_nothing_slow(puzzle: str, method: str | None) -> None:
    """Nor does it import the plugin of another puzzle, or write anything."""
    puzzlekit.load(puzzle).prepared(method)  # builds the tables
    code = f"""
import json, os, sys
import puzzlekit
opened = []
def watch(event, arguments):
    if event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        opened.append(str(arguments[0]))
sys.addaudithook(watch)
solution = puzzlekit.load({puzzle!r}).solve("R U F", method={method!r}, max_length=22)
json.dump([str(solution), sorted(sys.modules), opened], sys.stdout)
"""
    cache = os.environ["PUZZLEKIT_CACHE"]
    solution, loaded, opened = json.loads(in_a_fresh_process(code, cache=cache))
    assert solution == "F' U' R'"
    assert not {*SLOW, "puzzlekit_beam", "puzzlekit_cubes.formulas"} & set(loaded)
    assert opened == []
    others = {"cube2": "puzzlekit_cube3", "cube3": "puzzlekit_cube2"}
    assert others[puzzle] not in loaded
