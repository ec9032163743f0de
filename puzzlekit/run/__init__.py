"""Searches at work: limits, time slices, threads, several starts."""
