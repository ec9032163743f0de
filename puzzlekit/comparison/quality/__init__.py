"""How good heuristics are: against true distances, and against what they claim."""
