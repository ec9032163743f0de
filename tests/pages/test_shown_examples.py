"""Commands and plugins in the documents do what is said there (`test_doctests` has the rest).

These tests come late, when tables that take some time to build are there from others.
"""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from types import ModuleType

import attrs
import click
import pytest
from browsing import server
from click.testing import CliRunner
from documents import DOCUMENTS, ROOT, blocks, commands, plugin_modules, run, write_file

import puzzlekit
import puzzlekit_authoring
import puzzlekit_beam
import puzzlekit_lab
import puzzlekit_twophase
from puzzlekit.cli import main
from puzzlekit.engine.fill import COMPILED
from puzzlekit.errors import DefinitionError
from puzzlekit.plugins import readers
from puzzlekit.plugins.manager import PluginManager
from puzzlekit.search.solver import Solver
from puzzlekit_events import EventScrambler

# What takes too much time and memory, by a part of the command.
NOT_RUN = {
    "--method optimal | tail": "1 GB of tables",
    "--method optimal --timeout 5": "1 GB of tables",
}
# Where commands of docs/serve.md find a server that was started before.
USUAL_ADDRESS = "http://127.0.0.1:8137/"
# What searches for some time, so that its answer depends on the machine. On cube3, only the proof
# that comes after the answer does.
TIMED = ("--timeout", "--puzzle cube4 ")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
COMMANDS_SHOWN = {
    document: [command for block in blocks(document) for command in commands(block)]
    for document in DOCUMENTS
}
CONSOLE = [document for document, found in COMMANDS_SHOWN.items() if found]
PLUGINS = plugin_modules()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where a server answers."""
    with server() as address:
        yield address


def comparable(text: str, timed: bool) -> str:
    """The text without times, nodes and builds, which depend on the tables that are there already.

    Other tests may be building them meanwhile.

    Where a command had a time limit, it is without what was found by then.
    """
    text = re.sub(
        r"^(a first answer|building|waiting for process|still \w+)\b.*\n",
        "",
        text,
        flags=re.MULTILINE,
    )
    text = re.sub(r'\d+\.\d{2,3} s\b|(?<=seconds": )[\d.]+|[\d,]+ nodes', "...", text)
    if timed:
        found = r"^(solution|steps|length|phases|time) .*(\n {10}.*)*"
        text = re.sub(found, r"\1 ...", text, flags=re.MULTILINE)
    return text


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="takes minutes where nothing is compiled")
@pytest.mark.parametrize("document", CONSOLE, ids=lambda path: path.name)
def test_commands_print_what_is_shown(
    document: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if any("curl" in command.line for command in COMMANDS_SHOWN[document]) and not which("curl"):
        pytest.skip("needs curl")
    (tmp_path / "examples").symlink_to(ROOT / "examples")  # as in a checkout
    checker = doctest.OutputChecker()
    for block in blocks(document):
        write_file(block, tmp_path)
        for command in commands(block):
            if any(part in command.line for part in NOT_RUN):
                continue
            line = command.line
            if USUAL_ADDRESS in line:
                line = line.replace(USUAL_ADDRESS, request.getfixturevalue("address"))
            if "--timeout" in line:  # first build the tables: waits for other tests count
                run(re.sub(r"--timeout \S+", "--max-length 500", line), tmp_path)
            timed = any(part in line for part in TIMED)
            got = comparable(run(line, tmp_path), timed)
            want = comparable(command.output, timed)
            if "solve --puzzle cube3" in line and "--method" not in line:
                got, want = (
                    text.replace("(not proven optimal", "(optimal") for text in (got, want)
                )
            assert checker.check_output(want, got, FLAGS), f"$ {command.line}\n{got}"
            assert "error:" in want or "error:" not in got, f"$ {command.line}\n{got}"


@pytest.mark.parametrize("part", NOT_RUN)
def test_what_is_not_run_is_there(part: str) -> None:
    assert any(part in command.line for found in COMMANDS_SHOWN.values() for command in found)


@pytest.mark.slow
@pytest.mark.parametrize(("place", "text"), PLUGINS, ids=[place for place, _ in PLUGINS])
def test_plugins_offer_what_works(
    place: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("puzzlekit_example")
    exec(text, module.__dict__)
    manager = PluginManager()
    manager.register(module, "example")
    (plugin,) = (each for each in manager.plugins if each.name == "example")
    entries = [*(plugin.entries or ()), *(manager.entry(each.example) for each in plugin.families)]
    events = [each for each in manager.events() if each.name in text]
    offered = plugin.heuristics, plugin.commands, plugin.strategies, plugin.services
    assert (entries or events) or any((*offered, plugin.readers, plugin.metrics))
    for found in plugin.services:
        cube = puzzlekit.load("cube3")
        search = module.__dict__[found.target.partition(":")[2]]
        goal = search.read(cube.puzzle, "DFR", {})
        moves, fixed = cube.puzzle.family_moves("URFDLB"), cube.method().fixed
        method = search.method(cube.puzzle, goal, moves, fixed, None)
        assert Solver(cube.puzzle, [method], cube.store).solve("R U2").length == 2
    for strategy in plugin.strategies:
        cube = puzzlekit.load("cube2")
        kind = module.__dict__[strategy.target.partition(":")[2]]
        own = attrs.evolve(cube.method("optimal"), strategy=kind())
        assert Solver(cube.puzzle, [own], cube.store).solve("R U F").length == 3
    for metric in plugin.metrics:
        _, _, attribute = metric.target.partition(":")
        (tmp_path / "easy.weights").write_text("R 2\nU 3\n")
        read = module.__dict__[attribute](tmp_path / "easy.weights")
        assert (read.name, read.weights) == ("easy", {"R": 2, "U": 3})
    for reader in plugin.readers:
        name, _, _ = reader.target.partition(":")
        monkeypatch.setitem(sys.modules, name, module)
        monkeypatch.setattr(readers.manager, "manager", lambda: manager)
        (tmp_path / "five.ring").write_text("5")
        assert str(readers.load_file(tmp_path / "five.ring").solve("S T S")) == "S T' S"
        (tmp_path / "wrong.ring").write_text("many")
        with pytest.raises(DefinitionError, match=r"wrong\.ring: expected a number of beads"):
            readers.load_file(tmp_path / "wrong.ring")
    for command in plugin.commands:
        _, _, attribute = command.target.partition(":")
        done = CliRunner().invoke(module.__dict__[attribute], ["cube3"])
        assert (done.exit_code, done.output) == (0, "Hello, 3x3x3 cube!\n")
    for event in events:
        assert EventScrambler(event, puzzlekit.load(event.puzzle)).scramble(1, "1")
    for entry in entries:
        puzzle = entry.puzzle()
        scramble = [puzzle.move(family) for family in puzzle.turns] * 5
        state = puzzle.apply(puzzle.solved, scramble)
        solver = Solver(puzzle, entry.methods(puzzle))
        assert all(solver.solve(state, method=each.name).verified for each in solver.methods)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_no_python_is_left_out(document: Path) -> None:
    """Each block is a plugin, which is tried, or a file that commands use."""
    shown = [block for block in blocks(document) if block.language == "python"]
    assert all("\npuzzlekit_api = " in each.text or ".py`" in each.before for each in shown)


def test_code_of_the_plugins_is_quoted_as_it_is() -> None:
    files = [
        path
        for directory in ("plugins", "examples")
        for kind in ("py", "pxd")
        for path in (ROOT / directory).rglob(f"*.{kind}")
    ]
    sources = [path.read_text(encoding="utf-8") for path in files]
    pages = [ROOT / "docs" / name for name in ("plugins.md", "own-parts.md")]
    quoted = [block for page in pages for block in blocks(page) if not block.language]
    assert quoted
    for block in quoted:
        assert any(" ".join(block.text.split()) in " ".join(each.split()) for each in sources)


def examples() -> Iterator[tuple[str, str]]:
    """Every `puzzlekit ...` on an indented line of a document or of a help text, and where."""
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        outside = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
        found = re.findall(r"^ {4}(puzzlekit .*)", outside, re.MULTILINE)
        yield from ((document.name, line) for line in found)
    with click.Context(main) as context:
        for name in main.list_commands(context):
            command = main.get_command(context, name)
            for part in (command, *getattr(command, "commands", {}).values()):
                text = inspect.cleandoc(part.help or "")
                found = re.findall(r"^ {2}(puzzlekit .*(?:\n {3,}\S.*)*)", text, re.MULTILINE)
                yield from ((name, line) for line in found)


EXAMPLES = list(examples())


def test_there_are_examples_in_help_texts() -> None:
    assert {place for place, _ in EXAMPLES} >= {"tables.md", "solve", "find", "tables"}


@pytest.mark.parametrize(("place", "line"), EXAMPLES)
def test_examples_can_be_read_as_commands(place: str, line: str) -> None:
    """Options and arguments exist and are well-formed; what they do is tested elsewhere."""
    line = re.sub(r"   +\(.*\)$", "", line)  # a remark
    for part in line.split(" | "):
        program, *words = shlex.split(part, comments=True)
        assert program == "puzzlekit"
        command: click.Command = main
        context = click.Context(main)
        while isinstance(command, click.Group):
            found = command.get_command(context, words.pop(0))
            assert found is not None
            command = found
        command.make_context("puzzlekit", words)


def test_benchmarks_take_the_options_shown() -> None:
    pages = (ROOT / "docs" / name for name in ("benchmarks.md", "measured-files.md"))
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    shown = re.findall(r"^python (benchmarks/\w+\.py)(.*)$", text, re.MULTILINE)
    assert len(shown) >= 20
    for script, rest in shown:
        source = (ROOT / script).read_text(encoding="utf-8")
        assert all(f'"{option}"' in source for option in re.findall(r"--[\w-]+", rest)), script


@pytest.fixture(scope="module")
def site() -> Iterator[ModuleType]:
    """The module that makes pages from the code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "docs" / "_site"))
        yield importlib.import_module("markdown_site")


def test_the_page_of_commands_has_every_option(site: ModuleType) -> None:
    text = site.commands()
    parts = re.split(r"^##+ (.*)$", text, flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    with click.Context(main) as context:
        named = {name: main.get_command(context, name) for name in main.list_commands(context)}
    for name, command in list(named.items()):
        parts = getattr(command, "commands", {})
        named |= {f"{name} {part}": each for part, each in parts.items()}
    for name, command in named.items():
        options = [each for each in command.params if isinstance(each, click.Option)]
        for option in [text for each in options for text in each.opts]:
            assert option in sections[f"puzzlekit {name}"], f"{name} {option}"


def test_the_pages_of_names_have_all(site: ModuleType) -> None:
    text = "".join(map(site.names, site.ranked()))
    assert all(f":: puzzlekit.{name}\n" in text for name in puzzlekit.__all__)
    pages = re.findall(r"\]\((api/.*?)\)", site.names())
    for page, purpose in zip(pages, site.ranked(), strict=True):
        mark = f"<!-- made from the code: names {purpose} -->"
        assert mark in (ROOT / "docs" / page).read_text(encoding="utf-8")
    ranked = [paths for topics in site.ranked().values() for paths in topics.values()]
    assert len(ranked[0]) == 8  # the names of a first plugin
    listed = sorted(path for paths in ranked for path in paths)
    assert len(listed) == len({*listed})
    modules = (puzzlekit, puzzlekit_authoring, puzzlekit_beam, puzzlekit_lab, puzzlekit_twophase)
    assert {*listed} > {f"{each.__name__}.{name}" for each in modules for name in each.__all__}


def test_every_citation_has_a_source() -> None:
    text = (ROOT / "docs" / "algorithms.md").read_text(encoding="utf-8")
    body, _, sources = text.partition("\n## Sources\n")
    body += (ROOT / "docs" / "reductions.md").read_text(encoding="utf-8")
    listed = re.split(r"^- ", sources, flags=re.MULTILINE)
    cited = re.findall(
        r"([A-Z]\w+)(?:\s+and\s+[A-Z]\w+|\s+et\s+al\.)?\s+\(?((?:19|20)\d\d)\b", body
    )
    assert len(cited) >= 10
    for name, year in cited:
        assert any(name in each and year in each for each in listed), f"{name} {year}"
