"""How several distances become one estimate."""

from puzzlekit.heuristic.base import Heuristic, Max, Sum, find_heuristic

__all__ = ["Heuristic", "Max", "Sum", "find_heuristic"]
