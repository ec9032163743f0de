"""The results of a search of the engine when it stops.

`run` returns one of the first three. The engine handles the others internally.
`statuses.pxd` lists them for Cython, in the same order.
"""

from __future__ import annotations

__all__ = [
    "EXHAUSTED",
    "FOUND",
    "MORE_STARTS",
    "NO_INNER_ROOM",
    "NO_OUTER_ROOM",
    "NO_ROOM",
    "PAUSED",
]

(
    PAUSED,  # the budget is used up
    FOUND,
    EXHAUSTED,  # nothing more exists within the limit
    NO_ROOM,  # paths or collected ends need more room
    NO_INNER_ROOM,  # paths of the second of two phases need more room
    NO_OUTER_ROOM,  # paths of the first of two phases need more room
    MORE_STARTS,  # the next stage of starts begins
) = range(7)
