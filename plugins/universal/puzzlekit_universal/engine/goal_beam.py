# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""A beam that goes from a state to the states near the goal.

Each level has the states that one more move reaches, of these the ones with most pieces at the
goal. Where many pieces are alike, few moves lead to more of them. The last moves rarely do: they
are found in a table of the states near the goal (see `near`).
"""

from __future__ import annotations

import cython

if not cython.compiled:  # goal_beam.pxd has these for the compiler
    from puzzlekit.engine.ranks import bytes_at, new_ints, new_longs
    from puzzlekit.engine.statuses import EXHAUSTED, FOUND, PAUSED
    from puzzlekit_universal.engine.near import NearMoves, NearTable

_MOST_HITS = cython.declare(cython.int, 64)
if not cython.compiled:
    _MOST_HITS = 64


@cython.final
@cython.cclass
class GoalBeam:
    """Searches level by level for states in the table.

    A state is a byte for each place, as in `near`.
    """

    moves: NearMoves
    table: NearTable
    goal: cython.p_uchar
    width: cython.int
    longest: cython.int
    patience: cython.int
    limit: cython.int
    cut: cython.bint
    depth: cython.int
    count: cython.int
    best: cython.int
    best_depth: cython.int
    made: cython.longlong
    seed: cython.longlong
    codes: cython.p_uchar
    next_codes: cython.p_uchar
    key: cython.p_longlong
    state: cython.p_int
    spent: cython.p_int
    right: cython.p_int
    next_key: cython.p_longlong
    next_state: cython.p_int
    next_spent: cython.p_int
    next_right: cython.p_int
    counted: cython.p_int
    children: cython.int
    parent: cython.p_int
    number: cython.p_int
    score: cython.p_int
    child: cython.p_longlong
    came: cython.p_int
    taken: cython.p_int
    seen: cython.p_longlong
    room: cython.longlong
    filled: cython.longlong
    hits: cython.int
    hit_cost: cython.int
    hit: cython.p_int
    _owners: list

    def __init__(
        self,
        moves: NearMoves,
        table: NearTable,
        goal: bytes,
        #: The states from which the beam starts, each with a byte for each place.
        starts: list,
        #: Number of states of a level, at most.
        width: int,
        #: Number of levels, at most.
        longest: int,
        #: Number of levels without a better state after which the search ends.
        patience: int,
        #: The search ends when all further answers would cost as much.
        limit: int,
        #: From where the numbers come that choose among equal states, at least 1.
        seed: int,
    ) -> None:
        if not starts or any(len(each) != moves.places for each in [goal, *starts]):
            raise ValueError("a state needs a code for each place")
        width = max(width, len(starts))
        owners: list = []
        self._owners = owners
        self.moves = moves
        self.table = table
        self.goal = bytes_at(goal or b"\0", owners)
        self.width = width
        self.longest = longest
        self.patience = patience
        self.limit = limit
        self.depth = self.best_depth = self.hits = self.children = 0
        self.made = 0
        self.seed = seed
        self.cut = False
        places: cython.Py_ssize_t = moves.places
        self.codes = bytes_at(bytearray(width * places + 1), owners)
        self.next_codes = bytes_at(bytearray(width * places + 1), owners)
        self.key = new_longs(width, owners)
        self.state = new_ints(width, owners)
        self.spent = new_ints(width, owners)
        self.right = new_ints(width, owners)
        self.next_key = new_longs(width, owners)
        self.next_state = new_ints(width, owners)
        self.next_spent = new_ints(width, owners)
        self.next_right = new_ints(width, owners)
        self.counted = new_ints(places + 1, owners)
        self.parent = new_ints(width * moves.moves, owners)
        self.number = new_ints(width * moves.moves, owners)
        self.score = new_ints(width * moves.moves, owners)
        self.child = new_longs(width * moves.moves, owners)
        self.came = new_ints(width * longest + 1, owners)
        self.taken = new_ints(width * longest + 1, owners)
        self.hit = new_ints(_MOST_HITS, owners)
        self.room = 1 << 10
        while self.room < 8 * width:
            self.room *= 2
        self.seen = new_longs(self.room, owners)
        self.filled = 0
        self.count = len(starts)
        self.best = 0
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        for i in range(self.count):
            for k in range(places):
                self.codes[i * places + k] = starts[i][k]
                self.key[i] ^= moves.keys[(k << 8) + self.codes[i * places + k]]
                self.right[i] += self.codes[i * places + k] == self.goal[k]
            self.best = max(self.best, self.right[i])
            self._enter(self.key[i])

    @property
    def complete(self) -> bool:
        """Whether the beam has kept every state so far."""
        return not self.cut

    @property
    def work(self) -> int:
        """The number of states made so far, which the budget of `run` limits."""
        return self.made

    def run(self, budget: int) -> int:
        """Make about `budget` more states. Return FOUND, EXHAUSTED or PAUSED.

        After FOUND, `found` has the states that seem to be in the table.
        """
        status: cython.int
        stop: cython.longlong = self.made + budget
        with cython.nogil:
            status = self._run(stop)
        return status

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, stop: cython.longlong) -> cython.int:
        while self.count and self.depth < self.longest:
            if self.depth - self.best_depth > self.patience:
                break
            if self.made >= stop:
                return PAUSED
            self._expand(self.moves, self.table)
            self._choose()
            if self.hits:
                return FOUND
        return EXHAUSTED

    def found(self) -> list:
        """Return for each state found: the moves to it, its codes, and its cost in the table."""
        answers = []
        places: cython.Py_ssize_t = self.moves.places
        k: cython.Py_ssize_t
        d: cython.Py_ssize_t
        for h in range(self.hits):
            at = self.hit[h]
            i = self.parent[at]
            move = self.moves.via[self.number[at]]
            path = [move]
            row = [self.next_codes[i * places + k] for k in range(places)]
            after = list(row)
            for k in range(self.moves.first[move], self.moves.first[move + 1]):
                code = row[self.moves.source[k]]
                after[self.moves.to[k]] = self.moves.turned[self.moves.turn[k] + code]
            for d in range(self.depth - 2, -1, -1):
                path.append(self.taken[d * self.width + i])
                i = self.came[d * self.width + i]
            answers.append((path[::-1], bytes(after), self.table._cost(self.child[at])))
        return answers

    def tighten(self, limit: int) -> None:
        """Search only for answers that cost less."""
        self.limit = min(self.limit, limit)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _enter(self, key: cython.longlong) -> cython.int:
        """Note a state; return 0 if it is known."""
        at: cython.longlong = key & (self.room - 1)
        while self.seen[at]:
            if self.seen[at] == key:
                return 0
            at = (at + 1) & (self.room - 1)
        self.seen[at] = key
        self.filled += 1
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _expand(self, moves: NearMoves, table: NearTable) -> cython.void:
        """Rate the states after one more move, and note those that are in the table."""
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        row: cython.Py_ssize_t
        move: cython.Py_ssize_t
        place: cython.Py_ssize_t
        number: cython.int
        code: cython.int
        old: cython.int
        cost: cython.int
        total: cython.int
        score: cython.int
        key: cython.longlong
        n: cython.int = 0
        self.hits = 0
        self.hit_cost = self.limit
        for k in range(moves.places + 1):
            self.counted[k] = 0
        for i in range(self.count):
            row = i * moves.places
            for number in range(moves.begin[self.state[i]], moves.begin[self.state[i] + 1]):
                move = moves.via[number]
                total = self.spent[i] + moves.cost[move]
                key = self.key[i]
                score = self.right[i]
                self.made += 1
                for k in range(moves.first[move], moves.first[move + 1]):
                    place = moves.to[k]
                    old = self.codes[row + place]
                    code = moves.turned[moves.turn[k] + self.codes[row + moves.source[k]]]
                    if code != old:
                        key ^= moves.keys[(place << 8) + old] ^ moves.keys[(place << 8) + code]
                        score += (code == self.goal[place]) - (old == self.goal[place])
                cost = table._cost(key)
                if total + cost >= self.limit:
                    continue  # outside the table, the cost is at least this
                if cost <= table.most:
                    if total + cost < self.hit_cost:
                        self.hit_cost = total + cost
                        self.hits = 0
                    if total + cost == self.hit_cost and self.hits < _MOST_HITS:
                        self.hit[self.hits] = n
                        self.hits += 1
                self.parent[n] = i
                self.number[n] = number
                self.score[n] = score
                self.child[n] = key
                self.counted[score] += 1
                n += 1
        self.children = n

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _choose(self) -> cython.void:
        """Keep the states with most pieces at the goal, of equal ones some by chance."""
        least: cython.int = self.moves.places
        above: cython.int = 0
        kept: cython.int = 0
        left: cython.int
        n: cython.int
        at: cython.longlong
        if 2 * (self.filled + self.width) > self.room:  # forget the levels before
            for at in range(self.room):
                self.seen[at] = 0
            self.filled = 0
        while least > 0 and above + self.counted[least] < self.width:
            above += self.counted[least]
            least -= 1
        for n in range(self.children):
            if self.score[n] > least and self._enter(self.child[n]):
                self._keep(self.moves, n, kept)
                kept += 1
        left = self.width - kept
        self.cut |= self.counted[least] > left
        for n in range(self.children):
            if self.score[n] != least or kept == self.width:
                continue
            self.seed = self.seed * 48271 % 2147483647
            if self.seed % (self.counted[least] + 1) <= left and self._enter(self.child[n]):
                self._keep(self.moves, n, kept)
                kept += 1
        self.count = kept
        self.depth += 1
        self.codes, self.next_codes = self.next_codes, self.codes
        self.key, self.next_key = self.next_key, self.key
        self.state, self.next_state = self.next_state, self.state
        self.spent, self.next_spent = self.next_spent, self.spent
        self.right, self.next_right = self.next_right, self.right

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _keep(self, moves: NearMoves, n: cython.int, into: cython.Py_ssize_t) -> cython.void:
        """Make a state of the next level."""
        i: cython.Py_ssize_t = self.parent[n]
        number: cython.Py_ssize_t = self.number[n]
        move: cython.Py_ssize_t = moves.via[number]
        row: cython.Py_ssize_t = i * moves.places
        to: cython.Py_ssize_t = into * moves.places
        k: cython.Py_ssize_t
        for k in range(moves.places):
            self.next_codes[to + k] = self.codes[row + k]
        for k in range(moves.first[move], moves.first[move + 1]):
            self.next_codes[to + moves.to[k]] = moves.turned[
                moves.turn[k] + self.codes[row + moves.source[k]]
            ]
        self.next_key[into] = self.child[n]
        self.next_state[into] = moves.after[number]
        self.next_spent[into] = self.spent[i] + moves.cost[move]
        self.next_right[into] = self.score[n]
        self.came[self.depth * self.width + into] = cython.cast(cython.int, i)
        self.taken[self.depth * self.width + into] = cython.cast(cython.int, move)
        if self.score[n] > self.best:
            self.best = self.score[n]
            self.best_depth = self.depth
