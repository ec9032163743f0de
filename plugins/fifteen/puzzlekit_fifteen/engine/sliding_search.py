# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""IDA* of puzzles whose moves exchange one piece, such as a blank, with another piece.

It visits the same nodes as `puzzlekit.engine.search.Search`, in the same order, but knows more: a
move changes the place of one other piece, so of each group of additive tables it looks up only the
table of this piece, whose index it changes by a difference.
"""

from __future__ import annotations

import cython

__all__ = ["SlidingSearch"]

if not cython.compiled:  # sliding_search.pxd has these for the compiler
    from puzzlekit.engine.intrinsics import fetch
    from puzzlekit.engine.ranks import bytes_at, ints_at, new_ints, shorts_at
    from puzzlekit.engine.statuses import EXHAUSTED, FOUND, NO_ROOM, PAUSED

_PLIES = 128
_MOST_TABLES = 16  # as in sliding_search.pxd


@cython.final
@cython.cclass
class SlidingSearch:
    """IDA* with additive tables of 8 bits per entry, from one start at a time.

    It has the members of `Search` that strategies use. All moves cost 1. Arrays have 32-bit numbers
    unless stated otherwise.

    - `guard`: the label of the piece that takes part in every move.
    - `automaton`: the moves of state s are those from `first[s]` to `first[s + 1]`. For each of
      them, `via` has its number, `next` the state after it, `place` the place of the guard after
      it, and `slide` this place XOR the place before.
    - `pieces`: eight numbers for each group and label, of which five are used: the *part* to which
      the place of the piece belongs, its lowest bit in the key of the part, the table of the part,
      the factor of the part in an index of the table, and the key without pieces. A part is a
      coordinate of a table. Part 0, of the factor 0, has the pieces that a group leaves out.
    - `values`: the values of coordinates, in 16 bits, by their keys. A key is the places of the
      pieces of a coordinate, each from its lowest bit, after a number for the coordinate.
    - `group_end`: for each group the number after that of its last table.
    - `tables`: the entries of each table. There are at most 16 tables.

    Raises ValueError if arrays do not fit together. What they contain is not checked:
    `puzzlekit_fifteen.sliding` derives it from a phase, whose tables `Space` has checked.
    """

    def __init__(
        self,
        guard: int,
        automaton: tuple,
        pieces: object,
        values: object,
        group_end: object,
        tables: list,
    ) -> None:
        owners: list = []
        self._owners = owners
        if not cython.compiled:
            self.data = [None] * _MOST_TABLES
        if not 0 < len(group_end) <= len(tables) <= _MOST_TABLES:
            raise ValueError("a search needs 1 to 16 tables, in groups")
        first = automaton[0]
        self.states = len(first) - 1
        if [len(each) for each in automaton[1:]] != [first[self.states]] * 4:
            raise ValueError("each move of the automaton needs an entry in every array")
        if not len(pieces) or len(pieces) % (8 * len(group_end)):
            raise ValueError("each piece needs eight numbers in every group")
        self.guard = guard
        self.groups = len(group_end)
        self.places = len(pieces) // (8 * self.groups)
        self.tables = len(tables)
        self.first = ints_at(automaton[0], owners)
        self.via = ints_at(automaton[1], owners)
        self.next = ints_at(automaton[2], owners)
        self.place = ints_at(automaton[3], owners)
        self.slide = ints_at(automaton[4], owners)
        self.piece = ints_at(pieces, owners)
        self.values = shorts_at(values, owners)
        self.group_end = ints_at(group_end, owners)
        for t in range(self.tables):
            self.data[t] = bytes_at(tables[t], owners)
        self.widest = max([first[s + 1] - first[s] for s in range(self.states)])
        self.parts = 1 + max(pieces[::8])
        self.board = self._room(self.places)
        self.key = self._room(self.parts)
        self.index = self._room(self.tables)
        self.far = self._room(self.tables)
        self.sum = self._room(self.groups)
        self.staying = 0
        self.parity = -1
        self.generated = self.expanded = 0
        self.depth = -1
        self.bound = self.limit = self.next_bound = 1 << 30
        self.state = self.cursor = self._room(1)
        self._make_room(_PLIES)

    @cython.cfunc
    def _room(self, size: cython.Py_ssize_t) -> cython.p_int:
        return new_ints(size, self._owners)

    @cython.cfunc
    def _make_room(self, plies: cython.int) -> None:
        """Make room for paths of this many moves. Only at the root."""
        state, cursor = self.state[0], self.cursor[0]
        self.plies = plies
        self.state = self._room(plies + 1)
        self.cursor = self._room(plies + 1)
        self.child = self._room((plies + 1) * self.widest * self.groups * 2)
        self.before = self._room((plies + 1) * self.groups)
        self.before_far = self._room((plies + 1) * self.groups)
        self.state[0], self.cursor[0] = state, cursor

    def start(self, labels: bytes, limit: int, state: int) -> None:
        """Set the start: the labels of the pieces at all places, and the state of the automaton.

        `limit` is the largest number of moves of an answer.
        """
        at: cython.int
        g: cython.int
        q: cython.int
        t: cython.int
        least: cython.int = 0
        if sorted(labels) != list(range(self.places)):
            raise ValueError("a start needs every piece once")
        if not 0 <= state < self.states:
            raise ValueError("a start needs a state of the automaton")
        for g in range(self.groups * self.places):
            self.key[self.piece[g << 3]] = self.piece[(g << 3) + 4]
        for t in range(self.tables):
            self.index[t] = 0
        for at in range(self.places):
            self.board[at] = labels[at] << 3
            for g in range(self.groups):
                q = ((g * self.places) << 3) + self.board[at]
                self.key[self.piece[q]] |= at << self.piece[q + 1]
        for g in range(self.groups * self.places):
            q = g << 3
            if self.piece[q + 1] == 0:  # the first piece of a part
                at = self.values[self.key[self.piece[q]]]
                self.index[self.piece[q + 2]] += at * self.piece[q + 3]
        t = 0
        for g in range(self.groups):
            self.sum[g] = 0
            while t < self.group_end[g]:
                self.far[t] = self.data[t][self.index[t]]
                self.sum[g] += self.far[t]
                t += 1
            least = max(least, self.sum[g])
        self.limit = limit
        self.state[0] = state
        self._begin(least)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _begin(self, bound: cython.int) -> cython.void:
        """Start an iteration at the root."""
        self.cursor[0] = -1
        self.depth = 0
        if self.parity >= 0:  # skip a bound of the wrong parity
            bound += (bound ^ self.parity) & 1
        self.bound = bound
        self.next_bound = 1 << 30

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _step(self, stop: cython.longlong) -> cython.int:
        """Search until a goal (FOUND), the end of the iteration (EXHAUSTED) or of the budget."""
        groups: cython.int = self.groups
        guard: cython.int = self.guard << 3
        step: cython.int = self.places << 3  # from a group to the next
        bound: cython.int = self.bound
        next_bound: cython.int = self.next_bound
        depth: cython.int = self.depth
        generated: cython.longlong = self.generated
        expanded: cython.longlong = self.expanded
        status: cython.int = EXHAUSTED
        far = cython.declare(cython.int[16])  # entries of the tables that a move changes
        first: cython.p_int = self.first
        place: cython.p_int = self.place
        slide: cython.p_int = self.slide
        next_state: cython.p_int = self.next
        piece: cython.p_int = self.piece
        values: cython.p_ushort = self.values
        board: cython.p_int = self.board
        keys: cython.p_int = self.key
        indices: cython.p_int = self.index
        fars: cython.p_int = self.far
        sums: cython.p_int = self.sum
        cursors: cython.p_int = self.cursor
        states: cython.p_int = self.state
        before: cython.p_int = self.before
        before_far: cython.p_int = self.before_far
        child: cython.p_int = self.child
        room: cython.Py_ssize_t = 2 * self.widest * groups
        total: cython.int
        rest: cython.int
        best: cython.int
        changed: cython.int
        to: cython.int
        g: cython.int
        k: cython.int
        q: cython.int
        t: cython.int
        i: cython.int
        at: cython.int
        key: cython.int
        other: cython.int
        end: cython.int
        slot: cython.Py_ssize_t
        saved: cython.Py_ssize_t
        k = cursors[depth]
        end = first[states[depth] + 1]
        while True:
            if k < 0:  # just reached
                best = 0
                for g in range(groups):
                    best = max(best, sums[g])
                k = first[states[depth]]
                end = first[states[depth] + 1]
                if depth == bound:  # a goal, and it needs no children
                    k = end
                else:
                    expanded += 1
                    # Fetch the entries of all children together, as they are rarely in a cache.
                    slot = depth * room
                    for i in range(k, end):
                        q = board[place[i]]
                        for _ in range(groups):
                            t = piece[q + 2]
                            key = keys[piece[q]]
                            other = key ^ (slide[i] << piece[q + 1])
                            at = indices[t] + piece[q + 3] * (values[other] - values[key])
                            fetch(self.data[t], at)
                            child[slot] = at
                            child[slot + 1] = other
                            slot += 2
                            q += step
                if best == 0:
                    status = FOUND
                    break
            if k == end:
                if depth == 0:
                    depth = -1
                    break
                depth -= 1
                k = cursors[depth]  # undo its move
                end = first[states[depth] + 1]
                to = place[k]
                changed = board[to ^ slide[k]]
                board[to ^ slide[k]] = board[to]
                board[to] = changed
                q = changed
                saved = depth * groups
                for g in range(groups):
                    t = piece[q + 2]
                    keys[piece[q]] ^= slide[k] << piece[q + 1]
                    sums[g] += before_far[saved + g] - fars[t]
                    indices[t] = before[saved + g]
                    fars[t] = before_far[saved + g]
                    q += step
                k += 1
                continue
            to = place[k]
            changed = board[to]
            slot = depth * room + 2 * (k - first[states[depth]]) * groups
            rest = bound - depth - 1
            best = 0
            q = changed
            for g in range(groups):
                t = piece[q + 2]
                far[g] = self.data[t][child[slot + 2 * g]]
                total = sums[g] - fars[t] + far[g]
                if total > rest:
                    best = total
                    break
                q += step
            generated += 1
            if best > 0:
                next_bound = min(next_bound, best + depth + 1)
                k += 1
                continue
            cursors[depth] = k
            saved = depth * groups
            q = changed
            for g in range(groups):
                t = piece[q + 2]
                keys[piece[q]] = child[slot + 2 * g + 1]
                before[saved + g] = indices[t]
                before_far[saved + g] = fars[t]
                sums[g] += far[g] - fars[t]
                indices[t] = child[slot + 2 * g]
                fars[t] = far[g]
                q += step
            board[to ^ slide[k]] = changed
            board[to] = guard
            depth += 1
            states[depth] = next_state[k]
            k = -1
            if generated >= stop:
                status = PAUSED
                break
        if depth >= 0:
            cursors[depth] = k
        self.depth = depth
        self.generated = generated
        self.expanded = expanded
        self.next_bound = next_bound
        return status

    def stay(self, staying: bool) -> None:
        """Set whether `run` returns EXHAUSTED after each iteration. It can then continue."""
        self.staying = staying

    def keep_parity(self, parity: int | None) -> None:
        """Set the parity of the costs of all answers; None if unknown. Before `start`."""
        self.parity = -1 if parity is None else parity

    def run(self, budget: int) -> int:
        """Search about `budget` more nodes. Return FOUND, EXHAUSTED or PAUSED."""
        status: cython.int
        stop: cython.longlong = self.generated + budget
        with cython.nogil:
            status = self._run(stop)
        while status == NO_ROOM:
            self._make_room(2 * self.plies)
            with cython.nogil:
                status = self._run(stop)
        return status

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, stop: cython.longlong) -> cython.int:
        status: cython.int
        while self.bound < (1 << 30) and self.bound <= self.limit:
            if self.bound >= self.plies:
                return NO_ROOM
            status = self._step(stop)
            if status != EXHAUSTED:
                return status
            self._begin(self.next_bound)
            if self.staying:
                return EXHAUSTED
        return EXHAUSTED

    @property
    def path(self) -> list:
        """The numbers of the moves from the start to the current node."""
        return [self.via[self.cursor[d]] for d in range(self.depth)]

    @property
    def spent_here(self) -> int:
        """The number of moves of the current path."""
        return self.depth

    @property
    def work(self) -> int:
        """The number of nodes so far, which the budget of `run` limits."""
        return self.generated

    @property
    def f_bound(self) -> int:
        """The bound of the current iteration, within which no answer is missed."""
        return self.bound

    @property
    def expanded_nodes(self) -> int:
        """The number of nodes with children, over all iterations."""
        return self.expanded

    @property
    def generated_nodes(self) -> int:
        """The number of children that the search has reached so far."""
        return self.generated
