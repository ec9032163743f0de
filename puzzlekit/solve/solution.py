"""What a search gives back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import attrs


class PhaseReport(NamedTuple):
    """One phase of a solution: its moves before merging, and what finding them took.

    `length` is the cost of the moves, `nodes` were generated, `expanded` had their children listed;
    `seconds` is the wall time of the phase, or its share by nodes where phases are interleaved;
    `optimal` says that it is known that no shorter sequence of the phase's moves reaches its goal.
    """

    name: str
    goal: str
    moves: tuple[str, ...]
    length: int
    nodes: int
    expanded: int
    seconds: float
    optimal: bool


@attrs.frozen
class Solution:
    """An answer, replayed on the full state before anyone sees it.

    `heuristic` is the text by which the same heuristics can be asked for again, `state` the state
    as held, `moves` the names of the moves, `length` their cost in `metric`, `lengths` their cost
    in every metric that counts moves, and in that one; `steps` are, in the metric of a machine, the
    moves that are done at once, and the cost of each step; `optimal` says that no shorter answer
    exists in that metric, and `at_least` that none is shorter than that (0 where nothing is known).
    `profile` is that of the tables, where the method has several. `improvements` lists (seconds,
    length) of each answer that
    was shorter than those before it.
    `nodes` (generated), `expanded`, `seconds` (wall) and `cpu_seconds` are of the search alone,
    with the tables loaded.
    """

    puzzle: str
    method: str
    heuristic: str
    metric: str
    profile: str
    state: bytes
    moves: tuple[str, ...]
    steps: tuple[tuple[tuple[str, ...], int], ...]
    length: int
    lengths: dict[str, int] = attrs.field(hash=False)
    phases: tuple[PhaseReport, ...]
    nodes: int
    expanded: int
    seconds: float
    cpu_seconds: float
    optimal: bool
    at_least: int
    improvements: tuple[tuple[float, int], ...]
    verified: bool

    def __str__(self) -> str:
        """The moves, as one string."""
        return " ".join(self.moves)

    def __len__(self) -> int:
        """How many moves there are."""
        return len(self.moves)

    def __iter__(self) -> Iterator[str]:
        """The names of the moves, one after the other."""
        return iter(self.moves)

    def evolve(self, **changes: Any) -> Solution:
        """A copy with some fields changed."""
        return attrs.evolve(self, **changes)
