"""What a puzzle is: orbits, moves, metrics, notation, constraints, symmetries, machines."""
