"""From declarations to what the engine runs: spaces, automata, tables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from puzzlekit.engine.automaton import (
    Automaton,
    Pairs,
    commuting_moves,
    guarded_automaton,
    pruned_pairs,
    redundancy_automaton,
    seam,
)
from puzzlekit.engine.inputs import JoinInput, TableInput
from puzzlekit.engine.search import Search
from puzzlekit.engine.space import MAX_MOVES, Space
from puzzlekit.errors import DeclarationError, TableError, UsageError
from puzzlekit.heuristic.heuristic import Heuristic, Max
from puzzlekit.phase.phase import Phase
from puzzlekit.prepare.needs import PhaseNeeds
from puzzlekit.prepare.parts import Parts
from puzzlekit.prepare.plan import Plan
from puzzlekit.puzzle.metric import Metric
from puzzlekit.puzzle.move import Move, compose, no_effect
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.store.store import TableStore
from puzzlekit.store.table import Table, TableKey

if TYPE_CHECKING:
    from puzzlekit.prepare.machine_automaton import Steps

_JOIN_LIMIT = 1 << 22  # entries of a table of joined estimates


class Order(NamedTuple):
    """Which moves may follow which, and what they cost, for the engine.

    `costs` are by move, or by state and move. `entries` are the automaton's states in which the
    phase starts, for each state of the phase before it. `pairs` tells which pairs of moves need not
    be searched. In a metric with memory there are none, but the `steps` of the machine, and for
    each state the one of theirs, `sources`; the engine takes each move for so many `times`
    different ones, and not all ways are there unless it is `complete`.
    """

    automaton: Automaton
    costs: list[Any]
    entries: list[int]
    pairs: Pairs
    steps: Steps | None = None
    sources: Sequence[int] = ()
    times: int = 1
    complete: bool = True


class Assembled(NamedTuple):
    """A phase ready to be searched: its moves with their costs, its space, how states are ranked.

    `moves` and their least `costs` are as the engine numbers them.
    """

    phase: Phase
    parts: Parts
    moves: tuple[Move, ...]
    costs: Sequence[int]
    space: Space
    order: Order
    admissible: bool

    @property
    def automaton(self) -> Automaton:
        """Which moves may follow which."""
        return self.order.automaton

    def start(
        self,
        search: Search,
        puzzle: Puzzle,
        state: bytes,
        limit: int,
        parity: int | None = None,
    ) -> None:
        """Set a search of this phase on a state of the method's puzzle.

        `parity` is that of the cost of every answer, if it is known.
        """
        values, vector = self.seen(puzzle, state)
        search.keep_parity(parity)
        first = puzzle.place_of_guard(state)  # the automaton begins with a state for each place
        search.start(values, limit, first, vector)

    def estimate(self, puzzle: Puzzle, state: bytes) -> int:
        """The estimate for a state of the method's puzzle."""
        return int(self.space.estimate(*self.seen(puzzle, state)))

    def seen(self, puzzle: Puzzle, state: bytes) -> tuple[list[int], bytes]:
        """A state of the method's puzzle as the engine takes it: values, and what is carried."""
        view = self.phase.view
        own = state if view is None else view.see(puzzle, state)
        return self.parts.ranks(own), self.parts.vector(own)


def assemble(
    puzzle: Puzzle,
    phase: Phase,
    metric: Metric,
    heuristic: Heuristic | None,
    store: TableStore,
    before: Assembled | None = None,
    after: Phase | None = None,
    plan: Plan | None = None,
) -> Assembled:
    """Load or build the tables of a phase and make its space.

    With `before`, the phase is to continue that one without a break: see `seam`. With `after`, that
    one continues this one, so no move that it has too needs to end this one. `plan` is the one
    that the phase is of, which machines have to know.
    """
    needs = PhaseNeeds(puzzle, phase, metric, plan)
    joiner = heuristic or Max()
    if phase.turned and (type(joiner) is not Max or needs.remembers):
        what = "metrics without memory" if needs.remembers else "the heuristic max"
        raise UsageError(f"phase {phase.name} is searched with {what} only")
    later = PhaseNeeds(puzzle, after, metric, plan) if after is not None else None
    # Phases that continue each other are run in one way.
    remembers = needs.remembers or (later is not None and later.remembers)
    remembers = remembers or (before is not None and len(before.order.sources) > 0)
    order = _remembering(needs, before) if remembers else move_order(needs, before)
    parts = Parts(store, needs, order.times)
    join = None
    groups = tuple(len(group) for group in phase.groups) * len(parts.sides)
    if type(joiner) is not Max and len(groups) > 1:
        radix = join_radix(parts.tables)
        radix = group_radix(radix, groups)
        join = JoinInput(radix, joined_estimates(needs.puzzle, joiner, radix, store).data)
    moves = needs.moves * order.times
    ending, commuting = None, b""
    if later is not None:
        ending = bytes(move not in later.moves for move in moves)
        commuting = commuting_moves(order.pairs) if order.pairs else b""
    try:
        space = Space(
            order.costs,
            order.automaton,
            parts.coordinates,
            parts.tables,
            join,
            ending,
            parts.carry,
            solved=parts.ranks(needs.puzzle.solved) if phase.turned else None,
            commuting=commuting,
            joint=_joint_tables(needs, parts),
            hashed=parts.hashed,
            unit=needs.unit,
            groups=groups,
        )
    except ValueError as error:
        raise TableError(f"{puzzle.name}, phase {phase.name}: {error}") from None
    admissible = joiner.admissible or len(groups) < 2
    done, costs = needs.as_done(puzzle) * order.times, needs.costs * order.times
    return Assembled(phase, parts, done, costs, space, order, admissible)


def move_order(needs: PhaseNeeds, before: Assembled | None = None) -> Order:
    """The order of moves whose costs depend on nothing."""
    if needs.puzzle.guarded is not None:
        return _guarded(needs, needs.puzzle.guarded.size)
    pairs = _pairs(needs.puzzle, needs.moves, needs.costs)
    automaton, entries = redundancy_automaton(pairs), [0]
    if before is not None:
        if not set(needs.moves) <= set(before.moves):
            raise DeclarationError(
                f"phase {needs.phase.name} has moves that the phase before it has not"
            )
        numbers = [before.moves.index(move) for move in needs.moves]
        automaton, entries = seam(before.order.pairs, before.automaton, numbers, automaton)
    return Order(automaton, needs.costs, entries, pairs)


def _guarded(needs: PhaseNeeds, places: int) -> Order:
    """The order of moves that are not always possible; the first states are the starts."""
    modulus = needs.puzzle.modulus
    automaton = guarded_automaton(
        [move.effect for move in needs.moves],
        needs.costs,
        [move.family for move in needs.moves],
        [(move.guard_before, move.guard_after) for move in needs.moves],
        places,
        partial(compose, modulus=modulus),
        no_effect(modulus),
    )
    return Order(automaton, needs.costs, list(range(places)), [])


def _remembering(needs: PhaseNeeds, before: Assembled | None) -> Order:
    """The order of moves in a metric with memory."""
    from puzzlekit.engine.transitions import pruned

    assert needs.steps is not None
    earlier = None if before is None else before.order.steps
    steps = (earlier or needs.steps).only(needs.moves)
    # A phase that goes on where another one ended may start in any of the states.
    starts = [steps.start] if before is None else list(range(len(steps.edges)))
    modulus = needs.puzzle.modulus
    found = pruned(
        steps.edges,
        starts,
        [move.effect for move in needs.moves],
        partial(compose, modulus=modulus),
        no_effect(modulus),
        MAX_MOVES,
    )
    entries = found.entries
    if before is not None:
        entries = [found.entries[source] for source in before.order.sources]
    return Order(
        found.automaton, found.costs, entries, [], steps, found.source, found.times, found.complete
    )


def _joint_tables(needs: PhaseNeeds, parts: Parts) -> tuple[int, ...]:
    """The tables that tell at which goals coordinates may be together."""
    solved = needs.puzzle.solved
    if needs.goal_states and needs.goal_moves:
        changed = [
            each.name
            for each in needs.phase.coordinates
            if any(each.rank(state) != each.rank(solved) for state in needs.goal_states)
        ]
        if len(changed) > 1:
            raise DeclarationError(
                f"phase {needs.phase.name}: its goal turns change {' and '.join(changed)}: with "
                "goal moves they may change one coordinate"
            )
    if not needs.goal_states or needs.goal_moves:
        return ()
    several = {
        number
        for number, each in enumerate(parts.coordinates)
        if isinstance(each.goals, tuple) and len(each.goals) > 1
    }
    joint = [
        t
        for t, table in enumerate(parts.tables)
        if table.bits > 2 and several <= set(table.coordinates)
    ]
    if several and not joint:
        raise DeclarationError(
            f"phase {needs.phase.name}: its goals are reached in other holdings too, so one table "
            "has to be over all coordinates that these change"
        )
    return tuple(joint[:1])


def _pairs(puzzle: Puzzle, moves: Sequence[Move], costs: Sequence[int]) -> Pairs:
    product = partial(compose, modulus=puzzle.modulus)
    effects = [move.effect for move in moves]
    return pruned_pairs(effects, costs, product, no_effect(puzzle.modulus))


def joined_estimates(
    puzzle: Puzzle, joiner: Heuristic, radix: list[int], store: TableStore
) -> Table:
    """The estimates for all vectors of distances, the first table most significant.

    The store does not keep them open: parameters of heuristics have no end.
    """

    def build() -> Any:
        import numpy as np

        vectors = np.indices(radix).reshape(len(radix), -1)
        try:
            estimates = np.asarray(joiner.join(list(vectors)))
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise DeclarationError(f"the heuristic {joiner} fails: {what}") from error
        if not ((estimates >= 0) & (estimates < 1 << 16)).all():
            raise DeclarationError(
                f"the heuristic {joiner} joins some distances to less than 0 or more than 65,535"
            )
        return estimates.astype("u2")

    key = joined_key(puzzle, joiner, radix)
    table = store.get(key, build)
    store.forget(key)
    return table


def fixed_radix(bits: Sequence[int]) -> list[int] | None:
    """How many distances to tell apart in each pruning table, where that does not take its entries.

    16 where it has 4 bits, and for 2 bits as many as there is room for; None with 8 bits, or where
    there is no room for so many.
    """
    for most in (256, 128, 64, 32):
        radix = [most if each == 2 else 16 for each in bits]
        if 8 not in bits and prod(radix) <= _JOIN_LIMIT:
            return radix
    return None


def join_radix(tables: Sequence[TableInput]) -> list[int]:
    """How many distances to tell apart in each pruning table."""
    if (fixed := fixed_radix([table.bits for table in tables])) is not None:
        return fixed
    import numpy as np

    radix = []
    for table in tables:
        data = np.asarray(table.data)
        halves = [data & 15, data >> 4] if table.bits == 4 else [data]
        radix.append(32 if table.bits == 2 else max(int(half.max()) for half in halves) + 1)
    return radix


def group_radix(radix: Sequence[int], groups: Sequence[int]) -> list[int]:
    """How many sums to tell apart in each group, of so many tables, given it for each table.

    >>> group_radix([16, 16, 16], [2, 1])
    [31, 16]
    """
    own = iter(radix)
    return [1 + sum(next(own) - 1 for _ in range(size)) for size in groups]


def joined_key(puzzle: Puzzle, joiner: Heuristic, radix: Sequence[int]) -> TableKey:
    """The name under which the estimates of a heuristic are kept; 16 bits an entry."""
    entries = prod(radix)
    if entries > _JOIN_LIMIT:
        raise DeclarationError(f"{len(radix)} tables are too many for the heuristic {joiner.name}")
    return TableKey(
        puzzle=puzzle.name,
        name=f"{joiner.name} of {len(radix)} distances",
        identity=f"join 1 {joiner.identity} {radix}",
        dtype="u2",
        shape=(entries,),
        purpose=f"estimate of the heuristic {joiner!r} for every vector of distances",
    )
