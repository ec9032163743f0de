"""The interface of coordinates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any
from zlib import crc32

import attrs

from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.puzzle import Puzzle

# A vector maps byte numbers of a state to their values: plain integers, or NumPy arrays of them,
# one for each of many states. Ranks are then integers or arrays alike: one source serves both.
Vector = Sequence[Any] | Mapping[int, Any]

_STRETCH = 1 << 16  # ranks whose bytes are at hand at once


def look_up(table: Sequence[int], value: Any) -> Any:
    """The entry of a table for an integer, or for each of an array of them."""
    if isinstance(value, int):
        return table[value]
    import numpy as np

    return np.asarray(table)[value]


@attrs.frozen(slots=False, eq=False, repr=False)
class Coordinate(ABC):
    """A number that tells apart the states of a puzzle in one respect.

    Subclasses give `size`, `rank`, `unrank` and `parameters`; a subclass of a plugin also counts up
    `version` when its ranks change, since stored tables are kept by it.
    """

    name: str
    puzzle: Puzzle
    orbit_name: str

    version = 1

    #: What a value says, in a few words that go on after the name of the orbit and a colon.
    about = ""

    #: Whether symmetries of the puzzle reduce its values, which are then classes to the engine.
    is_reduced = False

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.puzzle!r}, {self.orbit_name!r})"

    @property
    @abstractmethod
    def size(self) -> int:
        """How many values the coordinate takes: ranks are 0 to size - 1."""

    @property
    @abstractmethod
    def reads(self) -> tuple[int, ...]:
        """The numbers of the bytes of a state that the rank depends on."""

    @property
    @abstractmethod
    def parameters(self) -> str:
        """What tells this coordinate from others of its kind, as text."""

    @abstractmethod
    def rank(self, vector: Vector) -> Any:
        """The value of the coordinate: an int for bytes, an array for a mapping to arrays.

        -1 for a state in which it is not defined.
        """

    @abstractmethod
    def unrank(self, index: Any) -> dict[int, Any]:
        """The bytes that the coordinate reads, in some state of that rank."""

    def possible(self, index: int) -> dict[int, frozenset[int]]:
        """What the bytes of a state of that rank can be, each by itself.

        Bytes of which the coordinate tells nothing by themselves are left out; by default all.
        """
        return {}

    @property
    def program(self) -> tuple[int, ...] | None:
        """How the engine ranks a state by itself, or None: it cannot.

        See `puzzlekit.coordinate.programs`; the numbers of bytes are those of a state.
        """
        return None

    @property
    def engine_program(self) -> tuple[int, ...] | None:
        """`program`, unless a subclass ranks otherwise than the class that states it."""
        kinds = type(self).__mro__
        ranks = next(kind for kind in kinds if "rank" in vars(kind))
        programs = next(kind for kind in kinds if "program" in vars(kind))
        return self.program if ranks is programs else None

    @cached_property
    def goals(self) -> tuple[int, ...]:
        """The ranks at the goal; by default only that of the solved state."""
        return (self.rank(self.puzzle.solved),)

    @cached_property
    def orbit(self) -> Orbit:
        """The orbit whose pieces the coordinate looks at."""
        return self.puzzle.orbit(self.orbit_name)

    @property
    def identity(self) -> str:
        """Text that differs wherever two coordinates rank differently.

        For a coordinate that is not the core's own it holds some ranks too, in case its author
        forgets to count up `version`.
        """
        kind = type(self)
        orbit = self.orbit
        # Not its name alone: two puzzles of one name may differ in which pieces an orbit has.
        where = f"{orbit.name!r} from {self.puzzle.offsets[orbit.name]} {orbit.solved}"
        text = f"{kind.__name__}.{self.version}({where}/{orbit.orientations}: {self.parameters})"
        if kind.__module__.startswith("puzzlekit.coordinate."):
            return text
        step = max(1, self.size // 64)
        some = [sorted(self.unrank(index).items()) for index in range(0, self.size, step)]
        return f"{kind.__module__}.{text} {crc32(repr(some).encode()):08x}"

    @property
    def carried(self) -> int:
        """The length of a permutation that stands for it in a search, in place of its value.

        The identity is its only goal, of rank 0. By default 0: there is none.
        """
        return 0

    @property
    def digits(self) -> tuple[Coordinate, ...]:
        """The coordinates whose values are the digits of its own: by default itself alone."""
        return (self,)

    def effects(self, moves: Sequence[Move]) -> list[tuple[bytes, bytes]]:
        """For each move (gather, relabel): the permutation p is relabel[p[gather[i]]] after it."""
        return []

    def after(self, vector: Vector, move: Move) -> dict[int, Any]:
        """The bytes that the coordinate reads after a move, given those before it."""
        modulus = self.puzzle.modulus
        moved = {}
        for j in self.reads:
            value = vector[move.gather[j]]
            moved[j] = (value + move.add[j]) % modulus[j] if move.add[j] else value
        return moved

    def closed_under(self, moves: Iterable[Move]) -> bool:
        """Whether the rank after each of these moves follows from the rank before it."""
        reads = set(self.reads)
        return all({move.gather[j] for j in reads} == reads for move in moves)

    def passages(self, moves: Iterable[Move]) -> Iterator[tuple[Any, Any]]:
        """Where each of some moves may lead: two arrays (before, after) over all ranks.

        From rank r it may lead to rank s exactly where before[r] == after[s]. For a coordinate that
        is closed that is one rank; else one for every state that agrees with what is known of r.
        Distances in the graph of all that may happen are never more than the true ones. A kind that
        can be run without being closed gives its own.
        """
        import numpy as np

        kind = np.uint32 if self.size < 1 << 32 else np.int64
        every = np.arange(self.size, dtype=kind)
        for move in moves:
            if not self.closed_under([move]):
                raise DeclarationError(
                    f"coordinate {self.name} is not closed under the move {move.name}: it brings "
                    "in pieces that the coordinate does not look at"
                )
            before = np.empty(self.size, dtype=kind)
            for part, vector in self.stretches():
                before[part] = self.checked(move, self.rank(self.after(vector, move)))
            yield before, every

    def checked(self, move: Move, near: Any) -> Any:
        """What a move makes of some ranks; a DeclarationError if these are no ranks."""
        if near.min() < 0 or near.max() >= self.size:
            raise DeclarationError(
                f"coordinate {self.name}: the move {move.name} leads out of its values 0 to "
                f"{self.size - 1}, so rank and unrank do not fit together"
            )
        return near

    def stretches(self) -> Iterator[tuple[slice, dict[int, Any]]]:
        """All ranks in stretches, each with the bytes of its ranks: few of them take memory."""
        import numpy as np

        for first in range(0, self.size, _STRETCH):
            part = slice(first, min(first + _STRETCH, self.size))
            yield part, self.unrank(np.arange(part.start, part.stop, dtype=np.int64))

    @property
    def looks_at(self) -> frozenset[int]:
        """The labels of the pieces of its orbit that alone decide the rank: by default all."""
        return frozenset(self.orbit.solved)

    @property
    def _start(self) -> int:
        """The number of the first byte of the orbit."""
        return self.puzzle.offsets[self.orbit.name]

    def _places(self, names: str) -> tuple[int, ...]:
        """Numbers of named places in the orbit; all of them for an empty text."""
        if not names:
            return tuple(range(self.orbit.size))
        places = tuple(self.orbit.place(name) for name in names.split())
        if len(set(places)) != len(places):
            raise DeclarationError(f"coordinate {self.name}: a place is named twice")
        return places
