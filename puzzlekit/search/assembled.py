"""A phase ready to be searched."""

from collections.abc import Sequence
from typing import NamedTuple

from puzzlekit.engine.automaton import Automaton, commuting_moves
from puzzlekit.engine.inputs import JoinInput
from puzzlekit.engine.search import Search
from puzzlekit.engine.space import Space
from puzzlekit.errors import DeclarationError, TableError, UsageError
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.search.heuristic import Heuristic, Max
from puzzlekit.search.move_order import Order, move_order
from puzzlekit.search.phase import Phase
from puzzlekit.search.plan import Plan
from puzzlekit.search.resolved import ResolvedPhase
from puzzlekit.search.space_inputs import SpaceInputs

__all__ = ["Assembled", "assemble"]


class Assembled(NamedTuple):
    """A phase with its tables and its inputs for the engine, ready to be searched."""

    resolved: ResolvedPhase
    #: The coordinates and tables. This object also computes the coordinate values of states.
    inputs: SpaceInputs
    #: The moves of the method's puzzle, as the engine numbers them.
    moves: tuple[Move, ...]
    #: The least cost of each move.
    costs: Sequence[int]
    space: Space
    #: Which moves may follow which.
    order: Order
    #: Whether the estimate never exceeds the distance.
    admissible: bool

    @property
    def phase(self) -> Phase:
        """The declaration of the phase."""
        return self.resolved.phase

    @property
    def automaton(self) -> Automaton:
        """The automaton of the moves that may follow each other."""
        return self.order.automaton

    def start(
        self,
        search: Search,
        puzzle: Puzzle,
        state: bytes,
        limit: int,
        parity: int | None = None,
    ) -> None:
        """Start a search of this phase at a state of the method's puzzle.

        `parity` is the parity of the cost of every answer; None if it is unknown.
        """
        values, vector = self.seen(puzzle, state)
        search.keep_parity(parity)
        first = puzzle.place_of_guard(state)  # the automaton has a start state for each place
        search.start(values, limit, first, vector)

    def estimate(self, puzzle: Puzzle, state: bytes) -> int:
        """Return the estimate for a state of the method's puzzle."""
        return int(self.space.estimate(*self.seen(puzzle, state)))

    def seen(self, puzzle: Puzzle, state: bytes) -> tuple[list[int], bytes]:
        """Return the values of the coordinates and the carried bytes of a state, for the engine."""
        view = self.phase.view
        own = state if view is None else view.see(puzzle, state)
        return self.inputs.ranks(own), self.inputs.vector(own)


def assemble(
    plan: Plan,
    phase: Phase,
    heuristic: Heuristic | None = None,
    before: Assembled | None = None,
    after: Phase | None = None,
) -> Assembled:
    """Load or build the tables of a phase, and return the phase ready to search.

    - `phase`: a phase of the plan, or an alternative to one.
    - `heuristic`: the heuristic of the phase; `Max` if None.
    - `before`: the phase before this phase, if one search covers both phases. Then no move that
      merges with the last move of `before` begins this phase (see `seam`).
    - `after`: the next phase, if one search covers both phases. Then this phase ends only with
      moves that `after` does not have, if it has such moves at all.
    """
    needs = plan.resolved(phase)
    heuristic = heuristic or Max()
    if phase.turned and (not heuristic.is_max or needs.remembers):
        what = "a metric in which no cost depends on earlier moves"
        what = what if needs.remembers else "the heuristic max"
        raise UsageError(f"phase {phase.name} can be searched only with {what}")
    later = plan.resolved(after) if after is not None else None
    # If the costs of one of several connected phases depend on earlier moves, all are searched so.
    remembers = needs.remembers or (later is not None and later.remembers)
    earlier = None if before is None else before.order
    remembers = remembers or (earlier is not None and len(earlier.sources) > 0)
    order = move_order(needs, earlier, remembers)
    inputs = SpaceInputs(plan.store, needs, order.times)
    join = None
    groups = tuple(len(group) for group in phase.groups) * len(inputs.sides)
    if not heuristic.is_max and len(groups) > 1:
        from puzzlekit.search.joined_estimates import group_radix, join_radix, joined_estimates

        radix = group_radix(join_radix(inputs.tables), groups)
        join = JoinInput(radix, joined_estimates(needs.puzzle, heuristic, radix, plan.store).data)
    moves = needs.moves * order.times
    ending, commuting = None, b""
    if later is not None and not set(moves) <= set(later.moves):
        ending = bytes(move not in later.moves for move in moves)
        commuting = commuting_moves(order.pairs) if order.pairs else b""
    try:
        space = Space(
            order.costs,
            order.automaton,
            inputs.coordinates,
            inputs.tables,
            join,
            ending,
            inputs.carry,
            solved=inputs.ranks(needs.puzzle.solved) if phase.turned else None,
            commuting=commuting,
            joint=_joint_tables(needs, inputs),
            hashed=inputs.hashed,
            unit=needs.unit,
            groups=groups,
        )
    except ValueError as error:
        raise TableError(f"{plan.puzzle.name}, phase {phase.name}: {error}") from None
    admissible = heuristic.admissible or len(groups) < 2
    done, costs = needs.as_done(plan.puzzle) * order.times, needs.costs * order.times
    return Assembled(needs, inputs, done, costs, space, order, admissible)


def _joint_tables(needs: ResolvedPhase, inputs: SpaceInputs) -> tuple[int, ...]:
    """Return the tables that show which goal values of the coordinates may occur together."""
    solved = needs.puzzle.solved
    if needs.goal_states and needs.goal_moves:
        changed = [
            each.name
            for each in needs.phase.coordinates
            if any(each.rank(state) != each.rank(solved) for state in needs.goal_states)
        ]
        if len(changed) > 1:
            raise DeclarationError(
                f"phase {needs.phase.name} has goal moves, so its goal turns may change only one "
                f"coordinate, but they change {' and '.join(changed)}"
            )
    if not needs.goal_states or needs.goal_moves:
        return ()
    several = {
        number
        for number, each in enumerate(inputs.coordinates)
        if isinstance(each.goals, tuple) and len(each.goals) > 1
    }
    joint = [
        t
        for t, table in enumerate(inputs.tables)
        if table.bits > 2 and several <= set(table.coordinates)
    ]
    if several and not joint:
        raise DeclarationError(
            f"phase {needs.phase.name} has several goal states, which are rotations of each other: "
            "declare one pruning table over all coordinates whose values differ at these goals"
        )
    return tuple(joint[:1])
