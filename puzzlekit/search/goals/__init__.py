"""Goals: sets of states, stated as conditions on pieces."""
