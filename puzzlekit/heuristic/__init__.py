"""Heuristics: combine the distances of several tables into one estimate.

`puzzlekit.heuristic.formulas` has more heuristics; it is imported only when one of them is used.
"""
