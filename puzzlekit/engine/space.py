# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""What a phase looks like to the engine, and how coordinates are ranked on bytes of a state.

Everything is integers and tables. A `Space` is never changed by a search, so that searches in many
threads may share it. The source is Cython in pure Python mode: compiled when puzzlekit is installed
with a compiler at hand, and correct as plain Python (where a "pointer" is the buffer itself). What
other compiled modules use of it is declared to Cython in `space.pxd`.
"""

from __future__ import annotations

from array import array

import cython

# How the distances of a phase become one estimate: their maximum, or a look-up.
JOIN_MAX = 0
JOIN_TABLE = 1

MAX_COORDINATES = 16
MAX_TABLES = 16
MAX_MOVES = 128


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


@cython.cfunc
def _numbers(values: object) -> object:
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
