# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""The search of a state and its inverse in one tree, with a table of cosets.

A node holds a state x and its inverse y. A move m replaces x by x m, and y by m^-1 y. A node is
pruned if the table's bound for x or for y exceeds the number of moves left. It is expanded on the
side with fewer moves. The idea is from T. Rokicki, "nxopt", in cube20src.

The table is indexed by the coset of a state. The coset of y after a move m depends only on the
coset of the inverse of m. So one look-up serves a group of moves, and moves of the subgroup need
none, because the bound for y stays. y is looked up before x.

A move changes the distance of the coset of x by at most 1. So the bound for x after a move is at
least the bound before it, minus 1. This does not hold for y, to which moves are applied on the
other side.

A table is larger than every cache, so entries are prefetched for many nodes at once. The nodes of
one level form a list, which is expanded in parts, depth first.
"""

from __future__ import annotations

from array import array

import cython

if not cython.compiled:  # two_sided.pxd has these for the compiler
    from puzzlekit.engine.intrinsics import fetch
    from puzzlekit.engine.ranks import (
        bytes_at,
        int_array,
        ints_at,
        longs_at,
        new_ints,
        new_longs,
        new_shorts,
        shorts_at,
        words_at,
    )
    from puzzlekit.engine.statuses import EXHAUSTED, FOUND, PAUSED
    from puzzlekit_cubes.engine.coset_layout import (
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
    from puzzlekit_cubes.engine.cosets import Cosets


@cython.final
@cython.cclass
class PiecePairs:
    """Applies moves to pairs of pieces, and computes the coset of the inverse of a state."""

    def __init__(self, cosets: Cosets, automaton: list, given: object) -> None:
        """Prepare the tables of the pieces.

        - `cosets`: the numbering of cosets.
        - `automaton`: for each state of the automaton a list of the pairs (move, next state) that
          may follow on one side.
        - `given`: a `puzzlekit_cubes.engine.coset_inputs.PieceInput`.
        """
        owners: list = []
        self._owners = owners
        self.cosets = cosets
        self.first_codes, self.second_codes = given.codes
        self.first_pairs, self.second_pairs = given.pairs
        if self.first_pairs > FIRST_PAIRS or self.second_pairs > SECOND_PAIRS:
            raise ValueError(
                "at most 4 pairs of pieces of the first orbit and 6 pairs of the second "
                "orbit are possible"
            )
        self.groups = max(given.group) + 1
        every = cosets.every
        self.every = every | every << 16 | every << 32
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
        self.first_moved = shorts_at(given.moved[0], owners)
        self.second_moved = shorts_at(given.moved[1], owners)
        self.words = words_at(given.words, owners)
        self.masks = longs_at(given.masks, owners)
        # The moves that may follow each state, in runs: one run per group, then moves of no group.
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
        self.first = ints_at(int_array(first), owners)
        self.via = ints_at(int_array(via), owners)
        self.to = ints_at(int_array(to), owners)
        self.runs = ints_at(int_array(runs), owners)
        self.group = ints_at(int_array(run), owners)
        self.begin = ints_at(int_array(begin), owners)
        self.turning = ints_at(int_array(turning), owners)
        # For each code of a piece its place, its orientation, and its inverse orientation.
        for codes, number in ((given.codes[0], 0), (given.codes[1], 1)):
            tables = (given.places[number], given.turned[number], given.undone[number])
            if any([len(table) != codes for table in tables]):
                raise ValueError("a table of codes has another shape than it should")
        self.first_place = bytes_at(given.places[0], owners)
        self.second_place = bytes_at(given.places[1], owners)
        self.first_turned = bytes_at(given.turned[0], owners)
        self.second_turned = bytes_at(given.turned[1], owners)
        self.first_undone = bytes_at(given.undone[0], owners)
        self.second_undone = bytes_at(given.undone[1], owners)
        self.first_kind = bytes_at(given.kinds[0], owners)
        self.second_kind = bytes_at(given.kinds[1], owners)
        self.first_turns = self.first_codes // (2 * self.first_pairs)
        self.second_turns = self.second_codes // (2 * self.second_pairs)
        self.weight = ints_at(int_array(list(given.weights)), owners)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _first_of(
        self, node: cython.p_ushort, at: cython.Py_ssize_t, group: cython.Py_ssize_t
    ) -> cython.longlong:
        """Return the position in `Cosets.class_of` of the inverse after a move of a group."""
        words: cython.Py_ssize_t = self.first_codes * self.first_codes
        of: cython.Py_ssize_t = 4 * group * words
        word: cython.uint = (
            self.words[of + node[at]]
            + self.words[of + words + node[at + 1]]
            + self.words[of + 2 * words + node[at + 2]]
            + self.words[of + 3 * words + node[at + 3]]
        )
        return word

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _masks_of(
        self, node: cython.p_ushort, at: cython.Py_ssize_t, group: cython.Py_ssize_t
    ) -> cython.longlong:
        """Return the masks of the inverse after a move of a group: see `Cosets._slots`."""
        masks: cython.Py_ssize_t = group * self.second_codes * self.second_codes
        return (
            self.masks[masks + node[at + 4]]
            | self.masks[masks + node[at + 5]] << 2
            | self.masks[masks + node[at + 6]] << 4
            | self.masks[masks + node[at + 7]] << 6
            | self.masks[masks + node[at + 8]] << 8
            | self.masks[masks + node[at + 9]] << 10
        ) & self.every

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
    """Searches for answers of one length, from a state and its inverse.

    After `run` has returned FOUND, `answer` has the indices of the moves.
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
    masks: cython.p_longlong
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
    tally: cython.p_longlong
    counted: cython.longlong
    first_move: cython.int

    def __init__(self, pieces: PiecePairs, entries: object, base: int, solved: tuple) -> None:
        """Make a search.

        - `pieces`: the tables that apply moves to pieces.
        - `entries`: the pruning table over cosets.
        - `base`: the base of this table (see `Based`).
        - `solved`: a description of the solved state, in the form of `given` in `start`.
        """
        owners: list = []
        self._owners = owners
        self.pieces = pieces
        self.cosets = pieces.cosets
        if len(entries) != self.cosets.lines * LINE:
            raise ValueError("a table of other cosets")
        if not 1 <= base <= 12:
            raise ValueError("a base from 1 to 12")
        self.entries = bytes_at(entries, owners)
        self.base = base
        self.top = base + 3
        children = BATCH * self.cosets.moves
        self.nodes = new_shorts(WIDTH * (MOST + 1) * children, owners)
        self.slots = new_longs(children + BATCH, owners)
        self.masks = new_longs(children + BATCH, owners)
        self.fresh = new_longs(children, owners)
        self.child = new_shorts(8 * children, owners)
        self.count = new_ints(MOST + 2, owners)
        self.next = new_ints(MOST + 2, owners)
        self.tally = new_longs(self.cosets.moves + 1, owners)
        goal = array("H", [0] * WIDTH)
        self._set(goal, solved)
        self.goal = shorts_at(goal, owners)
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

    def start(self, given: tuple, states: tuple, length: int, path: tuple = ()) -> None:
        """Start the search at the state after the moves `path`, for answers of `length` moves.

        - `given`: a tuple (first, second, marks) that describes the state x. `first` and `second`
          list the codes of the pairs of pieces in the two orbits (see `PieceInput`). `marks` are
          the five marks of x (see `puzzlekit_cubes.engine.cosets`).
        - `states`: the states of the automaton on the sides of x and of its inverse, after `path`.
        - `length`: the number of moves of an answer, without `path`.
        - `path`: the indices of moves that are applied to x first.
        """
        if not 0 <= length <= MOST:
            raise ValueError("up to 40 moves")
        if not all([0 <= move < self.cosets.moves for move in path]):
            raise ValueError("no move of these cosets")
        x, y = states
        if not (0 <= x < self.pieces.states and 0 <= y < self.pieces.states):
            raise ValueError("no state of the automaton")
        node = array("H", [0] * WIDTH)
        self._set(node, given)
        node[LAST_X], node[LAST_Y] = x, y
        at: cython.Py_ssize_t = length * BATCH * self.cosets.moves * WIDTH
        for k in range(WIDTH):
            self.nodes[at + k] = node[k]
        for move in path:
            self._do_pieces(at, at, move)
            self.cosets._do(move, self.nodes, at + TURN, self.nodes, at + TURN)
        for move in range(self.cosets.moves + 1):
            self.tally[move] = 0
        self.first_move = self.cosets.moves
        self.counted = self.generated
        for level in range(MOST + 2):
            self.count[level] = self.next[level] = 0
        self.count[length] = 1
        self.level = self.length = length

    @property
    def generated_nodes(self) -> int:
        """The number of children that were looked up in the table."""
        return self.generated

    @property
    def expanded_nodes(self) -> int:
        """The number of nodes whose children were generated."""
        return self.expanded

    @property
    def parts(self) -> list:
        """The number of nodes generated since the start, for each first move.

        If the answers have few moves, the nodes of one move may be counted for another one.
        """
        self._count_part(self.cosets.moves)
        return [self.tally[move] for move in range(self.cosets.moves)]

    @property
    def work(self) -> int:
        """The number of nodes that budgets limit."""
        return self.generated + self.expanded

    def estimate(self, given: tuple) -> int:
        """Return a lower bound on the number of moves that a state needs.

        `given` describes the state as in `start`. The bound is the larger of the table's bounds for
        the state and for its inverse.
        """
        owners: list = []
        node = array("H", [0] * WIDTH)
        self._set(node, given)
        at: cython.p_ushort = shorts_at(node, owners)
        inverse: cython.int = self._inverse_value(at)
        self.pieces._swap(at, 0)
        return max(inverse, self._inverse_value(at))

    @property
    def answer(self) -> tuple:
        """The moves of an answer: those applied to x, then those applied to y in reverse order.

        Both are lists of indices of moves. The caller must invert the moves that were applied to y.
        """
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
        """Search about `budget` more nodes. Return FOUND, EXHAUSTED or PAUSED."""
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
        """Return the lower bound of an entry."""
        code: cython.int = (self.entries[slot >> 2] >> ((slot & 3) * 2)) & 3
        if code:
            return self.base + code
        return self.entries[(slot >> 8) * LINE + LINE - 1] >> 4

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _inverse_value(self, node: cython.p_ushort) -> cython.int:
        """Return the lower bound for the inverse of a node."""
        self.slots[0] = self.pieces._first_of(node, 0, self.pieces.groups)
        self.masks[0] = self.pieces._masks_of(node, 0, self.pieces.groups)
        self.cosets._slots(self.slots, self.masks, 0, 1)
        return self._value(self.slots[0])

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
            # With more moves left than the table can prune, expand nodes one by one.
            end = (
                begin + 1
                if self.level > self.top + 1
                else min(begin + BATCH, self.count[self.level])
            )
            if self.level == self.length - 1:
                self._count_part(self.nodes[(self.level * step + begin) * WIDTH + MADE] >> 1)
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
    def _count_part(self, move: cython.int) -> cython.void:
        """Count the nodes so far for the last first move, and begin with another first move."""
        self.tally[self.first_move] += self.generated - self.counted
        self.counted = self.generated
        self.first_move = move

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
        """Write the rest of a child: its pieces, its sides, and its parent."""
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
        """Write all children of a node, because the table can prune none."""
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
        """Exchange x and y if fewer moves are possible at y than at x.

        If the bound for x equals the number of moves left, no move of the subgroup is possible at
        y, because such a move would not change the bound for x.
        """
        bound_x: cython.int = self.nodes[at + KNOWN_X] >= left
        bound_y: cython.int = self.nodes[at + KNOWN_Y] >= left
        x: cython.int = self.nodes[at + LAST_X]
        y: cython.int = self.nodes[at + LAST_Y]
        on_x: cython.int
        on_y: cython.int
        if not bound_x:  # the other side has all moves
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
        """Write the children of some nodes, except for children that the table prunes."""
        waiting: cython.int
        self._ask(base, begin, end)
        waiting = self._hear(base, begin, end)
        self._ask_more(waiting)
        self._keep(base, waiting, self.level - 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _ask(self, base: cython.Py_ssize_t, begin: cython.int, end: cython.int) -> cython.void:
        """Prefetch the entries of the inverses of all children of some nodes."""
        n: cython.int
        run: cython.int
        state: cython.int
        group: cython.int
        k: cython.Py_ssize_t = 0
        at: cython.Py_ssize_t
        for n in range(begin, end):
            at = (base + n) * WIDTH
            self._choose_side(at, self.level)
            group = self.pieces.groups
            if self.nodes[at + KNOWN_Y] == 0:
                self.slots[k] = self.pieces._first_of(self.nodes, at, group)
                self.masks[k] = self.pieces._masks_of(self.nodes, at, group)
                k += 1
            state = self.nodes[at + LAST_X]
            for run in range(self.pieces.runs[state], self.pieces.runs[state + 1]):
                group = self.pieces.group[run]
                if group < self.pieces.groups:
                    self.slots[k] = self.pieces._first_of(self.nodes, at, group)
                    self.masks[k] = self.pieces._masks_of(self.nodes, at, group)
                    k += 1
        self._request(self.slots, k)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _request(self, slots: cython.p_longlong, count: cython.Py_ssize_t) -> cython.void:
        """Compute the positions of some entries, and prefetch the entries: see `Cosets._slots`."""
        k: cython.Py_ssize_t
        begin: cython.Py_ssize_t = 0
        end: cython.Py_ssize_t
        while begin < count:
            end = min(begin + BATCH, count)
            self.cosets._slots(slots, self.masks, begin, end)
            for k in range(begin, end):
                fetch(self.entries, slots[k] >> 2)
            begin = end

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _hear(self, base: cython.Py_ssize_t, begin: cython.int, end: cython.int) -> cython.int:
        """Look up the inverses of all children, and collect the children that are left.

        Returns the number of children whose states must be looked up too. Children that need no
        further look-up are written at once.
        """
        n: cython.int
        i: cython.int
        run: cython.int
        end_of_run: cython.int
        state: cython.int
        value: cython.int
        after: cython.int = self.level - 1
        waiting: cython.int = 0
        k: cython.Py_ssize_t = 0
        at: cython.Py_ssize_t
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
    def _take(
        self,
        base: cython.Py_ssize_t,
        source: cython.Py_ssize_t,
        number: cython.int,
        via: cython.int,
        value: cython.int,
    ) -> cython.void:
        """Write a child whose state needs no look-up, because the table cannot prune it."""
        target: cython.Py_ssize_t = (
            base - BATCH * self.cosets.moves + self.count[self.level - 1]
        ) * WIDTH
        self.cosets._do(self.pieces.via[via], self.nodes, source + TURN, self.nodes, target + TURN)
        self._finish(target, source, number, via)
        self.nodes[target + KNOWN_X] = max(self.nodes[source + KNOWN_X] - 1, 0)
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
        """Add a child to the waiting ones."""
        at: cython.Py_ssize_t = 8 * waiting
        self.cosets._do(self.pieces.via[via], self.nodes, source + TURN, self.child, at)
        self.child[at + 5] = number
        self.child[at + 6] = via
        self.child[at + 7] = value

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _ask_more(self, waiting: cython.int) -> cython.void:
        """Prefetch the entries of the states of waiting children."""
        j: cython.int
        at: cython.Py_ssize_t
        two: cython.longlong
        flips: cython.longlong
        for j in range(waiting):
            at = 8 * j
            two = self.child[at + 3]
            flips = self.child[at + 4]
            self.fresh[j] = self.child[at + 1] * self.cosets.turns + self.child[at]
            self.masks[j] = self.child[at + 2] | two << 16 | flips << 32
        self._request(self.fresh, waiting)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _keep(self, base: cython.Py_ssize_t, waiting: cython.int, after: cython.int) -> cython.void:
        """Look up the states of waiting children, and write the children that are not pruned."""
        j: cython.int
        k: cython.int
        at: cython.Py_ssize_t
        value: cython.int
        number: cython.int
        source: cython.Py_ssize_t
        target: cython.Py_ssize_t = (
            base - BATCH * self.cosets.moves + self.count[self.level - 1]
        ) * WIDTH
        for j in range(waiting):
            value = self._value(self.fresh[j])
            if value > after:
                continue
            at = 8 * j
            number = self.child[at + 5]
            source = (base + number) * WIDTH
            for k in range(5):
                self.nodes[target + TURN + k] = self.child[at + k]
            self._finish(target, source, number, self.child[at + 6])
            self.nodes[target + KNOWN_X] = max(value, self.nodes[source + KNOWN_X] - 1)
            self.nodes[target + KNOWN_Y] = self.child[at + 7]
            self.count[self.level - 1] += 1
            target += WIDTH
