"""How tables of cosets, and the nodes of a search with one, lie in memory.

`coset_layout.pxd` has the same numbers for Cython.
"""

from __future__ import annotations

LINE = 64  # bytes of a line of a table: what a processor reads at once
ENTRIES = 254  # entries of 2 bits in a line; its last 4 bits are the least distance in it
WAITING = 64  # entries that are under way from memory while a table is filled

MOST = 40  # moves of an answer that a search is for
BATCH = 64  # nodes of one level that grow together
FIRST_PAIRS, SECOND_PAIRS = 4, 6  # pairs of pieces of each orbit that there is room for

# A node, in units of 16 bits. It begins with the pairs of codes of both orbits.
TURN, MASK, ONE, TWO, FLIPS = range(10, 15)  # the marks of x
LAST_X, LAST_Y = 15, 16  # the states of the automaton
KNOWN_X, KNOWN_Y = 17, 18  # how many moves x, and y, take at least; 0 where it is not known
SIDE = 19  # 1 where x and y have been exchanged
MADE = 20  # the move to the node, times 2, plus the side
FROM = 21  # the number of the node above, in its list
WIDTH = 24
