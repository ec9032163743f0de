# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""States in the engine: bytes, the action of moves on them, and the ranking of coordinates.

The source is Cython in pure Python mode. An installation of puzzlekit compiles the source if there
is a compiler. The source is also correct as plain Python. A "pointer" is then the buffer itself.
`ranks.pxd` declares the names that other compiled modules use.
"""

from __future__ import annotations

from array import array

import cython

__all__ = [
    "MAX_COORDINATES",
    "CarriedRank",
    "Carry",
    "Labels",
    "Ranks",
    "Reading",
    "States",
    "add_kind",
    "bytes_at",
    "int_array",
    "ints_at",
    "longs_at",
    "new_ints",
    "new_longs",
    "new_shorts",
    "new_words",
    "rank",
    "shorts_at",
    "words_at",
]

if not cython.compiled:  # ranks.pxd has these for the compiler
    from puzzlekit.engine.opcodes import (
        ADD,
        AND,
        CONSTANT,
        ENTRY,
        EQUAL,
        FORMULA,
        HALVES,
        LESS,
        MULTIPLY,
        OR,
        ORIENTATION,
        OWN_KINDS,
        PARITY,
        PERMUTATION,
        PIECES,
        PRODUCT,
        READ,
        RELATIVE_ORIENTATION,
        REMAINDER,
        SUBTRACT,
        XOR,
    )

MAX_COORDINATES = 16
MOST_OWN_KINDS = 32
UNSIGNED, SIGNED = "BHILQ", "hilq"  # formats of buffers


@cython.cfunc
def _address(buffer: object, owners: list, size: cython.Py_ssize_t, kinds: str) -> cython.p_void:
    """Return the address of the numbers of a buffer, in compiled code."""
    view = memoryview(buffer)
    fits = view.itemsize == size and view.format.lstrip("@=<") in kinds and view.c_contiguous
    if not fits or (view.readonly and kinds == SIGNED):
        raise ValueError(f"numbers of kind {view.format} do not fit, have gaps or are read-only")
    owners.append(view)
    return PyMemoryView_GET_BUFFER(view).buf  # noqa: F821 (imported by ranks.pxd)


@cython.cfunc
def bytes_at(buffer: object, owners: list) -> cython.p_uchar:
    """Return the address of a buffer of bytes. `owners` keeps it alive."""
    if cython.compiled:
        return cython.cast(cython.p_uchar, _address(buffer, owners, 1, UNSIGNED))
    return buffer


@cython.cfunc
def shorts_at(buffer: object, owners: list) -> cython.p_ushort:
    """Return the address of a buffer of unsigned 16-bit numbers."""
    if cython.compiled:
        return cython.cast(cython.p_ushort, _address(buffer, owners, 2, UNSIGNED))
    return buffer


@cython.cfunc
def words_at(buffer: object, owners: list) -> cython.p_uint:
    """Return the address of a buffer of unsigned 32-bit numbers."""
    if cython.compiled:
        return cython.cast(cython.p_uint, _address(buffer, owners, 4, UNSIGNED))
    return buffer


@cython.cfunc
def ints_at(buffer: object, owners: list) -> cython.p_int:
    """Return the address of a buffer of signed 32-bit numbers."""
    if cython.compiled:
        return cython.cast(cython.p_int, _address(buffer, owners, 4, SIGNED))
    return buffer


@cython.cfunc
def longs_at(buffer: object, owners: list) -> cython.p_longlong:
    """Return the address of a buffer of signed 64-bit numbers."""
    if cython.compiled:
        return cython.cast(cython.p_longlong, _address(buffer, owners, 8, SIGNED))
    return buffer


@cython.cfunc
def new_shorts(count: cython.Py_ssize_t, owners: list) -> cython.p_ushort:
    """Return the address of so many unsigned 16-bit numbers, all 0. `owners` keeps them alive."""
    return shorts_at(array("H", bytes(2 * count)), owners)


@cython.cfunc
def new_words(count: cython.Py_ssize_t, owners: list) -> cython.p_uint:
    """Return the address of so many unsigned 32-bit numbers, all 0."""
    return words_at(array("I", bytes(4 * count)), owners)


@cython.cfunc
def new_ints(count: cython.Py_ssize_t, owners: list) -> cython.p_int:
    """Return the address of so many signed 32-bit numbers, all 0."""
    return ints_at(array("i", bytes(4 * count)), owners)


@cython.cfunc
def new_longs(count: cython.Py_ssize_t, owners: list) -> cython.p_longlong:
    """Return the address of so many signed 64-bit numbers, all 0."""
    return longs_at(array("q", bytes(8 * count)), owners)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def shorts_below(
    numbers: cython.p_ushort, entries: cython.Py_ssize_t, size: cython.uint
) -> cython.int:
    """Whether the first `entries` numbers are all less than `size`."""
    k: cython.Py_ssize_t
    largest: cython.uint = 0
    for k in range(entries):
        largest = max(largest, numbers[k])
    return largest < size


@cython.cfunc
def int_array(values: object) -> object:
    """Return signed 32-bit numbers. The array is never empty, so that it has an address."""
    return array("i", values or [0])


@cython.cfunc
def _programs_at(programs: list, owners: list) -> tuple[cython.p_int, cython.p_int]:
    """Return concatenated rank programs, and the start of each."""
    flat: list = []
    offsets: list = []
    for program in programs:
        offsets.append(len(flat))
        flat += program
    return ints_at(int_array(flat), owners), ints_at(int_array(offsets), owners)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _parity(
    program: cython.p_int, at: cython.int, vector: cython.p_uchar, base: cython.Py_ssize_t
) -> cython.longlong:
    """Return the common parity of several permutations, by their cycles; -1 if undefined."""
    count: cython.int = program[at + 1]
    numbers: cython.int = at + 3 + program[at + 2]
    n: cython.int
    i: cython.int
    k: cython.int = 0
    piece: cython.int
    next_piece: cython.int
    rank: cython.longlong = 0
    position = cython.declare(cython.int[128])
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
                    next_piece = position[piece]
                    position[piece] = -1
                    piece = next_piece
        k += n
        numbers += 129
    return rank & 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _rank_formula(
    program: cython.p_int, at: cython.int, vector: cython.p_uchar, base: cython.Py_ssize_t
) -> cython.longlong:
    """Run a rank program of the kind FORMULA (see `puzzlekit.coordinates.tracing`)."""
    count: cython.int = program[at + 1]
    step: cython.int = at + 3 + program[at + 2]
    kind: cython.int
    i: cython.int
    one: cython.longlong
    other: cython.longlong
    rest: cython.longlong
    value = cython.declare(cython.longlong[2048])  # a value for each step
    for i in range(count):
        kind = program[step]
        if kind == READ:
            value[i] = vector[base + program[at + 3 + program[step + 1]]]
        elif kind == CONSTANT:
            value[i] = program[step + 1]
        elif kind == ENTRY:
            one = value[program[step + 1]]
            other = at + program[step + 2]
            if one < 0:  # as in Python
                one += program[other]
            if one < 0 or one >= program[other]:
                return -1
            value[i] = program[other + 1 + one]
        else:
            one = value[program[step + 1]]
            other = value[program[step + 2]]
            if kind == ADD:
                value[i] = one + other
            elif kind == SUBTRACT:
                value[i] = one - other
            elif kind == MULTIPLY:
                value[i] = one * other
            elif kind == EQUAL:
                value[i] = one == other
            elif kind == LESS:
                value[i] = one < other
            elif kind == AND:
                value[i] = one & other
            elif kind == OR:
                value[i] = one | other
            elif kind == XOR:
                value[i] = one ^ other
            else:  # DIVIDE, REMAINDER: rounded down, unlike in C
                if other <= 0:
                    return -1
                rest = one % other
                if rest < 0:
                    rest += other
                value[i] = rest if kind == REMAINDER else (one - rest) // other
        step += 3
    return value[count - 1]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _rank(
    program: cython.p_int, at: cython.int, vector: cython.p_uchar, base: cython.Py_ssize_t
) -> cython.longlong:
    """Run the rank program at `program[at]` on the bytes from `vector[base]`; -1 if undefined.

    `puzzlekit.coordinates.programs` and `puzzlekit.coordinates.tracing` write the programs.
    """
    kind: cython.int = program[at]
    if kind < ORIENTATION:
        return -1
    if kind > PIECES:
        if kind == FORMULA:
            return _rank_formula(program, at, vector, base)
        if kind < OWN_KINDS:
            return -1
        return _own_ranks[kind - OWN_KINDS](program, at, vector, base)
    count: cython.int = program[at + 1]
    places: cython.int = program[at + 2]
    i: cython.int
    k: cython.int
    piece: cython.int
    digit: cython.int
    found: cython.int = 0
    half: cython.int
    rank: cython.longlong = 0
    part: cython.longlong
    position = cython.declare(cython.int[128])
    if kind == PRODUCT:  # the ranks of other programs as digits
        k = at + 3
        for _ in range(count):
            part = _rank(program, k + 2, vector, base)
            if part < 0:
                return -1
            rank = rank * program[k] + part
            k += 2 + program[k + 1]
        return rank
    if kind == ORIENTATION:  # digits to the base `count`
        for i in range(places):
            rank = rank * count + vector[base + program[at + 3 + i]]
        return rank
    if kind == RELATIVE_ORIENTATION:  # digits to the base `count`, relative to the first byte
        for i in range(1, places):
            digit = vector[base + program[at + 3 + i]] - vector[base + program[at + 3]]
            rank = rank * count + (digit if digit >= 0 else digit + count)
        return rank
    labels: cython.int = at + 3 + places
    if kind == PARITY:
        return _parity(program, at, vector, base)
    # PERMUTATION: the places of `count` pieces, each among those still free. PIECES has the
    # orientations of these pieces as further digits.
    if kind in (PERMUTATION, PIECES):
        half = places // 2 if kind == PIECES else places
        for i in range(half):
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
            rank = rank * (half - i) + digit
        if kind == PIECES:
            for i in range(count):
                digit = vector[base + program[at + 3 + half + position[i]]]
                rank = rank * program[labels + 128] + digit
        return rank
    # COMBINATION: the set of places that hold one of the pieces, in the combinatorial number
    # system. HALVES has the smaller of the ranks of this set and of the other places.
    binomial: cython.int = labels + 128
    for i in range(places):
        if program[labels + vector[base + program[at + 3 + i]]] >= 0:
            found += 1
            if found > count:
                return -1
            rank += program[binomial + i * (count + 1) + found]
    if kind == HALVES:
        rank = min(rank, program[binomial + places * (count + 1)] - 1 - rank)
    return rank if found == count else -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _no_rank(
    program: cython.p_int, at: cython.int, vector: cython.p_uchar, base: cython.Py_ssize_t
) -> cython.longlong:
    """Rank programs of a kind that no module has added: they are undefined."""
    return -1


if not cython.compiled:  # ranks.pxd declares it for the compiler
    _own_ranks = [_no_rank] * MOST_OWN_KINDS


def add_kind(kind, run):  # ranks.pxd has the types
    """Let the engine run rank programs of a kind of a plugin (see `opcodes.own_kind`).

    `run` has the parameters and the result of `_rank`. Only compiled modules can call this
    function, and only modules that run interpreted if the engine does.
    """
    if not OWN_KINDS <= kind < OWN_KINDS + MOST_OWN_KINDS:
        raise ValueError(f"at most {MOST_OWN_KINDS} kinds of rank programs of plugins are possible")
    _own_ranks[kind - OWN_KINDS] = run
    return kind


for _number in range(MOST_OWN_KINDS):
    _own_ranks[_number] = _no_rank


def rank(program: array, vector: bytes) -> int:
    """Return the rank that a rank program computes from the bytes of a state; -1 if undefined.

    `program` has signed 32-bit numbers (see `puzzlekit.engine.opcodes`). Example: the program of
    kind 0 (`ORIENTATION`) reads the bytes 0 and 1 as digits to base 3.

    >>> rank(array("i", [0, 3, 2, 0, 1]), bytes([2, 1]))
    7
    """
    owners: list = []
    return _rank(ints_at(program, owners), 0, bytes_at(vector, owners), 0)


@cython.final
@cython.cclass
class Ranks:
    """Computes the values that the engine uses for coordinates, from the bytes of a state.

    - `programs`: for each coordinate a rank program (see `puzzlekit.engine.opcodes`).
    - `classes`: for each coordinate an array of unsigned 32 bits, or None. The array maps each rank
      to the value: a class and a symmetry of a sym coordinate, or the number of a reached value.
      None means that the value is the rank.
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
                self.value_of[i] = words_at(classes[i], owners)
        self.mapped = ints_at(int_array(mapped), owners)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _value(
        self, c: cython.int, vector: cython.p_uchar, base: cython.Py_ssize_t
    ) -> cython.longlong:
        """Return the value of a coordinate for the bytes from `vector[base]`; -1 if undefined."""
        value: cython.longlong = _rank(self.program, self.program_at[c], vector, base)
        if self.mapped[c] and value >= 0:
            return self.value_of[c][value]
        return value

    def values(self, state: bytes, sizes: list) -> list | None:
        """Return the values of all coordinates for a state; None if one of them is undefined.

        `sizes` has the number of ranks of each coordinate.
        """
        owners: list = []
        vector: cython.p_uchar = bytes_at(state, owners)
        i: cython.int
        value: cython.longlong
        found: list = []
        for i in range(self.count):
            value = _rank(self.program, self.program_at[i], vector, 0)
            if value < 0 or value >= sizes[i]:
                return None
            if self.mapped[i]:
                value = self.value_of[i][value]
                if value > 2147483647:  # the mark of ranks without a value
                    return None
            found.append(value)
        return found


@cython.cclass
class CarriedRank:
    """Computes the value of a coordinate from carried bytes that are not bytes of a state.

    A search stores the carried bytes at each node (see `Carry`). A compiled module of a plugin
    derives a class, which sets `width`, the number of carried bytes, and `size`, the number of
    values, and overrides both methods.
    """

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _rank(self, vector: cython.p_uchar, base: cython.Py_ssize_t) -> cython.int:
        """Return the value of the bytes at `vector[base]`, which stand for a state."""
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _checked(self, vector: cython.p_uchar, base: cython.Py_ssize_t) -> cython.int:
        """Return the value of any bytes at `vector[base]`; -1 if they stand for no state."""
        return -1

    def rank(self, vector: bytes) -> int:
        """Return the value of the carried bytes; -1 if they stand for no state."""
        owners: list = []
        if len(vector) != self.width:
            raise ValueError(f"the coordinate has {self.width} carried bytes, not {len(vector)}")
        return self._checked(bytes_at(vector, owners), 0)


@cython.cclass
class Reading:
    """Computes from a whole state the carried bytes: the bytes that a search stores at each node.

    These are the bytes of the state with the indices `picked`. A compiled module of a plugin may
    derive a class for other carried bytes: it sets `width`, their number, and overrides `_read`.
    """

    def __init__(self, picked: list) -> None:
        owners: list = []
        self._owners = owners
        self.width = len(picked)
        self.least = max(picked, default=-1) + 1
        self.picked = ints_at(int_array(list(picked)), owners)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _read(
        self, state: cython.p_uchar, base: cython.Py_ssize_t, vector: cython.p_uchar
    ) -> cython.int:
        """Write the carried bytes of the state at `state[base]`. Return 0 if undefined, else 1."""
        i: cython.int
        for i in range(self.width):
            vector[i] = state[base + self.picked[i]]
        return 1

    def read(self, state: bytes) -> bytes | None:
        """Return the carried bytes of a state; None if they are not defined."""
        owners: list = []
        room = bytearray(self.width + 1)
        if len(state) < self.least:
            raise ValueError("a state is too short")
        if not self._read(bytes_at(state or b"\0", owners), 0, bytes_at(room, owners)):
            return None
        return bytes(room[: self.width])


@cython.final
@cython.cclass
class Carry:
    """The action of moves on the carried bytes: the bytes that a search stores at each node.

    - `effects`: for each move a pair (gather, add). Byte j after the move is byte `gather[j]`
      before the move, plus `add[j]`, modulo `modulus[j]`.
    - `modulus`: the modulus of each byte; 0 for a byte to which nothing is added.
    - `relabels`: None, except if the carried bytes are a permutation. `relabels` then has for each
      move the new value of each value, and `add` is not used.
    """

    def __init__(self, effects: list, modulus: bytes, relabels: list | None = None) -> None:
        owners: list = []
        self._owners = owners
        self.width = len(modulus)
        self.moves = len(effects)
        for gather, add in effects:
            if not len(gather) == len(add) == len(modulus):
                raise ValueError("each move must act on every carried byte")
            if max(gather, default=-1) >= len(modulus):
                raise ValueError("a move reads bytes that are not carried")
        self.gather = bytes_at(b"".join([gather for gather, _ in effects]) or b"\0", owners)
        self.add = bytes_at(b"".join([add for _, add in effects]) or b"\0", owners)
        self.turned = bytes_at(bytes([any(add) for _, add in effects]) or b"\0", owners)
        self.modulus = bytes_at(modulus or b"\0", owners)
        self.relabelled = relabels is not None
        for relabel in relabels or ():
            if sorted(relabel) != list(range(len(modulus))):
                raise ValueError("each move must relabel every carried value")
        if len(relabels or effects) != len(effects):
            raise ValueError("each move needs a table that relabels the carried bytes")
        self.relabel = bytes_at(b"".join(relabels or ()) or b"\0", owners)

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


def rank_after(carry: Carry, move: int, program: array, vectors: object, ranks: object) -> None:
    """Rank the results of one move on given vectors of carried bytes.

    - `carry`: the action of moves on the carried bytes.
    - `move`: the index of the move.
    - `program`: the rank program.
    - `vectors`: the bytes before the move, one vector after the other.
    - `ranks`: the function writes the rank of each vector after the move here, a signed 64-bit
      number. The rank is -1 if it is undefined.
    """
    owners: list = []
    width: cython.Py_ssize_t = carry.width
    count: cython.Py_ssize_t = memoryview(ranks).nbytes // 8
    i: cython.Py_ssize_t
    m: cython.Py_ssize_t = move
    if memoryview(vectors).nbytes < count * width or not 0 <= move < carry.moves or not width:
        raise ValueError("there is no vector for some rank, or no such move")
    source: cython.p_uchar = bytes_at(vectors, owners)
    room: cython.p_uchar = bytes_at(bytearray(width), owners)
    found: cython.p_longlong = longs_at(ranks, owners)
    steps: cython.p_int = ints_at(program, owners)
    for i in range(count):
        carry._do(m, source, i * width, room, 0)
        found[i] = _rank(steps, 0, room, 0)


@cython.final
@cython.cclass
class Labels:
    """Computes products "q, then the moves to a state", for some effects q.

    Such a product is the state with its pieces renamed. Byte j of the product is
    `(tables[q][base[j] + state[via[j]]] + state[j] * turned[j]) % modulus[j]`. Each of the two
    terms is less than `modulus[j]`.

    - `via[j]`: the index of the label of the piece at the place of byte j. `turned[j]` is 0 if
      `via[j]` is j, else 1.
    - `base[j]`: the index in `tables[q]` where the labels or the orientations of this orbit begin.
      `room[j]` is the number of bytes from there to the next beginning.
    - `modulus[j]`: the modulus; 0 stands for 256.
    - `tables`: for each effect q the new label, or the added orientation, of each old label.
    """

    def __init__(self, via: list, base: list, modulus: list, tables: list) -> None:
        owners: list = []
        self._owners = owners
        self.width = len(via)
        self.span = len(tables[0])
        ends = sorted({*base, self.span})
        self.room = ints_at(int_array([ends[ends.index(b) + 1] - b for b in base]), owners)
        self.via = ints_at(int_array(via), owners)
        self.base = ints_at(int_array(base), owners)
        self.turned = ints_at(int_array([via[j] != j for j in range(len(via))]), owners)
        self.modulus = ints_at(int_array([m or 256 for m in modulus]), owners)
        self.table = bytes_at(b"".join(tables), owners)

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
        """Apply an effect before the state at `source[start]`."""
        j: cython.int
        value: cython.int
        at: cython.Py_ssize_t = effect
        at *= self.span
        for j in range(self.width):
            value = self.table[at + self.base[j] + source[start + self.via[j]]]
            value += source[start + j] * self.turned[j]
            if value >= self.modulus[j]:
                value -= self.modulus[j]
            target[j] = value


@cython.final
@cython.cclass
class States:
    """Checks, replays and inverts the states of a puzzle whose moves are always possible.

    `Puzzle.states` has the object of a puzzle. `is_sound`, `after` and `inverse` do the work of
    `puzzlekit.puzzle.diagnose.diagnose`, `Puzzle.replayed` and `Puzzle.inverted`, which are easier
    to read. The tests compare them.

    - `orbits`: for each orbit its labels in the solved state, the number of orientations of a
      piece, and two flags: whether the orientations add up to 0, and whether the pieces only show
      how the puzzle is held.
    - `even`: lists of indices of orbits. The parities of the orbits of a list add up to an even
      number.
    - `known`: whether a state has no fault if the orbits and `even` find none.
    """

    def __init__(self, orbits: list, even: list, known: bool = True) -> None:
        owners: list = []
        self._owners = owners
        self.orbits = len(orbits)
        self.known = known
        counts = array("i", bytes(4 * 256 * len(orbits)))
        homes = array("i", bytes(4 * 256 * len(orbits)))
        flat: list = []  # start, size, orientations and flags of each orbit
        solved: list = []
        modulus: list = []
        for number, (labels, turns, summed, frame) in enumerate(orbits):
            flat += [len(solved), len(labels), turns, bool(summed), bool(frame)]
            for i, label in enumerate(labels):
                counts[256 * number + label] += 1
                homes[256 * number + label] = i
            solved += labels
            modulus += [0] * len(labels)
            if turns > 1:
                solved += [0] * len(labels)
                modulus += [turns] * len(labels)
        self.width = len(solved)
        listed: list = []
        for together in even:
            listed += [len(together), *together]
        self.orbit = ints_at(int_array(flat), owners)
        self.counts = ints_at(counts, owners)
        self.homes = ints_at(homes, owners)
        self.even = ints_at(int_array([len(even), *listed]), owners)
        self.solved = bytes_at(bytes(solved), owners)
        self.modulus = bytes_at(bytes(modulus), owners)

    def is_sound(self, state: bytes) -> bool:
        """Whether a state has no fault. False also if only a longer test can tell."""
        if not self.known or len(state) != self.width:
            return False
        vector: cython.p_uchar = state
        return self._is_sound(vector) != 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_sound(self, vector: cython.p_uchar) -> cython.int:
        left = cython.declare(cython.int[256])
        number: cython.int
        i: cython.int
        start: cython.int
        size: cython.int
        turns: cython.int
        total: cython.int
        at: cython.int = 1
        for number in range(self.orbits):
            start = self.orbit[5 * number]
            size = self.orbit[5 * number + 1]
            turns = self.orbit[5 * number + 2]
            for i in range(256):
                left[i] = self.counts[256 * number + i]
            for i in range(start, start + size):
                left[vector[i]] -= 1
                if left[vector[i]] < 0:
                    return 0
                if self.orbit[5 * number + 4] and vector[i] != self.solved[i]:
                    return 0
            if turns > 1:
                total = 0
                for i in range(start + size, start + 2 * size):
                    if vector[i] >= turns:
                        return 0
                    total += vector[i]
                if self.orbit[5 * number + 3] and total % turns:
                    return 0
        for _ in range(self.even[0]):
            total = 0
            for i in range(at + 1, at + 1 + self.even[at]):
                total += self._parity(self.even[i], vector)
            if total & 1:
                return 0
            at += 1 + self.even[at]
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _parity(self, number: cython.int, vector: cython.p_uchar) -> cython.int:
        """Return the parity of the pieces of an orbit, which all differ: 0 if it is even, else 1.

        A permutation of n places with c cycles has the parity of n - c.
        """
        seen = cython.declare(cython.char[256])
        i: cython.int
        place: cython.int
        start: cython.int = self.orbit[5 * number]
        size: cython.int = self.orbit[5 * number + 1]
        parity: cython.int = size
        for i in range(size):
            seen[i] = 0
        for i in range(size):
            parity -= seen[i] == 0
            place = i
            while not seen[place]:
                seen[place] = 1
                place = self.homes[256 * number + vector[start + place]]
        return parity & 1

    def after(self, state: bytes, moves: object) -> bytes:
        """Return a state after moves: objects with the attributes `gather` and `add`."""
        room = bytearray(2 * self.width)
        one: cython.p_uchar = room
        other: cython.p_uchar = room
        first: cython.Py_ssize_t = 0
        second: cython.Py_ssize_t = self.width
        swap: cython.Py_ssize_t
        j: cython.Py_ssize_t
        value: cython.int
        turned: cython.int
        gathered: bytes
        added: bytes
        if len(state) != self.width:
            raise ValueError(f"a state has {self.width} bytes, not {len(state)}")
        room[: self.width] = state
        for move in moves:
            gathered = move.gather
            added = move.add
            if len(gathered) != self.width or len(added) != self.width:
                raise ValueError("a move must act on every byte of a state")
            gather: cython.p_uchar = gathered
            add: cython.p_uchar = added
            turned = 0
            for j in range(self.width):
                if gather[j] >= self.width:
                    raise ValueError("a move reads bytes that a state does not have")
                other[second + j] = one[first + gather[j]]
                turned |= add[j]
            if turned:
                for j in range(self.width):
                    value = other[second + j] + add[j]
                    if self.modulus[j]:
                        value %= self.modulus[j]
                    other[second + j] = value
            swap = first
            first = second
            second = swap
        return bytes(room[first : first + self.width])

    def inverse(self, state: bytes) -> bytes:
        """Return the inverse of a sound state. All pieces of the puzzle must differ."""
        if len(state) != self.width:
            raise ValueError(f"a state has {self.width} bytes, not {len(state)}")
        vector: cython.p_uchar = state
        found = bytearray(self.width)
        inverse: cython.p_uchar = found
        number: cython.int
        i: cython.int
        j: cython.int
        size: cython.int
        turns: cython.int
        for number in range(self.orbits):
            size = self.orbit[5 * number + 1]
            turns = self.orbit[5 * number + 2]
            for i in range(self.orbit[5 * number], self.orbit[5 * number] + size):
                j = self.orbit[5 * number] + self.homes[256 * number + vector[i]]
                inverse[j] = self.solved[i]
                if turns > 1:
                    inverse[j + size] = (turns - vector[i + size]) % turns
        return bytes(found)
