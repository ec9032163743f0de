"""The main classes of the library: `Solver`, `Solution`, and their records."""
