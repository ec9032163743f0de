"""The interface of coordinates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any
from zlib import crc32

import attrs

from puzzlekit.coordinates.tracing import Term, traced
from puzzlekit.engine.beats import beat
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.puzzle import Puzzle

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Vector", "look_up"]

# A vector maps indices of bytes of a state to values. For one state a value is an integer. For many
# states a value is a NumPy array. A rank has the type of the values, so the same code ranks both.
Vector = Sequence[Any] | Mapping[int, Any]

_MOST_PLACES = 128  # of an orbit: tables of the engine have an entry for each label
_STRETCH = 1 << 16  # how many ranks are unranked at once
_MOST_WALKED = 1 << 22  # values of which a coordinate can find states by itself


def look_up(table: Sequence[int], value: Any) -> Any:
    """Return the entry of a table for an integer, or the entries for an array of integers.

    The rank function of a coordinate must use it in place of `table[value]`.
    """
    if isinstance(value, int):
        return table[value]
    if isinstance(value, Term):
        return value.entry_of(table)
    import numpy as np

    return np.asarray(table)[value]


@attrs.frozen(slots=False, eq=False, repr=False)
class Coordinate(ABC):
    """A number that describes one aspect of a state, such as the orientations of some pieces.

    A subclass defines `size` and `rank`. The rest follows from `rank`: the bytes that it reads, the
    rank program of the engine, a text for the identity of tables, and a state for each rank, which
    a walk through the states of the puzzle finds. A subclass overrides `unrank` if there are too
    many values for the walk, and `program` if the engine has a faster program.
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
    def reads(self) -> tuple[int, ...]:
        """The indices of the bytes of a state that the rank depends on."""
        program = self._formula
        return program[3 : 3 + program[2]]

    @property
    def parameters(self) -> str:
        """Text that identifies the rank function among the coordinates of this Python class."""
        return str(self._formula)

    @abstractmethod
    def rank(self, vector: Vector) -> Any:
        """Return the value of the coordinate; -1 for a state in which it is not defined.

        `vector[j]` is byte j of a state: an int, an array with the byte of many states, or a value
        that records how the rank is computed, from which the program of the engine is made. So use
        only arithmetic, comparisons (a truth value is 0 or 1), `&`, `|`, `^` and `look_up`, and no
        conditions on bytes.
        """

    def unrank(self, index: Any) -> dict[int, Any]:
        """Return the bytes that the coordinate reads in one of the states that have this rank."""
        row = self._states[index]
        if isinstance(index, int):
            return dict(zip(self.reads, row.tolist(), strict=True))
        return {j: row[:, i].astype(int) for i, j in enumerate(self.reads)}

    def possible(self, index: int) -> dict[int, frozenset[int]]:
        """Return for each byte of a state the values that it has in states with this rank.

        The result may omit bytes. By default it is empty.
        """
        return {}

    @property
    def program(self) -> tuple[int, ...] | None:
        """A rank program that is faster than the operations of `rank`; None if there is none.

        A rank program is a tuple of numbers from which the engine computes the rank of a state. It
        refers to the bytes of a state by their indices. See `puzzlekit.coordinates.programs`.
        """
        return None

    @property
    def engine_program(self) -> tuple[int, ...] | None:
        """The rank program; None if the engine cannot rank the coordinate.

        If the class that defines `rank` has no program, the operations of `rank` are the program.
        """
        kinds = type(self).__mro__
        ranks = next(kind for kind in kinds if "rank" in vars(kind))
        programs = next(kind for kind in kinds if "program" in vars(kind))
        return self.program if ranks is programs else self.traced_program

    @cached_property
    def traced_program(self) -> tuple[int, ...] | None:
        """The operations of `rank` as a rank program; None if it does more than arithmetic."""
        try:
            return traced(self.rank)
        except (TypeError, IndexError):
            return None

    @property
    def _formula(self) -> tuple[int, ...]:
        if self.traced_program is None:
            raise DeclarationError(
                f"coordinate {self.name}: its rank does more than arithmetic, so "
                f"{type(self).__name__} must define `reads` and `parameters`"
            )
        return self.traced_program

    @cached_property
    def _states(self) -> npt.NDArray[np.uint8]:
        """The bytes that the coordinate reads in a state of each rank: shape (size, reads).

        A walk finds the states, from the solved state by all moves of the puzzle.
        """
        import numpy as np

        puzzle, reads = self.puzzle, list(self.reads)
        if self.size > _MOST_WALKED:
            raise DeclarationError(
                f"coordinate {self.name} has {self.size:,} values, so {type(self).__name__} must "
                f"define `unrank`: a walk finds states of at most {_MOST_WALKED:,} values"
            )
        found = np.zeros((self.size, len(reads)), dtype=np.uint8)
        seen = np.zeros(self.size, dtype=bool)
        fresh = [np.frombuffer(puzzle.solved, dtype=np.uint8).reshape(1, -1)]
        seen[self._ranks_of(fresh[0])] = True
        found[seen] = fresh[0][:, reads]
        moves = puzzle.searched(puzzle.family_moves(puzzle.families))
        while fresh:
            states, fresh = np.concatenate(fresh), []
            for move in moves:
                beat()
                near = self._moved(states, move)
                ranks, first = np.unique(self._ranks_of(near), return_index=True)
                new = (ranks >= 0) & ~seen[ranks]
                if new.any():
                    fresh.append(near[first[new]])
                    seen[ranks[new]] = True
                    found[ranks[new]] = fresh[-1][:, reads]
        if not seen.all():
            raise DeclarationError(
                f"coordinate {self.name}: a walk by the moves of {puzzle.name} finds "
                f"{np.count_nonzero(seen):,} of its {self.size:,} values; correct `size`, or "
                f"define `unrank` in {type(self).__name__}"
            )
        return found

    def _moved(self, states: npt.NDArray[np.uint8], move: Move) -> npt.NDArray[np.uint8]:
        """Return the states, one a row, after a move. Leave out those in which it is impossible."""
        import numpy as np

        guard = self.puzzle.guarded
        if guard is not None:
            states = states[states[:, guard.byte + move.guard_before] == guard.label]
        after = states[:, list(move.gather)]
        turned = np.flatnonzero(list(move.add))
        after[:, turned] += np.array(list(move.add), dtype=np.uint8)[turned]
        after[:, turned] %= np.array(list(self.puzzle.modulus), dtype=np.uint8)[turned]
        return after

    def _ranks_of(self, states: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
        """Return the ranks of states, one a row. Raise DeclarationError if one is out of range."""
        import numpy as np

        ranks = np.empty(len(states), dtype=np.int64)
        ranks[:] = self.rank({j: states[:, j].astype(np.int64) for j in self.reads})
        if len(ranks) and ranks.max() >= self.size:
            raise DeclarationError(
                f"coordinate {self.name}: a state has the rank {ranks.max():,}, but `size` is "
                f"{self.size:,}"
            )
        return ranks

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

    @cached_property
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
        if kind.unrank is Coordinate.unrank and kind.parameters is Coordinate.parameters:
            return f"{kind.__module__}.{text}"  # the text has all operations of `rank`
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

        every = np.arange(self.size, dtype=np.uint32 if self.size < 1 << 32 else np.int64)
        for move in moves:
            if not self.closed_under([move]):
                raise DeclarationError(
                    f"coordinate {self.name} is not closed under the move {move.name}: the "
                    "move brings in pieces that the coordinate does not read"
                )
            before = np.empty_like(every)
            for part, vector in self.stretches():
                near = np.asarray(self.rank(self.after(vector, move)))
                before[part] = self.checked(move, near)
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
