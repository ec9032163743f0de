"""The memory layout of tables of cosets, and of the nodes of a search with such a table.

`coset_layout.pxd` has the same numbers for Cython.
"""

from __future__ import annotations

LINE = 64  # bytes of a line of a table, which is a cache line
ENTRIES = 254  # entries of 2 bits in a line; the last 4 bits hold the least distance of the line
WAITING = 64  # prefetched entries while a table is filled

MOST = 40  # most moves of an answer
BATCH = 64  # nodes of one level that grow together
FIRST_PAIRS, SECOND_PAIRS = 4, 6  # room for pairs of pieces of each orbit

# A node, in units of 16 bits. It begins with the pairs of codes of both orbits.
TURN, MASK, ONE, TWO, FLIPS = range(10, 15)  # the marks of x
LAST_X, LAST_Y = 15, 16  # the states of the automaton
KNOWN_X, KNOWN_Y = 17, 18  # lower bounds on the moves of x and of y; 0 if unknown
SIDE = 19  # 1 if x and y have been exchanged
MADE = 20  # the move to the node, times 2, plus the side
FROM = 21  # the number of the node above, in its list
WIDTH = 24
