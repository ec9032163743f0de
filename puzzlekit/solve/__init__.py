"""The facade: solvers, solutions, and what is said of them."""
