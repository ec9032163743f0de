"""Questions about puzzles other than how a position is solved."""
