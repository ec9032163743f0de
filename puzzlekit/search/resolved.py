"""A method in one metric: the moves of its phases, their costs, and the tables that they need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from math import gcd, prod
from threading import Lock
from typing import TYPE_CHECKING

import attrs

from puzzlekit.coordinates.coordinate import Coordinate
from puzzlekit.errors import DeclarationError, NotationError, UsageError
from puzzlekit.puzzle.move import Metric, Move
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.puzzle.symmetry import family_images, image_of
from puzzlekit.search.heuristic import Heuristic, format_heuristics
from puzzlekit.search.phase import Phase
from puzzlekit.search.runners import Runner, runner_kind
from puzzlekit.search.step_metric import StepMetric, Steps
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.pruning_table import ResolvedTable
from puzzlekit.tables.store import TableStore
from puzzlekit.tables.table import TableSpec

if TYPE_CHECKING:
    from puzzlekit.engine.automaton import Edge
    from puzzlekit.puzzle.services import Goal

__all__ = ["Plan", "ResolvedPhase"]


_MOST_DISTANCES = 3 << 24  # entries of one table times states of the metric's automaton
_MOST_KEPT = 256  # resolved phases of one solver; there can be any number of metrics


@attrs.frozen(slots=False, eq=False, repr=False)
class ResolvedPhase:
    """A phase in one metric: all data that follow from its declaration without a table."""

    phase: Phase
    #: The puzzle of these moves: the puzzle of the phase's view, if it has one.
    puzzle: Puzzle
    #: The moves that lead from every goal of the phase to a goal.
    goal_moves: tuple[Move, ...]
    #: The solved state after each product of the goal turns. Empty if the phase has no goal turns.
    goal_states: tuple[bytes, ...]
    #: The metric that gives tables their names. Usually this is the given metric. If the phase
    #: views the puzzle as another puzzle, it is a metric of that puzzle with the same costs.
    metric: Metric
    #: The moves. In a metric of steps, the possible steps.
    moves: tuple[Move, ...]
    #: The least cost of each move.
    costs: list[int]
    #: The cost of each move in tables. This cost times `unit` never exceeds the real cost.
    prices: list[int]
    #: The cost that corresponds to a distance of 1 in tables.
    unit: int = 1
    #: The steps of a `StepMetric` as an automaton; None for other metrics.
    steps: Steps | None = None
    #: Whether costs depend on earlier moves, or tables cannot be built with them.
    remembers: bool = False
    #: Whether tables use smaller costs than the metric.
    scaled: bool = False

    @cached_property
    def runners(self) -> tuple[Runner, ...]:
        """The runner of each coordinate, in the order of the phase."""
        given = self.phase, self.moves, self.prices, self.goal_moves, self.goal_states
        return tuple(runner_kind(each)(each, *given) for each in self.phase.coordinates)

    @cached_property
    def places(self) -> list[list[Edge]]:
        """The automaton of the places of the guarding piece; empty if there is no such piece.

        The place of the guarding piece, such as the blank of a sliding puzzle, determines which
        moves are possible. The automaton has for each place a list of tuples (move, next place,
        cost in tables).
        """
        guarded = self.puzzle.guarded
        if guarded is None:
            return []
        priced = list(enumerate(zip(self.moves, self.prices, strict=True)))
        return [
            [(n, move.guard_after, cost) for n, (move, cost) in priced if move.guard_before == at]
            for at in range(guarded.size)
        ]

    @cached_property
    def goal_places(self) -> tuple[int, ...]:
        """The places of the guarding piece that the goals of the coordinates allow.

        Empty if there is no guarding piece.
        """
        guarded = self.puzzle.guarded
        if guarded is None:
            return ()
        found = set(range(guarded.size))
        for coordinate in self.phase.coordinates:
            known = [coordinate.possible(value) for value in coordinate.goals]
            found = {
                place
                for place in found
                if any(
                    guarded.label in each.get(guarded.byte + place, {guarded.label})
                    for each in known
                )
            }
        return tuple(sorted(found))

    def _edges(self, parts: Sequence[Coordinate]) -> list[list[Edge]]:
        """Return the automaton that a pruning table over some coordinates includes; [] for none.

        This is the automaton of the guarding piece's places, or of a metric with memory. A table
        that would get too large includes none.
        """
        if self.places:
            whole = len(self.places) * prod(each.size for each in parts)
            return self.places if whole <= _MOST_DISTANCES else []
        if self.steps is None or not self.remembers or self.scaled:
            return []
        edges = self.steps.edges
        if len(edges) * prod(each.size for each in parts) > _MOST_DISTANCES:
            return []
        return [[(move, to, cost // self.unit) for move, to, cost in own] for own in edges]

    @cached_property
    def tables(self) -> tuple[ResolvedTable, ...]:
        """The pruning tables of the phase in this metric, in the order of the phase."""
        # Metrics of the user share tables, whatever their names.
        own = not self.metric.counts and self.metric.name not in {
            each.name for each in self.puzzle.metrics
        }
        differing = self.remembers or max(self.prices) > 1
        found = []
        for declared in self.phase.pruning_tables:
            parts = self.phase.coordinates_of(declared)
            runners = [self.runners[number] for number in self.phase.coordinate_numbers(declared)]
            graph = DistanceGraph(
                coordinates=parts,
                moves=self.moves,
                costs=self.prices,
                metric="steps" if own or self.scaled else self.metric.name,
                goal_moves=self.goal_moves,
                goal_states=self.goal_states,
                syms=[runner.sym for runner in runners],
                edges=self._edges(parts),
                goal_places=self.goal_places,
                large=self.steps is not None and not self.scaled and differing,
            )
            found.append(ResolvedTable(declared, graph))
        return tuple(found)

    def table_keys(self) -> tuple[list[TableSpec], list[TableSpec]]:
        """Return the keys of the tables of single coordinates, and of the pruning tables."""
        simple = [key for runner in self.runners for key in runner.table_keys()]
        for table in self.tables:
            simple += table.kind.further_keys(table.graph)
        return simple, [table.key for table in self.tables]

    def as_done(self, puzzle: Puzzle) -> tuple[Move, ...]:
        """Return the moves of the phase as moves of the method's puzzle.

        They differ from `moves` if the phase views the puzzle as another puzzle.
        """
        if self.puzzle is puzzle:
            return self.moves
        return tuple(puzzle.move(move.family, move.amount) for move in self.moves)


class Resolver:
    """Resolves each phase once per metric. Several threads may share a resolver."""

    def __init__(self) -> None:
        self._phases: dict[object, ResolvedPhase] = {}
        self._lock = Lock()

    def resolve(
        self,
        puzzle: Puzzle,
        phase: Phase,
        metric: Metric,
        phases: Sequence[Phase] = (),
        fixed: Mapping[str, str] | None = None,
    ) -> ResolvedPhase:
        """Return a phase resolved in a metric.

        `phases` are all phases of the method, and `fixed` are the places that the method fixes, by
        orbit. In a `StepMetric`, the moves depend on both. Raises DeclarationError or
        UsageError if the phase cannot be searched.
        """
        whole = (tuple(phases), tuple((fixed or {}).items()))
        key = (puzzle, phase, metric, () if metric.counts else whole)
        with self._lock:
            found = self._phases.get(key)
            if found is None:
                found = self._phases[key] = _resolved(puzzle, phase, metric, *whole)
                if len(self._phases) > _MOST_KEPT:
                    del self._phases[next(iter(self._phases))]
        return found


def _resolved(
    puzzle: Puzzle,
    phase: Phase,
    metric: Metric,
    phases: Sequence[Phase],
    fixed: Sequence[tuple[str, str]],
) -> ResolvedPhase:
    seen = phase.own_puzzle(puzzle)
    if seen.guarded is not None:
        _check_guarded(phase)
    try:
        allowed = phase.allowed(seen)
        make = partial(ResolvedPhase, phase, seen, phase.kept(seen), phase.goal_states(seen))
    except NotationError as error:
        raise DeclarationError(f"phase {phase.name}: its moves: {error}") from None
    if missing := {move.family for move in allowed} - set(puzzle.families):
        raise DeclarationError(
            f"phase {phase.name}: {puzzle.name} has no moves {' '.join(sorted(missing))}, "
            f"which the phase needs because it is searched as {seen.name}"
        )
    if not isinstance(metric, StepMetric):
        found = _in_metric(make, phase, seen, metric, allowed)
        phase.check_groups(found.moves, seen.guarded)
        return found
    if phase.view is not None:
        raise UsageError(f"phase {phase.name}, of another puzzle, cannot be searched in steps")
    # A phase may start in any holding that earlier phases can lead to.
    every = (each.allowed(each.own_puzzle(puzzle)) for each in phases or (phase,))
    found = _in_steps(make, phase, puzzle, metric, allowed, every, fixed)
    phase.check_groups(found.moves, None)
    return found


def _in_metric(
    make: Callable[..., ResolvedPhase],
    phase: Phase,
    puzzle: Puzzle,
    metric: Metric,
    allowed: tuple[Move, ...],
) -> ResolvedPhase:
    """Resolve the phase in a metric that gives each move a cost."""
    costs = [metric.cost(move) for move in allowed]
    if min(costs) < 1:
        raise DeclarationError(f"phase {phase.name}: a move costs nothing in {metric.name}")
    # A metric of the view's puzzle, to share tables with the methods of that puzzle.
    alike = (
        each
        for each in puzzle.metrics
        if phase.view and each.counts and costs == [each.cost(move) for move in allowed]
    )
    return make(next(alike, metric), allowed, costs, costs)


def _in_steps(
    make: Callable[..., ResolvedPhase],
    phase: Phase,
    puzzle: Puzzle,
    metric: StepMetric,
    allowed: Sequence[Move],
    every: Iterable[Sequence[Move]],
    fixed: Sequence[tuple[str, str]],
) -> ResolvedPhase:
    """Resolve the phase in a metric of steps.

    `every` lists the moves of each phase of the method. Some coordinates require that all moves
    cost 1 or 2, and that symmetries map each move to a move of the same cost. If the steps of the
    metric do not meet this, the tables use smaller costs and additional moves.
    """
    known = dict.fromkeys(move for moves in every for move in moves)
    steps = metric.of_method(puzzle, tuple(fixed)).steps(tuple(known)).among(allowed)
    if not steps.moves:
        raise UsageError(
            f"the {metric.kind} {metric.name} can make none of the moves of phase {phase.name}"
        )
    if not any(runner_kind(each).alike_costs for each in phase.coordinates):
        unit = gcd(*(cost for state in steps.edges for _, _, cost in state))
        prices = [cost // unit for cost in steps.costs]
        return make(metric, steps.moves, steps.costs, prices, unit, steps, steps.remembers)
    alike = _closed(puzzle, allowed, steps)
    priced = dict(zip(steps.moves, steps.costs, strict=True))
    whole = alike == priced and set(allowed) <= set(alike)
    if whole and max(steps.costs) <= 2 and not steps.remembers:
        return make(metric, steps.moves, steps.costs, steps.costs, 1, steps)
    unit = min(steps.costs)
    # With all allowed moves, tables reach every value, and still hold lower bounds.
    alike.update((move, unit) for move in allowed if move not in alike)
    # Sorted, so that metrics with the same moves share their tables.
    moves = tuple(sorted(alike, key=lambda move: move.name))
    costs = [alike[move] for move in moves]
    prices = [min(cost // unit, 2) for cost in costs]
    return make(metric, moves, costs, prices, unit, steps, remembers=True, scaled=True)


def _closed(puzzle: Puzzle, allowed: Sequence[Move], steps: Steps) -> dict[Move, int]:
    """Return the moves of `steps`, and their images and inverses, with a cost for each.

    An image is the result of applying a symmetry of the puzzle that maps allowed moves to allowed
    moves. An image or inverse of several moves has the lowest of their costs.
    """
    kept = set(allowed)
    images = [
        each
        for each in family_images(puzzle, allowed)
        if {image_of(puzzle, each, move) for move in allowed} == kept
    ]
    found = dict(zip(steps.moves, steps.costs, strict=True))
    for move, cost in zip(steps.moves, steps.costs, strict=True):
        for each in images:
            image = image_of(puzzle, each, move)
            for same in (image, puzzle.inverse(image)):
                found[same] = min(cost, found.get(same, cost))
    return found


def _check_guarded(phase: Phase) -> None:
    """Raise DeclarationError if the phase needs moves that are always possible."""
    if (
        phase.view is not None
        or phase.turned
        or phase.goal_moves
        or phase.goal_turns
        or phase.endings
        or any(each.is_reduced for each in phase.coordinates)
    ):
        raise DeclarationError(
            f"phase {phase.name}: views, goal moves, goal turns, endings and coordinates reduced "
            "by symmetries need a puzzle whose moves are always possible"
        )


@attrs.frozen(eq=False, repr=False)
class Plan:
    """A method of a puzzle, with all choices that its search depends on."""

    #: The puzzle that is solved. A phase with a view searches another puzzle.
    puzzle: Puzzle
    #: The phases in order, with the tables of the chosen profile.
    phases: tuple[Phase, ...]
    #: The metric, which has the costs of moves. It may be a `StepMetric`.
    metric: Metric
    #: Provides tables, and builds missing ones.
    store: TableStore = attrs.field(factory=TableStore)
    #: The heuristic of each phase; by default the one that the phase declares.
    heuristics: tuple[Heuristic, ...] = attrs.field()
    #: The name of the method, for messages and for the records of solutions.
    name: str = ""
    #: The name of the profile of tables; empty if the method has only one.
    profile: str = ""
    #: Places, by orbit, that the phases assume to be solved: see `Method.fixed`.
    fixed: Mapping[str, str] = attrs.field(factory=dict)
    #: Resolves each phase once. All plans of a solver share it.
    resolver: Resolver = attrs.field(factory=Resolver)
    #: Further moves that answers may have: see `Method.moves`.
    moves: str = ""
    #: The goal of the method; None if the method solves the whole puzzle.
    goal: Goal | None = None

    @heuristics.default
    def _declared(self) -> tuple[Heuristic, ...]:
        return tuple(phase.heuristic for phase in self.phases)

    @property
    def admissible(self) -> bool:
        """Whether the estimates of all phases never exceed the true distance."""
        return all(each.admissible for each in self.heuristics)

    @property
    def reads_state(self) -> bool:
        """Whether the heuristic of some phase reads the state."""
        return any(each.reads_state for each in self.heuristics)

    @cached_property
    def heuristic(self) -> str:
        """The heuristics of all phases as one string."""
        return format_heuristics(self.heuristics, self._declared())

    def resolved(self, phase: Phase) -> ResolvedPhase:
        """Return a phase of the plan, or an alternative to a phase, resolved in the metric."""
        return self.resolver.resolve(self.puzzle, phase, self.metric, self.phases, self.fixed)
