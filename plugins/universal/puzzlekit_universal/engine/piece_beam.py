# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""A beam of insertions that solves the pieces of one kind, for pieces that turn in any way.

`piece_beam.pxd` declares the names that this module uses of other compiled modules.
"""

from __future__ import annotations

from array import array

import cython

if not cython.compiled:  # piece_beam.pxd has these for the compiler
    from puzzlekit.engine.ranks import bytes_at, ints_at, new_ints, new_longs
    from puzzlekit_universal.engine.word_moves import Moves

_FEW = cython.declare(cython.int, 6)  # unsolved pieces of which every one joins a cycle
_SPARE = cython.declare(cython.int, 4)  # words made for each word that a level expands
_UNIT = cython.declare(cython.int, 100)  # scores are hundredths of a cost
_GROWTH = cython.declare(cython.int, 1000)  # moves by which a word may become longer
_ALIKE = cython.declare(cython.int, 500)  # 3-cycles to homes of alike pieces, at most
_NEVER = cython.declare(cython.int, 1 << 29)
if not cython.compiled:
    _FEW, _SPARE, _UNIT, _GROWTH, _ALIKE, _NEVER = 6, 4, 100, 1000, 500, 1 << 29


@cython.final
@cython.cclass
class PieceWords:
    """The pieces of one kind, how moves bring them on, and a word for each key.

    Searches in several threads share it, so each brings its own `spare`, two bytes for each piece.
    """

    size: cython.int
    poses: cython.int
    twists: cython.int
    width: cython.int
    far: cython.int
    price: cython.int
    to: cython.p_uchar
    turn: cython.p_uchar
    product: cython.p_uchar
    inverse: cython.p_uchar
    first: cython.p_int
    cost: cython.p_uchar
    words: cython.p_uchar
    label: cython.p_uchar
    alike: cython.bint
    _owners: list

    def __init__(
        self,
        #: The number of pieces, that of the poses of a piece (both at most 255), and the first key
        #: of a twist.
        size: object,
        poses: object,
        twists: object,
        #: For each move and each place, where it brings a piece and how it turns it.
        to: bytes,
        turn: bytes,
        #: The products of poses, and their inverses.
        product: bytes,
        inverse: bytes,
        #: For three places, the first of them the least, the first key of their 3-cycles.
        first: object,
        #: The cost of the word of each key, and the cost of a key without one.
        cost: bytes,
        far: object,
        #: For each key a row of `width` bytes: the cost, the number of moves, and the moves.
        words: object,
        width: object,
        #: The expected cost for each two units of `weight`, in hundredths.
        price: object,
        #: The label of each piece: any of the pieces with a label may be at the home of one.
        label: bytes,
    ) -> None:
        owners: list = []
        self._owners = owners
        self.size, self.poses, self.twists = size, poses, twists
        self.far, self.width, self.price = far, width, price
        self.to, self.turn = bytes_at(to, owners), bytes_at(turn, owners)
        self.product, self.inverse = bytes_at(product, owners), bytes_at(inverse, owners)
        self.first = ints_at(array("i", first), owners)
        self.cost, self.words = bytes_at(cost, owners), bytes_at(words, owners)
        self.label, self.alike = bytes_at(label, owners), len(set(label)) < len(label)

    def weight(self, state: bytes, word: bytes) -> int:
        """Return four times the number of 3-cycles that solve all pieces after a word, about.

        The weight is odd if the pieces are permuted oddly and no two of them are alike.
        """
        owners: list = []
        given: cython.p_uchar = bytes_at(word + b"\0", owners)
        pieces: cython.p_uchar = bytes_at(bytearray(state), owners)
        spare: cython.p_uchar = bytes_at(bytearray(len(state)), owners)
        self._replay(pieces, 0, given, 0, len(word), spare)
        return self._weight(pieces, 0, spare)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _cycle(
        self,
        a: cython.int,
        b: cython.int,
        c: cython.int,
        t: cython.int,
        u: cython.int,
    ) -> cython.int:
        """Return the key of a 3-cycle a -> b -> c -> a that turns by t at b and by u at c."""
        v: cython.int = self.inverse[self.product[u * self.poses + t]]
        if a < b and a < c:
            return self.first[(a * self.size + b) * self.size + c] + t * self.poses + u
        if b < c:
            return self.first[(b * self.size + c) * self.size + a] + u * self.poses + v
        return self.first[(c * self.size + a) * self.size + b] + v * self.poses + t

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _twist(self, a: cython.int, b: cython.int, t: cython.int, u: cython.int) -> cython.int:
        """Return the key of a word that turns a by t and b by u; u is 0 if a is b."""
        if b < a:
            return self.twists + ((b * self.size + a) * self.poses + u) * self.poses + t
        return self.twists + ((a * self.size + b) * self.poses + t) * self.poses + u

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _weight(
        self, state: cython.p_uchar, base: cython.Py_ssize_t, spare: cython.p_uchar
    ) -> cython.int:
        """Return four times the number of 3-cycles that solve all pieces, about; odd for a swap.

        If pieces are alike, they are named anew, see `_name`. Then every two pieces of a cycle take
        one 3-cycle: the last two pieces of an even cycle are swapped together with alike pieces.
        """
        place: cython.int
        end: cython.int
        count: cython.int
        pose: cython.int
        total: cython.int = 0
        wrong: cython.int = 0
        if self.alike:
            self._name(state, base, spare)
        for place in range(self.size):
            spare[place] = 0
        for place in range(self.size):
            if spare[place]:
                continue
            pose = count = 0
            end = place
            while not spare[end]:
                spare[end] = 1
                pose = self.product[state[base + self.size + end] * self.poses + pose]
                end = state[base + end]
                count += 1
            total += count // 2 * 2 if self.alike else count - 1
            wrong += pose != 0
        return 2 * total + 4 * wrong + 6 * (wrong == 1) + total % 2

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _name(
        self, state: cython.p_uchar, base: cython.Py_ssize_t, spare: cython.p_uchar
    ) -> cython.void:
        """Exchange the names of alike pieces until no cycle has two of them.

        A path goes from each place to the home of its piece. If an earlier place of the path has
        the label of this home, the piece goes there instead, which closes a cycle. The piece that
        would have gone there goes to the home.
        """
        n: cython.int = self.size
        place: cython.int
        depth: cython.int
        last: cython.int
        home: cython.int
        other: cython.int
        k: cython.int
        for k in range(n):
            spare[n + k] = 0  # one more than the place of a label in the path
        for place in range(n):
            spare[0] = place
            spare[n + self.label[place]] = depth = 1
            while True:
                last = spare[depth - 1]
                home = state[base + last]
                k = spare[n + self.label[home]] - 1
                if k < 0:
                    spare[depth] = home
                    depth += 1
                    spare[n + self.label[home]] = depth
                    continue
                if home != spare[k]:
                    if k > 0:
                        other = spare[k - 1]
                    else:
                        other = place + 1  # behind it: cycles of earlier places are closed
                        while state[base + other] != place:
                            other += 1
                    state[base + last] = spare[k]
                    state[base + other] = home
                while depth > k:
                    depth -= 1
                    spare[n + self.label[spare[depth]]] = 0
                if k == 0:
                    break

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _replay(
        self,
        state: cython.p_uchar,
        base: cython.Py_ssize_t,
        word: cython.p_uchar,
        at: cython.Py_ssize_t,
        count: cython.int,
        spare: cython.p_uchar,
    ) -> cython.void:
        """Do the moves of a word."""
        k: cython.int
        p: cython.int
        q: cython.int
        row: cython.int
        for k in range(count):
            row = word[at + k] * self.size
            for p in range(self.size):
                q = self.to[row + p]
                spare[q] = state[base + p]
                spare[self.size + q] = self.product[
                    self.turn[row + p] * self.poses + state[base + self.size + p]
                ]
            for p in range(2 * self.size):
                state[base + p] = spare[p]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _change(
        self,
        state: cython.p_uchar,
        base: cython.Py_ssize_t,
        change: cython.p_int,
        at: cython.Py_ssize_t,
    ) -> cython.void:
        """Do a 3-cycle or a twist."""
        a: cython.int = change[at]
        b: cython.int = change[at + 1]
        c: cython.int = change[at + 2]
        t: cython.int = change[at + 3]
        u: cython.int = change[at + 4]
        poses: cython.int = self.poses
        turn: cython.Py_ssize_t = base + self.size
        label: cython.int
        pose: cython.int
        if c < 0:
            state[turn + a] = self.product[t * poses + state[turn + a]]
            if a != b:
                state[turn + b] = self.product[u * poses + state[turn + b]]
            return
        label = state[base + c]
        pose = self.inverse[self.product[u * poses + t]]
        pose = self.product[pose * poses + state[turn + c]]
        state[base + c] = state[base + b]
        state[turn + c] = self.product[u * poses + state[turn + b]]
        state[base + b] = state[base + a]
        state[turn + b] = self.product[t * poses + state[turn + a]]
        state[base + a] = label
        state[turn + a] = pose


@cython.final
@cython.cclass
class PieceBeam:
    """Solves the pieces of one kind by insertions of words, from some words on.

    Each level has the words that leave equally much unsolved. Words that promise most are expanded.
    """

    moves: Moves
    kind: PieceWords
    later: list
    width: cython.int
    room: cython.Py_ssize_t
    kept: cython.int
    more: cython.int
    worst: cython.int
    levels: cython.int
    level: cython.int
    index: cython.int
    ready: cython.int
    done: cython.longlong
    states: cython.p_uchar
    begin: cython.p_uchar
    words: cython.p_uchar
    counts: cython.p_int
    nodes: cython.int
    made: cython.p_uchar
    made_states: cython.p_uchar
    made_counts: cython.p_int
    order: list
    starts: list
    filled: cython.p_int
    c_score: cython.p_int
    c_slot: cython.p_int
    c_hash: cython.p_longlong
    c_data: cython.p_int
    op_score: cython.p_int
    op_place: cython.p_int
    op_key: cython.p_int
    op_level: cython.p_int
    op_rest: cython.p_int
    op_hash: cython.p_longlong
    op_data: cython.p_int
    ops: cython.int
    origin: cython.p_int
    spun: cython.p_int
    wrong: cython.p_int
    own: cython.p_uchar
    other: cython.p_uchar
    spare: cython.p_uchar
    found: list
    _owners: list

    def __init__(
        self,
        moves: Moves,
        kind: PieceWords,
        #: The pieces and poses of this kind in the state.
        state: bytes,
        #: For each later kind its words and its pieces and poses.
        later: list,
        #: The words that the search begins with, and the number of words of a level. Words that
        #: permute the pieces oddly are left out, because insertions are even.
        starts: list,
        width: object,
        #: How many words of an answer may solve nothing.
        detours: cython.int,
        #: Words that solve the kind that are kept beyond those of another level.
        more: object,
    ) -> None:
        owners: list = []
        self._owners = owners
        self.moves, self.kind, self.later = moves, kind, later
        self.width = width
        self.kept = max(_SPARE * self.width, len(starts))
        self.more = more
        self.room = max(map(len, starts), default=0) + _GROWTH
        self.worst = 2 * kind.size + 4  # half of the weight, at most
        self.levels = (detours + 1) * (self.worst + 1)
        self.level = -1
        self.index = self.ready = 0
        self.done = 0
        size: cython.int = 2 * kind.size
        capacity: cython.int = self.levels * self.width  # each level expands so many
        self.nodes = 0
        self.begin = bytes_at(bytearray(state), owners)
        self.states = bytes_at(bytearray(capacity * size), owners)
        self.words = bytes_at(bytearray(capacity * self.room), owners)
        self.counts = new_ints(capacity, owners)
        self.made = bytes_at(bytearray((self.kept + self.more) * self.room), owners)
        self.made_states = bytes_at(bytearray((self.kept + self.more) * size), owners)
        self.made_counts = new_ints(self.kept + self.more, owners)
        self.filled = new_ints(self.levels, owners)
        candidates: cython.int = self.levels * self.kept + (detours + 1) * self.more
        self.c_score = new_ints(candidates, owners)
        self.c_slot = new_ints(candidates, owners)
        self.c_hash = new_longs(candidates, owners)
        # For each of them its node, place, key, and cycle; for a start -1 and its number.
        self.c_data = new_ints(8 * candidates, owners)
        # For each piece a twist or cycle with any other one in any pose, and a swap with it.
        most: cython.int = kind.size * kind.size * (kind.poses + 1) + _ALIKE
        self.op_score = new_ints(most, owners)
        self.op_rest = new_ints(most, owners)
        self.op_place = new_ints(most, owners)
        self.op_key = new_ints(most, owners)
        self.op_level = new_ints(most, owners)
        self.op_hash = new_longs(most, owners)
        self.op_data = new_ints(5 * most, owners)
        self.ops = 0
        self.origin = new_ints(kind.size, owners)
        self.spun = new_ints(kind.size, owners)
        self.wrong = new_ints(kind.size, owners)
        self.own = bytes_at(bytearray(size), owners)
        longest = max([len(start) for _, start in later], default=0)
        self.other = bytes_at(bytearray(longest + 1), owners)
        self.spare = bytes_at(bytearray(max(size, longest)), owners)
        self.starts = [bytes(word) for word in starts]
        self.found = []
        i: cython.int
        for i in range(len(self.starts)):
            self._lay(self.starts[i], i)

    @cython.cfunc
    def _lay(self, word: bytes, i: cython.int) -> cython.void:
        """Put a word to begin with into its level."""
        self._copy_start(word, 0)
        weight: cython.int = self.kind._weight(self.made_states, 0, self.spare)
        if weight % 2:
            return
        cost: cython.int = self.moves._total(self.made, 0, len(word))
        score: cython.int = _UNIT * cost + self.kind.price * weight // 2
        slot: cython.int = self._put(self.worst - weight // 2, score, -1 - i)
        if slot >= 0:
            self.c_data[slot * 8] = -1
            self.c_data[slot * 8 + 1] = i

    @property
    def work(self) -> int:
        """The number of insertions compared so far."""
        return self.done

    @property
    def answers(self) -> list:
        """Words that solve the kind, too, those that promise most first."""
        return self.found

    def run(self, budget: cython.longlong) -> int:
        """Search until about `budget` insertions are compared; return 1 if the search is over."""
        end: cython.longlong = self.done + budget
        node: cython.int
        count: cython.int
        while self.done < end:
            if self.index == self.ready:
                self.level += 1
                while self.level < self.levels and not self.filled[self.level]:
                    self.level += 1
                if self.level >= self.levels:
                    return 1
                count = self._make_all()
                if self.level % (self.worst + 1) == self.worst:
                    self._report()
                    self.level = self.levels
                    return 1
                self.ready = min(count, self.width)
                self.index = 0
            node = self._settle(self.index)
            self.index += 1
            with cython.nogil:
                self._expand(node)
        return 0

    @cython.cfunc
    def _make_all(self) -> cython.int:
        """Make the words of a level and rate them; return their number."""
        n: cython.int = self.filled[self.level]
        i: cython.int
        j: cython.int
        first: cython.int = self._first(self.level)
        final: cython.bint = self.level % (self.worst + 1) == self.worst
        half: cython.int = self.worst - self.level % (self.worst + 1)
        score: cython.int
        scores: list = []
        for i in range(n):
            j = (first + self.c_slot[first + i]) * 8
            if self.c_data[j] < 0:
                self._copy_start(self.starts[self.c_data[j + 1]], i)
            else:
                self._make(i, j)
            score = _UNIT * self.moves._total(self.made, i * self.room, self.made_counts[i])
            scores.append(score + (self._rest(i) if final else self.kind.price * half))
        self.order = sorted(range(n), key=scores.__getitem__)
        return n

    @cython.cfunc
    def _copy_start(self, word: bytes, i: cython.int) -> cython.void:
        k: cython.int
        size: cython.int = 2 * self.kind.size
        for k in range(len(word)):
            self.made[i * self.room + k] = word[k]
        self.made_counts[i] = len(word)
        for k in range(size):
            self.made_states[i * size + k] = self.begin[k]
        self.kind._replay(
            self.made_states, i * size, self.made, i * self.room, len(word), self.spare
        )
        if self.kind.alike:
            self.kind._name(self.made_states, i * size, self.spare)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _make(self, i: cython.int, data: cython.int) -> cython.void:
        """Make the word of a candidate, and the pieces after it."""
        node: cython.int = self.c_data[data]
        place: cython.int = self.c_data[data + 1]
        key: cython.int = self.c_data[data + 2]
        base: cython.Py_ssize_t = node * self.room
        into: cython.Py_ssize_t = i * self.room
        row: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, key) * self.kind.width
        size: cython.int = 2 * self.kind.size
        k: cython.int
        n: cython.int = 0
        for k in range(place):
            self.made[into + k] = self.words[base + k]
        n = place
        for k in range(self.kind.words[row + 1]):
            n = self.moves._push(self.made, into, n, self.kind.words[row + 2 + k])
        for k in range(place, self.counts[node]):
            n = self.moves._push(self.made, into, n, self.words[base + k])
        self.made_counts[i] = n
        for k in range(size):
            self.made_states[i * size + k] = self.states[node * size + k]
        self.kind._change(self.made_states, i * size, self.c_data, data + 3)
        if self.kind.alike:
            self.kind._name(self.made_states, i * size, self.spare)

    @cython.cfunc
    def _rest(self, i: cython.int) -> cython.int:
        """Return the expected cost of the later kinds after a word, in hundredths."""
        kind: PieceWords
        start: bytes
        k: cython.int
        total: cython.int = 0
        for kind, start in self.later:
            for k in range(2 * kind.size):
                self.other[k] = start[k]
            kind._replay(self.other, 0, self.made, i * self.room, self.made_counts[i], self.spare)
            total += kind.price * kind._weight(self.other, 0, self.spare) // 2
        return total

    @cython.cfunc
    def _report(self) -> cython.void:
        """Note the words that solve the kind."""
        words: list = [
            bytes([self.made[i * self.room + k] for k in range(self.made_counts[i])])
            for i in self.order
        ]
        self.found = list(dict.fromkeys(words))

    @cython.cfunc
    def _settle(self, place: cython.int) -> cython.int:
        """Move a made word, by its place in the order, to the nodes; return its number there."""
        i: cython.int = self.order[place]
        node: cython.int = self.nodes
        size: cython.int = 2 * self.kind.size
        k: cython.int
        for k in range(self.made_counts[i]):
            self.words[node * self.room + k] = self.made[i * self.room + k]
        for k in range(size):
            self.states[node * size + k] = self.made_states[i * size + k]
        self.counts[node] = self.made_counts[i]
        self.nodes += 1
        return node

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _first(self, level: cython.int) -> cython.int:
        """Return where the candidates of a level begin."""
        return level * self.kept + level // (self.worst + 1) * self.more

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _put(self, level: cython.int, score: cython.int, hash: cython.longlong) -> cython.int:
        """Return where the data of a candidate of a level goes, -1 if it is not kept."""
        first: cython.int = self._first(level)
        final: cython.bint = level % (self.worst + 1) == self.worst
        room: cython.int = self.kept + self.more if final else self.kept
        n: cython.int = self.filled[level]
        i: cython.int
        slot: cython.int = n
        if n == room and self.c_score[first + n - 1] <= score:
            return -1
        if not final:
            for i in range(n):
                if self.c_hash[first + self.c_slot[first + i]] == hash:
                    if self.c_score[first + i] <= score:
                        return -1
                    slot = self.c_slot[first + i]
                    n = i
                    break
        if n == room:
            n -= 1
            slot = self.c_slot[first + n]
        i = n
        while i > 0 and self.c_score[first + i - 1] > score:
            self.c_score[first + i] = self.c_score[first + i - 1]
            self.c_slot[first + i] = self.c_slot[first + i - 1]
            i -= 1
        self.c_score[first + i] = score
        self.c_slot[first + i] = slot
        self.c_hash[first + slot] = hash
        if n + 1 > self.filled[level]:
            self.filled[level] = n + 1
        return first + slot

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _add(
        self,
        node: cython.int,
        a: cython.int,
        b: cython.int,
        c: cython.int,
        t: cython.int,
        u: cython.int,
    ) -> cython.void:
        """Add a 3-cycle or, if c is -1, a twist."""
        o: cython.int = self.ops
        k: cython.int
        size: cython.int = self.kind.size
        weight: cython.int
        mixed: cython.longlong
        total: cython.longlong = 0
        level: cython.int
        self.op_data[5 * o] = a
        self.op_data[5 * o + 1] = b
        self.op_data[5 * o + 2] = c
        self.op_data[5 * o + 3] = t
        self.op_data[5 * o + 4] = u
        for k in range(2 * size):
            self.own[k] = self.states[node * 2 * size + k]
        self.kind._change(self.own, 0, self.op_data, 5 * o)
        weight = self.kind._weight(self.own, 0, self.spare)
        level = self.level - self.level % (self.worst + 1) + self.worst - weight // 2
        if level <= self.level:
            level += self.worst + 1
            if level >= self.levels:
                return
        for k in range(size):
            mixed = (k * 10007 + self.kind.label[self.own[k]]) * 131 + self.own[size + k] + 1
            mixed = mixed * 48271 % 2147483647
            mixed = mixed * mixed % 2147483647
            total += mixed * 69621 % 2147483647
        self.op_hash[o] = total
        self.op_level[o] = level
        self.op_rest[o] = self.kind.price * weight // 2
        self.op_score[o] = _NEVER
        self.ops += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _gather(self, node: cython.int) -> cython.void:
        """List the 3-cycles and the twists that solve pieces."""
        size: cython.int = self.kind.size
        poses: cython.int = self.kind.poses
        at: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, node) * 2 * size
        by: cython.Py_ssize_t = at + size
        left: cython.int = 0
        twisted: cython.int = 0
        a: cython.int
        b: cython.int
        c: cython.int
        t: cython.int
        u: cython.int
        i: cython.int
        j: cython.int
        merged: cython.bint
        self.ops = 0
        for a in range(size):
            if self.states[at + a] != a or self.states[by + a]:
                self.wrong[left] = a
                left += 1
                twisted += self.states[at + a] == a
        for i in range(left):
            a = self.wrong[i]
            b = self.states[at + a]
            t = self.kind.inverse[self.states[by + a]]
            if b == a:
                self._add(node, a, a, -1, t, 0)
                for j in range(i + 1, left):
                    b = self.wrong[j]
                    if self.states[at + b] == b:
                        self._add(node, a, b, -1, t, self.kind.inverse[self.states[by + b]])
                if twisted <= 3:
                    for b in range(size):
                        if b != a and (left <= 2 or self._is_wrong(at, b)):
                            for u in range(poses):
                                self._add(node, a, b, -1, t, u)
                continue
            c = self.states[at + b]
            if c != a:
                self._add(node, a, b, c, t, self.kind.inverse[self.states[by + b]])
            if self.kind.alike:
                self._add_alike(node, at, a, left)
            merged = c == a or left <= _FEW
            for c in range(size):
                if c in (a, b):
                    continue
                if (merged and (left <= 2 or self._is_alike(a, b, c))) or (
                    self._is_wrong(at, c) and (merged or self.states[at + c] == c)
                ):
                    for u in range(poses):
                        self._add(node, a, b, c, t, u)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _add_alike(
        self, node: cython.int, at: cython.Py_ssize_t, a: cython.int, left: cython.int
    ) -> cython.void:
        """Add 3-cycles that bring the piece at a place, and the next one, to homes of their label.

        Those of the names that the pieces have are left out.
        """
        by: cython.Py_ssize_t = at + self.kind.size
        t: cython.int = self.kind.inverse[self.states[by + a]]
        most: cython.int = _ALIKE // left
        b: cython.int
        c: cython.int
        i: cython.int
        j: cython.int
        for i in range(left):
            b = self.wrong[(a + i) % left]  # others for each piece, if there are too many
            if b == a or not self._fits(at, a, b):
                continue
            for j in range(left):
                c = self.wrong[j]
                if c in (a, b) or not self._fits(at, b, c):
                    continue
                most -= 1
                if most < 0:
                    return
                if self.states[at + a] != b or self.states[at + b] != c:
                    self._add(node, a, b, c, t, self.kind.inverse[self.states[by + b]])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_alike(self, a: cython.int, b: cython.int, c: cython.int) -> cython.bint:
        """Whether the piece of the home c is alike to one of those of a and b."""
        return self.kind.label[c] in (self.kind.label[a], self.kind.label[b])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fits(self, at: cython.Py_ssize_t, place: cython.int, home: cython.int) -> cython.bint:
        """Whether the piece at a place has the label of a home."""
        return self.kind.label[self.states[at + place]] == self.kind.label[home]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_wrong(self, at: cython.Py_ssize_t, place: cython.int) -> cython.bint:
        return self.states[at + place] != place or self.states[at + self.kind.size + place] != 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _expand(self, node: cython.int) -> cython.void:
        """Find the cheapest place of each useful cycle in a word, and keep the cheapest of all."""
        size: cython.int = self.kind.size
        poses: cython.int = self.kind.poses
        count: cython.int = self.counts[node]
        base: cython.Py_ssize_t = node * self.room
        own: cython.int = self.moves._total(self.words, base, count)
        p: cython.int = count
        o: cython.int
        k: cython.int
        a: cython.int
        b: cython.int
        c: cython.int
        t: cython.int
        u: cython.int
        x: cython.int
        y: cython.int
        key: cython.int
        score: cython.int
        row: cython.Py_ssize_t
        slot: cython.int
        if count + self.kind.width > self.room:
            return
        self._gather(node)
        for k in range(size):
            self.origin[k] = k
            self.spun[k] = 0
        self.done += cython.cast(cython.longlong, self.ops) * (count + 1)
        while True:
            for o in range(self.ops):
                a = self.op_data[5 * o]
                b = self.op_data[5 * o + 1]
                c = self.op_data[5 * o + 2]
                t = self.op_data[5 * o + 3]
                u = self.op_data[5 * o + 4]
                x = self.origin[a]
                y = self.origin[b]
                t = self.kind.product[t * poses + self.spun[a]]
                if c < 0:
                    t = self.kind.product[self.kind.inverse[self.spun[a]] * poses + t]
                    u = self.kind.product[u * poses + self.spun[b]]
                    u = self.kind.product[self.kind.inverse[self.spun[b]] * poses + u]
                    key = self.kind._twist(x, y, t, u)
                else:
                    t = self.kind.product[self.kind.inverse[self.spun[b]] * poses + t]
                    u = self.kind.product[u * poses + self.spun[b]]
                    u = self.kind.product[self.kind.inverse[self.spun[c]] * poses + u]
                    key = self.kind._cycle(x, y, self.origin[c], t, u)
                score = self.kind.cost[key]
                if score >= self.kind.far:
                    continue
                # Both ends may join or cancel moves.
                row = cython.cast(cython.Py_ssize_t, key) * self.kind.width
                score -= self._saved(base, count, p, row)
                score = _UNIT * score
                if self.op_level[o] % (self.worst + 1) == self.worst:
                    slot = self._put(self.op_level[o], _UNIT * own + score, 0)
                    if slot >= 0:
                        self._note(slot, node, o, p, key)
                elif score < self.op_score[o]:
                    self.op_score[o] = score
                    self.op_place[o] = p
                    self.op_key[o] = key
            if p == 0:
                break
            p -= 1
            x = self.words[base + p]
            y = self.moves.inverse[x] * size
            for k in range(size):
                a = self.kind.to[y + self.origin[k]]
                t = self.kind.turn[x * size + a]
                self.spun[k] = self.kind.product[self.spun[k] * poses + t]
                self.origin[k] = a
        for o in range(self.ops):
            if self.op_score[o] < _NEVER:
                score = _UNIT * own + self.op_score[o] + self.op_rest[o]
                slot = self._put(self.op_level[o], score, self.op_hash[o])
                if slot >= 0:
                    self._note(slot, node, o, self.op_place[o], self.op_key[o])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _note(
        self,
        slot: cython.int,
        node: cython.int,
        o: cython.int,
        place: cython.int,
        key: cython.int,
    ) -> cython.void:
        k: cython.int
        self.c_data[8 * slot] = node
        self.c_data[8 * slot + 1] = place
        self.c_data[8 * slot + 2] = key
        for k in range(5):
            self.c_data[8 * slot + 3 + k] = self.op_data[5 * o + k]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _saved(
        self,
        base: cython.Py_ssize_t,
        count: cython.int,
        place: cython.int,
        row: cython.Py_ssize_t,
    ) -> cython.int:
        """Return what the moves at the ends of a word save at a place."""
        length: cython.int = self.kind.words[row + 1]
        many: cython.int = self.moves.moves
        begin: cython.int = 0
        end: cython.int = length - 1
        saved: cython.int = 0
        k: cython.int = place - 1
        move: cython.int = self.kind.words[row + 2]
        other: cython.int
        both: cython.int
        while k >= 0 and begin <= end:
            other = self.words[base + k]
            both = self.moves.joined[other * many + move]
            if both == -2:
                saved += self.moves.cost[other] + self.moves.cost[move]
                begin += 1
                move = self.kind.words[row + 2 + begin]
            elif both >= 0:
                saved += self.moves.cost[other] + self.moves.cost[move] - self.moves.cost[both]
                break
            elif not self.moves.commuting[other * many + move]:
                break
            k -= 1
        k = place
        move = self.kind.words[row + 2 + end]
        while k < count and begin <= end:
            other = self.words[base + k]
            both = self.moves.joined[move * many + other]
            if both == -2:
                saved += self.moves.cost[other] + self.moves.cost[move]
                end -= 1
                move = self.kind.words[row + 2 + end]
            elif both >= 0:
                saved += self.moves.cost[other] + self.moves.cost[move] - self.moves.cost[both]
                break
            elif not self.moves.commuting[move * many + other]:
                break
            k += 1
        return saved
