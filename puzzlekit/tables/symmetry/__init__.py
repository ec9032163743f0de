"""Tables of symmetries: the classes of equivalent values, and the effects of moves on classes."""
