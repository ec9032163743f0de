"""Count the states of a phase at each distance from the goal of the phase."""
