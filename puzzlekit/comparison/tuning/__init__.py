"""Tuning: parameters of heuristics that serve an objective best."""
