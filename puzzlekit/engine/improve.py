# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""The chain of two searches that gives ever shorter answers, from many starts under one bound.

Going on to longer first phases while they can still shorten the whole: H. Kociemba's Two-Phase
algorithm.
"""

from __future__ import annotations

from array import array

import cython

if cython.compiled:
    from cython.cimports.puzzlekit.engine.search import Search
    from cython.cimports.puzzlekit.engine.space import (
        Carry,
        Space,
        _bytes_at,
        _ints_at,
        _numbers,
        _programs_at,
        _rank,
    )
else:
    from puzzlekit.engine.search import Search
    from puzzlekit.engine.space import (
        Carry,
        Space,
        _bytes_at,
        _ints_at,
        _numbers,
        _programs_at,
        _rank,
    )


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
