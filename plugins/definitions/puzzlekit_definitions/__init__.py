"""Read puzzles from definition files, and derive methods. A definition is never executed.

>>> import puzzlekit_definitions
>>> from puzzlekit import load
>>> [method.name for method in puzzlekit_definitions.derive_methods(load("cube2").puzzle)]
['optimal']
"""

from __future__ import annotations

from collections.abc import Iterator

from puzzlekit import hookimpl
from puzzlekit.lazy import lazy_names
from puzzlekit.plugins.hooks import PuzzleReader

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

__all__, __getattr__ = lazy_names(
    __name__,
    {
        ".derive_method": "Derived derive derive_methods",
        ".load": "DefinedSolver DefinitionWarning load_definition parse_definition",
        ".phases": "SubgroupChain derive_phases",
    },
)


@hookimpl
def puzzlekit_readers() -> Iterator[PuzzleReader]:
    """Read the formats of definition files."""
    suffixes = (".tws", ".def", ".json", ".gap", ".csv")
    yield PuzzleReader("definitions", suffixes, "puzzlekit_definitions.load:load_definition")
