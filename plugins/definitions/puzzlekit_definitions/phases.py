"""Derive a method of several phases from orbits, moves and metrics alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Container, Mapping, Sequence
from functools import cached_property, partial
from itertools import pairwise
from math import inf, lgamma, log, prod
from random import Random
from threading import Event
from time import perf_counter, process_time
from types import MappingProxyType
from typing import TYPE_CHECKING

import attrs

from puzzlekit import (
    DeclarationError,
    Method,
    Move,
    NoSolutionError,
    Orbit,
    Phase,
    Plain,
    Puzzle,
    Solver,
    TableStore,
)
from puzzlekit.engine.fill import COMPILED
from puzzlekit.engine.ranks import MAX_COORDINATES
from puzzlekit.engine.space import MAX_MOVES, MAX_TABLES
from puzzlekit.puzzle.groups import Part, parts_of
from puzzlekit.puzzle.move import permutation_parity
from puzzlekit.tables.table import TableSpec
from puzzlekit.tables.watchers import OwnThread
from puzzlekit_beam import Beam
from puzzlekit_definitions.links import LinkedParts, linked_parts
from puzzlekit_definitions.sums import Lattice, Summand, kept_sums, summands
from puzzlekit_steps import EachSolvableBy, Solved
from puzzlekit_steps.bundles import BundlePart, bundles_of
from puzzlekit_steps.goal import Condition
from puzzlekit_steps.goal_method import derive_phase

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_MOST_LOOKS = 1000  # arrangements of alike pieces on which moves act
_UNSEEN = log(28)  # states at the end of a phase for each from which the next go on, at most
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


class Subgroup:
    """The subgroup that some moves generate. All numbers of states are natural logarithms.

    - `generators`: the moves.
    - `moves`: how many moves there are, with the powers of the generators.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> half = Subgroup(cube, cube.moves("U2 D2 R2 L2 F2 B2"), 6)
    >>> round(2.718281828459045 ** half.unseen)  # 4! * 4! * 4!^3 / 4 states against 663,552
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
    def unseen(self) -> float:
        """The allowed states for each reached one, or more if pieces are alike.

        Schreier-Sims finds the states that are reached, with rare errors (see
        `puzzlekit_definitions.groups`). The moves act on the arrangements of alike pieces if these
        are few. Otherwise no pieces count as alike, and the number is an upper bound.
        """
        from puzzlekit_definitions.groups import log_order_at_least  # imports NumPy

        if not self._generators:
            return 0.0
        looks = self._looks
        allowed = self._allowed(looks)
        points = [self.points(move, looks) for move in self._generators]
        count = len(points[0]) - sum(len(each) - 1 for each in looks.values())
        return allowed - log_order_at_least(points, allowed, count)

    def hidden(self, after: Subgroup) -> float:
        """Return the states in which each piece, and each sum that these moves change, is right.

        They are counted for each state with all sums that the moves of a subgroup `after` keep.
        """
        if self._bundles:
            return 0.0
        found = list(summands(self._parts, after._parts))
        rows = [[each.of_move(self._puzzle, move) for each in found] for move in after._generators]
        seen = Lattice(rows, [each.modulus for each in found]).index
        return after._sums(dict.fromkeys(after._parts)) - log(seen)

    @cached_property
    def _looks(self) -> dict[Part, dict[bytes, int]]:
        """For each part with alike pieces their arrangements, with numbers; none if too many."""
        found = {}
        for part in self._parts:
            solved = bytes(part.orbit.solved[home] for home in part.homes)
            if part.still or part.turned or len(set(solved)) == len(solved):
                continue
            sources = [self._own_sources(part, move) for move in self._generators]
            looks = {solved: 0}
            fresh = [solved]
            for look in fresh:  # grows during the loop
                for source in sources:
                    after = bytes(map(look.__getitem__, source))
                    if looks.setdefault(after, len(looks)) == len(fresh):
                        fresh.append(after)
                if len(looks) > _MOST_LOOKS:
                    break
            else:
                found[part] = looks
        return found

    @cached_property
    def states(self) -> float:
        """The states that parities and sums of orientations allow, all reached ones among them."""
        return self._allowed(dict.fromkeys(self._parts))

    def _allowed(self, alike: Container[Part]) -> float:
        """Return the allowed states. Pieces count as alike only in the parts `alike`."""
        total = 0.0
        for part in self._parts:
            count, base = len(part.homes), part.orbit.orientations
            total += count * log(base) * part.turned + lgamma(count + 1)
            same = Counter(part.orbit.solved[home] for home in part.homes)
            total -= sum(lgamma(each + 1) for each in same.values()) if part in alike else 0
        for each in self._bundle_parts:
            total += lgamma(each.size + 1) + each.size * log(each.poses)
        return total - self._sums(alike)

    def _sums(self, alike: Container[Part]) -> float:
        """Return by what parities and sums of orientations divide the number of states."""
        rows: list[list[int]] = [[] for _ in self._generators]
        moduli = []
        for part in self._parts:
            if part.turned:
                moduli.append(part.orbit.orientations)
                own = Summand(part.orbit.name, part.homes, part.orbit.orientations)
                for row, move in zip(rows, self._generators, strict=True):
                    row.append(own.of_move(self._puzzle, move))
            labels = {part.orbit.solved[home] for home in part.homes}
            if not part.still and (part not in alike or len(labels) == len(part.homes)):
                moduli.append(2)
                own = Summand(part.orbit.name, part.homes, 0)
                for row, move in zip(rows, self._generators, strict=True):
                    row.append(own.of_move(self._puzzle, move))
        for each in self._bundle_parts:
            if each.size > 1:
                moduli.append(2)
                for row, order in zip(rows, each.orders, strict=True):
                    row.append(permutation_parity(order))
        return log(Lattice(rows, moduli).index) if moduli else 0.0

    @cached_property
    def _bundle_parts(self) -> list[BundlePart]:
        found: list[BundlePart] = []
        for bundles in self._bundles:
            sources = [
                [self._source(bundles.orbit, home, move) for home in range(bundles.orbit.size)]
                for move in self._generators
            ]
            found += bundles.parts(sources)
        return found

    def _own_sources(self, part: Part, move: Move) -> list[int]:
        """Return from which of the places of a part the piece at each of them comes."""
        return [part.homes.index(self._source(part.orbit, home, move)) for home in part.homes]

    def _source(self, orbit: Orbit, home: int, move: Move) -> int:
        start = self._puzzle.offsets[orbit.name]
        return move.gather[start + home] - start

    def _turn(self, orbit: Orbit, home: int, move: Move) -> int:
        return move.add[self._puzzle.offsets[orbit.name] + orbit.size + home]

    def points(
        self, move: Move, looks: Mapping[Part, Mapping[bytes, int]] = MappingProxyType({})
    ) -> list[int]:
        """Return the permutation of the pairs of place and orientation.

        For parts with `looks`, it permutes these arrangements instead. The solved arrangements come
        first, the others last.
        """
        hidden = {(part.orbit, home) for part in looks for home in part.homes}
        first: dict[tuple[Orbit, int], int] = {}
        count = len(looks)
        for orbit in self._puzzle.orbits:
            for home in range(orbit.size):
                if (orbit, home) not in hidden:
                    first[orbit, home] = count
                    count += orbit.orientations
        points = [0] * len(looks)
        for orbit, home in first:
            base = orbit.orientations
            turn = self._turn(orbit, home, move) if base > 1 else 0
            source = first[orbit, self._source(orbit, home, move)]
            points += [source + (number - turn) % base for number in range(base)]
        for i, (part, own) in enumerate(looks.items()):
            sources = self._own_sources(part, move)
            after = [own[bytes(map(look.__getitem__, sources))] for look in own]
            count = len(points) - 1
            images = [count + look if look else i for look in after]
            points[i] = images[0]
            points += images[1:]
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
        unseen: dict[tuple[int, int], float] = {}  # of pairs that begin and end a phase
        while True:
            cost, starts = _cheapest(groups, unseen, self._most)
            new = [pair for pair in pairwise(starts) if pair not in unseen]
            if cost > most or not new:
                return cost, [subsets[i] for i in starts]
            for start, end in new:
                first, last = groups[start], groups[end]
                factor = last.unseen - first.unseen + first.hidden(last)
                unseen[start, end] = max(0.0, factor) if factor <= _UNSEEN else inf

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


def _cheapest(
    groups: Sequence[Subgroup], unseen: Mapping[tuple[int, int], float], most: float
) -> tuple[float, list[int]]:
    """Return the least expected number of moves, and the numbers of the groups that begin phases.

    Each group contains the next one. `unseen` has for some pairs the states at the end of a
    phase for each from which the next ones can go on; no phase has an infinite number. `most` is
    the logarithm of the number of states that a phase may distinguish.
    """
    costs = [0.0] + [inf] * (len(groups) - 1)
    before = [0] * len(groups)
    for end in range(1, len(groups)):
        for start in reversed(range(end)):
            more = unseen.get((start, end), 0.0)
            if more == inf:
                continue
            states = groups[start].states - groups[end].states
            branching = max(_LEAST_BRANCHING, _BRANCHING * groups[start].moves)
            cost = costs[start] + (states + more) / log(branching) + _A_PHASE * (states > _SAME)
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
    named = [puzzle.named_moves(each) for each in chain]
    sums = [tuple(kept_sums(puzzle, *pair)) for pair in pairwise(named)]
    links = [(), *(tuple(linked_parts(puzzle, moves)) for moves in named[1:])]
    every = " ".join(orbit.name for orbit in puzzle.orbits)
    large = bundles_of(puzzle) and Subgroup(puzzle, named[-1], len(named[-1])).states > log(_LARGE)
    most = _WORK_OF_BUNDLES if bundles_of(puzzle) else _WORK
    for shift in (0, _FEWER):
        limits = [_ENTRIES[0] >> shift for _ in chain[1:]] + [_ENTRIES[bool(large)] >> shift]
        phases = tuple(
            derive_phase(puzzle, f"phase {number}", goal, moves, memory // len(chain), limit, more)
            for number, (moves, goal, limit, more) in enumerate(
                zip(chain, [*goals, Solved(every)], limits, [*sums, ()], strict=True), 1
            )
        )
        if work_of(phases) <= most:
            break
    phases = tuple(map(_with_links, phases, links))
    return Method(
        name="phases",
        title="short answers in phases with fewer and fewer moves",
        phases=phases,
        heavy=True,
        strategy=Beam(shares=(1 / len(phases),) * len(phases), symmetric=True, seconds=2),
        notes=tuple(f"{phase.name}: {moves}" for phase, moves in zip(phases, chain, strict=True)),
    )


def _with_links(phase: Phase, links: Sequence[LinkedParts]) -> Phase:
    """Return a phase that is not searched if its moves do not reach how parts are linked."""
    links = links[: MAX_COORDINATES - len(phase.coordinates)]
    kept = phase.tables[: MAX_TABLES - len(links)]
    return attrs.evolve(
        phase,
        coordinates=(*phase.coordinates, *links),
        tables=(*kept, *(Plain(each.name) for each in links)),
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
) -> Method | None:
    """Return a method of several phases; None if there is none that solves random states.

    The store keeps the chain of subgroups, so it is searched for and tried once. A chain is not
    tried if it would take more than half a minute or so to build its tables. Without the compiled
    engine all this would take too long, so the result is None.

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
        "Names the moves of each phase of a method that is derived from the moves.",
    )
    # An empty table, which tells that a short search has found no chain.
    slow = attrs.evolve(key, name=f"{CHAIN}, which takes long", shape=(1,))
    began = process_time()
    end = began + seconds

    def built() -> bytes:
        from puzzlekit_definitions.basic_moves import (
            BasicMoves,
            symmetric_families,
        )  # imports NumPy

        own = symmetric_families(puzzle, [each for each in moves if each not in sequences])
        basic = BasicMoves(puzzle, own)
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
            if len("\n".join(made).encode()) <= _BYTES:
                chain = made
            text = "\n".join(chain).encode()
            fits = len(chain) > 1 and len(text) <= _BYTES and chain != tried
            if fits and _solves(chain):
                return text.ljust(_BYTES)
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

    def _solves(chain: list[str]) -> bool:
        try:
            method = derive_phases(puzzle, chain, memory)
            work = work_of(method.phases)
            if work > (_WORK_OF_BUNDLES if bundles_of(puzzle) else _WORK):
                return False
            solver = Solver(puzzle, (method,), store)
            for seed in range(_STATES):
                left, began = end - process_time(), perf_counter()
                if work / WORK_A_SECOND > left:
                    raise NotYet
                state = random_state(Random(seed))
                timeout = None if left == inf else left
                with store.watched(_Deadline(end)):
                    solver.solve(
                        state,
                        max_length=_LONGEST,
                        max_nodes=_NODES,
                        timeout=timeout,
                        cancel=cancel,
                    )
                work = 0  # the tables are built
        except DeclarationError:
            return False
        except NoSolutionError:
            # The time may be the reason.
            if is_cancelled() or perf_counter() > began + left - _MOMENT:
                raise NotYet from None
            return False
        return True

    if seconds < inf and store.find(slow) is not None and store.find(key) is None:
        raise NotYet
    with store.checking():  # its few bytes
        try:
            text = bytes(store.get(key, built).data).decode().strip()
        except NotYet:
            if not is_cancelled():
                store.get(slow, lambda: b"\0")
            raise
    return derive_phases(puzzle, text.splitlines(), memory) if text else None


def work_of(phases: Sequence[Phase]) -> int:
    """Return about how many steps it takes to build the tables of some phases."""
    return sum(
        prod(each.size for each in phase.coordinates_of(table)) * len(phase.moves.split())
        for phase in phases
        for table in phase.pruning_tables
    )
