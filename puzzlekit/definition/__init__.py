"""Puzzles from definition files: read as data, without a line of Python."""
