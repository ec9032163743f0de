"""The common parts of the NxNxN cubes: geometry, notation, metrics, colours.

This is not a plugin but a library. The plugin for each size of cube adds methods. The cube
stands in space with x to the right, y up and z to the front. The library computes all moves from
the positions of the stickers.

Each place is named after the faces that it touches: corner URF, edge UF, center U. On larger
cubes, small letters name faces near the place. UFr and FUl are wings of the edge UF, and Ufr is
the center of the upper face next to the corner URF (see `cube_puzzle`).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from puzzlekit_cubes import engine as engine  # so that it is compiled, or the plugin is refused
from puzzlekit_cubes.cube import HELD, cube_pictures, cube_puzzle, cube_rankings, held_at_random
from puzzlekit_cubes.edges import EDGES
from puzzlekit_cubes.large_pieces import SPLITTING, LargeCubePieces, blocks
from puzzlekit_cubes.last_layer import OLL, OLL_NAMES, PLL, PLL_NAMES
from puzzlekit_cubes.turns import outer_blocks

if TYPE_CHECKING:
    from puzzlekit import Method, Phase, Puzzle
    from puzzlekit_cubes.based import Based as Based
    from puzzlekit_cubes.both_sides import ProveBothSides as ProveBothSides
    from puzzlekit_cubes.companions import Companions as Companions
    from puzzlekit_cubes.hashed import Hashed as Hashed
    from puzzlekit_cubes.kinds import Halves as Halves
    from puzzlekit_cubes.kinds import Parity as Parity
    from puzzlekit_cubes.kinds import RelativeOrientation as RelativeOrientation
    from puzzlekit_cubes.pairs import Pairing as Pairing
    from puzzlekit_cubes.pairs import PairSplit as PairSplit
    from puzzlekit_cubes.shared import Shared as Shared
    from puzzlekit_cubes.sym_pairing import SymPairing as SymPairing
    from puzzlekit_cubes.thresholds import Thresholds as Thresholds

# The names that are imported when they are first used, by their modules.
_HOMES = {
    "Based": "based",
    "Companions": "companions",
    "Halves": "kinds",
    "Hashed": "hashed",
    "PairSplit": "pairs",
    "Pairing": "pairs",
    "Parity": "kinds",
    "ProveBothSides": "both_sides",
    "RelativeOrientation": "kinds",
    "Shared": "shared",
    "SymPairing": "sym_pairing",
    "Thresholds": "thresholds",
}

__all__ = [
    "EDGES",
    "HELD",
    "OLL",
    "OLL_NAMES",
    "PLL",
    "PLL_NAMES",
    "SPLITTING",
    "Based",
    "Companions",
    "Halves",
    "Hashed",
    "LargeCubePieces",
    "PairSplit",
    "Pairing",
    "Parity",
    "ProveBothSides",
    "RelativeOrientation",
    "Shared",
    "SymPairing",
    "Thresholds",
    "blocks",
    "cube_pictures",
    "cube_puzzle",
    "cube_rankings",
    "finish_phases",
    "held_at_random",
    "inner_phases",
    "outer_blocks",
    "reduced_method",
    "supercube_puzzle",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def supercube_puzzle(name: str, size: int) -> Puzzle:
    """Return the puzzle of a cube whose middle centers show their orientations (3, 5 or 7 layers).

    The facelet string and the net have four stickers in place of each middle center, one on each
    side of its square. In the solved cube, each of them has the colour of the adjacent face.

    >>> cube = supercube_puzzle("supercube3", 3)
    >>> [(orbit.name, orbit.orientations) for orbit in cube.orbits]
    [('corners', 3), ('edges', 2), ('centers', 4)]
    >>> list(cube.apply(cube.solved, cube.moves("U R' F2"))[-6:])
    [1, 3, 2, 0, 0, 0]
    """
    from puzzlekit_cubes.supercube import supercube

    return supercube(name, size)


def finish_phases(cube: Puzzle, large: bool) -> list[Phase]:
    """Return the two phases that solve a reduced cube as a 3x3x3.

    `large` chooses the table of the first of these phases. Raises a PluginError if the plugin of
    cube3 is missing.
    """
    from puzzlekit_cubes.finish import phases

    return phases(cube, large)


def inner_phases(cube: Puzzle, inside: str, count: int) -> list[Phase]:
    """Return the first phases of the method `reduction` of a smaller cube, seen in a larger cube.

    The larger cube must have all pieces of the smaller one. The phases use the tables of the
    smaller cube. Raises a PluginError if its plugin is missing.
    """
    from puzzlekit_cubes.finish import inner_phases

    return inner_phases(cube, inside, count)


def reduced_method(cube: Puzzle) -> Method:
    """Return the method `reduction` of the 5x5x5, for a larger cube that shows a 5x5x5.

    Its phases view the larger cube. Raises a PluginError if the plugin of cube5 is missing.
    """
    from puzzlekit_cubes.finish import reduced

    return reduced(cube)
