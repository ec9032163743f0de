"""Phases of every kind: searched as a plain search does it, or refused; none ends the interpreter.

They are tried in a process of their own (see `tests/declared_phases.py`), compiled and interpreted.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from declared_phases import WORLDS

TESTS = Path(__file__).parents[1]
# What is refused names the table, the coordinate or the phase.
NAMED = ("pruning table ", "coordinate ", "phase ", "method chain")


def tried(root: Path, *what: object, seconds: float = 600) -> Counter[str]:
    """What came of some cases, by its first word; it fails for one that is wrong or ends it all."""
    program = [sys.executable, str(TESTS / "declared_phases.py"), str(root), *map(str, what)]
    done = subprocess.run(program, capture_output=True, text=True, timeout=seconds)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, f"{lines[-1] if lines else ''} ended it: {done.stderr[-2000:]}"
    cases, found = lines[::2], lines[1::2]
    assert [pair for pair in zip(cases, found, strict=True) if pair[1].startswith("wrong")] == []
    refused = [text.removeprefix("refused: ") for text in found if text.startswith("refused: ")]
    assert [text for text in refused if not text.startswith(NAMED)] == []
    return Counter(text.partition(":")[0] for text in found)


@pytest.mark.parametrize("others", [(), ("one",), ("one", "pair")])
def test_distances_modulo_3_over_a_coordinate_without_a_move_table(
    others: tuple[str, ...], tmp_path: Path
) -> None:
    """At a start the search walks to the goal: it ranks what it has no move table for."""
    names = ("whole", *others)
    case = ("held", 200, names, ((" ".join(names), "2 bits"),))
    assert tried(tmp_path, "case", json.dumps(case)) == {"agrees": 1}


def test_every_table_in_a_chain(tmp_path: Path) -> None:
    found = tried(tmp_path, "chains", 0, 5)
    assert found["agrees"] > 5 and found["refused"] > 3


@pytest.mark.parametrize("world", WORLDS)
def test_every_table_over_every_coordinate(world: str, tmp_path: Path) -> None:
    """A part of all; the other parts are for the long test."""
    found = tried(tmp_path, "grid", world, 0, 23)
    assert found["agrees"] > 3 and found["refused"] > 3


def test_phases_at_random(tmp_path: Path) -> None:
    found = tried(tmp_path, "drawn", 0, 60)
    assert found["agrees"] > 5 and found["refused"] > 5


@pytest.mark.long
@pytest.mark.parametrize("world", WORLDS)
def test_every_table_over_every_coordinate_in_full(world: str, tmp_path: Path) -> None:
    found = tried(tmp_path, "grid", world, 0, 1, seconds=3600)
    assert found["agrees"] > 50


@pytest.mark.long
@pytest.mark.parametrize("first", [1000, 2000, 3000])
def test_many_phases_at_random(first: int, tmp_path: Path) -> None:
    tried(tmp_path, "drawn", first, first + 1000, seconds=3600)


@pytest.mark.long
def test_every_table_in_a_chain_in_full(tmp_path: Path) -> None:
    found = tried(tmp_path, "chains", 0, 1, seconds=3600)
    assert found["agrees"] > 30
