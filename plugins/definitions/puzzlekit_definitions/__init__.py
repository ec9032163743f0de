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
    from puzzlekit_definitions.deriving.derive import Derived as Derived
    from puzzlekit_definitions.deriving.derive import derive as derive
    from puzzlekit_definitions.deriving.derive import derive_methods as derive_methods
    from puzzlekit_definitions.deriving.derive_phases import derive_phases as derive_phases
    from puzzlekit_definitions.deriving.subgroup_chain import SubgroupChain as SubgroupChain
    from puzzlekit_definitions.load import DefinedSolver as DefinedSolver
    from puzzlekit_definitions.load import DefinitionWarning as DefinitionWarning
    from puzzlekit_definitions.load import load_definition as load_definition
    from puzzlekit_definitions.load import parse_definition as parse_definition

puzzlekit_api = 2

# The public names, by their modules, which are imported when a name is first used.
_HOMES = {
    "deriving.derive": "Derived derive derive_methods",
    "deriving.derive_phases": "derive_phases",
    "deriving.subgroup_chain": "SubgroupChain",
    "load": "DefinedSolver DefinitionWarning load_definition parse_definition",
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
