"""Methods as plugins declare them: phases in order, and the strategy that searches them."""
