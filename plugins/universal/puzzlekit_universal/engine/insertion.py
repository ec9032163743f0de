# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""The search that inserts words of a library.

The search starts with a word that leaves pieces unsolved. It inserts words of 3-cycles where most
moves cancel, until all pieces are solved. Then it deletes stretches of the solution, and solves
what becomes unsolved in the same way.
"""

from __future__ import annotations

import cython

if not cython.compiled:  # insertion.pxd has these for the compiler
    from puzzlekit.engine.ranks import bytes_at, new_ints, new_longs
    from puzzlekit.engine.statuses import FOUND, PAUSED
    from puzzlekit_universal.engine.library import Library
    from puzzlekit_universal.engine.word_moves import Moves
    from puzzlekit_universal.engine.word_pieces import WordPieces
    from puzzlekit_universal.engine.word_sizes import BITS, FAR, MASK, OP, WINDOW

_LEAST_EFFORT = cython.declare(cython.int, 2000)  # insertions that a step compares, at least
_FIRST = cython.declare(cython.int, 3_000_000)  # insertions that the first beam compares, about
_BEAM = cython.declare(cython.int, 4_000_000)  # those of beams that begin at starts
_CUT = cython.declare(cython.int, 300_000)  # those of beams that begin at cuts
_TRACED = cython.declare(cython.int, 32)  # places traced back by a move, at most, for an insertion
_WORSE = cython.declare(cython.int, 2)  # one of this number of cuts may end with a dearer word
_SLACK = cython.declare(cython.int, 4)  # by which a kept word may cost more than the best one
_RETURN = cython.declare(cython.int, 400)  # cuts until the best word is kept again
if not cython.compiled:
    _LEAST_EFFORT, _FIRST, _BEAM, _CUT = 2000, 3_000_000, 4_000_000, 300_000
    _WORSE, _SLACK, _RETURN = 2, 4, 400
    _TRACED = 32


@cython.final
@cython.cclass
class WordSearch:
    """Searches ever cheaper words that solve a state.

    A beam of words inserts 3-cycles and twists. Each step solves one to three more pieces. Words
    are compared with words that leave equally many pieces unsolved.
    """

    done: cython.longlong
    moves: Moves
    library: Library
    pieces: WordPieces
    room: cython.int
    most: cython.int
    width: cython.int
    widest: cython.int
    limit: cython.int
    bound: cython.int
    best_cost: cython.int
    best_count: cython.int
    best: cython.p_uchar
    kept: cython.p_uchar
    kept_count: cython.int
    kept_cost: cython.int
    gone: cython.p_uchar
    nodes: cython.p_uchar
    counts: cython.p_int
    states: cython.p_int
    c_cost: cython.p_int
    c_parent: cython.p_int
    c_place: cython.p_int
    c_entry: cython.p_int
    c_op: cython.p_int
    c_hash: cython.p_longlong
    filled: cython.p_int
    level: cython.int
    index: cython.int
    stage: cython.int
    start: cython.int
    failed: cython.bint
    starts: list
    source: cython.p_int
    after: cython.p_int
    traced: cython.p_int
    traces: cython.int
    marked: cython.p_uchar
    before: cython.p_longlong
    behind: cython.p_longlong
    alive: cython.p_longlong
    tail: cython.p_uchar
    seed: cython.longlong
    effort: cython.longlong
    divisor: cython.int
    _owners: list

    def __init__(
        self,
        moves: Moves,
        library: Library,
        #: The pieces of the state, for this search alone.
        pieces: WordPieces,
        #: Words to start with. After each of them, the library can solve the rest.
        starts: list,
        seed: object = 1,
        #: A beam compares so many times fewer insertions than usual.
        divisor: cython.int = 1,
    ) -> None:
        owners: list = []
        self._owners = owners
        self.moves = moves
        self.library = library
        self.pieces = pieces
        places: cython.int = moves.places
        self.done = 0
        self.starts = [bytes(each) for each in starts]
        longest = max([len(each) for each in self.starts])
        self.room = longest + library.longest * places + 64
        self.most = places
        self.widest = max(1, min(64, 4_000_000 // (self.room * 4), 4_000_000 // (places + 1)))
        self.best = bytes_at(bytearray(self.room), owners)
        self.kept = bytes_at(bytearray(self.room), owners)
        self.gone = bytes_at(bytearray(self.room), owners)
        self.before = new_longs(MASK, owners)
        self.behind = new_longs(MASK, owners)
        self.alive = new_longs(MASK, owners)
        self.tail = bytes_at(bytearray(self.room + 1024), owners)
        self.nodes = bytes_at(bytearray(4 * self.widest * self.room), owners)
        self.counts = new_ints(4 * self.widest, owners)
        self.states = new_ints(8 * self.widest * places, owners)
        candidates = (places + 1) * self.widest
        self.c_cost = new_ints(candidates, owners)
        self.c_parent = new_ints(candidates, owners)
        self.c_place = new_ints(candidates, owners)
        self.c_entry = new_ints(candidates, owners)
        self.c_op = new_ints(OP * candidates, owners)
        self.c_hash = new_longs(candidates, owners)
        self.filled = new_ints(places + 1, owners)
        self.source = new_ints(places, owners)
        self.after = new_ints(places, owners)
        self.traced = new_ints(places, owners)
        self.marked = bytes_at(bytearray(places), owners)
        self.traces = 0
        self.seed = 1 + seed % 1000000
        self.divisor = divisor
        self.limit = FAR
        self.bound = FAR - 1
        self.best_cost = FAR
        self.best_count = 0
        self.kept_cost = FAR
        self.kept_count = 0
        self.effort = 0
        self.stage = 0
        self.start = 0
        self.failed = False
        self._begin_start(0, 1)

    @property
    def work(self) -> int:
        """The number of insertions compared so far, which the budget of `run` limits."""
        return self.done

    @property
    def is_capped(self) -> bool:
        """True: the search proves nothing."""
        return True

    @property
    def answer(self) -> tuple[bytes, int]:
        """The cheapest word so far, and its cost."""
        return bytes([self.best[k] for k in range(self.best_count)]), self.best_cost

    @property
    def has_answer(self) -> bool:
        """Whether a word solves the state."""
        return self.best_cost < FAR

    @property
    def has_failed(self) -> bool:
        """Whether no beam of any width had an answer. Further beams seldom have one then."""
        return bool(self.failed)

    def tighten(self, limit: cython.int) -> None:
        """From now on, report only answers that cost at most `limit`."""
        if limit < self.limit:
            self.limit = limit

    def run(self, budget: cython.longlong) -> int:
        """Search until about `budget` insertions are compared, or until an answer is found.

        Returns FOUND or PAUSED. `answer` is then the cheapest word so far.
        """
        end: cython.longlong = self.done + budget
        ended: cython.int
        while self.done < end:
            with cython.nogil:
                ended = self._step()
            if ended == 2:
                self._next_beam()
            elif ended == 1:
                better = self._accept()
                self._next_beam()
                if better and self.best_cost <= self.limit:
                    return FOUND
        return PAUSED

    def part(self, pieces: cython.int, effort: cython.longlong) -> bytes:
        """Return a word that solves about this number of pieces more than the first start.

        A step compares about `effort` insertions, or more.
        """
        least: cython.int = self.level - pieces
        last: bytes = b""
        if self.effort < effort:
            self.effort = effort
        base: cython.Py_ssize_t
        while self.level > max(0, least):
            if self._step():
                break
            if self.index == 1:
                base = self._node(self.level, 0)
                last = bytes(
                    [self.nodes[base + k] for k in range(self.counts[self.level % 4 * self.widest])]
                )
        return last

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _random(self, below: cython.int) -> cython.int:
        """Return a random number below a bound (the generator of Park and Miller)."""
        self.seed = self.seed * 48271 % 2147483647
        return cython.cast(cython.int, (self.seed >> 4) % below)

    @cython.cfunc
    def _accept(self) -> object:
        """Keep the first word at level 0; return whether it is cheaper than all before."""
        count: cython.int = self.counts[self.index]
        base: cython.Py_ssize_t = self._node(0, 0)
        k: cython.int
        n: cython.int = 0
        cost: cython.int
        for k in range(count if count > 0 else 0):
            n = self.moves._push(self.tail, 0, n, self.nodes[base + k])
        cost = self.moves._total(self.tail, 0, n)
        if cost > self.bound:
            return False
        for k in range(n):
            self.kept[k] = self.tail[k]
        self.kept_count = n
        self.kept_cost = cost
        if cost >= self.best_cost:
            return False
        for k in range(n):
            self.best[k] = self.tail[k]
        self.best_count = n
        self.best_cost = cost
        return True

    @cython.cfunc
    def _begin_start(self, number: cython.int, width: cython.int) -> cython.void:
        """Begin a beam from a start."""
        word: bytes = self.starts[number]
        k: cython.int
        n: cython.int = 0
        self.bound = self.best_cost - 1
        for k in range(len(word)):
            n = self.moves._push(self.nodes, 0, n, word[k])
        self._begin(n, width, _FIRST if self.best_cost == FAR else _BEAM)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _begin(self, count: cython.int, width: cython.int, effort: cython.longlong) -> cython.int:
        """Begin a beam at the word in the first node; return the number of unsolved pieces.

        The beam compares about `effort` insertions.
        """
        k: cython.int
        n: cython.int
        left: cython.int
        for k in range(self.most + 1):
            self.filled[k] = 0
        left = self.pieces._replay(self.nodes, 0, count)
        self.width = width
        self.effort = max(_LEAST_EFFORT, effort // (left * width + 1)) // self.divisor
        self.level = left
        self.index = 0
        self.filled[left] = 1
        k = left * self.widest
        self.c_cost[k] = self.moves._total(self.nodes, 0, count)
        self.c_parent[k] = -1
        self.c_place[k] = count
        if left % 4:  # the node of the level
            for n in range(count):
                self.nodes[self._node(left, 0) + n] = self.nodes[n]
        self.pieces._write(self.states, self._state(left, 0))
        return left

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _node(self, level: cython.int, index: cython.int) -> cython.Py_ssize_t:
        return cython.cast(cython.Py_ssize_t, level % 4 * self.widest + index) * self.room

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _state(self, level: cython.int, index: cython.int) -> cython.Py_ssize_t:
        number: cython.Py_ssize_t = level % 4 * self.widest + index
        return 2 * number * self.moves.places

    @cython.cfunc
    def _next_beam(self) -> cython.void:
        """Begin the next beam: from all starts, then wider ones, then at parts of the best word."""
        starts: cython.int = len(self.starts)
        self.start += 1
        if self.stage < 4:
            if self.start >= (starts if self.stage == 0 else min(starts, 3)):
                self.stage += 1
                self.start = 0
                if self.stage == 4 and self.best_cost == FAR:
                    self.stage = 0
                    self.failed = True
            if self.stage < 4:
                self._begin_start(self.start, min(1 << 2 * self.stage, self.widest))
                return
        self.level = 0
        self.filled[0] = 0  # if no beam begins, the next step fails
        with cython.nogil:
            for _ in range(100):
                if self._cut():
                    break
                self.done += 10

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _cut(self) -> cython.int:
        """Delete moves of the kept word and begin a beam there; return 0 if that is useless.

        The beam may end with a word that costs a little more, which is kept for some time.
        """
        count: cython.int
        length: cython.int
        begin: cython.int
        k: cython.int
        n: cython.int = 0
        left: cython.int
        if self._random(_RETURN) == 0:
            for k in range(self.best_count):
                self.kept[k] = self.best[k]
            self.kept_count = self.best_count
            self.kept_cost = self.best_cost
        count = self.kept_count
        if count == 0:
            self.done += 10
            return 0
        for k in range(count):
            self.gone[k] = 0
        if self._random(2):
            length = 1 + self._random(min(count, 12))
            begin = self._random(count - length + 1)
            for k in range(begin, begin + length):
                self.gone[k] = 1
        else:  # pairs of a move and its inverse: few pieces become unsolved
            length = 1 + self._random(3)
            while length:
                length -= 1
                begin = self._random(count)
                for k in range(begin + 1, min(count, begin + 12)):
                    if self.kept[k] == self.moves.inverse[self.kept[begin]]:
                        self.gone[begin] = 1
                        self.gone[k] = 1
                        break
        begin = self._random(count) if self._random(3) == 0 else -1
        for k in range(count):
            if k == begin:  # another move may make more insertions possible
                n = self.moves._push(self.nodes, 0, n, self._random(self.moves.moves))
            if not self.gone[k]:
                n = self.moves._push(self.nodes, 0, n, self.kept[k])
        left = self.pieces._replay(self.nodes, 0, n)
        self.done += n
        if left > 24 or not self.pieces._fits():
            return 0
        self.bound = self.kept_cost
        if self._random(_WORSE) == 0 and self.bound < self.best_cost + _SLACK:
            self.bound += 1 + self._random(2)
        self._begin(n, min(self.widest, 3), _CUT)
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _step(self) -> cython.int:
        """Expand one word. Return 1 if the beam has an answer, 2 if it failed, else 0."""
        while self.level > 0 and self.index >= self.filled[self.level]:
            self.level -= 1
            self.index = 0
        if self.level == 0 and self.filled[0] == 0:
            return 2
        self._make(self.level, self.index)
        if self.level == 0:
            return 1
        self._expand(self.pieces, self.level, self.index)
        self.index += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _make(self, level: cython.int, index: cython.int) -> cython.void:
        """Make the word of a candidate."""
        c: cython.int = level * self.widest + index
        base: cython.Py_ssize_t = self._node(level, index)
        node: cython.int = self.c_parent[c]
        parent: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, node) * self.room
        word: cython.Py_ssize_t
        k: cython.int
        n: cython.int = 0
        count: cython.int
        if node < 0:  # the start is there already
            self.counts[level % 4 * self.widest + index] = self.c_place[c]
            return
        count = self.counts[node]
        for k in range(self.c_place[c]):
            n = self.moves._push(self.nodes, base, n, self.nodes[parent + k])
        k = self.library.group[self.c_op[c * OP]]
        word = self.library.origin[k]
        word += cython.cast(cython.Py_ssize_t, self.c_entry[c]) * self.library.entry[k]
        for k in range(self.library.words[word]):
            n = self.moves._push(self.nodes, base, n, self.library.words[word + 1 + k])
        for k in range(self.c_place[c], count):
            n = self.moves._push(self.nodes, base, n, self.nodes[parent + k])
        self.counts[level % 4 * self.widest + index] = n
        self.pieces._read(self.states, 2 * cython.cast(cython.Py_ssize_t, node) * self.moves.places)
        self.pieces._apply(self.c_op, c * OP)
        self.pieces._write(self.states, self._state(level, index))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _expand(self, pieces: WordPieces, left: cython.int, index: cython.int) -> cython.void:
        """Find the cheapest place and word of each useful cycle, and keep the cheapest of all."""
        node: cython.int = left % 4 * self.widest + index
        base: cython.Py_ssize_t = self._node(left, index)
        count: cython.int = self.counts[node]
        own: cython.int
        m: cython.int
        o: cython.int
        p: cython.int
        k: cython.int
        s: cython.int
        x: cython.int
        y: cython.int
        z: cython.int
        key: cython.int
        e: cython.Py_ssize_t
        first: cython.Py_ssize_t
        row: cython.int
        turned: cython.int
        cost: cython.int
        stride: cython.int
        last: cython.int
        total: cython.longlong
        pieces._read(self.states, self._state(left, index))
        self.done += self.moves.places
        own = self.moves._total(self.nodes, base, count)
        pieces._gather(left, self._random(left))
        self._trace(pieces)
        total = cython.cast(cython.longlong, pieces.ops) * (count + 1)
        stride = cython.cast(cython.int, total // self.effort) + 1
        last = count - cython.cast(cython.int, self.effort * _TRACED // (self.traces + 1))
        p = count
        while True:
            if stride == 1 or p == count or self._random(stride) == 0:
                self._note_joins(base, count, p)
                for o in range(pieces.ops):
                    x = pieces.op_x[o]
                    y = pieces.op_y[o]
                    z = pieces.op_z[o]
                    m = self.moves.modulus[x]
                    k = self.library.group[x]
                    if z < 0:
                        key = self.library._twist(self.source[x], self.source[y], pieces.op_t[o])
                    else:
                        key = self.library._cycle(
                            self.source[x],
                            self.source[y],
                            self.source[z],
                            (pieces.op_t[o] + self.after[x] + m - self.after[y]) % m,
                            (pieces.op_u[o] + self.after[y] + m - self.after[z]) % m,
                        )
                    for s in range(self.library.slots):
                        e = cython.cast(cython.Py_ssize_t, key) * self.library.slots + s
                        first = self.library.origin[k] + e * self.library.entry[k]
                        if self.library.words[first] == 0:
                            continue
                        self.done += 1
                        cost = own + self.library.cost[e]
                        x = self.library.words[first + 1]
                        y = self.library.words[first + self.library.words[first]]
                        if (self.before[x // BITS] >> x % BITS & 1) or (
                            self.behind[y // BITS] >> y % BITS & 1
                        ):
                            cost = own + self._inserted(base, count, p, first)
                        if cost < pieces.op_cost[o]:
                            pieces.op_cost[o] = cost
                            pieces.op_place[o] = p
                            pieces.op_entry[o] = cython.cast(cython.int, e)
            if p == 0 or p <= last or stride > count:
                break
            p -= 1
            row = self.moves.inverse[self.nodes[base + p]] * self.moves.places
            turned = self.nodes[base + p] * self.moves.places
            for s in range(self.traces):
                k = self.traced[s]
                y = self.moves.target[row + self.source[k]]
                self.source[k] = y
                # The move turns the piece that it brings from y on.
                if self.moves.turn[turned + y]:
                    self.after[k] = (
                        self.after[k] + self.moves.turn[turned + y]
                    ) % self.moves.modulus[k]
        for o in range(pieces.ops):
            if pieces.op_cost[o] <= self.bound:  # less than FAR, so it has a word
                self._keep(pieces, o, node)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _trace(self, pieces: WordPieces) -> cython.void:
        """List the places of the cycles, which are to be traced back through a word."""
        o: cython.int
        k: cython.int
        for k in range(self.traces):
            self.marked[self.traced[k]] = 0
        self.traces = 0
        for o in range(pieces.ops):
            self._mark(pieces.op_x[o])
            self._mark(pieces.op_y[o])
            if pieces.op_z[o] >= 0:
                self._mark(pieces.op_z[o])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _mark(self, place: cython.int) -> cython.void:
        """List a place to be traced, if it is not listed."""
        if not self.marked[place]:
            self.marked[place] = 1
            self.traced[self.traces] = place
            self.source[place] = place
            self.after[place] = 0
            self.traces += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _note_joins(
        self, base: cython.Py_ssize_t, count: cython.int, place: cython.int
    ) -> cython.void:
        """Note which moves join a move before a place of a word, and which a move behind it."""
        k: cython.int
        i: cython.int
        other: cython.int
        left: cython.longlong
        for i in range(MASK):
            self.before[i] = 0
            self.behind[i] = 0
            self.alive[i] = ~cython.cast(cython.longlong, 0)
        k = place - 1
        while k >= 0:
            other = self.nodes[base + k] * MASK
            left = 0
            for i in range(MASK):
                self.before[i] |= self.alive[i] & self.moves.joins_after[other + i]
                self.alive[i] &= self.moves.passes[other + i]
                left |= self.alive[i]
            if not left:
                break
            k -= 1
        for i in range(MASK):
            self.alive[i] = ~cython.cast(cython.longlong, 0)
        k = place
        while k < count:
            other = self.nodes[base + k] * MASK
            left = 0
            for i in range(MASK):
                self.behind[i] |= self.alive[i] & self.moves.joins_before[other + i]
                self.alive[i] &= self.moves.passes[other + i]
                left |= self.alive[i]
            if not left:
                break
            k += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _keep(self, pieces: WordPieces, o: cython.int, node: cython.int) -> cython.void:
        """Keep a candidate if it is among the cheapest of its level."""
        level: cython.int = pieces.op_left[o]
        first: cython.int = level * self.widest
        n: cython.int = self.filled[level]
        i: cython.int
        k: cython.int
        at: cython.int
        if n == self.width and self.c_cost[first + n - 1] <= pieces.op_cost[o]:
            return
        for i in range(n):  # the same unsolved pieces
            if self.c_hash[first + i] == pieces.op_hash[o]:
                if self.c_cost[first + i] <= pieces.op_cost[o]:
                    return
                n = i
                break
        if n == self.width:
            n -= 1
        i = n
        while i > 0 and self.c_cost[first + i - 1] > pieces.op_cost[o]:
            self.c_cost[first + i] = self.c_cost[first + i - 1]
            self.c_parent[first + i] = self.c_parent[first + i - 1]
            self.c_place[first + i] = self.c_place[first + i - 1]
            self.c_entry[first + i] = self.c_entry[first + i - 1]
            self.c_hash[first + i] = self.c_hash[first + i - 1]
            at = (first + i) * OP
            for k in range(OP):
                self.c_op[at + k] = self.c_op[at - OP + k]
            i -= 1
        self.c_cost[first + i] = pieces.op_cost[o]
        self.c_parent[first + i] = node
        self.c_place[first + i] = pieces.op_place[o]
        self.c_entry[first + i] = pieces.op_entry[o]
        self.c_hash[first + i] = pieces.op_hash[o]
        at = (first + i) * OP
        self.c_op[at] = pieces.op_x[o]
        self.c_op[at + 1] = pieces.op_y[o]
        self.c_op[at + 2] = pieces.op_z[o]
        self.c_op[at + 3] = pieces.op_t[o]
        self.c_op[at + 4] = pieces.op_u[o]
        if n + 1 > self.filled[level]:
            self.filled[level] = n + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _inserted(
        self, base: cython.Py_ssize_t, count: cython.int, place: cython.int, word: cython.Py_ssize_t
    ) -> cython.int:
        """Return by how much a word costs more with a word of the library at a place."""
        begin: cython.int = place - WINDOW if place > WINDOW else 0
        end: cython.int = place + WINDOW if place + WINDOW < count else count
        k: cython.int
        n: cython.int = 0
        before: cython.int
        more: cython.int = 0
        for k in range(begin, place):
            self.tail[n] = self.nodes[base + k]
            n += 1
            more -= self.moves.cost[self.nodes[base + k]]
        for k in range(self.library.words[word]):
            n = self.moves._push(self.tail, 0, n, self.library.words[word + 1 + k])
        before = 0
        for k in range(place, end):
            begin = n
            more -= self.moves.cost[self.nodes[base + k]]
            n = self.moves._push(self.tail, 0, n, self.nodes[base + k])
            before = before + 1 if n > begin else 0
            if before == 3:
                break
        return more + self.moves._total(self.tail, 0, n)
