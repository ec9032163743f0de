# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""A chain of two searches that finds shorter and shorter answers, from many starts.

The search continues with longer first phases as long as they can shorten the answer. This is
H. Kociemba's Two-Phase algorithm.
"""

from __future__ import annotations

from array import array

import cython

if not cython.compiled:  # improve.pxd has these for the compiler
    from puzzlekit.engine.ranks import (
        Carry,
        Labels,
        Ranks,
        bytes_at,
        int_array,
        ints_at,
        longs_at,
        new_ints,
    )
    from puzzlekit.engine.search import Search
    from puzzlekit.engine.space import Space
    from puzzlekit.engine.statuses import (
        EXHAUSTED,
        FOUND,
        MORE_STARTS,
        NO_INNER_ROOM,
        NO_OUTER_ROOM,
        NO_ROOM,
        PAUSED,
    )
    from puzzlekit_twophase.engine.groups import GROUP, Groups, Notes

# Number of nodes after which the largest cost of an inner search rises.
_UNTIL_RISE = cython.declare(cython.longlong, 4_000_000)
# Most moves of a phase, whatever the costs of moves.
_MOST_PLIES = cython.declare(cython.int, 1024)


@cython.final
@cython.cclass
class Link:
    """Describes how an inner phase continues the paths of an outer phase.

    All searches of a chain share one instance.
    """

    carry: Carry
    ranks: Ranks
    width: cython.int
    nodes: cython.longlong
    most: cython.int
    seam: cython.p_int
    notes: Notes
    _owners: list

    def __init__(
        self,
        #: The action of outer moves on the bytes that the inner phase ranks.
        carry: Carry,
        #: Ranks the inner coordinates on these bytes.
        ranks: Ranks,
        #: The state of the inner automaton for each state of the outer one.
        seam: list,
        #: The number of nodes after which an inner search is given up. 0: never.
        nodes: int,
        #: The largest cost of an inner search. It rises by 1 after four million nodes, and when
        #: their number has doubled, until there is an answer. 0: any cost.
        most: int = 0,
    ) -> None:
        owners: list = []
        self._owners = owners
        self.carry = carry
        self.ranks = ranks
        self.width = carry.width
        self.nodes = nodes or 1 << 62
        self.most = most or 1 << 29
        self.seam = ints_at(int_array(seam), owners)
        self.notes = None


@cython.final
@cython.cclass
class Premoves:
    """Makes additional starts from premoves.

    A premove sequence q is a move sequence. "q, then the moves to a state" leads to another state.
    A solution of that other state, followed by q, solves the original state.
    """

    labels: Labels
    width: cython.int
    count: cython.int
    carried: cython.int
    first: cython.p_int
    move: cython.p_int
    cost: cython.p_int
    stages: cython.int
    stage: cython.p_longlong
    ranks: Ranks
    picked: cython.p_int
    _owners: list

    def __init__(
        self,
        #: Applies moves before states.
        labels: Labels,
        #: The moves of each q, in the order in which they end the answer. The empty sequence comes
        #: first, longer sequences later.
        sequences: list,
        #: The cost of each sequence.
        costs: list,
        #: The stages: (number of sequences in use, number of nodes at which the stage begins).
        stages: list,
        #: Ranks the outer coordinates on a whole state.
        ranks: Ranks,
        #: The indices of the bytes of a state that are carried along.
        picked: list,
    ) -> None:
        owners: list = []
        self._owners = owners
        self.labels = labels
        self.width = labels.width
        self.count = len(sequences)
        self.carried = len(picked)
        starts = [0]
        flat: list = []
        for sequence in sequences:
            flat += reversed(sequence)
            starts.append(len(flat))
        self.first = ints_at(int_array(starts), owners)
        self.move = ints_at(int_array(flat), owners)
        self.cost = ints_at(int_array(costs), owners)
        if not stages or max(stages)[0] > len(sequences):
            raise ValueError("there are stages for more sequences than there are")
        self.stages = len(stages)
        self.stage = longs_at(array("q", [n for stage in stages for n in stage]), owners)
        self.ranks = ranks
        self.picked = ints_at(int_array(picked), owners)

    def seen(self, states: list, turns: list, back: Carry) -> list:
        """Return several images of each state. All images of the first state come first.

        - `states`: the states.
        - `turns`: one number for each image. Image k is effect number `turns[k]` of `labels`, then
          the state, then move k of `back`.
        - `back`: the moves that complete the images. They act on whole states.
        """
        # Addresses in bytes take less time than views of them.
        room, seen = bytearray(self.width), bytearray(self.width)
        turned: cython.p_uchar = room
        image: cython.p_uchar = seen
        source: cython.p_uchar
        given: bytes
        found = []
        k: cython.int
        if back.width != self.width or back.moves != len(turns):
            raise ValueError("there is a way back for each side, of a whole state")
        for state in states:
            given = state
            source = given
            if len(given) < self.width:
                raise ValueError("a state is too short")
            for k in range(len(turns)):
                self.labels._prepend(turns[k], source, 0, turned)
                back._do(k, turned, 0, image, 0)
                found.append(bytes(seen))
        return found


@cython.final
@cython.cclass
class ImproveSearch:
    """A search in two phases that finds shorter and shorter answers, from many starts.

    The outer search looks for answers of the first phase, in the order of their cost, over all
    starts. From the end of each such answer, the inner search looks for the cheapest answer of the
    second phase within the remaining cost. When `run` returns FOUND, `answer` is the solution, and
    the new limit is one less than its cost. When `run` returns EXHAUSTED, no answer within the
    limit exists, unless `is_capped` is true.

    The estimates of both phases must be admissible.

    Some starts have the same coordinate values in the first phase. For example, the premoves R and
    R' give such starts if R2 is a move of the second phase. The outer search then runs once for all
    these starts. The inner search runs for each of them.
    """

    outer: Search
    groups: Groups
    inner: Search
    link: Link
    premoves: Premoves
    states: bytes
    before: array
    limit: cython.int
    bound: cython.int
    full_bound: cython.int
    stage: cython.int
    first: cython.int
    at: cython.int
    member: cython.int
    members: cython.int
    inside: cython.int
    entered: cython.longlong
    given_up: cython.int
    most: cython.int
    rise: cython.longlong
    starts: cython.int
    image: cython.p_int
    sequence: cython.p_int
    roots: cython.p_int
    spent: cython.p_int
    least: cython.p_int
    alike: cython.p_int
    settled: cython.p_int
    far: cython.p_int
    carried: cython.p_uchar
    origin: cython.p_uchar
    _room: cython.int
    _rows: cython.Py_ssize_t
    _owners: list
    _carried_owners: list

    def __init__(
        self,
        #: The spaces of both phases. All their coordinates have move tables.
        outer: Space,
        inner: Space,
        #: The transition between the phases.
        link: Link,
        #: The starts to make from each state.
        premoves: Premoves,
        #: States (bytes): images of one or several states.
        states: list,
        #: The largest cost of an answer.
        limit: int,
        #: The cost so far of each state; None: 0.
        costs: list | None = None,
        #: Initial room for paths, in moves. It grows for longer paths.
        plies: int = 64,
    ) -> None:
        if inner.followed:
            raise ValueError("tables of the second phase have 4 or 8 bits an entry")
        if outer.ranked or inner.ranked:
            raise ValueError("both phases have move tables of all their coordinates")
        self.outer = Search(outer, plies, True)
        if link.notes is None or link.notes.space is not outer:
            link.notes = Notes(outer)
        self.groups = Groups(outer, link.notes, plies)
        self.inner = Search(inner, plies)
        self.link = link
        self.premoves = premoves
        self._owners = []
        self._carried_owners = []
        self.image = self.sequence = self.roots = self.spent = ints_at(int_array([]), self._owners)
        self.least = self.alike = self.settled = self.far = self.spent
        self.origin = self.carried = bytes_at(bytearray(1), self._owners)
        self._room = self._rows = 0
        self.begin(states, limit, costs)

    def begin(self, states: list, limit: int, costs: list | None = None) -> None:
        """Begin a search of other states. All counts begin at 0 again.

        The parameters are those of the constructor. The search keeps its memory, so that this takes
        less time than a new search.
        """
        self.states = b"".join(states)
        self.before = array("i", costs or [0] * len(states))
        self.outer.forget()
        self.inner.forget()
        self.starts = self.stage = 0
        self._grow()
        self.restart(limit)

    @cython.cfunc
    def _longer(self, numbers: cython.p_int, width: cython.int, old: int) -> cython.p_int:
        """Return room for `width` numbers per start, with the numbers of the old starts."""
        i: cython.Py_ssize_t
        longer: cython.p_int = new_ints(self._room * width, self._owners)
        for i in range(old * width):
            longer[i] = numbers[i]
        return longer

    @cython.cfunc
    def _grow(self) -> None:
        """Make the starts of the next stage. The other starts do not change."""
        premoves: Premoves = self.premoves
        old: cython.int = self.starts
        known: cython.int = premoves.stage[2 * self.stage - 2] if self.stage else 0
        now: cython.int = premoves.stage[2 * self.stage]
        images: cython.int = len(self.states) // premoves.width
        self.stage += 1
        self.starts += images * (now - known)
        if self.starts > self._room:
            self._make_room(old)
        self._make_starts(old, known, now, bytearray(premoves.width), bytearray(premoves.width))
        self._make_carried()

    @cython.cfunc
    def _make_room(self, old: cython.int) -> None:
        """Make room for all starts, and copy the numbers of the old ones."""
        outer: Space = self.outer.space
        before = self._owners  # keep them alive until their numbers are copied
        origin: cython.p_uchar = self.origin
        i: cython.Py_ssize_t
        self._room = self.starts
        self._owners = []
        self.image = self._longer(self.image, 1, old)
        self.sequence = self._longer(self.sequence, 1, old)
        self.roots = self._longer(self.roots, outer.coordinates, old)
        self.spent = self._longer(self.spent, 1, old)
        self.least = self._longer(self.least, 1, old)
        self.alike = self._longer(self.alike, 1, old)
        self.settled = self._longer(self.settled, 1, old)
        self.far = self._longer(self.far, max(outer.tables, 1), old)
        self.origin = bytes_at(bytearray(self.starts * self.premoves.carried + 1), self._owners)
        for i in range(old * self.premoves.carried):
            self.origin[i] = origin[i]
        before.clear()

    @cython.cfunc
    def _make_carried(self) -> None:
        """Make room for the bytes carried along a path, for all starts that share a search."""
        i: cython.int
        most: cython.int = 1
        rows: cython.Py_ssize_t
        for i in range(self.starts):
            most = max(most, self.alike[i])
        rows = most * (self.outer.plies + 1)
        if rows > self._rows:
            self._rows = rows
            self._carried_owners.clear()
            self.carried = bytes_at(
                bytearray(rows * self.premoves.carried + 1), self._carried_owners
            )

    @cython.cfunc
    def _make_starts(
        self,
        start: cython.int,
        known: cython.int,
        now: cython.int,
        room: bytearray,
        spare: bytearray,
    ) -> None:
        """Rank the starts from index `start` on, and count successive starts with equal ranks.

        Each state gets the premove sequences with indices `known` to `now` - 1. Starts with equal
        ranks share an outer search.
        """
        premoves: Premoves = self.premoves
        image: cython.p_uchar = self.states
        one: cython.p_uchar = room
        other: cython.p_uchar = spare
        swap: cython.p_uchar
        outer: Space = self.outer.space
        n: cython.int = outer.coordinates
        leader: cython.int = -1
        before: cython.int
        number: cython.int
        q: cython.int
        i: cython.int
        same: cython.int
        value: cython.longlong
        at: cython.Py_ssize_t
        for number in range(len(self.states) // premoves.width):
            before = self.before[number]
            for q in range(known, now):
                at = number * premoves.width
                for i in range(premoves.width):
                    one[i] = image[at + i]
                for i in range(premoves.first[q], premoves.first[q + 1]):
                    premoves.labels._prepend(premoves.move[i], one, 0, other)
                    swap = one
                    one = other
                    other = swap
                at = start * n
                for i in range(n):
                    value = premoves.ranks._value(i, one, 0)
                    if value < 0 or value >= outer.size[i]:
                        raise ValueError("a start lies outside the domain of the outer phase")
                    self.roots[at + i] = value
                for i in range(premoves.carried):
                    self.origin[start * premoves.carried + i] = one[premoves.picked[i]]
                self.image[start] = number
                self.sequence[start] = q
                self.spent[start] = before + premoves.cost[q]
                same = leader >= 0 and self.spent[start] == self.spent[leader]
                for i in range(n):
                    same = same and self.roots[at + i] == self.roots[leader * n + i]
                if same:
                    self.alike[leader] += 1
                    self.alike[start] = 0
                else:
                    leader = start
                    self.alike[start] = 1
                    self.least[start] = self.spent[start] + outer._at_least(self.roots, at)
                self.settled[start] = 0
                start += 1

    def restart(self, limit: int) -> int:
        """Begin again with another limit, and return a lower bound on the cost of every answer.

        Node counts continue.
        """
        self.limit = limit
        self.full_bound = 0
        self._begin_pass(0)
        self.member = self.members = 0
        self.inside = 0
        self.entered = 0
        self.given_up = 1 << 30
        self.most = self.link.most
        self.rise = self.outer.generated + self.inner.generated + _UNTIL_RISE
        self.outer.limit = 1 << 30
        self.outer.rounds = 0
        self.outer.depth = -1
        return self.bound

    @cython.cfunc
    def _begin_pass(self, first: cython.int) -> cython.void:
        """Begin a pass over the starts from number `first` on, at their least possible bound."""
        i: cython.int
        self.first = first
        self.at = first - 1
        self.bound = 1 << 30
        for i in range(first, self.starts):
            if self.alike[i] > 0:
                self.bound = min(self.bound, self.least[i])

    def run(self, budget: int) -> int:
        """Search for about `budget` more nodes: FOUND, EXHAUSTED or PAUSED."""
        status: cython.int
        stop: cython.longlong = self.outer.generated + self.inner.generated + budget
        with cython.nogil:
            status = self._run(stop)
        while status > EXHAUSTED:
            if status == MORE_STARTS:
                self._add_starts()
            elif status == NO_INNER_ROOM:
                self.inner._make_room(2 * self.inner.plies)
            else:
                self.outer._make_room(2 * self.outer.plies)
                self.groups._make_room(self.outer.plies)
                self._make_carried()
            with cython.nogil:
                status = self._run(stop)
        self.outer.space.check_lookups()
        self.inner.space.check_lookups()
        return status

    @cython.cfunc
    def _add_starts(self) -> None:
        """Add the starts of the next stage. They then catch up with the other starts."""
        first: cython.int = self.starts
        self._grow()
        self.full_bound = self.bound
        self._begin_pass(first)
        if self.bound >= self.full_bound:  # they need not catch up
            self.bound, self.first, self.at = self.full_bound, 0, -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, stop: cython.longlong) -> cython.int:
        left: cython.longlong
        allowed: cython.longlong
        status: cython.int
        while True:
            left = stop - self.outer.generated - self.inner.generated
            if self.inside:
                allowed = self.entered + self.link.nodes - self.inner.generated
                status = self.inner._run(min(left, allowed))
                if status == PAUSED and left <= allowed:
                    return PAUSED
                if status == PAUSED:  # it is given up: cheaper answers than its bound do not exist
                    self.given_up = min(
                        self.given_up, self.outer.spent[self.outer.depth] + self.inner.bound
                    )
                if status == NO_ROOM and self.inner.plies < _MOST_PLIES:
                    return NO_INNER_ROOM
                self.inside = 0
                self.member += 1
                if status == FOUND:
                    self.limit = self._total() - 1
                    self.most = self.link.most
                    return FOUND
            elif self.member < self.members:
                if not self._enter(self.outer, self.inner, self.inner.space, self.link):
                    self.member += 1
            elif self.first == 0 and self.bound > self.limit:
                return EXHAUSTED
            elif self.first == 0 and self.bound // self.outer.space.cheapest > self.outer.plies:
                return NO_OUTER_ROOM if self.outer.plies < _MOST_PLIES else EXHAUSTED
            else:
                if self.groups.fits:
                    status = self.groups._step(self.outer, self.outer.space, left)
                else:
                    status = self.outer._step(self.outer.space, left)
                if status == PAUSED:
                    return PAUSED
                if status == FOUND:
                    self._carry(self.outer, self.link, self.outer.depth)
                    self.member = 0
                    self.members = self.alike[self.at]
                elif not self._next_start(self.outer, self.link):
                    self.bound += 1
                    if self.bound >= self.full_bound:  # the new starts have caught up
                        self.first = 0
                    if self.first == 0:
                        self.outer.bound = self.bound - 1  # perhaps no start was near
                        self.outer._note_round()
                    self.at = self.first - 1
                    if self.first == 0 and self._may_grow(self.premoves):
                        return MORE_STARTS

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _may_grow(self, premoves: Premoves) -> cython.int:
        """Whether enough nodes were searched to begin the next stage."""
        done: cython.longlong = self.outer.generated + self.inner.generated
        return self.stage < premoves.stages and done >= premoves.stage[2 * self.stage + 1]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_near(self, outer: Search, start: cython.int) -> cython.int:
        """Whether a start may end within the bound. Its distances are written to its root."""
        i: cython.int
        tables: cython.int = outer.space.tables
        at: cython.Py_ssize_t = start
        if self.alike[start] == 0 or self.least[start] > self.bound:
            return 0
        for i in range(outer.space.coordinates):
            outer.value[i] = self.roots[at * outer.space.coordinates + i]
        if not self.settled[start] and self.groups.fits:
            self._settle(self.groups, outer.space, start)
        elif not self.settled[start]:
            self.least[start] = self.spent[start] + outer.space._estimate(
                outer.value, 0, outer.far, outer.vector
            )
            self.settled[start] = 1
            for i in range(tables):
                self.far[at * tables + i] = outer.far[i]
        for i in range(tables):
            outer.far[i] = self.far[at * tables + i]
        return self.least[start] <= self.bound

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _settle(self, groups: Groups, space: Space, first: cython.int) -> cython.void:
        """Find the distances of a start, and of the next ones that may end within the bound.

        A distance beyond the bound is not known in the end, but a lower bound of it.
        """
        chosen = cython.declare(cython.int[GROUP])
        n: cython.int = 0
        i: cython.int
        c: cython.int
        t: cython.int
        start: cython.int = first
        far: cython.int
        at: cython.Py_ssize_t
        size: cython.int = space.coordinates
        while start < self.starts and n < GROUP:
            if self.alike[start] and not self.settled[start] and self.least[start] <= self.bound:
                chosen[n] = start
                self.settled[start] = 1
                n += 1
            start += 1
        for t in range(space.tables):
            if space.bits[t] == 2:
                for i in range(n):
                    at = chosen[i]
                    for c in range(size):
                        groups.value[c * groups.total + i] = self.roots[at * size + c]
                    groups.most[i] = (self.bound - self.spent[at]) // space.unit
                groups._walk(space, t, n)
            for i in range(n):
                at = chosen[i]
                if space.bits[t] == 2:
                    far = groups.steps[i] + groups.left[i]
                    self.settled[at] = self.settled[at] and groups.left[i] == 0
                else:
                    far = space._listed(t, self.roots, at * size)
                self.far[at * space.tables + t] = far
                self.least[at] = max(self.least[at], self.spent[at] + far * space.unit)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _next_start(self, outer: Search, link: Link) -> cython.int:
        """Begin the outer search at the next start that may end at this bound; 0 for none."""
        i: cython.int
        m: cython.int
        self.member = self.members = 0
        self.at += 1
        while self.at < self.starts:
            if self._is_near(outer, self.at):
                for m in range(self.alike[self.at]):
                    for i in range(link.width):
                        self.carried[m * (outer.plies + 1) * link.width + i] = self.origin[
                            (self.at + m) * link.width + i
                        ]
                outer._begin(0, self.spent[self.at], self.bound)
                self.groups._begin(outer)
                return 1
            self.at += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _enter(self, outer: Search, inner: Search, space: Space, link: Link) -> cython.int:
        """Start the inner search at the end of the outer path; return 0 if it cannot succeed.

        Coordinates are ranked only when a table needs them, because most ends fail at the first
        table.
        """
        depth: cython.int = outer.depth
        i: cython.int
        t: cython.int
        known: cython.int = 0
        least: cython.int = 0
        base: cython.Py_ssize_t = self.member * (outer.plies + 1) + depth
        room: cython.int = self.limit - outer.spent[depth]
        if room < 0:
            return 0
        if room > self.most:
            if outer.generated + inner.generated >= self.rise:
                self.rise *= 2
                self.most += 1
            room = min(room, self.most)
            self.given_up = min(self.given_up, outer.spent[depth] + room + 1)
        base *= link.width
        for t in range(space.tables):
            for i in range(3 * t, 3 * t + space.arity[t]):
                if not self._know(space.part[i], space.size[space.part[i]], known, base):
                    return 0
                known |= 1 << space.part[i]
            least = max(least, space._listed(t, inner.value, 0) * space.unit)
            if least > room:
                return 0
        for i in range(space.coordinates):
            if not self._know(i, space.size[i], known, base):
                return 0
        inner.limit = room
        inner._begin(link.seam[outer.state[depth]], 0, least)
        self.inside = 1
        self.entered = inner.generated
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _know(
        self, c: cython.int, size: cython.int, known: cython.int, base: cython.Py_ssize_t
    ) -> cython.int:
        """Rank an inner coordinate if it is not known yet; return 0 outside of its domain."""
        value: cython.longlong
        if not (known >> c) & 1:
            value = self.link.ranks._value(c, self.carried, base)
            if value < 0 or value >= size:
                return 0
            self.inner.value[c] = value
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _carry(self, outer: Search, link: Link, depth: cython.int) -> cython.void:
        """Update the carried bytes along the outer path, from its last change on."""
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
        """Lower the limit from the next node on, because another thread found an answer."""
        if limit < self.limit:
            self.limit = limit
            if self.inside:
                self.inner.limit = min(self.inner.limit, limit - self.outer.spent[self.outer.depth])

    @property
    def answer(self) -> tuple:
        """Return the answer after FOUND: (state, outer path, inner path, premoves, cost).

        `state` is the index of the state that is solved, and `premoves` the index of its premove
        sequence.
        """
        start = self.at + self.member - 1
        inner = self.inner.path
        return self.image[start], self.outer.path, inner, self.sequence[start], self._total()

    @property
    def is_capped(self) -> bool:
        """Whether the search may have missed an answer within the current limit."""
        return self.given_up <= self.limit or self.limit > _MOST_PLIES

    @property
    def work(self) -> int:
        """The number of nodes listed so far, which the budget of `run` limits."""
        return self.outer.generated + self.inner.generated

    @property
    def iterations(self) -> list:
        """The bounds of the outer search so far: tuples (bound, generated nodes, expanded nodes).

        A start with premoves may be added later. Its nodes then count for the bound at which it is
        added.
        """
        rows: list = self.outer.iterations
        if rows:  # the last one has all other nodes, also those that are listed but not reached
            bound, _, expanded = rows.pop()
            rows.append((bound, self.outer.generated - sum([row[1] for row in rows]), expanded))
        return rows

    @property
    def nodes(self) -> tuple:
        """The numbers of nodes: (generated, expanded) of the outer phase, then of the inner one.

        Nodes count when they are listed, as in `work` and `iterations`.
        """
        return (
            (self.outer.generated, self.outer.expanded),
            (self.inner.generated, self.inner.expanded),
        )
