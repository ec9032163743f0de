"""Efforts: how much each check looks at."""

from __future__ import annotations

from typing import NamedTuple


class Effort(NamedTuple):
    """How much a check looks at.

    `samples` states or values are drawn; up to `values` of a coordinate and `entries` of a table
    are gone through one by one; automata are compared over `states`, searches go on for `nodes`;
    tables of more than `build` bytes are not built for a check.
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
