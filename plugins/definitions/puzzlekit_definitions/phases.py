"""Derive a method of several phases from orbits, moves and metrics alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property, partial
from math import inf, lgamma, log, prod
from random import Random
from threading import Event
from time import perf_counter, process_time
from typing import TYPE_CHECKING

import attrs

from puzzlekit import (
    DeclarationError,
    Method,
    Move,
    NoSolutionError,
    Orbit,
    Phase,
    Puzzle,
    Solver,
    TableStore,
)
from puzzlekit.engine.fill import COMPILED
from puzzlekit.engine.space import MAX_MOVES
from puzzlekit.puzzle.groups import Part, parts_of
from puzzlekit.puzzle.move import permutation_parity
from puzzlekit.tables.table import TableSpec
from puzzlekit.tables.watchers import OwnThread
from puzzlekit_beam import Beam
from puzzlekit_steps import EachSolvableBy, Solved
from puzzlekit_steps.bundles import bundles_of
from puzzlekit_steps.goal import Condition
from puzzlekit_steps.goal_method import derive_phase

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Vector = list[int]

_UNSEEN = log(4.5)  # allowed states for each reached one, at most, if a subgroup is described
_MARGIN = 1e-3  # larger than errors of rounding
_EXCESS = 1000.0  # moves that a chain costs more for each unit above `most`, so it is not used
_BRANCHING = 0.75  # of the moves continue a sequence without turning back
_LEAST_BRANCHING = 1.5
_A_PHASE = 1.0  # moves that a phase loses, because it ends before the next one begins
_STALE = 150  # changes of an order without gain before the search starts again
_TWICE = 0.3  # the fraction of changes that move two items of the order
_SAME = 1e-9
#: For each family the step of its amounts: 1 for all moves, 2 for every second one, 0 for none.
Steps = tuple[int, ...]
CHAIN = "chain of subgroups"  # the name of the table for which chains are searched and tried
_MOST = (1e13, 1e11)  # states that a phase may distinguish, one number after the other
_ENTRIES = (1 << 25, 1 << 27)  # of a table; the second for bundles in a last phase
_FEWER = 2  # bits of the number of entries less, if building the tables would take too long
_LARGE = 1e11  # states of this phase, at least
_CHANGES = 500  # orders of giving up moves that are tried, at least
_CHANGES_EACH = 20  # of these orders for each base move
_STATES = 3  # random states that must be solved
_NODES = 250_000_000  # for each of them
_LONGEST = 1000  # moves of an answer
_WORK = 2_400_000_000  # entries of all tables times the moves of their phase; half a minute or so
_WORK_OF_BUNDLES = 8_000_000_000  # without phases, such puzzles have no short answers
WORK_A_SECOND = 80_000_000
_FIRST_LOOK = 1.0  # CPU seconds of a search, before its end is estimated
_MOMENT = 0.5  # seconds by which a search may end before its limit
_BYTES = 4096  # of a stored chain


class Lattice:
    """All sums of integer multiples of some vectors. Component i is taken modulo `moduli[i]`.

    >>> even = Lattice([[1, 1]], [2, 2])
    >>> [1, 3] in even, [1, 2] in even, even.index
    (True, False, 2)
    """

    def __init__(self, vectors: Iterable[Sequence[int]], moduli: Sequence[int]) -> None:
        self.rows: list[Vector] = []
        left = [list(vector) for vector in vectors]
        for column, modulus in enumerate(moduli):
            pivot = [modulus if i == column else 0 for i in range(len(moduli))]
            rest = []
            for row in left:
                while row[column]:
                    pivot, row = row, _less(pivot, row, pivot[column] // row[column])
                # Numbers stay small, because the later components have moduli, too.
                row = [number % m for number, m in zip(row, moduli, strict=True)]
                if any(row):
                    rest.append(row)
            self.rows.append(pivot)
            left = rest

    @property
    def index(self) -> int:
        """The number of all vectors divided by the number of vectors in the lattice."""
        return prod(abs(row[i]) for i, row in enumerate(self.rows))

    def __contains__(self, vector: Sequence[int]) -> bool:
        rest = list(vector)
        for column, row in enumerate(self.rows):
            if rest[column] % row[column]:
                return False
            rest = _less(rest, row, rest[column] // row[column])
        return True


def _less(one: Vector, other: Vector, times: int) -> Vector:
    return [a - times * b for a, b in zip(one, other, strict=True)]


class Subgroup:
    """The subgroup that some moves generate. All numbers of states are natural logarithms.

    - `generators`: the moves.
    - `moves`: how many moves there are, with the powers of the generators.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> half = Subgroup(cube, cube.moves("U2 D2 R2 L2 F2 B2"), 6)
    >>> round(2.718281828459045 ** half.unseen())  # 4! * 4! * 4!^3 / 4 states against 663,552
    3
    """

    def __init__(self, puzzle: Puzzle, generators: Sequence[Move], moves: int) -> None:
        self._puzzle = puzzle
        self._generators = generators
        self.moves = moves
        self._parts = parts_of(puzzle, generators)
        self._bundles = bundles_of(puzzle)
        bundled = {(each.orbit, home) for each in self._bundles for home in sum(each.homes, ())}
        self._parts = [part for part in self._parts if (part.orbit, part.homes[0]) not in bundled]

    @cached_property
    def states(self) -> float:
        """The states that parities and sums of orientations allow, all reached ones among them."""
        return self._allowed(alike=True)

    @cached_property
    def is_described(self) -> bool:
        """Whether at least one of four allowed states is reached."""
        return self.unseen(_UNSEEN - _MARGIN) <= _UNSEEN

    def unseen(self, most: float = -inf) -> float:
        """Return the allowed states for each reached one, as far as alike pieces do not hide it.

        The search ends as soon as a bound of this number is at most `most`; then the result is the
        bound. Schreier-Sims finds the states that are reached, with rare errors (see
        `puzzlekit_definitions.groups`).
        """
        from puzzlekit_definitions.groups import log_order_at_least  # imports NumPy

        if not self._generators:
            return 0.0
        allowed = self._allowed(alike=False)
        points = [self.points(move) for move in self._generators]
        return self.states - log_order_at_least(points, min(allowed, self.states - most))

    def _allowed(self, alike: bool) -> float:
        """Return the allowed states. If not `alike`, no two pieces count as alike."""
        total = 0.0
        rows: list[list[int]] = [[] for _ in self._generators]
        moduli = []
        for part in self._parts:
            count, base = len(part.homes), part.orbit.orientations
            if part.turned:
                total += count * log(base)
                moduli.append(base)
                for row, move in zip(rows, self._generators, strict=True):
                    row.append(
                        sum(self._turn(part.orbit, home, move) for home in part.homes) % base
                    )
            if part.still:
                continue
            total += lgamma(count + 1)
            same = Counter(part.orbit.solved[home] for home in part.homes) if alike else {}
            total -= sum(lgamma(each + 1) for each in same.values())
            if not alike or len(same) == count:
                moduli.append(2)
                for row, move in zip(rows, self._generators, strict=True):
                    row.append(self._parity(part, move))
        for bundles in self._bundles:
            sources = [
                [self._source(bundles.orbit, home, move) for home in range(bundles.orbit.size)]
                for move in self._generators
            ]
            for each in bundles.parts(sources):
                total += lgamma(each.size + 1) + each.size * log(each.poses)
                if each.size == 1:
                    continue
                moduli.append(2)
                for row, order in zip(rows, each.orders, strict=True):
                    row.append(permutation_parity(order))
        return total - log(Lattice(rows, moduli).index) if moduli else total

    def _source(self, orbit: Orbit, home: int, move: Move) -> int:
        start = self._puzzle.offsets[orbit.name]
        return move.gather[start + home] - start

    def _turn(self, orbit: Orbit, home: int, move: Move) -> int:
        return move.add[self._puzzle.offsets[orbit.name] + orbit.size + home]

    def _parity(self, part: Part, move: Move) -> int:
        sources = [self._source(part.orbit, home, move) for home in part.homes]
        return permutation_parity([part.homes.index(source) for source in sources])

    def points(self, move: Move) -> list[int]:
        """Return the permutation of the pairs of place and orientation."""
        points: list[int] = []
        for orbit in self._puzzle.orbits:
            first, base = len(points), orbit.orientations
            for home in range(orbit.size):
                turn = self._turn(orbit, home, move) if base > 1 else 0
                source = first + self._source(orbit, home, move) * base
                points += [source + (number - turn) % base for number in range(base)]
        return points


class SubgroupChain:
    """Searches for a chain of subsets of the moves that promises short answers.

    `most` is the number of states that a phase may distinguish. With fewer states, there are more
    phases. Their answers are longer and found sooner.

    >>> import puzzlekit
    >>> chain = SubgroupChain(puzzlekit.load("cube3").puzzle, "U D R L F B")
    >>> [len(each.split()) for each in chain.search(Random(1), 300)]
    [6, 6]
    """

    def __init__(self, puzzle: Puzzle, families: str, most: float = 1e13) -> None:
        self._puzzle = puzzle
        self._most = log(most)
        self._families = families.split()
        self._amounts = [len(puzzle.family_moves([each])) + 1 for each in self._families]
        self._known: dict[Steps, Subgroup] = {}

    def search(
        self, rng: Random, changes: int, tell: Callable[[float], None] = lambda share: None
    ) -> list[str]:
        """Return the moves of each phase, all moves first; no phases if no chain is found.

        The search tries `changes` orders of giving up moves. It calls `tell` with the share of them
        that it has tried.
        """
        every = changes
        each = [
            i
            for i, amount in enumerate(self._amounts)
            for _ in range(1 + (amount % 2 == 0 and amount > 2))
        ]
        best: tuple[float, list[Steps]] = inf, []
        while changes > 0:
            order = rng.sample(each, len(each))
            cost, stops = self._divided(order, inf)
            stale = 0
            while stale < _STALE and changes > 0:
                changes -= 1
                tell(1 - changes / every)
                changed = order[:]
                for _ in range(1 + (rng.random() < _TWICE)):
                    item = changed.pop(rng.randrange(len(changed)))
                    changed.insert(rng.randrange(len(changed) + 1), item)
                found, own = self._divided(changed, cost)
                stale = 0 if found < cost - _SAME else stale + 1
                if found <= cost:
                    cost, stops, order = found, own, changed
            best = min(best, (cost, stops))
        return [self._named(steps) for steps in best[1]] if best[0] < _EXCESS else []

    def _divided(self, order: Sequence[int], most: float) -> tuple[float, list[Steps]]:
        """Return the expected number of moves for an order, and the subsets that begin a phase.

        If the number exceeds `most`, it may be too small.
        """
        subsets = self._subsets(order)
        groups = [self._subgroup(each) for each in subsets]
        closed = {0}  # subsets that must not end a phase
        while True:
            cost, starts = _cheapest(groups, closed, self._most)
            bad = [i for i in starts[1:] if not groups[i].is_described] if cost <= most else []
            if not bad:
                return cost, [subsets[i] for i in starts]
            closed.update(bad)

    def _subsets(self, order: Sequence[int]) -> list[Steps]:
        """Return the subsets that an order of giving up moves passes through, all moves first.

        A move is given up only with all others that bring some piece to where no move of the rest
        brings it. So a subset has all moves that keep the pieces within the same places.
        """
        import numpy as np

        reached = np.arange(self._sources.shape[1])  # a number for places that exchange pieces
        kept: set[int] = set()
        subsets = [(0,) * len(self._families)]
        for i in reversed(order):
            step = 1 if i in kept or order.count(i) == 1 else 2
            kept.add(i)
            sources = self._sources[2 * i + step - 1]
            for one, other in {*zip(reached.tolist(), reached[sources].tolist(), strict=True)}:
                one, other = reached[[one, other]]  # the place with this number has it, too
                reached[reached == max(one, other)] = min(one, other)
            within = (reached[self._sources] == reached).all(axis=1).reshape(-1, 2).tolist()
            subset = tuple(1 if each else 2 * half for each, half in within)
            if subset != subsets[-1]:
                subsets.append(subset)
        return subsets[::-1]

    @cached_property
    def _sources(self) -> npt.NDArray[np.intp]:
        """For each family two rows, the origins of pieces after its move and after its square.

        Places count once for each orientation there. A family whose square gives up nothing has
        a move twice.
        """
        import numpy as np

        rows = []
        for family, amounts in zip(self._families, self._amounts, strict=True):
            moves = {move.amount: move for move in self._puzzle.family_moves([family])}
            for amount in (1, 2 if amounts % 2 == 0 and amounts > 2 else 1):
                rows.append(Subgroup(self._puzzle, [moves[amount]], 1).points(moves[amount]))
        return np.array(rows, dtype=np.intp)

    def _named(self, steps: Steps) -> str:
        """Return the moves of a subset as a phase names them."""
        names = []
        for family, step, amounts in zip(self._families, steps, self._amounts, strict=True):
            if step == 1:
                names.append(family)
            elif step:
                names += [f"{family}{amount}" for amount in range(step, amounts, step)]
        return " ".join(names)

    def _subgroup(self, steps: Steps) -> Subgroup:
        if steps not in self._known:
            generators = []
            count = 0
            for family, step, amounts in zip(self._families, steps, self._amounts, strict=True):
                if step:
                    moves = self._puzzle.family_moves([family])
                    generators.append(next(move for move in moves if move.amount == step))
                    count += (amounts - 1) // step
            self._known[steps] = Subgroup(self._puzzle, generators, count)
        return self._known[steps]


def _cheapest(groups: Sequence[Subgroup], closed: set[int], most: float) -> tuple[float, list[int]]:
    """Return the least expected number of moves, and the numbers of the groups that begin phases.

    Each group contains the next one. No phase ends at a group in `closed`. `most` is the logarithm
    of the number of states that a phase may distinguish.
    """
    costs = [0.0] + [inf] * (len(groups) - 1)
    before = [0] * len(groups)
    for end in range(1, len(groups)):
        if end in closed:
            continue
        for start in reversed(range(end)):
            states = groups[start].states - groups[end].states
            branching = max(_LEAST_BRANCHING, _BRANCHING * groups[start].moves)
            cost = costs[start] + states / log(branching) + _A_PHASE * (states > _SAME)
            cost += _EXCESS * max(0.0, states - most)
            if cost < costs[end]:
                costs[end], before[end] = cost, start
    if costs[-1] == inf:
        return inf, []
    starts = []
    end = len(groups) - 1
    while end:
        start = before[end]
        if groups[start].states - groups[end].states > _SAME:
            starts.append(start)
        end = start
    return costs[-1], starts[::-1]


def derive_phases(puzzle: Puzzle, chain: Sequence[str], memory: int) -> Method:
    """Derive a method of several phases from the orbits and moves of a puzzle.

    Each phase has fewer moves than the phase before, and ends where these fewer moves may solve the
    puzzle. A beam joins the phases.

    Parameters
    ----------
    puzzle
        The puzzle. It must not have a guard, forbidden places or blocks.
    chain
        The moves of each phase, all moves first. `SubgroupChain` finds such a chain.
    memory
        The most bytes of the pruning tables of all phases. Tables that would take too long to build
        are smaller.

    Raises
    ------
    DeclarationError
        If the chain has no phase or a phase has no moves, if moves are not always possible or turn
        pieces that are alike, or if a phase needs too many coordinates.

    Examples
    --------
    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> derive_phases(cube, ("U R F", "U R2 F2"), 1_000_000).phases
    (Phase('phase 1'), Phase('phase 2'))
    """
    if isinstance(chain, str) or not chain or not all(each.split() for each in chain):
        raise DeclarationError(
            f"{puzzle.name}: a chain is a tuple with the moves of each phase, such as "
            f"('U R F', 'U R2 F2'), not {chain!r}"
        )
    if puzzle.guard is not None or puzzle.forbidden or puzzle.blocks:
        raise DeclarationError(
            f"{puzzle.name}: no phases can be derived, because its moves are not always possible"
        )
    if alike := _turned_alike(puzzle, puzzle.named_moves(" ".join(chain))):
        raise DeclarationError(
            f"{puzzle.name}: no phases can be derived, because moves turn pieces of {alike} "
            "that are alike"
        )
    goals: list[Condition] = [EachSolvableBy(each) for each in chain[1:]]
    every = " ".join(orbit.name for orbit in puzzle.orbits)
    last = puzzle.named_moves(chain[-1])
    large = bundles_of(puzzle) and Subgroup(puzzle, last, len(last)).states > log(_LARGE)
    most = _WORK_OF_BUNDLES if bundles_of(puzzle) else _WORK
    for shift in (0, _FEWER):
        limits = [_ENTRIES[0] >> shift for _ in chain[1:]] + [_ENTRIES[bool(large)] >> shift]
        phases = tuple(
            derive_phase(puzzle, f"phase {number}", goal, moves, memory // len(chain), limit)
            for number, (moves, goal, limit) in enumerate(
                zip(chain, [*goals, Solved(every)], limits, strict=True), 1
            )
        )
        if work_of(phases) <= most:
            break
    return Method(
        name="phases",
        title="short answers in phases with fewer and fewer moves",
        phases=phases,
        heavy=True,
        strategy=Beam(shares=(1 / len(phases),) * len(phases), symmetric=True, seconds=2),
        notes=tuple(f"{phase.name}: {moves}" for phase, moves in zip(phases, chain, strict=True)),
    )


def _turned_alike(puzzle: Puzzle, moves: Sequence[Move]) -> str:
    """Return the name of an orbit with alike pieces that moves turn; empty if there is none.

    The coordinates of `derive_phase` see where such pieces are, but not how they are turned.
    """
    parts = parts_of(puzzle, moves)
    return next((p.orbit.name for p in parts if p.turned and not p.orbit.distinct), "")


class NotYet(Exception):
    """It takes longer than allowed to find out which phases work."""


class _Deadline(OwnThread):
    """Ends the builds of its thread when the CPU time of the process exceeds a limit."""

    def __init__(self, end: float) -> None:
        self._end = end
        super().__init__()

    def beat(self, key: TableSpec) -> None:
        """Raise NotYet after the end."""
        if self.in_own_thread and process_time() > self._end:
            raise NotYet


def tried_phases(
    puzzle: Puzzle,
    store: TableStore,
    memory: int,
    random_state: Callable[[Random], bytes],
    seconds: float = inf,
    sequences: Collection[str] = (),
    cancel: Event | None = None,
) -> tuple[Method, float] | None:
    """Return a method of several phases, and the CPU seconds of a usual first answer.

    The result is None if there is no method that solves random states. The store keeps the chain of
    subgroups and the seconds, so the chain is searched for and tried once. A chain is not tried if
    it would take more than half a minute or so to build its tables. Without the compiled engine all
    this would take too long, so the result is None.

    Parameters
    ----------
    puzzle
        The puzzle.
    store
        Where the chain and the tables are stored.
    memory
        The most bytes of the pruning tables.
    random_state
        Returns random reachable states.
    seconds
        The most CPU time, about, to find and try a chain.
    sequences
        Families that are sequences of the others, so no chain needs them.
    cancel
        Ends the search when it is set. Nothing is stored then.

    Raises
    ------
    NotYet
        If this would take longer, or has taken longer before, or is cancelled.
    """
    if not COMPILED or _turned_alike(puzzle, puzzle.family_moves(puzzle.turns)):
        return None
    moves = {family: puzzle.turns[family] for family in puzzle.turns}
    key = TableSpec(
        puzzle.name,
        CHAIN,
        f"subgroups 8; {moves}; {puzzle.solved!r}; {memory}; {[*sequences]}",
        "u1",
        (_BYTES,),
        "Has the seconds of a first answer and the moves of each phase of a derived method.",
    )
    # An empty table, which tells that a short search has found no chain.
    slow = attrs.evolve(key, name=f"{CHAIN}, which takes long", shape=(1,))
    began = process_time()
    end = began + seconds

    def built() -> bytes:
        from puzzlekit_definitions.basic_moves import BasicMoves  # imports NumPy

        basic = BasicMoves(puzzle, [each for each in moves if each not in sequences])
        families = " ".join(basic.families)
        if len(puzzle.family_moves(basic.families)) > MAX_MOVES:
            return b" " * _BYTES
        changes = max(_CHANGES, _CHANGES_EACH * len(basic.families))
        tried: list[str] = []
        for part, most in enumerate(_MOST):
            tell = partial(told, part)
            chain = SubgroupChain(puzzle, families, most).search(Random(1), changes, tell)
            if not chain:
                break  # phases that distinguish fewer states are harder to find
            made = [basic.with_made(each) for each in chain]
            if len(stored(made, 0.0)) <= _BYTES:
                chain = made
            fits = len(chain) > 1 and len(stored(chain, 0.0)) <= _BYTES and chain != tried
            if fits and (seconds := _seconds(chain)) is not None:
                return stored(chain, seconds)
            tried = chain
        return b" " * _BYTES

    def is_cancelled() -> bool:
        return cancel is not None and cancel.is_set()

    def told(part: int, share: float) -> None:
        took = process_time() - began
        most = took if took < _FIRST_LOOK or not share else took / share / 2
        if (not part and most > seconds) or process_time() > end or is_cancelled():
            raise NotYet
        store.tell(key, (part + share) / len(_MOST))

    def stored(chain: Sequence[str], seconds: float) -> bytes:
        return "\n".join((f"{seconds:9.3f}", *chain)).encode().ljust(_BYTES)

    def _seconds(chain: list[str]) -> float | None:
        """Return the median of CPU seconds of first answers; None if not all states are solved."""
        took: list[float] = []
        try:
            method = derive_phases(puzzle, chain, memory)
            work = work_of(method.phases)
            if work > (_WORK_OF_BUNDLES if bundles_of(puzzle) else _WORK):
                return None
            solver = Solver(puzzle, (method,), store)
            for seed in range(_STATES):
                left, began = end - process_time(), perf_counter()
                if work / WORK_A_SECOND > left:
                    raise NotYet
                state = random_state(Random(seed))
                timeout = None if left == inf else left
                with store.watched(_Deadline(end)):
                    solver.prepared()
                    before = process_time()
                    solver.solve(
                        state,
                        max_length=_LONGEST,
                        max_nodes=_NODES,
                        timeout=timeout,
                        cancel=cancel,
                    )
                took.append(process_time() - before)
                work = 0  # the tables are built
        except DeclarationError:
            return None
        except NoSolutionError:
            # The time may be the reason.
            if is_cancelled() or perf_counter() > began + left - _MOMENT:
                raise NotYet from None
            return None
        return sorted(took)[len(took) // 2]

    if seconds < inf and store.find(slow) is not None and store.find(key) is None:
        raise NotYet
    with store.checking():  # its few bytes
        try:
            text = bytes(store.get(key, built).data).decode().strip()
        except NotYet:
            if not is_cancelled():
                store.get(slow, lambda: b"\0")
            raise
    if not text:
        return None
    seconds_told, *found = text.splitlines()
    return derive_phases(puzzle, found, memory), float(seconds_told)


def work_of(phases: Sequence[Phase]) -> int:
    """Return about how many steps it takes to build the tables of some phases."""
    return sum(
        prod(each.size for each in phase.coordinates_of(table)) * len(phase.moves.split())
        for phase in phases
        for table in phase.pruning_tables
    )
