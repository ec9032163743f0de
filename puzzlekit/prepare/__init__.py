"""Turn the declaration of a phase into the arrays that the engine searches with."""
