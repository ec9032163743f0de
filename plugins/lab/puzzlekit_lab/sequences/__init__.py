"""Find move sequences that have a given effect."""
