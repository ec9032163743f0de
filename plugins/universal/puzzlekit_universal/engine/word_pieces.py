# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""The pieces after a word, and the 3-cycles and twists that solve some of them.

`pieces.pxd` declares the names that other compiled modules use.
"""

from __future__ import annotations

from array import array

import cython

if not cython.compiled:  # pieces.pxd has these for the compiler
    from puzzlekit.engine.ranks import bytes_at, ints_at, new_ints, new_longs
    from puzzlekit_universal.engine.word_moves import Moves
    from puzzlekit_universal.engine.word_sizes import FAR, OPS


@cython.final
@cython.cclass
class WordPieces:
    """The pieces of a state after a word.

    `_replay` sets the word. `_gather` lists cycles: 3-cycles and twists that solve pieces.
    """

    def __init__(
        self,
        moves: Moves,
        #: The label and the orientation of the piece at each place, in the state.
        labels: list,
        turns: list,
        #: The label that each place has in the solved state. Labels are numbered from 0.
        wanted: list,
        #: The block of each place, -1 for places whose pieces the library does not move.
        block: list,
        #: For each block, whether only even permutations of its pieces can be solved.
        even: list,
        #: For each block, the sum of its orientations must be a multiple of this number.
        step: list,
    ) -> None:
        owners: list = []
        self._owners = owners
        self.moves = moves
        places: cython.int = moves.places
        self.labels = ints_at(array("i", labels), owners)
        self.turns = ints_at(array("i", turns), owners)
        self.wanted = ints_at(array("i", wanted), owners)
        self.at = ints_at(array("i", labels), owners)
        self.by = ints_at(array("i", turns), owners)
        homes: list = [[] for _ in range(max(wanted) + 1)]
        for place, label in enumerate(wanted):
            homes[label].append(place)
        counted: list = [len(own) for own in homes]
        first = array("i", [sum(counted[:label]) for label in range(len(counted) + 1)])
        self.first = ints_at(first, owners)
        self.homes = ints_at(array("i", [p for own in homes for p in own]), owners)
        self.block = ints_at(array("i", block), owners)
        self.blocks = len(even)
        self.even = bytes_at(bytes(even) + b"\0", owners)
        self.step = ints_at(array("i", [*step, 0]), owners)
        self.op_hash = new_longs(OPS, owners)
        self.hash = 0
        self.loose = new_ints(places, owners)
        self.op_x = new_ints(OPS, owners)
        self.op_y = new_ints(OPS, owners)
        self.op_z = new_ints(OPS, owners)
        self.op_t = new_ints(OPS, owners)
        self.op_u = new_ints(OPS, owners)
        self.op_left = new_ints(OPS, owners)
        self.op_cost = new_ints(OPS, owners)
        self.op_place = new_ints(OPS, owners)
        self.op_entry = new_ints(OPS, owners)
        self.unsolved = new_ints(len(even) + 1, owners)
        self.seen = bytes_at(bytearray(places + 1), owners)
        # The places of each block, and those of them with unsolved pieces.
        own: list = [[] for _ in even]
        for place, number in enumerate(block):
            if number >= 0:
                own[number].append(place)
        sizes: list = [len(each) for each in own]
        begin = array("i", [sum(sizes[:number]) for number in range(len(sizes) + 1)])
        self.begin = ints_at(begin, owners)
        self.members = ints_at(array("i", [p for each in own for p in each] + [0]), owners)
        self.grouped = new_ints(places + 1, owners)
        self.carried = new_ints(places + 1, owners)
        self.spun = new_ints(places + 1, owners)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fits(self) -> cython.int:
        """Whether the library can solve the current state."""
        p: cython.int
        q: cython.int
        b: cython.int
        k: cython.int
        total: cython.int
        swaps: cython.int
        for p in range(self.moves.places):
            b = self.block[p]
            q = self.homes[self.first[self.at[p]]]
            if b < 0 and (self.at[p] != self.wanted[p] or self.by[p]):
                return 0
            if b != self.block[q]:
                return 0
        for p in range(self.moves.places):
            self.seen[p] = 0
        for b in range(self.blocks):
            total = 0
            swaps = 0
            for k in range(self.begin[b], self.begin[b + 1]):
                p = self.members[k]
                total += self.by[p]
                if not self.even[b]:
                    continue
                q = p
                while not self.seen[q]:
                    self.seen[q] = 1
                    q = self.homes[self.first[self.at[q]]]
                    if q != p:
                        swaps += 1
            if self.even[b] and swaps & 1:
                return 0
            if total % self.step[b]:
                return 0
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _replay(
        self, word: cython.p_uchar, base: cython.Py_ssize_t, count: cython.int
    ) -> cython.int:
        """Set the current state to the state after a word; return the number of unsolved pieces."""
        p: cython.int
        k: cython.int
        for p in range(self.moves.places):
            self.at[p] = self.labels[p]
            self.by[p] = self.turns[p]
        for k in range(count):
            self.moves._act(word[base + k], self.at, self.by, self.carried, self.spun)
        for p in range(self.moves.places):
            self.by[p] = self.by[p] % self.moves.modulus[p]
        return self._note()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _note(self) -> cython.int:
        """List the unsolved pieces and set the hash; return the number of these pieces."""
        p: cython.int
        left: cython.int = 0
        self.hash = 0
        for p in range(self.moves.places):
            if self.at[p] != self.wanted[p] or self.by[p]:
                self.loose[left] = p
                left += 1
                self.hash += self._mixed(p, self.at[p], self.by[p])
        return left

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _write(self, states: cython.p_int, base: cython.Py_ssize_t) -> cython.void:
        """Write the current state to a place."""
        p: cython.int
        for p in range(self.moves.places):
            states[base + p] = self.at[p]
            states[base + self.moves.places + p] = self.by[p]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _read(self, states: cython.p_int, base: cython.Py_ssize_t) -> cython.int:
        """Set the current state from a place; return the number of unsolved pieces."""
        p: cython.int
        for p in range(self.moves.places):
            self.at[p] = states[base + p]
            self.by[p] = states[base + self.moves.places + p]
        return self._note()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _apply(self, ops: cython.p_int, base: cython.Py_ssize_t) -> cython.void:
        """Apply a 3-cycle or a twist to the current state, without noting what is unsolved."""
        x: cython.int = ops[base]
        y: cython.int = ops[base + 1]
        z: cython.int = ops[base + 2]
        t: cython.int = ops[base + 3]
        u: cython.int = ops[base + 4]
        m: cython.int = self.moves.modulus[x]
        label: cython.int = self.at[z] if z >= 0 else 0
        turned: cython.int = self.by[z] if z >= 0 else 0
        if z < 0:
            self.by[x] = (self.by[x] + t) % m
            if y != x:
                self.by[y] = (self.by[y] + m - t) % m
            return
        self.at[z] = self.at[y]
        self.by[z] = (self.by[y] + u) % m
        self.at[y] = self.at[x]
        self.by[y] = (self.by[x] + t) % m
        self.at[x] = label
        self.by[x] = (turned + 2 * m - t - u) % m

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _mixed(self, place: cython.int, label: cython.int, turned: cython.int) -> cython.longlong:
        """Return a number that is likely to differ for other arguments; 0 if it is solved."""
        mixed: cython.longlong = place
        turned = turned % self.moves.modulus[place]
        if self.wanted[place] == label and turned == 0:
            return 0
        mixed = (mixed * 10007 + label) * 131 + turned + 1
        mixed = mixed * 48271 % 2147483647
        mixed = mixed * mixed % 2147483647
        return mixed * 69621 % 2147483647

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _solved_by(self, place: cython.int, label: cython.int, turned: cython.int) -> cython.int:
        return self.wanted[place] == label and turned % self.moves.modulus[place] == 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _add(
        self,
        left: cython.int,
        x: cython.int,
        y: cython.int,
        z: cython.int,
        t: cython.int,
        u: cython.int,
    ) -> cython.void:
        """Add a 3-cycle or, if z is -1, a twist, if it solves pieces."""
        m: cython.int = self.moves.modulus[x]
        o: cython.int
        gain: cython.int = 0
        if self.ops >= OPS:
            return
        gain -= self.wanted[x] == self.at[x] and self.by[x] == 0
        if y != x:
            gain -= self.wanted[y] == self.at[y] and self.by[y] == 0
        if z < 0:
            gain += self._solved_by(x, self.at[x], self.by[x] + t)
            if y != x:
                gain += self._solved_by(y, self.at[y], self.by[y] + m - t)
        else:
            gain -= self.wanted[z] == self.at[z] and self.by[z] == 0
            gain += self._solved_by(y, self.at[x], self.by[x] + t)
            gain += self._solved_by(z, self.at[y], self.by[y] + u)
            gain += self._solved_by(x, self.at[z], self.by[z] + 2 * m - t - u)
        if gain <= 0:
            return
        o = self.ops
        self.op_hash[o] = self.hash - self._mixed(x, self.at[x], self.by[x])
        if y != x:
            self.op_hash[o] -= self._mixed(y, self.at[y], self.by[y])
        if z < 0:
            self.op_hash[o] += self._mixed(x, self.at[x], self.by[x] + t)
            if y != x:
                self.op_hash[o] += self._mixed(y, self.at[y], self.by[y] + m - t)
        else:
            self.op_hash[o] -= self._mixed(z, self.at[z], self.by[z])
            self.op_hash[o] += self._mixed(y, self.at[x], self.by[x] + t)
            self.op_hash[o] += self._mixed(z, self.at[y], self.by[y] + u)
            self.op_hash[o] += self._mixed(x, self.at[z], self.by[z] + 2 * m - t - u)
        self.op_x[o] = x
        self.op_y[o] = y
        self.op_z[o] = z
        self.op_t[o] = t
        self.op_u[o] = u
        self.op_left[o] = left - gain
        self.op_cost[o] = FAR
        self.ops += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _gather(self, left: cython.int, offset: cython.int) -> cython.void:
        """List the 3-cycles and twists that solve unsolved pieces, from one of these pieces on."""
        b: cython.int
        i: cython.int
        j: cython.int
        h: cython.int
        first: cython.int
        k: cython.int
        x: cython.int
        y: cython.int
        z: cython.int
        t: cython.int
        u: cython.int
        m: cython.int
        direct: cython.int
        own: cython.int
        self.ops = 0
        for i in range(self.blocks):
            self.unsolved[i] = 0
        for i in range(left):
            b = self.block[self.loose[i]]
            if b >= 0:
                self.grouped[self.begin[b] + self.unsolved[b]] = self.loose[i]
                self.unsolved[b] += 1
        for i in range(left):
            x = self.loose[(i + offset) % left]
            if self.block[x] < 0 or self.ops >= OPS // 2:
                continue
            b = self.block[x]
            own = self.unsolved[b]
            first = self.begin[b]
            m = self.moves.modulus[x]
            t = (m - self.by[x]) % m
            if self.wanted[x] == self.at[x]:  # turned at its place
                self._add(left, x, x, -1, t, 0)
                for j in range(first, first + own):
                    y = self.grouped[j]
                    if y != x:
                        self._add(left, x, y, -1, t, 0)
                if own <= 2:
                    for j in range(first, self.begin[b + 1]):
                        y = self.members[j]
                        if y != x:
                            self._add(left, x, y, -1, t, 0)
                continue
            for h in range(self.first[self.at[x]], self.first[self.at[x] + 1]):
                y = self.homes[h]
                if self.block[y] != self.block[x] or y == x:
                    continue
                if self.wanted[y] == self.at[y] and (self.by[y] == 0 or own > 4):
                    continue
                direct = 0
                u = (m - self.by[y]) % m
                for k in range(self.first[self.at[y]], self.first[self.at[y] + 1]):
                    z = self.homes[k]
                    if z in (x, y) or self.block[z] != self.block[x]:
                        continue
                    if self.wanted[z] == self.at[z] and self.by[z] == 0:
                        continue
                    direct = 1
                    self._add(left, x, y, z, t, u)
                if not direct or own <= 6:
                    for j in range(first, first + own):
                        z = self.grouped[j]
                        if z != x and z != y:
                            for u in range(m):
                                self._add(left, x, y, z, t, u)
                if own <= 3:
                    for j in range(first, self.begin[b + 1]):
                        z = self.members[j]
                        if z != x and z != y:
                            for u in range(m):
                                self._add(left, x, y, z, t, u)
