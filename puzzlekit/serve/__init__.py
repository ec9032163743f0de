"""A page and a JSON API on this machine: paint a puzzle, solve it, watch the solution."""
