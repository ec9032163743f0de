"""Phases as an author states them: goals, moves, coordinates and tables."""
