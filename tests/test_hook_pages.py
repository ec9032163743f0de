"""The page of each hook names all that the hook takes: every record, and every field of it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import attrs
import pytest

import puzzlekit
from puzzlekit import (
    AtMost,
    Coordinate,
    Event,
    Exactly,
    Heuristic,
    PruningTable,
    RandomMoves,
    Strategy,
)
from puzzlekit.plugins import hooks

PAGES = Path(__file__).parents[1] / "docs" / "hooks"
HOOKS = [name for name, value in vars(hooks).items() if hasattr(value, "puzzlekit_spec")]
PUBLIC = {name: getattr(puzzlekit, name) for name in puzzlekit.__all__}
CLASSES = [value for value in PUBLIC.values() if inspect.isclass(value)]


def fields(kind: type) -> list[str]:
    """The arguments of a record: what its author gives."""
    if attrs.has(kind):
        return [field.alias for field in attrs.fields(kind) if field.init and field.alias]
    if hasattr(kind, "_fields"):
        return list(kind._fields)
    return [name for name in inspect.signature(kind).parameters]


def named_in(hint: Any) -> Iterator[type]:
    """The public classes in a type."""
    if inspect.isclass(hint) and hint in CLASSES:
        yield hint
    for part in get_args(hint):
        for each in part if isinstance(part, list) else [part]:
            yield from named_in(each)


def hints(kind: type) -> dict[str, Any]:
    target = kind if kind.__annotations__ or attrs.has(kind) else kind.__init__
    return get_type_hints(target, localns=PUBLIC)


def records(hook: str) -> list[type]:
    """What a hook yields, and all that goes into it: public classes, and their subclasses."""
    found = list(named_in(get_type_hints(getattr(hooks, hook))["return"]))
    for kind in found:  # grows while it is gone through
        stated = hints(kind)
        parts = [each for name in fields(kind) for each in named_in(stated.get(name))]
        parts += [other for other in CLASSES if issubclass(other, kind)]
        found += [each for each in dict.fromkeys(parts) if each not in found]
    return found


def section(page: str, title: str) -> str:
    """The text under a heading of a page; empty if there is none."""
    found = re.search(rf"^##+ {title}\n(.*?)(?=^##|\Z)", page, re.DOTALL | re.MULTILINE)
    return found[1] if found else ""


def test_there_are_hooks_and_records() -> None:
    assert set(HOOKS) >= {"puzzlekit_puzzles", "puzzlekit_heuristics"}
    names = {kind.__name__ for kind in records("puzzlekit_puzzles")}
    assert names >= {"PuzzleEntry", "Puzzle", "Orbit", "Machine", "Frame", "FaceletLayout"}
    assert names >= {"Method", "Phase", "PruningTable", "Alternative", "View", "SymPairing"}


@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_has_a_page_with_an_example(hook: str) -> None:
    page = (PAGES / f"{hook}.md").read_text(encoding="utf-8")
    assert f"def {hook}():" in section(page, "A complete example")


RECORDS = [kind for kind in records("puzzlekit_puzzles") if not issubclass(kind, Heuristic)]


@pytest.mark.parametrize("kind", RECORDS, ids=lambda kind: kind.__name__)
def test_every_field_is_on_the_page(kind: type) -> None:
    page = (PAGES / "puzzlekit_puzzles.md").read_text(encoding="utf-8")
    text = section(page, kind.__name__)
    rows = re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
    told = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    wanted = set(fields(kind))
    if issubclass(kind, Coordinate) and kind is not Coordinate:
        wanted -= set(fields(Coordinate))
    assert told == wanted, f"{kind.__name__} on docs/hooks/puzzlekit_puzzles.md"


def test_every_attribute_of_a_heuristic_is_on_its_page() -> None:
    page = (PAGES / "puzzlekit_heuristics.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)", section(page, "Heuristic"), re.MULTILINE)
    public = {name for name in vars(Heuristic) if not name.startswith("_")}
    assert set(rows) == public | set(Heuristic.__annotations__)


@pytest.mark.parametrize("kind", [Event, Exactly, AtMost, RandomMoves])
def test_every_field_of_an_event_is_on_its_page(kind: type) -> None:
    page = (PAGES / "puzzlekit_events.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)`", section(page, kind.__name__), re.MULTILINE)
    assert rows == fields(kind)


def test_what_replaces_version_1_can_be_written_like_that() -> None:
    """Each call in the right column of the page that shows the change side by side."""
    page = (PAGES.parent / "api-2.md").read_text(encoding="utf-8")
    columns = re.findall(r"^\| .*? \| (.*) \|$", page, re.MULTILINE)
    codes = [code for column in columns for code in re.findall(r"`(.+?)`", column)]
    calls = [
        code.removeprefix("strategy=")
        for code in codes
        if code.endswith(")") and "..." not in code and "layout" not in code.lower()
    ]
    made = [eval(call, dict(PUBLIC)) for call in calls]
    assert len(made) > 10 and all(isinstance(each, Strategy | PruningTable) for each in made)
