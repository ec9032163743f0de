"""Diagnosis: name each fault of a state and the stickers that show the fault."""
