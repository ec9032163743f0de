"""Analysis: what is known of a puzzle as a whole, such as how many states are how far away."""
