"""Experiments: the runs of a comparison and their records."""
