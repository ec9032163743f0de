"""Analyses of puzzles, apart from solving positions."""
