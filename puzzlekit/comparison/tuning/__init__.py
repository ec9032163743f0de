"""Tuning: which parameters of a heuristic serve an objective best."""
