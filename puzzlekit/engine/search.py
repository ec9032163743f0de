# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""The search: one IDA* over integers and tables, and the chain of two of them.

Arrays in, moves out: nothing here knows a puzzle, a file or a clock. A search is resumable: `run`
works until it has something to tell or has generated as many nodes as it was allowed, and goes on
where it stopped when called again; so limits, Ctrl-C and progress are the caller's business. It
runs without the GIL; a `Space` may be shared by searches in many threads.

The source is Cython in pure Python mode: compiled when puzzlekit is installed with a compiler at
hand, and correct as plain Python (where a "pointer" is the buffer itself).

IDA*: R. E. Korf, "Depth-first iterative-deepening" (1985). Going on to longer first phases while
they can still shorten the whole: H. Kociemba's Two-Phase algorithm.
"""

from __future__ import annotations

from array import array

import cython

# What `run` returns.
PAUSED = 0
FOUND = 1
EXHAUSTED = 2

# How the distances of a phase become one estimate: their maximum, or a look-up.
JOIN_MAX = 0
JOIN_TABLE = 1

MAX_COORDINATES = 16
MAX_TABLES = 16
MAX_MOVES = 128
UNBOUNDED = 1 << 30


@cython.cfunc
def _bytes_at(buffer: object, owners: list) -> cython.p_uchar:
    """The address of a buffer of bytes, kept alive by `owners`."""
    if cython.compiled:
        view: cython.const[cython.uchar][::1] = buffer
        owners.append(view)
        return cython.cast(cython.p_uchar, cython.address(view[0]))
    return buffer


@cython.cfunc
def _shorts_at(buffer: object, owners: list) -> cython.p_ushort:
    """The address of a buffer of unsigned 16-bit numbers."""
    if cython.compiled:
        view: cython.const[cython.ushort][::1] = buffer
        owners.append(view)
        return cython.cast(cython.p_ushort, cython.address(view[0]))
    return buffer


@cython.cfunc
def _words_at(buffer: object, owners: list) -> cython.p_uint:
    """The address of a buffer of unsigned 32-bit numbers."""
    if cython.compiled:
        view: cython.const[cython.uint][::1] = buffer
        owners.append(view)
        return cython.cast(cython.p_uint, cython.address(view[0]))
    return buffer


@cython.cfunc
def _ints_at(buffer: object, owners: list) -> cython.p_int:
    """The address of a buffer of signed 32-bit numbers."""
    if cython.compiled:
        view: cython.int[::1] = buffer
        owners.append(view)
        return cython.address(view[0])
    return buffer


@cython.cfunc
def _longs_at(buffer: object, owners: list) -> cython.p_longlong:
    """The address of a buffer of signed 64-bit numbers."""
    if cython.compiled:
        view: cython.longlong[::1] = buffer
        owners.append(view)
        return cython.address(view[0])
    return buffer


def _numbers(values: object) -> array:
    """Signed 32-bit numbers; never empty, so that they have an address."""
    return array("i", values or [0])


@cython.cfunc
def _programs_at(programs: list, owners: list) -> tuple[cython.p_int, cython.p_int]:
    """Rank programs one behind the other, and where each starts."""
    flat: list = []
    offsets: list = []
    for program in programs:
        offsets.append(len(flat))
        flat += program
    return _ints_at(_numbers(flat), owners), _ints_at(_numbers(offsets), owners)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _rank_pairs(
    program: cython.p_int, at: cython.int, vector: cython.p_uchar, base: cython.Py_ssize_t
) -> cython.longlong:
    """Run a rank program that numbers labels: of pairs of pieces, or a parity."""
    kind: cython.int = program[at]
    count: cython.int = program[at + 1]
    places: cython.int = program[at + 2]
    numbers: cython.int = at + 3 + places
    n: cython.int = places // 2
    i: cython.int
    k: cython.int
    piece: cython.int
    digit: cython.int
    rank: cython.longlong = 0
    position = cython.declare(cython.int[128])
    partner = cython.declare(cython.int[128])
    if kind == 4:  # PAIRING: the second place at which the partner of a first place's piece is
        for i in range(program[numbers + 128]):
            position[i] = -1
        for i in range(n):
            piece = program[numbers + vector[base + program[at + 3 + n + i]]]
            if piece < 0 or position[piece] >= 0:
                return -1
            position[piece] = i
        for i in range(count):
            k = program[numbers + 129 + i]
            piece = program[numbers + vector[base + program[at + 3 + k]]]
            if piece < 0 or position[piece] < 0:
                return -1
            digit = partner[i] = position[piece]
            for k in range(i):
                digit -= partner[k] < partner[i]
            rank = rank * (n - i) + digit
        return rank
    if kind == 5:  # PAIR_SPLIT: is one piece of each pair at a first place, and which one
        for i in range(n):
            position[i] = 0
        for i in range(n):
            k = vector[base + program[at + 3 + i]]
            piece = program[numbers + k]
            if piece < 0 or position[piece]:
                return 2
            position[piece] = 1
            rank += program[numbers + 128 + k]
        return rank & 1
    # PARITY: that of several permutations together, by their cycles
    k = 0
    while count > 0:
        count -= 1
        n = program[numbers]
        for i in range(n):
            position[i] = -1
        for i in range(n):
            piece = program[numbers + 1 + vector[base + program[at + 3 + k + i]]]
            if piece < 0 or position[piece] >= 0:
                return -1
            position[piece] = i
        rank += n
        for i in range(n):
            if position[i] >= 0:
                rank -= 1
                piece = i
                while position[piece] >= 0:
                    digit = position[piece]
                    position[piece] = -1
                    piece = digit
        k += n
        numbers += 129
    return rank & 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _rank(
    program: cython.p_int, at: cython.int, vector: cython.p_uchar, base: cython.Py_ssize_t
) -> cython.longlong:
    """Run the rank program at `program[at]` on the bytes from `vector[base]`; -1 outside.

    The programs are made, and their kinds named, in `puzzlekit.coordinate.programs`.
    """
    kind: cython.int = program[at]
    if kind < 0 or kind > 6:
        return -1
    count: cython.int = program[at + 1]
    places: cython.int = program[at + 2]
    i: cython.int
    k: cython.int
    piece: cython.int
    digit: cython.int
    found: cython.int = 0
    rank: cython.longlong = 0
    position = cython.declare(cython.int[128])
    if kind == 0:  # ORIENTATION: digits to the base `count`
        for i in range(places):
            rank = rank * count + vector[base + program[at + 3 + i]]
        return rank
    labels: cython.int = at + 3 + places
    if kind > 3:
        return _rank_pairs(program, at, vector, base)
    if kind == 1:  # PERMUTATION: the places of `count` pieces, each among those still free
        for i in range(places):
            piece = program[labels + vector[base + program[at + 3 + i]]]
            if piece >= 0:
                position[piece] = i
                found += 1
        if found != count:
            return -1
        for i in range(count):
            digit = position[i]
            for k in range(i):
                digit -= position[k] < position[i]
            rank = rank * (places - i) + digit
        return rank
    # COMBINATION: which places hold one of the pieces, in the combinatorial number system; and
    # ORIENTED_COMBINATION, with the orientations of those pieces as further digits
    binomial: cython.int = labels + 128
    turns: cython.longlong = 0
    weight: cython.longlong = 1
    half: cython.int = places // 2 if kind == 3 else places
    digit = program[binomial + half * (count + 1)] if kind == 3 else 1
    for i in range(half):
        if program[labels + vector[base + program[at + 3 + i]]] >= 0:
            found += 1
            if found > count:
                return -1
            rank += program[binomial + i * (count + 1) + found]
            if kind == 3:
                turns += weight * vector[base + program[at + 3 + half + i]]
            weight *= digit
    return rank * weight + turns if found == count else -1


def rank(program: array, vector: bytes) -> int:
    """The rank of a vector under a rank program (signed 32-bit numbers); -1 outside its domain.

    >>> rank(array("i", [0, 3, 2, 0, 1]), bytes([2, 1]))
    7
    """
    owners: list = []
    return _rank(_ints_at(program, owners), 0, _bytes_at(vector, owners), 0)


@cython.final
@cython.cclass
class Carry:
    """How moves act on some bytes of a state: (gather, add) of each move, and their modulus.

    A modulus of 0 stands for bytes that are only moved.
    """

    width: cython.int
    moves: cython.int
    gather: cython.p_uchar
    add: cython.p_uchar
    modulus: cython.p_uchar
    turned: cython.p_uchar
    _owners: list

    def __init__(self, effects: list, modulus: bytes) -> None:
        owners: list = []
        self._owners = owners
        self.width = len(modulus)
        self.moves = len(effects)
        for gather, add in effects:
            if not len(gather) == len(add) == len(modulus):
                raise ValueError("a move has to act on every byte that is carried along")
            if max(gather, default=-1) >= len(modulus):
                raise ValueError("a move brings in bytes that are not carried along")
        self.gather = _bytes_at(b"".join([gather for gather, _ in effects]) or b"\0", owners)
        self.add = _bytes_at(b"".join([add for _, add in effects]) or b"\0", owners)
        self.turned = _bytes_at(bytes([any(add) for _, add in effects]) or b"\0", owners)
        self.modulus = _bytes_at(modulus or b"\0", owners)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _do(
        self,
        move: cython.Py_ssize_t,
        rows: cython.p_uchar,
        source: cython.Py_ssize_t,
        others: cython.p_uchar,
        target: cython.Py_ssize_t,
    ) -> cython.void:
        """Write the bytes at `rows[source]` after a move to `others[target]`."""
        j: cython.int
        value: cython.int
        width: cython.int = self.width
        for j in range(width):
            value = rows[source + self.gather[move * width + j]]
            if self.turned[move]:
                value += self.add[move * width + j]
                if self.modulus[j] and value >= self.modulus[j]:
                    value -= self.modulus[j]
            others[target + j] = value


@cython.final
@cython.cclass
class Space:
    """What a phase looks like to the engine: moves, coordinates, pruning tables, goals.

    costs: cost of each move (positive). automaton: for each state the list of (move, next state)
    that may follow. coordinates: for each (size, move table, goals), the move table flat, row by
    row (size * moves), unsigned 16 or 32 bits; the goals a list of values, or a byte for each
    value, not 0 at goals. With a rank program (a tuple) in place of the move table the coordinate
    is ranked where it is needed, on the bytes of a state that `carry` carries along; if no table
    reads it, only where all others are at a goal. tables: for each pruning table (coordinate
    numbers, bits per entry 4 or 8, bytes); the entry of a product is that of the first coordinate
    times the sizes of the others and so on. join: None for the maximum, else (radix of each table,
    estimates as unsigned 16 bits) for every vector of distances, the first distance most
    significant.
    ending: the moves that may end the phase (None: all).
    """

    moves: cython.int
    coordinates: cython.int
    tables: cython.int
    joined: cython.int
    cheapest: cython.int
    carry: Carry
    ranked: cython.int
    late: cython.p_uchar
    program: cython.p_int
    program_at: cython.p_int
    cost: cython.p_int
    first: cython.p_int
    via: cython.p_int
    follow: cython.p_int
    ending: cython.p_uchar
    goal: cython.p_int
    size: cython.p_int
    narrow = cython.declare(cython.p_ushort[16])
    wide = cython.declare(cython.p_uint[16])
    goals = cython.declare(cython.p_uchar[16])
    pruning = cython.declare(cython.p_uchar[16])
    width: cython.p_int
    bits: cython.p_int
    arity: cython.p_int
    part: cython.p_int
    part_size: cython.p_int
    radix: cython.p_int
    estimates: cython.p_ushort
    _owners: list

    def __init__(
        self,
        costs: list,
        automaton: list,
        coordinates: list,
        tables: list,
        join: tuple | None = None,
        ending: bytes | None = None,
        carry: Carry | None = None,
    ) -> None:
        if len(coordinates) > MAX_COORDINATES or len(tables) > MAX_TABLES:
            raise ValueError("at most 16 coordinates and 16 pruning tables in a phase")
        if len(costs) > MAX_MOVES or not costs or min(costs) < 1:
            raise ValueError("1 to 128 moves of positive cost in a phase")
        owners: list = []
        self._owners = owners
        if not cython.compiled:
            self.narrow, self.wide = [None] * 16, [None] * 16
            self.goals, self.pruning = [None] * 16, [None] * 16
        self.moves = len(costs)
        self.coordinates = len(coordinates)
        self.tables = len(tables)
        self.cheapest = min(costs)
        self.cost = _ints_at(_numbers(costs), owners)
        first = [0]
        listed = 0
        for allowed in automaton:
            for move, reached in allowed:
                if not (0 <= move < len(costs) and 0 <= reached < len(automaton)):
                    raise ValueError("the automaton names a move or a state that does not exist")
            listed += len(allowed)
            first.append(listed)
        self.first = _ints_at(_numbers(first), owners)
        entries = [entry for allowed in automaton for entry in allowed]
        self.via = _ints_at(_numbers([move for move, _ in entries]), owners)
        follow = [0] * (len(automaton) * len(costs))
        for state, allowed in enumerate(automaton):
            for move, reached in allowed:
                follow[state * len(costs) + move] = reached
        self.follow = _ints_at(_numbers(follow), owners)
        if ending is not None and len(ending) != len(costs):
            raise ValueError("which moves may end the phase has to be said of every move")
        self.ending = _bytes_at(ending or bytes([1]) * len(costs), owners)
        self.carry = carry or Carry([], b"")
        self._set_coordinates(coordinates)
        self._set_tables(coordinates, tables)
        read = {number for numbers, _, _ in tables for number in numbers}
        late = [not self.width[i] and i not in read for i in range(self.coordinates)]
        self.late = _bytes_at(bytes(late) or b"\0", owners)
        self.joined = JOIN_MAX if join is None else JOIN_TABLE
        radix, estimates = join or ([1], array("H", [0]))
        vectors = 1
        for size in radix:
            vectors *= size
        if len(estimates) < vectors or (join is not None and len(radix) != len(tables)):
            raise ValueError("there is no estimate for some vectors of distances")
        self.radix = _ints_at(_numbers(radix), owners)
        self.estimates = _shorts_at(estimates, owners)

    @cython.cfunc
    def _set_coordinates(self, coordinates: list) -> None:
        i: cython.int
        widths = []
        single = []
        sizes = []
        programs = []
        for i in range(self.coordinates):
            size, table, goals = coordinates[i]
            if size >= 1 << 31:
                raise ValueError("a coordinate of 2^31 values or more cannot be searched")
            entries: cython.Py_ssize_t = size * self.moves
            width = 0
            if isinstance(table, tuple):
                if self.carry.width <= max(table[3 : 3 + table[2]], default=-1):
                    raise ValueError("a coordinate reads bytes that are not carried along")
                if self.carry.moves != self.moves:
                    raise ValueError("it is not said how every move acts on the carried bytes")
                programs.append(table)
            else:
                width = memoryview(table).itemsize
                programs.append(())
                if memoryview(table).nbytes != entries * width:
                    raise ValueError("a move table has another shape than its coordinate and moves")
                if width == 2:
                    self.narrow[i] = _shorts_at(table, self._owners)
                else:
                    self.wide[i] = _words_at(table, self._owners)
                # Compiled, a number that is too large would be followed out of the tables.
                if cython.compiled and not self._all_below(i, entries, width, size):
                    raise ValueError("a move table leads out of its coordinate: it is damaged")
            widths.append(width)
            sizes.append(size)
            listed = isinstance(goals, (tuple, list))
            if listed and not all([0 <= index < size for index in goals]):
                raise ValueError("a goal is no value of its coordinate")
            single.append(goals[0] if listed and len(goals) == 1 else -1)
            if listed:
                flags = bytearray(size if len(goals) != 1 else 1)
                for index in goals if len(goals) != 1 else ():
                    flags[index] = 1
                goals = bytes(flags)
            elif len(goals) != size:
                raise ValueError("it has to be said of every value of a coordinate if it is a goal")
            self.goals[i] = _bytes_at(goals, self._owners)
        self.ranked = 0 in widths
        self.program, self.program_at = _programs_at(programs, self._owners)
        self.width = _ints_at(_numbers(widths), self._owners)
        self.goal = _ints_at(_numbers(single), self._owners)
        self.size = _ints_at(_numbers(sizes), self._owners)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _all_below(
        self, c: cython.int, entries: cython.Py_ssize_t, width: cython.int, size: cython.uint
    ) -> cython.int:
        """Whether every entry of a move table is the number of a row."""
        k: cython.Py_ssize_t
        largest: cython.uint = 0
        narrow: cython.p_ushort = self.narrow[c]
        wide: cython.p_uint = self.wide[c]
        if width == 2:
            for k in range(entries):
                largest = max(largest, narrow[k])
        else:
            for k in range(entries):
                largest = max(largest, wide[k])
        return largest < size

    @cython.cfunc
    def _set_tables(self, coordinates: list, tables: list) -> None:
        i: cython.int
        all_bits = []
        arities = []
        parts = []
        sizes = []
        for i in range(self.tables):
            numbers, bits, data = tables[i]
            entries = 1
            for number in numbers:
                entries *= coordinates[number][0]
            if not 1 <= len(numbers) <= 3 or bits not in (4, 8):
                raise ValueError("a pruning table reads 1 to 3 coordinates, 4 or 8 bits an entry")
            if entries >= 1 << 31:
                raise ValueError("a pruning table of 2^31 entries or more cannot be indexed")
            if memoryview(data).nbytes * 8 < entries * bits:
                raise ValueError("a pruning table is smaller than its coordinates need")
            all_bits.append(bits)
            arities.append(len(numbers))
            padded = [*numbers, 0, 0][:3]
            parts += padded
            sizes += [coordinates[number][0] for number in padded]
            self.pruning[i] = _bytes_at(data, self._owners)
        self.bits = _ints_at(_numbers(all_bits), self._owners)
        self.arity = _ints_at(_numbers(arities), self._owners)
        self.part = _ints_at(_numbers(parts), self._owners)
        self.part_size = _ints_at(_numbers(sizes), self._owners)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _estimate(self, values: cython.p_int, base: cython.Py_ssize_t) -> cython.int:
        """The joined estimate of the coordinates at `values[base]`."""
        t: cython.int
        p: cython.int
        distance: cython.int
        best: cython.int = 0
        mixed: cython.Py_ssize_t = 0
        index: cython.Py_ssize_t
        for t in range(self.tables):
            index = 0
            for p in range(self.arity[t]):
                index = index * self.part_size[3 * t + p] + values[base + self.part[3 * t + p]]
            if self.bits[t] == 8:
                distance = self.pruning[t][index]
            else:
                distance = (self.pruning[t][index >> 1] >> ((index & 1) << 2)) & 15
            if distance > best:
                best = distance
            mixed = mixed * self.radix[t if self.joined else 0] + distance
        return self.estimates[mixed] if self.joined else best

    def estimate(self, values: list) -> int:
        """The estimate for a list of coordinate values."""
        owners: list = []
        return self._estimate(_ints_at(_numbers(values), owners), 0)


@cython.final
@cython.cclass
class Search:
    """IDA* in one space, from one start at a time.

    `start` sets where to begin, `run` searches. A goal is reported when a path reaches it within
    the bound; with `exact` only when its cost is the bound, which lists every solution once as the
    bound grows (and needs an admissible estimate). `path` is the list of move numbers.
    """

    space: Space
    exact: cython.int
    staying: cython.int
    bound: cython.int
    next_bound: cython.int
    limit: cython.int
    depth: cython.int
    plies: cython.int
    changed: cython.int
    carried: cython.int
    strayed: cython.int
    rounds: cython.int
    round: cython.p_longlong
    generated: cython.longlong
    expanded: cython.longlong
    value: cython.p_int
    child: cython.p_int
    alive: cython.p_int
    index: cython.p_int
    mixed: cython.p_int
    count: cython.p_int
    cursor: cython.p_int
    spent: cython.p_int
    state: cython.p_int
    taken: cython.p_int
    vector: cython.p_uchar
    _owners: list

    def __init__(self, space: Space, plies: int = 64, exact: bool = False) -> None:
        self.space = space
        self.exact = exact
        self.staying = 0
        self._owners = []
        self.rounds = 0
        self.round = _longs_at(array("q", bytes(8 * 3 * 256)), self._owners)
        self.value = self.state = self.spent = self._room(max(space.coordinates, 1))
        self.vector = _bytes_at(bytearray(space.carry.width + 1), self._owners)
        self.strayed = 0
        self.generated = 0
        self.expanded = 0
        self.depth = -1
        self.bound = self.limit = self.next_bound = UNBOUNDED
        self._make_room(plies)

    @cython.cfunc
    def _make_room(self, plies: cython.int) -> None:
        """Make room for paths of so many moves; only between iterations, the root is kept."""
        space: Space = self.space
        kept = [self.value[i] for i in range(space.coordinates)]
        vector = [self.vector[i] for i in range(space.carry.width)]
        state, spent = self.state[0], self.spent[0]
        room = plies + 1
        self.plies = plies
        self._owners = self._owners[:1]  # the rounds; all else is made anew
        self.value = self._room(room * max(space.coordinates, 1))
        self.child = self._room(room * max(space.coordinates, 1) * space.moves)
        self.alive = self._room(room * space.moves)
        self.index = self._room(space.moves)
        self.mixed = self._room(space.moves)
        self.count = self._room(room)
        self.cursor = self._room(room)
        self.spent = self._room(room)
        self.state = self._room(room)
        self.taken = self._room(room)
        # One row more than the path: the bytes of a child while it is ranked.
        self.vector = _bytes_at(bytearray((room + 1) * space.carry.width + 1), self._owners)
        for i in range(space.coordinates):
            self.value[i] = kept[i]
        for i in range(space.carry.width):
            self.vector[i] = vector[i]
        self.state[0], self.spent[0] = state, spent
        self.count[0] = -1

    @cython.cfunc
    def _room(self, size: cython.Py_ssize_t) -> cython.p_int:
        return _ints_at(array("i", bytes(4 * size)), self._owners)

    def start(self, values: list, limit: int, state: int = 0, vector: bytes = b"") -> None:
        """Begin at coordinate values and an automaton state; no path may cost more than `limit`.

        `vector` holds the bytes of the state that are carried along.
        """
        i: cython.int
        if len(vector) != self.space.carry.width:
            raise ValueError("a start needs the bytes that are carried along")
        if len(values) != self.space.coordinates:
            raise ValueError("a start needs a value of every coordinate")
        for i in range(self.space.carry.width):
            self.vector[i] = vector[i]
        for i in range(self.space.coordinates):
            if not 0 <= values[i] < self.space.size[i]:
                raise ValueError("a coordinate is outside its range")
            self.value[i] = values[i]
        self.limit = limit
        self.rounds = 0
        self._begin(state, 0, self.space._estimate(self.value, 0))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _begin(self, state: cython.int, spent: cython.int, bound: cython.int) -> cython.void:
        """Start an iteration at the root, whose coordinates are in place."""
        self.state[0] = state
        self.spent[0] = spent
        self.count[0] = -1
        self.depth = 0
        self.changed = 0
        self.carried = 0
        self.bound = bound
        self.next_bound = 1 << 30

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _at_goal(self, space: Space, depth: cython.int) -> cython.int:
        base: cython.Py_ssize_t = depth * space.coordinates
        i: cython.int
        rank: cython.int
        if self.exact and self.spent[depth] != self.bound:
            return 0
        for i in range(space.coordinates):
            if space.late[i]:
                continue
            if space.goal[i] >= 0:
                if self.value[base + i] != space.goal[i]:
                    return 0
            elif not space.goals[i][self.value[base + i]]:
                return 0
        if space.ranked:
            self._carry_to(space, depth)
            for i in range(space.coordinates):
                if space.late[i]:
                    rank = self._rank_at(space, i, depth)
                    if space.goal[i] >= 0:
                        if rank != space.goal[i]:
                            return 0
                    elif not space.goals[i][rank]:
                        return 0
        if depth > 0:
            return space.ending[self.taken[depth]]
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _carry_to(self, space: Space, depth: cython.int) -> cython.void:
        """Bring the carried bytes up to the path, from where it last changed."""
        d: cython.int
        width: cython.Py_ssize_t = space.carry.width
        for d in range(self.carried, depth):
            space.carry._do(self.taken[d + 1], self.vector, d * width, self.vector, (d + 1) * width)
        self.carried = depth

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _rank_at(self, space: Space, c: cython.int, row: cython.int) -> cython.int:
        """Rank a coordinate on a row of carried bytes.

        Outside of its domain, where a declaration is wrong, it is 0 and the search has strayed.
        """
        base: cython.Py_ssize_t = row
        rank: cython.longlong = _rank(
            space.program, space.program_at[c], self.vector, base * space.carry.width
        )
        if rank < 0 or rank >= space.size[c]:
            self.strayed = 1
            return 0
        return rank

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _rank_children(self, space: Space, depth: cython.int, n: cython.int) -> cython.void:
        """Rank every coordinate that needs it for the first `n` living children of a node."""
        i: cython.int
        c: cython.int
        m: cython.int
        scratch: cython.int = self.plies + 1
        width: cython.Py_ssize_t = space.carry.width
        column: cython.Py_ssize_t
        self._carry_to(space, depth)
        for i in range(n):
            m = self.alive[depth * space.moves + i]
            space.carry._do(m, self.vector, depth * width, self.vector, scratch * width)
            for c in range(space.coordinates):
                if space.width[c] == 0 and not space.late[c]:
                    column = depth * space.coordinates + c
                    self.child[column * space.moves + m] = self._rank_at(space, c, scratch)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _step(self, space: Space, budget: cython.longlong) -> cython.int:
        """Search this iteration until a goal (FOUND), its end (EXHAUSTED) or the budget's."""
        stop: cython.longlong = self.generated + budget
        depth: cython.int = self.depth
        goal: cython.int
        move: cython.int
        i: cython.int
        target: cython.Py_ssize_t
        source: cython.Py_ssize_t
        while depth >= 0:
            if self.count[depth] < 0:  # just reached
                self.count[depth] = 0
                self.cursor[depth] = 0
                goal = self._at_goal(space, depth)
                # Nothing lies beyond a goal at the bound; what else is at the bound is expanded
                # all the same, for the next bound.
                if depth < self.plies and not (goal and self.spent[depth] == self.bound):
                    self._expand(space, depth)
                if goal:
                    self.depth = depth
                    return 1
            if self.cursor[depth] < self.count[depth]:
                if self.generated >= stop:
                    self.depth = depth
                    return 0
                move = self.alive[depth * space.moves + self.cursor[depth]]
                self.cursor[depth] += 1
                if depth < self.changed:
                    self.changed = depth
                if depth < self.carried:
                    self.carried = depth
                target = (depth + 1) * space.coordinates
                source = depth * space.coordinates * space.moves + move
                for i in range(space.coordinates):
                    self.value[target + i] = self.child[source + i * space.moves]
                self.spent[depth + 1] = self.spent[depth] + space.cost[move]
                depth += 1
                self.taken[depth] = move
                self.state[depth] = space.follow[self.state[depth - 1] * space.moves + move]
                self.count[depth] = -1
            else:
                depth -= 1
        self.depth = -1
        return 2

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _expand(self, space: Space, depth: cython.int) -> cython.void:
        """List the children of the node at `depth` that may lie within the bound.

        One pruning table at a time over all children that are still alive: which kind of table it
        is, is asked once a node and not once a child. Survivors close ranks without branches.
        """
        moves: cython.int = space.moves
        slack: cython.int = self.bound - self.spent[depth]
        room: cython.int = self.limit - self.spent[depth]
        low: cython.int = self.next_bound - self.bound
        first: cython.Py_ssize_t = depth * moves
        base: cython.Py_ssize_t = depth * space.coordinates
        column: cython.Py_ssize_t
        known: cython.int = 0
        ranked: cython.int = 0
        n: cython.int = 0
        kept: cython.int
        i: cython.int
        k: cython.int
        t: cython.int
        p: cython.int
        c: cython.int
        m: cython.int
        over: cython.int
        size: cython.int
        alive: cython.p_int = self.alive
        child: cython.p_int = self.child
        index: cython.p_int = self.index
        mixed: cython.p_int = self.mixed
        cost: cython.p_int = space.cost
        pruning: cython.p_uchar
        begin: cython.int = space.first[self.state[depth]]
        end: cython.int = space.first[self.state[depth] + 1]
        self.expanded += 1
        self.generated += end - begin
        for k in range(begin, end):
            m = space.via[k]
            over = cost[m] - slack
            if cost[m] > room:
                continue
            if over > 0:
                low = min(low, over)
            elif over < 0 or space.ending[m]:
                alive[first + n] = m
                n += 1
            else:  # a move that may not end the phase needs another after it
                low = min(low, space.cheapest)
        for t in range(space.tables):
            if n == 0:
                break
            for p in range(space.arity[t]):
                c = space.part[3 * t + p]
                if space.width[c] == 0:
                    if not ranked:
                        self._rank_children(space, depth, n)
                        ranked = 1
                elif not (known >> c) & 1:
                    self._advance(space, c, depth, n)
                    known |= 1 << c
                column = (base + c) * moves
                if p == 0:
                    for i in range(n):
                        index[i] = child[column + alive[first + i]]
                else:
                    size = space.part_size[3 * t + p]
                    for i in range(n):
                        index[i] = index[i] * size + child[column + alive[first + i]]
            pruning = space.pruning[t]
            if space.bits[t] == 8:
                for i in range(n):
                    index[i] = pruning[index[i]]
            else:
                for i in range(n):
                    k = index[i]
                    index[i] = (pruning[k >> 1] >> ((k & 1) << 2)) & 15
            if space.joined:
                size = space.radix[t]
                for i in range(n):
                    mixed[i] = (mixed[i] * size if t > 0 else 0) + index[i]
                if t < space.tables - 1:
                    continue
                for i in range(n):
                    index[i] = space.estimates[mixed[i]]
            kept = 0
            for i in range(n):
                m = alive[first + i]
                over = index[i] + cost[m] - slack
                alive[first + kept] = m
                kept += over <= 0
                if over > 0 and over < low:
                    low = over
            n = kept
        if n > 0:
            for c in range(space.coordinates):
                if space.width[c] and not (known >> c) & 1:
                    self._advance(space, c, depth, n)
        self.next_bound = self.bound + low
        self.count[depth] = n

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _advance(
        self, space: Space, c: cython.int, depth: cython.int, n: cython.int
    ) -> cython.void:
        """Look up coordinate `c` of the first `n` living children of the node at `depth`."""
        moves: cython.int = space.moves
        first: cython.Py_ssize_t = depth * moves
        column: cython.Py_ssize_t = depth * space.coordinates + c
        row: cython.Py_ssize_t = self.value[column]
        i: cython.int
        m: cython.int
        alive: cython.p_int = self.alive
        child: cython.p_int = self.child
        narrow: cython.p_ushort
        wide: cython.p_uint
        row *= moves
        column *= moves
        if space.width[c] == 2:
            narrow = space.narrow[c]
            for i in range(n):
                m = alive[first + i]
                child[column + m] = narrow[row + m]
        else:
            wide = space.wide[c]
            for i in range(n):
                m = alive[first + i]
                child[column + m] = wide[row + m]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _listed_after(self, state: cython.int, move: cython.int) -> cython.int:
        """How many moves come after this one in the list of an automaton state."""
        k: cython.int = self.space.first[state]
        while self.space.via[k] != move:
            k += 1
        return self.space.first[state + 1] - k - 1

    def stay(self, staying: bool) -> None:
        """Whether `run` is to return EXHAUSTED at the end of each iteration; it may go on then."""
        self.staying = staying

    def run(self, budget: int) -> int:
        """Search for about `budget` more nodes: FOUND, EXHAUSTED (none within the limit) or PAUSED.

        After FOUND `path` and `spent_here` tell the solution; `run` again looks for the next one.
        """
        status: cython.int
        allowed: cython.longlong = budget
        with cython.nogil:
            status = self._run(allowed)
        while status == 3:
            self._make_room(2 * self.plies)
            with cython.nogil:
                status = self._run(allowed)
        if self.strayed:
            raise ValueError("a state left the domain of a coordinate that is ranked")
        return status

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, budget: cython.longlong) -> cython.int:
        stop: cython.longlong = self.generated + budget
        status: cython.int
        # An estimate that is not admissible may exceed the limit where an answer does not: then
        # only costs are held against the limit, until no node was cut by its estimate alone.
        while self.bound < (1 << 30) and (self.bound <= self.limit or self.space.joined):
            if self.bound // self.space.cheapest > self.plies and self.limit > self.plies:
                return 3
            status = self._step(self.space, stop - self.generated)
            if status != 2:
                return status
            self._note_round()
            self._begin(self.state[0], self.spent[0], self.next_bound)
            if self.staying:
                return 2
        return 2

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _note_round(self) -> cython.void:
        """Keep the totals at the end of an iteration."""
        if self.rounds < 256:
            self.round[3 * self.rounds] = self.bound
            self.round[3 * self.rounds + 1] = self.generated
            self.round[3 * self.rounds + 2] = self.expanded
            self.rounds += 1

    @property
    def iterations(self) -> list:
        """(bound, generated, expanded) of each iteration so far, the unfinished one last."""
        r: cython.int
        rows = []
        generated: cython.longlong = 0
        expanded: cython.longlong = 0
        for r in range(self.rounds):
            rows.append(
                (
                    self.round[3 * r],
                    self.round[3 * r + 1] - generated,
                    self.round[3 * r + 2] - expanded,
                )
            )
            generated = self.round[3 * r + 1]
            expanded = self.round[3 * r + 2]
        if self.generated > generated:
            rows.append((self.bound, self.generated_nodes - generated, self.expanded - expanded))
        return rows

    @property
    def path(self) -> list:
        """The numbers of the moves from the start to the present node."""
        return [self.taken[d] for d in range(1, self.depth + 1)]

    @property
    def spent_here(self) -> int:
        """The cost of the present path."""
        return self.spent[self.depth]

    @property
    def work(self) -> int:
        """Nodes listed so far: what `run` takes its budget from."""
        return self.generated

    @property
    def f_bound(self) -> int:
        """The bound on g + h of the present iteration; no solution costs less when admissible."""
        return self.bound

    @property
    def expanded_nodes(self) -> int:
        """How many nodes had their children listed, over all iterations."""
        return self.expanded

    @property
    def generated_nodes(self) -> int:
        """How many children were generated, in the order of the search, before any bound test.

        Children are listed a node at a time; those listed but not yet reached are taken off.
        """
        pending: cython.longlong = 0
        depth: cython.int
        for depth in range(self.depth):
            pending += self._listed_after(self.state[depth], self.taken[depth + 1])
        return self.generated - pending


@cython.final
@cython.cclass
class Link:
    """What passes from an outer phase to an inner one; shared by all searches.

    carry: how the outer moves act on the bytes that the inner phase ranks. programs: the rank
    programs of the inner coordinates on them. seam: the inner automaton's state after no outer move
    and after each of them. cap: no inner path that costs more is tried.
    """

    carry: Carry
    width: cython.int
    cap: cython.int
    program: cython.p_int
    program_at: cython.p_int
    seam: cython.p_int
    _owners: list

    def __init__(self, carry: Carry, programs: list, seam: list, cap: int) -> None:
        owners: list = []
        self._owners = owners
        self.carry = carry
        self.width = carry.width
        self.cap = cap
        self.program, self.program_at = _programs_at(programs, owners)
        self.seam = _ints_at(_numbers(seam), owners)


@cython.final
@cython.cclass
class Premoves:
    """Starts some moves off: solving q and then the state, and doing q at the end, is as good.

    With q done before it, byte j of a state whose pieces all differ becomes
    `(tables[q][base[j] + state[via[j]]] + state[j] * turned[j]) % modulus[j]`: `via` is the byte of
    the label at that place (j itself for a label), `base` where the table of labels or turns of its
    orbit starts. sequences: the moves of each q in the order in which they end the solution, the
    empty one among them; costs: theirs. programs: rank programs of the outer coordinates on a whole
    state. picked: the bytes of a state that are carried along.
    """

    width: cython.int
    span: cython.int
    count: cython.int
    carried: cython.int
    via: cython.p_int
    base: cython.p_int
    turned: cython.p_int
    modulus: cython.p_int
    table: cython.p_uchar
    first: cython.p_int
    move: cython.p_int
    cost: cython.p_int
    program: cython.p_int
    program_at: cython.p_int
    picked: cython.p_int
    _owners: list

    def __init__(
        self,
        via: list,
        base: list,
        modulus: list,
        tables: list,
        sequences: list,
        costs: list,
        programs: list,
        picked: list,
    ) -> None:
        owners: list = []
        self._owners = owners
        self.width = len(via)
        self.span = len(tables[0])
        self.count = len(sequences)
        self.carried = len(picked)
        self.via = _ints_at(_numbers(via), owners)
        self.base = _ints_at(_numbers(base), owners)
        self.turned = _ints_at(_numbers([via[j] != j for j in range(len(via))]), owners)
        self.modulus = _ints_at(_numbers([m or 256 for m in modulus]), owners)
        self.table = _bytes_at(b"".join(tables), owners)
        starts = [0]
        flat: list = []
        for sequence in sequences:
            flat += reversed(sequence)
            starts.append(len(flat))
        self.first = _ints_at(_numbers(starts), owners)
        self.move = _ints_at(_numbers(flat), owners)
        self.cost = _ints_at(_numbers(costs), owners)
        self.program, self.program_at = _programs_at(programs, owners)
        self.picked = _ints_at(_numbers(picked), owners)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _prepend(
        self, move: cython.int, source: cython.p_uchar, target: cython.p_uchar
    ) -> cython.void:
        """Do a move before the state in `source`."""
        j: cython.int
        value: cython.int
        at: cython.Py_ssize_t = move
        at *= self.span
        for j in range(self.width):
            value = self.table[at + self.base[j] + source[self.via[j]]]
            value += source[j] * self.turned[j]
            target[j] = value % self.modulus[j]


@cython.final
@cython.cclass
class ImproveSearch:
    """Two phases in a chain, from many starts under one bound, giving ever shorter answers.

    outer, inner: the spaces of the phases; link: what passes between them; premoves: the starts
    made of each of the `states` (bytes), which are images of one state. limit: no answer may cost
    more.

    First phases are tried in order of their cost, over all starts; each is followed by the
    cheapest second phase within what is left. After FOUND, `answer` tells the solution and the
    limit is one less than its cost. EXHAUSTED means that no answer within the limit exists, unless
    `is_capped`.

    The estimates of both phases have to be admissible.

    Starts that are the same to the outer phase (R and R' before a state, where R2 is a move of the
    inner phase) share its search, and each end of it is followed up for all of them.
    """

    outer: Search
    inner: Search
    link: Link
    limit: cython.int
    bound: cython.int
    at: cython.int
    member: cython.int
    members: cython.int
    inside: cython.int
    capped: cython.int
    starts: cython.int
    sequences: cython.int
    roots: cython.p_int
    spent: cython.p_int
    least: cython.p_int
    alike: cython.p_int
    carried: cython.p_uchar
    origin: cython.p_uchar
    _owners: list

    def __init__(
        self,
        outer: Space,
        inner: Space,
        link: Link,
        premoves: Premoves,
        states: list,
        limit: int,
        plies: int = 64,
    ) -> None:
        owners: list = []
        self._owners = owners
        self.outer = Search(outer, plies, True)
        self.inner = Search(inner, plies)
        self.link = link
        self.sequences = premoves.count
        self.starts = premoves.count * len(states)
        ints = array("i", bytes(4 * self.starts * (outer.coordinates + 3)))
        self.roots = _ints_at(ints, owners)
        self.spent = _ints_at(memoryview(ints)[self.starts * outer.coordinates :], owners)
        self.least = _ints_at(memoryview(ints)[self.starts * (outer.coordinates + 1) :], owners)
        self.alike = _ints_at(memoryview(ints)[self.starts * (outer.coordinates + 2) :], owners)
        self.origin = _bytes_at(bytearray(self.starts * link.width), owners)
        self._make_starts(outer, premoves, b"".join(states), bytearray(2 * premoves.width))
        most: cython.int = 0
        i: cython.int
        for i in range(self.starts):
            most = max(most, self.alike[i])
        self.carried = _bytes_at(bytearray(most * (plies + 1) * link.width), owners)
        self.restart(limit)

    @cython.cfunc
    def _make_starts(
        self, outer: Space, premoves: Premoves, states: bytes, room: bytearray
    ) -> None:
        """Rank every start and count how many in a row are the same to the outer phase."""
        owners: list = []
        image: cython.p_uchar = _bytes_at(states, owners)
        one: cython.p_uchar = _bytes_at(memoryview(room)[: premoves.width], owners)
        other: cython.p_uchar = _bytes_at(memoryview(room)[premoves.width :], owners)
        swap: cython.p_uchar
        n: cython.int = outer.coordinates
        start: cython.int
        leader: cython.int = 0
        q: cython.int
        i: cython.int
        same: cython.int
        at: cython.Py_ssize_t
        for start in range(self.starts):
            q = start % premoves.count
            at = (start // premoves.count) * premoves.width
            for i in range(premoves.width):
                one[i] = image[at + i]
            for i in range(premoves.first[q], premoves.first[q + 1]):
                premoves._prepend(premoves.move[i], one, other)
                swap = one
                one = other
                other = swap
            at = start * n
            for i in range(n):
                self.roots[at + i] = _rank(premoves.program, premoves.program_at[i], one, 0)
                if self.roots[at + i] < 0:
                    raise ValueError("a start lies outside the domain of the outer phase")
            for i in range(premoves.carried):
                self.origin[start * premoves.carried + i] = one[premoves.picked[i]]
            self.spent[start] = premoves.cost[q]
            same = start > 0 and self.spent[start] == self.spent[leader]
            for i in range(n):
                same = same and self.roots[at + i] == self.roots[leader * n + i]
            if same:
                self.alike[leader] += 1
                self.alike[start] = 0
            else:
                leader = start
                self.alike[start] = 1
                self.least[start] = self.spent[start] + outer._estimate(self.roots, at)

    def restart(self, limit: int) -> None:
        """Begin again with another limit; the nodes counted so far stay counted."""
        i: cython.int
        self.limit = limit
        self.bound = 1 << 30
        for i in range(self.starts):
            if self.alike[i] > 0:
                self.bound = min(self.bound, self.least[i])
        self.at = -1
        self.member = self.members = 0
        self.inside = 0
        self.capped = 1 << 30
        self.outer.limit = 1 << 30
        self.outer.rounds = 0
        self.outer.depth = -1

    def run(self, budget: int) -> int:
        """Search for about `budget` more nodes: FOUND, EXHAUSTED or PAUSED."""
        status: cython.int
        allowed: cython.longlong = budget
        with cython.nogil:
            status = self._run(allowed)
        return status

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, budget: cython.longlong) -> cython.int:
        stop: cython.longlong = self.outer.generated + self.inner.generated + budget
        left: cython.longlong
        status: cython.int
        while True:
            left = stop - self.outer.generated - self.inner.generated
            if self.inside:
                status = self.inner._run(left)
                if status == 0:
                    return 0
                self.inside = 0
                self.member += 1
                if status == 1:
                    self.limit = self._total() - 1
                    return 1
            elif self.member < self.members:
                if not self._enter(self.outer, self.inner, self.link):
                    self.member += 1
            elif self.bound > self.limit or self.bound > self.outer.plies:
                return 2
            else:
                status = self.outer._step(self.outer.space, left)
                if status == 0:
                    return 0
                if status == 1:
                    self._carry(self.outer, self.link, self.outer.depth)
                    self.member = 0
                    self.members = self.alike[self.at]
                elif not self._next_start(self.outer, self.link):
                    self.outer._note_round()
                    self.bound += 1
                    self.at = -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _next_start(self, outer: Search, link: Link) -> cython.int:
        """Set the outer search on the next start that can end at this bound; 0 if there is none."""
        i: cython.int
        m: cython.int
        n: cython.int = outer.space.coordinates
        self.member = self.members = 0
        self.at += 1
        while self.at < self.starts:
            if self.alike[self.at] > 0 and self.least[self.at] <= self.bound:
                for i in range(n):
                    outer.value[i] = self.roots[self.at * n + i]
                for m in range(self.alike[self.at]):
                    for i in range(link.width):
                        self.carried[m * (outer.plies + 1) * link.width + i] = self.origin[
                            (self.at + m) * link.width + i
                        ]
                outer._begin(0, self.spent[self.at], self.bound)
                return 1
            self.at += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _enter(self, outer: Search, inner: Search, link: Link) -> cython.int:
        """Start the inner search at the end of the outer path; 0 if it cannot help any more."""
        depth: cython.int = outer.depth
        i: cython.int
        rank: cython.longlong
        least: cython.int
        base: cython.Py_ssize_t = self.member * (outer.plies + 1) + depth
        room: cython.int = self.limit - outer.spent[depth]
        if room < 0:
            return 0
        base *= link.width
        for i in range(inner.space.coordinates):
            rank = _rank(link.program, link.program_at[i], self.carried, base)
            if rank < 0:
                return 0
            inner.value[i] = rank
        least = inner.space._estimate(inner.value, 0)
        if least > room:
            return 0
        if room > link.cap:
            self.capped = min(self.capped, outer.spent[depth])
            room = link.cap
            if least > room:
                return 0
        inner.limit = room
        i = link.seam[0] if depth == 0 else link.seam[1 + outer.taken[depth]]
        inner._begin(i, 0, least)
        self.inside = 1
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _carry(self, outer: Search, link: Link, depth: cython.int) -> cython.void:
        """Bring the carried bytes up to the outer path, from where it last changed."""
        d: cython.int
        m: cython.int
        source: cython.Py_ssize_t
        for m in range(self.alike[self.at]):
            for d in range(outer.changed, depth):
                source = m * (outer.plies + 1) + d
                source *= link.width
                link.carry._do(
                    outer.taken[d + 1], self.carried, source, self.carried, source + link.width
                )
        outer.changed = depth

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _total(self) -> cython.int:
        return self.outer.spent[self.outer.depth] + self.inner.spent[self.inner.depth]

    def tighten(self, limit: int) -> None:
        """Lower the limit (another thread has found something); takes effect at the next node."""
        if limit < self.limit:
            self.limit = limit
            if self.inside:
                self.inner.limit = min(self.inner.limit, limit - self.outer.spent[self.outer.depth])

    @property
    def answer(self) -> tuple:
        """After FOUND: number of the state, outer path, inner path, number of premoves, cost."""
        state, sequence = divmod(self.at + self.member - 1, self.sequences)
        return state, self.outer.path, self.inner.path, sequence, self._total()

    @property
    def is_capped(self) -> bool:
        """Whether an answer within the present limit might have been left out."""
        return self.limit - self.capped > self.link.cap or self.limit > self.outer.plies

    @property
    def work(self) -> int:
        """Nodes listed so far: what `run` takes its budget from."""
        return self.outer.generated + self.inner.generated

    @property
    def iterations(self) -> list:
        """(bound, generated, expanded) of the outer phase, for each bound on its cost so far."""
        return self.outer.iterations

    @property
    def nodes(self) -> tuple:
        """Nodes (generated, expanded) of the outer phase and of the inner one."""
        return (
            (self.outer.generated_nodes, self.outer.expanded_nodes),
            (self.inner.generated_nodes, self.inner.expanded_nodes),
        )
