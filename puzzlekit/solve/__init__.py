"""The facade: `Solver`, `Solution`, and what is said of them."""
