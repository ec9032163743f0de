# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""The stages of a beam search: one phase each, from many starts under one bound.

A stage collects every end of a phase whose cost is within the bound. The cost includes the cost so
far and the estimate of the next phase. The most promising ends are the starts of the next stage.
B. T. Lowerre, "The HARPY speech recognition system" (1976).
"""

from __future__ import annotations

from array import array

import cython

__all__ = ["Stage"]

if not cython.compiled:  # stages.pxd has these for the compiler
    from puzzlekit.engine.ranks import Carry, Labels, bytes_at, ints_at, new_ints, new_longs
    from puzzlekit.engine.search import Search
    from puzzlekit.engine.space import Space
    from puzzlekit.engine.statuses import EXHAUSTED, FOUND, NO_ROOM, PAUSED
    from puzzlekit_beam.engine.endings import Endings
    from puzzlekit_beam.engine.states import Entry, Inversion, Renaming

_MANY = cython.declare(cython.Py_ssize_t, 200_000)  # starts at renamed ends


@cython.final
@cython.cclass
class Stage:
    """One phase of a beam search.

    `run` searches from all starts under one bound. An end is a state at the goal of the phase. The
    bound limits the total cost of an end. Ends are collected in the order of their cost, and each
    state only once. If the estimate of the phase is not admissible, the order is nearly that of the
    cost.
    """

    search: Search
    entry: Entry
    after: Entry
    last: cython.int
    whole: Carry
    renaming: Renaming
    endings: Endings
    listed: cython.int
    cursor: cython.longlong
    until: cython.longlong
    listing: cython.int
    width: cython.int
    plies: cython.int
    limit: cython.int
    bound: cython.int
    cheapest: cython.int
    at: cython.int
    searching: cython.int
    starts: cython.int
    ends: cython.int
    room: cython.int
    most: cython.int
    choosy: cython.int
    dropped: cython.int
    strayed: cython.int
    start_state: cython.p_uchar
    start_spent: cython.p_int
    start_least: cython.p_int
    start_at: cython.p_int
    start_name: cython.p_int
    _states: bytearray
    _spent: array
    _least: array
    _at: array
    _name: array
    _origin: array
    _tag: array
    state: cython.p_uchar
    spent: cython.p_int
    score: cython.p_int
    parent: cython.p_int
    length: cython.p_int
    path: cython.p_uchar
    seen: cython.p_longlong
    seen_mask: cython.longlong
    number_at: cython.p_int
    row: cython.p_uchar
    named: cython.p_uchar
    _start_owners: list
    _owners: list
    _fixed: list

    def __init__(
        self,
        #: The phase.
        entry: Entry,
        #: The action of its moves on whole states.
        whole: Carry,
        #: Renames the pieces of an end.
        renaming: Renaming,
        #: The next phase; None for the last one.
        after: Entry | None,
        #: The largest cost of an end, including the estimate of the next phase.
        limit: int,
        #: The largest number of ends.
        most: int,
        #: Whether better ends replace the worst ones if there are too many. Otherwise the stage
        #: ends then.
        choosy: bool = False,
        #: The precomputed last moves; None to search them.
        endings: Endings | None = None,
        #: The largest number of moves of a path.
        plies: int = 24,
    ) -> None:
        self.entry = entry
        self.listed = endings is not None
        self.endings = endings
        self.listing = 0
        self.cursor = 0
        self.last = after is None
        self.after = entry if after is None else after
        self.whole = whole
        self.renaming = renaming
        self.width = whole.width
        self.plies = plies
        # With an inadmissible estimate, a path may cost less than the bound that it is found under.
        exact = not entry.space.joined or endings is not None
        self.search = Search(entry.space, plies, exact)
        self.limit = limit
        self.most = most
        self.choosy = choosy
        self.dropped = 0
        self.strayed = 0
        self.starts = self.ends = self.room = 0
        self.searching = 0
        self.bound = 1 << 30
        self.cheapest = 1 << 30
        self.at = -1
        self._fixed = []
        self.row = bytes_at(bytearray((plies + 1) * self.width), self._fixed)
        self.named = bytes_at(bytearray(self.width + 8), self._fixed)
        self.number_at = new_ints(256, self._fixed)
        self._start_owners = []
        self._states = bytearray()
        self._spent, self._least = array("i"), array("i")
        self._origin, self._tag = array("i"), array("i")
        self._at, self._name = array("i"), array("i")
        self._add(b"", array("i"), array("i"), array("i"), 0, array("i"), array("i"))
        self._owners = []
        self.state = self.path = self.row
        self.spent = self.score = self.parent = self.length = self.start_spent
        self.seen = new_longs(2, self._owners)
        self.seen_mask = 1
        self._make_room(min(256, most))

    @cython.cfunc
    def _add(
        self,
        states: object,
        spent: array,
        least: array,
        origin: array,
        tag: int,
        at: array,
        name: array,
    ) -> None:
        """Append states, and the starts at them.

        For each start, `at` has the index of its state among all states, and `name` has its
        renaming, or -1.
        """
        i: cython.int
        self._states = self._states + states
        self._at = self._at + at
        self._name = self._name + name
        self._spent = self._spent + spent
        self._least = self._least + least
        self._origin = self._origin + origin
        self._tag = self._tag + array("i", [tag]) * len(spent)
        self._start_owners = []
        self.start_state = bytes_at(self._states or b"\0", self._start_owners)
        self.start_spent = ints_at(self._spent or array("i", [0]), self._start_owners)
        self.start_least = ints_at(self._least or array("i", [0]), self._start_owners)
        self.start_at = ints_at(self._at or array("i", [0]), self._start_owners)
        self.start_name = ints_at(self._name or array("i", [0]), self._start_owners)
        self.starts = len(self._spent)
        for i in range(self.starts):
            self.bound = min(self.bound, self.start_least[i])
            self.cheapest = min(self.cheapest, self.start_spent[i])

    def add_states(self, states: list, spent: list) -> None:
        """Add states as starts. `spent` has the cost of reaching each of them."""
        least = array("i")
        for state, cost in zip(states, spent, strict=True):
            owners: list = []
            if not self.entry._rank(self.entry.space, bytes_at(state, owners), 0):
                raise ValueError("a start lies outside the domain of a coordinate")
            least.append(
                cost
                + self.entry.space._estimate(
                    self.entry.value, 0, self.entry.distances, self.entry.vector
                )
            )
        count = len(states)
        every, old = array("i", range(count)), len(self._states) // self.width
        at, unnamed = array("i", range(old, old + count)), array("i", [-1] * count)
        self._add(b"".join(states), array("i", spent), least, every, 0, at, unnamed)

    def add_ends(
        self,
        before: Stage,
        tag: int,
        share: tuple = (0, 1),
        labels: Labels | None = None,
        back: Carry | None = None,
        effect: int = 0,
        inversion: Inversion | None = None,
        most: int = 1 << 30,
    ) -> None:
        """Add ends of an earlier stage as starts of this stage.

        - `before`: the earlier stage.
        - `tag`: a number that `end` returns for all ends that these starts lead to.
        - `share`: a pair (first, step). The method adds the ends `first`, `first` + `step`, `first`
          + 2 * `step` and so on.
        - `labels`, `back`: if given, each end is replaced by its image under a symmetry: an effect
          of `labels`, then the end, then a move of `back`.
        - `effect`: the index of the effect in `labels`. The move has the same index in `back`.
        - `inversion`: if given together with `labels`, each end is inverted before.
        - `most`: the largest number of ends to add.
        """
        first: cython.int = share[0]
        step: cython.int = share[1]
        chosen = range(first, before.ends, step)[:most]
        count: cython.int = len(chosen)
        owners: list = []
        states = bytearray(count * self.width)
        spent = array("i", bytes(4 * count))
        least = array("i", bytes(4 * count))
        origin = array("i", chosen)
        if not count:
            return
        state: cython.p_uchar = bytes_at(states, owners)
        cost: cython.p_int = ints_at(spent, owners)
        score: cython.p_int = ints_at(least, owners)
        i: cython.int
        j: cython.int
        end: cython.Py_ssize_t
        at: cython.Py_ssize_t
        for i in range(count):
            end = first + i * step
            at = i
            at *= self.width
            cost[i] = before.spent[end]
            score[i] = before.score[end]
            end *= self.width
            if labels is None:
                for j in range(self.width):
                    state[at + j] = before.state[end + j]
                continue
            if inversion is None:
                labels._prepend(effect, before.state, end, self.named)
            else:
                inversion._do(before.state, end, self.row)
                labels._prepend(effect, self.row, 0, self.named)
            back._do(effect, self.named, 0, state, at)
            if self.entry.renamed:
                continue
            if not self.entry._rank(self.entry.space, state, at):
                raise ValueError("a start lies outside the domain of a coordinate")
            score[i] = cost[i] + self.entry.space._estimate(
                self.entry.value, 0, self.entry.distances, self.entry.vector
            )
        old = len(self._states) // self.width
        if self.entry.renamed:
            self._add_renamed(states, state, spent, origin, tag, old)
        else:
            unnamed = array("i", [-1]) * count
            own = array("i", range(old, old + count))
            self._add(states, spent, least, origin, tag, own, unnamed)
        owners.clear()

    @cython.cfunc
    def _add_renamed(
        self,
        states: object,
        state: cython.p_uchar,
        spent: array,
        origin: array,
        tag: int,
        old: int,
    ) -> None:
        """Append states, and the best starts at them under the renamings of the phase."""
        count: cython.int = len(spent)
        names: cython.int = self.entry.names.count
        owners: list = []
        estimate: cython.p_int = new_ints(names, owners)
        i: cython.int
        n: cython.int
        best: cython.int
        at: cython.Py_ssize_t
        costs, least, source = array("i"), array("i"), array("i")
        own, named = array("i"), array("i")
        for i in range(count):
            at = i
            at *= self.width
            with cython.nogil:
                best = self._rate(self.entry, self.entry.space, state, at, estimate)
            # Worse names seldom lead to a better end. Cheap ends come first, so if there are many
            # starts, only the best names of the other ends are added.
            if len(costs) < _MANY:
                best += 1
            for n in range(names):
                if estimate[n] <= best:
                    costs.append(spent[i])
                    least.append(spent[i] + estimate[n])
                    source.append(origin[i])
                    own.append(old + i)
                    named.append(n)
        owners.clear()
        self._add(states, costs, least, source, tag, own, named)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _rate(
        self,
        entry: Entry,
        space: Space,
        state: cython.p_uchar,
        base: cython.Py_ssize_t,
        estimate: cython.p_int,
    ) -> cython.int:
        """Estimate the cost from a state under each renaming. Return the least estimate.

        An estimate is very large if the renamed state is outside of the domain of a coordinate.
        """
        j: cython.int
        n: cython.int
        huge: cython.int = 1 << 29
        best: cython.int = huge - 2
        for n in range(entry.names.count):
            estimate[n] = huge
        for j in range(self.width):
            self.named[j] = state[base + j]
        if not entry._rank_some(space, self.named, 0, 0):
            return best
        q: cython.int
        c: cython.int
        defined: cython.int
        count: cython.Py_ssize_t = entry.names.count
        value: cython.longlong
        if entry.names.quick:
            entry.names._rank_all(state, base, entry.found, entry.rank)
        for n in range(entry.names.count):
            defined = 1
            if entry.names.quick:
                for q in range(entry.names.quick):
                    c = entry.names.record[8 * q + 1]
                    value = entry.rank[q * count + n]
                    if entry.ranks.mapped[c]:
                        value = entry.ranks.value_of[c][value]
                    if value >= space.size[c]:
                        defined = 0
                        break
                    entry.value[c] = value
            else:
                entry.names._write(n, state, base, self.named)
                defined = entry._rank_some(space, self.named, 0, 1)
            if defined:
                estimate[n] = space._estimate(entry.value, 0, entry.distances, entry.vector)
                best = min(best, estimate[n])
        return best

    @cython.cfunc
    def _make_room(self, room: cython.int) -> None:
        """Make room for this many ends, and keep the old ones."""
        i: cython.Py_ssize_t
        old: cython.Py_ssize_t = self.ends
        owners: list = []
        state: cython.p_uchar = bytes_at(bytearray(room * self.width), owners)
        path: cython.p_uchar = bytes_at(bytearray(room * self.plies), owners)
        spent: cython.p_int = new_ints(room, owners)
        score: cython.p_int = new_ints(room, owners)
        parent: cython.p_int = new_ints(room, owners)
        length: cython.p_int = new_ints(room, owners)
        keys: cython.longlong = 1 << (2 * room).bit_length()  # never more than half full
        seen: cython.p_longlong = new_longs(keys, owners)
        mask: cython.longlong = self.seen_mask
        key: cython.longlong
        for i in range(old * self.width):
            state[i] = self.state[i]
        for i in range(old * self.plies):
            path[i] = self.path[i]
        for i in range(old):
            spent[i] = self.spent[i]
            score[i] = self.score[i]
            parent[i] = self.parent[i]
            length[i] = self.length[i]
        before: cython.p_longlong = self.seen
        kept = self._owners
        self._owners = owners
        self.seen = seen
        self.seen_mask = keys - 1
        for i in range(mask + 1):
            key = before[i]
            if key:
                self._is_new(key)
        kept.clear()
        self.state = state
        self.path = path
        self.spent = spent
        self.score = score
        self.parent = parent
        self.length = length
        self.room = room

    @cython.cfunc
    def _drop_worse(self) -> cython.int:
        """Drop the ends with the worst ratings, at least a quarter of all. Refuse such ends later.

        Return 0 if too many ends have the same, best rating.
        """
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        kept: cython.int = self.most * 3 // 4
        ratings: list = sorted([self.score[i] for i in range(self.ends)])
        if ratings[0] == ratings[kept]:
            return 0
        self.limit = ratings[kept] - 1
        self.dropped = 1
        kept = 0
        for i in range(self.seen_mask + 1):
            self.seen[i] = 0
        for i in range(self.ends):
            if self.score[i] > self.limit:
                continue
            for j in range(self.width):
                self.state[kept * self.width + j] = self.state[i * self.width + j]
            for j in range(self.plies):
                self.path[kept * self.plies + j] = self.path[i * self.plies + j]
            self.spent[kept] = self.spent[i]
            self.score[kept] = self.score[i]
            self.parent[kept] = self.parent[i]
            self.length[kept] = self.length[i]
            j = kept
            j *= self.width
            self._is_new(self._key(self.state, j))
            kept += 1
        self.ends = kept
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _key(self, state: cython.p_uchar, begin: cython.Py_ssize_t) -> cython.longlong:
        """Return a number, not 0, that identifies the state at `state[begin]`."""
        i: cython.int
        one: cython.longlong = 0x2C1B3C6D
        other: cython.longlong = 0x297A2D39
        for i in range(self.width):  # two numbers of 31 bits
            one = (((one ^ state[begin + i]) * 0x5BD1E995) >> 9) & 0x7FFFFFFF
            other = (((other ^ state[begin + i]) * 0x2545F491) >> 11) & 0x7FFFFFFF
        return (one << 31 | other) + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_new(self, key: cython.longlong) -> cython.int:
        """Insert a key, which is not 0. Return whether it is new."""
        at: cython.longlong = (key ^ (key >> 29)) & self.seen_mask
        while self.seen[at]:
            if self.seen[at] == key:
                return 0
            at = (at + 1) & self.seen_mask
        self.seen[at] = key
        return 1

    def run(self, budget: int) -> int:
        """Search for about `budget` more nodes. Return EXHAUSTED or PAUSED.

        EXHAUSTED means that all ends within the limit are collected. PAUSED means that the budget
        is used up.
        """
        status: cython.int
        stop: cython.longlong = self.search.generated + budget
        with cython.nogil:
            status = self._run(self.search, stop)
        while status == NO_ROOM:
            if self.room < self.most:
                self._make_room(min(2 * self.room, self.most))
            elif not self.choosy or not self._drop_worse():
                break
            with cython.nogil:
                status = self._run(self.search, stop)
        if self.strayed or self.search.strayed:
            raise ValueError("a state left the domain of a coordinate that is ranked")
        self.search.space.check_lookups()
        return EXHAUSTED if status == NO_ROOM else status

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, search: Search, stop: cython.longlong) -> cython.int:
        status: cython.int
        while self.bound <= self.limit:
            if self.searching:
                if self.ends >= self.room:
                    return NO_ROOM
                if self.listing:
                    self._end(search, search.space, self.endings)
                    continue
                status = search._step(search.space, stop - search.generated)
                if status == PAUSED:
                    return PAUSED
                if status == FOUND and search.short:
                    self.cursor = self.endings._entry(
                        search.value, search.depth * search.space.coordinates
                    )
                    self.listing = self._list(search, self.endings)
                elif status == FOUND:
                    self._collect(search, search.depth, self.after, self.after.space)
                else:
                    self.searching = 0
            elif not self._next_start(search, self.entry, self.entry.space):
                search._note_round()
                self.bound += 1
                self.at = -1
                # No path can be this long.
                if self.bound - self.cheapest > self.plies * search.space.dearest:
                    return EXHAUSTED
        return EXHAUSTED

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _next_start(self, search: Search, entry: Entry, space: Space) -> cython.int:
        """Start the search at the next start that may end at this bound; return 0 for none."""
        i: cython.int
        left: cython.int
        base: cython.Py_ssize_t
        self.at += 1
        while self.at < self.starts:
            if self.start_least[self.at] <= self.bound:
                base = self.start_at[self.at]
                base *= self.width
                for i in range(self.width):
                    self.named[i] = self.start_state[base + i]
                if self.start_name[self.at] >= 0:
                    entry.names._write(self.start_name[self.at], self.start_state, base, self.named)
                if not entry._rank(space, self.named, 0):
                    self.strayed = 1
                    return 0
                for i in range(space.coordinates):
                    search.value[i] = entry.value[i]
                for i in range(space.carry.width):
                    search.vector[i] = entry.vector[i]
                for i in range(self.width):
                    self.row[i] = self.start_state[base + i]
                search._begin(0, self.start_spent[self.at], self.bound)
                search.short = 0
                left = self.bound - self.start_spent[self.at]
                if self.listed and self.endings.plies <= left <= self.plies:
                    search.short = self.endings.plies
                self.searching = 1
                return 1
            self.at += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _list(self, search: Search, endings: Endings) -> cython.int:
        """Begin to go through the endings of a node. Return whether there are any."""
        i: cython.int
        row: cython.Py_ssize_t = search.depth
        entry: cython.longlong = self.cursor
        self.cursor = endings.first[entry]
        self.until = endings.first[entry + 1]
        search.generated += self.until - self.cursor
        if self.cursor >= self.until:
            return 0
        if endings.tested:
            search._carry_to(search.space, search.depth)
            row *= endings.width
            for i in range(endings.width):
                self.number_at[i] = endings.number[search.vector[row + i]]
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _end(self, search: Search, space: Space, endings: Endings) -> cython.void:
        """Go through the endings of a node until one reaches the goal of the whole phase."""
        n: cython.longlong
        row: cython.Py_ssize_t = search.state[search.depth] * space.moves
        while self.cursor < self.until:
            n = self.cursor
            self.cursor += 1
            if space.follow[row + endings.move[n * endings.plies]] < 0:
                continue
            if endings.tested and not endings._differ(n, self.number_at):
                continue
            if self._reaches(search, space, endings, n):
                self._collect(search, search.depth + endings.plies, self.after, self.after.space)
                break
        if self.cursor >= self.until:
            self.listing = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _reaches(
        self, search: Search, space: Space, endings: Endings, n: cython.longlong
    ) -> cython.int:
        """Whether an ending leads from this node to the goal. If so, append it to the path."""
        i: cython.int
        depth: cython.int = search.depth
        width: cython.Py_ssize_t = endings.width
        row: cython.Py_ssize_t = search.plies + 1
        if width:
            search._carry_to(space, depth)
            row *= width
            for i in range(width):
                search.vector[row + i] = search.vector[
                    depth * width + endings.gather[n * width + i]
                ]
            for i in range(space.coordinates):
                if space.late[i] and not search._is_goal(
                    space, i, search._rank_at(space, i, search.plies + 1)
                ):
                    return 0
        for i in range(endings.plies):
            search.taken[depth + 1 + i] = endings.move[n * endings.plies + i]
        return search._may_end(space, depth + endings.plies)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _collect(
        self, search: Search, depth: cython.int, after: Entry, later: Space
    ) -> cython.void:
        """Collect the current end of the search if it is new and promising."""
        i: cython.int
        k: cython.int
        end: cython.Py_ssize_t = self.ends
        row: cython.Py_ssize_t
        spent: cython.int = self.bound if search.exact else search.spent[search.depth]
        score: cython.int = spent
        for i in range(search.changed, depth):
            row = i
            row *= self.width
            self.whole._do(search.taken[i + 1], self.row, row, self.row, row + self.width)
        search.changed = min(depth, search.depth)
        for i in range(search.depth, depth):
            for k in range(search.space.coordinates):
                search.value[(i + 1) * search.space.coordinates + k] = (
                    search.space._after(
                        k, search.value[i * search.space.coordinates + k], search.taken[i + 1]
                    )
                    if search.space.width[k]
                    else 0
                )
        shown: cython.p_uchar = self.row
        begin: cython.Py_ssize_t = depth
        if self.renaming.count > 1:
            i = self.renaming._held(search.value, begin * search.space.coordinates)
            self.renaming.labels._prepend(i, self.row, begin * self.width, self.named)
            shown = self.named
            begin = 0
        begin *= self.width
        if not self.last and not after.renamed:
            if not after._rank(later, shown, begin):
                self.strayed = 1
                return
            score += later._estimate(after.value, 0, after.distances, after.vector)
        if score > self.limit:
            return
        if not self._is_new(self._key(shown, begin)):
            return
        row = end
        row *= self.width
        for i in range(self.width):
            self.state[row + i] = shown[begin + i]
        row = end
        row *= self.plies
        for i in range(depth):
            self.path[row + i] = search.taken[i + 1]
        self.length[end] = depth
        self.spent[end] = spent
        self.score[end] = score
        self.parent[end] = self.at
        self.ends += 1

    def tighten(self, limit: int) -> None:
        """Lower the limit on the estimated cost of ends."""
        self.limit = min(self.limit, limit)

    def end(self, number: int) -> tuple:
        """Return end `number` as a tuple: its state, cost, origin, tag and path.

        The path lists the moves from a start of this stage to the end. The origin is the index of
        this start among the ends of the earlier stage, or among the states given to `add_states`.
        The tag is the tag of this start (see `add_ends`).
        """
        base: cython.Py_ssize_t = number
        state = bytes([self.state[base * self.width + i] for i in range(self.width)])
        path = [self.path[base * self.plies + i] for i in range(self.length[number])]
        start = self.parent[number]
        return state, self.spent[number], self._origin[start], self._tag[start], path

    def rating(self, number: int) -> int:
        """Return the cost of end `number` plus the estimate of the next phase."""
        return self.score[number]

    @property
    def f_bound(self) -> int:
        """The current bound on the cost of an end plus the estimate of the next phase."""
        return self.bound

    @property
    def is_full(self) -> bool:
        """Whether there were more ends than it has room for."""
        return self.ends >= self.most or self.dropped != 0

    @property
    def count(self) -> int:
        """The number of ends."""
        return self.ends

    @property
    def work(self) -> int:
        """The number of nodes listed so far, which the budget of `run` limits."""
        return self.search.generated

    @property
    def nodes(self) -> tuple:
        """Nodes (generated, expanded)."""
        return self.search.generated_nodes, self.search.expanded_nodes
