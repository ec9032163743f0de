"""Methods as an author states them: phases in order, and the strategy that searches them."""
