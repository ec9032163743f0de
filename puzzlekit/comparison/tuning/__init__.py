"""Tuning: search for the parameters of a heuristic that serve an objective best."""
