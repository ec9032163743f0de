"""Derive a method from the orbits, moves and metrics of a puzzle."""
