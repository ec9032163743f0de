"""Comparing heuristics: experiments, what they leave behind, and what follows from it."""
