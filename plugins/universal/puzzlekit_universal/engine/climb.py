# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""A search that changes a word in many small steps, so that it solves many pieces with few moves.

A step inserts a move, or a move and at most `SPAN` moves later its inverse. If an inserted move
cancels with a move of the word, the step deletes or shifts moves. The moves between the two
inserted ones change few pieces if they nearly commute with the move. So the search looks only at
pieces that end elsewhere if two moves trade places, not at all pieces that a move changes.
"""

from __future__ import annotations

from array import array
from math import log

import cython

__all__ = ["Climb"]

if not cython.compiled:  # climb.pxd has these for the compiler
    from puzzlekit.engine.ranks import bytes_at, ints_at, new_ints
    from puzzlekit_universal.engine.word_moves import Moves

_SPAN = cython.declare(cython.int, 12)  # moves between a move and its inverse, at most
_LOST = cython.declare(cython.int, 10)  # pieces; a step that loses more is not looked at further
_HOPELESS = cython.declare(cython.int, 24)  # pieces; later inverses of a move are not tried
_TAIL = cython.declare(cython.int, 64)  # moves behind a step that may join its moves
_SCALE = cython.declare(cython.int, 100)  # parts of a move in which `worth` is given
_NOISES = cython.declare(cython.int, 4096)  # numbers from which chance chooses
_MOST_NOISE = cython.declare(cython.int, 12)  # above all of them
if not cython.compiled:
    _SPAN, _LOST, _HOPELESS, _TAIL, _SCALE, _NOISES, _MOST_NOISE = 12, 10, 24, 64, 100, 4096, 12


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
    seed: cython.longlong
    noise: cython.p_int
    there: cython.p_int
    spun: cython.p_int
    end_there: cython.p_int
    end_spun: cython.p_int
    saved: cython.p_int
    ends: cython.p_int
    spins: cython.p_int
    old_place: cython.p_int
    old_at: cython.p_int
    old_by: cython.p_int
    old: cython.int
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
        self.wanted = ints_at(array("i", wanted), owners)
        self.labels = ints_at(array("i", labels), owners)
        self.turns = ints_at(array("i", turns), owners)
        self.at = ints_at(array("i", labels), owners)
        self.by = ints_at(array("i", turns), owners)
        self.room = max(len(word), room)
        self.alone = bool(alone)
        self.word = bytes_at(bytearray(self.room + 3), owners)
        self.made = bytes_at(bytearray(self.room + 3), owners)
        ring: cython.int = _SPAN + 1
        # For each place: where the moves from a position on bring its piece, and what they add to
        # the orientation.
        self.there = new_ints(places * ring, owners)
        self.spun = new_ints(places * ring, owners)
        self.end_there = new_ints(places, owners)
        self.end_spun = new_ints(places, owners)
        # For each move the cost that it saves at a position, because it joins another move.
        self.saved = new_ints(moves.moves * ring, owners)
        self.ends = new_ints(places + 1, owners)
        self.spins = new_ints(places + 1, owners)
        # The pieces that were at some places before a step.
        size: cython.int = 4 * places * ring + 4
        self.old_place = ints_at(array("i", bytes(size)), owners)
        self.old_at = ints_at(array("i", bytes(size)), owners)
        self.old_by = ints_at(array("i", bytes(size)), owners)
        self.old = 0
        # Numbers of Gumbel's distribution in hundredths, moved so that they are positive.
        numbers = [-log(-log((k + 0.5) / _NOISES)) for k in range(_NOISES)]
        noise = array("i", [round(_SCALE * (number - numbers[0])) for number in numbers])
        self.noise = ints_at(noise, owners)
        self.seed = 1
        moves._compare()
        self.count = 0
        self.done = 0
        self.steps = 0
        k: cython.int
        for k in range(len(word)):
            self.count = moves._push(self.word, 0, self.count, word[k])
        self._replay()
        self._go_to_end()

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

    def run(self, worth: cython.int, budget: cython.longlong, heat: cython.int = 0) -> int:
        """Change the word from its end to its beginning, or until about `budget` pieces are seen.

        A solved piece is worth `worth` hundredths of a move. Returns 1 if the beginning is reached;
        the next run starts at the end again. With `heat`, chance chooses once at each position
        between all steps and none. A choice that is worse by `heat` hundredths of a move than
        another one is e times less likely.
        """
        end: cython.longlong = self.done + budget
        over: cython.int = 0
        with cython.nogil:
            while self.done < end and not over:
                if self._improve(worth, heat):
                    continue
                if self.place == 0:
                    over = 1
                    self._go_to_end()
                else:
                    self._retreat()
        return over

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _replay(self) -> cython.void:
        """Set the pieces after the word."""
        p: cython.int
        k: cython.int
        for k in range(self.count):
            self.moves._act(self.word[k], self.at, self.by, self.ends, self.spins)
        for p in range(self.moves.places):
            self.by[p] = self.by[p] % self.moves.modulus[p]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _go_to_end(self) -> cython.void:
        """Go to the end of the word."""
        p: cython.int
        for p in range(self.moves.places):
            self.end_there[p] = p
            self.end_spun[p] = 0
        self._go(self.count, self.count)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _go(self, place: cython.int, known: cython.int) -> cython.void:
        """Go to a position of the word. `end_there` and `end_spun` belong to the position `known`.

        Sets what moves from the position on do, and the same for the next `_SPAN` positions.
        """
        last: cython.int = place + _SPAN if place + _SPAN < self.count else self.count
        base: cython.Py_ssize_t
        first: cython.int
        count: cython.int
        k: cython.int
        p: cython.int
        while known != last:
            p = self.word[known if known < last else known - 1]
            first = self.moves.first[p]
            count = self.moves.first[p + 1] - first
            for k in range(count):
                p = self.moves.changed[first + k]
                if known > last:
                    p = self.moves.brought[first + k]
                self.ends[k] = self.end_there[p]
                self.spins[k] = self.end_spun[p]
            for k in range(count):
                if known > last:
                    p = self.moves.changed[first + k]
                    self.end_spun[p] = self.spins[k] + self.moves.turned[first + k]
                else:
                    p = self.moves.brought[first + k]
                    self.end_spun[p] = self.spins[k] - self.moves.turned[first + k]
                self.end_there[p] = self.ends[k]
            known += 1 if known < last else -1
        base = self._row(last)
        for p in range(self.moves.places):
            self.there[base + p] = self.end_there[p]
            self.spun[base + p] = self.end_spun[p]
        self.place = last
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
        self.place -= 1
        move = self.word[self.place]
        for k in range(self.moves.first[move], self.moves.first[move + 1]):
            p = self.moves.changed[k]
            q = self.moves.brought[k]
            self.there[new + p] = self.there[old + q]
            self.spun[new + p] = self.spun[old + q] + self.moves.turned[k]
        self.done += self.moves.places // 8
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
    def _improve(self, worth: cython.int, heat: cython.int) -> cython.int:
        """Take the best step that begins at the current position; return 0 if none is good.

        With heat, return 0 also after a step, and stay at the position.
        """
        moves: cython.int = self.moves.moves
        m: cython.int
        d: cython.int
        k: cython.int
        last: cython.int = self.count - self.place if self.count - self.place < _SPAN else _SPAN
        value: cython.int
        cost: cython.int
        gain: cython.int
        best: cython.int = 1
        move: cython.int = -1
        span: cython.int = 0
        passes: cython.int
        if heat:
            best = self._warm(heat)
        for m in range(moves):
            cost = self.moves.cost[m] - self.saved[self.place % (_SPAN + 1) * moves + m]
            if self.alone:
                value = self._gain(m) * worth - cost * _SCALE
                if value > best - _MOST_NOISE * heat:
                    if heat:
                        value += self._warm(heat)
                    if value > best:
                        best, move, span = value, m, 0
            k = self.moves.inverse[m]
            cost += self.moves.cost[k]
            passes = 1
            gain = 0
            for d in range(1, last + 1):
                if not self.moves.commuting[self.word[self.place + d - 1] * moves + m]:
                    passes = 0
                    gain += self._pass(m, d)
                    if gain < -_HOPELESS:
                        break
                if passes:
                    continue
                value = gain * worth
                value -= (cost - self.saved[(self.place + d) % (_SPAN + 1) * moves + k]) * _SCALE
                if value > best - _MOST_NOISE * heat:
                    if heat:
                        value += self._warm(heat)
                    if value > best:
                        best, move, span = value, m, d
            self._undo()
        if move < 0 or self.count + 2 > self.room:
            return 0
        if span == 0:
            self._bring(
                self._row(self.place),
                self.moves.changed,
                self.moves.brought,
                self.moves.turned,
                self.moves.first[move],
                self.moves.first[move + 1],
            )
        for d in range(1, span + 1):
            if not self.moves.commuting[self.word[self.place + d - 1] * moves + move]:
                self._pass(move, d)
        self.old = 0
        self._insert(move, span, heat)
        return heat == 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _warm(self, heat: cython.int) -> cython.int:
        """Return a random number. The largest sum of a value and such a number is the choice."""
        self.seed = self.seed * 48271 % 2147483647
        return heat * self.noise[(self.seed >> 4) % _NOISES] // _SCALE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _pass(self, move: cython.int, span: cython.int) -> cython.int:
        """Let the inverse of an inserted move come one move later; return what it gains.

        The inverse comes `span` moves behind the current position.
        """
        pair: cython.int = move * self.moves.moves + self.word[self.place + span - 1]
        return self._bring(
            self._row(self.place + span),
            self.moves.pair_place,
            self.moves.pair_end,
            self.moves.pair_turn,
            self.moves.pair_first[pair],
            self.moves.pair_first[pair + 1],
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _bring(
        self,
        base: cython.Py_ssize_t,
        places: cython.p_int,
        ends: cython.p_int,
        turns: cython.p_int,
        first: cython.int,
        last: cython.int,
    ) -> cython.int:
        """Bring pieces at some places of a row to others; return how many more are solved.

        The pieces are those from index `first` up to `last` of the three lists.
        """
        gain: cython.int = 0
        k: cython.int
        p: cython.int
        q: cython.int
        m: cython.int
        turned: cython.int
        self.done += last - first
        for k in range(first, last):
            p = self.there[base + places[k]]
            q = self.old
            self.old += 1
            self.old_place[q] = p
            self.old_at[q] = self.at[p]
            self.old_by[q] = self.by[p]
            gain -= self.at[p] == self.wanted[p] and self.by[p] == 0
        for k in range(first, last):
            q = self.there[base + ends[k]]
            p = self.old - last + k
            self.at[q] = self.old_at[p]
            m = self.moves.modulus[q]
            if m > 1:
                turned = turns[k] + self.spun[base + ends[k]] - self.spun[base + places[k]]
                turned = (self.old_by[p] + turned) % m
                self.by[q] = turned + m if turned < 0 else turned
            gain += self.at[q] == self.wanted[q] and self.by[q] == 0
        return gain

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _undo(self) -> cython.void:
        """Bring pieces back to where they were before a step."""
        p: cython.int
        while self.old > 0:
            self.old -= 1
            p = self.old_place[self.old]
            self.at[p] = self.old_at[self.old]
            self.by[p] = self.old_by[self.old]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _gain(self, move: cython.int) -> cython.int:
        """Return how many more pieces are solved after a move at the current position."""
        base: cython.Py_ssize_t = self._row(self.place)
        gain: cython.int = 0
        k: cython.int
        p: cython.int
        q: cython.int
        turned: cython.int
        for k in range(self.moves.first[move], self.moves.first[move + 1]):
            p = self.moves.changed[k]
            q = self.moves.brought[k]
            turned = self.moves.turned[k] + self.spun[base + q] - self.spun[base + p]
            gain += self._change(self.there[base + p], self.there[base + q], turned)
            self.done += 1
            if gain < -_LOST:
                break
        return gain

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
    def _insert(self, move: cython.int, span: cython.int, stays: cython.int) -> cython.void:
        """Insert a move at the current position, and its inverse `span` moves later.

        Go behind the step unless the search stays at the position.
        """
        k: cython.int
        n: cython.int = self.place
        end: cython.int = self.place + span
        base: cython.Py_ssize_t
        known: cython.int = self.place + _SPAN if self.place + _SPAN < self.count else self.count
        for k in range(self.place):
            self.made[k] = self.word[k]
        n = self.moves._push(self.made, 0, n, move)
        for k in range(self.place, end):
            n = self.moves._push(self.made, 0, n, self.word[k])
        if span:
            n = self.moves._push(self.made, 0, n, self.moves.inverse[move])
        for k in range(end, self.count):
            if k < end + _TAIL:
                n = self.moves._push(self.made, 0, n, self.word[k])
            else:
                self.made[n] = self.word[k]
                n += 1
        self.word, self.made = self.made, self.word
        k = 0  # the moves at the end that are the same
        while k < n and k < self.count and self.word[n - 1 - k] == self.made[self.count - 1 - k]:
            k += 1
        self.steps += 1
        end = self.place if stays else end + 2
        end = end if end < n else n
        if self.count - k <= known:
            base = self._row(known)
            for k in range(self.moves.places):
                self.end_there[k] = self.there[base + k]
                self.end_spun[k] = self.spun[base + k]
            known += n - self.count
            self.count = n
        else:
            self.count = n
            known = n
            for k in range(self.moves.places):
                self.end_there[k] = k
                self.end_spun[k] = 0
        self._go(end, known)
