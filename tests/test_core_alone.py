"""The core without any tool: puzzles are solved, and what a tool adds is refused with its name."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from documents import PROJECT, hooks_of

from puzzlekit.plugins.core_commands import COMMANDS, SECTIONS

# The lane `core` of the Makefile reads this line.
TOOLS = "authoring,batch,colours,definitions,events,exports,lab,mcp,pictures,puzzlegeometry,repairs,robots,steps,universal,web"


# They borrow one tool for a few of their tests.
BORROWERS = {"test_additive.py", "test_both_sides.py", "test_large_cubes.py", "test_minx.py"}


def alone(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line with all tools left out."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "puzzlekit", *arguments],
        env={**os.environ, "PUZZLEKIT_WITHOUT": TOOLS},
        capture_output=True,
        text=True,
        timeout=100,
    )


def test_tests_of_the_core_import_no_tool() -> None:
    """But the checks of plugins, and the engine as plain Python, which are there for tests."""
    tools = TOOLS.removeprefix("authoring,").replace(",", "|")
    tool = re.compile(rf"^\s*(?:from|import) puzzlekit_(?:{tools})\b", re.MULTILINE)
    files = Path(__file__).parent.glob("test_*.py")
    assert not {path.name for path in files if tool.search(path.read_text("utf-8"))} - BORROWERS


def test_every_plugin_without_a_puzzle_is_left_out() -> None:
    plugins = PROJECT["project"]["entry-points"]["puzzlekit"]
    puzzles = {name for name in plugins if "puzzlekit_puzzles" in hooks_of(plugins[name])}
    assert {*TOOLS.split(",")} == {*plugins} - puzzles


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", ["cube2", "cube3", "pyraminx", "eight"])
def test_puzzles_are_solved(puzzle: str) -> None:
    scramble = "L" if puzzle == "eight" else "R U"
    done = alone("solve", "--puzzle", puzzle, scramble)
    assert done.returncode == 0, done.stderr
    assert "(optimal in" in done.stdout


@pytest.mark.slow
def test_the_help_shows_the_commands_of_the_core() -> None:
    shown = alone("--help").stdout
    names = [name for section in SECTIONS.values() for name in section]
    assert set(names) == COMMANDS.keys() and len(names) == len(COMMANDS)
    assert all(f"\n{heading}:\n" in shown for heading in SECTIONS)
    assert re.findall(r"^  ([a-z][a-z-]*)  +[A-Z]", shown, re.MULTILINE) == names
    assert "Commands of plugins" not in shown


# What asks for a tool, and the tool.
REFUSED = [
    (("compare", "--puzzle", "cube2"), "lab"),
    (("serve",), "web"),
    (("new", "rings"), "authoring"),
    (("show", "--puzzle", "cube2", "R", "--svg", "a.svg"), "pictures"),
    (("show", "--puzzle", "cube2", "R", "--link"), "exports"),
    (("show", "--puzzle", "cube2", "NISS: R"), "plugin exports"),
    (("show", "--puzzle", "cube2", "https://alg.cubing.net/?alg=R"), "plugin exports"),
    (("show", "--puzzle", "cube2", "R", "--coordinates"), "lab"),
    (("steps", "--puzzle", "cube3", "R U"), "steps"),
    (("scramble", "--puzzle", "cube3", "--goal", "oll"), "steps"),
    (("solve", "--puzzle", "cube3", "R", "--goal", "cross"), "steps"),
    (("solve", "--puzzle", "cube3", "R", "--moves", "R,U"), "steps"),
    (("solve", "--puzzle", "cube3", "R", "--goal", "state:U"), "steps"),
    (("solve", "--puzzle", "cube2", "R", "--jobs", "2"), "batch"),
    (("scramble", "--event", "333"), "events"),
    (("solve", "--puzzle", "cube8", "R"), "PUZZLEKIT_WITHOUT leaves out the plugins authoring"),
    (("event-scramble", "333"), "events"),
    (("solve", "--puzzle", "cube2", "R", "--metric", "a.toml"), "robots"),
    (("solve", "--puzzle", "cube2", "R", "--all", "-o", "sort=a.toml"), "robots"),
    (("solve", "--puzzle", "a.tws", "R"), "definitions"),
    (("solve", "--puzzle", "cube2", "R U F", "--method", "universal"), "universal"),
]
# One process for all of them: each would take longer to start than to refuse.
IN_ONE_PROCESS = """
import json, sys
from click.testing import CliRunner
from puzzlekit.cli import main

done = [CliRunner().invoke(main, arguments) for arguments in json.load(sys.stdin)]
print(json.dumps([(each.exit_code, each.stdout, each.stderr) for each in done]))
"""


@pytest.fixture(scope="module")
def refusals() -> list[tuple[int, str, str]]:
    """The exit codes, outputs and errors of the commands in REFUSED."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", IN_ONE_PROCESS],
        env={**os.environ, "PUZZLEKIT_WITHOUT": TOOLS},
        input=json.dumps([arguments for arguments, _ in REFUSED]),
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    found: list[tuple[int, str, str]] = json.loads(done.stdout)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(REFUSED)), ids=[str(each) for each in REFUSED])
def test_what_a_tool_adds_is_refused_with_its_name(
    refusals: list[tuple[int, str, str]], number: int
) -> None:
    code, output, errors = refusals[number]
    assert code == 2 and output == ""
    assert errors.startswith("error: ") and REFUSED[number][1] in errors
