# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""A search of one phase that lists the children of several nodes together.

`groups.pxd` declares the attributes of the classes.
"""

from __future__ import annotations

import cython

if not cython.compiled:  # groups.pxd has these for the compiler
    from puzzlekit.engine.intrinsics import fetch
    from puzzlekit.engine.intrinsics import fetch as fetch_notes
    from puzzlekit.engine.intrinsics import fetch as fetch_words
    from puzzlekit.engine.ranks import bytes_at, new_ints, new_longs
    from puzzlekit.engine.search import Search
    from puzzlekit.engine.space import Space
    from puzzlekit.engine.statuses import EXHAUSTED, FOUND, PAUSED

    GROUP = 16

# Most moves and most values of a coordinate for which useful moves are noted.
_MOST_MOVES = cython.declare(cython.int, 28)
_MOST_NOTED = cython.declare(cython.int, 1 << 18)


@cython.final
@cython.cclass
class Notes:
    """Useful moves: those that lower or keep the distance in the first table of a phase.

    The table must be over one coordinate, and each move must cost 1. The moves are noted for a
    value of the coordinate when a search first needs them. All searches of a phase share the notes.
    """

    def __init__(self, space: Space) -> None:
        c: cython.int = space.part[0] if space.tables else 0
        rows: cython.int = space.size[c] >> space.shift[c] if space.tables else 0
        small = 0 < rows <= _MOST_NOTED and space.arity[0] == 1 and space.bits[0] in (4, 8)
        even = space.dearest == 1 and space.unit == 1 and space.moves <= _MOST_MOVES
        joint = space.joined or space.summed or space.raised or space.hashed
        self.space = space
        self.fits = not joint and not space.ranked
        self.masked = c if self.fits and small and even else -1
        self._owners = []
        self.useful = new_longs(rows if self.masked >= 0 else 1, self._owners)
        # Without notes, all moves share a bit: a number has no bit for each of more than 64 moves.
        own = range(space.moves) if self.masked >= 0 else [0] * space.moves
        self.image = bytes_at(bytes(own), self._owners)
        if self.masked >= 0 and space.shift[c]:
            self.image = space.sym_images[c]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _note(self, space: Space, row: cython.int) -> cython.longlong:
        """Note which moves change the distance in the first table, for a value of its coordinate.

        Bits 0 to 27 are the moves that lower the distance, bits 28 to 55 those that keep it, and
        the bits above are the distance plus 1. The number is -1 if a move changes the distance by
        more than 1. Threads may note the same number at the same time.
        """
        m: cython.int
        change: cython.int
        bit: cython.longlong = 1
        distance: cython.longlong = space._code(0, row)
        noted: cython.longlong = (min(distance, 125) + 1) << 56
        shift: cython.int = space.shift[self.masked]
        for m in range(space.moves):
            change = space._code(0, space._after(self.masked, row << shift, m) >> shift) - distance
            if change < -1 or change > 1 or distance > 125:
                noted = -1
                break
            if change <= 0:
                noted |= bit << (m if change < 0 else m + _MOST_MOVES)
        self.useful[row] = noted
        return noted


@cython.final
@cython.cclass
class Groups:
    """Searches an outer phase a group of nodes at a time, so that the processor reads in parallel.

    It finds the ends that `Search._step` finds, in the same order. The nodes of a group are
    successive nodes of the same depth. Their children are listed together: each pruning table is
    read for all of them. Before that, the notes rule out children without a read of the first
    table.
    """

    def __init__(self, space: Space, notes: Notes, plies: int) -> None:
        self.space = space
        self.notes = notes
        self.fits = notes.fits
        self.masked = notes.masked
        self._make_room(plies)

    @cython.cfunc
    def _make_room(self, plies: cython.int) -> None:
        """Make room for paths of this many moves. Only between iterations."""
        space: Space = self.space
        self.plies = plies
        self.many = GROUP * space.moves
        self._owners = []
        self.total = (plies + 1) * self.many if self.fits else 1
        self.value = self._room(self.total * space.coordinates)
        self.far = self._room(self.total * space.tables)
        self.state = self._room(self.total)
        self.spent = self._room(self.total)
        self.taken = self._room(self.total)
        self.parent = self._room(self.total)
        self.count = self._room(plies + 2)
        self.cursor = self._room(plies + 2)
        self.node = self._room(self.many + 1)
        self.move = self._room(self.many + 1)
        self.room = self._room(self.many + 1)
        self.alive = self._room(self.many)
        self.child = self._room(self.many * space.coordinates)
        self.child_far = self._room(self.many * space.tables)
        self.index = new_longs(self.many, self._owners)
        self.steps = self._room(GROUP)
        self.left = self._room(GROUP)
        self.tried = self._room(GROUP)
        self.code = self._room(GROUP)
        self.best = self._room(GROUP)
        self.most = self._room(GROUP)
        self.ruled = self._room(GROUP)

    @cython.cfunc
    def _room(self, size: cython.Py_ssize_t) -> cython.p_int:
        return new_ints(max(size, 1), self._owners)

    def paths(self, outer: Search) -> list:
        """Return the paths to the ends of the iteration that a search has just begun."""
        found: list = []
        self._begin(outer)
        while self._step(outer, self.space, 1 << 40) == FOUND:
            found.append(outer.path)
        return found

    def distances(self, table: int, starts: list) -> list:
        """Return the distances in a table modulo 3 of up to GROUP lists of values."""
        i: cython.int
        c: cython.int
        for i in range(len(starts)):
            for c in range(self.space.coordinates):
                self.value[c * self.total + i] = starts[i][c]
            self.most[i] = 255
        self._walk(self.space, table, len(starts))
        return [self.steps[i] for i in range(len(starts))]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _walk(self, space: Space, t: cython.int, walkers: cython.int) -> cython.void:
        """Write to `steps` the distances that a table modulo 3 stands for, of several states.

        The states are the nodes of depth 0. From there, the function follows moves that lower the
        distance to the goal, and counts these moves. As long as the distance may be `left`, the
        first table rules out moves. A distance above `most` need not be known: if `left` is above 0
        in the end, the sum of both is a lower bound.
        """
        there = cython.declare(cython.int[16])
        moves: cython.int = space.moves
        masked: cython.int = self.masked if space.within[t] & 1 else -1
        shift: cython.int = space.shift[masked] if masked >= 0 else 0
        busy: cython.int = walkers
        i: cython.int
        k: cython.int
        n: cython.int
        m: cython.int
        p: cython.int
        c: cython.int
        over: cython.int
        value: cython.Py_ssize_t
        turned: cython.Py_ssize_t
        noted: cython.longlong
        useful: cython.longlong
        for i in range(walkers):
            self.steps[i] = self.left[i] = self.tried[i] = 0
            for c in range(space.coordinates):
                there[c] = self.value[c * self.total + i]
            self.code[i] = space._code(t, space._entry(t, there, 0))
        while busy:
            # First some entries, then their codes, so that the processor fetches them in parallel.
            n = 0
            for i in range(walkers):
                self.best[i] = -1
                m = self.tried[i]
                if m < 0:
                    continue
                useful = -1
                turned = 0
                noted = 0
                if masked >= 0:
                    value = self.value[masked * self.total + i]
                    turned = (value & ((1 << shift) - 1)) * moves
                    noted = self.notes.useful[value >> shift] or self.notes._note(
                        space, value >> shift
                    )
                    over = (noted >> 56) - 1
                    while self.left[i] < over or (self.left[i] + 3 - self.code[i]) % 3:
                        self.left[i] += 1
                    over += 1 - self.left[i]
                    if noted > 0 and over >= 0:
                        useful = noted if over else noted | noted >> _MOST_MOVES
                self.ruled[i] = useful >= 0
                if noted >> 56 > 1 and self.steps[i] + self.left[i] > self.most[i]:
                    self.tried[i] = -1
                    busy -= 1
                    continue
                k = n + 6
                while m < moves and n < k:
                    self.node[n] = i
                    self.move[n] = m
                    n += (useful >> self.notes.image[turned + m]) & 1
                    m += 1
                self.tried[i] = m
            for k in range(n):
                self.alive[k] = k
            for p in range(space.arity[t]):
                self._advance(space, space.part[3 * t + p], 0, n)
            self._set_indices(space, t, n)
            for k in range(n):
                fetch(space.pruning[t], self.index[k] >> 2)
            for k in range(n):
                i = self.node[k]
                if space._code(t, self.index[k]) == (self.code[i] + 2) % 3:
                    self.best[i] = k
            for i in range(walkers):
                if self.best[i] >= 0 and self.steps[i] < 255:
                    for p in range(space.arity[t]):
                        c = space.part[3 * t + p]
                        self.value[c * self.total + i] = self.child[c * self.many + self.best[i]]
                    self.steps[i] += 1
                    self.left[i] -= 1
                    self.code[i] = (self.code[i] + 2) % 3
                    self.tried[i] = 0
                elif self.tried[i] == moves and self.ruled[i]:
                    self.left[i] += 3
                    self.tried[i] = 0
                elif self.tried[i] == moves or self.best[i] >= 0:  # no table goes as far as 255
                    self.tried[i] = -1
                    self.left[i] = 0
                    busy -= 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _begin(self, outer: Search) -> cython.void:
        """Begin an iteration at the root of the search, which has begun it."""
        i: cython.int
        for i in range(self.space.coordinates):
            self.value[i * self.total] = outer.value[i]
        for i in range(self.space.tables):
            self.far[i * self.total] = outer.far[i]
        self.state[0] = outer.state[0]
        self.spent[0] = outer.spent[0]
        self.bound = outer.bound
        self.count[0] = 1
        self.cursor[0] = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _step(self, outer: Search, space: Space, budget: cython.longlong) -> cython.int:
        """Search until an end (FOUND), the end of the iteration (EXHAUSTED) or of the budget."""
        stop: cython.longlong = outer.generated + budget
        depth: cython.int = outer.depth
        start: cython.int
        end: cython.int
        base: cython.Py_ssize_t
        while depth >= 0:
            base = depth * self.many
            start = end = self.cursor[depth]
            if start == self.count[depth]:
                depth -= 1
            elif self.spent[base + start] == self.bound:
                self.cursor[depth] += 1
                self._lay(outer, space, depth, start)
                if outer._at_goal(space, depth):
                    outer.depth = depth
                    return FOUND
            elif outer.generated >= stop:
                outer.depth = depth
                return PAUSED
            else:
                while (
                    end < self.count[depth]
                    and end - start < GROUP
                    and self.spent[base + end] < self.bound
                ):
                    end += 1
                self.cursor[depth] = end
                if depth < self.plies:
                    depth += 1
                    self.cursor[depth] = 0
                    self.count[depth] = self._list(outer, space, depth - 1, start, end)
        outer.depth = -1
        return EXHAUSTED

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _lay(self, outer: Search, space: Space, depth: cython.int, node: cython.int) -> cython.void:
        """Write the path to a node, its values and its cost to the search."""
        d: cython.int
        i: cython.int
        at: cython.Py_ssize_t = depth
        at = at * self.many + node
        outer.spent[depth] = self.spent[at]
        for i in range(space.coordinates):
            outer.value[depth * space.coordinates + i] = self.value[i * self.total + at]
        for d in range(depth, 0, -1):
            outer.state[d] = self.state[at]
            if outer.taken[d] != self.taken[at]:
                outer.taken[d] = self.taken[at]
                outer.changed = min(outer.changed, d - 1)
            at = (d - 1) * self.many + self.parent[at]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _list(
        self,
        outer: Search,
        space: Space,
        depth: cython.int,
        start: cython.int,
        end: cython.int,
    ) -> cython.int:
        """List the children of nodes `start` to `end` - 1 that may lie within the bound.

        Return how many there are. They become the nodes of the next depth.
        """
        moves: cython.int = space.moves
        base: cython.Py_ssize_t = depth * self.many
        at: cython.Py_ssize_t
        source: cython.Py_ssize_t
        prices: cython.Py_ssize_t
        turned: cython.Py_ssize_t
        value: cython.Py_ssize_t
        notes = cython.declare(cython.longlong[GROUP])
        noted: cython.longlong
        useful: cython.longlong
        known: cython.int = 0
        first: cython.int
        last: cython.int
        noted_table: cython.int = self.masked >= 0  # the first table needs no look-up
        n: cython.int = 0
        t: cython.int
        kept: cython.int
        slack: cython.int
        code: cython.int
        far: cython.int
        over: cython.int
        shift: cython.int
        i: cython.int
        j: cython.int
        k: cython.int
        p: cython.int
        c: cython.int
        m: cython.int
        node: cython.p_int = self.node
        move: cython.p_int = self.move
        room: cython.p_int = self.room
        alive: cython.p_int = self.alive
        index: cython.p_longlong = self.index
        child: cython.p_int = self.child
        image: cython.p_uchar = self.notes.image
        pruning: cython.p_uchar
        if self.masked >= 0:  # first all notes, so that the processor fetches them in parallel
            shift = space.shift[self.masked]
            for j in range(start, end):
                value = self.value[self.masked * self.total + base + j]
                notes[j - start] = self.notes.useful[value >> shift]
        for j in range(start, end):
            at = base + j
            slack = self.bound - self.spent[at]
            prices = self.state[at] * moves
            first = space.first[self.state[at]]
            last = space.first[self.state[at] + 1]
            outer.expanded += 1
            outer.generated += last - first
            turned = 0
            useful = -1
            if self.masked >= 0:
                shift = space.shift[self.masked]
                value = self.value[self.masked * self.total + at]
                turned = (value & ((1 << shift) - 1)) * moves
                noted = notes[j - start] or self.notes._note(space, value >> shift)
                if noted < 0:
                    noted_table = 0
                else:
                    over = (noted >> 56) - slack
                    if over >= 0:
                        useful = noted if over == 1 else noted | noted >> _MOST_MOVES
                        useful = useful if over < 2 else 0
            k = n
            if slack > space.dearest:
                for i in range(first, last):
                    m = space.via[i]
                    move[n] = m
                    n += (useful >> image[turned + m]) & 1
            else:  # a move that may not end the phase needs another move after it
                for i in range(first, last):
                    m = space.via[i]
                    move[n] = m
                    over = slack - space.cost[prices + m]
                    if over > 0 or (over == 0 and space.ending[m]):
                        n += (useful >> image[turned + m]) & 1
            for i in range(k, n):
                node[i] = j
                room[i] = slack - space.cost[prices + move[i]]
        for i in range(n):
            alive[i] = i
        for t in range(noted_table, space.tables):
            if n == 0:
                break
            for p in range(space.arity[t]):
                c = space.part[3 * t + p]
                if not (known >> c) & 1:
                    self._advance(space, c, base, n)
                    known |= 1 << c
            self._set_indices(space, t, n)
            pruning = space.pruning[t]
            shift = 0 if space.bits[t] == 8 else (1 if space.bits[t] == 4 else 2)
            for i in range(n):
                fetch(pruning, index[i] >> shift)
            if n <= GROUP and t == noted_table and self.masked >= 0:
                # Most of the time is spent waiting, so fetch for the next depth at once, too.
                self._fetch_rows(space, n)
            kept = 0
            for i in range(n):
                k = alive[i]
                if space.bits[t] == 0:
                    code = space._looked_up(t, child, k, self.many)
                else:
                    code = space._code(t, index[i])
                if space.bits[t] == 2:  # a move changes the distance by at most 1
                    far = self.far[t * self.total + base + node[k]]
                    code -= (far + 2) % 3
                    code += far - 1 + (3 if code < 0 else 0)
                    self.child_far[t * self.many + k] = code
                alive[kept] = k
                kept += code * space.unit <= room[k]
            n = kept
        for c in range(space.coordinates if n else 0):
            if not (known >> c) & 1:
                self._advance(space, c, base, n)
        at = base + self.many
        for i in range(n):
            k = alive[i]
            source = base + node[k]
            m = move[k]
            self.taken[at + i] = m
            self.parent[at + i] = node[k]
            self.spent[at + i] = self.bound - room[k]
            self.state[at + i] = space.follow[self.state[source] * moves + m]
            for c in range(space.coordinates):
                self.value[c * self.total + at + i] = child[c * self.many + k]
            if space.followed:
                for t in range(space.tables):
                    self.far[t * self.total + at + i] = self.child_far[t * self.many + k]
        if self.masked >= 0:
            self._fetch_rows(space, n)
        return n

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _set_indices(self, space: Space, t: cython.int, n: cython.int) -> cython.void:
        """Compute the entries in a table of the first `n` remaining children."""
        i: cython.int
        k: cython.int
        p: cython.int
        first: cython.Py_ssize_t = space.part[3 * t]
        shift: cython.int = space.shift[first]
        size: cython.longlong
        column: cython.Py_ssize_t
        value: cython.Py_ssize_t
        alive: cython.p_int = self.alive
        index: cython.p_longlong = self.index
        child: cython.p_int = self.child
        shorts: cython.p_ushort
        first *= self.many
        for i in range(n):
            index[i] = child[first + alive[i]] >> shift
        for p in range(1, space.arity[t]):
            size = space.part_size[3 * t + p]
            column = space.part[3 * t + p]
            column *= self.many
            if space.imaged[t]:
                shorts = space.image[3 * t + p]
                for i in range(n):
                    k = alive[i]
                    value = child[column + k]
                    value = (value << shift) + (child[first + k] & ((1 << shift) - 1))
                    index[i] = index[i] * size + shorts[value]
            else:
                for i in range(n):
                    index[i] = index[i] * size + child[column + alive[i]]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fetch_rows(self, space: Space, n: cython.int) -> cython.void:
        """Fetch what the listing of the children of the first `n` remaining children reads."""
        i: cython.int
        c: cython.int = self.masked
        moves: cython.int = space.moves
        value: cython.Py_ssize_t
        for i in range(n):
            value = self.child[c * self.many + self.alive[i]] >> space.shift[c]
            fetch_notes(self.notes.useful, value)
            if space.width[c] == 4:
                fetch_words(space.wide[c], value * moves)
                fetch_words(space.wide[c], value * moves + moves - 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _advance(
        self, space: Space, c: cython.int, base: cython.Py_ssize_t, n: cython.int
    ) -> cython.void:
        """Look up coordinate `c` of the first `n` remaining children of nodes from `base` on."""
        i: cython.int
        k: cython.int
        row: cython.Py_ssize_t
        symmetry: cython.Py_ssize_t
        moves: cython.int = space.moves
        shift: cython.int = space.shift[c]
        mask: cython.int = (1 << shift) - 1
        word: cython.uint
        narrow: cython.p_ushort = space.narrow[c]
        wide: cython.p_uint = space.wide[c]
        image: cython.p_uchar = space.sym_images[c]
        product: cython.p_uchar = space.sym_products[c]
        alive: cython.p_int = self.alive
        move: cython.p_int = self.move
        node: cython.p_int = self.node
        value: cython.p_int = self.value
        child: cython.p_int = self.child
        column: cython.Py_ssize_t = c * self.many
        base += c * self.total
        if shift:
            for i in range(n):
                k = alive[i]
                row = value[base + node[k]]
                symmetry = row & mask
                row = (row >> shift) * moves
                word = wide[row + image[symmetry * moves + move[k]]]
                child[column + k] = (word & ~mask) | product[(symmetry << shift) + (word & mask)]
        elif space.width[c] == 2:
            for i in range(n):
                k = alive[i]
                row = value[base + node[k]]
                child[column + k] = narrow[row * moves + move[k]]
        else:
            for i in range(n):
                k = alive[i]
                row = value[base + node[k]]
                child[column + k] = wide[row * moves + move[k]]
