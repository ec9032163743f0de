"""Algorithms with a wanted effect."""
