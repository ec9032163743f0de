"""puzzlekit: solve permutation puzzles.

>>> import puzzlekit
>>> solver = puzzlekit.load("cube2")
>>> str(solver.solve("R U F2"))
"F2 U' R'"

Everything below is public; what is not listed here or in the package of a name may change. Names
are imported when first used, since a command line has no time to import what it does not need.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # as `typing` has it, whose import is slow
if TYPE_CHECKING:
    from puzzlekit.analysis.derive import Derived, derive, derive_methods
    from puzzlekit.analysis.distribution import Distribution, distribution
    from puzzlekit.analysis.find import Found, find
    from puzzlekit.coordinate import (
        Combination,
        Coordinate,
        Halves,
        Orientation,
        OrientedCombination,
        Permutation,
    )
    from puzzlekit.coordinate.joint import Product
    from puzzlekit.coordinate.pairs import Pairing, PairSplit, Parity
    from puzzlekit.coordinate.sym_pairing import SymPairing
    from puzzlekit.coordinate.symmetric import SymCoordinate
    from puzzlekit.definition.load import (
        DefinedSolver,
        DefinitionWarning,
        load_definition,
        parse_definition,
    )
    from puzzlekit.errors import (
        DeclarationError,
        DefinitionError,
        NoSolutionError,
        NotationError,
        PluginError,
        PuzzlekitError,
        StateError,
        TableError,
        UsageError,
    )
    from puzzlekit.heuristic import Heuristic, Max, Sum
    from puzzlekit.heuristic.formulas import Blended, Euclid, MaxSd
    from puzzlekit.phase import (
        Alternative,
        BoundReport,
        Limits,
        Method,
        Phase,
        PhaseReport,
        Profile,
        PruningTable,
        Solution,
        Solver,
    )
    from puzzlekit.plugins import (
        API_VERSION,
        PuzzleEntry,
        PuzzleFamily,
        available,
        find_heuristic,
        heuristics,
        hookimpl,
        load,
    )
    from puzzlekit.puzzle import (
        Blocks,
        Effect,
        EvenParity,
        FaceletLayout,
        Frame,
        Grid,
        Guard,
        GuardParity,
        Law,
        Metric,
        Move,
        Orbit,
        OrientationSum,
        Puzzle,
        product,
        state_modulus,
        sticker_effect,
    )
    from puzzlekit.puzzle.fault import Fault
    from puzzlekit.puzzle.machine import Machine
    from puzzlekit.puzzle.machine_file import parse_machine, read_machine
    from puzzlekit.puzzle.metric import Step
    from puzzlekit.puzzle.painting import Painting
    from puzzlekit.puzzle.repair import Repair
    from puzzlekit.puzzle.surface import Surface
    from puzzlekit.puzzle.view import View
    from puzzlekit.tables import TableStore, TableWarning

_HOMES = {
    "puzzlekit.analysis.derive": ("Derived", "derive", "derive_methods"),
    "puzzlekit.analysis.distribution": ("Distribution", "distribution"),
    "puzzlekit.analysis.find": ("Found", "find"),
    "puzzlekit.coordinate": (
        "Combination",
        "Coordinate",
        "Halves",
        "Orientation",
        "OrientedCombination",
        "Permutation",
    ),
    "puzzlekit.coordinate.joint": ("Product",),
    "puzzlekit.coordinate.pairs": ("PairSplit", "Pairing", "Parity"),
    "puzzlekit.coordinate.sym_pairing": ("SymPairing",),
    "puzzlekit.coordinate.symmetric": ("SymCoordinate",),
    "puzzlekit.definition.load": (
        "DefinedSolver",
        "DefinitionWarning",
        "load_definition",
        "parse_definition",
    ),
    "puzzlekit.errors": (
        "DeclarationError",
        "DefinitionError",
        "NoSolutionError",
        "NotationError",
        "PluginError",
        "PuzzlekitError",
        "StateError",
        "TableError",
        "UsageError",
    ),
    "puzzlekit.heuristic": ("Heuristic", "Max", "Sum"),
    "puzzlekit.heuristic.formulas": ("Blended", "Euclid", "MaxSd"),
    "puzzlekit.phase": (
        "Alternative",
        "BoundReport",
        "Limits",
        "Method",
        "Phase",
        "PhaseReport",
        "Profile",
        "PruningTable",
        "Solution",
        "Solver",
    ),
    "puzzlekit.plugins": (
        "API_VERSION",
        "PuzzleEntry",
        "PuzzleFamily",
        "available",
        "find_heuristic",
        "heuristics",
        "hookimpl",
        "load",
    ),
    "puzzlekit.puzzle": (
        "Blocks",
        "Effect",
        "EvenParity",
        "FaceletLayout",
        "Frame",
        "Grid",
        "Guard",
        "GuardParity",
        "Law",
        "Metric",
        "Move",
        "Orbit",
        "OrientationSum",
        "Puzzle",
        "product",
        "state_modulus",
        "sticker_effect",
    ),
    "puzzlekit.puzzle.fault": ("Fault",),
    "puzzlekit.puzzle.machine": ("Machine",),
    "puzzlekit.puzzle.machine_file": ("parse_machine", "read_machine"),
    "puzzlekit.puzzle.metric": ("Step",),
    "puzzlekit.puzzle.painting": ("Painting",),
    "puzzlekit.puzzle.repair": ("Repair",),
    "puzzlekit.puzzle.surface": ("Surface",),
    "puzzlekit.puzzle.view": ("View",),
    "puzzlekit.tables": ("TableStore", "TableWarning"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "API_VERSION",
    "Alternative",
    "Blended",
    "Blocks",
    "BoundReport",
    "Combination",
    "Coordinate",
    "DeclarationError",
    "DefinedSolver",
    "DefinitionError",
    "DefinitionWarning",
    "Derived",
    "Distribution",
    "Effect",
    "Euclid",
    "EvenParity",
    "FaceletLayout",
    "Fault",
    "Found",
    "Frame",
    "Grid",
    "Guard",
    "GuardParity",
    "Halves",
    "Heuristic",
    "Law",
    "Limits",
    "Machine",
    "Max",
    "MaxSd",
    "Method",
    "Metric",
    "Move",
    "NoSolutionError",
    "NotationError",
    "Orbit",
    "Orientation",
    "OrientationSum",
    "OrientedCombination",
    "Painting",
    "PairSplit",
    "Pairing",
    "Parity",
    "Permutation",
    "Phase",
    "PhaseReport",
    "PluginError",
    "Product",
    "Profile",
    "PruningTable",
    "Puzzle",
    "PuzzleEntry",
    "PuzzleFamily",
    "PuzzlekitError",
    "Repair",
    "Solution",
    "Solver",
    "StateError",
    "Step",
    "Sum",
    "Surface",
    "SymCoordinate",
    "SymPairing",
    "TableError",
    "TableStore",
    "TableWarning",
    "UsageError",
    "View",
    "available",
    "derive",
    "derive_methods",
    "distribution",
    "find",
    "find_heuristic",
    "heuristics",
    "hookimpl",
    "load",
    "load_definition",
    "parse_definition",
    "parse_machine",
    "product",
    "read_machine",
    "state_modulus",
    "sticker_effect",
]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'puzzlekit' has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
