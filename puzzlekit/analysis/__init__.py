"""Derive a method for a puzzle."""
