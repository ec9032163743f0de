"""The pairing of all pairs of pieces, such as the wings of dedges, reduced by symmetries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from math import factorial
from typing import TYPE_CHECKING, Any

import attrs

from puzzlekit import DeclarationError, Move, TableStore
from puzzlekit.coordinates.coordinate import Vector, look_up
from puzzlekit.coordinates.kinds import rank_places, unrank_places
from puzzlekit.coordinates.programs import NO_PROGRAM
from puzzlekit.engine.inputs import CoordinateInput
from puzzlekit.engine.ranks import Carry, Reading
from puzzlekit.puzzle.move import permutation_parity
from puzzlekit.search.runners import Runner
from puzzlekit.tables.table import TableSpec
from puzzlekit_cubes.engine.pairing import PairRank, PairReading
from puzzlekit_cubes.pairs import PairedPlaces

if TYPE_CHECKING:
    from puzzlekit_cubes.pairing_classes import PairingNeeds

# How a move acts on pairs of places, as two tuples with a number for each pair. The first tuple
# holds the pair from which the piece at the first place comes. The second tuple holds the pair from
# which the piece at the second place comes.
Step = tuple[tuple[int, ...], tuple[int, ...]]


@attrs.frozen(slots=False, eq=False, repr=False)
class SymPairing(PairedPlaces):
    """Which pieces of all n pairs sit together, reduced by symmetries.

    Each pair of pieces has a pair of places as its home: a first place and a second place. Moves
    must bring pieces from first places to first places only. The pairing is a permutation p of 0 to
    n-1: the piece at first place i has its partner at second place p[i]. The coordinate is defined
    only if p is even. The only goal is the identity. There is no move table: the engine stores p at
    each node. A move replaces p[i] by relabel[p[gather[i]]] (see `effects`).

    A symmetry s maps p to s p s^-1 (see `puzzlekit_cubes.pairing_classes`). The
    declaration names k of the first places, the head places. The numbers p[i] of the k head places
    i are the head of p. Heads that symmetries map to each other form a class. The engine computes
    the value of p in three steps:

    1. It finds the class of the head, and a symmetry that maps the head to the representative of
       the class.
    2. It applies this symmetry to the whole permutation p.
    3. It ranks the n-k numbers of the result that are not in the head.

    The value is class * (n-k)!/2 + this rank. It is the index into a pruning table. If a symmetry
    maps a head to itself, several values may stand for the same pairing. A build then fills the
    entries of all these values.

    In contrast, `rank`, `unrank` and `size` do not use symmetries. They number all n!/2 even
    permutations, in the factorial number system. The digits of the head places are the most
    significant.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube4").puzzle
    >>> wings = cube.orbit("wings").places
    >>> pairs = " ".join(f"{one} {other}" for one, other in zip(wings[:12], wings[12:]))
    >>> head = " ".join(wing for wing in wings[:12] if not {"R", "L"} & set(wing[:2]))
    >>> pairing = SymPairing("pairing", cube, "wings", pairs, head, 1538, 8)
    >>> pairing.size, pairing.values
    (239500800, 31006080)
    """

    is_tested = True
    about = "which pieces sit together"

    #: The names of the k head places, separated by blanks. They are first places of pairs. Each
    #: symmetry must map head places to head places.
    head: str = ""
    is_reduced = True

    #: The number of classes of heads. If this number is wrong, the build of a table raises a
    #: DeclarationError with the right number.
    classes: int = 1
    #: The number of symmetries of the puzzle. If this number is wrong, the build of a table raises
    #: a DeclarationError with the right number.
    symmetries: int = 1

    def __attrs_post_init__(self) -> None:
        if not self.head.split():
            raise DeclarationError(f"coordinate {self.name}: name its head places in 'head'")
        if not set(self._places(self.head)) <= set(self._places(self.pairs)[::2]):
            raise DeclarationError(
                f"coordinate {self.name}: each place in 'head' must be the first place of a pair"
            )
        super().__attrs_post_init__()
        if not 4 <= self.n <= 16 or self.n - self.k < 3 or self.n**self.k > 1 << 20:
            raise DeclarationError(
                f"coordinate {self.name}: name 4 to 16 pairs, and leave the first places of "
                "at least three pairs out of 'head'. With n pairs and k places in 'head', "
                "n^k must be at most 2^20"
            )
        if not 1 <= self.symmetries <= 64 or self.classes << self.shift >= 1 << 16:
            raise DeclarationError(
                f"coordinate {self.name}: at most 64 symmetries and 2^16 heads are possible"
            )
        if self.values >= 1 << 31:
            raise DeclarationError(
                f"coordinate {self.name} has {self.values:,} values, but at most 2^31 are possible"
            )

    @cached_property
    def _paired(self) -> tuple[int, ...]:
        """The places of all pairs. The pairs of the head places come first."""
        places, head = self._places(self.pairs), self._places(self.head)
        pairs = list(zip(places[::2], places[1::2], strict=True))
        second = dict(pairs)
        ordered = [*head, *(first for first, _ in pairs if first not in head)]
        return tuple(place for first in ordered for place in (first, second[first]))

    @property
    def n(self) -> int:
        """The number of pairs."""
        return len(self._places(self.pairs)) // 2

    @property
    def carried(self) -> int:
        """The length of the permutation p that a search stores at each node."""
        return self.n

    @property
    def k(self) -> int:
        """The number of head places."""
        return len(self._places(self.head))

    @property
    def shift(self) -> int:
        """The number of low bits that store a symmetry. The bits above store the class."""
        return (self.symmetries - 1).bit_length()

    @property
    def tails(self) -> int:
        """The number of even permutations p with the same head."""
        return factorial(self.n - self.k) // 2

    @property
    def values(self) -> int:
        """The number of values in the engine, which uses symmetries."""
        return self.classes * self.tails

    @cached_property
    def size(self) -> int:
        """The number of values of `rank`, which does not use symmetries."""
        return factorial(self.n) // 2

    @property
    def parameters(self) -> str:
        """Text for the pairs and the number of head places."""
        return f"{super().parameters} head {self.k}"

    def pairing(self, vector: Vector) -> tuple[list[Any], Any]:
        """Return p as a list of n numbers, and a flag: 1 if p is a permutation, else 0."""
        here = [look_up(self.numbers, vector[j]) for j in self._firsts]
        there = [look_up(self.numbers, vector[j]) for j in self._seconds]
        whole: Any = 1
        positions = []
        for one in here:
            met = [(one == other) * (one >= 0) + 0 for other in there]
            whole = whole * (sum(met) == 1)
            positions.append(sum(j * flag for j, flag in enumerate(met)))
        for j, one in enumerate(here):
            for other in here[:j]:
                whole = whole * (one != other)
        return positions, whole

    def rank(self, vector: Vector) -> Any:
        """Return the rank of p without symmetries; -1 if p is not an even permutation."""
        positions, whole = self.pairing(vector)
        whole = whole * (_inversions(positions) % 2 == 0)
        return rank_places(positions, self.n) // 2 * whole - (1 - whole)

    def unrank(self, index: Any) -> dict[int, Any]:
        """Return labels that have this rank, as a dict from byte indices to labels.

        At each first place is the piece whose home it is.
        """
        positions = unrank_places(index * 2, self.n, self.n)
        odd = _inversions(positions) % 2
        last = positions[-1]
        positions[-1] = last + odd * (positions[-2] - last)
        positions[-2] = positions[-2] + odd * (last - positions[-2])
        return self._seated(index, range(self.n), enumerate(positions))

    def closed_under(self, moves: Iterable[Move]) -> bool:
        """Whether pieces at first places stay at first places and p stays even."""
        return all(self.step(move) is not None for move in moves)

    def passages(self, moves: Iterable[Move]) -> Iterator[tuple[Any, Any]]:
        """Raise DeclarationError: there are too many values to list."""
        raise DeclarationError(
            f"coordinate {self.name} is a SymPairing, which has too many values for a table of "
            "this kind: use a Thresholds or a Hashed table"
        )

    def steps(self, moves: Sequence[Move]) -> list[Step]:
        """Return how each move acts on first places and on second places (see `step`)."""
        found = []
        for move in moves:
            step = self.step(move)
            if step is None:
                raise DeclarationError(
                    f"coordinate {self.name}: the move {move.name} brings pieces from first places "
                    "to second places, or makes the permutation odd"
                )
            found.append(step)
        return found

    def step(self, move: Move) -> Step | None:
        """Return how a move acts on first places and on second places, as two tuples.

        Item i of the first tuple is the number of the first place from which a piece comes to first
        place i. The second tuple has the same for second places. The result is None if the move
        brings a piece from a first place to a second place, or makes p odd.
        """
        parts = []
        for bytes_of in (self._firsts, self._seconds):
            number = {j: i for i, j in enumerate(bytes_of)}
            if any(move.gather[j] not in number for j in bytes_of):
                return None
            parts.append(tuple(number[move.gather[j]] for j in bytes_of))
        first, second = parts
        if permutation_parity(first) != permutation_parity(second):
            return None
        return first, second

    def effects(self, moves: Sequence[Move]) -> list[tuple[bytes, bytes]]:
        """Return for each move a pair (gather, relabel) of bytes.

        A search stores the permutation p of the class `SymPairing`. The move replaces p[i] by
        relabel[p[gather[i]]]. Raises DeclarationError if a move makes p odd, or brings a piece from
        a first place to a second place.
        """
        found = []
        for first, second in self.steps(moves):
            relabel = bytearray(self.n)
            for j, source in enumerate(second):
                relabel[source] = j
            found.append((bytes(first), bytes(relabel)))
        return found


class PairingRunner(Runner, runs=SymPairing):
    """Prepares a pairing that is reduced by symmetries. The engine ranks the pairing itself."""

    coordinate: SymPairing
    is_ranked = True
    program = NO_PROGRAM

    @cached_property
    def needs(self) -> PairingNeeds:
        """The inputs from which the classes of the pairing are built.

        They contain the partner, if a pruning table of the estimate has one.
        """
        from puzzlekit_cubes.pairing_classes import PairingNeeds

        partners: list[Any] = []
        for table in self.phase.pruning_tables:
            first, *others = self.phase.coordinates_of(table)
            if table.in_estimate and first is self.coordinate:
                partners = others[:1]
                break
        return PairingNeeds(self.coordinate, self.moves, self.prices, *partners)

    def table_keys(self) -> list[TableSpec]:
        """The keys of the tables of its classes."""
        return self.needs.keys()

    def carrying(self) -> tuple[Sequence[int], Carry, Reading]:
        """Return how a search stores the pairing at each node (see `Runner.carrying`)."""
        reads, numbers = self.coordinate.reads, self.coordinate.numbers
        return reads, self.needs.carry(), PairReading(list(reads), bytes(n & 255 for n in numbers))

    def engine_input(
        self, store: TableStore, columns: Sequence[int], times: int, carried: Sequence[int]
    ) -> CoordinateInput:
        """Return the input of the engine. The only goal is the value of the solved state."""
        _, _, reading = self.carrying()
        goal = self.valued(store, reading)(self.coordinate.puzzle.solved)
        return CoordinateInput(self.coordinate.values, self._ranking(store), (goal,))

    def valued(self, store: TableStore, reading: Reading) -> Callable[[bytes], int]:
        """Return a function that returns the engine's value of the pairing; -1 if undefined."""
        ranking = self._ranking(store)

        def value(state: bytes) -> int:
            vector = reading.read(state)
            return -1 if vector is None else int(ranking.rank(vector))

        return value

    def _ranking(self, store: TableStore) -> PairRank:
        from puzzlekit_cubes.pairing_classes import PairingClasses

        return PairingClasses(store, self.needs).engine_rank


def _inversions(values: Sequence[Any]) -> Any:
    """Return the number of inversions."""
    return sum((other > one) + 0 for i, one in enumerate(values) for other in values[:i])
