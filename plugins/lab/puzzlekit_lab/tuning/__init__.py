"""Tuning: search for the parameters with which a heuristic needs the fewest nodes or least time."""
