# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""The input of a search: a phase as integers and tables.

A search never changes a `Space`, so searches in several threads may share a space. `space.pxd`
declares the names that other compiled modules use.
"""

from __future__ import annotations

from array import array

import cython

__all__ = ["MAX_MOVES", "MAX_TABLES", "Lookup", "Space"]

if not cython.compiled:  # space.pxd has these for the compiler
    from puzzlekit.engine.ranks import (
        CarriedRank,
        Carry,
        _programs_at,
        _rank,
        bytes_at,
        int_array,
        ints_at,
        longs_at,
        new_shorts,
        shorts_at,
        shorts_below,
        words_at,
    )

from puzzlekit.engine.ranks import MAX_COORDINATES

# Marks a table whose entries of 2 bits stand for lower bounds, not for distances modulo 3.
BOUNDS = 3

MAX_TABLES = 16
MAX_MOVES = 256  # candidates of a beam, and symmetries of moves, have a byte for each move


@cython.final
@cython.cclass
class Sym:
    """The symmetries of a sym coordinate.

    The engine represents a value of a sym coordinate as class * 2^shift + symmetry. Here shift is
    the number of bits for the symmetry.
    """

    def __init__(
        self,
        #: The number of bits of a value that hold the symmetry: up to 6.
        shift: int,
        #: The number of symmetries.
        symmetries: int,
        #: For each symmetry the image of each move: (symmetries * moves) bytes.
        images: bytes,
        #: The products of symmetries: "s, then t" at index s * symmetries + t.
        products: bytes,
    ) -> None:
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
        self.images = bytes_at(bytes(images) + bytes((1 << shift) * self.moves), owners)
        self.products = bytes_at(bytes(padded), owners)
        inverses = bytearray(1 << shift)
        for s in range(symmetries):  # symmetry 0 is the identity
            inverses[s] = products.find(0, s * symmetries) % symmetries
        self.inverses = bytes_at(bytes(inverses), owners)
        self.group = symmetries, bytes(images), bytes(products)  # to compare two of them


@cython.cclass
class Lookup:
    """Looks up the distances of a pruning table, whatever its layout.

    `lookup` is a function from a list with the values of the table's coordinates to a distance. For
    a sym coordinate, a value is class * 2^shift + symmetry. A compiled module of a plugin may
    derive a class that overrides `_distance`, and need no such function.
    """

    def __init__(self, lookup: object = None) -> None:
        self.lookup = lookup
        self.failure = None

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _distance(self, values: cython.p_int, count: cython.int) -> cython.int:
        """Return the distance for the first `count` of some values."""
        found: cython.int
        with cython.gil:
            found = self._asked(values, count)
        return found

    @cython.cfunc
    @cython.exceptval(check=False)
    def _asked(self, values: cython.p_int, count: cython.int) -> cython.int:
        """Ask the function. If it fails, note why and return 0, until `check` raises the error."""
        if self.failure is not None:
            return 0
        try:
            found = self.lookup([values[n] for n in range(count)])
            if not 0 <= found < 1 << 20:
                raise ValueError(f"a pruning table cannot have the distance {found}")
            return int(found)
        except BaseException as error:
            self.failure = error
            return 0


@cython.final
@cython.cclass
class ValueLookup(Lookup):
    """A table over one coordinate whose values are distances themselves."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _distance(self, values: cython.p_int, count: cython.int) -> cython.int:
        return values[0]


@cython.final
@cython.cclass
class Estimator(CarriedRank):
    """A coordinate whose value is the estimate that a function returns for a state.

    `ask` gets the carried bytes, which are all bytes of a state, and returns an estimate below
    2^16. `admissible` says whether the estimate never exceeds the distance. `table` is the look-up
    of the pruning table over the coordinate.
    """

    def __init__(self, ask: object, width: int, admissible: bool) -> None:
        self.ask = ask
        self.width = width
        self.size = 1 << 16
        self.admissible = admissible
        self.table = ValueLookup()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _rank(self, vector: cython.p_uchar, base: cython.Py_ssize_t) -> cython.int:
        found: cython.int
        with cython.gil:
            found = self._asked(vector, base)
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _checked(self, vector: cython.p_uchar, base: cython.Py_ssize_t) -> cython.int:
        return self._rank(vector, base)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _asked(self, vector: cython.p_uchar, base: cython.Py_ssize_t) -> cython.int:
        """Ask the function. If it fails, let the table raise the error, and return 0 until then."""
        if self.table.failure is not None:
            return 0
        try:
            return int(self.ask(bytes([vector[base + i] for i in range(self.width)])))
        except BaseException as error:
            self.table.failure = error
            return 0


@cython.final
@cython.cclass
class Lookups:
    """A linked list of objects of the class `Lookup`, for code without the interpreter's lock."""

    def __init__(self, last: Lookup, before: Lookups | None) -> None:
        self.last = last
        self.before = before
        self.count = 1 if before is None else before.count + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _distance(self, number: cython.int, values: cython.p_int, count: cython.int) -> cython.int:
        """Return the distance that one of the objects looks up."""
        if number == self.count - 1:
            return self.last._distance(values, count)
        return self.before._distance(number, values, count)

    def check(self) -> None:
        """Raise the error of a look-up that failed."""
        if self.last.failure is not None:
            failure = self.last.failure
            self.last.failure = None
            raise failure
        if self.before is not None:
            self.before.check()


@cython.final
@cython.cclass
class Space:
    """A phase as the engine sees it: moves, coordinates, pruning tables and goals."""

    def __init__(
        self,
        #: The cost of each move (positive), or a list of these for each state of the automaton.
        costs: list,
        #: For each state the list of (move, next state) that may follow.
        automaton: list,
        #: A `CoordinateInput` for each coordinate.
        coordinates: list,
        #: A `TableInput` for each pruning table except a hashed one.
        tables: list,
        #: A `JoinInput`, which combines the distances of all tables into an estimate. None: the
        #: estimate is the largest distance.
        join: object = None,
        #: For each move a byte, not 0 if it may end the phase; None: all may.
        ending: bytes | None = None,
        #: The action of moves on the carried bytes of ranked coordinates.
        carry: Carry | None = None,
        #: The coordinate values at a goal, or None. With these values, the estimate is raised by
        #: the cost of a cheapest move if all tables return the same distance above 0. They may be
        #: given only if the estimate is the largest distance and `keeps_goals` is true.
        solved: list | None = None,
        #: (moves * moves) bytes: 1 if two moves commute, else 0. A search skips a path if one of
        #: its moves may not end the phase and commutes with all moves after it.
        commuting: bytes = b"",
        #: The numbers of tables that must return 0 at a goal, in addition to the coordinates.
        joint: tuple = (),
        #: A `HashedInput`. Its table prunes near the goal. It is not part of the estimate.
        hashed: object = None,
        #: The cost that corresponds to a distance of 1 in the tables. Example: it is 2 if the
        #: tables count moves and each move costs 2.
        unit: int = 1,
        #: The number of tables in each group, in the order of the tables. The distances of the
        #: tables of a group are added. (): each table is a group by itself.
        groups: tuple = (),
    ) -> None:
        if len(coordinates) > MAX_COORDINATES or len(tables) > MAX_TABLES:
            raise ValueError("at most 16 coordinates and 16 pruning tables in a phase")
        rows = costs if costs and isinstance(costs[0], list) else [costs] * len(automaton)
        moves = len(rows[0]) if rows else 0
        if not 1 <= moves <= MAX_MOVES:
            raise ValueError(f"1 to {MAX_MOVES} moves in a phase")
        if len(rows) != len(automaton) or any([len(row) != moves for row in rows]):
            raise ValueError("each state of the automaton needs the costs of its moves")
        owners: list = []
        self._owners = owners
        if not cython.compiled:
            self.narrow, self.wide = [None] * 16, [None] * 16
            self.goals, self.pruning = [None] * 16, [None] * 16
            self.sym_images, self.sym_products = [None] * 16, [None] * 16
            self.image = [None] * 48
        self.moves = moves
        self.unit = unit
        self.coordinates = len(coordinates)
        self.tables = len(tables)
        first = [0]
        prices = set()
        for state, allowed in enumerate(automaton):
            for move, reached in allowed:
                if not (0 <= move < moves and 0 <= reached < len(automaton)):
                    raise ValueError("the automaton names a move or a state that does not exist")
                prices.add(rows[state][move])
            first.append(first[state] + len(allowed))
        self.cheapest, self.dearest = min(prices, default=0), max(prices, default=0)
        if self.cheapest < 1:
            raise ValueError("moves of positive cost in a phase")
        self.cost = ints_at(int_array([cost for row in rows for cost in row]), owners)
        self.first = ints_at(int_array(first), owners)
        entries = [entry for allowed in automaton for entry in allowed]
        self.via = ints_at(int_array([move for move, _ in entries]), owners)
        follow = [-1] * (len(automaton) * moves)  # -1: the move may not follow
        for state, allowed in enumerate(automaton):
            for move, reached in allowed:
                follow[state * moves + move] = reached
        self.follow = ints_at(int_array(follow), owners)
        if ending is not None and len(ending) != moves:
            raise ValueError(
                "the list of moves that may end the phase needs one entry for each move"
            )
        self.ending = bytes_at(ending or bytes([1]) * moves, owners)
        if len(commuting) not in (0, moves**2):
            raise ValueError("the table of commuting moves needs one entry for each pair of moves")
        self.commuting = bytes_at(commuting or bytes(moves**2), owners)
        self.joint = sum([1 << t for t in joint])
        self.carry = carry or Carry([], b"")
        self._set_coordinates(coordinates)
        self._set_tables(coordinates, tables)
        self._set_groups(groups, len(join.radix) if join is not None else -1)
        self._set_hashed(coordinates, hashed)
        read = {number for table in tables for number in table.coordinates}
        late = [not self.width[i] and i not in read for i in range(self.coordinates)]
        self.late = bytes_at(bytes(late) or b"\0", owners)
        alone = join is None and unit == 1 and not self.summed
        self.raised = solved is not None and alone and self.keeps_goals(solved)
        self.joined = join is not None
        self.loose = self.joined
        if isinstance(self.own_rank, Estimator):
            estimator: Estimator = self.own_rank
            self.loose = self.joined or not estimator.admissible
        # The hashed table comes before the first table that reads carried bytes. It prunes more,
        # and pruned children need not be ranked. If distances are joined or added, it comes last.
        behind = [
            t for t in range(self.tables) if any([not self.width[c] for c in tables[t].coordinates])
        ]
        together = join is not None or self.summed
        self.hash_before = self.tables if together or not behind else behind[0]
        radix, estimates = join or ([1], array("H", [0]))
        vectors = 1
        for size in radix:
            vectors *= size
        if len(estimates) < vectors:
            raise ValueError("there is no estimate for some vectors of distances")
        self.radix = ints_at(int_array(radix), owners)
        self.estimates = shorts_at(estimates, owners)
        self._set_floors(radix)

    @cython.cfunc
    def _set_floors(self, radix: list) -> None:
        """Compute the least estimate that is possible with given distances in the first tables.

        The least estimates for the first k + 1 distances begin at index `floor_at[k]`. If the least
        estimate exceeds the bound, the search need not look up the child in the other tables.
        """
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        size: cython.Py_ssize_t
        count: cython.Py_ssize_t
        at: cython.Py_ssize_t = 0
        end: cython.Py_ssize_t = 0
        least: cython.ushort
        counts = []  # the numbers of vectors of 0, 1, ... distances
        vectors = 1
        for number in radix:
            counts.append(vectors)
            vectors *= number
        starts = [0] * len(radix)
        floors: cython.p_ushort = new_shorts(sum(counts), self._owners)
        source: cython.p_ushort = self.estimates
        for last in range(len(radix) - 1, 0, -1):
            size = radix[last]
            count = counts[last]
            for i in range(count):
                least = source[at + i * size]
                for j in range(1, size):
                    least = min(least, source[at + i * size + j])
                floors[end + i] = least
            starts[last - 1] = end
            source = floors
            at = end
            end += count
        self.floors = floors
        self.floor_at = ints_at(int_array(starts), self._owners)

    @cython.cfunc
    def _set_coordinates(self, coordinates: list) -> None:
        i: cython.int
        widths = []
        single = []
        sizes = []
        programs = []
        shifts = []
        self.owned = -1
        self.own_rank = None
        for i in range(self.coordinates):
            size, table, goals, given = coordinates[i]
            sym: Sym = given
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
            if isinstance(table, CarriedRank):
                if self.own_rank is not None:
                    raise ValueError("one coordinate at most has carried bytes of its own")
                self.own_rank = table
                self.owned = i
                if size != self.own_rank.size or self.carry.width != self.own_rank.width:
                    raise ValueError("the carried bytes are not those of the ranked coordinate")
                plain = isinstance(table, Estimator)
                if self.carry.moves != self.moves or not (plain or self.carry.relabelled):
                    raise ValueError("each move needs a table of its action on the carried bytes")
                programs.append(())
            elif isinstance(table, tuple):
                if self.carry.width <= max(table[3 : 3 + table[2]], default=-1):
                    raise ValueError("a coordinate reads bytes that are not carried")
                if self.carry.moves != self.moves:
                    raise ValueError("it is not said how every move acts on the carried bytes")
                programs.append(table)
            else:
                width = memoryview(table).itemsize
                programs.append(())
                if memoryview(table).nbytes != entries * width:
                    raise ValueError("a move table has another shape than its coordinate and moves")
                if width == 2:
                    self.narrow[i] = shorts_at(table, self._owners)
                else:
                    self.wide[i] = words_at(table, self._owners)
                # In compiled code, a number that is too large would lead outside of the tables.
                if cython.compiled and not self._all_below(i, entries, width, size << shift):
                    raise ValueError("a move table leads out of its coordinate: it is damaged")
            widths.append(width)
            sizes.append(size << shift)
            listed = isinstance(goals, (tuple, list))
            if listed and not all([0 <= index < size for index in goals]):
                raise ValueError("a goal is outside the values of its coordinate")
            single.append(goals[0] if listed and len(goals) == 1 else -1)
            if listed:
                flags = bytearray(size if len(goals) != 1 else 1)
                for index in goals if len(goals) != 1 else ():
                    flags[index] = 1
                goals = bytes(flags)
            elif len(goals) != size:
                raise ValueError(
                    "the goals of a coordinate need one entry for each value of the coordinate"
                )
            self.goals[i] = bytes_at(goals, self._owners)
        self.ranked = 0 in widths
        alone = self.owned >= 0 and not isinstance(self.own_rank, Estimator)
        if alone and widths.count(0) > 1:
            raise ValueError("beside a coordinate with its own carried bytes all need move tables")
        self.shift = ints_at(int_array(shifts), self._owners)
        self.program, self.program_at = _programs_at(programs, self._owners)
        self.width = ints_at(int_array(widths), self._owners)
        self.goal = ints_at(int_array(single), self._owners)
        self.size = ints_at(int_array(sizes), self._owners)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _all_below(
        self, c: cython.int, entries: cython.Py_ssize_t, width: cython.int, size: cython.uint
    ) -> cython.int:
        """Whether every entry of a move table is a valid row number."""
        k: cython.Py_ssize_t
        largest: cython.uint = 0
        wide: cython.p_uint = self.wide[c]
        if width == 2:
            return shorts_below(self.narrow[c], entries, size)
        for k in range(entries):
            largest = max(largest, wide[k])
        return largest < size

    @cython.cfunc
    def _set_tables(self, coordinates: list, tables: list) -> None:
        i: cython.int
        self.lookups = None
        lookups: Lookups | None = None
        orders = []
        all_bits = []
        arities = []
        parts = []
        sizes = []
        imaged = []
        parts_of = []
        bounds = []
        for i in range(self.tables):
            numbers, bits, data, images, steps, lookup = tables[i]
            orders.append(0 if lookups is None else lookups.count)
            if bits == 0 and lookup is not None and 1 <= len(numbers) <= 3:
                lookups = Lookups(lookup, lookups)
                bounds += (0, 0, 0, 0)
                imaged.append(False)
                parts_of.append((set(numbers), bits))
                all_bits.append(bits)
                arities.append(len(numbers))
                parts += [*numbers, 0, 0][:3]
                sizes += [0, 0, 0]
                self.pruning[i] = bytes_at(b"\0", self._owners)
                continue
            if steps and (bits != 2 or len(steps) != 4):
                raise ValueError("a table of bounds has entries of 2 bits, for four bounds")
            bounds += steps or (0, 0, 0, 0)
            if not 1 <= len(numbers) <= 3 or bits not in (2, 4, 8):
                raise ValueError(
                    "a pruning table must be over 1 to 3 coordinates and have 2, 4 or 8 bits "
                    "per entry"
                )
            imaged.append(images is not None)
            partners = len(numbers) - 1 if coordinates[numbers[0]].sym is not None else 0
            if len(images or ()) != partners:
                raise ValueError(
                    "a table over a sym coordinate needs images of its other coordinates"
                )
            parts_of.append((set(numbers), bits))
            radix = [coordinates[number].size for number in numbers]
            if images is not None:
                radix = [radix[0], *[size for _, size in images]]
                for p, (image, size) in enumerate(images):
                    values = coordinates[numbers[p + 1]].size << self.shift[numbers[0]]
                    if memoryview(image).nbytes != 2 * values:
                        raise ValueError("there is no image for some value of a coordinate")
                    self.image[3 * i + p + 1] = shorts_at(image, self._owners)
                    if cython.compiled and not shorts_below(
                        self.image[3 * i + p + 1], values, size
                    ):
                        raise ValueError("the images of a coordinate are damaged")
            entries = 1
            for size in radix:
                entries *= size
            if bits == 2 and self.dearest >= 2 * self.unit:
                raise ValueError("entries of 2 bits are for moves of equal cost")
            if memoryview(data).nbytes * 8 < entries * bits:
                raise ValueError("a pruning table is smaller than its coordinates need")
            all_bits.append(BOUNDS if steps else bits)
            arities.append(len(numbers))
            parts += [*numbers, 0, 0][:3]
            sizes += [*radix, 0, 0][:3]
            self.pruning[i] = bytes_at(data, self._owners)
        self.lookups = lookups
        self.order = ints_at(int_array(orders), self._owners)
        self.followed = 2 in all_bits
        # For each table, the tables not modulo 3 that are over a subset of its coordinates.
        within = [
            sum([1 << u for u, (fewer, bits) in enumerate(parts_of) if fewer <= own and bits > 2])
            for own, _ in parts_of
        ]
        self.within = ints_at(int_array(within), self._owners)
        self.imaged = ints_at(int_array(imaged), self._owners)
        self.bits = ints_at(int_array(all_bits), self._owners)
        self.bounds = ints_at(int_array(bounds), self._owners)
        self.arity = ints_at(int_array(arities), self._owners)
        self.part = ints_at(int_array(parts), self._owners)
        self.part_size = ints_at(int_array(sizes), self._owners)

    @cython.cfunc
    def _set_groups(self, groups: tuple, joined: cython.int) -> None:
        sizes = groups or (1,) * self.tables
        if sum(sizes) != self.tables or min(sizes, default=1) < 1:
            raise ValueError("the groups of pruning tables are not all of them in order")
        if joined not in (-1, len(sizes)):
            raise ValueError("there is no estimate for some vectors of distances")
        self.summed = len(sizes) < self.tables
        self.closes = bytes_at(
            b"".join([bytes(n - 1) + b"\1" for n in sizes]) or b"\0", self._owners
        )

    @cython.cfunc
    def _set_hashed(self, coordinates: list, hashed: object) -> None:
        numbers, data, entries, most, keys = hashed or ((), b"\0", 0, 0, array("q", bytes(8)))
        listed = []
        width = 0
        self.hash_shift = 0
        for number in numbers:
            size = coordinates[number].size << self.shift[number]
            sym: Sym = coordinates[number].sym
            first: Sym = coordinates[numbers[0]].sym
            if (sym and sym.group) != (first and first.group):
                raise ValueError("the coordinates of a hashed table have different symmetries")
            if sym is not None:
                self.hash_shift = sym.shift
                self.hash_inverses = sym.inverses
                self.hash_products = sym.products
            if not self.width[number]:
                width = self.carry.width
            else:
                listed += [number, (size - 1).bit_length() + 7 >> 3 or 1]
        total = width + sum(listed[1::2])
        if len(keys) < 256 * total or memoryview(data).nbytes * 2 < entries:
            raise ValueError("the hashed table is too small")
        self.hashed = hashed is not None
        self.hash_width = width
        self.hash_values = len(listed) // 2
        self.hash_value = ints_at(int_array(listed), self._owners)
        self.hash_most = most
        self.hash_reads = sum([1 << number for number in listed[::2]])
        self.hash_entries = entries
        self.hash_keys = longs_at(keys, self._owners)
        self.hash_table = bytes_at(data, self._owners)

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
        """Return the index into the hashed table for values `step` apart and the carried bytes."""
        i: cython.Py_ssize_t
        row: cython.Py_ssize_t = 0
        value: cython.int
        undone: cython.Py_ssize_t = 0  # undoes the symmetry of the first value
        low: cython.int = (1 << self.hash_shift) - 1
        mixed: cython.longlong = 0
        keys: cython.p_longlong = self.hash_keys
        for i in range(self.hash_width):
            mixed ^= keys[row + vector[at + i]]
            row += 256
        for i in range(self.hash_values):
            value = values[base + self.hash_value[2 * i] * step]
            if low:
                if i == 0:
                    undone = self.hash_inverses[value & low] << self.hash_shift
                value += self.hash_products[undone + (value & low)] - (value & low)
            for _ in range(self.hash_value[2 * i + 1]):
                mixed ^= keys[row + (value & 255)]
                value >>= 8
                row += 256
        return ((mixed & 0x7FFFFFFF) * self.hash_entries) >> 31

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _rank_vector(
        self, c: cython.int, vector: cython.p_uchar, base: cython.Py_ssize_t
    ) -> cython.longlong:
        """Return the value of a ranked coordinate for the carried bytes; -1 if undefined."""
        if c == self.owned:
            return self.own_rank._checked(vector, base)
        if self.width[c]:
            return -1
        return _rank(self.program, self.program_at[c], vector, base)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _after(self, c: cython.int, value: cython.int, move: cython.int) -> cython.int:
        """Return the value after a move of a coordinate with a move table."""
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
        """Return the index into a pruning table for the coordinates at `values[base]`."""
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
        """Return an entry of a table, or the bound that the entry stands for."""
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
    def _looked_up(
        self,
        t: cython.int,
        values: cython.p_int,
        base: cython.Py_ssize_t,
        step: cython.Py_ssize_t,
    ) -> cython.int:
        """Return the distance in a table that a `Lookup` reads, for values `step` apart."""
        own = cython.declare(cython.int[3])
        p: cython.int
        for p in range(self.arity[t]):
            own[p] = values[base + self.part[3 * t + p] * step]
        return self.lookups._distance(self.order[t], own, self.arity[t])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _listed(self, t: cython.int, values: cython.p_int, base: cython.Py_ssize_t) -> cython.int:
        """Return the distance, or the distance modulo 3, that a table has for some values."""
        if self.bits[t] == 0:
            return self._looked_up(t, values, base, 1)
        return self._code(t, self._entry(t, values, base))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _moved(
        self,
        t: cython.int,
        move: cython.int,
        here: cython.p_int,
        there: cython.p_int,
        vector: cython.p_uchar,
        source: cython.Py_ssize_t,
        target: cython.Py_ssize_t,
    ) -> cython.void:
        """Write the values after a move of the coordinates that a table reads.

        If one of them is ranked, also write the carried bytes after the move.
        """
        p: cython.int
        c: cython.int
        carried: cython.int = 0
        value: cython.longlong
        for p in range(self.arity[t]):
            c = self.part[3 * t + p]
            if self.width[c]:
                there[c] = self._after(c, here[c], move)
                continue
            if not carried:
                self.carry._do(move, vector, source, vector, target)
                carried = 1
            value = self._rank_vector(c, vector, target)
            # If a declaration is wrong, a move may lead outside of the coordinate.
            there[c] = value if 0 <= value < self.size[c] else 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _walk(
        self,
        t: cython.int,
        values: cython.p_int,
        base: cython.Py_ssize_t,
        vector: cython.p_uchar,
    ) -> cython.int:
        """Return the distance that a table modulo 3 stands for.

        The function follows moves that lower the distance to the goal, and counts these moves. For
        `vector` see `_estimate`.
        """
        here = cython.declare(cython.int[16])
        there = cython.declare(cython.int[16])
        entries = cython.declare(cython.longlong[6])
        p: cython.int
        c: cython.int
        m: cython.int
        first: cython.int
        after: cython.int
        steps: cython.int = 0
        nearer: cython.int
        best: cython.int
        width: cython.Py_ssize_t = self.carry.width
        row: cython.Py_ssize_t = 0
        other: cython.Py_ssize_t = width
        for p in range(self.arity[t]):
            c = self.part[3 * t + p]
            here[c] = values[base + c]
        nearer = (self._code(t, self._entry(t, here, 0)) + 2) % 3
        while True:
            # First some entries, then their codes, so that the processor fetches them in parallel.
            best = -1
            first = 0
            while first < self.moves and best < 0:
                after = min(first + 6, self.moves)
                for m in range(first, after):
                    self._moved(t, m, here, there, vector, row, other)
                    entries[m - first] = self._entry(t, there, 0)
                for m in range(first, after):
                    best = m if self._code(t, entries[m - first]) == nearer else best
                first = after
            if best < 0 or steps == 255:  # no table goes this far: it is damaged
                return steps
            self._moved(t, best, here, there, vector, row, other)
            for p in range(self.arity[t]):
                c = self.part[3 * t + p]
                here[c] = there[c]
            row = other
            other = 3 * width - row  # the first row is kept
            steps += 1
            nearer = (nearer + 2) % 3

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _at_least(self, values: cython.p_int, base: cython.Py_ssize_t) -> cython.int:
        """Return a lower bound of the estimate, without walking. Not for joined estimates."""
        t: cython.int
        u: cython.int
        code: cython.int
        distance: cython.int
        best: cython.int = 0
        for t in range(self.tables):
            distance = code = self._listed(t, values, base)
            if self.bits[t] == 2:  # bounded from below by tables over fewer coordinates
                distance = 0
                for u in range(self.tables):
                    if (self.within[t] >> u) & 1:
                        distance = max(distance, self._code(u, self._entry(u, values, base)))
                distance += (code + 3 - distance % 3) % 3
            best = max(best, distance)
        return best * self.unit

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _estimate(
        self,
        values: cython.p_int,
        base: cython.Py_ssize_t,
        distances: cython.p_int,
        vector: cython.p_uchar,
    ) -> cython.int:
        """Return the estimate of the coordinates at `values[base]`. Store each table's distance.

        `vector` holds the carried bytes, and has room for two more rows of them.
        """
        t: cython.int
        distance: cython.int
        equal: cython.int = 1
        total: cython.int = 0  # the sum of the group
        group: cython.int = 0
        best: cython.int = 0
        mixed: cython.Py_ssize_t = 0
        for t in range(self.tables):
            if self.bits[t] == 2:
                distance = self._walk(t, values, base, vector)
            else:
                distance = self._listed(t, values, base)
            distances[t] = distance
            equal = equal and distance == distances[0]
            total += distance
            if not self.closes[t]:
                continue
            best = max(best, total)
            if self.joined:
                mixed = mixed * self.radix[group] + min(total, self.radix[group] - 1)
            total = 0
            group += 1
        if self.raised and equal and best:
            return best + self.cheapest
        return (self.estimates[mixed] if self.joined else best) * self.unit

    def keeps_goals(self, values: list) -> bool:
        """Whether each move leads from the goal at these values to a goal of at least one table.

        If so, the estimate can be raised in one case. The last move of a solution begins at a goal
        of some table, so the distance of this table is 0 before the move. Suppose that all tables
        return the same distance d above 0. Then a solution has at least d + 1 moves.

        All coordinates of the tables must have move tables. Michiel de Bondt found this rule for a
        pruning table of the 3x3x3 that is looked up along three axes.
        """
        owners: list = []
        moved: cython.p_int = ints_at(int_array(values), owners)
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
                kept |= self._listed(t, moved, 0) == 0
            if not kept:
                return False
        return True

    def estimate(self, values: list, vector: bytes = b"") -> int:
        """Return the estimate for a list of coordinate values and the carried bytes."""
        owners: list = []
        if len(values) != self.coordinates or len(vector) != self.carry.width:
            raise ValueError(
                f"an estimate needs {self.coordinates} coordinate values and {self.carry.width} "
                f"carried bytes, not {len(values)} and {len(vector)}"
            )
        distances = ints_at(int_array([0] * self.tables), owners)
        room = bytes_at(bytearray(vector + bytes(2 * len(vector) + 1)), owners)
        found = self._estimate(ints_at(int_array(values), owners), 0, distances, room)
        self.check_lookups()
        return found

    def distances(self, values: list, vector: bytes = b"") -> list:
        """Return the distance of each table for coordinate values and carried bytes."""
        owners: list = []
        found = ints_at(int_array([0] * self.tables), owners)
        room = bytes_at(bytearray(vector + bytes(2 * len(vector) + 1)), owners)
        if len(values) != self.coordinates or len(vector) != self.carry.width:
            raise ValueError("distances need the values of all coordinates and all carried bytes")
        self._estimate(ints_at(int_array(values), owners), 0, found, room)
        self.check_lookups()
        return [found[t] for t in range(self.tables)]

    def check_lookups(self) -> None:
        """Raise the error of a table whose look-up failed. Estimates are 0 until then."""
        if self.lookups is not None:
            self.lookups.check()
