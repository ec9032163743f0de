"""What a puzzle is: orbits, states, moves, metrics, notation, facelets, diagnosis."""

from puzzlekit.puzzle.constraint import (
    Blocks,
    EvenParity,
    Frame,
    GuardParity,
    Law,
    OrientationSum,
)
from puzzlekit.puzzle.facelets import FaceletLayout
from puzzlekit.puzzle.grid import Grid
from puzzlekit.puzzle.guard import Guard
from puzzlekit.puzzle.metric import Metric
from puzzlekit.puzzle.move import Effect, Move, product
from puzzlekit.puzzle.notation import Notation
from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.puzzle import Puzzle, state_modulus
from puzzlekit.puzzle.stickers import sticker_effect

__all__ = [
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
    "Notation",
    "Orbit",
    "OrientationSum",
    "Puzzle",
    "product",
    "state_modulus",
    "sticker_effect",
]
