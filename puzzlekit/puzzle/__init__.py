"""The model of a puzzle: orbits, moves, metrics, notation, constraints, symmetries, machines."""
