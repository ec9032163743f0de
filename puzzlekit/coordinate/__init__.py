"""How a state becomes a number: orientation, permutation, combination."""
