# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""The numbering of cosets of a subgroup of states, as index into a table.

The pieces of two orbits are divided into kinds. The subgroup consists of all states in which each
piece of the two orbits is at a place of its own kind and has orientation 0. The coset of a state is
determined by the kind and the orientation of the piece at each place. Symmetries of the subgroup
map cosets to cosets. Equivalent cosets have the same number.

Five numbers represent a state, its `marks`. Two marks are for the first orbit: the orientation
value, and the mask of the places with a piece of the second kind. Three marks are for the second
orbit: the masks of the places with a piece of the first kind, with a piece of the second kind, and
with a piece whose orientation is not 0.

`cosets.pxd` declares the names that other compiled modules use.
"""

from __future__ import annotations

from array import array

import cython

if not cython.compiled:  # cosets.pxd has these for the compiler
    from puzzlekit.engine.ranks import bytes_at, longs_at, shorts_at, words_at
    from puzzlekit_cubes.engine.coset_layout import ENTRIES, LINE


@cython.final
@cython.cclass
class Cosets:
    """Numbers the cosets of states, and computes the marks of a state after a move."""

    def __init__(self, given: object) -> None:
        """`given` is a `puzzlekit_cubes.engine.coset_inputs.CosetInput`."""
        owners: list = []
        self._owners = owners
        self.moves = given.moves
        self.turns = given.turns
        self.kept = given.kept
        self.arrangements = given.arrangements
        self.every = (1 << given.places) - 1
        order = len(given.symmetry_flips) // 4
        if not 0 < order <= 64 or len(given.products) != order * order:
            raise ValueError("up to 64 symmetries")
        if given.places > 12 or not 0 <= given.kept < given.places:
            raise ValueError("up to 12 places in the second orbit")
        kinds = len(given.class_of) // given.turns
        self.order = order
        self.kinds = kinds
        self.classes = len(given.keepers)
        self.entries = self.classes * self.arrangements << self.kept
        self.lines = (self.entries + ENTRIES - 1) // ENTRIES
        shaped = (
            (given.kind_moves, kinds * self.moves),
            (given.turn_moves, self.turns * self.moves),
            (given.move_halves, self.moves * 128),
            (given.move_flips, self.moves),
            (given.symmetry_halves, order * 128),
            (given.symmetry_kinds, order * 2),
            (given.first_ranks, 4096),
            (given.second_ranks, 4096),
            (given.squeezed, 4096),
            (given.counted, 64),
        )
        if any([len(table) != size for table, size in shaped]):
            raise ValueError("a table of cosets has another shape than it should")
        self.kind_moves = shorts_at(given.kind_moves, owners)
        self.turn_moves = shorts_at(given.turn_moves, owners)
        self.class_of = words_at(given.class_of, owners)
        self.keepers = longs_at(given.keepers, owners)
        self.products = bytes_at(given.products, owners)
        self.move_halves = shorts_at(given.move_halves, owners)
        self.move_flips = shorts_at(given.move_flips, owners)
        self.symmetry_halves = shorts_at(given.symmetry_halves, owners)
        self.symmetry_flips = shorts_at(given.symmetry_flips, owners)
        # Where the mask of each kind begins in the masks of a state.
        shifts = bytes([(0, 16, 48)[kind] for kind in given.symmetry_kinds])
        self.kind_shifts = bytes_at(shifts, owners)
        flipped = memoryview(given.symmetry_flips).cast("B").cast("H")
        masks = [
            flipped[at + 1] | flipped[at + 2] << 16 | flipped[at + 3] << 48 | 0xFFF << 32
            for at in range(0, 4 * order, 4)
        ]
        self.flip_masks = longs_at(array("q", masks), owners)
        self.first_ranks = words_at(given.first_ranks, owners)
        self.second_ranks = words_at(given.second_ranks, owners)
        self.squeezed = bytes_at(given.squeezed, owners)
        self.counted = bytes_at(given.counted, owners)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _word(self, turn: cython.int, mask: cython.int) -> cython.uint:
        """Return class and symmetry of the first orbit."""
        return self.class_of[mask * self.turns + turn]

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _place(
        self,
        word: cython.uint,
        symmetry: cython.int,
        masks: cython.longlong,
        kept: cython.int,
    ) -> cython.longlong:
        """Return the number of a coset after a symmetry is applied to its second orbit.

        `word` is the result of `_word` for the first orbit, and `masks` has the masks of the second
        orbit (see `_slots`). The number of the coset depends on the orientations at the first
        `kept` places only. Cosets that differ only in orientations are never neighbours: the
        least distance of their line would say little of states near the superflip.
        """
        one: cython.longlong = 1
        half: cython.Py_ssize_t = symmetry * 128
        others: cython.int
        rank: cython.longlong
        # The mask of the places with a piece of the third kind comes to the highest 16 bits.
        masks |= ((masks ^ masks >> 16 ^ self.every) & self.every) * (one << 48)
        a: cython.int = (masks >> self.kind_shifts[2 * symmetry]) & 0xFFF
        b: cython.int = (masks >> self.kind_shifts[2 * symmetry + 1]) & 0xFFF
        masks &= self.flip_masks[symmetry]
        flips: cython.int = (masks ^ masks >> 16 ^ masks >> 32 ^ masks >> 48) & 0xFFF
        a = self.symmetry_halves[half + (a & 63)] | self.symmetry_halves[half + 64 + (a >> 6)]
        b = self.symmetry_halves[half + (b & 63)] | self.symmetry_halves[half + 64 + (b >> 6)]
        flips = (
            self.symmetry_halves[half + (flips & 63)]
            | self.symmetry_halves[half + 64 + (flips >> 6)]
        ) ^ self.symmetry_flips[4 * symmetry]
        others = self.every ^ a
        b = self.squeezed[(others & 63) << 6 | (b & 63)] | (
            self.squeezed[(others >> 6) << 6 | (b >> 6)] << self.counted[others & 63]
        )
        rank = cython.cast(cython.longlong, word >> 6) << kept | (flips & ((1 << kept) - 1))
        return rank * self.arrangements + self.first_ranks[a] + self.second_ranks[b]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _slots(
        self,
        slots: cython.p_longlong,
        masks: cython.p_longlong,
        begin: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
    ) -> cython.void:
        """Compute the positions of the entries of some states, in units of 2 bits.

        `slots` has the positions of the first orbit in `class_of`, and gets the results. `masks`
        has the three masks of the second orbit, in 16 bits each: the first kind is the lowest one.
        Each loop makes many requests to memory that do not wait for each other.
        """
        k: cython.Py_ssize_t
        word: cython.uint
        index: cython.ulonglong
        line: cython.ulonglong
        for k in range(begin, end):
            slots[k] = self.class_of[slots[k]]
        for k in range(begin, end):
            word = cython.cast(cython.uint, slots[k])
            index = self._place(word, word & 63, masks[k], self.kept)
            line = index // ENTRIES
            slots[k] = line * 256 + (index - line * ENTRIES)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _mask_after(self, mask: cython.int, move: cython.int) -> cython.int:
        """Return a mask of places of the second orbit after a move."""
        half: cython.Py_ssize_t = move * 128
        return self.move_halves[half + (mask & 63)] | self.move_halves[half + 64 + (mask >> 6)]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _do(
        self,
        move: cython.Py_ssize_t,
        source: cython.p_ushort,
        at: cython.Py_ssize_t,
        target: cython.p_ushort,
        to: cython.Py_ssize_t,
    ) -> cython.void:
        """Write the marks after a move: from `source[at]` to `target[to]`."""
        moves: cython.Py_ssize_t = self.moves
        target[to] = self.turn_moves[source[at] * moves + move]
        target[to + 1] = self.kind_moves[source[at + 1] * moves + move]
        target[to + 2] = self._mask_after(source[at + 2], move)
        target[to + 3] = self._mask_after(source[at + 3], move)
        target[to + 4] = self._mask_after(source[at + 4], move) ^ self.move_flips[move]

    @property
    def table_size(self) -> int:
        """The size of the table in bytes."""
        return self.lines * LINE

    def index(self, marks: object) -> int:
        """Return the index of a state in the table, given the five marks of the state."""
        turn, mask, one, two, flips = marks
        self._check(marks)
        word: cython.uint = self._word(turn, mask)
        return self._place(word, word & 63, one | two << 16 | flips << 32, self.kept)

    def after(self, marks: object, move: int) -> tuple:
        """Return the five marks after a move, given the marks before it."""
        self._check(marks)
        if not 0 <= move < self.moves:
            raise ValueError("no move of these cosets")
        owners: list = []
        both = array("H", [*marks, 0, 0, 0, 0, 0])
        held: cython.p_ushort = shorts_at(both, owners)
        self._do(move, held, 0, held, 5)
        return tuple(both[5:])

    def _check(self, marks: object) -> None:
        turn, mask, one, two, flips = marks
        if (
            not 0 <= turn < self.turns
            or not 0 <= mask < self.kinds
            or max(one, two, flips) > self.every
            or min(one, two, flips) < 0
            or one & two
        ):
            raise ValueError("no marks of a state")
