"""Phases and methods: goals, chaining, limits, solutions."""

from puzzlekit.phase.declaration import Method, Phase, PruningTable
from puzzlekit.phase.solution import Limits, PhaseReport, Solution
from puzzlekit.phase.solver import Solver

__all__ = ["Limits", "Method", "Phase", "PhaseReport", "PruningTable", "Solution", "Solver"]
