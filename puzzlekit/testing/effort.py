"""Efforts: the sizes of samples and the limits of checks."""

from __future__ import annotations

from typing import NamedTuple


class Effort(NamedTuple):
    """Sizes and limits of a check.

    `samples` is the number of random states or values. `values` is the most values of a coordinate
    that are checked one by one, and `entries` the most entries of a table. Automata are compared
    over about `states` states. A search ends after `nodes` nodes. If missing tables need more than
    `build` bytes, a check is skipped.
    """

    name: str
    samples: int
    values: int
    entries: int
    states: int
    nodes: int
    build: int


EFFORTS = {
    effort.name: effort
    for effort in (
        Effort("quick", 40, 1 << 17, 1 << 18, 2_000, 50_000, 32 << 20),
        Effort("normal", 200, 1 << 21, 1 << 22, 20_000, 300_000, 160 << 20),
        Effort("thorough", 2_000, 1 << 24, 1 << 26, 200_000, 5_000_000, 4 << 30),
    )
}
