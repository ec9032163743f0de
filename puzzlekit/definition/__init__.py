"""Puzzles from definition files, which are read as data and never executed."""
