"""What a puzzle is: orbits, states, moves, metrics, notation, facelets, diagnosis."""

from puzzlekit.puzzle.constraint import EvenParity, Frame, OrientationSum
from puzzlekit.puzzle.facelets import FaceletLayout
from puzzlekit.puzzle.metric import Metric
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.notation import Notation
from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.puzzle.stickers import sticker_effect

__all__ = [
    "EvenParity",
    "FaceletLayout",
    "Frame",
    "Metric",
    "Move",
    "Notation",
    "Orbit",
    "OrientationSum",
    "Puzzle",
    "sticker_effect",
]
