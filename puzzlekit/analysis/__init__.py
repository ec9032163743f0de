"""Analyses of puzzles: derived methods, sequences with an effect, distributions."""
