"""For the tests: the plugin on the page about heuristics that read the state."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

PAGE = Path(__file__).parents[1] / "docs" / "own-parts.md"


@contextmanager
def example() -> Iterator[ModuleType]:
    """The plugin as a module, which can be imported inside the `with` block."""
    section = PAGE.read_text(encoding="utf-8").partition("## A heuristic that reads the state")[2]
    code = re.findall(r"```python\n(.*?)```", section, re.DOTALL)[0]
    assert code.count("\n") <= 60
    module = ModuleType("puzzlekit_pancakes")
    sys.modules[module.__name__] = module
    exec(compile(code, "own-parts.md", "exec"), module.__dict__)
    yield module
    del sys.modules[module.__name__]
