"""Tables of symmetries: the classes of equivalent values, and what the moves make of them."""
