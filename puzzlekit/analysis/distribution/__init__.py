"""How many states of a phase are at each distance from its goal."""
