"""The common parts of the NxNxN cubes: geometry, notation, metrics, colours.

This is not a plugin but a library. The plugin for each size of cube adds methods. The cube
stands in space with x to the right, y up and z to the front. The library computes all moves from
the positions of the stickers.

Each place is named after the faces that it touches: corner URF, edge UF, center U. On the
4x4x4, small letters name faces near the place. UFr and FUl are the two wings of the edge UF, and
Ufr is the center of the upper face next to the corner URF (see `cube_puzzle`).
"""

from puzzlekit_cubes.cube import HELD, cube_pictures, cube_puzzle, held_at_random

__all__ = ["HELD", "cube_pictures", "cube_puzzle", "held_at_random"]
