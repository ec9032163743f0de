"""The declaration of a method in a plugin: its phases in order, and its search strategy."""
