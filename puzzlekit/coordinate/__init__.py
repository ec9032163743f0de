"""How a state becomes a number: orientation, permutation, combination."""

from puzzlekit.coordinate.base import Coordinate, Vector
from puzzlekit.coordinate.kinds import (
    Combination,
    Halves,
    Orientation,
    OrientedCombination,
    Permutation,
)

__all__ = [
    "Combination",
    "Coordinate",
    "Halves",
    "Orientation",
    "OrientedCombination",
    "Permutation",
    "Vector",
]
