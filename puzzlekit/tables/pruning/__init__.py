"""Pruning tables: one module for each kind of table."""
