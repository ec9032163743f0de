"""Move tables, pruning tables, and the store that keeps them on disk."""
