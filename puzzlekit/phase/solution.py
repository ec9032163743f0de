"""What a search gives back, and the limits it is given."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import attrs

from puzzlekit.errors import UsageError

_MOST = 10**15  # more moves or nodes than any search reaches
_MOST_THREADS = 1024


class BoundReport(NamedTuple):
    """A bound on the cost that was searched to its end without an answer.

    `bound`; `best` is the cost of the best answer so far, and no answer costs less than `at_least`;
    `nodes` were generated in `seconds`, and the next bound will probably take `next_seconds`.
    """

    bound: int
    best: int | None
    at_least: int
    nodes: int
    seconds: float
    next_seconds: float


class Limits(NamedTuple):
    """What ends a search.

    max_length: no answer may cost more, and the first that does not ends the search. timeout: wall
    seconds. max_nodes: generated nodes; with one thread the answer is then reproducible. threads:
    how many work on it. cancel: an event that another thread may set. on_bound: called after each
    bound that a method which proves its answers has searched to its end.
    """

    max_length: int | None = None
    timeout: float | None = None
    max_nodes: int | None = None
    threads: int = 1
    cancel: threading.Event | None = None
    on_bound: Callable[[BoundReport], None] | None = None

    def checked(self) -> Limits:
        """The same limits; a UsageError if one of them makes no sense."""
        if not isinstance(self.threads, int) or not 1 <= self.threads <= _MOST_THREADS:
            raise UsageError(
                f"threads must be a whole number from 1 to {_MOST_THREADS}, not {self.threads!r}"
            )
        for name in ("max_length", "max_nodes"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or not 0 <= value <= _MOST):
                raise UsageError(f"{name} must be a whole number from 0 to {_MOST}, not {value!r}")
        seconds = self.timeout
        if seconds is not None and not (isinstance(seconds, int | float) and seconds >= 0):
            raise UsageError(f"timeout must be a number of seconds, not {seconds!r}")
        return self


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
