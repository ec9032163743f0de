# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""A search in two phases: divide the corners into two halves, then solve each half by itself.

The turns of a half move no corner of the other half. So the second phase is two searches, and its
length is the sum of theirs. The first phase goes through all its sequences by their length. At
each end the estimates of both halves are added, which refuses nearly all ends.
"""

from __future__ import annotations

from array import array

import cython

__all__ = ["HalvesSearch", "fill_rows"]

if not cython.compiled:  # halves.pxd has these for the compiler
    from puzzlekit.engine.ranks import bytes_at, ints_at, shorts_at
    from puzzlekit.engine.statuses import EXHAUSTED, FOUND, PAUSED

_CORNERS = cython.declare(cython.int, 20)
_HALF = cython.declare(cython.int, 10)
_DEEPEST = cython.declare(cython.int, 40)  # moves of a phase
_NONE = cython.declare(cython.int, 99)  # no face: before the first move


def fill_rows(
    distance: object,
    arrivals: object,
    turns: object,
    sums: object,
    level: cython.int,
) -> int:
    """Find all entries at the next distance of a table of corners; return the number of new ones.

    - `distance`: the distances, row by row; 255 if unknown. A row has one arrangement of the
      corners, and an entry for each way to turn them.
    - `arrivals`: int32 of shape (rows, moves), the row after each move.
    - `turns`: uint16 of the same shape, the twists that each move adds to the corners of each row,
      as a number to base 3.
    - `sums`: uint16 of shape (ways, ways), the sum of each two such numbers, digit by digit modulo
      3.
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
    at: cython.Py_ssize_t
    turned: cython.Py_ssize_t
    with cython.nogil:
        for row in range(rows):
            for k in range(width):
                if entries[row * width + k] == level:
                    for move in range(moves):
                        turned = by[row * moves + move]
                        at = at_row[row * moves + move] * width + total[turned * width + k]
                        if entries[at] == 255:
                            entries[at] = level + 1
                            found += 1
    return found


@cython.final
@cython.cclass
class HalvesSearch:
    """Looks for ever shorter answers from several starts.

    A corner is a number: its label, times 3, plus its orientation. The places and labels of one
    half are 0 to 9, and those of the other half 10 to 19. Place i + 10 is opposite to place i in
    the way that `mirrored` describes.
    """

    moves: cython.int
    half_moves: cython.int
    starts: cython.int
    listed: cython.int
    limit: cython.int
    length: cython.int
    at: cython.int
    depth: cython.int
    tried: cython.p_int
    last: cython.p_int
    masks: cython.p_int
    twists: cython.p_int
    corners: cython.p_uchar
    cycles: cython.p_int
    turned: cython.p_uchar
    face: cython.p_int
    inside: cython.p_int
    allowed: cython.p_uchar
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
        #: For each face, the faces that may not follow it.
        refused: list,
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
        #: The largest number of moves of an answer.
        limit: object,
    ) -> None:
        owners: list = []
        self._owners = owners
        self.moves = len(moves)
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
        self.inside = ints_at(array("i", [move[1] for move in moves]), owners)
        triples = [triple for move in moves for triple in move[2]]
        pairs = [place for triple in triples for place in triple[:2]]
        self.cycles = ints_at(array("i", pairs), owners)
        plus = bytearray()
        for _, _, twist in triples:
            plus += bytes([corner - corner % 3 + (corner + twist) % 3 for corner in range(60)])
        self.turned = bytes_at(plus, owners)
        faces = len(refused)
        allowed = bytearray((100) * faces)
        for one in range(100):
            for other in range(faces):
                allowed[one * faces + other] = one >= faces or other not in refused[one]
        self.allowed = bytes_at(allowed, owners)
        self.listed = faces
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
        self.tried = ints_at(array("i", bytes(4 * _DEEPEST)), owners)
        self.last = ints_at(array("i", bytes(4 * _DEEPEST)), owners)
        self.masks = ints_at(array("i", bytes(4 * _DEEPEST)), owners)
        self.twists = ints_at(array("i", bytes(4 * _DEEPEST)), owners)
        self.corners = bytes_at(bytearray(_DEEPEST * _CORNERS), owners)
        self.held = bytes_at(bytearray(2 * _DEEPEST * _HALF), owners)
        self.found = ints_at(array("i", bytes(4 * 2 * _DEEPEST)), owners)

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
        self.depth = 0
        self.tried[0] = -1
        self.last[0] = _NONE
        self.masks[0] = self.start_mask[self.at]
        self.twists[0] = self.start_twist[self.at]
        for i in range(_CORNERS):
            self.corners[i] = self.start[_CORNERS * self.at + i]
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
            return self._finish(0)
        move: cython.int = self.tried[depth] + 1
        mask: cython.int = self.masks[depth]
        twist: cython.int = self.twists[depth]
        before: cython.int = self.last[depth] * self.listed
        low: cython.int = mask & 1023
        high: cython.int = mask >> 10
        value: cython.int
        corner: cython.int
        i: cython.int
        one: cython.int = _CORNERS * depth
        other: cython.int = one + _CORNERS
        while move < self.moves:
            if self.allowed[before + self.face[move]] and not (left == 1 and self.inside[move]):
                self.generated += 1
                value = self.low[(move << 10) + low] + self.high[(move << 10) + high]
                mask = value & 1048575
                value = (twist + (value >> 20)) % 3
                if self.split[3 * mask + value] <= left - 1:
                    self.expanded += 1
                    self.tried[depth] = move
                    for i in range(_CORNERS):
                        self.corners[other + i] = self.corners[one + i]
                    for i in range(5 * move, 5 * move + 5):
                        corner = self.corners[one + self.cycles[2 * i + 1]]
                        self.corners[other + self.cycles[2 * i]] = self.turned[60 * i + corner]
                    if left == 1:
                        return self._finish(depth + 1)
                    depth += 1
                    self.depth = depth
                    self.tried[depth] = -1
                    self.last[depth] = self.face[move]
                    self.masks[depth] = mask
                    self.twists[depth] = value
                    return False
            move += 1
        self.depth = depth - 1
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _finish(self, depth: cython.int) -> cython.bint:
        """Solve both halves at an end of the first phase; return whether that succeeds."""
        i: cython.int
        corner: cython.int
        most: cython.int = self.limit - self.length
        here: cython.int = _CORNERS * depth
        second: cython.int = _DEEPEST * _HALF  # where the other half begins in `held`
        self.finishing += 1
        for i in range(_HALF):
            corner = self.corners[here + i]
            self.held[corner // 3] = 3 * i + corner % 3
        one: cython.int = self._least(0, 0)
        if one > most:
            return False
        for i in range(_HALF):
            corner = self.mirrored[30 * i + self.corners[here + _HALF + i] - 30]
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
