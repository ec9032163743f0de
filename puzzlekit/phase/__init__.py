"""Phases and methods: goals, chaining, limits, solutions."""

from puzzlekit.phase.declaration import Alternative, Method, Phase, Profile, PruningTable
from puzzlekit.phase.solution import BoundReport, Limits, PhaseReport, Solution
from puzzlekit.phase.solver import Solver

__all__ = [
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
]
