"""Efforts: the sizes of the samples and limits of the checks."""

from __future__ import annotations

from typing import NamedTuple


class Effort(NamedTuple):
    """Sizes and limits of a check.

    `samples` is the number of drawn states or values. Up to `values` values of a coordinate and
    `entries` entries of a table are checked one by one. Automata are compared over `states` states.
    Searches end after `nodes` nodes. Checks build tables of up to `build` bytes.
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
