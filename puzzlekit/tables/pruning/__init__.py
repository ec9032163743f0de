"""Pruning tables: one file a kind."""
