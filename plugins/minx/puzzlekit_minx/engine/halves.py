# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""A search in two phases: divide the corners into two halves, then solve each half by itself.

The turns of a half move no corner of the other half. So the second phase is two searches, and its
length is the sum of theirs. The first phase goes through all its sequences by their length. A table
of the moves that lead nearer to its goal leaves no others to try. An end is refused unless one of
its halves is among the states near the solved one, which a filter tells, and unless the estimates
of both halves add up to few enough moves.
"""

from __future__ import annotations

from array import array
from random import Random

import cython

__all__ = ["HalvesSearch", "fill_rows"]

if not cython.compiled:  # halves.pxd has these for the compiler
    from puzzlekit.engine.ranks import (
        bytes_at,
        ints_at,
        longs_at,
        new_ints,
        new_longs,
        new_shorts,
        shorts_at,
        words_at,
    )
    from puzzlekit.engine.statuses import EXHAUSTED, FOUND, PAUSED

_CORNERS = cython.declare(cython.int, 20)
_HALF = cython.declare(cython.int, 10)
_DEEPEST = cython.declare(cython.int, 40)  # moves of a phase
_NONE = cython.declare(cython.int, 99)  # no face: before the first move
_FAR = cython.declare(cython.int, 56)  # a row of listed moves has the distance from this bit on
_EVERY = cython.declare(cython.longlong, (1 << 56) - 1)
_PRIME = cython.declare(cython.int, 67)  # the powers of 2 up to 2**65 differ modulo this number
_HASH = cython.declare(cython.int, 31)  # bits of the hash of a half
_LEAST_NEAR = cython.declare(cython.int, 5)  # the radius of the first filter
_MOST_NEAR = cython.declare(cython.int, 7)  # the radius of the last one
_LISTED = cython.declare(cython.int, 3)  # last moves of the first phase that are listed
_LONG = cython.declare(cython.int, 6)  # moves of a first phase with ends enough for a filter


def fill_rows(
    distance: object,
    arrivals: object,
    turns: object,
    sums: object,
    level: cython.int,
    back: cython.bint = False,
) -> int:
    """Find all entries at the next distance of a table of corners; return the number of new ones.

    - `distance`: the distances, row by row; 255 if unknown. A row has one arrangement of the
      corners, and an entry for each way to turn them.
    - `arrivals`: int32 of shape (rows, moves), the row after each move.
    - `turns`: uint16 of the same shape, the twists that each move adds to the corners of each row,
      as a number to base 3.
    - `sums`: uint16 of shape (ways, ways), the sum of each two such numbers, digit by digit modulo
      3.
    - `back`: whether to start at the entries without a distance. Each move must have an inverse.
    """
    rows: cython.Py_ssize_t = arrivals.shape[0]
    moves: cython.Py_ssize_t = arrivals.shape[1]
    width: cython.Py_ssize_t = sums.shape[0]
    if (
        turns.shape != arrivals.shape
        or sums.shape[1] != width
        or len(distance) != rows * width
        or not 0 <= arrivals.min() <= arrivals.max() < rows
        or max(turns.max(), sums.max()) >= width
    ):
        raise ValueError("rows of another table")
    owners: list = []
    at_row: cython.p_int = ints_at(memoryview(arrivals.reshape(-1)), owners)
    by: cython.p_ushort = shorts_at(memoryview(turns.reshape(-1)), owners)
    total: cython.p_ushort = shorts_at(memoryview(sums.reshape(-1)), owners)
    entries: cython.p_uchar = bytes_at(memoryview(distance), owners)
    found: cython.Py_ssize_t = 0
    row: cython.Py_ssize_t
    move: cython.Py_ssize_t
    k: cython.Py_ssize_t
    i: cython.Py_ssize_t
    count: cython.Py_ssize_t
    kept: cython.Py_ssize_t
    at: cython.Py_ssize_t
    turned: cython.Py_ssize_t
    start: cython.int = 255 if back else level
    end: cython.int = level if back else 255
    listed: cython.p_ushort = new_shorts(width, owners)
    with cython.nogil:
        for row in range(rows):
            count = 0
            for k in range(width):
                if entries[row * width + k] == start:
                    listed[count] = k
                    count += 1
            for move in range(moves):
                if count == 0:
                    break
                turned = by[row * moves + move] * width
                at = at_row[row * moves + move] * width
                kept = 0
                for i in range(count):
                    k = listed[i]
                    if entries[at + total[turned + k]] != end:
                        if back:
                            listed[kept] = k
                            kept += 1
                        continue
                    entries[row * width + k if back else at + total[turned + k]] = level + 1
                    found += 1
                if back:
                    count = kept
    return found


@cython.final
@cython.cclass
class HalvesSearch:
    """Looks for ever shorter answers from several starts.

    A corner is a number: its label, times 3, plus its orientation. The places and labels of one
    half are 0 to 9, and those of the other half 10 to 19. Place i + 10 is opposite to place i in
    the way that `mirrored` describes.
    """

    half_moves: cython.int
    starts: cython.int
    limit: cython.int
    length: cython.int
    at: cython.int
    depth: cython.int
    tried: cython.p_int
    todo: cython.p_longlong
    follow: cython.p_longlong
    ending: cython.p_longlong
    moved: cython.p_uchar
    before: cython.p_uchar
    rows: cython.p_longlong
    first: cython.p_int
    index: cython.p_int
    number: cython.p_int
    hashed: cython.p_uint
    held_hash: cython.p_uint
    shown: cython.p_uchar
    ended: cython.p_uchar
    endings: cython.p_int
    words: cython.p_uchar
    source: cython.p_uchar
    placed: cython.p_ushort
    cursor: cython.int
    until: cython.int
    near_mask: cython.uint
    near: cython.p_uchar
    near_bits: cython.int
    kept_near: list
    last: cython.p_int
    masks: cython.p_int
    twists: cython.p_int
    corners: cython.p_uchar
    cycles: cython.p_int
    turned: cython.p_uchar
    face: cython.p_int
    low: cython.p_int
    high: cython.p_int
    split: cython.p_uchar
    start: cython.p_uchar
    start_mask: cython.p_int
    start_twist: cython.p_int
    steps: cython.p_uchar
    half_face: cython.p_int
    mirrored: cython.p_uchar
    table: cython.p_uchar
    chosen: cython.int
    views: cython.int
    picked: cython.p_int
    seen: cython.p_uchar
    counted: cython.p_uchar
    held: cython.p_uchar
    found: cython.p_int
    found_length: cython.int
    generated: cython.longlong
    expanded: cython.longlong
    finishing: cython.longlong
    finished: cython.longlong
    answer = cython.declare(object, visibility="readonly")
    is_capped = cython.declare(object, visibility="readonly")
    _owners: list
    _near_owner: list

    def __init__(
        self,
        #: The starts: 20 corners each.
        starts: list,
        #: The moves: for each its face, whether it turns within a half, and five triples (place,
        #: place from which the corner comes, twist).
        moves: list,
        #: For each move, what it makes of each set of places of the first half, and of the second:
        #: a mask of 20 places, plus 2**20 times the sum of the twists.
        masks: tuple,
        #: The moves to try: see `MoveLists`.
        lists: object,
        #: For each mask of the places with corners of the first half, and each sum of their
        #: twists: the distance to the division into halves.
        split: object,
        #: The moves of the first half: for each its face, and the new corner of each corner, as
        #: place * 3 + orientation.
        half_moves: list,
        #: For each place of the second half and each corner of it, the corner of the first half.
        mirrored: object,
        #: Distances of some corners of a half, two in a byte.
        table: object,
        #: These corners, seen in several ways: for each way the corners in their order, and for
        #: each of them the number that every corner becomes.
        chosen: list,
        #: The filters of states of a half near the solved one, which all searches share: for each
        #: radius from 5 on, None before it is filled.
        kept_near: list,
        #: The largest number of moves of an answer.
        limit: object,
    ) -> None:
        owners: list = []
        self._owners = owners
        self.half_moves = len(half_moves)
        self.starts = len(starts)
        self.limit = limit
        self.views = len(chosen)
        self.chosen = len(chosen[0])
        self.picked = ints_at(array("i", [own for view in chosen for own, _ in view]), owners)
        self.seen = bytes_at(bytearray(b"".join([s for view in chosen for _, s in view])), owners)
        self.answer = None
        self.is_capped = False
        self.generated = self.expanded = self.finishing = self.finished = 0
        self.length = 0
        self.at = -1
        self.depth = -1
        self.found_length = 0
        self.face = ints_at(array("i", [move[0] for move in moves]), owners)
        triples = [triple for move in moves for triple in move[2]]
        pairs = [place for triple in triples for place in triple[:2]]
        self.cycles = ints_at(array("i", pairs), owners)
        plus = bytearray()
        for _, _, twist in triples:
            plus += bytes([corner - corner % 3 + (corner + twist) % 3 for corner in range(60)])
        self.turned = bytes_at(plus, owners)
        self.follow = longs_at(lists.follow, owners)
        self.ending = longs_at(lists.ending, owners)
        self.rows = longs_at(lists.rows, owners)
        self.first = ints_at(lists.first, owners)
        self.index = ints_at(lists.index, owners)
        self.endings = ints_at(lists.endings, owners)
        self.words = bytes_at(lists.words, owners)
        self.source = bytes_at(lists.source, owners)
        self.placed = shorts_at(lists.placed, owners)
        number = array("i", bytes(4 * _PRIME))
        for n in range(len(moves)):
            number[(1 << n) % _PRIME] = n
        self.number = ints_at(number, owners)
        self.todo = new_longs(_DEEPEST, owners)
        rng = Random(1)
        held_hash = array("I", [rng.getrandbits(_HASH) for _ in range(30 * _HALF)])
        hashed = array("I", bytes(4 * 180 * _CORNERS))
        shown = bytearray(180 * _CORNERS)
        for i in range(_CORNERS):
            for corner in range(60):
                for twist in range(3):
                    at = 180 * i + 60 * twist + corner
                    shown[at] = here = corner - corner % 3 + (corner + twist) % 3
                    if here // 30 == i // _HALF:
                        own = here if i < _HALF else mirrored[30 * (i - _HALF) + here - 30]
                        hashed[at] = held_hash[own // 3 * 30 + 3 * (i % _HALF) + own % 3]
        self.held_hash = words_at(held_hash, owners)
        self.hashed = words_at(hashed, owners)
        self.shown = bytes_at(shown, owners)
        self.ended = bytes_at(bytearray(_CORNERS), owners)
        self.cursor = self.until = 0
        self.kept_near = kept_near
        self.near = bytes_at(bytearray(1), owners)
        self.near_bits = 0
        self.low = ints_at(masks[0], owners)
        self.high = ints_at(masks[1], owners)
        self.split = bytes_at(split, owners)
        self.start = bytes_at(bytearray(b"".join(starts)), owners)
        held = [sum([(start[i] < 30) << i for i in range(20)]) for start in starts]
        sums = [sum([corner % 3 for corner in start if corner < 30]) % 3 for start in starts]
        self.start_mask = ints_at(array("i", held), owners)
        self.start_twist = ints_at(array("i", sums), owners)
        self.half_face = ints_at(array("i", [move[0] for move in half_moves]), owners)
        self.steps = bytes_at(bytearray(b"".join([move[1] for move in half_moves])), owners)
        self.mirrored = bytes_at(mirrored, owners)
        self.table = bytes_at(table, owners)
        counts = bytearray([bits.bit_count() for bits in range(1 << _HALF)])
        self.counted = bytes_at(counts, owners)
        self.tried = new_ints(_DEEPEST, owners)
        self.last = new_ints(_DEEPEST, owners)
        self.masks = new_ints(_DEEPEST, owners)
        self.twists = new_ints(_DEEPEST, owners)
        self.corners = bytes_at(bytearray(_CORNERS), owners)
        self.moved = bytes_at(bytearray(5), owners)
        self.before = bytes_at(bytearray(5 * _DEEPEST), owners)
        self.held = bytes_at(bytearray(2 * _DEEPEST * _HALF), owners)
        self.found = new_ints(2 * _DEEPEST, owners)

    @property
    def work(self) -> int:
        """Number of nodes so far."""
        return self.generated + self.finishing

    @property
    def nodes(self) -> list:
        """Nodes (generated, expanded) of both phases."""
        return [(self.generated, self.expanded), (self.finishing, self.finished)]

    def tighten(self, limit: int) -> None:
        """Search only answers of at most `limit` moves from now on."""
        self.limit = min(self.limit, limit)

    def run(self, budget: int) -> int:
        """Generate about `budget` more nodes; return FOUND, EXHAUSTED or PAUSED."""
        stop: cython.longlong = self.generated + self.finishing + budget
        status: cython.int
        self._choose_filter()
        with cython.nogil:
            status = self._run(stop)
        if status == FOUND:
            lengths = self.found_length % 100, self.found_length // 100
            self.answer = (
                self.at,
                [self.tried[i] for i in range(self.length)],
                [self.found[i] for i in range(lengths[0])],
                [self.found[_DEEPEST + i] for i in range(lengths[1])],
                self.length + lengths[0] + lengths[1],
            )
            self.limit = min(self.limit, self.answer[4] - 1)
        return status

    @cython.cfunc
    def _choose_filter(self) -> cython.void:
        """Take the smallest filter with all states that half of the moves can solve, if any."""
        half: cython.int = max(_LEAST_NEAR, (self.limit - self.length) // 2)
        self.near_bits = 0
        if self.length < _LONG or half > _MOST_NEAR:
            return
        kept = self.kept_near[half - _LEAST_NEAR]
        self.near_bits = 20 + 3 * (half - _LEAST_NEAR)  # a bit in 20 is set
        self.near_mask = (1 << self.near_bits) - 1
        owners: list = []
        if kept is None:
            kept = bytearray(1 << (self.near_bits - 3))
            self.near = bytes_at(kept, owners)
            for i in range(_HALF):
                self.held[i] = 3 * i
            with cython.nogil:
                self._fill_near(0, half, _NONE)
            self.kept_near[half - _LEAST_NEAR] = kept
        self.near = bytes_at(kept, owners)
        self._near_owner = owners

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fill_near(self, at: cython.int, left: cython.int, last: cython.int) -> cython.void:
        """Enter the half at `at` in `held` into the filter, and all that `left` moves reach."""
        key: cython.uint = 0
        move: cython.int
        i: cython.int
        for i in range(_HALF):
            key ^= self.held_hash[30 * i + self.held[at + i]]
        key &= self.near_mask
        self.near[key >> 3] |= 1 << (key & 7)
        if left == 0:
            return
        for move in range(self.half_moves):
            if self.half_face[move] != last:
                for i in range(_HALF):
                    self.held[at + _HALF + i] = self.steps[30 * move + self.held[at + i]]
                self._fill_near(at + _HALF, left - 1, self.half_face[move])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _row(self, at: cython.Py_ssize_t, left: cython.int, last: cython.int) -> cython.longlong:
        """Return the moves after which the goal can be reached in `left` - 1 moves, as bits."""
        nearer: cython.longlong = self.rows[at]
        distance: cython.int = nearer >> _FAR
        nearer &= _EVERY
        if left == 1:
            return nearer & self.ending[last] if distance == 1 else 0
        if distance < left - 1:
            nearer = _EVERY
        elif distance == left - 1:
            nearer |= self.rows[at + 1]
        elif distance > left:
            return 0
        return nearer & self.follow[last]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, stop: cython.longlong) -> cython.int:
        while self.generated + self.finishing < stop:
            if self.depth < 0 and not self._next_start():
                return EXHAUSTED
            if self.depth >= 0 and self._step():
                return FOUND
        return PAUSED

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _next_start(self) -> cython.bint:
        """Go to the next start of this length, or to the next length; False after the last one."""
        i: cython.int
        self.generated += 1
        self.at += 1
        if self.at == self.starts:
            self.at = 0
            self.length += 1
        if self.length > self.limit or self.length >= _DEEPEST - 1:
            return False
        if self.split[3 * self.start_mask[self.at] + self.start_twist[self.at]] > self.length:
            return True
        for i in range(_CORNERS):
            self.corners[i] = self.start[_CORNERS * self.at + i]
            self.ended[i] = self.corners[i]
        self._enter(0, self.start_mask[self.at], self.start_twist[self.at], _NONE)
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _step(self) -> cython.bint:
        """Do the next move of the first phase; return whether there is an answer."""
        depth: cython.int = self.depth
        left: cython.int = self.length - depth
        if left == 0:  # only for a start that is divided already
            self.depth = -1
            return self._finish()
        if left == _LISTED:
            if self.cursor == self.until:
                self.depth = depth - 1
                if depth:
                    self._undo(depth - 1)
                return False
            self.cursor += 1
            return self._ends(depth, self.cursor - 1)
        todo: cython.longlong = self.todo[depth]
        if todo == 0:
            self.depth = depth - 1
            if depth:
                self._undo(depth - 1)
            return False
        bit: cython.longlong = todo & -todo
        move: cython.int = self.number[bit % _PRIME]
        self.todo[depth] = todo ^ bit
        self.generated += 1
        i: cython.int
        place: cython.int
        first: cython.int = 5 * move
        self.tried[depth] = move
        for i in range(first, first + 5):
            self.moved[i - first] = self.turned[60 * i + self.corners[self.cycles[2 * i + 1]]]
        for i in range(5):
            place = self.cycles[2 * (first + i)]
            self.before[5 * depth + i] = self.corners[place]
            self.corners[place] = self.moved[i]
        if left == 1:
            for i in range(_CORNERS):
                self.ended[i] = self.corners[i]
            self._undo(depth)
            return self._finish()
        self.expanded += 1
        mask: cython.int = self.masks[depth]
        value: cython.int = (
            self.low[(move << _HALF) + (mask & 1023)] + self.high[(move << _HALF) + (mask >> _HALF)]
        )
        self._enter(
            depth + 1, value & 1048575, (self.twists[depth] + (value >> 20)) % 3, self.face[move]
        )
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _enter(
        self, depth: cython.int, mask: cython.int, twist: cython.int, last: cython.int
    ) -> cython.void:
        """Begin to go through the moves, or through the last three moves, at this depth."""
        at: cython.Py_ssize_t = 3 * (self.first[mask & 1023] + self.index[mask >> _HALF]) + twist
        self.depth = depth
        self.masks[depth] = mask
        self.twists[depth] = twist
        self.last[depth] = last
        if self.length - depth == _LISTED:
            self.cursor = self.endings[at]
            self.until = self.endings[at + 1]
        else:
            self.todo[depth] = self._row(2 * at, self.length - depth, last)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _ends(self, depth: cython.int, number: cython.Py_ssize_t) -> cython.bint:
        """Do the last moves with this number; return whether they lead to an answer."""
        self.generated += 1
        if not self.follow[self.last[depth]] >> self.words[_LISTED * number] & 1:
            return False
        i: cython.int
        base: cython.Py_ssize_t = _CORNERS * number
        one: cython.uint = 0
        other: cython.uint = 0
        if self.near_bits:
            for i in range(_HALF):
                one ^= self.hashed[self.placed[base + i] + self.corners[self.source[base + i]]]
                other ^= self.hashed[
                    self.placed[base + _HALF + i] + self.corners[self.source[base + _HALF + i]]
                ]
            one &= self.near_mask
            other &= self.near_mask
            if not (
                self.near[one >> 3] >> (one & 7) & 1 or self.near[other >> 3] >> (other & 7) & 1
            ):
                return False
        for i in range(_CORNERS):
            self.ended[i] = self.shown[self.placed[base + i] + self.corners[self.source[base + i]]]
        for i in range(_LISTED):
            self.tried[depth + i] = self.words[_LISTED * number + i]
        return self._finish()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _undo(self, depth: cython.int) -> cython.void:
        """Undo the move that was done at this depth."""
        i: cython.int
        first: cython.int = 5 * self.tried[depth]
        for i in range(5):
            self.corners[self.cycles[2 * (first + i)]] = self.before[5 * depth + i]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _finish(self) -> cython.bint:
        """Solve both halves at an end of the first phase; return whether that succeeds."""
        i: cython.int
        corner: cython.int
        most: cython.int = self.limit - self.length
        second: cython.int = _DEEPEST * _HALF  # where the other half begins in `held`
        self.finishing += 1
        for i in range(_HALF):
            corner = self.ended[i]
            self.held[corner // 3] = 3 * i + corner % 3
        one: cython.int = self._least(0, 0)
        if one > most:
            return False
        for i in range(_HALF):
            corner = self.mirrored[30 * i + self.ended[_HALF + i] - 30]
            self.held[second + corner // 3] = 3 * i + corner % 3
        other: cython.int = self._least(second, 0)
        for i in range(1, self.views):
            if one + other <= most:
                one = max(one, self._least(0, i))
            if one + other <= most:
                other = max(other, self._least(second, i))
        if one + other > most or not self._is_even():
            return False
        while one + other <= most and not self._solve(0, one, _NONE):
            one += 1
        while one + other <= most and not self._solve(second, other, _NONE):
            other += 1
        self.found_length = one + 100 * other
        return one + other <= most

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_even(self) -> cython.bint:
        """Return whether the first half is an even permutation; if so, the second half is too."""
        i: cython.int
        j: cython.int
        odd: cython.int = 0
        for i in range(_HALF):
            for j in range(i):
                odd ^= self.held[j] > self.held[i]
        return not odd

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _least(self, at: cython.int, view: cython.int) -> cython.int:
        """Return the distance of some corners of the half that begins at `at`."""
        rank: cython.longlong = 0
        turns: cython.int = 0
        power: cython.int = 1
        used: cython.int = 0
        free: cython.int = _HALF
        i: cython.int
        corner: cython.int
        place: cython.int
        for i in range(view * self.chosen, (view + 1) * self.chosen):
            corner = self.seen[30 * i + self.held[at + self.picked[i]]]
            place = corner // 3
            rank = rank * free + place - self.counted[used & ((1 << place) - 1)]
            turns = turns * 3 + corner - 3 * place
            power *= 3
            used |= 1 << place
            free -= 1
        rank = rank * power + turns
        return (self.table[rank >> 1] >> ((rank & 1) << 2)) & 15

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_near(self, at: cython.int, left: cython.int) -> cython.bint:
        """Return whether all estimates of a half are below `left`."""
        view: cython.int
        for view in range(self.views):  # noqa: SIM110 (compiled)
            if self._least(at, view) >= left:
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _solve(self, at: cython.int, left: cython.int, last: cython.int) -> cython.bint:
        """Solve the half that begins at `at` in exactly `left` moves, which are then in `found`."""
        i: cython.int
        move: cython.int
        if left == 0:
            for i in range(_HALF):  # noqa: SIM110 (compiled)
                if self.held[at + i] != 3 * i:
                    return False
            return True
        self.finished += 1
        for move in range(self.half_moves):
            if self.half_face[move] != last:
                self.finishing += 1
                for i in range(_HALF):
                    self.held[at + _HALF + i] = self.steps[30 * move + self.held[at + i]]
                if self._is_near(at + _HALF, left) and self._solve(
                    at + _HALF, left - 1, self.half_face[move]
                ):
                    self.found[at // _HALF] = move
                    return True
        return False
