"""The inputs with which the engine numbers the cosets of states, reduced by symmetries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

import attrs

from puzzlekit import Combination, DeclarationError, Move, Orientation, Puzzle, TableStore
from puzzlekit.tables.classes import Classes, SymNeeds
from puzzlekit_cubes.engine.coset_inputs import CosetInput, PieceInput
from puzzlekit_universal.state_symmetries import OrbitMoves, StateSymmetries

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MOST_FIRST, MOST_SECOND = 8, 12  # places of the two orbits
_HALF = 6  # places of half a mask
_GROUPS = 4, 6  # pairs of pieces of each orbit in the engine


@attrs.frozen(slots=False, eq=False, repr=False)
class CosetNeeds:
    """The inputs from which the engine numbers the cosets of a subgroup of states.

    The pieces of two orbits are divided into kinds. The subgroup consists of all states in which
    each piece of the two orbits is at a place of its own kind and has orientation 0. Cosets that
    symmetries map to each other get the same number.
    """

    #: A sym coordinate over the kinds and turns of the first orbit.
    sym: SymNeeds
    #: The name of the second orbit.
    orbit_name: str
    #: The pieces of the first and of the second kind in the second orbit: see `Based.kinds`.
    kinds: tuple[str, ...]
    #: At how many places of the second orbit the table distinguishes orientations: see
    #: `Based.kept`.
    kept: int

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle."""
        return self.sym.coordinate.puzzle

    @property
    def moves(self) -> Sequence[Move]:
        """The moves."""
        return self.sym.moves

    @cached_property
    def first(self) -> OrbitMoves:
        """The effects of moves on the orbit of the sym coordinate."""
        return OrbitMoves(self.puzzle, self.sym.coordinate.orbit_name, self.moves)

    @cached_property
    def second(self) -> OrbitMoves:
        """The effects of moves on the second orbit."""
        return OrbitMoves(self.puzzle, self.orbit_name, self.moves)

    @cached_property
    def first_kinds(self) -> list[int]:
        """The kind of the piece of each place of the first orbit: 0 or 1."""
        orbit = self.first.orbit
        told = {
            part.looks_at
            for part in self.sym.coordinate.parts
            if part.looks_at < frozenset(orbit.solved)
        }
        labels = next(iter(told), frozenset[int]())
        return [int(label in labels) for label in orbit.solved]

    @cached_property
    def second_kinds(self) -> list[int]:
        """The kind of the piece of each place of the second orbit: 0, 1 or 2."""
        orbit = self.second.orbit
        found = [2] * orbit.size
        for kind, names in enumerate(self.kinds):
            for name in names.split():
                found[orbit.place(name)] = kind
        return found

    @cached_property
    def sizes(self) -> list[int]:
        """The number of pieces of each kind in the second orbit."""
        return [self.second_kinds.count(kind) for kind in range(3)]

    @property
    def arrangements(self) -> int:
        """The number of ways in which the kinds of pieces can be arranged in the second orbit."""
        one, two, three = self.sizes
        return comb(one + two + three, one) * comb(two + three, two)

    @property
    def entries(self) -> int:
        """The number of entries of the table."""
        return self.sym.coordinate.classes * self.arrangements << self.kept

    def check(self) -> None:
        """Raise DeclarationError if the cosets cannot be numbered."""
        moved = {
            name
            for name, start in self.puzzle.offsets.items()
            for move in self.moves
            for j in range(start, start + self.puzzle.orbit(name).width)
            if move.gather[j] != j or move.add[j]
        }
        known = {self.first.name, self.second.name}
        if not moved <= known or len(known) != 2:
            raise DeclarationError(
                "a table of cosets covers exactly two orbits, but the moves change "
                f"{' and '.join(sorted(moved))}"
            )
        if not self.puzzle.invertible:
            raise DeclarationError("a table of cosets needs a puzzle whose states have inverses")
        one, two = self.first.orbit, self.second.orbit
        if one.size > MOST_FIRST or two.size > MOST_SECOND or one.size % 2 or two.size % 2:
            raise DeclarationError(
                f"a table of cosets needs even numbers of places, at most {MOST_FIRST} and "
                f"{MOST_SECOND}, but {one.name} has {one.size} places and {two.name} has "
                f"{two.size}"
            )
        if two.orientations > 2:
            raise DeclarationError(
                f"a table of cosets cannot be over {two.name}: {two.name} have more than two "
                "orientations"
            )
        if not 0 <= self.kept < two.size or len(self.kinds) > 2:
            raise DeclarationError(
                f"a table of cosets: 'kinds' has {len(self.kinds)} items, but at most 2 are "
                f"possible; 'kept' is {self.kept}, but must be from 0 to {two.size - 1}"
            )
        kinds = [type(part) for part in self.sym.coordinate.parts]
        if not set(kinds) <= {Combination, Orientation} or len(set(kinds)) < len(kinds):
            raise DeclarationError(
                f"the parts of {self.sym.coordinate.name} must be a Combination and an Orientation"
            )
        named = [name for names in self.kinds for name in names.split()]
        if len(set(named)) < len(named):
            raise DeclarationError("'kinds' must name each piece at most once")

    def engine_input(self, store: TableStore) -> CosetInput:
        """Return the engine's input for numbering the cosets."""
        import numpy as np

        classes = Classes(store, self.sym)
        order = self.sym.coordinate.symmetries
        images = np.frombuffer(classes.move_images, "u1").reshape(order, len(self.moves))
        carried = [self._symmetry(row.tolist()) for row in images]
        class_of, kind_moves, turn_moves = self._first_tables(classes)
        keepers = classes.keepers.astype(np.int64)
        first_ranks, second_ranks = self._ranks()
        sources = [self.second.of(move.effect) for move in self.moves]
        return CosetInput(
            moves=len(self.moves),
            turns=turn_moves.size // len(self.moves),
            places=self.second.size,
            arrangements=self.arrangements,
            kept=self.kept,
            kind_moves=kind_moves.ravel().data,
            turn_moves=turn_moves.ravel().data,
            class_of=class_of.data,
            keepers=keepers.data,
            products=classes.products,
            move_halves=np.concatenate([_halves(places) for places, _ in sources]).data,
            move_flips=np.array([_mask(turns) for _, turns in sources], "u2").data,
            symmetry_halves=np.concatenate([_halves(places) for places, _, _ in carried]).data,
            symmetry_flips=np.concatenate([flips for _, flips, _ in carried]).data,
            symmetry_kinds=b"".join(kinds for _, _, kinds in carried),
            first_ranks=first_ranks.data,
            second_ranks=second_ranks.data,
            squeezed=bytes(_squeezed(at, bits) for at in range(64) for bits in range(64)),
            counted=bytes(at.bit_count() for at in range(64)),
        )

    def _symmetry(self, images: Sequence[int]) -> tuple[list[int], npt.NDArray[Any], bytes]:
        """Return the effect of a symmetry on the second orbit: places, turns, and kinds."""
        import numpy as np

        carried = self.second.carried(images)
        if carried is None:
            raise DeclarationError(f"a symmetry maps {self.second.name} to something else")
        size, kinds = self.second.size, self.second_kinds
        sources, turns = [0] * size, [0] * size
        becomes: dict[int, set[int]] = {0: set(), 1: set(), 2: set()}
        turned: dict[int, set[int]] = {0: set(), 1: set(), 2: set()}
        for place in range(size):
            there, turn = carried[place, 0]
            sources[there], turns[there] = place, turn
            becomes[kinds[place]].add(kinds[there])
            turned[kinds[place]].add(turn)
        if any(len(found) > 1 for found in (*becomes.values(), *turned.values())):
            raise DeclarationError(
                f"a symmetry maps pieces of one kind of {self.second.name} to pieces of "
                "several kinds: choose other 'kinds'"
            )
        every = (1 << size) - 1
        flips = [_mask(turns)] + [every * max(turned[kind], default=0) for kind in range(3)]
        back = {min(found): kind for kind, found in becomes.items() if found}
        return sources, np.array(flips, "u2"), bytes(back.get(kind, kind) for kind in (0, 1))

    def _first_tables(
        self, classes: Classes
    ) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]:
        """Return the classes of the first orbit, and the effects of moves on masks and turns."""
        import numpy as np

        coordinate, orbit = self.sym.coordinate, self.first.orbit
        size, base = orbit.size, orbit.orientations
        start = self.puzzle.offsets[orbit.name]
        turns = base ** (size - 1)
        digits = np.stack([np.arange(turns) // weight % base for weight in self._weights[:-1]])
        digits = np.concatenate([digits, -digits.sum(axis=0, keepdims=True) % base])
        masks = np.arange(1 << size)
        example = dict(zip(self.first_kinds, orbit.solved, strict=True))  # a label of each kind
        own = [example.get(kind, orbit.solved[0]) for kind in (0, 1)]
        vector: dict[int, Any] = {}
        for place in range(size):
            labels = np.where(masks >> place & 1, own[1], own[0])
            vector[start + place] = np.repeat(labels, turns)
            if base > 1:
                vector[start + size + place] = np.tile(digits[place], len(masks))
        counted = np.array([int(mask).bit_count() for mask in masks])
        there = np.repeat(counted == sum(self.first_kinds), turns)
        ranks = np.where(there, coordinate.rank(vector), 0)
        found = np.asarray(classes.class_of)[ranks].astype(np.uint32)
        shift = coordinate.shift
        word = found >> np.uint32(shift) << np.uint32(6) | found & np.uint32((1 << shift) - 1)
        kind_moves = np.zeros((len(masks), len(self.moves)), "u2")
        turn_moves = np.zeros((turns, len(self.moves)), "u2")
        for number, move in enumerate(self.moves):
            sources, added = self.first.of(move.effect)
            for place, source in enumerate(sources):
                kind_moves[:, number] |= ((masks >> source & 1) << place).astype("u2")
                after = (digits[source] + added[place]) % base
                turn_moves[:, number] += (after * self._weights[place]).astype("u2")
        return word, kind_moves, turn_moves

    @cached_property
    def _weights(self) -> list[int]:
        """Return for each place of the first orbit what one turn adds; 0 for the last place."""
        size, base = self.first.size, self.first.orbit.orientations
        return [base**place for place in range(size - 1)] + [0]

    def _ranks(self) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
        """Return what masks of the first and second kind add to the number of an arrangement."""
        import numpy as np

        one, two, three = self.sizes
        found = []
        for places, pieces, step in (
            (one + two + three, one, comb(two + three, two)),
            (two + three, two, 1),
        ):
            ranks = np.zeros(1 << MOST_SECOND, np.uint32)
            for number, chosen in enumerate(combinations(range(places), pieces)):
                ranks[sum(1 << place for place in chosen)] = number * step
            found.append(ranks)
        return found[0], found[1]

    def marks(self, state: bytes) -> tuple[int, int, int, int, int]:
        """Return the five marks of a state (see `puzzlekit_cubes.engine.cosets`)."""
        first, second = self.first, self.second
        kinds = [self.first_kinds[place] for place in first.pieces(state)]
        turns = self.puzzle.orientations(state, first.orbit)
        seconds = [self.second_kinds[place] for place in second.pieces(state)]
        return (
            sum(turn * weight for turn, weight in zip(turns, self._weights, strict=True)),
            _mask(kinds),
            _mask([kind == 0 for kind in seconds]),
            _mask([kind == 1 for kind in seconds]),
            _mask(self.puzzle.orientations(state, second.orbit)),
        )

    def pieces(self, state: bytes) -> tuple[list[int], list[int]]:
        """Return the codes of the pairs of pieces in each of the two orbits: see `PieceInput`."""
        found: list[list[int]] = []
        for of, room in zip((self.first, self.second), _GROUPS, strict=True):
            orbit = of.orbit
            turns = self.puzzle.orientations(state, orbit)
            codes = [0] * orbit.size
            for place, piece in enumerate(of.pieces(state)):
                codes[piece] = place * orbit.orientations + -turns[place] % orbit.orientations
            pairs = [codes[at] * of.codes + codes[at + 1] for at in range(0, orbit.size, 2)]
            found.append(pairs + [0] * (room - len(pairs)))
        return found[0], found[1]

    @cached_property
    def symmetries_of(self) -> Callable[[bytes], list[Sequence[int]]]:
        """Return the symmetries of a state: see `StateSymmetries.of`."""
        return StateSymmetries(self.puzzle, self.moves).of

    @cached_property
    def groups(self) -> list[int]:
        """The group of each move: see `PieceInput.groups`."""
        found: dict[tuple[int, ...], int] = {self.marks(self.puzzle.solved): -1}
        numbers = []
        for move in self.moves:
            undone = self.puzzle.apply(self.puzzle.solved, [self.puzzle.inverse(move)])
            numbers.append(found.setdefault(self.marks(undone), len(found) - 1))
        return numbers

    def piece_input(self) -> PieceInput:
        """Return the tables with which the engine applies moves to pieces.

        The engine also uses them to compute the marks of the inverse of a state.
        """
        import numpy as np

        moved, places, turned, undone = [], [], [], []
        steps: list[npt.NDArray[Any]] = []
        for of in (self.first, self.second):
            orbit, codes = of.orbit, np.arange(of.codes)
            at, back = codes // orbit.orientations, codes % orbit.orientations
            after = np.zeros((len(self.moves), of.codes), np.int64)
            for number, step in enumerate(of.steps):
                for code in range(of.codes):
                    there, turn = step[int(at[code]), -int(back[code]) % orbit.orientations]
                    after[number, code] = there * orbit.orientations + -turn % orbit.orientations
            pairs = after[:, :, None] * of.codes + after[:, None, :]
            moved.append(pairs.astype("u2").ravel())
            steps.append(after)
            places.append(bytes(at.tolist()))
            turned.append(bytes((-back % orbit.orientations).tolist()))
            undone.append(bytes(back.tolist()))
        first, second = steps
        numbers = max(self.groups) + 1
        leading = [self.groups.index(number) for number in range(numbers)]
        still = np.arange(self.first.codes)[None], np.arange(self.second.codes)[None]
        words = self._words(np.concatenate([first[leading], still[0]]))
        masks = self._masks(np.concatenate([second[leading], still[1]]))
        return PieceInput(
            codes=(self.first.codes, self.second.codes),
            pairs=(self.first.size // 2, self.second.size // 2),
            moved=(moved[0].data, moved[1].data),
            words=words.data,
            masks=masks.data,
            group=self.groups,
            places=(places[0], places[1]),
            turned=(turned[0], turned[1]),
            undone=(undone[0], undone[1]),
            kinds=(
                bytes(self.first_kinds),
                bytes(1 << kind for kind in self.second_kinds),
            ),
            weights=self._weights,
        )

    def _words(self, after: npt.NDArray[Any]) -> npt.NDArray[np.uint32]:
        """See `PieceInput.words`. `after` has the image of each code for each group."""
        import numpy as np

        orbit = self.first.orbit
        turns = orbit.orientations ** (orbit.size - 1)
        kinds = np.array(self.first_kinds)[after // orbit.orientations]
        back = after % orbit.orientations
        added = np.zeros((len(after), orbit.size, self.first.codes), np.int64)
        for place, weight in enumerate(self._weights):
            added[:, place] = (kinds << place) * turns + back * weight
        pairs = added[:, 0::2, :, None] + added[:, 1::2, None, :]
        found = np.zeros((len(after), _GROUPS[0], self.first.codes**2), np.uint32)
        found[:, : orbit.size // 2] = pairs.reshape(len(after), orbit.size // 2, -1)
        return found.ravel()

    def _masks(self, after: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """See `PieceInput.masks`."""
        import numpy as np

        orbit = self.second.orbit
        kinds = np.array(self.second_kinds)[after // orbit.orientations]
        bits = (kinds == 0).astype(np.int64) | (kinds == 1).astype(np.int64) << 16
        bits |= (after % orbit.orientations).astype(np.int64) << 32
        pairs: npt.NDArray[np.int64] = bits[:, :, None] | bits[:, None, :] << 1
        return pairs.ravel()


def merged(puzzle: Puzzle, moves: Sequence[Move]) -> bytes:
    """Return a byte for each pair of moves: 1 if it has the effect of one move or of no move."""
    single = {puzzle.solved} | {puzzle.apply(puzzle.solved, [move]) for move in moves}
    return bytes(
        puzzle.apply(puzzle.solved, [one, other]) in single for one in moves for other in moves
    )


def _mask(bits: Sequence[int]) -> int:
    """Return the bits as a number, the first bit lowest."""
    return sum(bool(bit) << place for place, bit in enumerate(bits))


def _halves(sources: Sequence[int]) -> npt.NDArray[np.uint16]:
    """Return a table for each half of a mask. It moves the bit of each source to its place."""
    import numpy as np

    bits = np.arange(1 << _HALF)
    found = np.zeros((2, 1 << _HALF), "u2")
    for place, source in enumerate(sources):
        half, at = divmod(source, _HALF)
        found[half] |= ((bits >> at & 1) << place).astype("u2")
    return found.ravel()


def _squeezed(at: int, bits: int) -> int:
    """Return the bits at the places of a mask, packed together."""
    chosen = [bits >> place & 1 for place in range(_HALF) if at >> place & 1]
    return sum(bit << number for number, bit in enumerate(chosen))
