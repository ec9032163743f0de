"""From a declaration to an answer: phases, methods, heuristics, strategies, and the solver."""
