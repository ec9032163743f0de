"""Strategies: how the phases of a method are searched."""
