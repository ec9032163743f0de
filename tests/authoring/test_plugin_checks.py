"""Mistakes in what a plugin offers, and in its module, are told by the checks."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs
import pytest
from conforming import SOURCE, entry, failures, methods, the_failure

from puzzlekit import Heuristic, Max, PuzzleEntry, hookimpl
from puzzlekit_authoring import checks_of
from puzzlekit_authoring.plugin_checks import private_imports
from puzzlekit_events import AtMost, Event, Exactly, Pattern


def module_of(name: str, **contents: Any) -> ModuleType:
    module = ModuleType(name)
    vars(module).update(puzzlekit_api=2, **contents)
    return module


def offering(hook: str, what: Any) -> ModuleType:
    """A plugin that offers one thing by a hook."""

    def yielding() -> Any:
        yield what

    yielding.__name__ = hook
    return module_of("offering", **{hook: hookimpl(yielding)})


@attrs.frozen
class Greedy(Heuristic):
    name = "greedy"
    admissible = True

    def join(self, distances: Sequence[Any]) -> Any:
        return sum(distances)


@attrs.frozen
class Torn(Heuristic):
    name = "torn"

    def join(self, distances: Sequence[Any]) -> Any:
        largest = Max().join(distances)
        return largest if isinstance(largest, int) else largest + 1


@pytest.mark.parametrize(
    ("kind", "words"),
    [(Greedy, "it may overestimate"), (Torn, "as integers, but to")],
)
def test_mistakes_in_a_heuristic(kind: type[Heuristic], words: str) -> None:
    title, told = the_failure(offering("puzzlekit_heuristics", kind))
    assert title == "its heuristics give valid estimates" and words in told


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Event("x", "x", "cube2", 4, Pattern(())), "a pattern needs rounds, parts, and texts"),
        (Event("x", "x", "cube2", 4, Pattern((("R", "Q"),))), "'Q': not a move"),
        (Event("x", "x", "cube2", 4, Pattern((("R",),)), judge="no"), "cube2 has no method 'no'"),
        (Event("e", "e", "no such", 1, AtMost()), "there is no puzzle 'no such'"),
        (Event("e", "e", "cube2", 1, Exactly(9, "slow")), "cube2 has no method 'slow'"),
        (Event("e", "e", "cube2", 1, AtMost(), "R Q"), "Q"),
        (Event("e", "e", "cube2", 1, AtMost(), "", ("", "Q")), "Q"),
        (Event("e", "e", "cube3", 1, Exactly(9, "two-phase")), "several phases"),
        (
            Event("e", "e", "cube2", 1, Exactly(9, "optimal", "U")),
            "U, named in apart",
        ),
    ],
)
def test_mistakes_in_an_event(event: Event, words: str) -> None:
    title, told = the_failure(offering("puzzlekit_events", event))
    assert title == "its events have scrambles" and words in told


@pytest.mark.parametrize("name", ["authoring", "definitions", "repairs", "robots", "universal"])
def test_a_plugin_without_puzzles(name: str) -> None:
    """It offers commands, readers of puzzles or metrics, a service or a strategy."""
    (check,) = checks_of(name, only="it can be loaded")
    check()


def test_a_plugin_that_cannot_be_loaded() -> None:
    title, words = the_failure(module_of("nothing"))
    assert title == "it can be loaded" and "it offers nothing" in words
    odd = ModuleType("odd")
    assert "puzzlekit_api = None" in the_failure(odd)[1]
    named = entry()._replace(name="another")
    assert "makes a puzzle named 'conforming'" in failures(named)["it can be loaded"]
    title, words = the_failure(PuzzleEntry("broken", "", lambda: 1 / 0, methods))  # type: ignore[arg-type, return-value]
    assert title == "it can be loaded" and "ZeroDivisionError" in words


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "title", "words"),
    [
        ("", "", ""),
        (
            "open(__file__ + '.made', 'w').close()",
            "importing it does no work",
            "importing ring_plugin does this: open",
        ),
        ("print('hello')", "importing it does no work", "does this: print hello"),
        ("import numpy", "importing it does no work", "imports numpy, which slows down"),
        (
            "from puzzlekit.tables.store import trim",
            "it imports public names only",
            "puzzlekit.tables.store.trim is not public",
        ),
    ],
)
def test_what_importing_a_plugin_does(
    first: str, title: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "ring_plugin.py").write_text(SOURCE.format(first=first))
    monkeypatch.delitem(sys.modules, "ring_plugin", raising=False)
    found = failures(importlib.import_module("ring_plugin"))
    assert list(found) == [title] * bool(title)
    assert words in found.get(title, "")


def test_private_imports_are_found(tmp_path: Path) -> None:
    path = tmp_path / "some.py"
    path.write_text(
        "import puzzlekit, puzzlekit.engine\nfrom puzzlekit import Move, hooks\n"
        "from puzzlekit_authoring import Check, engines\nfrom puzzlekit_cubes import geometry\n"
        "from puzzlekit import lazy\nfrom . import other\n"
    )
    assert [(line, name) for line, name in private_imports(path)] == [
        (1, "puzzlekit.engine"),
        (2, "puzzlekit.hooks"),
        (3, "puzzlekit_authoring.engines"),
        (4, "puzzlekit_cubes.geometry"),
    ]
