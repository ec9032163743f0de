"""Experiments: the runs of a comparison, and what they leave behind."""
