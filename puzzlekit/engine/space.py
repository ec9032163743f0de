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

# How a table is marked whose entries of 2 bits tell lower bounds, and not distances modulo 3.
BOUNDS = 3

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
@cython.nogil
@cython.exceptval(check=False)
def _shorts_below(
    numbers: cython.p_ushort, entries: cython.Py_ssize_t, size: cython.uint
) -> cython.int:
    """Whether all of so many numbers are less than `size`."""
    k: cython.Py_ssize_t
    largest: cython.uint = 0
    for k in range(entries):
        largest = max(largest, numbers[k])
    return largest < size


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
        seen: cython.longlong = 0
        one: cython.longlong = 1
        for i in range(n):
            k = vector[base + program[at + 3 + i]]
            piece = program[numbers + k]
            if piece < 0 or (seen >> piece) & 1:
                return 2
            seen |= one << piece
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
    if kind < 0 or kind > 7:
        return -1
    count: cython.int = program[at + 1]
    places: cython.int = program[at + 2]
    i: cython.int
    k: cython.int
    piece: cython.int
    digit: cython.int
    found: cython.int = 0
    rank: cython.longlong = 0
    part: cython.longlong
    position = cython.declare(cython.int[128])
    if kind == 7:  # PRODUCT: the ranks of other programs as digits
        k = at + 3
        for _ in range(count):
            part = _rank(program, k + 2, vector, base)
            if part < 0:
                return -1
            rank = rank * program[k] + part
            k += 2 + program[k + 1]
        return rank
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
class Ranks:
    """How coordinates are ranked on bytes: a rank program of each, and what its ranks stand for.

    classes: for a sym coordinate the engine's value of each rank, unsigned 32 bits; else None.
    """

    def __init__(self, programs: list, classes: list) -> None:
        owners: list = []
        self._owners = owners
        self.count = len(programs)
        if self.count > MAX_COORDINATES:
            raise ValueError("at most 16 coordinates in a phase")
        if not cython.compiled:
            self.value_of = [None] * 16
        self.program, self.program_at = _programs_at(programs, owners)
        mapped = []
        i: cython.int
        for i in range(self.count):
            mapped.append(classes[i] is not None)
            if mapped[i]:
                self.value_of[i] = _words_at(classes[i], owners)
        self.mapped = _ints_at(_numbers(mapped), owners)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _value(
        self, c: cython.int, vector: cython.p_uchar, base: cython.Py_ssize_t
    ) -> cython.longlong:
        """The value of a coordinate for the bytes from `vector[base]`; -1 outside its domain."""
        value: cython.longlong = _rank(self.program, self.program_at[c], vector, base)
        if self.mapped[c] and value >= 0:
            return self.value_of[c][value]
        return value


@cython.final
@cython.cclass
class Sym:
    """How a sym coordinate is run: its values are class * 2^shift + symmetry.

    images: for each symmetry the image of each move, (symmetries * moves) bytes. products: for each
    pair of symmetries their product, that of s and then t at s * symmetries + t.
    """

    def __init__(self, shift: int, symmetries: int, images: bytes, products: bytes) -> None:
        owners: list = []
        self._owners = owners
        if not 0 < symmetries <= 1 << shift or shift > 6:
            raise ValueError("up to 64 symmetries")
        if len(products) != symmetries * symmetries or max(products) >= symmetries:
            raise ValueError("the products of the symmetries are damaged")
        if len(images) % symmetries or max(images) >= len(images) // symmetries:
            raise ValueError("the images of the moves are damaged")
        self.shift = shift
        self.moves = len(images) // symmetries
        padded = bytearray(1 << 2 * shift)
        for s in range(symmetries):
            padded[s << shift : (s << shift) + symmetries] = products[
                s * symmetries : (s + 1) * symmetries
            ]
        self.images = _bytes_at(bytes(images) + bytes((1 << shift) * self.moves), owners)
        self.products = _bytes_at(bytes(padded), owners)


@cython.final
@cython.cclass
class PairRank:
    """How the pairing p of n pairs is ranked up to symmetries: see `puzzlekit.SymPairing`.

    heads: for each images of the first k numbers, as digits to the base n, class * 2^shift + the
    symmetry that carries them to the class, unsigned 16 bits; 0xFFFF for what cannot be. rows: for
    each symmetry s what it makes of the n numbers, what undoes it, and for each symmetry t the
    number of s and then t; (2 n + symmetries) bytes a row.
    """

    def __init__(
        self, n: int, k: int, classes: int, shift: int, heads: object, rows: bytes
    ) -> None:
        owners: list = []
        self._owners = owners
        if not (4 <= n <= 16 and 0 < k < n - 2 and shift <= 6):
            raise ValueError("4 to 16 pairs, three of them at least not in the head")
        self.n, self.k, self.shift = n, k, shift
        self.tails = 1
        for i in range(3, n - k + 1):
            self.tails *= i
        self.size = classes * self.tails
        if memoryview(heads).nbytes != 2 * n**k:
            raise ValueError("there is no class for some images")
        order = next((s for s in range(1, 65) if s * (2 * n + s) == len(rows)), 0)
        self.stride = 2 * n + order
        for s in range(order):
            row = rows[s * self.stride : (s + 1) * self.stride]
            back = bytes([row.find(i, 0, n) for i in range(n)]) if max(row[:n]) < n else b""
            if row[n : 2 * n] != back or max(row[2 * n :]) >= order:
                raise ValueError("the symmetries are damaged")
        if not 0 < order <= 1 << shift:
            raise ValueError("the symmetries are damaged")
        self.rows = _bytes_at(rows, owners)
        self.heads = _shorts_at(heads, owners)
        # Compiled, a number that is too large would be followed out of the tables.
        if cython.compiled and not self._heads_below(n**k, classes, order):
            raise ValueError("the classes of heads are damaged")
        below = b"\0"  # how many bits of a number are set
        for _ in range(n):
            below += bytes([count + 1 for count in below])
        self.below = _bytes_at(below, owners)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _heads_below(
        self, entries: cython.Py_ssize_t, classes: cython.int, order: cython.int
    ) -> cython.int:
        """Whether all heads are of classes and symmetries that there are."""
        k: cython.Py_ssize_t
        word: cython.int
        for k in range(entries):
            word = self.heads[k]
            if word != 0xFFFF and (
                word >> self.shift >= classes or word & ((1 << self.shift) - 1) >= order
            ):
                return 0
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _head(self, vector: cython.p_uchar, base: cython.Py_ssize_t) -> cython.int:
        """Class and symmetry of the p at `vector[base]`."""
        i: cython.int
        index: cython.Py_ssize_t = 0
        for i in range(self.k):
            index = index * self.n + vector[base + i]
        return self.heads[index]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _tail(
        self, vector: cython.p_uchar, base: cython.Py_ssize_t, symmetry: cython.Py_ssize_t
    ) -> cython.int:
        """The rank of what follows the head in p carried by a symmetry.

        In the factorial number system, but for the last two images: p is even, so they follow.
        """
        n: cython.int = self.n
        i: cython.int
        value: cython.int
        rank: cython.int = 0
        used: cython.int = 0
        row: cython.Py_ssize_t = symmetry * self.stride
        back: cython.Py_ssize_t = row + n
        rows: cython.p_uchar = self.rows
        below: cython.p_uchar = self.below
        for i in range(self.k):
            used |= 1 << rows[row + vector[base + rows[back + i]]]
        for i in range(self.k, n - 2):
            value = rows[row + vector[base + rows[back + i]]]
            rank = rank * (n - i) + value - below[used & ((1 << value) - 1)]
            used |= 1 << value
        return rank

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _rank(self, vector: cython.p_uchar, base: cython.Py_ssize_t) -> cython.int:
        """The value of the p at `vector[base]`, which has to be an even permutation."""
        word: cython.int = self._head(vector, base)
        symmetry: cython.int = word & ((1 << self.shift) - 1)
        return (word >> self.shift) * self.tails + self._tail(vector, base, symmetry)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _checked(self, vector: cython.p_uchar, base: cython.Py_ssize_t) -> cython.int:
        """The value of the bytes at `vector[base]`; -1 where they are no even permutation."""
        i: cython.int
        j: cython.int
        odd: cython.int = 0
        for i in range(self.n):
            if vector[base + i] >= self.n:
                return -1
            for j in range(i):
                if vector[base + j] == vector[base + i]:
                    return -1
                odd ^= vector[base + j] > vector[base + i]
        return -1 if odd else self._rank(vector, base)

    def rank(self, vector: bytes) -> int:
        """The value of p, given as n bytes; -1 where that is no even permutation."""
        owners: list = []
        if len(vector) != self.n:
            raise ValueError("a pairing has a byte for each pair")
        return self._checked(_bytes_at(vector, owners), 0)


@cython.final
@cython.cclass
class Reading:
    """Makes the bytes that are carried along from a whole state.

    picked: the numbers of bytes of the state. Without `numbers` they are the carried ones. With it
    they are those of all first places, then all second ones, it gives for each label the number of
    its pair (255: of none), and the pairing p is carried: p[i] is the number of the second place at
    which the partner of the piece at first place i is.
    """

    def __init__(self, picked: list, numbers: bytes | None = None) -> None:
        owners: list = []
        self._owners = owners
        self.paired = numbers is not None
        self.width = len(picked) // 2 if self.paired else len(picked)
        self.least = max(picked, default=-1) + 1
        self.picked = _ints_at(_numbers(list(picked)), owners)
        self.numbers = _bytes_at((numbers or b"").ljust(256, b"\xff"), owners)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _read(
        self, state: cython.p_uchar, base: cython.Py_ssize_t, vector: cython.p_uchar
    ) -> cython.int:
        """Write the carried bytes of the state at `state[base]`; whether they are defined."""
        i: cython.int
        number: cython.int
        width: cython.int = self.width
        there = cython.declare(cython.int[256])
        if not self.paired:
            for i in range(width):
                vector[i] = state[base + self.picked[i]]
            return 1
        for i in range(width):
            there[i] = -1
        for i in range(width):
            number = self.numbers[state[base + self.picked[width + i]]]
            if number >= width or there[number] >= 0:
                return 0
            there[number] = i
        for i in range(width):
            number = self.numbers[state[base + self.picked[i]]]
            if number >= width or there[number] < 0:
                return 0
            vector[i] = there[number]
            there[number] = -1
        return 1

    def read(self, state: bytes) -> bytes | None:
        """The carried bytes of a state, None where they are not defined."""
        owners: list = []
        room = bytearray(self.width + 1)
        if len(state) < self.least:
            raise ValueError("a state is too short")
        if not self._read(_bytes_at(state or b"\0", owners), 0, _bytes_at(room, owners)):
            return None
        return bytes(room[: self.width])


@cython.final
@cython.cclass
class Carry:
    """How moves act on some bytes of a state: (gather, add) of each move, and their modulus.

    A modulus of 0 stands for bytes that are only moved. relabels: for each move what it makes of
    each value, where they are numbers of places as in a pairing; then nothing is added.
    """

    def __init__(self, effects: list, modulus: bytes, relabels: list | None = None) -> None:
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
        self.relabelled = relabels is not None
        for relabel in relabels or ():
            if sorted(relabel) != list(range(len(modulus))):
                raise ValueError("a move has to relabel every value that is carried along")
        if len(relabels or effects) != len(effects):
            raise ValueError("it is not said how every move relabels the carried bytes")
        self.relabel = _bytes_at(b"".join(relabels or ()) or b"\0", owners)

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
        gather: cython.p_uchar = self.gather
        relabel: cython.p_uchar = self.relabel
        at: cython.Py_ssize_t = move * width
        if self.relabelled:
            for j in range(width):
                others[target + j] = relabel[at + rows[source + gather[at + j]]]
            return
        if not self.turned[move]:
            for j in range(width):
                others[target + j] = rows[source + gather[at + j]]
            return
        for j in range(width):
            value = rows[source + self.gather[at + j]] + self.add[at + j]
            if self.modulus[j] and value >= self.modulus[j]:
                value -= self.modulus[j]
            others[target + j] = value


@cython.final
@cython.cclass
class Labels:
    """What becomes of whole states when something is done before them: pieces are renamed.

    With effect q done before it, byte j of a state becomes
    `(tables[q][base[j] + state[via[j]]] + state[j] * turned[j]) % modulus[j]`: `via` is the byte of
    the label at that place (j itself for a label), `base` where the table of labels or turns of its
    orbit starts.
    """

    def __init__(self, via: list, base: list, modulus: list, tables: list) -> None:
        owners: list = []
        self._owners = owners
        self.width = len(via)
        self.span = len(tables[0])
        self.via = _ints_at(_numbers(via), owners)
        self.base = _ints_at(_numbers(base), owners)
        self.turned = _ints_at(_numbers([via[j] != j for j in range(len(via))]), owners)
        self.modulus = _ints_at(_numbers([m or 256 for m in modulus]), owners)
        self.table = _bytes_at(b"".join(tables), owners)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _prepend(
        self,
        effect: cython.int,
        source: cython.p_uchar,
        start: cython.Py_ssize_t,
        target: cython.p_uchar,
    ) -> cython.void:
        """Do an effect before the state at `source[start]`."""
        j: cython.int
        value: cython.int
        at: cython.Py_ssize_t = effect
        at *= self.span
        for j in range(self.width):
            value = self.table[at + self.base[j] + source[start + self.via[j]]]
            value += source[start + j] * self.turned[j]
            target[j] = value % self.modulus[j]


@cython.final
@cython.cclass
class Space:
    """What a phase looks like to the engine: moves, coordinates, pruning tables, goals.

    costs: cost of each move (positive). automaton: for each state the list of (move, next state)
    that may follow. coordinates: for each (size, move table, goals), the move table flat, row by
    row (size * moves), unsigned 16 or 32 bits; the goals a list of values, or a byte for each
    value, not 0 at goals. With a rank program (a tuple) in place of the move table the coordinate
    is ranked where it is needed, on the bytes of a state that `carry` carries along; if no table
    reads it, only where all others are at a goal. A sym coordinate is (classes, class moves, goals
    by class, Sym). tables: for each pruning table (coordinate numbers, bits per entry 2, 4 or 8,
    bytes); the entry of a product is that of the first coordinate times the sizes of the others and
    so on. Entries of 2 bits are distances modulo 3, for moves that cost 1; the distance at a start
    is found by walking to the goal. Where the first coordinate is a sym coordinate the table has a
    fourth part, for each of its others (images, radix): their image under each symmetry, unsigned
    16 bits (size * 2^shift), and how many images there are. join: None for the maximum, else (radix
    of each table, estimates as unsigned 16 bits) for every vector of distances, the first distance
    most significant; a distance beyond the radix counts as the largest within.
    solved: coordinate values at a goal. Given with the maximum, equal distances of all tables, not
    0, count for one cheapest move more, if `keeps_goals` says that this is right.
    ending: the moves that may end the phase (None: all). commuting: for each move and each other
    one whether they do the same in either order; then no move that could stand last, because it
    commutes with all after it, may be one that must not. joint: the numbers of tables that have to
    say 0 at a goal, where coordinates are at goals of their own, but not at one together.
    ending: the moves that may end the phase (None: all).
    In place of a rank program a `PairRank` ranks the carried bytes, which are then a pairing. A
    table of 2 bits may have a fifth part, four distances: its entries are not modulo 3 but tell
    which of these is a lower bound.
    hashed: a table that only cuts, near the goal: (coordinate numbers, bytes, entries, the
    largest entry, keys). Its index is made of the low 31 bits of the exclusive or of keys, one for
    each byte of what is carried along, if a ranked coordinate is among the numbers, and of the
    values of the others, least byte first: signed 64-bit numbers, 256 for each byte. An entry of 4
    bits is a lower bound.
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
        solved: list | None = None,
        commuting: bytes = b"",
        joint: tuple = (),
        hashed: tuple | None = None,
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
            self.sym_images, self.sym_products = [None] * 16, [None] * 16
            self.image = [None] * 48
        self.moves = len(costs)
        self.coordinates = len(coordinates)
        self.tables = len(tables)
        self.cheapest, self.dearest = min(costs), max(costs)
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
        follow = [-1] * (len(automaton) * len(costs))  # where a move may not follow
        for state, allowed in enumerate(automaton):
            for move, reached in allowed:
                follow[state * len(costs) + move] = reached
        self.follow = _ints_at(_numbers(follow), owners)
        if ending is not None and len(ending) != len(costs):
            raise ValueError("which moves may end the phase has to be said of every move")
        self.ending = _bytes_at(ending or bytes([1]) * len(costs), owners)
        if len(commuting) not in (0, len(costs) ** 2):
            raise ValueError("whether moves commute has to be said of every pair")
        self.commuting = _bytes_at(commuting or bytes(len(costs) ** 2), owners)
        self.joint = sum([1 << t for t in joint])
        self.carry = carry or Carry([], b"")
        self._set_coordinates(coordinates)
        self._set_tables(coordinates, tables)
        self._set_hashed(coordinates, hashed)
        read = {number for table in tables for number in table[0]}
        late = [not self.width[i] and i not in read for i in range(self.coordinates)]
        self.late = _bytes_at(bytes(late) or b"\0", owners)
        self.raised = solved is not None and join is None and self.keeps_goals(solved)
        self.joined = JOIN_MAX if join is None else JOIN_TABLE
        # The hashed table is looked up before the first one that reads what is carried along: it
        # cuts more, and what is cut need not be ranked. No table is, while distances are joined.
        behind = [t for t in range(self.tables) if any([not self.width[c] for c in tables[t][0]])]
        self.hash_before = self.tables if join is not None or not behind else behind[0]
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
        shifts = []
        self.paired = -1
        self.pairing = None
        for i in range(self.coordinates):
            size, table, goals = coordinates[i][:3]
            sym: Sym = coordinates[i][3] if len(coordinates[i]) > 3 else None
            shift = 0 if sym is None else sym.shift
            shifts.append(shift)
            if size << shift >= 1 << 31:
                raise ValueError("a coordinate of 2^31 values or more cannot be searched")
            if sym is not None:
                if sym.moves != self.moves:
                    raise ValueError("symmetries are of other moves than those of the phase")
                self._owners.append(sym)
                self.sym_images[i] = sym.images
                self.sym_products[i] = sym.products
            entries: cython.Py_ssize_t = size * self.moves
            width = 0
            if isinstance(table, PairRank):
                self.pairing = table
                self.paired = i
                if size != self.pairing.size or self.carry.width != self.pairing.n:
                    raise ValueError("what is carried along is not the pairing that is ranked")
                if self.carry.moves != self.moves or not self.carry.relabelled:
                    raise ValueError("it is not said how every move acts on the pairing")
                programs.append(())
            elif isinstance(table, tuple):
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
                if cython.compiled and not self._all_below(i, entries, width, size << shift):
                    raise ValueError("a move table leads out of its coordinate: it is damaged")
            widths.append(width)
            sizes.append(size << shift)
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
        if self.paired >= 0 and widths.count(0) > 1:
            raise ValueError("next to a pairing no other coordinate can be ranked")
        self.shift = _ints_at(_numbers(shifts), self._owners)
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
        wide: cython.p_uint = self.wide[c]
        if width == 2:
            return _shorts_below(self.narrow[c], entries, size)
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
        imaged = []
        parts_of = []
        bounds = []
        for i in range(self.tables):
            numbers, bits, data = tables[i][:3]
            steps = tables[i][4] if len(tables[i]) > 4 else None
            if steps is not None and (bits != 2 or len(steps) != 4):
                raise ValueError("a table that tells bounds has entries of 2 bits, for four bounds")
            bounds += steps or (0, 0, 0, 0)
            images = tables[i][3] if len(tables[i]) > 3 else None
            if not 1 <= len(numbers) <= 3 or bits not in (2, 4, 8):
                raise ValueError("a pruning table reads 1 to 3 coordinates, 2, 4 or 8 bits each")
            imaged.append(images is not None)
            if len(images or ()) != (len(numbers) - 1 if len(coordinates[numbers[0]]) > 3 else 0):
                raise ValueError("a table over a sym coordinate needs images of all its partners")
            parts_of.append((set(numbers), bits))
            radix = [coordinates[number][0] for number in numbers]
            if images is not None:
                radix = [radix[0], *[size for _, size in images]]
                for p, (image, size) in enumerate(images):
                    values = coordinates[numbers[p + 1]][0] << self.shift[numbers[0]]
                    if memoryview(image).nbytes != 2 * values:
                        raise ValueError("there is no image for some value of a coordinate")
                    self.image[3 * i + p + 1] = _shorts_at(image, self._owners)
                    if cython.compiled and not _shorts_below(
                        self.image[3 * i + p + 1], values, size
                    ):
                        raise ValueError("the images of a coordinate are damaged")
            entries = 1
            for size in radix:
                entries *= size
            if bits == 2 and max([self.cost[m] for m in range(self.moves)]) > 1:
                raise ValueError("entries of 2 bits are for moves that cost 1")
            if memoryview(data).nbytes * 8 < entries * bits:
                raise ValueError("a pruning table is smaller than its coordinates need")
            all_bits.append(bits if steps is None else BOUNDS)
            arities.append(len(numbers))
            parts += [*numbers, 0, 0][:3]
            sizes += [*radix, 0, 0][:3]
            self.pruning[i] = _bytes_at(data, self._owners)
        self.followed = 2 in all_bits
        # Of each table those, not modulo 3, over some of its coordinates only.
        within = [
            sum([1 << u for u, (fewer, bits) in enumerate(parts_of) if fewer <= own and bits > 2])
            for own, _ in parts_of
        ]
        self.within = _ints_at(_numbers(within), self._owners)
        self.imaged = _ints_at(_numbers(imaged), self._owners)
        self.bits = _ints_at(_numbers(all_bits), self._owners)
        self.bounds = _ints_at(_numbers(bounds), self._owners)
        self.arity = _ints_at(_numbers(arities), self._owners)
        self.part = _ints_at(_numbers(parts), self._owners)
        self.part_size = _ints_at(_numbers(sizes), self._owners)

    @cython.cfunc
    def _set_hashed(self, coordinates: list, hashed: tuple | None) -> None:
        numbers, data, entries, most, keys = hashed or ((), b"\0", 0, 0, array("q", bytes(8)))
        listed = []
        width = 0
        for number in numbers:
            size = coordinates[number][0]
            if self.shift[number]:
                raise ValueError("a hashed table cannot read a sym coordinate")
            if not self.width[number]:
                width = self.carry.width
            else:
                listed += [number, (size - 1).bit_length() + 7 >> 3 or 1]
        total = width + sum(listed[1::2])
        if len(keys) < 256 * total or memoryview(data).nbytes * 2 < entries:
            raise ValueError("the hashed table is smaller than it has to be")
        self.hashed = hashed is not None
        self.hash_width = width
        self.hash_values = len(listed) // 2
        self.hash_value = _ints_at(_numbers(listed), self._owners)
        self.hash_most = most
        self.hash_reads = sum([1 << number for number in listed[::2]])
        self.hash_entries = entries
        self.hash_keys = _longs_at(keys, self._owners)
        self.hash_table = _bytes_at(data, self._owners)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _hashed_at(
        self,
        values: cython.p_int,
        base: cython.Py_ssize_t,
        step: cython.Py_ssize_t,
        vector: cython.p_uchar,
        at: cython.Py_ssize_t,
    ) -> cython.longlong:
        """The index in the hashed table for values `step` apart and the bytes carried along."""
        i: cython.Py_ssize_t
        row: cython.Py_ssize_t = 0
        value: cython.int
        mixed: cython.longlong = 0
        keys: cython.p_longlong = self.hash_keys
        for i in range(self.hash_width):
            mixed ^= keys[row + vector[at + i]]
            row += 256
        for i in range(self.hash_values):
            value = values[base + self.hash_value[2 * i] * step]
            for _ in range(self.hash_value[2 * i + 1]):
                mixed ^= keys[row + (value & 255)]
                value >>= 8
                row += 256
        return ((mixed & 0x7FFFFFFF) * self.hash_entries) >> 31

    def hashed_bound(self, values: list, vector: bytes) -> int:
        """What the hashed table says of coordinate values and the bytes carried along."""
        owners: list = []
        at: cython.p_uchar = _bytes_at(vector or b"\0", owners)
        if len(vector) != self.carry.width or len(values) != self.coordinates or not self.hashed:
            raise ValueError("the hashed table is looked up for a value of every coordinate")
        index = self._hashed_at(_ints_at(_numbers(values), owners), 0, 1, at, 0)
        return (self.hash_table[index >> 1] >> ((index & 1) << 2)) & 15

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _rank_vector(
        self, c: cython.int, vector: cython.p_uchar, base: cython.Py_ssize_t
    ) -> cython.longlong:
        """The value of a ranked coordinate for the carried bytes; -1 outside its domain."""
        if c == self.paired:
            return self.pairing._checked(vector, base)
        if self.width[c]:
            return -1
        return _rank(self.program, self.program_at[c], vector, base)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _after(self, c: cython.int, value: cython.int, move: cython.int) -> cython.int:
        """The value of a coordinate that has a move table after a move."""
        shift: cython.int = self.shift[c]
        row: cython.Py_ssize_t = value >> shift
        symmetry: cython.int
        row *= self.moves
        if self.width[c] == 2:
            return self.narrow[c][row + move]
        if shift == 0:
            return self.wide[c][row + move]
        symmetry = value & ((1 << shift) - 1)
        value = self.wide[c][row + self.sym_images[c][symmetry * self.moves + move]]
        row = value & ((1 << shift) - 1)
        return value - row + self.sym_products[c][(symmetry << shift) + row]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _entry(
        self, t: cython.int, values: cython.p_int, base: cython.Py_ssize_t
    ) -> cython.longlong:
        """The index of the entry of a pruning table for the coordinates at `values[base]`."""
        p: cython.int
        c: cython.int = self.part[3 * t]
        shift: cython.int = self.shift[c]
        index: cython.longlong = values[base + c] >> shift
        symmetry: cython.Py_ssize_t = values[base + c] & ((1 << shift) - 1)
        value: cython.Py_ssize_t
        for p in range(1, self.arity[t]):
            value = values[base + self.part[3 * t + p]]
            if self.imaged[t]:
                value = self.image[3 * t + p][(value << shift) + symmetry]
            index = index * self.part_size[3 * t + p] + value
        return index

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _code(self, t: cython.int, index: cython.longlong) -> cython.int:
        """An entry as it stands in the table, or the bound that it tells."""
        code: cython.int
        if self.bits[t] == 8:
            return self.pruning[t][index]
        if self.bits[t] == 4:
            return (self.pruning[t][index >> 1] >> ((index & 1) << 2)) & 15
        code = (self.pruning[t][index >> 2] >> ((index & 3) << 1)) & 3
        return self.bounds[4 * t + code] if self.bits[t] == 3 else code

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _walk(self, t: cython.int, values: cython.p_int, base: cython.Py_ssize_t) -> cython.int:
        """The distance in a table that holds it modulo 3: how many steps nearer can be made."""
        here = cython.declare(cython.int[16])
        there = cython.declare(cython.int[16])
        entries = cython.declare(cython.longlong[128])
        p: cython.int
        c: cython.int
        m: cython.int
        steps: cython.int = 0
        nearer: cython.int
        best: cython.int
        for p in range(self.arity[t]):
            c = self.part[3 * t + p]
            here[c] = values[base + c]
        nearer = (self._code(t, self._entry(t, here, 0)) + 2) % 3
        while True:
            # First all entries, then all codes: so the processor fetches them at the same time.
            for m in range(self.moves):
                for p in range(self.arity[t]):
                    c = self.part[3 * t + p]
                    there[c] = self._after(c, here[c], m)
                entries[m] = self._entry(t, there, 0)
            best = -1
            for m in range(self.moves):
                best = m if self._code(t, entries[m]) == nearer else best
            if best < 0 or steps == 255:  # farther than any table goes: it is damaged
                return steps
            for p in range(self.arity[t]):
                c = self.part[3 * t + p]
                here[c] = self._after(c, here[c], best)
            steps += 1
            nearer = (nearer + 2) % 3

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _at_least(self, values: cython.p_int, base: cython.Py_ssize_t) -> cython.int:
        """A lower bound on the estimate, without walking; not for an estimate that is looked up."""
        t: cython.int
        u: cython.int
        code: cython.int
        distance: cython.int
        best: cython.int = 0
        for t in range(self.tables):
            distance = code = self._code(t, self._entry(t, values, base))
            if self.bits[t] == 2:  # the least that is no less than in tables of fewer coordinates
                distance = 0
                for u in range(self.tables):
                    if (self.within[t] >> u) & 1:
                        distance = max(distance, self._code(u, self._entry(u, values, base)))
                distance += (code + 3 - distance % 3) % 3
            best = max(best, distance)
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _estimate(
        self, values: cython.p_int, base: cython.Py_ssize_t, distances: cython.p_int
    ) -> cython.int:
        """The joined estimate of the coordinates at `values[base]`; notes each table's distance."""
        t: cython.int
        distance: cython.int
        equal: cython.int = 1
        best: cython.int = 0
        mixed: cython.Py_ssize_t = 0
        for t in range(self.tables):
            if self.bits[t] == 2:
                distance = self._walk(t, values, base)
            else:
                distance = self._code(t, self._entry(t, values, base))
            distances[t] = distance
            equal = equal and distance == distances[0]
            best = max(best, distance)
            if self.joined:
                mixed = mixed * self.radix[t] + min(distance, self.radix[t] - 1)
        if self.raised and equal and best:
            return best + self.cheapest
        return self.estimates[mixed] if self.joined else best

    def keeps_goals(self, values: list) -> bool:
        """Whether each move leads from the goal at these values to a goal of one of the tables.

        Then the last move of a solution does nothing to one of them: where all distances are equal,
        the solution without it is at least as long. For tables over coordinates with move tables.
        (Michiel de Bondt, of a pruning table of the 3x3x3 looked up along three axes.)
        """
        owners: list = []
        moved: cython.p_int = _ints_at(_numbers(values), owners)
        t: cython.int
        m: cython.int
        p: cython.int
        c: cython.int
        kept: cython.int
        for m in range(self.moves):
            kept = 0
            for t in range(self.tables):
                for p in range(self.arity[t]):
                    c = self.part[3 * t + p]
                    moved[c] = self._after(c, values[c], m) if self.width[c] else values[c]
                kept |= self._code(t, self._entry(t, moved, 0)) == 0
            if not kept:
                return False
        return True

    def estimate(self, values: list) -> int:
        """The estimate for a list of coordinate values."""
        owners: list = []
        distances = _ints_at(_numbers([0] * self.tables), owners)
        return self._estimate(_ints_at(_numbers(values), owners), 0, distances)
