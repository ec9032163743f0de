"""How several distances become one estimate.

`puzzlekit.heuristic.formulas` has more of them; it is imported when one of those is asked for.
"""
