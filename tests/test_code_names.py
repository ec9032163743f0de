"""One name, one meaning: no two files and no two classes of the code are called the same."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

from puzzlekit.cli import COMMANDS

ROOT = Path(__file__).parents[1]
FILES = [*(ROOT / "puzzlekit").rglob("*.py"), *(ROOT / "plugins").rglob("*.py")]


def twins(homes: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: found for name, found in homes.items() if len(found) > 1}


def test_no_two_files_have_one_name() -> None:
    """But the modules of commands, which are named like what they are about."""
    commands = {ROOT / "puzzlekit" / "cli" / f"{name.replace('-', '_')}.py" for name in COMMANDS}
    homes = defaultdict(list)
    for path in FILES:
        if path.name not in ("__init__.py", "__main__.py") and path not in commands:
            homes[path.name].append(str(path.relative_to(ROOT)))
    assert len(homes) > 200 and twins(homes) == {}


def test_no_two_classes_have_one_name() -> None:
    """A class for one module alone is no exception: `_Search` would be taken for `Search`."""
    homes = defaultdict(list)
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                homes[node.name.lstrip("_")].append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert len(homes) > 200 and twins(homes) == {}
