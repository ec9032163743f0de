# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""The stages of a beam search: one phase each, from many starts under one bound.

A stage collects every end of a phase whose cost is within the bound. The cost includes the cost so
far and the estimate of the next phase. The most promising ends are the starts of the next stage.
B. T. Lowerre, "The HARPY speech recognition system" (1976).
"""

from __future__ import annotations

from array import array

import cython

if not cython.compiled:  # beam.pxd has these for the compiler
    from puzzlekit.engine.endings import Endings
    from puzzlekit.engine.opcodes import COMBINATION, HALVES, ORIENTATION, RELATIVE_ORIENTATION
    from puzzlekit.engine.ranks import (
        Carry,
        Labels,
        Ranks,
        Reading,
        _bytes_at,
        _ints_at,
        _longs_at,
    )
    from puzzlekit.engine.search import Search
    from puzzlekit.engine.space import Space
    from puzzlekit.engine.statuses import EXHAUSTED, FOUND, NO_ROOM, PAUSED

from puzzlekit.engine.ranks import MAX_COORDINATES


@cython.final
@cython.cclass
class Names:
    """Renames pieces of a whole state, so that a phase can start under other names."""

    labels: Labels
    count: cython.int
    changed: cython.p_int
    changes: cython.int
    affected: cython.p_int
    quick: cython.int
    record: cython.p_int
    renamed: cython.p_uchar
    found: cython.p_uchar
    rank: cython.p_int
    _owners: list

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
        self.changed = _ints_at(array("i", changed or [0]), owners)
        self.affected = _ints_at(array("i", affected), owners)
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
        self.record = _ints_at(records or array("i", [0]), owners)
        self.renamed = _bytes_at(table or b"\0", owners)
        self.found = _bytes_at(bytearray(count), owners)
        self.rank = _ints_at(array("i", bytes(4 * count * max(1, self.quick))), owners)

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
    def _rank_all(self, state: cython.p_uchar, base: cython.Py_ssize_t) -> cython.void:
        """Run the quick programs on the state at `state[base]` under all renamings."""
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
        found: cython.p_uchar = self.found
        rank: cython.p_int = self.rank
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
    """Computes the coordinate values of whole states for a phase of a beam."""

    space: Space
    ranks: Ranks
    reading: Reading
    value: cython.p_int
    vector: cython.p_uchar
    distances: cython.p_int
    names: Names
    renamed: cython.int
    _owners: list

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
        self.value = _ints_at(array("i", bytes(4 * MAX_COORDINATES)), owners)
        self.distances = _ints_at(array("i", bytes(4 * MAX_COORDINATES)), owners)
        self.vector = _bytes_at(bytearray(space.carry.width + 1), owners)

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

    labels: Labels
    count: cython.int
    coordinates: cython.int
    flags: cython.p_uchar
    flags_at: cython.p_longlong
    _owners: list

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
        self.flags_at = _longs_at(starts, owners)
        self.flags = _bytes_at(bytes(flat) or b"\0", owners)

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

    orbits: cython.int
    start: cython.p_int
    size: cython.p_int
    turns: cython.p_int
    solved: cython.p_uchar
    home: cython.p_int
    _owners: list

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
        self.start = _ints_at(array("i", start), owners)
        self.size = _ints_at(array("i", size), owners)
        self.turns = _ints_at(array("i", turns), owners)
        self.solved = _bytes_at(solved, owners)
        self.home = _ints_at(array("i", bytes(4 * 256 * len(start))), owners)
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


@cython.final
@cython.cclass
class Stage:
    """One phase of a beam search.

    `run` searches from all starts under one bound. An end is a state at the goal of the phase. The
    bound limits the total cost of an end. Ends are collected in the order of their cost, and each
    state only once. If the estimate of the phase is not admissible, the order is nearly that of the
    cost.
    """

    search: Search
    entry: Entry
    after: Entry
    last: cython.int
    whole: Carry
    renaming: Renaming
    endings: Endings
    listed: cython.int
    cursor: cython.longlong
    until: cython.longlong
    listing: cython.int
    width: cython.int
    plies: cython.int
    limit: cython.int
    bound: cython.int
    cheapest: cython.int
    at: cython.int
    searching: cython.int
    starts: cython.int
    ends: cython.int
    room: cython.int
    most: cython.int
    choosy: cython.int
    dropped: cython.int
    strayed: cython.int
    start_state: cython.p_uchar
    start_spent: cython.p_int
    start_least: cython.p_int
    start_at: cython.p_int
    start_name: cython.p_int
    _states: bytearray
    _spent: array
    _least: array
    _at: array
    _name: array
    _origin: array
    _tag: array
    state: cython.p_uchar
    spent: cython.p_int
    score: cython.p_int
    parent: cython.p_int
    length: cython.p_int
    path: cython.p_uchar
    seen: cython.p_longlong
    seen_mask: cython.longlong
    pair_at: cython.p_int
    row: cython.p_uchar
    named: cython.p_uchar
    _start_owners: list
    _owners: list
    _fixed: list

    def __init__(
        self,
        #: The phase.
        entry: Entry,
        #: The action of its moves on whole states.
        whole: Carry,
        #: Renames the pieces of an end.
        renaming: Renaming,
        #: The next phase; None for the last one.
        after: Entry | None,
        #: The largest cost of an end, including the estimate of the next phase.
        limit: int,
        #: The largest number of ends.
        most: int,
        #: Whether better ends replace the worst ones if there are too many. Otherwise the stage
        #: ends then.
        choosy: bool = False,
        #: The precomputed last moves; None to search them.
        endings: Endings | None = None,
        #: The largest number of moves of a path.
        plies: int = 24,
    ) -> None:
        self.entry = entry
        self.listed = endings is not None
        self.endings = endings
        self.listing = 0
        self.cursor = 0
        self.last = after is None
        self.after = entry if after is None else after
        self.whole = whole
        self.renaming = renaming
        self.width = whole.width
        self.plies = plies
        # With an inadmissible estimate, a path may cost less than the bound that it is found under.
        exact = not entry.space.joined or endings is not None
        self.search = Search(entry.space, plies, exact)
        self.limit = limit
        self.most = most
        self.choosy = choosy
        self.dropped = 0
        self.strayed = 0
        self.starts = self.ends = self.room = 0
        self.searching = 0
        self.bound = 1 << 30
        self.cheapest = 1 << 30
        self.at = -1
        self._fixed = []
        self.row = _bytes_at(bytearray((plies + 1) * self.width), self._fixed)
        self.named = _bytes_at(bytearray(self.width + 8), self._fixed)
        self.pair_at = _ints_at(array("i", bytes(4 * 256)), self._fixed)
        self._start_owners = []
        self._states = bytearray()
        self._spent, self._least = array("i"), array("i")
        self._origin, self._tag = array("i"), array("i")
        self._at, self._name = array("i"), array("i")
        self._add(b"", array("i"), array("i"), array("i"), 0, array("i"), array("i"))
        self._owners = []
        self.state = self.path = self.row
        self.spent = self.score = self.parent = self.length = self.start_spent
        self.seen = _longs_at(array("q", bytes(16)), self._owners)
        self.seen_mask = 1
        self._make_room(min(256, most))

    @cython.cfunc
    def _add(
        self,
        states: object,
        spent: array,
        least: array,
        origin: array,
        tag: int,
        at: array,
        name: array,
    ) -> None:
        """Append states, and the starts at them.

        For each start, `at` has the index of its state among all states, and `name` has its
        renaming, or -1.
        """
        i: cython.int
        self._states = self._states + states
        self._at = self._at + at
        self._name = self._name + name
        self._spent = self._spent + spent
        self._least = self._least + least
        self._origin = self._origin + origin
        self._tag = self._tag + array("i", [tag]) * len(spent)
        self._start_owners = []
        self.start_state = _bytes_at(self._states or b"\0", self._start_owners)
        self.start_spent = _ints_at(self._spent or array("i", [0]), self._start_owners)
        self.start_least = _ints_at(self._least or array("i", [0]), self._start_owners)
        self.start_at = _ints_at(self._at or array("i", [0]), self._start_owners)
        self.start_name = _ints_at(self._name or array("i", [0]), self._start_owners)
        self.starts = len(self._spent)
        for i in range(self.starts):
            self.bound = min(self.bound, self.start_least[i])
            self.cheapest = min(self.cheapest, self.start_spent[i])

    def add_states(self, states: list, spent: list) -> None:
        """Add states as starts. `spent` has the cost of reaching each of them."""
        least = array("i")
        for state, cost in zip(states, spent, strict=True):
            owners: list = []
            if not self.entry._rank(self.entry.space, _bytes_at(state, owners), 0):
                raise ValueError("a start lies outside the domain of a coordinate")
            least.append(
                cost
                + self.entry.space._estimate(
                    self.entry.value, 0, self.entry.distances, self.entry.vector
                )
            )
        count = len(states)
        every, old = array("i", range(count)), len(self._states) // self.width
        at, unnamed = array("i", range(old, old + count)), array("i", [-1] * count)
        self._add(b"".join(states), array("i", spent), least, every, 0, at, unnamed)

    def add_ends(
        self,
        before: Stage,
        tag: int,
        share: tuple = (0, 1),
        labels: Labels | None = None,
        back: Carry | None = None,
        effect: int = 0,
        inversion: Inversion | None = None,
        most: int = 1 << 30,
    ) -> None:
        """Add ends of an earlier stage as starts of this stage.

        - `before`: the earlier stage.
        - `tag`: a number that `end` returns for all ends that these starts lead to.
        - `share`: a pair (first, step). The method adds the ends `first`, `first` + `step`, `first`
          + 2 * `step` and so on.
        - `labels`, `back`: if given, each end is replaced by its image under a symmetry: an effect
          of `labels`, then the end, then a move of `back`.
        - `effect`: the index of the effect in `labels`. The move has the same index in `back`.
        - `inversion`: if given together with `labels`, each end is inverted before.
        - `most`: the largest number of ends to add.
        """
        first: cython.int = share[0]
        step: cython.int = share[1]
        chosen = range(first, before.ends, step)[:most]
        count: cython.int = len(chosen)
        owners: list = []
        states = bytearray(count * self.width)
        spent = array("i", bytes(4 * count))
        least = array("i", bytes(4 * count))
        origin = array("i", chosen)
        if not count:
            return
        state: cython.p_uchar = _bytes_at(states, owners)
        cost: cython.p_int = _ints_at(spent, owners)
        score: cython.p_int = _ints_at(least, owners)
        i: cython.int
        j: cython.int
        end: cython.Py_ssize_t
        at: cython.Py_ssize_t
        for i in range(count):
            end = first + i * step
            at = i
            at *= self.width
            cost[i] = before.spent[end]
            score[i] = before.score[end]
            end *= self.width
            if labels is None:
                for j in range(self.width):
                    state[at + j] = before.state[end + j]
                continue
            if inversion is None:
                labels._prepend(effect, before.state, end, self.named)
            else:
                inversion._do(before.state, end, self.row)
                labels._prepend(effect, self.row, 0, self.named)
            back._do(effect, self.named, 0, state, at)
            if self.entry.renamed:
                continue
            if not self.entry._rank(self.entry.space, state, at):
                raise ValueError("a start lies outside the domain of a coordinate")
            score[i] = cost[i] + self.entry.space._estimate(
                self.entry.value, 0, self.entry.distances, self.entry.vector
            )
        old = len(self._states) // self.width
        if self.entry.renamed:
            self._add_renamed(states, state, spent, origin, tag, old)
        else:
            unnamed = array("i", [-1]) * count
            own = array("i", range(old, old + count))
            self._add(states, spent, least, origin, tag, own, unnamed)
        owners.clear()

    @cython.cfunc
    def _add_renamed(
        self,
        states: object,
        state: cython.p_uchar,
        spent: array,
        origin: array,
        tag: int,
        old: int,
    ) -> None:
        """Append states, and the best starts at them under the renamings of the phase."""
        count: cython.int = len(spent)
        names: cython.int = self.entry.names.count
        owners: list = []
        estimate: cython.p_int = _ints_at(array("i", bytes(4 * names)), owners)
        i: cython.int
        n: cython.int
        best: cython.int
        at: cython.Py_ssize_t
        costs, least, source = array("i"), array("i"), array("i")
        own, named = array("i"), array("i")
        for i in range(count):
            at = i
            at *= self.width
            with cython.nogil:
                best = self._rate(self.entry, self.entry.space, state, at, estimate)
            for n in range(names):
                if estimate[n] <= best + 1:  # worse names seldom lead to a better end
                    costs.append(spent[i])
                    least.append(spent[i] + estimate[n])
                    source.append(origin[i])
                    own.append(old + i)
                    named.append(n)
        owners.clear()
        self._add(states, costs, least, source, tag, own, named)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _rate(
        self,
        entry: Entry,
        space: Space,
        state: cython.p_uchar,
        base: cython.Py_ssize_t,
        estimate: cython.p_int,
    ) -> cython.int:
        """Estimate the cost from a state under each renaming. Return the least estimate.

        An estimate is very large if the renamed state is outside of the domain of a coordinate.
        """
        j: cython.int
        n: cython.int
        huge: cython.int = 1 << 29
        best: cython.int = huge - 2
        for n in range(entry.names.count):
            estimate[n] = huge
        for j in range(self.width):
            self.named[j] = state[base + j]
        if not entry._rank_some(space, self.named, 0, 0):
            return best
        q: cython.int
        c: cython.int
        defined: cython.int
        count: cython.Py_ssize_t = entry.names.count
        value: cython.longlong
        if entry.names.quick:
            entry.names._rank_all(state, base)
        for n in range(entry.names.count):
            defined = 1
            if entry.names.quick:
                for q in range(entry.names.quick):
                    c = entry.names.record[8 * q + 1]
                    value = entry.names.rank[q * count + n]
                    if entry.ranks.mapped[c]:
                        value = entry.ranks.value_of[c][value]
                    if value >= space.size[c]:
                        defined = 0
                        break
                    entry.value[c] = value
            else:
                entry.names._write(n, state, base, self.named)
                defined = entry._rank_some(space, self.named, 0, 1)
            if defined:
                estimate[n] = space._estimate(entry.value, 0, entry.distances, entry.vector)
                best = min(best, estimate[n])
        return best

    @cython.cfunc
    def _make_room(self, room: cython.int) -> None:
        """Make room for this many ends, and keep the old ones."""
        i: cython.Py_ssize_t
        old: cython.Py_ssize_t = self.ends
        owners: list = []
        state: cython.p_uchar = _bytes_at(bytearray(room * self.width), owners)
        path: cython.p_uchar = _bytes_at(bytearray(room * self.plies), owners)
        spent: cython.p_int = _ints_at(array("i", bytes(4 * room)), owners)
        score: cython.p_int = _ints_at(array("i", bytes(4 * room)), owners)
        parent: cython.p_int = _ints_at(array("i", bytes(4 * room)), owners)
        length: cython.p_int = _ints_at(array("i", bytes(4 * room)), owners)
        keys: cython.longlong = 1 << (2 * room).bit_length()  # never more than half full
        seen: cython.p_longlong = _longs_at(array("q", bytes(8 * keys)), owners)
        mask: cython.longlong = self.seen_mask
        key: cython.longlong
        for i in range(old * self.width):
            state[i] = self.state[i]
        for i in range(old * self.plies):
            path[i] = self.path[i]
        for i in range(old):
            spent[i] = self.spent[i]
            score[i] = self.score[i]
            parent[i] = self.parent[i]
            length[i] = self.length[i]
        before: cython.p_longlong = self.seen
        kept = self._owners
        self._owners = owners
        self.seen = seen
        self.seen_mask = keys - 1
        for i in range(mask + 1):
            key = before[i]
            if key:
                self._is_new(key)
        kept.clear()
        self.state = state
        self.path = path
        self.spent = spent
        self.score = score
        self.parent = parent
        self.length = length
        self.room = room

    @cython.cfunc
    def _drop_worse(self) -> cython.int:
        """Drop the ends with the worst ratings, at least a quarter of all. Refuse such ends later.

        Return 0 if too many ends have the same, best rating.
        """
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        kept: cython.int = self.most * 3 // 4
        ratings: list = sorted([self.score[i] for i in range(self.ends)])
        if ratings[0] == ratings[kept]:
            return 0
        self.limit = ratings[kept] - 1
        self.dropped = 1
        kept = 0
        for i in range(self.seen_mask + 1):
            self.seen[i] = 0
        for i in range(self.ends):
            if self.score[i] > self.limit:
                continue
            for j in range(self.width):
                self.state[kept * self.width + j] = self.state[i * self.width + j]
            for j in range(self.plies):
                self.path[kept * self.plies + j] = self.path[i * self.plies + j]
            self.spent[kept] = self.spent[i]
            self.score[kept] = self.score[i]
            self.parent[kept] = self.parent[i]
            self.length[kept] = self.length[i]
            j = kept
            j *= self.width
            self._is_new(self._key(self.state, j))
            kept += 1
        self.ends = kept
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _key(self, state: cython.p_uchar, begin: cython.Py_ssize_t) -> cython.longlong:
        """Return a number, not 0, that identifies the state at `state[begin]`."""
        i: cython.int
        one: cython.longlong = 0x2C1B3C6D
        other: cython.longlong = 0x297A2D39
        for i in range(self.width):  # two numbers of 31 bits
            one = (((one ^ state[begin + i]) * 0x5BD1E995) >> 9) & 0x7FFFFFFF
            other = (((other ^ state[begin + i]) * 0x2545F491) >> 11) & 0x7FFFFFFF
        return (one << 31 | other) + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_new(self, key: cython.longlong) -> cython.int:
        """Insert a key, which is not 0. Return whether it is new."""
        at: cython.longlong = (key ^ (key >> 29)) & self.seen_mask
        while self.seen[at]:
            if self.seen[at] == key:
                return 0
            at = (at + 1) & self.seen_mask
        self.seen[at] = key
        return 1

    def run(self, budget: int) -> int:
        """Search for about `budget` more nodes. Return EXHAUSTED or PAUSED.

        EXHAUSTED means that all ends within the limit are collected. PAUSED means that the budget
        is used up.
        """
        status: cython.int
        stop: cython.longlong = self.search.generated + budget
        with cython.nogil:
            status = self._run(self.search, stop)
        while status == NO_ROOM:
            if self.room < self.most:
                self._make_room(min(2 * self.room, self.most))
            elif not self.choosy or not self._drop_worse():
                break
            with cython.nogil:
                status = self._run(self.search, stop)
        if self.strayed or self.search.strayed:
            raise ValueError("a state left the domain of a coordinate that is ranked")
        return EXHAUSTED if status == NO_ROOM else status

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, search: Search, stop: cython.longlong) -> cython.int:
        status: cython.int
        while self.bound <= self.limit:
            if self.searching:
                if self.ends >= self.room:
                    return NO_ROOM
                if self.listing:
                    self._end(search, search.space, self.endings)
                    continue
                status = search._step(search.space, stop - search.generated)
                if status == PAUSED:
                    return PAUSED
                if status == FOUND and search.short:
                    self.cursor = self.endings._entry(
                        search.value, search.depth * search.space.coordinates
                    )
                    self.listing = self._list(search, self.endings, search.space.program)
                elif status == FOUND:
                    self._collect(search, search.depth, self.after, self.after.space)
                else:
                    self.searching = 0
            elif not self._next_start(search, self.entry, self.entry.space):
                search._note_round()
                self.bound += 1
                self.at = -1
                # No path can be this long.
                if self.bound - self.cheapest > self.plies * search.space.dearest:
                    return EXHAUSTED
        return EXHAUSTED

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _next_start(self, search: Search, entry: Entry, space: Space) -> cython.int:
        """Start the search at the next start that may end at this bound; return 0 for none."""
        i: cython.int
        left: cython.int
        base: cython.Py_ssize_t
        self.at += 1
        while self.at < self.starts:
            if self.start_least[self.at] <= self.bound:
                base = self.start_at[self.at]
                base *= self.width
                for i in range(self.width):
                    self.named[i] = self.start_state[base + i]
                if self.start_name[self.at] >= 0:
                    entry.names._write(self.start_name[self.at], self.start_state, base, self.named)
                if not entry._rank(space, self.named, 0):
                    self.strayed = 1
                    return 0
                for i in range(space.coordinates):
                    search.value[i] = entry.value[i]
                for i in range(space.carry.width):
                    search.vector[i] = entry.vector[i]
                for i in range(self.width):
                    self.row[i] = self.start_state[base + i]
                search._begin(0, self.start_spent[self.at], self.bound)
                search.short = 0
                left = self.bound - self.start_spent[self.at]
                if self.listed and self.endings.plies <= left <= self.plies:
                    search.short = self.endings.plies
                self.searching = 1
                return 1
            self.at += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _list(self, search: Search, endings: Endings, program: cython.p_int) -> cython.int:
        """Begin to go through the endings of a node. Return whether there are any."""
        i: cython.int
        row: cython.Py_ssize_t = search.depth
        entry: cython.longlong = self.cursor
        self.cursor = endings.first[entry]
        self.until = endings.first[entry + 1]
        search.generated += self.until - self.cursor
        if self.cursor >= self.until:
            return 0
        if endings.pairs:
            search._carry_to(search.space, search.depth)
            row *= endings.width
            for i in range(endings.width):
                self.pair_at[i] = program[endings.split_at + search.vector[row + i]]
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _end(self, search: Search, space: Space, endings: Endings) -> cython.void:
        """Go through the endings of a node until one reaches the goal of the whole phase."""
        n: cython.longlong
        row: cython.Py_ssize_t = search.state[search.depth] * space.moves
        while self.cursor < self.until:
            n = self.cursor
            self.cursor += 1
            if space.follow[row + endings.move[n * endings.plies]] < 0:
                continue
            if endings.pairs and not endings._splits(n, self.pair_at):
                continue
            if self._reaches(search, space, endings, n):
                self._collect(search, search.depth + endings.plies, self.after, self.after.space)
                break
        if self.cursor >= self.until:
            self.listing = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _reaches(
        self, search: Search, space: Space, endings: Endings, n: cython.longlong
    ) -> cython.int:
        """Whether an ending leads from this node to the goal. If so, append it to the path."""
        i: cython.int
        depth: cython.int = search.depth
        width: cython.Py_ssize_t = endings.width
        row: cython.Py_ssize_t = search.plies + 1
        if width:
            search._carry_to(space, depth)
            row *= width
            for i in range(width):
                search.vector[row + i] = search.vector[
                    depth * width + endings.gather[n * width + i]
                ]
            for i in range(space.coordinates):
                if space.late[i] and not search._is_goal(
                    space, i, search._rank_at(space, i, search.plies + 1)
                ):
                    return 0
        for i in range(endings.plies):
            search.taken[depth + 1 + i] = endings.move[n * endings.plies + i]
        return search._may_end(space, depth + endings.plies)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _collect(
        self, search: Search, depth: cython.int, after: Entry, later: Space
    ) -> cython.void:
        """Collect the current end of the search if it is new and promising."""
        i: cython.int
        k: cython.int
        end: cython.Py_ssize_t = self.ends
        row: cython.Py_ssize_t
        spent: cython.int = self.bound if search.exact else search.spent[search.depth]
        score: cython.int = spent
        for i in range(search.changed, depth):
            row = i
            row *= self.width
            self.whole._do(search.taken[i + 1], self.row, row, self.row, row + self.width)
        search.changed = min(depth, search.depth)
        for i in range(search.depth, depth):
            for k in range(search.space.coordinates):
                search.value[(i + 1) * search.space.coordinates + k] = (
                    search.space._after(
                        k, search.value[i * search.space.coordinates + k], search.taken[i + 1]
                    )
                    if search.space.width[k]
                    else 0
                )
        shown: cython.p_uchar = self.row
        begin: cython.Py_ssize_t = depth
        if self.renaming.count > 1:
            i = self.renaming._held(search.value, begin * search.space.coordinates)
            self.renaming.labels._prepend(i, self.row, begin * self.width, self.named)
            shown = self.named
            begin = 0
        begin *= self.width
        if not self.last and not after.renamed:
            if not after._rank(later, shown, begin):
                self.strayed = 1
                return
            score += later._estimate(after.value, 0, after.distances, after.vector)
        if score > self.limit:
            return
        if not self._is_new(self._key(shown, begin)):
            return
        row = end
        row *= self.width
        for i in range(self.width):
            self.state[row + i] = shown[begin + i]
        row = end
        row *= self.plies
        for i in range(depth):
            self.path[row + i] = search.taken[i + 1]
        self.length[end] = depth
        self.spent[end] = spent
        self.score[end] = score
        self.parent[end] = self.at
        self.ends += 1

    def tighten(self, limit: int) -> None:
        """Lower the limit on the estimated cost of ends."""
        self.limit = min(self.limit, limit)

    def end(self, number: int) -> tuple:
        """Return end `number` as a tuple: its state, cost, origin, tag and path.

        The path lists the moves from a start of this stage to the end. The origin is the index of
        this start among the ends of the earlier stage, or among the states given to `add_states`.
        The tag is the tag of this start (see `add_ends`).
        """
        base: cython.Py_ssize_t = number
        state = bytes([self.state[base * self.width + i] for i in range(self.width)])
        path = [self.path[base * self.plies + i] for i in range(self.length[number])]
        start = self.parent[number]
        return state, self.spent[number], self._origin[start], self._tag[start], path

    def rating(self, number: int) -> int:
        """Return the cost of end `number` plus the estimate of the next phase."""
        return self.score[number]

    @property
    def f_bound(self) -> int:
        """The current bound on the cost of an end plus the estimate of the next phase."""
        return self.bound

    @property
    def is_full(self) -> bool:
        """Whether there were more ends than it has room for."""
        return self.ends >= self.most or self.dropped != 0

    @property
    def count(self) -> int:
        """The number of ends."""
        return self.ends

    @property
    def work(self) -> int:
        """The number of nodes listed so far, which the budget of `run` limits."""
        return self.search.generated

    @property
    def nodes(self) -> tuple:
        """Nodes (generated, expanded)."""
        return self.search.generated_nodes, self.search.expanded_nodes
