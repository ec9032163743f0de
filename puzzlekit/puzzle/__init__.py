"""Puzzles and positions: pieces, moves, notation, constraints, stickers, diagnosis."""
