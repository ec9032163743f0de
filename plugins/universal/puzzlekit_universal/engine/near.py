# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""The search that meets a table of the states near the goal.

The table is filled from the goal with the moves backwards: it has the least cost at which each
state near the goal reaches it. The search goes forward from a state with all moves until an answer
could lie in the table. From there on, it goes on only where the table allows it. So a search of
cost n from a table of radius r generates the sequences of cost n - r, whatever the state.

A state is a byte for each place that the moves change, its code. States have hashes, and the table
is indexed by them. States with the same index and tag share an entry, which has the least of their
costs. So an entry is a lower bound, and a proof does not depend on the hashes being different.

The search is by I. Pohl, "Bi-directional search" (1971); as a bound for IDA*, such a table is in
G. Manzini, "BIDA*" (1995).
"""

from __future__ import annotations

from array import array

import cython

if not cython.compiled:  # near.pxd has these for the compiler
    from puzzlekit.engine.intrinsics import fetch
    from puzzlekit.engine.ranks import (
        bytes_at,
        int_array,
        ints_at,
        longs_at,
        new_ints,
        new_longs,
        shorts_at,
    )
    from puzzlekit.engine.statuses import EXHAUSTED, FOUND, PAUSED

MOST_RADIUS = 14  # an entry has 4 bits for the cost plus 1, and 12 bits for the tag


@cython.final
@cython.cclass
class NearMoves:
    """Moves on states with one byte per place, and their canonical sequences."""

    def __init__(
        self,
        #: The number of places.
        places: int,
        #: For each move, for each place that it changes, in one list: the place, the place from
        #: which the piece comes, and the number of the table that turns the piece.
        changes: list,
        #: The tables that turn pieces: for each code the code after the turn, 256 bytes each.
        turned: bytes,
        #: The cost of each move, at least 1.
        costs: list,
        #: For each state of the automaton the list of (move, next state) that may follow.
        automaton: list,
    ) -> None:
        owners: list = []
        self._owners = owners
        self.places = places
        self.moves = len(costs)
        if len(changes) != self.moves or not changes or min(costs) < 1:
            raise ValueError("each move needs its changes and a positive cost")
        first, to, source, turn = [0], [], [], []
        for rows in changes:
            for row in rows:
                if not (0 <= row[0] < places and 0 <= row[1] < places):
                    raise ValueError("a move changes a place that does not exist")
                if not 0 <= row[2] < len(turned) // 256:
                    raise ValueError("a turn without a table")
                to.append(row[0])
                source.append(row[1])
                turn.append(256 * row[2])
            first.append(len(to))
        self.first = ints_at(int_array(first), owners)
        self.to = ints_at(int_array([*to, 0]), owners)
        self.source = ints_at(int_array([*source, 0]), owners)
        self.turn = ints_at(int_array([*turn, 0]), owners)
        self.turned = bytes_at(bytes(turned), owners)
        self.cost = ints_at(int_array(list(costs)), owners)
        self.cheapest = min(costs)
        begin, via, after = [0], [], []
        for allowed in automaton:
            for move, state in allowed:
                if not (0 <= move < self.moves and 0 <= state < len(automaton)):
                    raise ValueError("a damaged automaton")
                via.append(move)
                after.append(state)
            begin.append(len(via))
        self.states = len(automaton)
        self.begin = ints_at(int_array(begin), owners)
        self.via = ints_at(int_array([*via, 0]), owners)
        self.after = ints_at(int_array([*after, 0]), owners)
        self.keys = longs_at(_keys(256 * places), owners)


def _keys(count: int) -> array:
    """Return numbers of 64 bits without a pattern: G. Steele et al., "splitmix64" (2014)."""
    keys = array("q")
    mixed = 0
    every = (1 << 64) - 1
    for _ in range(count):
        mixed = (mixed + 0x9E3779B97F4A7C15) & every
        key = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & every
        key = ((key ^ (key >> 27)) * 0x94D049BB133111EB) & every
        key ^= key >> 31
        keys.append(key - (1 << 64) if key >> 63 else key)
    return keys


@cython.final
@cython.cclass
class NearTable:
    """The costs of the states within a radius of the goal, or lower bounds of them.

    `room` is the number of states that are put into the table, or more.
    """

    def __init__(self, radius: int, room: int) -> None:
        if not 0 <= radius <= MOST_RADIUS:
            raise ValueError("a radius from 0 to 14")
        size: cython.longlong = 32
        while size < 2 * room:
            size *= 2
        owners: list = []
        self._owners = owners
        self.most = radius
        self.mask = size - 1
        entries = array("H", bytes(2)) * size
        self.entries = shorts_at(entries, owners)
        self.lines = bytes_at(memoryview(entries).cast("B"), owners)

    @property
    def radius(self) -> int:
        """The largest cost of the states in the table."""
        return self.most

    @property
    def nbytes(self) -> int:
        """The size of the table in bytes."""
        return 2 * (self.mask + 1)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _fetch(self, key: cython.longlong) -> cython.void:
        fetch(self.lines, 2 * (key & self.mask))

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _cost(self, key: cython.longlong) -> cython.int:
        """Return the least cost of the states with a hash; the radius plus 1 if there is none."""
        at: cython.longlong = key & self.mask
        tag: cython.int = (key >> 52) & 0xFFF
        entry: cython.int = self.entries[at]
        while entry:
            if entry >> 4 == tag:
                return (entry & 15) - 1
            at = (at + 1) & self.mask
            entry = self.entries[at]
        return self.most + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _put(self, key: cython.longlong, cost: cython.int) -> cython.void:
        """Put a state into the table. Entries are never moved, so a search finds it there."""
        at: cython.longlong = key & self.mask
        tag: cython.int = (key >> 52) & 0xFFF
        entry: cython.int = self.entries[at]
        while entry and entry >> 4 != tag:
            at = (at + 1) & self.mask
            entry = self.entries[at]
        if not entry or (entry & 15) - 1 > cost:
            self.entries[at] = tag << 4 | (cost + 1)


@cython.final
@cython.cclass
class NearSearch:
    """Fills a table from the goal, or searches from a state for answers of exactly one cost."""

    moves: NearMoves
    table: NearTable
    _owners: list
    filling: cython.int
    bound: cython.int
    depth: cython.int
    plies: cython.int
    generated: cython.longlong
    expanded: cython.longlong
    goal: cython.p_uchar
    codes: cython.p_uchar
    key: cython.p_longlong
    state: cython.p_int
    spent: cython.p_int
    taken: cython.p_int
    count: cython.p_int
    cursor: cython.p_int
    alive: cython.p_int
    child: cython.p_longlong
    here: cython.p_longlong

    def __init__(self, moves: NearMoves, table: NearTable, goal: bytes) -> None:
        self.moves = moves
        self.table = table
        owners: list = []
        self._owners = owners
        if len(goal) != moves.places:
            raise ValueError("a goal needs a code for each place")
        self.goal = bytes_at(goal or b"\0", owners)
        self.generated = self.expanded = 0
        self.depth = -1

    def fill(self) -> None:
        """Start to put all states within the radius into the table.

        The moves must be the moves backwards. Afterwards `run` returns EXHAUSTED.
        """
        self._begin(bytes([self.goal[k] for k in range(self.moves.places)]), 0, self.table.most)
        self.filling = 1
        self.table._put(self.key[0], 0)

    def start(self, codes: bytes, state: int, bound: int) -> None:
        """Start a search for answers that cost exactly `bound`.

        - `codes`: the code at each place.
        - `state`: the state of the automaton.
        """
        if len(codes) != self.moves.places:
            raise ValueError("a start needs a code for each place")
        if not 0 <= state < self.moves.states or bound < 0:
            raise ValueError("no such start")
        self._begin(codes, state, bound)
        self.filling = 0

    @cython.cfunc
    def _begin(self, codes: bytes, state: cython.int, bound: cython.int) -> None:
        moves: NearMoves = self.moves
        self._owners = self._owners[:1]
        owners: list = self._owners
        self.bound = bound
        self.plies = bound // moves.cheapest + 1
        room: cython.int = self.plies + 1
        self.codes = bytes_at(bytearray(room * moves.places + 1), owners)
        self.key = new_longs(room, owners)
        self.state = new_ints(room, owners)
        self.spent = new_ints(room, owners)
        self.taken = new_ints(room, owners)
        self.count = new_ints(room, owners)
        self.cursor = new_ints(room, owners)
        self.alive = new_ints(room * moves.moves, owners)
        self.child = new_longs(room * moves.moves, owners)
        self.here = new_longs(moves.places + 1, owners)
        k: cython.Py_ssize_t
        self.key[0] = 0
        for k in range(moves.places):
            self.codes[k] = codes[k]
            self.key[0] ^= moves.keys[(k << 8) + self.codes[k]]
        self.state[0] = state
        self.spent[0] = 0
        self.count[0] = -1
        self.depth = 0

    @property
    def path(self) -> list:
        """The indices of the moves from the start to the current node."""
        return [self.taken[d] for d in range(1, self.depth + 1)]

    @property
    def work(self) -> int:
        """The number of nodes generated so far, which the budget of `run` limits."""
        return self.generated

    @property
    def generated_nodes(self) -> int:
        """The number of nodes generated so far, over all starts."""
        return self.generated

    @property
    def expanded_nodes(self) -> int:
        """The number of nodes whose children were listed, over all starts."""
        return self.expanded

    def run(self, budget: int) -> int:
        """Generate about `budget` more nodes. Return FOUND, EXHAUSTED or PAUSED.

        After FOUND, `path` has the moves of an answer, and the next call goes on after it.
        """
        status: cython.int
        allowed: cython.longlong = budget
        with cython.nogil:
            status = self._run(self.moves, self.table, self.generated + allowed)
        return status

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, moves: NearMoves, table: NearTable, stop: cython.longlong) -> cython.int:
        depth: cython.int = self.depth
        while depth >= 0:
            if self.count[depth] < 0:  # just reached
                self.count[depth] = self.cursor[depth] = 0
                if not self.filling and self.spent[depth] == self.bound:
                    if self._is_goal(moves.places, depth):
                        self.depth = depth
                        return FOUND
                else:
                    self._expand(moves, table, depth)
            if self.cursor[depth] < self.count[depth]:
                if self.generated >= stop:
                    self.depth = depth
                    return PAUSED
                self._descend(moves, depth)
                depth += 1
            else:
                depth -= 1
        self.depth = -1
        return EXHAUSTED

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_goal(self, places: cython.Py_ssize_t, depth: cython.Py_ssize_t) -> cython.int:
        k: cython.Py_ssize_t
        for k in range(places):
            if self.codes[depth * places + k] != self.goal[k]:
                return 0
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _descend(self, moves: NearMoves, depth: cython.Py_ssize_t) -> cython.void:
        """Go to the next child that is left."""
        at: cython.Py_ssize_t = depth * moves.moves + self.cursor[depth]
        number: cython.Py_ssize_t = self.alive[at]
        move: cython.Py_ssize_t = moves.via[number]
        k: cython.Py_ssize_t
        row: cython.Py_ssize_t = depth * moves.places
        to: cython.Py_ssize_t = row + moves.places
        self.cursor[depth] += 1
        for k in range(moves.places):
            self.codes[to + k] = self.codes[row + k]
        for k in range(moves.first[move], moves.first[move + 1]):
            self.codes[to + moves.to[k]] = moves.turned[
                moves.turn[k] + self.codes[row + moves.source[k]]
            ]
        self.key[depth + 1] = self.child[at]
        self.spent[depth + 1] = self.spent[depth] + moves.cost[move]
        self.state[depth + 1] = moves.after[number]
        self.taken[depth + 1] = move
        self.count[depth + 1] = -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _expand(self, moves: NearMoves, table: NearTable, depth: cython.Py_ssize_t) -> cython.void:
        """List the children of a node. First hash all of them, so that entries are prefetched."""
        first: cython.Py_ssize_t = depth * moves.moves
        row: cython.Py_ssize_t = depth * moves.places
        left: cython.int = self.bound - self.spent[depth]
        rest: cython.int
        n: cython.int = 0
        kept: cython.int = 0
        i: cython.int
        k: cython.Py_ssize_t
        number: cython.Py_ssize_t
        move: cython.Py_ssize_t
        place: cython.Py_ssize_t
        code: cython.Py_ssize_t
        key: cython.longlong
        begin: cython.int = moves.begin[self.state[depth]]
        end: cython.int = moves.begin[self.state[depth] + 1]
        self.expanded += 1
        self.generated += end - begin
        for k in range(moves.places):
            self.here[k] = moves.keys[(k << 8) + self.codes[row + k]]
        for number in range(begin, end):
            move = moves.via[number]
            if moves.cost[move] > left:
                continue
            key = self.key[depth]
            for k in range(moves.first[move], moves.first[move + 1]):
                place = moves.to[k]
                code = moves.turned[moves.turn[k] + self.codes[row + moves.source[k]]]
                key ^= self.here[place] ^ moves.keys[(place << 8) + code]
            self.alive[first + n] = number
            self.child[first + n] = key
            n += 1
            if self.filling or left - moves.cost[move] <= table.most:
                table._fetch(key)
        for i in range(n):
            number = self.alive[first + i]
            key = self.child[first + i]
            rest = left - moves.cost[moves.via[number]]
            if self.filling:
                table._put(key, self.bound - rest)
                if rest < moves.cheapest:
                    continue
            elif rest <= table.most and table._cost(key) > rest:
                continue
            self.alive[first + kept] = number
            self.child[first + kept] = key
            kept += 1
        self.count[depth] = kept
