"""Methods for puzzles of which only orbits, moves and metrics are known."""
