"""Coordinates: number one aspect of a state, such as the orientations of the corners."""
