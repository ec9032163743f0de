"""Data sets: states of a puzzle with labels, such as their shortest solutions, for training."""
