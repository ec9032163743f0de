# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""A search that changes a word in many small steps, so that it solves many pieces with few moves.

A step inserts a move, or a move and at most `SPAN` moves later its inverse. If an inserted move
cancels with a move of the word, the step deletes or shifts moves. The moves between the two
inserted ones change few pieces if they nearly commute with the move.
"""

from __future__ import annotations

from array import array

import cython

if not cython.compiled:  # climb.pxd has these for the compiler
    from puzzlekit.engine.ranks import _bytes_at, _ints_at
    from puzzlekit.engine.word_moves import Moves

_SPAN = cython.declare(cython.int, 12)  # moves between a move and its inverse, at most
_LOST = cython.declare(cython.int, 10)  # pieces; a step that loses more is not looked at further
_SCALE = cython.declare(cython.int, 100)  # parts of a move in which `worth` is given
if not cython.compiled:
    _SPAN, _LOST, _SCALE = 12, 10, 100


@cython.final
@cython.cclass
class Climb:
    """Changes a word step by step. A step must solve pieces that are worth its moves."""

    moves: Moves
    wanted: cython.p_int
    labels: cython.p_int
    turns: cython.p_int
    at: cython.p_int
    by: cython.p_int
    word: cython.p_uchar
    made: cython.p_uchar
    count: cython.int
    room: cython.int
    alone: cython.int
    place: cython.int
    done: cython.longlong
    steps: cython.int
    there: cython.p_int
    spun: cython.p_int
    back: cython.p_int
    saved: cython.p_int
    ends: cython.p_int
    spins: cython.p_int
    news: cython.p_int
    _owners: list

    def __init__(
        self,
        moves: Moves,
        #: The label and the orientation of the piece at each place, in the state.
        labels: list,
        turns: list,
        #: The label that each place has in the solved state.
        wanted: list,
        #: The word to change.
        word: bytes,
        #: The most moves that the word may have.
        room: object,
        #: Whether moves may be inserted without their inverses, which may change parities.
        alone: object,
    ) -> None:
        owners: list = []
        self._owners = owners
        self.moves = moves
        places: cython.int = moves.places
        self.wanted = _ints_at(array("i", wanted), owners)
        self.labels = _ints_at(array("i", labels), owners)
        self.turns = _ints_at(array("i", turns), owners)
        self.at = _ints_at(array("i", labels), owners)
        self.by = _ints_at(array("i", turns), owners)
        self.room = max(len(word), room)
        self.alone = bool(alone)
        self.word = _bytes_at(bytearray(self.room + 3), owners)
        self.made = _bytes_at(bytearray(self.room + 3), owners)
        ring: cython.int = _SPAN + 1
        # For each place: where the moves from a position on bring its piece, what they add to the
        # orientation, and from where they bring the piece that ends there.
        self.there = _ints_at(array("i", bytes(4 * places * ring)), owners)
        self.spun = _ints_at(array("i", bytes(4 * places * ring)), owners)
        self.back = _ints_at(array("i", bytes(4 * places * ring)), owners)
        # For each move the cost that it saves at a position, because it joins another move.
        self.saved = _ints_at(array("i", bytes(4 * moves.moves * ring)), owners)
        size: cython.int = 8 * places + 8
        self.ends = _ints_at(array("i", bytes(size)), owners)
        self.spins = _ints_at(array("i", bytes(size)), owners)
        self.news = _ints_at(array("i", bytes(size)), owners)
        self.count = 0
        self.done = 0
        self.steps = 0
        k: cython.int
        for k in range(len(word)):
            self.count = moves._push(self.word, 0, self.count, word[k])
        self._replay()
        self._rewind(self.count)

    @property
    def work(self) -> int:
        """The number of pieces looked at so far."""
        return self.done

    @property
    def answer(self) -> bytes:
        """The word."""
        return bytes([self.word[k] for k in range(self.count)])

    @property
    def left(self) -> int:
        """The number of unsolved pieces after the word."""
        p: cython.int
        left: cython.int = 0
        for p in range(self.moves.places):
            left += self.at[p] != self.wanted[p] or self.by[p] != 0
        return left

    def run(self, worth: cython.int, budget: cython.longlong) -> int:
        """Change the word from its end to its beginning, or until about `budget` pieces are seen.

        A solved piece is worth `worth` hundredths of a move. Returns 1 if the beginning is reached;
        the next run starts at the end again.
        """
        end: cython.longlong = self.done + budget
        over: cython.int = 0
        with cython.nogil:
            while self.done < end and not over:
                if self._improve(worth):
                    continue
                if self.place == 0:
                    over = 1
                    self._rewind(self.count)
                else:
                    self._retreat()
        return over

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _replay(self) -> cython.void:
        """Set the pieces after the word."""
        p: cython.int
        q: cython.int
        k: cython.int
        turned: cython.int
        row: cython.int
        for p in range(self.moves.places):
            q = p
            turned = self.turns[p]
            for k in range(self.count):
                row = self.word[k] * self.moves.places + q
                turned += self.moves.turn[row]
                q = self.moves.target[row]
            self.at[q] = self.labels[p]
            self.by[q] = turned % self.moves.modulus[q]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _rewind(self, place: cython.int) -> cython.void:
        """Go to a position of the word, from its end."""
        base: cython.Py_ssize_t
        last: cython.int = place + _SPAN if place + _SPAN < self.count else self.count
        p: cython.int
        q: cython.int
        k: cython.int
        row: cython.int
        move: cython.int
        first: cython.int
        place_now: cython.int
        self.place = last
        base = self._row(last)
        for p in range(self.moves.places):
            self.there[base + p] = p
            self.spun[base + p] = 0
        for place_now in range(self.count - 1, last - 1, -1):
            move = self.word[place_now]
            row = move * self.moves.places
            first = self.moves.first[move]
            for k in range(self.moves.first[move], self.moves.first[move + 1]):
                p = self.moves.changed[k]
                q = self.moves.target[row + p]
                self.ends[k - first] = self.there[base + q]
                self.spins[k - first] = self.spun[base + q] + self.moves.turn[row + p]
            for k in range(self.moves.first[move], self.moves.first[move + 1]):
                p = self.moves.changed[k]
                self.there[base + p] = self.ends[k - first]
                self.spun[base + p] = self.spins[k - first]
        for p in range(self.moves.places):
            self.back[base + self.there[base + p]] = p
        self._note(last)
        while self.place > place:
            self._retreat()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _row(self, place: cython.int) -> cython.Py_ssize_t:
        return cython.cast(cython.Py_ssize_t, place % (_SPAN + 1)) * self.moves.places

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _retreat(self) -> cython.void:
        """Go to the position before the current one."""
        old: cython.Py_ssize_t = self._row(self.place)
        new: cython.Py_ssize_t = self._row(self.place - 1)
        p: cython.int
        q: cython.int
        k: cython.int
        move: cython.int
        for p in range(self.moves.places):
            self.there[new + p] = self.there[old + p]
            self.spun[new + p] = self.spun[old + p]
            self.back[new + p] = self.back[old + p]
        self.place -= 1
        move = self.word[self.place]
        for k in range(self.moves.first[move], self.moves.first[move + 1]):
            p = self.moves.changed[k]
            q = self.moves.target[move * self.moves.places + p]
            self.there[new + p] = self.there[old + q]
            self.spun[new + p] = self.spun[old + q] + self.moves.turn[move * self.moves.places + p]
            self.back[new + self.there[new + p]] = p
        self._note(self.place)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _note(self, place: cython.int) -> cython.void:
        """Note for each move the cost that it saves at a position."""
        moves: cython.int = self.moves.moves
        row: cython.int = place % (_SPAN + 1) * moves
        m: cython.int
        k: cython.int
        both: cython.int
        other: cython.int
        for m in range(moves):
            self.saved[row + m] = 0
            for k in range(place - 1, -1, -1):
                other = self.word[k]
                both = self.moves.joined[other * moves + m]
                if both != -1:
                    self.saved[row + m] = self._saving(other, m, both)
                    break
                if not self.moves.commuting[other * moves + m]:
                    break
            for k in range(place, self.count):
                other = self.word[k]
                both = self.moves.joined[m * moves + other]
                if both != -1:
                    both = self._saving(other, m, both)
                    if both > self.saved[row + m]:
                        self.saved[row + m] = both
                    break
                if not self.moves.commuting[other * moves + m]:
                    break

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _saving(self, one: cython.int, other: cython.int, both: cython.int) -> cython.int:
        """Return the cost that two moves save if they join to a third one, or cancel."""
        cost: cython.int = self.moves.cost[one] + self.moves.cost[other]
        return cost if both == -2 else cost - self.moves.cost[both]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _improve(self, worth: cython.int) -> cython.int:
        """Take the best step that begins at the current position; return 0 if none is good."""
        moves: cython.int = self.moves.moves
        m: cython.int
        d: cython.int
        k: cython.int
        last: cython.int
        value: cython.int
        cost: cython.int
        best: cython.int = 1
        move: cython.int = -1
        span: cython.int = 0
        passes: cython.int
        for m in range(moves):
            cost = self.moves.cost[m] - self.saved[self.place % (_SPAN + 1) * moves + m]
            if self.alone:
                value = self._gain(m, 0) * worth - cost * _SCALE
                if value > best:
                    best, move, span = value, m, 0
            last = self.count - self.place if self.count - self.place < _SPAN else _SPAN
            k = self.moves.inverse[m]
            passes = 1
            for d in range(1, last + 1):
                passes &= self.moves.commuting[self.word[self.place + d - 1] * moves + m]
                if passes:
                    continue
                cost = self.moves.cost[m] + self.moves.cost[k]
                cost -= self.saved[self.place % (_SPAN + 1) * moves + m]
                cost -= self.saved[(self.place + d) % (_SPAN + 1) * moves + k]
                value = self._gain(m, d) * worth - cost * _SCALE
                if value > best:
                    best, move, span = value, m, d
        if move < 0 or self.count + 2 > self.room:
            return 0
        self._apply(move, span)
        self._insert(move, span)
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _gain(self, move: cython.int, span: cython.int) -> cython.int:
        """Return how many more pieces are solved after a step."""
        here: cython.Py_ssize_t = self._row(self.place)
        later: cython.Py_ssize_t = self._row(self.place + span)
        row: cython.int = move * self.moves.places
        back: cython.int = self.moves.inverse[move] * self.moves.places
        gain: cython.int = 0
        k: cython.int
        p: cython.int
        q: cython.int
        f: cython.int
        g: cython.int
        turned: cython.int
        for k in range(self.moves.first[move], self.moves.first[move + 1]):
            p = self.moves.changed[k]
            f = self.there[here + p]
            g = self.there[here + self.moves.target[row + p]]
            turned = self.moves.turn[row + p] - self.spun[here + p]
            turned += self.spun[here + self.moves.target[row + p]]
            if span:
                q = self.back[later + g]
                turned += self.moves.turn[back + q] - self.spun[later + q]
                q = self.moves.target[back + q]
                turned += self.spun[later + q]
                g = self.there[later + q]
            gain += self._change(f, g, turned)
            if gain < -_LOST:
                self.done += k - self.moves.first[move]
                return gain
        self.done += self.moves.first[move + 1] - self.moves.first[move]
        if span == 0:
            return gain
        for k in range(self.moves.first[move], self.moves.first[move + 1]):
            q = self.moves.changed[k]
            f = self.there[later + q]
            p = self.back[here + f]
            if self.moves.target[row + p] != p or self.moves.turn[row + p]:
                continue  # its place is one of those above
            turned = self.moves.turn[back + q] - self.spun[later + q]
            q = self.moves.target[back + q]
            turned += self.spun[later + q]
            gain += self._change(f, self.there[later + q], turned)
            if gain < -_LOST:
                break
        return gain

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _apply(self, move: cython.int, span: cython.int) -> cython.void:
        """Set the pieces after a step."""
        here: cython.Py_ssize_t = self._row(self.place)
        later: cython.Py_ssize_t = self._row(self.place + span)
        row: cython.int = move * self.moves.places
        back: cython.int = self.moves.inverse[move] * self.moves.places
        n: cython.int = 0
        k: cython.int
        p: cython.int
        q: cython.int
        f: cython.int
        g: cython.int
        turned: cython.int
        for k in range(self.moves.first[move], self.moves.first[move + 1]):
            p = self.moves.changed[k]
            f = self.there[here + p]
            g = self.there[here + self.moves.target[row + p]]
            turned = self.moves.turn[row + p] - self.spun[here + p]
            turned += self.spun[here + self.moves.target[row + p]]
            if span:
                q = self.back[later + g]
                turned += self.moves.turn[back + q] - self.spun[later + q]
                q = self.moves.target[back + q]
                turned += self.spun[later + q]
                g = self.there[later + q]
            self._carry(n, f, g, turned)
            n += 1
        for k in range(
            self.moves.first[move], self.moves.first[move + 1] if span else self.moves.first[move]
        ):
            q = self.moves.changed[k]
            f = self.there[later + q]
            p = self.back[here + f]
            if self.moves.target[row + p] != p or self.moves.turn[row + p]:
                continue
            turned = self.moves.turn[back + q] - self.spun[later + q]
            q = self.moves.target[back + q]
            turned += self.spun[later + q]
            self._carry(n, f, self.there[later + q], turned)
            n += 1
        for k in range(n):
            self.at[self.ends[k]] = self.news[k]
            self.by[self.ends[k]] = self.spins[k]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _carry(
        self, n: cython.int, f: cython.int, g: cython.int, turned: cython.int
    ) -> cython.void:
        """Note that the piece at f comes to g."""
        m: cython.int = self.moves.modulus[g]
        self.ends[n] = g
        self.news[n] = self.at[f]
        turned = (self.by[f] + turned) % m
        self.spins[n] = turned + m if turned < 0 else turned

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _change(self, f: cython.int, g: cython.int, turned: cython.int) -> cython.int:
        """Return 1 if the piece at f is solved at g, and f not, -1 if it was solved, else 0."""
        m: cython.int = self.moves.modulus[g]
        change: cython.int = 0
        if m > 1:
            turned = turned % m
            if turned < 0:
                turned += m
            if f == g and turned == 0:
                return 0
            turned += self.by[f]
            if self.wanted[g] == self.at[f] and turned % m == 0:
                change = 1
        elif f == g:
            return 0
        elif self.wanted[g] == self.at[f]:
            change = 1
        if self.wanted[f] == self.at[f] and self.by[f] == 0:
            change -= 1
        return change

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _insert(self, move: cython.int, span: cython.int) -> cython.void:
        """Insert a move at the current position, and its inverse `span` moves later."""
        k: cython.int
        n: cython.int = 0
        end: cython.int = self.place + span
        for k in range(self.count + 1):
            if k == self.place:
                n = self.moves._push(self.made, 0, n, move)
            if k == end and span:
                n = self.moves._push(self.made, 0, n, self.moves.inverse[move])
            if k < self.count:
                n = self.moves._push(self.made, 0, n, self.word[k])
        self.word, self.made = self.made, self.word
        self.count = n
        self.steps += 1
        self._rewind(end + 2 if end + 2 < n else n)
