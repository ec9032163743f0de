"""Build a puzzle from a definition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import factorial, gcd, prod

import attrs

from puzzlekit import EvenParity, Metric, Move, OrientationSum, Puzzle
from puzzlekit.errors import DefinitionError
from puzzlekit.puzzle.move import Effect, permutation_parity
from puzzlekit.puzzle.orbit import Constraint, Forbidden, state_modulus
from puzzlekit_definitions.blocks import glued
from puzzlekit_definitions.definition import Definition, Pattern
from puzzlekit_definitions.moves import (
    families_of,
    is_rotation,
    order_of,
    shortest_sums,
    with_derived,
)
from puzzlekit_definitions.orbits import DefinedOrbit, defined_orbits, pieces_from, state_of
from puzzlekit_definitions.phases import Lattice


@attrs.frozen
class StateNumber:
    """One number of a state that a move changes by a constant: a parity or an orientation sum."""

    part: DefinedOrbit
    parity: bool

    @property
    def modulus(self) -> int:
        """The modulus of the number."""
        return 2 if self.parity else self.part.orientations

    @property
    def free(self) -> int:
        """The smallest change of the number that alike pieces hide; 0 if none is hidden."""
        if self.parity:
            return int(not self.part.distinct)
        return gcd(*self.part.moduli) if self.part.stickers else 0

    def __str__(self) -> str:
        """In words."""
        return f"{'exchanges' if self.parity else 'orientations'} of the {self.part.piece}s"


@attrs.frozen(slots=False, eq=False)
class Invariants:
    """Which parities and sums of orientations reachable states can have.

    `parts` lists the parts of the puzzle that moves change. `moves` has an item for each move: for
    each part, a pair (permutation of the places, changes of the orientations).
    """

    parts: tuple[DefinedOrbit, ...]
    moves: tuple[tuple[tuple[Sequence[int], Sequence[int]], ...], ...]

    @cached_property
    def columns(self) -> tuple[StateNumber, ...]:
        """The numbers that describe a state: for each part, its orientation sum and its parity."""
        found = []
        for part in self.parts:
            if part.orientations > 1:
                found.append(StateNumber(part, parity=False))
            if len(part.places) > 1:
                found.append(StateNumber(part, parity=True))
        return tuple(found)

    def numbers(self, changes: Sequence[tuple[Sequence[int], Sequence[int]]]) -> list[int]:
        """Return the numbers of a state or a move, in the order of `columns`."""
        of = dict(zip(self.parts, changes, strict=True))
        return [
            permutation_parity(of[each.part][0]) if each.parity else sum(of[each.part][1])
            for each in self.columns
        ]

    def _unit(self, i: int, value: int) -> list[int]:
        return [value if j == i else 0 for j in range(len(self.columns))]

    @cached_property
    def _moduli(self) -> list[int]:
        return [column.modulus for column in self.columns]

    @cached_property
    def _vectors(self) -> list[list[int]]:
        return [self.numbers(move) for move in self.moves]

    @cached_property
    def exact(self) -> Lattice:
        """The lattice of the parities and sums that sequences of moves can have."""
        return Lattice(self._vectors, self._moduli)

    @cached_property
    def seen(self) -> Lattice:
        """The lattice `exact`, extended by the changes that alike pieces hide."""
        free = [self._unit(i, column.free) for i, column in enumerate(self.columns) if column.free]
        return Lattice(self._vectors + free, self._moduli)

    @cached_property
    def states(self) -> int:
        """The number of states with possible parities and sums, if all pieces differed."""
        every = prod(
            factorial(len(part.places)) * part.orientations ** len(part.places)
            for part in self.parts
        )
        return int(every // self.exact.index)

    @cached_property
    def appearances(self) -> int:
        """The number of states with possible parities and sums that can be told apart.

        0 if the orientations of some pieces look the same, since they are not counted.
        """
        if any(part.stickers for part in self.parts):
            return 0
        every = 1
        for part in self.parts:
            places = len(part.places)
            alike = prod(map(factorial, Counter(part.pieces).values()))
            every *= factorial(places) // alike * part.orientations**places
        return int(every // self.seen.index)

    @cached_property
    def constraints(self) -> tuple[Constraint, ...]:
        """The simple constraints: a sum of orientations is 0, or a permutation is even."""
        found: list[Constraint] = []
        for i, column in enumerate(self.columns):
            assert column.part.orbit is not None
            kept = all(row[i] % column.modulus == 0 for row in self._vectors)
            if not column.parity and not column.free and kept:
                found.append(OrientationSum(column.part.orbit.name))
        return (*found, *map(EvenParity, self._even()))

    def _even(self) -> list[tuple[str, ...]]:
        """Return a smallest list of sets of orbits that every move permutes evenly."""
        at = [
            i
            for i, each in enumerate(self.columns)
            if each.parity and not each.free and not each.part.stickers
        ]
        rows = [sum((row[i] % 2) << k for k, i in enumerate(at)) for row in self._vectors]
        # Echelon form over GF(2): each row leads with a bit that no other row has.
        basis: dict[int, int] = {}
        for row in rows:
            for lead, other in basis.items():
                if row >> lead & 1:
                    row ^= other
            if row:
                lead = row.bit_length() - 1
                basis = {
                    k: other ^ row if other >> lead & 1 else other for k, other in basis.items()
                }
                basis[lead] = row
        found = []
        for free in range(len(at)):
            if free not in basis:
                kept = [free, *(lead for lead, row in basis.items() if row >> free & 1)]
                orbits = [self.columns[at[k]].part.orbit for k in sorted(kept)]
                found.append(tuple(orbit.name for orbit in orbits if orbit is not None))
        return found

    def fault(self, changes: Sequence[tuple[Sequence[int], Sequence[int]]]) -> str:
        """Describe the parities and sums of a state that moves cannot reach; "" if none."""
        numbers = self.numbers(changes)
        if numbers in self.seen:
            return ""
        wrong = [
            str(column)
            for i, column in enumerate(self.columns)
            if numbers in Lattice([*self.seen.rows, self._unit(i, 1)], self._moduli)
        ]
        names = " and the ".join(wrong or map(str, self.columns))
        return f"no moves lead to this state: the {names} do not fit together"


@attrs.frozen(slots=False, eq=False)
class Built:
    """A puzzle and the definition that it was built from.

    `notes` are sentences that say which moves were omitted or became second names of other moves.
    """

    definition: Definition
    puzzle: Puzzle
    parts: tuple[DefinedOrbit, ...]
    invariants: Invariants
    notes: tuple[str, ...]

    @cached_property
    def moving(self) -> tuple[DefinedOrbit, ...]:
        """The parts of the puzzle that some move changes: those with an orbit."""
        return tuple(part for part in self.parts if part.orbit is not None)

    def pack(self, patterns: Mapping[str, Pattern]) -> bytes:
        """Return the bytes of a state that is given as the patterns of a definition.

        Raise a StateError if the state is impossible.
        """
        homes, turns = state_of(self.parts, patterns)
        return b"".join(
            part.pack(at, turned)
            for part, at, turned in zip(self.parts, homes, turns, strict=True)
            if part.orbit is not None
        )

    def unpack(self, state: bytes) -> list[tuple[list[int], list[int]]]:
        """Return the homes and orientations of the pieces of each orbit."""
        found = []
        for part in self.moving:
            assert part.orbit is not None
            start = self.puzzle.offsets[part.orbit.name]
            found.append(part.unpack(state[start : start + part.orbit.width]))
        return found

    def patterns(self, state: bytes) -> dict[str, tuple[list[int], list[int]]]:
        """Return a state as the patterns of the definition, one for each set."""
        known = dict(zip(self.moving, self.unpack(state), strict=True))
        found = {of.name: ([0] * of.size, [0] * of.size) for of in self.definition.sets}
        for part in self.parts:
            still = [part.home(piece) for piece in part.pieces], [0] * len(part.places)
            pieces, turns = part.write(*known.get(part, still))
            for place, piece, turn in zip(part.places, pieces, turns, strict=True):
                found[part.of.name][0][place] = piece
                found[part.of.name][1][place] = turn
        return found


@attrs.frozen(eq=False, repr=False)
class Turns(Metric):
    """How many moves of the file, or inverses of them, a move takes.

    `amounts` has the powers of each family that are moves of the file.

    >>> both = Turns("turns", "", {"R": 1}, amounts={"R": (1, 3)})
    >>> [both.cost(Move(f"R{amount}", "R", amount, 7, b"", b"")) for amount in range(1, 7)]
    [1, 2, 1, 1, 2, 1]
    """

    amounts: Mapping[str, tuple[int, ...]] = attrs.field(factory=dict)

    def cost(self, move: Move) -> int:
        """Return the cost of one move."""
        if not move.order:
            return super().cost(move)
        return len(shortest_sums(move.order, self.amounts[move.family])[move.amount])

    def counts_moves(self, orders: Mapping[str, int]) -> bool:
        """Whether each power of a move is a move of the file, which is not so by inverses alone."""
        named = [(orders[name], amounts) for name, amounts in self.amounts.items()]
        return any({*amounts} - {1, order - 1} for order, amounts in named) and all(
            max(map(len, shortest_sums(order, amounts))) == 1 for order, amounts in named
        )


def build(definition: Definition) -> Built:
    """Build the puzzle of a definition. Raise a DefinitionError if the definition is wrong."""
    moves = with_derived(definition)
    names = [each.name for each in definition.moves] + [each.name for each in definition.derived]
    rotations = [
        f"{name} is left out: by its name, it turns the whole puzzle"
        for name in filter(is_rotation, names)
    ]
    if not moves:
        raise DefinitionError("; ".join(["there is no move", *rotations[:1]]), definition.source)
    parts = defined_orbits(definition, moves)
    orbits = tuple(part.orbit for part in parts if part.orbit is not None)
    moved = state_modulus(orbits)
    families = families_of(definition, moves, parts, moved)
    weights = dict.fromkeys(families.turns, 1)
    moving = tuple(part for part in parts if part.orbit is not None)
    invariants = Invariants(
        moving, tuple(_changes(moving, each) for each in families.turns.values())
    )
    turns = Turns(
        "turns",
        "moves, each counted as often as it is done",
        weights,
        per_turn=True,
        amounts=families.amounts,
    )
    metrics = (Metric("moves", "moves, of whatever amount", weights), turns)
    orders = {name: order_of(effect, moved) for name, effect in families.turns.items()}
    first_turns = definition.by_turns and not turns.counts_moves(orders)
    puzzle = Puzzle(
        name=definition.name,
        title=definition.name,
        orbits=orbits,
        turns=families.turns,
        metrics=metrics[::-1] if first_turns else metrics,
        aliases=families.aliases,
        constraints=(
            *invariants.constraints,
            *_forbidden(definition, moving),
            *glued(definition, moves, parts, families),
        ),
    )
    if wrong := puzzle.misplaced(puzzle.solved):
        where = _of_solved(definition)
        raise DefinitionError(f"the solved state is illegal: {wrong[0]}", definition.source, where)
    return Built(definition, puzzle, tuple(parts), invariants, (*rotations, *families.notes))


def _of_solved(definition: Definition) -> str:
    """Return where a piece is forbidden at the place that it has in the solved state."""
    for illegal in definition.illegal:
        if definition.solved[illegal.set].pieces[illegal.place] == illegal.piece:
            return illegal.where
    return ""


def _forbidden(definition: Definition, parts: Sequence[DefinedOrbit]) -> Iterator[Forbidden]:
    """Yield where pieces must not be. Commands about pieces that never get there are ignored."""
    for illegal in definition.illegal:
        for part in parts:
            if (
                part.orbit is None
                or part.of.name != illegal.set
                or illegal.place not in part.places
                or illegal.piece not in part.pieces
            ):
                continue
            place = part.place(part.places.index(illegal.place))
            piece = part.place(part.home(illegal.piece))
            if not part.stickers:
                yield Forbidden(part.orbit.name, place, piece)
            for turn in range(part.orientations if part.stickers else 0):
                yield Forbidden(part.orbit.name, f"{place}/0", f"{piece}/{turn}")


def _changes(
    parts: tuple[DefinedOrbit, ...], effect: Effect
) -> tuple[tuple[list[int], list[int]], ...]:
    """Return for each part the origins of its pieces and the changes of their orientations."""
    gather, add = effect
    found = []
    start = 0
    for part in parts:
        assert part.orbit is not None
        n, m = len(part.places), part.orientations
        own = [byte - start for byte in gather[start : start + part.orbit.size]]
        if part.stickers:
            found.append(pieces_from(own[::m], m))
        else:
            found.append((own, list(add[start + n : start + 2 * n]) if m > 1 else [0] * n))
        start += part.orbit.width
    return tuple(found)
