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

if not cython.compiled:  # beam.pxd has these for the compiler
    from puzzlekit.engine.endings import Endings
    from puzzlekit.engine.ranks import (
        Carry,
        Labels,
        Ranks,
        Reading,
        _bytes_at,
        _ints_at,
        _longs_at,
    )
    from puzzlekit.engine.search import Search
    from puzzlekit.engine.space import Space
    from puzzlekit.engine.statuses import EXHAUSTED, FOUND, NO_ROOM, PAUSED

from puzzlekit.engine.ranks import MAX_COORDINATES


@cython.final
@cython.cclass
class Entry:
    """Computes the coordinate values of whole states for a phase of a beam."""

    space: Space
    ranks: Ranks
    reading: Reading
    value: cython.p_int
    vector: cython.p_uchar
    distances: cython.p_int
    _owners: list

    def __init__(
        self,
        space: Space,
        #: Ranks coordinates with move tables on a whole state.
        ranks: Ranks,
        #: Extracts the carried bytes for coordinates without move tables.
        reading: Reading,
    ) -> None:
        owners: list = []
        self._owners = owners
        if space.followed:
            raise ValueError(
                "a table of a beam has 2 bits per entry: use tables with 4 or 8 bits per entry"
            )
        self.space = space
        self.ranks = ranks
        self.reading = reading
        self.value = _ints_at(array("i", bytes(4 * MAX_COORDINATES)), owners)
        self.distances = _ints_at(array("i", bytes(4 * MAX_COORDINATES)), owners)
        self.vector = _bytes_at(bytearray(space.carry.width + 1), owners)

    def another(self) -> Entry:
        """Return a copy for another thread."""
        return Entry(self.space, self.ranks, self.reading)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _rank(self, space: Space, state: cython.p_uchar, base: cython.Py_ssize_t) -> cython.int:
        """Rank a whole state; return 0 if it is outside of the domain of a coordinate, else 1."""
        c: cython.int
        value: cython.longlong
        if space.carry.width and not self.reading._read(state, base, self.vector):
            return 0
        for c in range(space.coordinates):
            if space.late[c]:
                self.value[c] = 0
                continue
            if space.width[c] == 0:
                value = space._rank_vector(c, self.vector, 0)
            else:
                value = self.ranks._value(c, state, base)
            if value < 0 or value >= space.size[c]:
                return 0
            self.value[c] = value
        return 1


@cython.final
@cython.cclass
class Renaming:
    """Renames pieces at the end of a phase whose goals include several ways to hold the puzzle."""

    labels: Labels
    count: cython.int
    coordinates: cython.int
    flags: cython.p_uchar
    flags_at: cython.p_longlong
    _owners: list

    def __init__(
        self,
        #: One effect for each way to hold the puzzle, the identity first.
        labels: Labels,
        #: For each way to hold the puzzle a list with one item for each coordinate. An item has one
        #: byte for each value of the coordinate: not 0 if the value is a goal in this holding. An
        #: empty item means that the coordinate is not checked.
        plain: list,
    ) -> None:
        owners: list = []
        self._owners = owners
        self.labels = labels
        self.count = len(plain)
        self.coordinates = len(plain[0])
        starts = array("q")
        flat = bytearray()
        for row in plain:
            for flags in row:
                starts.append(len(flat) if len(flags) else -1)
                flat += flags
        self.flags_at = _longs_at(starts, owners)
        self.flags = _bytes_at(bytes(flat) or b"\0", owners)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _held(self, values: cython.p_int, at: cython.Py_ssize_t) -> cython.int:
        """Return the holding in which the coordinates at `values[at]` are at goals; 0 for none."""
        k: cython.int
        c: cython.int
        kept: cython.int
        begin: cython.longlong
        for k in range(self.count):
            kept = 1
            for c in range(self.coordinates):
                begin = self.flags_at[k * self.coordinates + c]
                if begin >= 0 and not self.flags[begin + values[at + c]]:
                    kept = 0
                    break
            if kept:
                return k
        return 0


@cython.final
@cython.cclass
class Stage:
    """One phase of a beam search.

    `run` searches from all starts under one bound. An end is a state at the goal of the phase. The
    bound limits the total cost of an end. Ends are collected in the order of their cost, and each
    state only once.
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
    strayed: cython.int
    start_state: cython.p_uchar
    start_spent: cython.p_int
    start_least: cython.p_int
    _states: bytearray
    _spent: array
    _least: array
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
    pair_at: cython.p_int
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
        self.search = Search(entry.space, plies, True)
        self.limit = limit
        self.most = most
        self.strayed = 0
        self.starts = self.ends = self.room = 0
        self.searching = 0
        self.bound = 1 << 30
        self.cheapest = 1 << 30
        self.at = -1
        self._fixed = []
        self.row = _bytes_at(bytearray((plies + 1) * self.width), self._fixed)
        self.named = _bytes_at(bytearray(self.width + 8), self._fixed)
        self.pair_at = _ints_at(array("i", bytes(4 * 256)), self._fixed)
        self._start_owners = []
        self._states = bytearray()
        self._spent, self._least = array("i"), array("i")
        self._origin, self._tag = array("i"), array("i")
        self._add(b"", array("i"), array("i"), array("i"), 0)
        self._owners = []
        self.state = self.path = self.row
        self.spent = self.score = self.parent = self.length = self.start_spent
        self.seen = _longs_at(array("q", bytes(16)), self._owners)
        self.seen_mask = 1
        self._make_room(min(256, most))

    @cython.cfunc
    def _add(self, states: object, spent: array, least: array, origin: array, tag: int) -> None:
        """Append starts."""
        i: cython.int
        self._states = self._states + states
        self._spent = self._spent + spent
        self._least = self._least + least
        self._origin = self._origin + origin
        self._tag = self._tag + array("i", [tag]) * len(spent)
        self._start_owners = []
        self.start_state = _bytes_at(self._states or b"\0", self._start_owners)
        self.start_spent = _ints_at(self._spent or array("i", [0]), self._start_owners)
        self.start_least = _ints_at(self._least or array("i", [0]), self._start_owners)
        self.starts = len(self._spent)
        for i in range(self.starts):
            self.bound = min(self.bound, self.start_least[i])
            self.cheapest = min(self.cheapest, self.start_spent[i])

    def add_states(self, states: list) -> None:
        """Add states as starts, with cost 0 so far."""
        least = array("i")
        for state in states:
            owners: list = []
            if not self.entry._rank(self.entry.space, _bytes_at(state, owners), 0):
                raise ValueError("a start lies outside the domain of a coordinate")
            least.append(
                self.entry.space._estimate(
                    self.entry.value, 0, self.entry.distances, self.entry.vector
                )
            )
        count = len(states)
        self._add(b"".join(states), array("i", [0] * count), least, array("i", range(count)), 0)

    def add_ends(
        self,
        before: Stage,
        tag: int,
        share: tuple = (0, 1),
        labels: Labels | None = None,
        back: Carry | None = None,
        effect: int = 0,
    ) -> None:
        """Add ends of an earlier stage as starts of this stage.

        - `before`: the earlier stage.
        - `tag`: a number that `end` returns for all ends that these starts lead to.
        - `share`: a pair (first, step). The method adds the ends `first`, `first` + `step`, `first`
          + 2 * `step` and so on.
        - `labels`, `back`: if given, each end is replaced by its image under a symmetry: an effect
          of `labels`, then the end, then a move of `back`.
        - `effect`: the index of the effect in `labels`. The move has the same index in `back`.
        """
        first: cython.int = share[0]
        step: cython.int = share[1]
        count: cython.int = len(range(first, before.ends, step))
        owners: list = []
        states = bytearray(count * self.width)
        spent = array("i", bytes(4 * count))
        least = array("i", bytes(4 * count))
        origin = array("i", range(first, before.ends, step))
        if not count:
            return
        state: cython.p_uchar = _bytes_at(states, owners)
        cost: cython.p_int = _ints_at(spent, owners)
        score: cython.p_int = _ints_at(least, owners)
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
            labels._prepend(effect, before.state, end, self.named)
            back._do(effect, self.named, 0, state, at)
            if not self.entry._rank(self.entry.space, state, at):
                raise ValueError("a start lies outside the domain of a coordinate")
            score[i] = cost[i] + self.entry.space._estimate(
                self.entry.value, 0, self.entry.distances, self.entry.vector
            )
        owners.clear()
        self._add(states, spent, least, origin, tag)

    @cython.cfunc
    def _make_room(self, room: cython.int) -> None:
        """Make room for this many ends, and keep the old ones."""
        i: cython.Py_ssize_t
        old: cython.Py_ssize_t = self.ends
        owners: list = []
        state: cython.p_uchar = _bytes_at(bytearray(room * self.width), owners)
        path: cython.p_uchar = _bytes_at(bytearray(room * self.plies), owners)
        spent: cython.p_int = _ints_at(array("i", bytes(4 * room)), owners)
        score: cython.p_int = _ints_at(array("i", bytes(4 * room)), owners)
        parent: cython.p_int = _ints_at(array("i", bytes(4 * room)), owners)
        length: cython.p_int = _ints_at(array("i", bytes(4 * room)), owners)
        keys: cython.longlong = 1 << (2 * room).bit_length()  # never more than half full
        seen: cython.p_longlong = _longs_at(array("q", bytes(8 * keys)), owners)
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
        while status == NO_ROOM and self.room < self.most:
            self._make_room(min(2 * self.room, self.most))
            with cython.nogil:
                status = self._run(self.search, stop)
        if self.strayed or self.search.strayed:
            raise ValueError("a state left the domain of a coordinate that is ranked")
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
                    self.listing = self._list(search, self.endings, search.space.program)
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
                base = self.at
                base *= self.width
                if not entry._rank(space, self.start_state, base):
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
    def _list(self, search: Search, endings: Endings, program: cython.p_int) -> cython.int:
        """Begin to go through the endings of a node. Return whether there are any."""
        i: cython.int
        row: cython.Py_ssize_t = search.depth
        entry: cython.longlong = self.cursor
        self.cursor = endings.first[entry]
        self.until = endings.first[entry + 1]
        search.generated += self.until - self.cursor
        if self.cursor >= self.until:
            return 0
        if endings.pairs:
            search._carry_to(search.space, search.depth)
            row *= endings.width
            for i in range(endings.width):
                self.pair_at[i] = program[endings.split_at + search.vector[row + i]]
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
            if endings.pairs and not endings._splits(n, self.pair_at):
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
        key: cython.longlong
        one: cython.longlong = 0x2C1B3C6D
        other: cython.longlong = 0x297A2D39
        spent: cython.int = self.bound
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
        row = depth
        i = self.renaming._held(search.value, row * search.space.coordinates)
        self.renaming.labels._prepend(i, self.row, row * self.width, self.named)
        for i in range(self.width):  # two numbers of 31 bits
            one = (((one ^ self.named[i]) * 0x5BD1E995) >> 9) & 0x7FFFFFFF
            other = (((other ^ self.named[i]) * 0x2545F491) >> 11) & 0x7FFFFFFF
        key = (one << 31 | other) + 1
        if not self.last:
            if not after._rank(later, self.named, 0):
                self.strayed = 1
                return
            score += later._estimate(after.value, 0, after.distances, after.vector)
        if score > self.limit or not self._is_new(key):
            return
        row = end
        row *= self.width
        for i in range(self.width):
            self.state[row + i] = self.named[i]
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

    @property
    def f_bound(self) -> int:
        """The current bound on the cost of an end plus the estimate of the next phase."""
        return self.bound

    @property
    def is_full(self) -> bool:
        """Whether there is no room for more ends."""
        return self.ends >= self.most

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
