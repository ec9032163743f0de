# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""The search: IDA* over integers and tables.

A search gets arrays and returns moves. This module knows no puzzles, files or clocks. `run` stops
when the search finds an answer or has used its budget of nodes. The next call of `run` continues
there. So the caller handles limits, Ctrl-C and progress. The search runs without the GIL.
`search.pxd` declares the names that other compiled modules use.

R. E. Korf, "Depth-first iterative-deepening" (1985).
"""

from __future__ import annotations

import cython

__all__ = ["Search"]

if not cython.compiled:  # search.pxd has these for the compiler
    from puzzlekit.engine.ranks import _rank, bytes_at, new_ints, new_longs
    from puzzlekit.engine.space import Space
    from puzzlekit.engine.statuses import EXHAUSTED, FOUND, NO_ROOM, PAUSED

UNBOUNDED = 1 << 30


@cython.final
@cython.cclass
class Search:
    """IDA* in one space, from one start at a time.

    `start` sets the start, and `run` searches. `path` lists the indices of the moves of a solution.

    By default, the search reports each goal whose path costs at most the bound. If `exact`, it
    reports only goals whose path costs exactly the bound. As the bound grows, each solution is then
    reported once, provided that the estimate is admissible. If `exact` and `short` is above 0, the
    search reports every node whose path costs the bound minus `short`. Such a node need not be a
    goal.
    """

    def __init__(self, space: Space, plies: int = 64, exact: bool = False) -> None:
        self.space = space
        self.exact = exact
        self.staying = 0
        self.short = 0
        self.parity = -1
        self._owners = []
        self.rounds = 0
        self.round = new_longs(3 * 256, self._owners)
        self.value = self.state = self.spent = self._room(max(space.coordinates, 1))
        self.far = self._room(max(space.tables, 1))
        self.vector = bytes_at(bytearray(space.carry.width + 1), self._owners)
        self.strayed = 0
        self.generated = 0
        self.expanded = 0
        self.depth = -1
        self.bound = self.limit = self.next_bound = UNBOUNDED
        self._make_room(plies)

    @cython.cfunc
    def _make_room(self, plies: cython.int) -> None:
        """Make room for paths of this many moves. Only between iterations; the root is kept."""
        space: Space = self.space
        kept = [self.value[i] for i in range(space.coordinates)]
        vector = [self.vector[i] for i in range(space.carry.width)]
        far = [self.far[t] for t in range(space.tables)]
        state, spent = self.state[0], self.spent[0]
        room = plies + 1
        self.plies = plies
        self._owners = self._owners[:1]  # the rounds; everything else is allocated again
        self.value = self._room(room * max(space.coordinates, 1))
        self.child = self._room(room * max(space.coordinates, 1) * space.moves)
        self.alive = self._room(room * space.moves)
        self.index = new_longs(space.moves, self._owners)
        self.mixed = self._room(space.moves)
        self.total = self._room(space.moves)
        # Distances in tables modulo 3, along the path and of the children.
        followed = space.tables if space.followed else 0
        self.far = self._room(room * max(space.tables, 1))
        self.child_far = self._room(room * max(followed * space.moves, 1))
        self.count = self._room(room)
        self.cursor = self._room(room)
        self.spent = self._room(room)
        self.state = self._room(room)
        self.taken = self._room(room)
        # Rows after the rows of the path hold the bytes of each child while it is ranked.
        rows = room + space.moves
        self.vector = bytes_at(bytearray(rows * space.carry.width + 1), self._owners)
        for i in range(space.coordinates):
            self.value[i] = kept[i]
        for i in range(space.carry.width):
            self.vector[i] = vector[i]
        for i in range(space.tables):
            self.far[i] = far[i]
        self.state[0], self.spent[0] = state, spent
        self.count[0] = -1

    @cython.ccall
    def forget(self) -> None:
        """Forget the node counts and the path, before a search of another state."""
        self.generated = self.expanded = 0
        self.rounds = 0
        self.strayed = 0
        self.depth = -1
        self.bound = self.limit = self.next_bound = UNBOUNDED

    @cython.cfunc
    def _room(self, size: cython.Py_ssize_t) -> cython.p_int:
        return new_ints(size, self._owners)

    def start(
        self,
        values: list,
        limit: int,
        state: int = 0,
        vector: bytes = b"",
        spent: int = 0,
        bound: int = 0,
    ) -> None:
        """Set the start of the search.

        - `values`: the values of all coordinates.
        - `limit`: the largest cost of a path, including `spent`.
        - `state`: the state of the automaton.
        - `vector`: the carried bytes, which the search stores at each node.
        - `spent`: the cost of the moves before the start.
        - `bound`: the least value of the first bound. The first bound is larger if the estimate is
          larger.
        """
        i: cython.int
        if len(vector) != self.space.carry.width:
            raise ValueError("a start needs all carried bytes")
        if len(values) != self.space.coordinates:
            raise ValueError("a start needs a value of every coordinate")
        for i in range(self.space.carry.width):
            self.vector[i] = vector[i]
        for i in range(self.space.coordinates):
            if not 0 <= values[i] < self.space.size[i]:
                raise ValueError("a coordinate is outside its range")
            self.value[i] = values[i]
        if (
            self.space.owned >= 0
            and self.space._rank_vector(self.space.owned, self.vector, 0)
            != (values[self.space.owned])
        ):
            raise ValueError("the carried bytes are not those of the given value")
        self.limit = limit
        self.rounds = 0
        least: cython.int = spent + self.space._estimate(self.value, 0, self.far, self.vector)
        self._begin(state, spent, max(least, bound))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _begin(self, state: cython.int, spent: cython.int, bound: cython.int) -> cython.void:
        """Start an iteration at the root, whose coordinates are set."""
        self.state[0] = state
        self.spent[0] = spent
        self.count[0] = -1
        self.depth = 0
        self.changed = 0
        self.carried = 0
        if self.parity >= 0:  # skip a bound of the wrong parity
            bound += (bound ^ self.parity) & 1
        self.bound = bound
        self.next_bound = 1 << 30

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_goal(self, space: Space, c: cython.int, value: cython.int) -> cython.int:
        value >>= space.shift[c]
        if space.goal[c] >= 0:
            return value == space.goal[c]
        return space.goals[c][value]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _at_goal(self, space: Space, depth: cython.int) -> cython.int:
        base: cython.Py_ssize_t = depth * space.coordinates
        i: cython.int
        if self.exact and self.spent[depth] != self.bound - self.short:
            return 0
        if self.short:
            return 1
        for i in range(space.coordinates):
            if space.late[i]:
                continue
            if not self._is_goal(space, i, self.value[base + i]):
                return 0
        if not self._may_end(space, depth):
            return 0
        if space.joint:
            for i in range(space.tables):
                if (space.joint >> i) & 1 and space._listed(i, self.value, base):
                    return 0
        if space.ranked:
            self._carry_to(space, depth)
            for i in range(space.coordinates):
                if space.late[i] and not self._is_goal(space, i, self._rank_at(space, i, depth)):
                    return 0
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _may_end(self, space: Space, depth: cython.int) -> cython.int:
        """Whether the phase may end with this path: see `ending` and `commuting` of `Space`."""
        d: cython.int
        row: cython.Py_ssize_t
        last: cython.int = depth
        while depth > 0:
            if not space.ending[self.taken[depth]]:
                return 0
            depth -= 1
            row = self.taken[depth] * space.moves
            for d in range(depth + 1, last + 1):
                if not space.commuting[row + self.taken[d]]:
                    return 1
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _carry_to(self, space: Space, depth: cython.int) -> cython.void:
        """Update the carried bytes along the path, from its last change on."""
        d: cython.int
        width: cython.Py_ssize_t = space.carry.width
        for d in range(self.carried, depth):
            space.carry._do(self.taken[d + 1], self.vector, d * width, self.vector, (d + 1) * width)
        self.carried = depth

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _rank_at(self, space: Space, c: cython.int, row: cython.int) -> cython.int:
        """Rank a coordinate on a row of carried bytes.

        If the coordinate is not defined for these bytes, a declaration is wrong. The value is then
        0, and the search is marked as strayed.
        """
        base: cython.Py_ssize_t = row
        rank: cython.longlong
        if c == space.owned:
            return space.own_rank._rank(self.vector, base * space.carry.width)
        rank = _rank(space.program, space.program_at[c], self.vector, base * space.carry.width)
        if rank < 0 or rank >= space.size[c]:
            self.strayed = 1
            return 0
        return rank

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _rank_children(
        self, space: Space, depth: cython.int, n: cython.int, carried: cython.int
    ) -> cython.void:
        """Rank the coordinates without move tables for the first `n` remaining children of a node.

        `carried` says whether the carried bytes of these children are already written.
        """
        i: cython.int
        c: cython.int
        m: cython.int
        scratch: cython.int = self.plies + 1
        column: cython.Py_ssize_t
        if not carried:
            self._carry_children(space, depth, n)
        for i in range(n):
            m = self.alive[depth * space.moves + i]
            for c in range(space.coordinates):
                if space.width[c] == 0 and not space.late[c]:
                    column = depth * space.coordinates + c
                    self.child[column * space.moves + m] = self._rank_at(space, c, scratch + m)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _carry_children(self, space: Space, depth: cython.int, n: cython.int) -> cython.void:
        """Write the carried bytes of the first `n` remaining children after the path's rows."""
        i: cython.int
        m: cython.Py_ssize_t
        scratch: cython.Py_ssize_t = self.plies + 1
        width: cython.Py_ssize_t = space.carry.width
        self._carry_to(space, depth)
        for i in range(n):
            m = self.alive[depth * space.moves + i]
            space.carry._do(m, self.vector, depth * width, self.vector, (scratch + m) * width)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _cut_hashed(
        self, space: Space, depth: cython.int, n: cython.int, known: cython.int
    ) -> cython.int:
        """Prune the first `n` remaining children by the hashed table. Return how many remain.

        If the value of a coordinate of the table is not known yet, the method looks it up.
        """
        i: cython.int
        c: cython.int
        over: cython.int
        kept: cython.int = 0
        m: cython.Py_ssize_t
        entry: cython.longlong
        moves: cython.Py_ssize_t = space.moves
        first: cython.Py_ssize_t = depth * moves
        base: cython.Py_ssize_t = first * space.coordinates
        width: cython.Py_ssize_t = space.carry.width
        row: cython.Py_ssize_t = (self.plies + 1) * width
        slack: cython.int = self.bound - self.spent[depth]
        low: cython.int = self.next_bound - self.bound
        prices: cython.Py_ssize_t = self.state[depth] * moves
        table: cython.p_uchar = space.hash_table
        for c in range(space.coordinates):
            if ((space.hash_reads & ~known) >> c) & 1:
                self._advance(space, c, depth, n)
        if space.hash_width:
            self._carry_children(space, depth, n)
        # First all indices, then all entries, so that the processor fetches them in parallel.
        for i in range(n):
            m = self.alive[first + i]
            self.index[i] = space._hashed_at(
                self.child, base + m, moves, self.vector, row + m * width
            )
        for i in range(n):
            m = self.alive[first + i]
            entry = self.index[i]
            over = (table[entry >> 1] >> ((entry & 1) << 2)) & 15
            over += space.cost[prices + m] - slack
            self.alive[first + kept] = m
            kept += over <= 0
            low = min(low, over if over > 0 else low)
        self.next_bound = self.bound + low
        return kept

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _step(self, space: Space, budget: cython.longlong) -> cython.int:
        """Search until a goal (FOUND), the end of the iteration (EXHAUSTED) or of the budget."""
        stop: cython.longlong = self.generated + budget
        depth: cython.int = self.depth
        goal: cython.int
        move: cython.int
        i: cython.int
        target: cython.Py_ssize_t
        source: cython.Py_ssize_t
        while depth >= 0:
            if self.count[depth] < 0:  # just reached
                self.count[depth] = 0
                self.cursor[depth] = 0
                goal = self._at_goal(space, depth)
                # A goal at the bound needs no children. Other nodes at the bound are expanded, to
                # find the next bound.
                if depth < self.plies and not (
                    goal and self.spent[depth] == self.bound - self.short
                ):
                    self._expand(space, depth)
                if goal:
                    if self.exact:  # later bounds search below this node
                        self.next_bound = min(self.next_bound, self.bound + space.cheapest)
                    self.depth = depth
                    return FOUND
            if self.cursor[depth] < self.count[depth]:
                if self.generated >= stop:
                    self.depth = depth
                    return PAUSED
                move = self.alive[depth * space.moves + self.cursor[depth]]
                self.cursor[depth] += 1
                if depth < self.changed:
                    self.changed = depth
                if depth < self.carried:
                    self.carried = depth
                target = (depth + 1) * space.coordinates
                source = depth * space.coordinates * space.moves + move
                for i in range(space.coordinates):
                    self.value[target + i] = self.child[source + i * space.moves]
                if space.followed:
                    target = (depth + 1) * space.tables
                    source = depth * space.tables * space.moves + move
                    for i in range(space.tables):
                        if space.bits[i] == 2:
                            self.far[target + i] = self.child_far[source + i * space.moves]
                target = self.state[depth] * space.moves + move
                self.spent[depth + 1] = self.spent[depth] + space.cost[target]
                depth += 1
                self.taken[depth] = move
                self.state[depth] = space.follow[target]
                self.count[depth] = -1
            else:
                depth -= 1
        self.depth = -1
        return EXHAUSTED

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _expand(self, space: Space, depth: cython.int) -> cython.void:
        """List the children of the node at `depth` that may lie within the bound.

        Each pruning table is applied to all remaining children, so the kind of the table is checked
        once per node and not once per child. Remaining children are compacted without branches.
        """
        moves: cython.int = space.moves
        slack: cython.int = self.bound - self.spent[depth]
        room: cython.int = self.limit - self.spent[depth]
        low: cython.int = self.next_bound - self.bound
        first: cython.Py_ssize_t = depth * moves
        base: cython.Py_ssize_t = depth * space.coordinates
        column: cython.Py_ssize_t
        known: cython.int = 0
        ranked: cython.int = 0  # 1 if the bytes of the children are written, 2 if ranked too
        hash_before: cython.int = -1  # -1: the remaining cost is too large for the hashed table
        n: cython.int = 0
        kept: cython.int
        i: cython.int
        k: cython.int
        t: cython.int
        p: cython.int
        c: cython.int
        m: cython.int
        over: cython.int
        size: cython.int
        shift: cython.int
        mask: cython.int
        symmetric: cython.Py_ssize_t = 0
        value: cython.Py_ssize_t
        image: cython.p_ushort
        alive: cython.p_int = self.alive
        child: cython.p_int = self.child
        index: cython.p_longlong = self.index
        mixed: cython.p_int = self.mixed
        group: cython.int = 0
        cost: cython.p_int = space.cost
        prices: cython.Py_ssize_t = self.state[depth] * moves
        unit: cython.int = space.unit
        pruning: cython.p_uchar
        begin: cython.int = space.first[self.state[depth]]
        end: cython.int = space.first[self.state[depth] + 1]
        self.expanded += 1
        self.generated += end - begin
        if slack > space.dearest and room >= space.dearest:  # every move fits
            for k in range(begin, end):
                alive[first + n] = space.via[k]
                n += 1
            begin = end
        for k in range(begin, end):
            m = space.via[k]
            over = cost[prices + m] - slack
            if cost[prices + m] > room:
                continue
            if over > 0:
                low = min(low, over)
            elif over < 0 or space.ending[m]:
                alive[first + n] = m
                n += 1
            else:  # a move that may not end the phase needs another move after it
                low = min(low, space.cheapest)
        if space.hashed and slack - space.dearest < space.hash_most:
            hash_before = space.hash_before
            if slack - space.cheapest == space.hash_most - 1:
                # At its largest distance many states share an entry, so other tables prune as much.
                hash_before = space.tables
        for t in range(space.tables):
            if n == 0:
                break
            if t == hash_before:
                n = self._cut_hashed(space, depth, n, known)
                known |= space.hash_reads
                ranked = space.hash_width > 0
                low = min(low, self.next_bound - self.bound)
                if n == 0:
                    break
            for p in range(space.arity[t]):
                c = space.part[3 * t + p]
                if space.width[c] == 0:
                    if ranked < 2:
                        self._rank_children(space, depth, n, ranked)
                        ranked = 2
                elif not (known >> c) & 1:
                    self._advance(space, c, depth, n)
                    known |= 1 << c
                column = (base + c) * moves
                if p == 0:
                    shift = space.shift[c]
                    mask = (1 << shift) - 1
                    symmetric = column
                    for i in range(n):
                        index[i] = child[column + alive[first + i]] >> shift
                elif space.imaged[t]:
                    size = space.part_size[3 * t + p]
                    image = space.image[3 * t + p]
                    for i in range(n):
                        m = alive[first + i]
                        value = child[column + m]
                        value = (value << shift) + (child[symmetric + m] & mask)
                        index[i] = index[i] * size + image[value]
                else:
                    size = space.part_size[3 * t + p]
                    for i in range(n):
                        index[i] = index[i] * size + child[column + alive[first + i]]
            pruning = space.pruning[t]
            if space.bits[t] == 8:
                for i in range(n):
                    index[i] = pruning[index[i]]
            elif space.bits[t] == 4:
                for i in range(n):
                    value = index[i]
                    index[i] = (pruning[value >> 1] >> ((value & 1) << 2)) & 15
            elif space.bits[t] == 3:
                size = 4 * t
                for i in range(n):
                    value = index[i]
                    shift = (value & 3) << 1
                    index[i] = space.bounds[size + ((pruning[value >> 2] >> shift) & 3)]
            elif space.bits[t] == 0:
                for i in range(n):
                    index[i] = space._looked_up(t, child, base * moves + alive[first + i], moves)
            else:
                self._follow(space, t, depth, n)
            if space.summed:
                self._add(space, t, n)
                if not space.closes[t]:
                    continue
            if space.joined:
                size = space.radix[group]
                for i in range(n):
                    mixed[i] = (mixed[i] * size if group > 0 else 0) + min(index[i], size - 1)
                group += 1
                if t < space.tables - 1:
                    n = self._cut_early(space, group - 1, depth, n, low)
                    continue
                for i in range(n):
                    index[i] = space.estimates[mixed[i]]
            if space.raised:  # the common distance of all tables so far, or -1
                for i in range(n):
                    m = alive[first + i]
                    mixed[m] = index[i] if t == 0 or mixed[m] == index[i] else -1
                    if t == space.tables - 1 and mixed[m] > 0:
                        index[i] += space.cheapest
            kept = 0
            for i in range(n):
                m = alive[first + i]
                over = index[i] * unit + cost[prices + m] - slack
                alive[first + kept] = m
                kept += over <= 0
                low = min(low, over if over > 0 else low)
            n = kept
        if n > 0:
            for c in range(space.coordinates):
                if space.width[c] and not (known >> c) & 1:
                    self._advance(space, c, depth, n)
            if hash_before == space.tables:
                n = self._cut_hashed(space, depth, n, space.hash_reads)
                low = min(low, self.next_bound - self.bound)
        self.next_bound = self.bound + low
        self.count[depth] = n

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _cut_early(
        self, space: Space, group: cython.int, depth: cython.int, n: cython.int, low: cython.int
    ) -> cython.int:
        """Prune children that exceed the bound whatever the remaining tables return.

        Checks the first `n` remaining children and returns how many remain. Children that may
        exceed the bound by less than `low` are kept, because the next bound depends on their full
        estimate. So only the time changes, not the search.
        """
        i: cython.int
        over: cython.int
        kept: cython.int = 0
        m: cython.Py_ssize_t
        first: cython.Py_ssize_t = depth * space.moves
        prices: cython.Py_ssize_t = self.state[depth] * space.moves
        slack: cython.int = self.bound - self.spent[depth]
        start: cython.Py_ssize_t = space.floor_at[group]
        floors: cython.p_ushort = space.floors
        alive: cython.p_int = self.alive
        mixed: cython.p_int = self.mixed
        cost: cython.p_int = space.cost
        unit: cython.int = space.unit
        for i in range(n):
            m = alive[first + i]
            over = floors[start + mixed[i]] * unit + cost[prices + m] - slack
            alive[first + kept] = m
            mixed[kept] = mixed[i]
            kept += over <= 0 or over < low
        return kept

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _add(self, space: Space, t: cython.int, n: cython.int) -> cython.void:
        """Add the distances of earlier tables of the same group to the distances of a table.

        The search prunes no child before the last table of a group, so each child has a sum.
        """
        i: cython.int
        total: cython.p_int = self.total
        index: cython.p_longlong = self.index
        if t > 0 and not space.closes[t - 1]:
            for i in range(n):
                index[i] += total[i]
        for i in range(n):
            total[i] = index[i]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _follow(self, space: Space, t: cython.int, depth: cython.int, n: cython.int) -> cython.void:
        """Turn indices into distances for a table modulo 3. A move changes them by at most 1."""
        i: cython.int
        code: cython.int
        entry: cython.longlong
        here: cython.int = self.far[depth * space.tables + t]
        nearer: cython.int = (here + 2) % 3
        first: cython.Py_ssize_t = depth * space.moves
        column: cython.Py_ssize_t = (depth * space.tables + t) * space.moves
        pruning: cython.p_uchar = space.pruning[t]
        index: cython.p_longlong = self.index
        here -= 1
        for i in range(n):
            entry = index[i]
            code = ((pruning[entry >> 2] >> ((entry & 3) << 1)) & 3) - nearer
            code = here + code + (3 if code < 0 else 0)
            index[i] = code
            self.child_far[column + self.alive[first + i]] = code

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _advance(
        self, space: Space, c: cython.int, depth: cython.int, n: cython.int
    ) -> cython.void:
        """Look up coordinate `c` of the first `n` remaining children of the node at `depth`."""
        moves: cython.int = space.moves
        first: cython.Py_ssize_t = depth * moves
        column: cython.Py_ssize_t = depth * space.coordinates + c
        row: cython.Py_ssize_t = self.value[column]
        i: cython.int
        m: cython.int
        alive: cython.p_int = self.alive
        child: cython.p_int = self.child
        shift: cython.int = space.shift[c]
        mask: cython.int = (1 << shift) - 1
        symmetry: cython.Py_ssize_t = row & mask
        turned: cython.Py_ssize_t
        word: cython.uint
        narrow: cython.p_ushort
        wide: cython.p_uint
        image: cython.p_uchar
        product: cython.p_uchar
        row = (row >> shift) * moves
        column *= moves
        if shift:
            wide = space.wide[c]
            image = space.sym_images[c]
            product = space.sym_products[c]
            turned = symmetry * moves
            symmetry <<= shift
            for i in range(n):
                m = alive[first + i]
                word = wide[row + image[turned + m]]
                child[column + m] = (word & ~mask) | product[symmetry + (word & mask)]
        elif space.width[c] == 2:
            narrow = space.narrow[c]
            for i in range(n):
                m = alive[first + i]
                child[column + m] = narrow[row + m]
        else:
            wide = space.wide[c]
            for i in range(n):
                m = alive[first + i]
                child[column + m] = wide[row + m]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _listed_after(self, state: cython.int, move: cython.int) -> cython.int:
        """Return the number of moves after this one in the list of an automaton state."""
        k: cython.int = self.space.first[state]
        end: cython.int = self.space.first[state + 1]
        # Check the end too: another thread that counts nodes may read a state and a move that do
        # not belong together.
        while k < end and self.space.via[k] != move:
            k += 1
        return max(0, end - k - 1)

    def stay(self, staying: bool) -> None:
        """Set whether `run` returns EXHAUSTED after each iteration. It can then continue."""
        self.staying = staying

    def keep_parity(self, parity: int | None) -> None:
        """Set the parity of the costs of all answers: 0 if even, 1 if odd, None if unknown.

        The search then skips bounds of the other parity. The estimates must be admissible.
        """
        self.parity = -1 if parity is None else parity

    def run(self, budget: int) -> int:
        """Search about `budget` more nodes. Return FOUND, EXHAUSTED or PAUSED.

        After FOUND, `path` and `spent_here` describe the solution, and another call of `run`
        searches for the next solution. EXHAUSTED means that no further solution within the limit
        exists. PAUSED means that the budget is used up.
        """
        status: cython.int
        allowed: cython.longlong = budget
        with cython.nogil:
            status = self._run(allowed)
        while status == NO_ROOM:
            self._make_room(2 * self.plies)
            with cython.nogil:
                status = self._run(allowed)
        if self.strayed:
            raise ValueError("a state left the domain of a coordinate that is ranked")
        self.space.check_lookups()
        return status

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, budget: cython.longlong) -> cython.int:
        stop: cython.longlong = self.generated + budget
        status: cython.int
        # An inadmissible estimate may exceed the limit although an answer within the limit exists.
        # So only costs are compared with the limit, until no node is pruned by its estimate alone.
        while self.bound < (1 << 30) and (self.bound <= self.limit or self.space.loose):
            if self.bound // self.space.cheapest >= self.plies and self.limit > self.plies:
                return NO_ROOM
            status = self._step(self.space, stop - self.generated)
            if status != EXHAUSTED:
                return status
            self._note_round()
            self._begin(self.state[0], self.spent[0], self.next_bound)
            if self.staying:
                return EXHAUSTED
        return EXHAUSTED

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _note_round(self) -> cython.void:
        """Store the totals at the end of an iteration."""
        if self.rounds < 256:
            self.round[3 * self.rounds] = self.bound
            self.round[3 * self.rounds + 1] = self.generated
            self.round[3 * self.rounds + 2] = self.expanded
            self.rounds += 1

    @property
    def iterations(self) -> list:
        """The iterations so far as tuples (bound, generated nodes, expanded nodes), in order.

        The unfinished iteration is the last one.
        """
        r: cython.int
        rows = []
        generated: cython.longlong = 0
        expanded: cython.longlong = 0
        for r in range(self.rounds):
            rows.append(
                (
                    self.round[3 * r],
                    self.round[3 * r + 1] - generated,
                    self.round[3 * r + 2] - expanded,
                )
            )
            generated = self.round[3 * r + 1]
            expanded = self.round[3 * r + 2]
        if self.generated > generated:
            rows.append((self.bound, self.generated_nodes - generated, self.expanded - expanded))
        return rows

    @property
    def path(self) -> list:
        """The indices of the moves from the start to the current node."""
        return [self.taken[d] for d in range(1, self.depth + 1)]

    @property
    def spent_here(self) -> int:
        """The cost of the current path."""
        return self.spent[self.depth]

    @property
    def work(self) -> int:
        """The number of nodes listed so far, which the budget of `run` limits."""
        return self.generated

    @property
    def f_bound(self) -> int:
        """The bound on g + h of the current iteration.

        g is the cost of a path so far, and h is the estimate. With admissible estimates, no
        solution costs less than the bound.
        """
        return self.bound

    @property
    def expanded_nodes(self) -> int:
        """The number of nodes whose children were listed, over all iterations."""
        return self.expanded

    @property
    def generated_nodes(self) -> int:
        """The number of children that the search has reached so far, in search order.

        A child counts even if its estimate exceeds the bound. All children of a node are listed at
        once, but a listed child counts only when the search reaches it. While another thread runs
        the search, the number is approximate.
        """
        pending: cython.longlong = 0
        depth: cython.int
        for depth in range(self.depth):
            pending += self._listed_after(self.state[depth], self.taken[depth + 1])
        return self.generated - pending
