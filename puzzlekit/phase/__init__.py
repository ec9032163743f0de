"""Phases as plugins declare them: goals, moves, coordinates and tables."""
