"""Methods derived from the orbits, moves and metrics of a puzzle alone."""
