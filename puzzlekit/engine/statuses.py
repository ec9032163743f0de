"""What a search of the engine returns when it stops.

`run` returns one of the first three. The others are asked for and granted inside the engine.
`statuses.pxd` lists them for Cython, in the same order.
"""

from __future__ import annotations

(
    PAUSED,  # the budget is used up
    FOUND,
    EXHAUSTED,  # there is no more within the limit
    NO_ROOM,  # paths, or what is collected, need more room
    NO_INNER_ROOM,  # of two phases, paths of the second one do
    NO_OUTER_ROOM,
    MORE_STARTS,  # the starts of the next stage are due
) = range(7)
