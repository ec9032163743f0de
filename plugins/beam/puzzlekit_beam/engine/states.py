# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""How whole states enter and leave a stage of a beam: ranked, under other names, or inverted."""

from __future__ import annotations

from array import array

import cython

if not cython.compiled:  # states.pxd has these for the compiler
    from puzzlekit.engine.opcodes import COMBINATION, HALVES, ORIENTATION, RELATIVE_ORIENTATION
    from puzzlekit.engine.ranks import Labels, Ranks, Reading, bytes_at, ints_at, longs_at, new_ints
    from puzzlekit.engine.space import Space

from puzzlekit.engine.ranks import MAX_COORDINATES


@cython.final
@cython.cclass
class Names:
    """Renames pieces of a whole state, so that a phase can start under other names."""

    def __init__(
        self,
        #: One effect for each renaming.
        labels: Labels,
        #: The number of renamings.
        count: int,
        #: The indices of the bytes that the phase reads and that some renaming changes.
        changed: list,
        #: For each coordinate, whether it reads one of these bytes and belongs to a table.
        affected: list,
        #: The rank program of each affected coordinate, after the index of the coordinate.
        programs: list,
    ) -> None:
        owners: list = []
        self._owners = owners
        self.labels = labels
        self.count = count
        self.changes = len(changed)
        self.changed = ints_at(array("i", changed or [0]), owners)
        self.affected = ints_at(array("i", affected), owners)
        # Programs of these kinds are run for all renamings at once: a record of eight numbers each.
        kinds = (COMBINATION, HALVES, ORIENTATION, RELATIVE_ORIENTATION)
        self.quick = len(programs) if all(each[1][0] in kinds for each in programs) else 0
        records = array("i", bytes(32 * self.quick))
        table = bytearray()
        for i in range(self.quick):
            number, (kind, base, n, *rest) = programs[i]
            sets = kind in (COMBINATION, HALVES)
            records[8 * i : 8 * i + 6] = array(
                "i", [kind, number, n, base, len(table), len(records)]
            )
            first = rest[0]
            orbit = labels.base[first]
            records.extend(rest[:n])
            if sets:
                records[8 * i + 6] = len(records)
                records.extend(rest[n + 128 :])
            for label in range(labels.room[first]):
                for name in range(count):
                    value = labels.table[name * labels.span + orbit + label]
                    table.append(rest[n + value] >= 0 if sets else value)
        self.record = ints_at(records or array("i", [0]), owners)
        self.renamed = bytes_at(table or b"\0", owners)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _write(
        self,
        name: cython.int,
        state: cython.p_uchar,
        base: cython.Py_ssize_t,
        target: cython.p_uchar,
    ) -> cython.void:
        """Write the renamed bytes of the state at `state[base]` to `target`."""
        i: cython.int
        j: cython.int
        value: cython.int
        at: cython.Py_ssize_t = name
        at *= self.labels.span
        for i in range(self.changes):
            j = self.changed[i]
            value = self.labels.table[at + self.labels.base[j] + state[base + self.labels.via[j]]]
            if self.labels.turned[j]:
                value += state[base + j]
                if value >= self.labels.modulus[j]:
                    value -= self.labels.modulus[j]
            target[j] = value

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _rank_all(
        self,
        state: cython.p_uchar,
        base: cython.Py_ssize_t,
        found: cython.p_uchar,
        rank: cython.p_int,
    ) -> cython.void:
        """Run the quick programs on the state at `state[base]` under all renamings.

        `rank` gets `count` results of each program. `found` is room for `count` bytes.
        """
        q: cython.int
        i: cython.int
        j: cython.int
        v: cython.Py_ssize_t
        here: cython.int
        m: cython.int
        turn: cython.int
        row: cython.Py_ssize_t
        zero: cython.Py_ssize_t
        kind: cython.int
        n: cython.int
        count: cython.Py_ssize_t = self.count
        record: cython.p_int = self.record
        renamed: cython.p_uchar = self.renamed
        to: cython.Py_ssize_t
        binomial: cython.Py_ssize_t
        for q in range(self.quick):
            kind, n, m = record[8 * q], record[8 * q + 2], record[8 * q + 3]
            to = q * count
            for v in range(count):
                rank[to + v] = 0
            if kind in (COMBINATION, HALVES):
                for v in range(count):
                    found[v] = 0
                for i in range(n):
                    j = record[record[8 * q + 5] + i]
                    row = state[base + j]
                    row = record[8 * q + 4] + row * count
                    binomial = record[8 * q + 6] + i * (m + 1)
                    for v in range(count):
                        here = renamed[row + v]
                        found[v] += here
                        rank[to + v] += record[binomial + found[v]] * here
                if kind == HALVES:
                    turn = record[record[8 * q + 6] + n * (m + 1)] - 1
                    for v in range(count):
                        rank[to + v] = min(rank[to + v], turn - rank[to + v])
                continue
            j = record[record[8 * q + 5]]
            zero = state[base + self.labels.via[j]]
            zero = record[8 * q + 4] + zero * count
            here = state[base + j]
            for i in range(n):
                if i == 0 and kind == RELATIVE_ORIENTATION:
                    continue
                j = record[record[8 * q + 5] + i]
                row = state[base + self.labels.via[j]]
                row = record[8 * q + 4] + row * count
                turn = state[base + j]
                if kind == RELATIVE_ORIENTATION:
                    for v in range(count):
                        rank[to + v] = (
                            rank[to + v] * m
                            + (turn + renamed[row + v] + 2 * m - here - renamed[zero + v]) % m
                        )
                else:
                    for v in range(count):
                        rank[to + v] = rank[to + v] * m + (turn + renamed[row + v]) % m


@cython.final
@cython.cclass
class Entry:
    """Computes the coordinate values of whole states for a phase of a beam.

    The results are written to the entry, so each thread needs an entry of its own.
    """

    def __init__(
        self,
        space: Space,
        #: Ranks coordinates with move tables on a whole state.
        ranks: Ranks,
        #: Extracts the carried bytes for coordinates without move tables.
        reading: Reading,
        #: The renamings under which the phase may start; None if it has none.
        names: Names | None = None,
    ) -> None:
        owners: list = []
        self._owners = owners
        if space.followed:
            raise ValueError(
                "a table of a beam has 2 bits per entry: use tables with 4 or 8 bits per entry"
            )
        self.space = space
        self.ranks = ranks
        self.reading = reading
        self.names = names
        self.renamed = names is not None
        self.value = new_ints(MAX_COORDINATES, owners)
        self.distances = new_ints(MAX_COORDINATES, owners)
        self.vector = bytes_at(bytearray(space.carry.width + 1), owners)
        count = 0 if names is None else names.count
        quick = 0 if names is None else names.quick
        self.found = bytes_at(bytearray(count + 1), owners)
        self.rank = new_ints(count * quick + 1, owners)

    def another(self) -> Entry:
        """Return a copy for another thread."""
        return Entry(self.space, self.ranks, self.reading, self.names)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _rank(self, space: Space, state: cython.p_uchar, base: cython.Py_ssize_t) -> cython.int:
        """Rank a whole state; return 0 if it is outside of the domain of a coordinate, else 1."""
        return self._rank_some(space, state, base, 2)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _rank_some(
        self,
        space: Space,
        state: cython.p_uchar,
        base: cython.Py_ssize_t,
        which: cython.int,
    ) -> cython.int:
        """Rank some coordinates; return 0 if the state is outside of the domain of one, else 1.

        `which` is 2 for all coordinates, 1 for those that renamings change, 0 for the others.
        """
        c: cython.int
        value: cython.longlong
        if which == 2 and space.carry.width and not self.reading._read(state, base, self.vector):
            return 0
        for c in range(space.coordinates):
            if which < 2 and self.names.affected[c] != which:
                continue
            if space.late[c]:
                self.value[c] = 0
                continue
            if space.width[c] == 0 and which == 2:
                value = space._rank_vector(c, self.vector, 0)
            else:
                value = self.ranks._value(c, state, base)
            if value < 0 or value >= space.size[c]:
                return 0
            self.value[c] = value
        return 1


@cython.final
@cython.cclass
class Renaming:
    """Renames pieces at the end of a phase whose goals include several ways to hold the puzzle."""

    def __init__(
        self,
        #: One effect for each way to hold the puzzle, the identity first.
        labels: Labels,
        #: For each way to hold the puzzle a list with one item for each coordinate. An item has one
        #: byte for each value of the coordinate: not 0 if the value is a goal in this holding. An
        #: empty item means that the coordinate is not checked.
        plain: list,
    ) -> None:
        owners: list = []
        self._owners = owners
        self.labels = labels
        self.count = len(plain)
        self.coordinates = len(plain[0])
        starts = array("q")
        flat = bytearray()
        for row in plain:
            for flags in row:
                starts.append(len(flat) if len(flags) else -1)
                flat += flags
        self.flags_at = longs_at(starts, owners)
        self.flags = bytes_at(bytes(flat) or b"\0", owners)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _held(self, values: cython.p_int, at: cython.Py_ssize_t) -> cython.int:
        """Return the holding in which the coordinates at `values[at]` are at goals; 0 for none."""
        k: cython.int
        c: cython.int
        kept: cython.int
        begin: cython.longlong
        for k in range(self.count):
            kept = 1
            for c in range(self.coordinates):
                begin = self.flags_at[k * self.coordinates + c]
                if begin >= 0 and not self.flags[begin + values[at + c]]:
                    kept = 0
                    break
            if kept:
                return k
        return 0


@cython.final
@cython.cclass
class Inversion:
    """Inverts whole states: solutions of the result are the inverses of solutions of the state."""

    def __init__(
        self,
        #: For each orbit the index of its first byte in a state. All pieces of an orbit differ.
        start: list,
        #: For each orbit the number of places.
        size: list,
        #: For each orbit the number of orientations of a piece.
        turns: list,
        #: The solved state.
        solved: bytes,
    ) -> None:
        owners: list = []
        self._owners = owners
        self.orbits = len(start)
        self.start = ints_at(array("i", start), owners)
        self.size = ints_at(array("i", size), owners)
        self.turns = ints_at(array("i", turns), owners)
        self.solved = bytes_at(solved, owners)
        self.home = new_ints(256 * len(start), owners)
        for k in range(len(start)):
            for j in range(start[k], start[k] + size[k]):
                self.home[256 * k + solved[j]] = j

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _do(
        self, source: cython.p_uchar, begin: cython.Py_ssize_t, target: cython.p_uchar
    ) -> cython.void:
        """Write the inverse of the state at `source[begin]`."""
        k: cython.int
        j: cython.int
        at: cython.int
        for k in range(self.orbits):
            for j in range(self.start[k], self.start[k] + self.size[k]):
                at = self.home[256 * k + source[begin + j]]
                target[at] = self.solved[j]
                if self.turns[k] > 1:
                    target[at + self.size[k]] = (
                        self.turns[k] - source[begin + j + self.size[k]]
                    ) % self.turns[k]
