"""The number of states of a phase at each distance from its goal."""
