"""Tables that several methods share: move tables, goals, distances."""
