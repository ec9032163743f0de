"""The drawings of the documentation are what docs/drawings.py draws."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from xml.etree import ElementTree

import pytest
from documents import ROOT

from puzzlekit.engine.fill import COMPILED

DRAWINGS: dict[str, Callable[[], str]] = runpy.run_path(str(ROOT / "docs" / "drawings.py"))[
    "DRAWINGS"
]
QUICK = ["levels", "pruning-table"]


def test_every_drawing_is_there() -> None:
    assert {path.stem for path in (ROOT / "docs" / "drawings").iterdir()} == set(DRAWINGS)


def check(name: str) -> None:
    committed = (ROOT / "docs" / "drawings" / f"{name}.svg").read_text(encoding="utf-8")
    ElementTree.fromstring(committed)
    assert DRAWINGS[name]() == committed, "run: python docs/drawings.py"


@pytest.mark.parametrize("name", QUICK)
def test_a_drawing_is_what_is_drawn(name: str) -> None:
    check(name)


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="takes minutes where nothing is compiled")
@pytest.mark.parametrize("name", sorted({*DRAWINGS} - {*QUICK}))
def test_a_drawing_of_searches_is_what_is_drawn(name: str) -> None:
    check(name)
