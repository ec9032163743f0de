"""Derive a method for a puzzle, find sequences by effect, count states by distance."""
