"""What the NxNxN cubes have in common: geometry, notation, metrics, colours.

Not a plugin: a library for the plugins of cubes of one size, which add the methods. The cube stands
in space with x to the right, y up and z to the front; everything is derived from where the
stickers are and how a layer turns.

Places are named by the faces they touch: corner URF, edge UF, center U. Those of the 4x4x4 say in
small letters as well which other faces they are near to: UFr and FUl are the two wings of the edge
UF, Ufr is the center of the upper face next to the corner URF (see `cube_puzzle`).
"""

from puzzlekit_cubes.cube import HELD, cube_pictures, cube_puzzle, held_at_random

__all__ = ["HELD", "cube_pictures", "cube_puzzle", "held_at_random"]
