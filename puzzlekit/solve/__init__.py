"""The facade: `Solver`, `Solution`, and their records."""
