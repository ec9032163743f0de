"""The examples in the documentation do what they say."""

from __future__ import annotations

import doctest
import importlib.util
import pkgutil
from pathlib import Path

import pytest
from documents import DOCUMENTS, PACKAGES

MODULES = [
    *PACKAGES,
    *(
        info.name
        for package in PACKAGES
        for info in pkgutil.walk_packages(importlib.import_module(package).__path__, package + ".")
        if not info.name.endswith("__main__")
    ),
]


def may_have_examples(name: str) -> bool:
    """Whether the source of a module has a prompt; of a compiled one there is no source to see."""
    spec = importlib.util.find_spec(name)
    source = Path(spec.origin) if spec and spec.origin else Path()
    return source.suffix != ".py" or ">>>" in source.read_text(encoding="utf-8")


SHOWING = [name for name in MODULES if may_have_examples(name)]
PAGES = [path for path in DOCUMENTS if ">>>" in path.read_text(encoding="utf-8")]
FLAGS = doctest.ELLIPSIS | doctest.REPORT_NDIFF


@pytest.mark.slow
@pytest.mark.parametrize("name", SHOWING)
def test_examples_of_a_module(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert result.failed == 0


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_of_a_page(page: Path, tmp_path: Path) -> None:
    # A closing code fence is no output.
    text = "\n".join(
        "" if line.lstrip().startswith("```") else line
        for line in page.read_text(encoding="utf-8").splitlines()
    )
    copy = tmp_path / page.name
    copy.write_text(text + "\n", encoding="utf-8")
    result = doctest.testfile(str(copy), module_relative=False, optionflags=FLAGS)
    assert result.attempted > 0 and result.failed == 0


@pytest.mark.slow
def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = {
        name: sum(len(test.examples) for test in finder.find(importlib.import_module(name), name))
        for name in MODULES
    }
    assert found["puzzlekit"] > 0 and found["puzzlekit.search.solver"] > 0
    assert sum(count > 0 for count in found.values()) >= 20
    assert {name for name, count in found.items() if count} <= set(SHOWING)
