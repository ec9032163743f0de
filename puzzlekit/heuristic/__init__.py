"""How several distances become one estimate.

`puzzlekit.heuristic.formulas` has more of them; it is imported when one of those is asked for.
"""

from puzzlekit.heuristic.base import Heuristic, Max, Sum
from puzzlekit.heuristic.registry import find_heuristic, heuristics

__all__ = ["Heuristic", "Max", "Sum", "find_heuristic", "heuristics"]
