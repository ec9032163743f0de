"""Phases and methods: goals, chaining, limits, solutions."""

from puzzlekit.phase.declaration import Method, Phase, Profile, PruningTable
from puzzlekit.phase.solution import BoundReport, Limits, PhaseReport, Solution
from puzzlekit.phase.solver import Solver

__all__ = [
    "BoundReport",
    "Limits",
    "Method",
    "Phase",
    "PhaseReport",
    "Profile",
    "PruningTable",
    "Solution",
    "Solver",
]
