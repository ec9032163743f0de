"""The strategy that solves any puzzle from its moves: short words, inserted where they cancel."""
