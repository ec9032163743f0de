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


def _numbers(values: object) -> array:
    """Signed 32-bit numbers; never empty, so that they have an address."""
    return array("i", values or [0])


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
    # COMBINATION: which places hold one of the pieces, in the combinatorial number system
    binomial: cython.int = labels + 128
    for i in range(places):
        if program[labels + vector[base + program[at + 3 + i]]] >= 0:
            found += 1
            if found > count:
                return -1
            rank += program[binomial + i * (count + 1) + found]
    return rank if found == count else -1


def rank(program: array, vector: bytes) -> int:
    """The rank of a vector under a rank program (signed 32-bit numbers); -1 outside its domain.

    >>> rank(array("i", [0, 3, 2, 0, 1]), bytes([2, 1]))
    7
    """
    owners: list = []
    return _rank(_ints_at(program, owners), 0, _bytes_at(vector, owners), 0)


@cython.final
@cython.cclass
class Space:
    """What a phase looks like to the engine: moves, coordinates, pruning tables, goals.

    costs: cost of each move (positive). automaton: for each state the list of (move, next state)
    that may follow. coordinates: for each (size, move table, goals), the move table flat, row by
    row (size * moves), unsigned 16 or 32 bits. tables: for each pruning table (coordinate numbers,
    bits per entry 4 or 8, bytes); the entry of a product is that of the first coordinate times the
    sizes of the others and so on. join: None for the maximum, else (radix of each table, estimates
    as unsigned 16 bits) for every vector of distances, the first distance most significant.
    ending: the moves that may end the phase (None: all).
    """

    moves: cython.int
    coordinates: cython.int
    tables: cython.int
    joined: cython.int
    cost: cython.p_int
    first: cython.p_int
    via: cython.p_int
    to: cython.p_int
    ending: cython.p_uchar
    goal: cython.p_int
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
        self.cost = _ints_at(_numbers(costs), owners)
        first = [0]
        listed = 0
        for follow in automaton:
            listed += len(follow)
            first.append(listed)
        self.first = _ints_at(_numbers(first), owners)
        entries = [entry for follow in automaton for entry in follow]
        self.via = _ints_at(_numbers([move for move, _ in entries]), owners)
        self.to = _ints_at(_numbers([state for _, state in entries]), owners)
        self.ending = _bytes_at(ending or bytes([1]) * len(costs), owners)
        self._set_coordinates(coordinates)
        self._set_tables(coordinates, tables)
        self.joined = JOIN_MAX if join is None else JOIN_TABLE
        radix, estimates = join or ([0], array("H", [0]))
        self.radix = _ints_at(_numbers(radix), owners)
        self.estimates = _shorts_at(estimates, owners)

    @cython.cfunc
    def _set_coordinates(self, coordinates: list) -> None:
        i: cython.int
        widths = []
        single = []
        for i in range(self.coordinates):
            size, table, goals = coordinates[i]
            if memoryview(table).itemsize == 2:
                widths.append(2)
                self.narrow[i] = _shorts_at(table, self._owners)
            else:
                widths.append(4)
                self.wide[i] = _words_at(table, self._owners)
            if memoryview(table).nbytes != size * self.moves * widths[i]:
                raise ValueError("a move table has another shape than its coordinate and moves")
            single.append(goals[0] if len(goals) == 1 else -1)
            flags = bytearray(size)
            for index in goals:
                flags[index] = 1
            self.goals[i] = _bytes_at(bytes(flags), self._owners)
        self.width = _ints_at(_numbers(widths), self._owners)
        self.goal = _ints_at(_numbers(single), self._owners)

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
            if memoryview(data).nbytes * 8 < entries * bits:
                raise ValueError("a pruning table is smaller than its coordinates need")
            all_bits.append(bits)
            arities.append(len(numbers))
            padded = (list(numbers) + [0, 0])[:3]
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
    bound: cython.int
    next_bound: cython.int
    limit: cython.int
    depth: cython.int
    plies: cython.int
    changed: cython.int
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
    entry: cython.p_int
    _owners: list

    def __init__(self, space: Space, plies: int = 64, exact: bool = False) -> None:
        self.space = space
        self.exact = exact
        self.plies = plies
        self._owners = []
        room = plies + 1
        self.value = self._room(room * max(space.coordinates, 1))
        self.child = self._room(room * max(space.coordinates, 1) * space.moves)
        self.alive = self._room(room * space.moves)
        self.index = self._room(space.moves)
        self.mixed = self._room(space.moves)
        self.count = self._room(room)
        self.cursor = self._room(room)
        self.spent = self._room(room)
        self.state = self._room(room)
        self.entry = self._room(room)
        self.generated = 0
        self.expanded = 0
        self.depth = -1
        self.bound = self.limit = self.next_bound = UNBOUNDED

    @cython.cfunc
    def _room(self, size: cython.Py_ssize_t) -> cython.p_int:
        return _ints_at(array("i", bytes(4 * size)), self._owners)

    def start(self, values: list, limit: int, state: int = 0) -> None:
        """Begin at coordinate values and an automaton state; no path may cost more than `limit`."""
        i: cython.int
        for i in range(self.space.coordinates):
            self.value[i] = values[i]
        self.limit = limit
        self._begin(state, self.space._estimate(self.value, 0))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _begin(self, state: cython.int, bound: cython.int) -> cython.void:
        """Start an iteration at the root, whose coordinates are in place."""
        self.state[0] = state
        self.spent[0] = 0
        self.count[0] = -1
        self.depth = 0
        self.changed = 0
        self.bound = bound
        self.next_bound = 1 << 30

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _at_goal(self, space: Space, depth: cython.int) -> cython.int:
        base: cython.Py_ssize_t = depth * space.coordinates
        i: cython.int
        if self.exact and self.spent[depth] != self.bound:
            return 0
        for i in range(space.coordinates):
            if space.goal[i] >= 0:
                if self.value[base + i] != space.goal[i]:
                    return 0
            elif not space.goals[i][self.value[base + i]]:
                return 0
        if depth > 0:
            return space.ending[space.via[self.entry[depth]]]
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _step(self, space: Space, budget: cython.longlong) -> cython.int:
        """Search this iteration until a goal (FOUND), its end (EXHAUSTED) or the budget's."""
        stop: cython.longlong = self.generated + budget
        depth: cython.int = self.depth
        entry: cython.int
        move: cython.int
        i: cython.int
        target: cython.Py_ssize_t
        source: cython.Py_ssize_t
        while depth >= 0:
            if self.count[depth] < 0:  # just reached
                self.count[depth] = 0
                self.cursor[depth] = 0
                if self.spent[depth] < self.bound and depth < self.plies:
                    self._expand(space, depth)
                if self._at_goal(space, depth):
                    self.depth = depth
                    return 1
            if self.cursor[depth] < self.count[depth]:
                if self.generated >= stop:
                    self.depth = depth
                    return 0
                entry = self.alive[depth * space.moves + self.cursor[depth]]
                self.cursor[depth] += 1
                if depth < self.changed:
                    self.changed = depth
                move = space.via[entry]
                target = (depth + 1) * space.coordinates
                source = depth * space.coordinates * space.moves + move
                for i in range(space.coordinates):
                    self.value[target + i] = self.child[source + i * space.moves]
                self.spent[depth + 1] = self.spent[depth] + space.cost[move]
                depth += 1
                self.entry[depth] = entry
                self.state[depth] = space.to[entry]
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
        is, is asked once a node and not once a child.
        """
        moves: cython.int = space.moves
        spent: cython.int = self.spent[depth]
        bound: cython.int = self.bound
        slack: cython.int
        alive: cython.Py_ssize_t = depth * moves
        values: cython.Py_ssize_t = depth * space.coordinates
        children: cython.Py_ssize_t = values * moves
        known: cython.int = 0
        n: cython.int = 0
        kept: cython.int
        i: cython.int
        t: cython.int
        p: cython.int
        c: cython.int
        f: cython.int
        k: cython.int
        distance: cython.int
        size: cython.int
        column: cython.Py_ssize_t
        via: cython.p_int = space.via
        cost: cython.p_int = space.cost
        pruning: cython.p_uchar
        begin: cython.int = space.first[self.state[depth]]
        end: cython.int = space.first[self.state[depth] + 1]
        self.expanded += 1
        self.generated += end - begin
        for k in range(begin, end):
            f = spent + cost[via[k]]
            if f > bound:
                if f < self.next_bound:
                    self.next_bound = f
            elif f < bound or space.ending[via[k]]:
                self.alive[alive + n] = k
                n += 1
        for t in range(space.tables):
            if n == 0:
                break
            for p in range(space.arity[t]):
                c = space.part[3 * t + p]
                if not (known >> c) & 1:
                    self._advance(space, c, depth, n)
                    known |= 1 << c
                column = children + c * moves
                if p == 0:
                    for i in range(n):
                        self.index[i] = self.child[column + via[self.alive[alive + i]]]
                else:
                    size = space.part_size[3 * t + p]
                    for i in range(n):
                        self.index[i] = (
                            self.index[i] * size + self.child[column + via[self.alive[alive + i]]]
                        )
            pruning = space.pruning[t]
            if space.joined:
                for i in range(n):
                    k = self.index[i]
                    if space.bits[t] == 8:
                        distance = pruning[k]
                    else:
                        distance = (pruning[k >> 1] >> ((k & 1) << 2)) & 15
                    self.mixed[i] = (self.mixed[i] * space.radix[t] if t else 0) + distance
                continue
            kept = 0
            slack = self.next_bound
            for i in range(n):
                k = self.index[i]
                if space.bits[t] == 8:
                    distance = pruning[k]
                else:
                    distance = (pruning[k >> 1] >> ((k & 1) << 2)) & 15
                k = self.alive[alive + i]
                f = spent + cost[via[k]] + distance
                self.alive[alive + kept] = k
                kept += f <= bound
                if f > bound and f < slack:
                    slack = f
            self.next_bound = slack
            n = kept
        if space.joined:
            kept = 0
            for i in range(n):
                k = self.alive[alive + i]
                f = spent + cost[via[k]] + space.estimates[self.mixed[i]]
                self.alive[alive + kept] = k
                kept += f <= bound
                if f > bound and f < self.next_bound:
                    self.next_bound = f
            n = kept
        if n > 0:
            for c in range(space.coordinates):
                if not (known >> c) & 1:
                    self._advance(space, c, depth, n)
        self.count[depth] = n

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _advance(self, space: Space, c: cython.int, depth: cython.int, n: cython.int) -> cython.void:
        """Look up coordinate `c` of the first `n` living children of the node at `depth`."""
        moves: cython.int = space.moves
        alive: cython.Py_ssize_t = depth * moves
        base: cython.Py_ssize_t = depth * space.coordinates
        column: cython.Py_ssize_t = base * moves + c * moves
        row: cython.Py_ssize_t = self.value[base + c]
        i: cython.int
        move: cython.int
        narrow: cython.p_ushort
        wide: cython.p_uint
        row *= moves
        if space.width[c] == 2:
            narrow = space.narrow[c]
            for i in range(n):
                move = space.via[self.alive[alive + i]]
                self.child[column + move] = narrow[row + move]
        else:
            wide = space.wide[c]
            for i in range(n):
                move = space.via[self.alive[alive + i]]
                self.child[column + move] = wide[row + move]

    def run(self, budget: int) -> int:
        """Search for about `budget` more nodes: FOUND, EXHAUSTED (none within the limit) or PAUSED.

        After FOUND `path` and `spent_here` tell the solution; `run` again looks for the next one.
        """
        status: cython.int
        allowed: cython.longlong = budget
        with cython.nogil:
            status = self._run(allowed)
        return status

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, budget: cython.longlong) -> cython.int:
        stop: cython.longlong = self.generated + budget
        status: cython.int = 2
        while self.bound <= self.limit:
            status = self._step(self.space, stop - self.generated)
            if status != 2:
                return status
            self._begin(self.state[0], self.next_bound)
        return 2

    @property
    def path(self) -> list:
        """The numbers of the moves from the start to the present node."""
        return [self.space.via[self.entry[d]] for d in range(1, self.depth + 1)]

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
        pending = 0
        for depth in range(self.depth):
            state = self.state[depth]
            pending += self.space.first[state + 1] - self.entry[depth + 1] - 1
        return self.generated - pending


@cython.final
@cython.cclass
class ImproveSearch:
    """Two phases in a chain, from many starts under one bound, giving ever shorter answers.

    outer, inner: the spaces of the phases. starts: for each (values of the outer coordinates,
    carried vector, automaton state). carry: for each outer move (gather, add) on the carried bytes,
    and their modulus. programs: rank programs of the inner coordinates on the carried bytes.
    seam: the inner automaton's state after no outer move and after each of them. cap: no inner path
    longer than this is tried. limit: no answer may cost more.

    First phases are tried in order of their cost, over all starts; each is followed by the
    cheapest second phase within what is left. After FOUND, `answer` holds (start, outer path, inner
    path) and the limit is one less than its cost. EXHAUSTED means that no answer within the limit
    exists, unless `capped`.
    """

    outer: Search
    inner: Search
    limit: cython.int
    cap: cython.int
    bound: cython.int
    at: cython.int
    inside: cython.int
    capped: cython.int
    starts: cython.int
    width: cython.int
    roots: cython.p_int
    root_state: cython.p_int
    least: cython.p_int
    carried: cython.p_uchar
    origin: cython.p_uchar
    gather: cython.p_uchar
    add: cython.p_uchar
    modulus: cython.p_uchar
    turned: cython.p_uchar
    program: cython.p_int
    program_at: cython.p_int
    seam: cython.p_int
    _owners: list

    def __init__(
        self,
        outer: Space,
        inner: Space,
        starts: list,
        carry: tuple,
        programs: list,
        seam: list,
        cap: int,
        limit: int,
        plies: int = 64,
    ) -> None:
        owners: list = []
        self._owners = owners
        self.outer = Search(outer, plies, True)
        self.inner = Search(inner, plies)
        self.limit = limit
        self.cap = cap
        self.capped = 0
        moves, modulus = carry
        self.width = len(modulus)
        self.starts = len(starts)
        self.gather = _bytes_at(b"".join(gather for gather, _ in moves), owners)
        self.add = _bytes_at(b"".join(add for _, add in moves), owners)
        self.turned = _bytes_at(bytes(any(add) for _, add in moves), owners)
        self.modulus = _bytes_at(modulus, owners)
        self.carried = _bytes_at(bytearray((plies + 1) * self.width), owners)
        self.origin = _bytes_at(b"".join(vector for _, vector, _ in starts), owners)
        flat: list = []
        offsets: list = []
        for program in programs:
            offsets.append(len(flat))
            flat += program
        self.program = _ints_at(_numbers(flat), owners)
        self.program_at = _ints_at(_numbers(offsets), owners)
        self.seam = _ints_at(_numbers(seam), owners)
        values = [value for root, _, _ in starts for value in root]
        self.roots = _ints_at(_numbers(values), owners)
        self.root_state = _ints_at(_numbers([state for _, _, state in starts]), owners)
        least = [outer.estimate(root) for root, _, _ in starts]
        self.least = _ints_at(_numbers(least), owners)
        self.bound = min(least)
        self.at = -1
        self.inside = 0
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
                if status == 1:
                    self.limit = self._total() - 1
                    return 1
            elif self.bound > self.limit:
                return 2
            else:
                status = self.outer._step(self.outer.space, left)
                if status == 0:
                    return 0
                if status == 1:
                    self._enter(self.outer, self.inner)
                elif not self._next_start():
                    self.bound += 1
                    self.at = -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _next_start(self) -> cython.int:
        """Set the outer search on the next start that can end at this bound; 0 if there is none."""
        i: cython.int
        n: cython.int = self.outer.space.coordinates
        self.at += 1
        while self.at < self.starts:
            if self.least[self.at] <= self.bound:
                for i in range(n):
                    self.outer.value[i] = self.roots[self.at * n + i]
                for i in range(self.width):
                    self.carried[i] = self.origin[self.at * self.width + i]
                self.outer._begin(self.root_state[self.at], self.bound)
                return 1
            self.at += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _enter(self, outer: Search, inner: Search) -> cython.void:
        """Start the inner search at the end of the outer path, if it can still help."""
        depth: cython.int = outer.depth
        i: cython.int
        rank: cython.longlong
        least: cython.int
        room: cython.int = self.limit - outer.spent[depth]
        if room < 0:
            return
        self._carry(outer, depth)
        for i in range(inner.space.coordinates):
            rank = _rank(self.program, self.program_at[i], self.carried, depth * self.width)
            if rank < 0:
                return
            inner.value[i] = rank
        least = inner.space._estimate(inner.value, 0)
        if least > room:
            return
        if room > self.cap:
            self.capped = 1
            room = self.cap
            if least > room:
                return
        inner.limit = room
        i = self.seam[0] if depth == 0 else self.seam[1 + outer.space.via[outer.entry[depth]]]
        inner._begin(i, least)
        self.inside = 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _carry(self, outer: Search, depth: cython.int) -> cython.void:
        """Bring the carried vectors up to the outer path, from where it last changed."""
        d: cython.int
        j: cython.int
        width: cython.int = self.width
        move: cython.Py_ssize_t
        source: cython.Py_ssize_t
        value: cython.int
        for d in range(outer.changed, depth):
            move = outer.space.via[outer.entry[d + 1]]
            source = d * width
            if self.turned[move]:
                for j in range(width):
                    value = self.carried[source + self.gather[move * width + j]]
                    value += self.add[move * width + j]
                    if self.modulus[j] and value >= self.modulus[j]:
                        value -= self.modulus[j]
                    self.carried[source + width + j] = value
            else:
                for j in range(width):
                    self.carried[source + width + j] = self.carried[
                        source + self.gather[move * width + j]
                    ]
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
                self.inner.limit = min(
                    self.inner.limit, limit - self.outer.spent[self.outer.depth]
                )

    @property
    def answer(self) -> tuple:
        """After FOUND: the number of the start, the outer path, the inner path, the cost."""
        return self.at, self.outer.path, self.inner.path, self._total()

    @property
    def is_capped(self) -> bool:
        """Whether an inner path longer than the cap might have been an answer."""
        return bool(self.capped)

    @property
    def work(self) -> int:
        """Nodes listed so far: what `run` takes its budget from."""
        return self.outer.generated + self.inner.generated

    @property
    def f_bound(self) -> int:
        """No first phase cheaper than this is left to try."""
        return self.bound

    @property
    def nodes(self) -> tuple:
        """Nodes (generated, expanded) of the outer phase and of the inner one."""
        return (
            (self.outer.generated_nodes, self.outer.expanded_nodes),
            (self.inner.generated_nodes, self.inner.expanded_nodes),
        )
