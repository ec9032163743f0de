"""Positions: from text and stickers to states, and back."""
