# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""Compiled loops that fill pruning tables.

The loops pay off only when compiled. Without a compiler, `puzzlekit.tables` does the same in NumPy.
"""

from __future__ import annotations

import cython

__all__ = ["COMPILED"]

COMPILED = cython.compiled


def sweep(
    distance: cython.uchar[:, ::1],
    state: cython.Py_ssize_t,
    first: cython.const[cython.uint][:, ::1],
    second: cython.const[cython.uint][:, ::1],
    third: cython.const[cython.uint][:, ::1],
    into: cython.const[cython.int][:, ::1],
    level: cython.int,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
) -> int:
    """Set the distances of all joint values from which one move leads to a given distance.

    The function handles one state of an automaton of the possible moves, and one distance, `level`.
    The caller calls it for all states of the automaton, and for the levels in increasing order.

    - `distance`: uint8, a row of joint values of three coordinates for each state of the automaton.
      An entry is 255 if it has no distance yet. The function changes the array in place.
    - `state`: the state of the automaton whose joint values at `level` are processed.
    - `first`, `second`, `third`: for each coordinate a uint32 table of shape (size, moves). It maps
      each value after a move to the value before the move.
    - `into`: int32, shape (edges, 3). Each row is an edge of the automaton that leads to `state`:
      the move, the state before the move, and the cost.
    - `begin`, `end`: process the values `begin` to `end` - 1 of the first coordinate.

    Returns the number of these joint values of `state` that are at `level`.
    """
    size2: cython.Py_ssize_t = second.shape[0]
    size3: cython.Py_ssize_t = third.shape[0]
    edges: cython.int = into.shape[0]
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    c: cython.Py_ssize_t
    pair: cython.Py_ssize_t
    k: cython.int
    m: cython.int
    source: cython.int
    farther: cython.int
    index: cython.Py_ssize_t = begin * size2 * size3
    near: cython.Py_ssize_t
    reached: cython.longlong = 0
    with cython.nogil:
        for a in range(begin, end):
            for pair in range(size2 * size3):
                if distance[state, index] == level:
                    reached += 1
                    b = pair // size3
                    c = pair - b * size3
                    for k in range(edges):
                        m = into[k, 0]
                        source = into[k, 1]
                        farther = level + into[k, 2]
                        near = (
                            cython.cast(cython.Py_ssize_t, first[a, m]) * size2 + second[b, m]
                        ) * size3 + third[c, m]
                        if distance[source, near] > farther:
                            distance[source, near] = farther
                index += 1
    return reached


def pull(
    distance: cython.uchar[::1],
    first: cython.const[cython.uint][:, ::1],
    second: cython.const[cython.uint][:, ::1],
    third: cython.const[cython.uint][:, ::1],
    taken: cython.const[cython.ulonglong][::1],
    taken2: cython.const[cython.ulonglong][::1],
    taken3: cython.const[cython.ulonglong][::1],
    level: cython.int,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
) -> None:
    """Set each entry without a distance to `level` + 1 if a move leads to an entry at `level`.

    All moves must cost 1 and must always be possible. The result is that of `sweep`. This function
    is faster than `sweep` if few entries have no distance yet.

    - `distance`: uint8, a flat array with an entry for each joint value of three coordinates.
    - `first`, `second`, `third`: the move tables of the coordinates, uint32, shapes (size, moves).
    - `taken`, `taken2`, `taken3`: uint64, a mask for each value of a coordinate. Bit i is 1 if a
      piece of the coordinate is at place i. Two pieces are never at the same place. So the function
      skips each joint value in which two masks share a bit.
    """
    size2: cython.Py_ssize_t = second.shape[0]
    size3: cython.Py_ssize_t = third.shape[0]
    moves: cython.int = first.shape[1]
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    c: cython.Py_ssize_t
    m: cython.int
    index: cython.Py_ssize_t = begin * size2 * size3
    near: cython.Py_ssize_t
    both: cython.ulonglong
    with cython.nogil:
        for a in range(begin, end):
            for b in range(size2):
                if taken[a] & taken2[b]:
                    index += size3
                    continue
                both = taken[a] | taken2[b]
                for c in range(size3):
                    if distance[index] == 255 and not both & taken3[c]:
                        for m in range(moves):
                            near = (
                                cython.cast(cython.Py_ssize_t, first[a, m]) * size2 + second[b, m]
                            ) * size3 + third[c, m]
                            if distance[near] == level:
                                distance[index] = level + 1
                                break
                    index += 1


@cython.final
@cython.cclass
class LevelFill:
    """Fills a pruning table over a sym coordinate and two partners, with 2 bits per entry.

    Partners are further coordinates of the table. There is one entry for each combination of a
    class of the sym coordinate, a value a of the first partner, and a value b of the second
    partner. Row number class * size_a + a holds the entries of all b, four per byte, padded to
    whole bytes.

    - `class_moves`: for each class and move, new class * 2^shift + symmetry. The move leads to the
      new class. Then the symmetry must be applied to the values of the partners.
    - `keepers`: a mask for each class. Bit s is 1 if symmetry s fixes the representative of the
      class.
    - `partners`: for each partner its size, a table of the values after each move, and a table of
      the images under each symmetry. The tables have a row for each move or symmetry, and unsigned
      16-bit numbers.
    - `costs`: the cost of each move: 1 or 2.
    - `codes`: the packed rows. An entry is the distance modulo 3, or 3 if it is not reached. At the
      start only goals are reached. The class changes `codes` in place.
    - `fold`: the number of neighbouring values b that form a group; 0 if there are no groups.
    - `nearest`: a byte for each group of a row: the least distance of the group. Initially a byte
      is 0 if the group has a goal, else 255.
    - `row_groups`: the number of groups in a row.
    - `shared`: None, or a triple (full, before, after). The values of the second partner then have
      two digits, and the value of the sym coordinate determines the first one. An entry b is the
      second digit. The tables of the partner have `full` values in a row, and also give second
      digits. `before` has for each class the value of the partner with the second digit 0, and
      `after` the same after each move of the representative.
    """

    classes: cython.Py_ssize_t
    moves: cython.int
    shift: cython.int
    size_a: cython.Py_ssize_t
    size_b: cython.Py_ssize_t
    width: cython.Py_ssize_t
    fold: cython.Py_ssize_t
    row_groups: cython.Py_ssize_t
    class_moves: cython.const[cython.uint][::1]
    keepers: cython.const[cython.ulonglong][::1]
    moves_a: cython.const[cython.ushort][::1]
    moves_b: cython.const[cython.ushort][::1]
    images_a: cython.const[cython.ushort][::1]
    images_b: cython.const[cython.ushort][::1]
    costs: cython.const[cython.int][::1]
    codes: cython.uchar[::1]
    nearest: cython.uchar[::1]
    shares: cython.int
    lower: cython.int
    full: cython.Py_ssize_t
    before: cython.const[cython.uint][::1]
    after: cython.const[cython.uint][::1]

    def __init__(
        self,
        shift: int,
        class_moves: object,
        keepers: object,
        partners: list,
        costs: object,
        codes: object,
        nearest: object,
        fold: int,
        row_groups: int,
        shared: tuple | None = None,
    ) -> None:
        (self.size_a, self.moves_a, self.images_a), (self.size_b, self.moves_b, self.images_b) = (
            partners
        )
        self.shift = shift
        self.class_moves = class_moves
        self.keepers = keepers
        self.costs = costs
        self.codes = codes
        self.nearest = nearest
        self.fold = fold
        self.row_groups = row_groups
        self.classes = len(keepers)
        self.moves = len(costs)
        self.width = (self.size_b + 3) // 4
        self.shares = shared is not None
        self.full = self.size_b
        if shared is not None:
            self.full, self.before, self.after = shared

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _collect(
        self, row: cython.Py_ssize_t, code: cython.int, listed: cython.uint[::1]
    ) -> cython.Py_ssize_t:
        """List the b of a row whose entries have a code. Return their number."""
        n: cython.Py_ssize_t = 0
        k: cython.Py_ssize_t
        b: cython.Py_ssize_t
        four: cython.int
        at: cython.Py_ssize_t = row * self.width
        full: cython.int = code * 0x55
        for k in range(self.width):
            four = self.codes[at + k] ^ full  # two zero bits where an entry has the code
            if ((four | (four >> 1)) & 0x55) == 0x55:
                continue
            for b in range(4 * k, min(4 * k + 4, self.size_b)):
                if not (four >> ((b & 3) << 1)) & 3:
                    listed[n] = b
                    n += 1
        return n

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _mark(
        self, row: cython.Py_ssize_t, b: cython.Py_ssize_t, level: cython.int, code: cython.int
    ) -> cython.int:
        """Give an entry its distance if it has none. Return whether it had none."""
        at: cython.Py_ssize_t = row * self.width + (b >> 2)
        bits: cython.int = (b & 3) << 1
        group: cython.Py_ssize_t
        if (self.codes[at] >> bits) & 3 != 3:
            return 0
        self.codes[at] ^= (3 ^ code) << bits
        if self.fold:
            group = row * self.row_groups + b // self.fold
            if self.nearest[group] > level:
                self.nearest[group] = level
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _mark_alike(
        self,
        c: cython.Py_ssize_t,
        a: cython.Py_ssize_t,
        b: cython.Py_ssize_t,
        level: cython.int,
        code: cython.int,
    ) -> cython.int:
        """Mark the images of an entry under the symmetries that fix its class."""
        keepers: cython.ulonglong = self.keepers[c] >> 1
        symmetry: cython.Py_ssize_t = 1
        first: cython.Py_ssize_t = self.before[c] if self.shares else 0
        reached: cython.int = 0
        while keepers:
            if keepers & 1:
                reached += self._mark(
                    c * self.size_a + self.images_a[symmetry * self.size_a + a],
                    self.images_b[symmetry * self.full + first + b],
                    level,
                    code,
                )
            symmetry += 1
            keepers >>= 1
        return reached

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _leads(
        self, c: cython.Py_ssize_t, a: cython.Py_ssize_t, b: cython.Py_ssize_t, steps: cython.int
    ) -> cython.int:
        """Whether the distance of an entry is at most `steps` above the last complete level.

        The entry is next to one without a distance. So it has none, or the last level or the one
        before.
        """
        k: cython.int = (b & 3) << 1
        symmetry: cython.Py_ssize_t
        k = (self.codes[(c * self.size_a + a) * self.width + (b >> 2)] >> k) & 3
        if k != 3:
            return k == self.lower or steps >= 0
        if steps <= 0:
            return 0
        for k in range(self.moves):
            symmetry = self.class_moves[c * self.moves + k] & ((1 << self.shift) - 1)
            if self._leads(
                self.class_moves[c * self.moves + k] >> self.shift,
                self.images_a[symmetry * self.size_a + self.moves_a[k * self.size_a + a]],
                self.images_b[symmetry * self.size_b + self.moves_b[k * self.size_b + b]],
                steps - self.costs[k],
            ):
                return 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _collect_far(self, row: cython.Py_ssize_t, listed: cython.uint[::1]) -> cython.Py_ssize_t:
        """List the b of the groups of a row that have no distance. Return their number."""
        n: cython.Py_ssize_t = 0
        b: cython.Py_ssize_t
        group: cython.Py_ssize_t
        for group in range(self.row_groups):
            if self.nearest[row * self.row_groups + group] == 255:
                for b in range(group * self.fold, min((group + 1) * self.fold, self.size_b)):
                    listed[n] = b
                    n += 1
        return n

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _level(
        self,
        level: cython.int,
        backward: cython.int,
        steps: cython.int,
        first: cython.Py_ssize_t,
        last: cython.Py_ssize_t,
        listed: cython.uint[::1],
    ) -> cython.longlong:
        """Reach a level (see `reach`). Return the number of new entries, or of groups."""
        reached: cython.longlong = 0
        mask: cython.Py_ssize_t = (1 << self.shift) - 1
        c: cython.Py_ssize_t
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        i: cython.Py_ssize_t
        n: cython.Py_ssize_t
        kept: cython.Py_ssize_t
        word: cython.Py_ssize_t
        row: cython.Py_ssize_t
        group: cython.Py_ssize_t
        near_a: cython.Py_ssize_t
        near: cython.Py_ssize_t
        symmetry: cython.Py_ssize_t
        start: cython.Py_ssize_t
        cost: cython.int
        m: cython.int
        wanted: cython.int
        code: cython.int = level % 3
        # Local, because a store into `codes` may change attributes, for all that C knows.
        moves_b: cython.const[cython.ushort][::1] = self.moves_b
        images_b: cython.const[cython.ushort][::1] = self.images_b
        codes: cython.uchar[::1] = self.codes
        for c in range(first, last):
            for a in range(self.size_a):
                row = c * self.size_a + a
                for cost in range(not backward, 1 if backward else min(level, 2) + 1):
                    if steps:
                        n = self._collect_far(row, listed)
                    else:
                        n = self._collect(row, 3 if backward else (level - cost) % 3, listed)
                    for m in range(self.moves):
                        if n == 0:
                            break
                        if self.costs[m] > level or (cost and self.costs[m] != cost):
                            continue
                        wanted = (level - self.costs[m]) % 3
                        word = self.class_moves[c * self.moves + m]
                        symmetry = word & mask
                        near_a = symmetry * self.size_a + self.moves_a[m * self.size_a + a]
                        near_a = self.images_a[near_a]
                        word >>= self.shift
                        near = (word * self.size_a + near_a) * self.width
                        symmetry *= self.full
                        start = m * self.full
                        if self.shares:
                            start += self.before[c]
                            symmetry += self.after[c * self.moves + m]
                        kept = 0
                        for i in range(n):
                            b = images_b[symmetry + moves_b[start + listed[i]]]
                            if cost:
                                if (codes[near + (b >> 2)] >> ((b & 3) << 1)) & 3 == 3:
                                    self._mark(word * self.size_a + near_a, b, level, code)
                                    reached += 1
                                    if self.keepers[word] > 1:
                                        reached += self._mark_alike(word, near_a, b, level, code)
                            elif steps:
                                group = row * self.row_groups + listed[i] // self.fold
                                if self.nearest[group] != 255:  # found from another b of the group
                                    reached -= 1
                                elif self._leads(word, near_a, b, steps - self.costs[m]):
                                    self.nearest[group] = level
                                else:
                                    listed[kept] = listed[i]
                                    kept += 1
                            elif (codes[near + (b >> 2)] >> ((b & 3) << 1)) & 3 == wanted:
                                self._mark(row, listed[i], level, code)
                            else:
                                listed[kept] = listed[i]
                                kept += 1
                        if not cost:
                            reached += n - kept
                            n = kept
        return reached

    def reach(
        self, level: int, backward: bool, first: int, last: int, room: object, steps: int = 0
    ) -> int:
        """Find and write all entries at `level`, after all lower levels. Return their number.

        - `backward`: if False, the method starts at the entries of lower levels. Then every move
          must have an inverse of the same cost. If True, it starts at the entries without a
          distance. Then several threads may work on different classes.
        - `first`, `last`: the method starts at the entries of the classes `first` to `last` - 1.
        - `room`: working memory for size_b unsigned 32-bit numbers.
        - `steps`: if it is not 0, the lower levels are complete only up to `level` - `steps`. The
          method then finds no entries, but the groups whose least distance is `level`, and returns
          their number. `shared` must be None, `backward` True, and all lower groups known.
        """
        listed: cython.uint[::1] = room
        at: cython.int = level
        begin: cython.Py_ssize_t = first
        end: cython.Py_ssize_t = last
        ahead: cython.int = steps
        back: cython.int = backward
        reached: cython.longlong
        self.lower = (level - steps + 2) % 3  # the code of the level before the last complete one
        with cython.nogil:
            reached = self._level(at, back, ahead, begin, end, listed)
        return reached
