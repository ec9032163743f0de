"""What a puzzle is: orbits, states, moves, metrics, notation, facelets, diagnosis."""

from puzzlekit.puzzle.constraint import EvenParity, Frame, OrientationSum, Rule
from puzzlekit.puzzle.facelets import FaceletLayout
from puzzlekit.puzzle.metric import Metric
from puzzlekit.puzzle.move import Effect, Move, product
from puzzlekit.puzzle.notation import Notation
from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.puzzle import Puzzle, state_modulus
from puzzlekit.puzzle.stickers import sticker_effect

__all__ = [
    "Effect",
    "EvenParity",
    "FaceletLayout",
    "Frame",
    "Metric",
    "Move",
    "Notation",
    "Orbit",
    "OrientationSum",
    "Puzzle",
    "Rule",
    "product",
    "state_modulus",
    "sticker_effect",
]
