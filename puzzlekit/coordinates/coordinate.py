"""The interface of coordinates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any
from zlib import crc32

import attrs

from puzzlekit.engine.beats import beat
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.puzzle import Puzzle

__all__ = ["Vector", "look_up"]

# A vector maps indices of bytes of a state to values. For one state a value is an integer. For many
# states a value is a NumPy array. A rank has the type of the values, so the same code ranks both.
Vector = Sequence[Any] | Mapping[int, Any]

_MOST_PLACES = 128  # of an orbit: tables of the engine have an entry for each label
_STRETCH = 1 << 16  # how many ranks are unranked at once


def look_up(table: Sequence[int], value: Any) -> Any:
    """Return the entry of a table for an integer, or the entries for an array of integers."""
    if isinstance(value, int):
        return table[value]
    import numpy as np

    return np.asarray(table)[value]


@attrs.frozen(slots=False, eq=False, repr=False)
class Coordinate(ABC):
    """A number that describes one aspect of a state, such as the orientations of some pieces.

    Subclasses define `size`, `rank`, `unrank` and `parameters`.
    """

    #: The name, unique within a phase.
    name: str
    #: The puzzle whose states are ranked.
    puzzle: Puzzle
    #: The name of the orbit whose pieces the coordinate looks at.
    orbit_name: str

    #: Part of the identity of stored tables. A plugin must increase it when the ranks change.
    version = 1

    #: The meaning of a value in a few words. It is printed after the name of the orbit.
    about = ""

    #: Whether tests of the author ensure that `version` is increased when the ranks change. The
    #: identity then needs no checksum of ranks. Subclasses do not inherit it.
    is_tested = False

    #: Whether the engine represents a value by its class under the symmetries of the puzzle.
    is_reduced = False

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.puzzle!r}, {self.orbit_name!r})"

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of values. Ranks are 0 to size - 1."""

    @property
    @abstractmethod
    def reads(self) -> tuple[int, ...]:
        """The indices of the bytes of a state that the rank depends on."""

    @property
    @abstractmethod
    def parameters(self) -> str:
        """Text that identifies the rank function among the coordinates of this Python class."""

    @abstractmethod
    def rank(self, vector: Vector) -> Any:
        """Return the value of the coordinate; -1 for a state in which it is not defined.

        The value is an int if `vector` is a state, and an array if `vector` maps to arrays.
        """

    @abstractmethod
    def unrank(self, index: Any) -> dict[int, Any]:
        """Return the bytes that the coordinate reads in one of the states that have this rank."""

    def possible(self, index: int) -> dict[int, frozenset[int]]:
        """Return for each byte of a state the values that it has in states with this rank.

        The result may omit bytes. By default it is empty.
        """
        return {}

    @property
    def program(self) -> tuple[int, ...] | None:
        """The rank program: numbers from which the engine computes the rank of a state.

        None if the engine cannot rank the coordinate. The program refers to the bytes of a state by
        their indices. See `puzzlekit.coordinates.programs`.
        """
        return None

    @property
    def engine_program(self) -> tuple[int, ...] | None:
        """The rank program; None if a subclass overrides `rank` but not `program`."""
        kinds = type(self).__mro__
        ranks = next(kind for kind in kinds if "rank" in vars(kind))
        programs = next(kind for kind in kinds if "program" in vars(kind))
        return self.program if ranks is programs else None

    @cached_property
    def goals(self) -> tuple[int, ...]:
        """The ranks at the goal. By default the only goal is the rank of the solved state."""
        return (self.rank(self.puzzle.solved),)

    @cached_property
    def orbit(self) -> Orbit:
        """The orbit whose pieces the coordinate looks at."""
        orbit = self.puzzle.orbit(self.orbit_name)
        if orbit.size > _MOST_PLACES or max(orbit.solved) >= _MOST_PLACES:
            raise DeclarationError(
                f"coordinate {self.name}: coordinates take at most {_MOST_PLACES} places and the "
                f"labels 0 to {_MOST_PLACES - 1}, but {orbit.name} has {orbit.size} places"
            )
        return orbit

    @property
    def identity(self) -> str:
        """Text that identifies the ranking.

        Two coordinates that give a state different ranks have different texts. For a class that a
        plugin defines, the text includes a checksum of some ranks. The checksum helps if
        the author of the plugin forgets to increase `version`.
        """
        kind = type(self)
        orbit = self.orbit
        # The name alone does not suffice: puzzles with the same name may have different orbits.
        where = f"{orbit.name!r} from {self.puzzle.offsets[orbit.name]} {orbit.solved}"
        text = f"{kind.__name__}.{self.version}({where}/{orbit.orientations}: {self.parameters})"
        if vars(kind).get("is_tested") or kind.__module__.startswith("puzzlekit.coordinates."):
            return text
        step = max(1, self.size // 64)
        some = [sorted(self.unrank(index).items()) for index in range(0, self.size, step)]
        return f"{kind.__module__}.{text} {crc32(repr(some).encode()):08x}"

    @property
    def differing(self) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """A quick test of the goal: indices of bytes, and a number for each value of a byte.

        At the goal, these bytes have different numbers from 0 to 63. Values that no goal has there
        have the number -1. Beams test it early if no pruning table reads the coordinate. None: no
        such test.
        """
        return None

    @property
    def carried(self) -> int:
        """The length of the permutation that a search stores instead of the value; 0 if none.

        If there is such a permutation, the only goal is the identity. Its rank is 0.
        """
        return 0

    @property
    def digits(self) -> tuple[Coordinate, ...]:
        """The coordinates whose values are the digits of this value. By default only this one."""
        return (self,)

    def effects(self, moves: Sequence[Move]) -> list[tuple[bytes, bytes]]:
        """Return how each move changes the permutation p that a search stores for the coordinate.

        Each item is a pair (gather, relabel): the move replaces p[i] by relabel[p[gather[i]]]. The
        length of p is `carried`. By default a search stores no permutation, and the list is empty.
        """
        return []

    def after(self, vector: Vector, move: Move) -> dict[int, Any]:
        """Return the bytes that the coordinate reads after a move, given the bytes before it."""
        modulus = self.puzzle.modulus
        moved = {}
        for j in self.reads:
            value = vector[move.gather[j]]
            moved[j] = (value + move.add[j]) % modulus[j] if move.add[j] else value
        return moved

    def closed_under(self, moves: Iterable[Move]) -> bool:
        """Whether the rank before a move determines the rank after it, for each of the moves."""
        reads = set(self.reads)
        return all({move.gather[j] for j in reads} == reads for move in moves)

    def passages(self, moves: Iterable[Move]) -> Iterator[tuple[Any, Any]]:
        """Yield two arrays (before, after) for each move, which show the possible new ranks.

        Each array has an entry for each rank. The move may lead from rank r to rank s if and only
        if before[r] == after[s]. If the coordinate is closed under the move, exactly one rank s is
        possible for each r. Otherwise several ranks may be possible.

        The pruning table of such a coordinate assumes that a move leads to any of the possible
        ranks. So its distances never exceed the true distances.

        The method of the base class raises DeclarationError if the coordinate is not closed under a
        move. A subclass for such coordinates must override the method.
        """
        import numpy as np

        kind = np.uint32 if self.size < 1 << 32 else np.int64
        every = np.arange(self.size, dtype=kind)
        for move in moves:
            if not self.closed_under([move]):
                raise DeclarationError(
                    f"coordinate {self.name} is not closed under the move {move.name}: the "
                    "move brings in pieces that the coordinate does not read"
                )
            before = np.empty(self.size, dtype=kind)
            for part, vector in self.stretches():
                before[part] = self.checked(move, self.rank(self.after(vector, move)))
            yield before, every

    def checked(self, move: Move, near: Any) -> Any:
        """Return `near`, the ranks after a move. Raise DeclarationError if one is out of range."""
        if near.min() < 0 or near.max() >= self.size:
            raise DeclarationError(
                f"coordinate {self.name}: the move {move.name} leads to a value outside 0 to "
                f"{self.size - 1}, so rank and unrank contradict each other"
            )
        return near

    def stretches(self) -> Iterator[tuple[slice, dict[int, Any]]]:
        """Yield consecutive ranges of ranks, each with the unranked bytes.

        Working on one range after the other limits the memory needed.
        """
        import numpy as np

        for first in range(0, self.size, _STRETCH):
            beat()
            part = slice(first, min(first + _STRETCH, self.size))
            yield part, self.unrank(np.arange(part.start, part.stop, dtype=np.int64))

    @property
    def looks_at(self) -> frozenset[int]:
        """The labels of the pieces that determine the rank. By default all labels of the orbit."""
        return frozenset(self.orbit.solved)

    @property
    def _start(self) -> int:
        """The index of the first byte of the orbit."""
        return self.puzzle.offsets[self.orbit.name]

    def _places(self, names: str) -> tuple[int, ...]:
        """Return the numbers of named places in the orbit; all numbers if `names` is empty."""
        if not names:
            return tuple(range(self.orbit.size))
        places = tuple(self.orbit.place(name) for name in names.split())
        if len(set(places)) != len(places):
            raise DeclarationError(f"coordinate {self.name}: a place is named twice")
        return places
