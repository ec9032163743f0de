"""Which moves of a phase may follow which."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from puzzlekit.engine.automaton import (
    Automaton,
    Pairs,
    guarded_automaton,
    pruned_pairs,
    redundancy_automaton,
    seam,
)
from puzzlekit.engine.space import MAX_MOVES
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Effect, Move, compose, no_effect
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.search.resolved import ResolvedPhase

if TYPE_CHECKING:
    from puzzlekit.search.step_metric import Steps

__all__ = ["move_order", "pairs_of"]


class Order(NamedTuple):
    """The canonical sequences of a phase's moves as an automaton, with the costs of the moves."""

    #: The moves of the phase.
    moves: tuple[Move, ...]
    automaton: Automaton
    #: The cost of each move. In a metric with memory, costs depend on earlier moves: there is a
    #: list of costs for each state of the automaton.
    costs: list[Any]
    #: For each state of the automaton of the phase before, the state in which this phase begins.
    entries: list[int]
    #: For each pair of moves why a search can skip it, or 0 (see `pruned_pairs`). Empty in a metric
    #: with memory.
    pairs: Pairs
    #: In a metric with memory, its steps; otherwise None.
    steps: "Steps | None" = None
    #: In a metric with memory, the state of `steps` for each state of the automaton.
    sources: Sequence[int] = ()
    #: The number of indices that each move has in the engine (see `Pruned`).
    times: int = 1
    #: Whether the automaton contains all sequences that are not redundant.
    complete: bool = True

    def cost(self, state: int, move: int) -> int:
        """Return the cost of the move with an index, in a state of the automaton."""
        costs = self.costs[state] if self.steps is not None else self.costs
        return int(costs[move])


def move_order(needs: ResolvedPhase, before: Order | None = None, remembers: bool = False) -> Order:
    """Return the automaton of the canonical sequences of a phase's moves, with costs.

    If one search covers this phase and the phase before, `before` is the order of that phase. If
    `remembers` is True, the metric is treated as one with memory, in which the cost of a move
    depends on earlier moves.
    """
    if remembers:
        return _remembering(needs, before)
    if needs.puzzle.guarded is not None:
        return _guarded(needs, needs.puzzle.guarded.size)
    pairs = pairs_of(needs.puzzle, needs.moves, needs.costs)
    automaton, entries = redundancy_automaton(pairs), [0]
    if before is not None:
        if not set(needs.moves) <= set(before.moves):
            raise DeclarationError(
                f"phase {needs.phase.name} may only have moves that the phase before it has"
            )
        numbers = [before.moves.index(move) for move in needs.moves]
        automaton, entries = seam(before.pairs, before.automaton, numbers, automaton)
    return Order(needs.moves, automaton, needs.costs, entries, pairs)


def _guarded(needs: ResolvedPhase, places: int) -> Order:
    """Return the order of moves with guards. The first states are the starts."""
    automaton = guarded_automaton(
        [move.effect for move in needs.moves],
        needs.costs,
        [move.family for move in needs.moves],
        [(move.guard_before, move.guard_after) for move in needs.moves],
        places,
        *_algebra(needs.puzzle),
    )
    return Order(needs.moves, automaton, needs.costs, list(range(places)), [])


def _remembering(needs: ResolvedPhase, before: Order | None) -> Order:
    """Return the order of moves in a metric with memory."""
    from puzzlekit.engine.automaton import pruned

    earlier = None if before is None else before.steps
    steps = earlier or needs.steps
    assert steps is not None
    steps = steps.only(needs.moves)
    # A phase that continues another one may start in any state.
    starts = [steps.start] if before is None else list(range(len(steps.edges)))
    effects = [move.effect for move in needs.moves]
    found = pruned(steps.edges, starts, effects, *_algebra(needs.puzzle), MAX_MOVES)
    entries = found.entries
    if before is not None:
        entries = [found.entries[source] for source in before.sources]
    return Order(
        needs.moves,
        found.automaton,
        found.costs,
        entries,
        [],
        steps,
        found.source,
        found.times,
        found.complete,
    )


def pairs_of(puzzle: Puzzle, moves: Sequence[Move], costs: Sequence[int]) -> Pairs:
    """Return for each pair of moves why it is pruned (see `pruned_pairs`)."""
    return pruned_pairs([move.effect for move in moves], costs, *_algebra(puzzle))


def _algebra(puzzle: Puzzle) -> tuple[Callable[[Effect, Effect], Effect], Effect]:
    """Return the composition of effects, and the identity."""
    return partial(compose, modulus=puzzle.modulus), no_effect(puzzle.modulus)
