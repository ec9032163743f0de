"""Move sequences with a wanted effect."""
