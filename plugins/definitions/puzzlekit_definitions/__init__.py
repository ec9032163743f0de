"""Read puzzles from definition files, and derive methods. A definition is never executed.

>>> import puzzlekit_definitions
>>> from puzzlekit import load
>>> [method.name for method in puzzlekit_definitions.derive_methods(load("cube2").puzzle)]
['optimal']
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator

from puzzlekit import PuzzleReader, hookimpl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puzzlekit_definitions.derive_method import Derived as Derived
    from puzzlekit_definitions.derive_method import derive as derive
    from puzzlekit_definitions.derive_method import derive_methods as derive_methods
    from puzzlekit_definitions.load import DefinedSolver as DefinedSolver
    from puzzlekit_definitions.load import DefinitionWarning as DefinitionWarning
    from puzzlekit_definitions.load import load_definition as load_definition
    from puzzlekit_definitions.load import parse_definition as parse_definition
    from puzzlekit_definitions.phases import SubgroupChain as SubgroupChain
    from puzzlekit_definitions.phases import derive_phases as derive_phases

puzzlekit_api = 2

# The public names, by their modules, which are imported when a name is first used.
_HOMES = {
    "derive_method": "Derived derive derive_methods",
    "load": "DefinedSolver DefinitionWarning load_definition parse_definition",
    "phases": "SubgroupChain derive_phases",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'puzzlekit_definitions' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"puzzlekit_definitions.{home}"), name)
    globals()[name] = value
    return value


@hookimpl
def puzzlekit_readers() -> Iterator[PuzzleReader]:
    """Read the formats of definition files."""
    suffixes = (".tws", ".def", ".json", ".gap", ".csv")
    yield PuzzleReader("definitions", suffixes, "puzzlekit_definitions.load:load_definition")
