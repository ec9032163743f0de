"""What the NxNxN cubes have in common: geometry, notation, metrics, colours.

Not a plugin: a library for the plugins of cubes of one size, which add the methods. The cube stands
in space with x to the right, y up and z to the front; everything is derived from where the
stickers are and how a layer turns.
"""

from puzzlekit_cubes.puzzle import cube_puzzle

__all__ = ["cube_puzzle"]
