"""Check the estimates of heuristics: against true distances, and for admissibility."""
