"""The quick tests reach every room: each package below puzzlekit/, and each bundled plugin."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from documents import PACKAGES, ROOT

import puzzlekit

TESTS = Path(__file__).parent
ROOT_NAME = "puzzlekit"
PUZZLES = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"][
    "puzzlekit"
]
ROOMS = [
    ".".join(path.parent.relative_to(ROOT).parts)
    for path in sorted((ROOT / ROOT_NAME).rglob("__init__.py"))
    if any(file.name != "__init__.py" for file in path.parent.glob("*.py"))
] + [name for name in PACKAGES if name != ROOT_NAME]


def is_slow(statement: ast.stmt) -> bool:
    """Whether a test is not quick, or the whole module by an assignment to `pytestmark`."""
    if isinstance(statement, ast.Assign):
        return "pytestmark" in (text := ast.unparse(statement)) and "mark.slow" in text
    marks = statement.decorator_list if isinstance(statement, ast.FunctionDef) else []
    slow = {f"pytest.mark.{name}" for name in ("slow", "thorough", "long")}
    return any(ast.unparse(mark) in slow for mark in marks)


def used_by_quick_tests(tree: ast.Module) -> Iterator[ast.stmt]:
    """The quick tests of a module, and what of the module they use, directly or not."""
    if any(map(is_slow, (each for each in tree.body if isinstance(each, ast.Assign)))):
        return
    named: dict[str, ast.stmt] = {
        name.id: statement
        for statement in tree.body
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        for name in ast.walk(statement)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }
    named |= {
        each.name: each for each in tree.body if isinstance(each, ast.FunctionDef | ast.ClassDef)
    }
    waiting: list[ast.stmt] = [
        each
        for each in tree.body
        if isinstance(each, ast.FunctionDef) and each.name.startswith("test_") and not is_slow(each)
    ]
    seen = list(map(id, waiting))
    while waiting:
        yield (statement := waiting.pop())
        for node in ast.walk(statement):
            # A fixture is used by the name of an argument.
            name = node.id if isinstance(node, ast.Name) else getattr(node, "arg", None)
            if (found := named.get(name or "")) and id(found) not in seen:
                seen.append(id(found))
                waiting.append(found)


def homes(module: str, name: str) -> set[str]:
    """Where something that is imported may lie: in the module, or where that has it from."""
    home = getattr(getattr(puzzlekit, name, None), "__module__", "") if module == ROOT_NAME else ""
    return {module, f"{module}.{name}", home}


def reached(path: Path) -> set[str]:
    """The modules, rooms and modules of plugins that the quick tests of a module name."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    sources: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                found = homes(node.module, alias.name)
                sources.setdefault(alias.asname or alias.name, set()).update(found)
    found = set()
    for statement in used_by_quick_tests(tree):
        for node in ast.walk(statement):
            if isinstance(node, ast.Name):
                found |= sources.get(node.id, set())
            elif isinstance(node, ast.Attribute) and ast.unparse(node.value) == ROOT_NAME:
                found |= homes(ROOT_NAME, node.attr)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(PUZZLES.get(node.value, node.value))
    return found


@cache
def reached_by_all() -> dict[str, set[str]]:
    """What the quick tests of each module reach: not worked out while tests are collected."""
    return {str(path): reached(path) for path in TESTS.rglob("test_*.py")}


@pytest.mark.slow
@pytest.mark.parametrize("room", ROOMS)
def test_every_room_has_quick_tests(room: str) -> None:
    """They name something of the room itself: not of a room in it, nor through another."""
    depth = room.count(".") + 1
    own = {
        name
        for name, modules in reached_by_all().items()
        for module in modules
        if module == room or (module.rpartition(".")[0] == room and module.count(".") == depth)
    }
    assert own, f"no quick test names anything of {room}"
