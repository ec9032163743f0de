"""Tables that several methods share: move tables, and goals."""
