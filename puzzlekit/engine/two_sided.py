# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""The search of a state and of its inverse in one tree, with a table of cosets.

A node holds a state x and its inverse y. A move m on the one side makes x m of x and the inverse of
m times y of y. A node is cut where the table says of x or of y that it takes more moves than are
left; it grows on the side that has fewer moves. T. Rokicki, "nxopt", in cube20src, has the idea.

The table tells the coset of a state. The coset of y after a move m depends on the coset of the
inverse of m only. So one look-up serves a group of moves, and moves of the subgroup need none: what
is known of y stays. y is looked up before x.

A table is larger than every cache, so what is looked up is first fetched for many nodes. The nodes
of one level are a list; it grows in parts, depth first.
"""

from __future__ import annotations

from array import array

import cython

if not cython.compiled:  # two_sided.pxd has these for the compiler
    from puzzlekit.engine.coset_layout import (
        BATCH,
        FIRST_PAIRS,
        FLIPS,
        FROM,
        KNOWN_X,
        KNOWN_Y,
        LAST_X,
        LAST_Y,
        LINE,
        MADE,
        MASK,
        MOST,
        ONE,
        SECOND_PAIRS,
        SIDE,
        TURN,
        TWO,
        WIDTH,
    )
    from puzzlekit.engine.cosets import Cosets
    from puzzlekit.engine.intrinsics import fetch
    from puzzlekit.engine.ranks import (
        _bytes_at,
        _ints_at,
        _longs_at,
        _numbers,
        _shorts_at,
        _words_at,
    )
    from puzzlekit.engine.statuses import EXHAUSTED, FOUND, PAUSED


@cython.final
@cython.cclass
class PiecePairs:
    """How the places of pieces are moved, and what they say of the inverse."""

    def __init__(self, cosets: Cosets, automaton: list, given: object) -> None:
        """`given` is a `puzzlekit.engine.coset_inputs.PieceInput`.

        automaton: for each state the list of (move, next state) that may follow on a side.
        """
        owners: list = []
        self._owners = owners
        self.cosets = cosets
        self.first_codes, self.second_codes = given.codes
        self.first_pairs, self.second_pairs = given.pairs
        if self.first_pairs > FIRST_PAIRS or self.second_pairs > SECOND_PAIRS:
            raise ValueError("up to 4 pairs of pieces of the first orbit, and 6 of the second")
        self.groups = max(given.group) + 1
        self.states = len(automaton)
        pairs_one, pairs_two = self.first_codes**2, self.second_codes**2
        shaped = (
            (given.moved[0], cosets.moves * pairs_one),
            (given.moved[1], cosets.moves * pairs_two),
            (given.words, (self.groups + 1) * 4 * pairs_one),
            (given.masks, (self.groups + 1) * pairs_two),
            (given.group, cosets.moves),
        )
        if any([len(table) != size for table, size in shaped]):
            raise ValueError("a table of pieces has another shape than it should")
        self.first_moved = _shorts_at(given.moved[0], owners)
        self.second_moved = _shorts_at(given.moved[1], owners)
        self.words = _words_at(given.words, owners)
        self.masks = _longs_at(given.masks, owners)
        # What follows each state, in runs: the moves of a group, at last those of none.
        first, via, to, runs, run, begin = [0], [], [], [0], [], []
        turning = []
        for allowed in automaton:
            told = sorted([(given.group[m] % (self.groups + 1), m, after) for m, after in allowed])
            for k, (number, m, after) in enumerate(told):
                if not k or number != told[k - 1][0]:
                    run.append(number)
                    begin.append(len(via))
                via.append(m)
                to.append(after)
            first.append(len(via))
            runs.append(len(run))
            turning.append(sum([number < self.groups for number, _, _ in told]))
        begin.append(len(via))
        self.first = _ints_at(_numbers(first), owners)
        self.via = _ints_at(_numbers(via), owners)
        self.to = _ints_at(_numbers(to), owners)
        self.runs = _ints_at(_numbers(runs), owners)
        self.group = _ints_at(_numbers(run), owners)
        self.begin = _ints_at(_numbers(begin), owners)
        self.turning = _ints_at(_numbers(turning), owners)
        # For each code of a piece its place, its turn, and what that is the other way round.
        for codes, number in ((given.codes[0], 0), (given.codes[1], 1)):
            tables = (given.places[number], given.turned[number], given.undone[number])
            if any([len(table) != codes for table in tables]):
                raise ValueError("a table of codes has another shape than it should")
        self.first_place = _bytes_at(given.places[0], owners)
        self.second_place = _bytes_at(given.places[1], owners)
        self.first_turned = _bytes_at(given.turned[0], owners)
        self.second_turned = _bytes_at(given.turned[1], owners)
        self.first_undone = _bytes_at(given.undone[0], owners)
        self.second_undone = _bytes_at(given.undone[1], owners)
        self.first_kind = _bytes_at(given.kinds[0], owners)
        self.second_kind = _bytes_at(given.kinds[1], owners)
        self.first_turns = self.first_codes // (2 * self.first_pairs)
        self.second_turns = self.second_codes // (2 * self.second_pairs)
        self.weight = _ints_at(_numbers(list(given.weights)), owners)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _slot(
        self, node: cython.p_ushort, at: cython.Py_ssize_t, group: cython.Py_ssize_t
    ) -> cython.longlong:
        """Where the entry of the inverse is, after the moves of a group."""
        words: cython.Py_ssize_t = self.first_codes * self.first_codes
        masks: cython.Py_ssize_t = group * self.second_codes * self.second_codes
        of: cython.Py_ssize_t = 4 * group * words
        word: cython.uint = (
            self.words[of + node[at]]
            + self.words[of + words + node[at + 1]]
            + self.words[of + 2 * words + node[at + 2]]
            + self.words[of + 3 * words + node[at + 3]]
        )
        mask: cython.longlong = (
            self.masks[masks + node[at + 4]]
            | self.masks[masks + node[at + 5]] << 2
            | self.masks[masks + node[at + 6]] << 4
            | self.masks[masks + node[at + 7]] << 6
            | self.masks[masks + node[at + 8]] << 8
            | self.masks[masks + node[at + 9]] << 10
        )
        every: cython.int = self.cosets.every
        return self.cosets._slot_of(
            self.cosets.class_of[word],
            (mask & 0xFFFF) & every,
            ((mask >> 16) & 0xFFFF) & every,
            (mask >> 32) & every,
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _swap(self, node: cython.p_ushort, at: cython.Py_ssize_t) -> cython.void:
        """Exchange the two sides of a node."""
        codes = cython.declare(cython.uchar[24])
        i: cython.int
        place: cython.int
        turned: cython.int
        code: cython.int
        turn: cython.int = 0
        mask: cython.int = 0
        one: cython.int = 0
        two: cython.int = 0
        flips: cython.int = 0
        known: cython.ushort
        size: cython.int = 2 * self.first_pairs
        for i in range(size):
            code = node[at + (i >> 1)]
            code = code % self.first_codes if i & 1 else code // self.first_codes
            place = self.first_place[code]
            turned = self.first_undone[code]
            codes[place] = i * self.first_turns + self.first_turned[code]
            mask |= self.first_kind[place] << i
            turn += turned * self.weight[i]
        for i in range(self.first_pairs):
            node[at + i] = codes[2 * i] * self.first_codes + codes[2 * i + 1]
        size = 2 * self.second_pairs
        for i in range(size):
            code = node[at + FIRST_PAIRS + (i >> 1)]
            code = code % self.second_codes if i & 1 else code // self.second_codes
            place = self.second_place[code]
            turned = self.second_undone[code]
            codes[place] = i * self.second_turns + self.second_turned[code]
            one |= (self.second_kind[place] & 1) << i
            two |= (self.second_kind[place] >> 1 & 1) << i
            flips |= turned << i
        for i in range(self.second_pairs):
            node[at + FIRST_PAIRS + i] = codes[2 * i] * self.second_codes + codes[2 * i + 1]
        node[at + TURN] = turn
        node[at + MASK] = mask
        node[at + ONE] = one
        node[at + TWO] = two
        node[at + FLIPS] = flips
        known = node[at + KNOWN_X]
        node[at + KNOWN_X] = node[at + KNOWN_Y]
        node[at + KNOWN_Y] = known
        known = node[at + LAST_X]
        node[at + LAST_X] = node[at + LAST_Y]
        node[at + LAST_Y] = known
        node[at + SIDE] ^= 1


@cython.final
@cython.cclass
class TwoSided:
    """Searches for answers of one length; `run` goes on for a while.

    After FOUND `answer` has the numbers of the moves.
    `generated_nodes` counts the children that the table was asked about, `expanded_nodes` the nodes
    whose children these are.
    """

    pieces: PiecePairs
    cosets: Cosets
    _owners: list
    entries: cython.p_uchar
    base: cython.int
    top: cython.int
    nodes: cython.p_ushort
    goal: cython.p_ushort
    slots: cython.p_longlong
    fresh: cython.p_longlong
    child: cython.p_ushort
    count: cython.p_int
    next: cython.p_int
    level: cython.int
    length: cython.int
    generated: cython.longlong
    expanded: cython.longlong
    left: cython.longlong
    found: cython.int

    def __init__(self, pieces: PiecePairs, entries: object, base: int, solved: tuple) -> None:
        """entries: the table; base: its base; solved: `start`'s numbers of the solved state."""
        owners: list = []
        self._owners = owners
        self.pieces = pieces
        self.cosets = pieces.cosets
        if len(entries) != self.cosets.lines * LINE:
            raise ValueError("a table of other cosets")
        if not 1 <= base <= 12:
            raise ValueError("a base from 1 to 12")
        self.entries = _bytes_at(entries, owners)
        self.base = base
        self.top = base + 3
        children = BATCH * self.cosets.moves
        self.nodes = _shorts_at(array("H", bytes(2 * WIDTH * (MOST + 1) * children)), owners)
        self.slots = _longs_at(array("q", bytes(8 * (children + BATCH))), owners)
        self.fresh = _longs_at(array("q", bytes(8 * children)), owners)
        self.child = _shorts_at(array("H", bytes(2 * 8 * children)), owners)
        self.count = _ints_at(array("i", bytes(4 * (MOST + 2))), owners)
        self.next = _ints_at(array("i", bytes(4 * (MOST + 2))), owners)
        goal = array("H", [0] * WIDTH)
        self._set(goal, solved)
        self.goal = _shorts_at(goal, owners)
        self.level = 0
        self.length = -1
        self.generated = self.expanded = 0

    def _set(self, node: object, given: tuple) -> None:
        first, second, marks = given
        if len(first) != FIRST_PAIRS or len(second) != SECOND_PAIRS:
            raise ValueError("4 and 6 pairs of pieces")
        if max(first) >= self.pieces.first_codes**2 or max(second) >= self.pieces.second_codes**2:
            raise ValueError("no pair of pieces has that code")
        self.cosets._check(marks)
        node[: TURN + 5] = array("H", [*first, *second, *marks])

    def start(self, given: tuple, state: int, length: int) -> None:
        """Set the search on a state, for answers of `length` moves.

        given: the pairs of both orbits and the marks; state: that of the automaton on the side of
        the state, after the moves that lead to it.
        """
        if not 0 <= length <= MOST:
            raise ValueError("up to 40 moves")
        if not 0 <= state < self.pieces.states:
            raise ValueError("no state of the automaton")
        node = array("H", [0] * WIDTH)
        self._set(node, given)
        node[LAST_X] = state
        at: cython.Py_ssize_t = length * BATCH * self.cosets.moves * WIDTH
        for k in range(WIDTH):
            self.nodes[at + k] = node[k]
        for level in range(MOST + 2):
            self.count[level] = self.next[level] = 0
        self.count[length] = 1
        self.level = self.length = length

    @property
    def generated_nodes(self) -> int:
        """How many children the table was asked about."""
        return self.generated

    @property
    def expanded_nodes(self) -> int:
        """How many nodes have grown."""
        return self.expanded

    @property
    def work(self) -> int:
        """What budgets count."""
        return self.generated + self.expanded

    def estimate(self, given: tuple) -> int:
        """The least number of moves that the table tells, of a state and of its inverse."""
        owners: list = []
        node = array("H", [0] * WIDTH)
        self._set(node, given)
        at: cython.p_ushort = _shorts_at(node, owners)
        inverse: cython.int = self._value(self.pieces._slot(at, 0, self.pieces.groups))
        self.pieces._swap(at, 0)
        return max(inverse, self._value(self.pieces._slot(at, 0, self.pieces.groups)))

    @property
    def answer(self) -> tuple:
        """The moves at the end of the path, and those whose inverses come last first."""
        before: list = []
        behind: list = []
        at: cython.Py_ssize_t = self.found
        level: cython.int
        step: cython.Py_ssize_t = BATCH * self.cosets.moves
        node: cython.Py_ssize_t
        for level in range(self.length):
            node = (level * step + at) * WIDTH
            made = self.nodes[node + MADE]
            (behind if made & 1 else before).append(made >> 1)
            at = self.nodes[node + FROM]
        return before[::-1], behind

    def run(self, budget: int) -> int:
        """Go on until an answer is found, about `budget` nodes are done, or there is no more."""
        if self.length < 0:
            raise ValueError("nothing was started")
        status: cython.int
        self.left = budget
        with cython.nogil:
            status = self._run()
        return status

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _value(self, slot: cython.longlong) -> cython.int:
        """The least number of moves that an entry tells."""
        code: cython.int = (self.entries[slot >> 2] >> ((slot & 3) * 2)) & 3
        if code:
            return self.base + code
        return self.entries[(slot >> 8) * LINE + LINE - 1] >> 4

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self) -> cython.int:
        step: cython.Py_ssize_t = BATCH * self.cosets.moves
        begin: cython.int
        end: cython.int
        while self.left > 0:
            if self.next[self.level] == self.count[self.level]:
                if self.level == self.length:
                    return EXHAUSTED
                self.level += 1
                continue
            begin = self.next[self.level]
            if self.level == 0:
                self.next[0] += 1
                if self._is_goal(begin * WIDTH):
                    self.found = begin
                    return FOUND
                continue
            # Above what the table can cut, nodes grow one by one.
            end = (
                begin + 1
                if self.level > self.top + 1
                else min(begin + BATCH, self.count[self.level])
            )
            self.next[self.level] = end
            self.expanded += end - begin
            self.count[self.level - 1] = 0
            self.next[self.level - 1] = 0
            if self.level > self.top + 1:
                self._grow_all(self.level * step, begin)
            else:
                self._grow(self.level * step, begin, end)
            self.level -= 1
        return PAUSED

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_goal(self, at: cython.Py_ssize_t) -> cython.int:
        k: cython.int
        for k in range(self.pieces.first_pairs):
            if self.nodes[at + k] != self.goal[k]:
                return 0
        for k in range(FIRST_PAIRS, FIRST_PAIRS + self.pieces.second_pairs):
            if self.nodes[at + k] != self.goal[k]:
                return 0
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _do_pieces(
        self, source: cython.Py_ssize_t, target: cython.Py_ssize_t, move: cython.Py_ssize_t
    ) -> cython.void:
        """Move the pieces of a node."""
        first: cython.Py_ssize_t = move * self.pieces.first_codes * self.pieces.first_codes
        second: cython.Py_ssize_t = move * self.pieces.second_codes * self.pieces.second_codes
        k: cython.int
        for k in range(FIRST_PAIRS):
            self.nodes[target + k] = self.pieces.first_moved[first + self.nodes[source + k]]
        for k in range(FIRST_PAIRS, FIRST_PAIRS + SECOND_PAIRS):
            self.nodes[target + k] = self.pieces.second_moved[second + self.nodes[source + k]]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _finish(
        self,
        target: cython.Py_ssize_t,
        source: cython.Py_ssize_t,
        number: cython.int,
        via: cython.int,
    ) -> cython.void:
        """Write what is left of a child: where it comes from."""
        self._do_pieces(source, target, self.pieces.via[via])
        self.nodes[target + LAST_X] = self.pieces.to[via]
        self.nodes[target + LAST_Y] = self.nodes[source + LAST_Y]
        self.nodes[target + SIDE] = self.nodes[source + SIDE]
        self.nodes[target + MADE] = self.pieces.via[via] << 1 | self.nodes[source + SIDE]
        self.nodes[target + FROM] = number

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _grow_all(self, base: cython.Py_ssize_t, number: cython.int) -> cython.void:
        """Write all children of a node: there is nothing that the table could cut."""
        source: cython.Py_ssize_t = (base + number) * WIDTH
        target: cython.Py_ssize_t = (base - BATCH * self.cosets.moves) * WIDTH
        i: cython.int
        state: cython.int = self.nodes[source + LAST_X]
        for i in range(self.pieces.first[state], self.pieces.first[state + 1]):
            self.cosets._do(
                self.pieces.via[i], self.nodes, source + TURN, self.nodes, target + TURN
            )
            self._finish(target, source, number, i)
            self.nodes[target + KNOWN_X] = 0
            self.nodes[target + KNOWN_Y] = 0
            target += WIDTH
            self.count[self.level - 1] += 1
            self.generated += 1
            self.left -= 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _choose_side(self, at: cython.Py_ssize_t, left: cython.int) -> cython.void:
        """Exchange the sides where fewer moves are left on the other one.

        Where x takes as many moves as are left, no move of the subgroup may be done to y: it would
        leave what x takes as it is.
        """
        bound_x: cython.int = self.nodes[at + KNOWN_X] >= left
        bound_y: cython.int = self.nodes[at + KNOWN_Y] >= left
        x: cython.int = self.nodes[at + LAST_X]
        y: cython.int = self.nodes[at + LAST_Y]
        on_x: cython.int
        on_y: cython.int
        if not bound_x:  # all moves are left on the other side
            return
        on_y = self.pieces.turning[y]
        on_x = (
            self.pieces.turning[x] if bound_y else self.pieces.first[x + 1] - self.pieces.first[x]
        )
        if on_y < on_x:
            self.pieces._swap(self.nodes, at)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _grow(self, base: cython.Py_ssize_t, begin: cython.int, end: cython.int) -> cython.void:
        """Write the children of some nodes that the table does not cut."""
        waiting: cython.int = self._ask(base, begin, end, self.level)
        self._keep(base, waiting, self.level - 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _ask(
        self, base: cython.Py_ssize_t, begin: cython.int, end: cython.int, left: cython.int
    ) -> cython.int:
        """Look up the inverses of all children; have those that are left over fetched.

        Returns how many wait; children of which nothing more is to be known are written at once.
        """
        n: cython.int
        i: cython.int
        run: cython.int
        end_of_run: cython.int
        k: cython.Py_ssize_t = 0
        state: cython.int
        value: cython.int
        after: cython.int = left - 1
        waiting: cython.int = 0
        at: cython.Py_ssize_t
        for n in range(begin, end):
            at = (base + n) * WIDTH
            self._choose_side(at, left)
            if self.nodes[at + KNOWN_Y] == 0:
                self._ask_for(k, at, self.pieces.groups)
                k += 1
            state = self.nodes[at + LAST_X]
            for run in range(self.pieces.runs[state], self.pieces.runs[state + 1]):
                if self.pieces.group[run] < self.pieces.groups:
                    self._ask_for(k, at, self.pieces.group[run])
                    k += 1
        k = 0
        for n in range(begin, end):
            at = (base + n) * WIDTH
            if self.nodes[at + KNOWN_Y] == 0:
                self.nodes[at + KNOWN_Y] = self._value(self.slots[k])
                k += 1
            state = self.nodes[at + LAST_X]
            i = self.pieces.first[state]
            self.generated += self.pieces.first[state + 1] - i
            self.left -= self.pieces.first[state + 1] - i
            for run in range(self.pieces.runs[state], self.pieces.runs[state + 1]):
                value = self.nodes[at + KNOWN_Y]
                if self.pieces.group[run] < self.pieces.groups:
                    value = self._value(self.slots[k])
                    k += 1
                if value > after:
                    continue
                end_of_run = self.pieces.begin[run + 1]
                for i in range(self.pieces.begin[run], end_of_run):
                    if value == self.top and after == self.top:
                        self._take(base, at, n, i, value)
                    else:
                        self._wait(at, n, i, value, waiting)
                        waiting += 1
        return waiting

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _ask_for(
        self, k: cython.Py_ssize_t, at: cython.Py_ssize_t, group: cython.Py_ssize_t
    ) -> cython.void:
        """Have the entry of the inverse of a node fetched, after the moves of a group."""
        slot: cython.longlong = self.pieces._slot(self.nodes, at, group)
        self.slots[k] = slot
        fetch(self.entries, slot >> 2)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _take(
        self,
        base: cython.Py_ssize_t,
        source: cython.Py_ssize_t,
        number: cython.int,
        via: cython.int,
        value: cython.int,
    ) -> cython.void:
        """Write a child whose state need not be looked up: nothing could cut it."""
        target: cython.Py_ssize_t = (
            base - BATCH * self.cosets.moves + self.count[self.level - 1]
        ) * WIDTH
        self.cosets._do(self.pieces.via[via], self.nodes, source + TURN, self.nodes, target + TURN)
        self._finish(target, source, number, via)
        self.nodes[target + KNOWN_X] = 0
        self.nodes[target + KNOWN_Y] = value
        self.count[self.level - 1] += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _wait(
        self,
        source: cython.Py_ssize_t,
        number: cython.int,
        via: cython.int,
        value: cython.int,
        waiting: cython.int,
    ) -> cython.void:
        """Note a child, and have the entry of its state fetched."""
        at: cython.Py_ssize_t = 8 * waiting
        slot: cython.longlong
        self.cosets._do(self.pieces.via[via], self.nodes, source + TURN, self.child, at)
        self.child[at + 5] = number
        self.child[at + 6] = via
        self.child[at + 7] = value
        slot = self.cosets._slot(
            self.child[at],
            self.child[at + 1],
            self.child[at + 2],
            self.child[at + 3],
            self.child[at + 4],
        )
        self.fresh[waiting] = slot
        fetch(self.entries, slot >> 2)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _keep(self, base: cython.Py_ssize_t, waiting: cython.int, after: cython.int) -> cython.void:
        """Look up the states of the children that wait, and write those that are not cut."""
        j: cython.int
        k: cython.int
        at: cython.Py_ssize_t
        value: cython.int
        number: cython.int
        target: cython.Py_ssize_t = (
            base - BATCH * self.cosets.moves + self.count[self.level - 1]
        ) * WIDTH
        for j in range(waiting):
            value = self._value(self.fresh[j])
            if value > after:
                continue
            at = 8 * j
            number = self.child[at + 5]
            for k in range(5):
                self.nodes[target + TURN + k] = self.child[at + k]
            self._finish(target, (base + number) * WIDTH, number, self.child[at + 6])
            self.nodes[target + KNOWN_X] = value
            self.nodes[target + KNOWN_Y] = self.child[at + 7]
            self.count[self.level - 1] += 1
            target += WIDTH
