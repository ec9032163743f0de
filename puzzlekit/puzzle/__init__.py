"""What a puzzle is: orbits, states, moves, metrics, notation, facelets, diagnosis."""
