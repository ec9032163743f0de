"""Writing a plugin package for a new puzzle."""

from __future__ import annotations

import os
import re
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from puzzlekit.errors import UsageError

_LONGEST = 40  # characters of a name
_LONGEST_TITLE = 60

# The path of the file that each template gives. The module has one template for each kind.
_FILES = {
    "pyproject.toml": "pyproject.toml",
    "test_package.py": "tests/test_{name}.py",
    "README.md": "README.md",
    "gitignore": ".gitignore",
    "check.yml": ".github/workflows/check.yml",
}


class TemplatePuzzle(NamedTuple):
    """Facts about the puzzle of a template: an example scramble, and its states by distance."""

    scramble: str
    states: tuple[int, ...]


KINDS = {
    "twisty": TemplatePuzzle(
        "U L' R B'", (1, 8, 48, 288, 1728, 9896, 51808, 220111, 480467, 166276, 2457, 32)
    ),
    "beads": TemplatePuzzle("L R2 L' R", (1, 6, 18, 54, 162, 486, 1281, 1780, 988, 233, 29, 2)),
}


class Written(NamedTuple):
    """The package that was written: its directory, its files, and a scramble to try."""

    directory: Path
    files: tuple[Path, ...]
    scramble: str


def write_plugin(
    name: str, directory: Path | None = None, title: str | None = None, kind: str = "twisty"
) -> Written:
    """Write a plugin package for a puzzle. If anything fails, nothing is written.

    `name` is the name of the puzzle. The module of the package is `puzzlekit_<name>`. `directory`
    must not exist. Its default is `puzzlekit-<name>` in the working directory. `title` is the name
    of the puzzle for people. Its default is made from `name`. `kind`, one of KINDS, chooses the
    puzzle in the package. Raises UsageError if an argument is invalid.

    >>> write_plugin("cube2")
    Traceback (most recent call last):
    puzzlekit.errors.UsageError: there is a puzzle cube2 already: choose another name
    """
    title = title if title is not None else name.replace("_", " ").capitalize()
    if kind not in KINDS:
        raise UsageError(f"there is no kind {kind!r} of puzzle; the kinds are {', '.join(KINDS)}")
    _check(name, title)
    package = f"puzzlekit_{name}"
    distribution = f"puzzlekit-{name.replace('_', '-')}"
    target = (directory if directory is not None else Path(distribution)).expanduser()
    if os.path.lexists(target):
        raise UsageError(f"{target} exists already: choose another --directory")
    if not target.parent.is_dir():
        raise UsageError(f"there is no directory {target.parent} to write {target.name} to")
    begun = KINDS[kind]
    names = {"name": name, "title": title, "package": package, "distribution": distribution}
    names |= {"scramble": begun.scramble, "states": str(begun.states)}
    names |= {"total": f"{sum(begun.states):_}", "length": str(len(begun.scramble.split()))}
    contents = {path.format(**names): _filled(template, names) for template, path in _FILES.items()}
    contents[f"{package}/__init__.py"] = _filled(f"{kind}.py", names)
    contents[f"{package}/py.typed"] = ""
    staging = target.parent / f".{target.name}.{os.getpid()}"
    staging.mkdir()
    try:
        for path, text in contents.items():
            file = staging / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")
        staging.rename(target)
    except BaseException:
        shutil.rmtree(staging, ignore_errors=True)
        raise
    return Written(target, tuple(target / path for path in sorted(contents)), begun.scramble)


def _check(name: str, title: str) -> None:
    """Raise a UsageError if the name or the title is invalid."""
    from puzzlekit import available
    from puzzlekit.plugins.manager import manager

    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or len(name) > _LONGEST:
        near = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
        hint = f"; write {near}" if re.match("[a-z]", near) and len(near) <= _LONGEST else ""
        raise UsageError(
            f"the name {name[:_LONGEST]!r} is not possible: a name has small letters, digits and "
            f"single underscores, begins with a letter, and has at most {_LONGEST} characters{hint}"
        )
    if name in available() or name in [plugin.name for plugin in manager().plugins]:
        raise UsageError(f"there is a puzzle {name} already: choose another name")
    if find_spec(f"puzzlekit_{name}") is not None:
        raise UsageError(f"there is a module puzzlekit_{name} already: choose another name")
    strange = [char for char in title if not char.isprintable() or char in '"\\']
    if strange or not title.strip() or len(title) > _LONGEST_TITLE:
        raise UsageError(
            f"a title is one line of at most {_LONGEST_TITLE} characters, without double quotes "
            "or backslashes"
        )


def _filled(template: str, names: dict[str, str]) -> str:
    from importlib.resources import files
    from string import Template

    text = (
        files("puzzlekit_authoring.templates").joinpath(f"{template}.template").read_text("utf-8")
    )
    return Template(text).substitute(names)
