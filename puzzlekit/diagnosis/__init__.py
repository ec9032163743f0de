"""Diagnosis: what can be wrong with a state, in words, and where."""
