"""For the tests: packages and documents, the code in these, and a place where commands can run."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner

from puzzlekit.cli import main

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES = ("puzzlekit", *sorted(path.name for path in ROOT.glob("plugins/*/puzzlekit_*/")))
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def hooks_of(package: str) -> list[str]:
    """The hooks that a package implements in its first module; none if it is no plugin."""
    where = package if package == "puzzlekit" else f"plugins/{package.partition('_')[2]}/{package}"
    module = ROOT / where / "__init__.py"
    return re.findall(r"^@hookimpl\ndef (\w+)\(", module.read_text(encoding="utf-8"), re.MULTILINE)


class Block(NamedTuple):
    """A fenced block, its language, and the paragraph before it."""

    language: str
    text: str
    before: str


class Command(NamedTuple):
    """A command of a console block, and what it is said to print."""

    line: str
    output: str


def blocks(document: Path) -> Iterator[Block]:
    """The fenced blocks of a document, in order."""
    text = document.read_text(encoding="utf-8")
    for found in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        before = text[: found.start()].rstrip().rpartition("\n\n")[2]
        yield Block(found[1], found[2], before)


def plugin_modules() -> list[tuple[str, str]]:
    """Each Python block that is a whole plugin: where it is, and its text."""
    return [
        (f"{document.name}-{number}", block.text)
        for document in DOCUMENTS
        for number, block in enumerate(blocks(document))
        if block.language == "python" and "\npuzzlekit_api = " in block.text
    ]


def commands(block: Block) -> list[Command]:
    """The commands of a console block, also of several lines (`> `), with what each prints."""
    if block.language != "console":
        return []
    assert block.text.startswith("$ "), f"a console block without $: {block.text}"
    found = re.findall(r"^\$ (.*(?:\n> .*)*)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE)
    assert len(found) == len(re.findall(r"^\$ ", block.text, re.MULTILINE))
    return [Command(line.replace("\n> ", "\n"), output) for line, output in found]


def write_file(block: Block, directory: Path) -> None:
    """Write a block to the file that the paragraph before it names last, in backticks.

    The entry points of a pyproject.toml are then found in the directory as if it were installed.
    """
    ending = {"python": "py", "toml": "toml", "text": "tws", "json": "json"}.get(block.language)
    names = re.findall(rf"`([\w-]+\.{ending})`", block.before) if ending else []
    if names:
        (directory / names[-1]).write_text(block.text, encoding="utf-8")
    if "pyproject.toml" in names:
        stated = tomllib.loads(block.text)["project"]
        info = directory / f"{stated['name'].replace('-', '_')}-{stated['version']}.dist-info"
        info.mkdir()
        entries = stated["entry-points"]["puzzlekit"].items()
        lines = ["[puzzlekit]", *(f"{name} = {module}" for name, module in entries)]
        (info / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def words_of(line: str) -> list[str] | None:
    """The arguments of a line that calls puzzlekit alone, without anything else of a shell."""
    outside = re.sub(r"""'[^']*'|"[^"$`\\]*\"""", "", line)
    plain = line.startswith("puzzlekit ") and re.fullmatch(r"[\w ./:=,@%+-]*", outside)
    return shlex.split(line)[1:] if plain else None


def run(line: str, directory: Path) -> str:
    """What a command prints, on stdout and stderr, in a directory whose modules can be imported.

    What calls puzzlekit alone and names no such module runs in this process, without a start-up.
    """
    command, _, filters = line.partition(" | ")
    words = words_of(command)
    local = [*directory.glob("*.dist-info")]
    local += [path for path in directory.glob("*.py") if path.stem in command]
    if words is not None and not local and "puzzlekit" not in filters:
        with contextlib.chdir(directory):
            done = CliRunner(env={"NO_COLOR": "1"}).invoke(main, words)
        if not filters:
            return done.output
        told = subprocess.run(
            ["bash", "-c", filters], input=done.stdout, capture_output=True, encoding="utf-8"
        )
        return done.stderr + told.stdout + told.stderr
    bin_ = directory / ".bin"
    bin_.mkdir(exist_ok=True)
    for name, arguments in (("python", ""), ("puzzlekit", "-m puzzlekit ")):
        shim = bin_ / name
        shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments}"$@"\n', encoding="utf-8")
        shim.chmod(0o755)
    path = os.pathsep.join(filter(None, [str(directory), os.environ.get("PYTHONPATH")]))
    environment = {
        **os.environ,
        "PATH": f"{bin_}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": path,
        "NO_COLOR": "1",
    }
    shown = subprocess.run(
        ["bash", "-c", line],
        cwd=directory,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=300,
    )
    return shown.stdout
