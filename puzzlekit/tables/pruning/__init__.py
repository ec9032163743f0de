"""Pruning tables: one file for each kind."""
