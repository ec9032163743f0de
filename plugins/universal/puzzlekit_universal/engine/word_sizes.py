"""Sizes of words and of searches for words. `word_sizes.pxd` lists them for Cython."""

from __future__ import annotations

ROOM = 1100  # moves of the longest word that can be offered to a library
FAR = 1 << 29  # a cost above that of every word
OPS = 1024  # cycles that a step of a search compares
WINDOW = 8  # moves on each side of an insertion that may cancel
OP = 5  # numbers of a cycle: three places and two orientations
BITS = 60  # moves that a number of a set of moves has
MASK = 5  # numbers of such a set
