"""What a phase needs in one metric: its moves, their costs, and the tables that it takes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import gcd, prod
from typing import TYPE_CHECKING

from puzzlekit.coordinate.coordinate import Coordinate
from puzzlekit.coordinate.sym_pairing import SymPairing
from puzzlekit.coordinate.symmetric import SymCoordinate
from puzzlekit.errors import DeclarationError, NotationError, UsageError
from puzzlekit.phase.additive_groups import check_groups
from puzzlekit.phase.phase import Phase
from puzzlekit.prepare.plan import Plan
from puzzlekit.puzzle.machine import Machine
from puzzlekit.puzzle.metric import Metric
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.store.table import TableKey
from puzzlekit.tables.goals import goals_key
from puzzlekit.tables.move_table import is_tabulated, move_table_key
from puzzlekit.tables.pruning.distance_graph import DistanceGraph
from puzzlekit.tables.pruning.pruning_table import PruningTable, ResolvedTable
from puzzlekit.tables.symmetry.classes import SymNeeds
from puzzlekit.tables.symmetry.pairing_classes import PairingNeeds

if TYPE_CHECKING:
    from puzzlekit.engine.transitions import Edge
    from puzzlekit.prepare.machine_automaton import Steps

_MOST_DISTANCES = 3 << 24  # worked out for one table, over all states of a metric with memory


class PhaseNeeds:
    """What a phase is assembled from, in one metric: its moves and the tables that it takes.

    `puzzle` is the one whose moves and coordinates they are: what the phase's view sees, if it has
    one. `goal_states`: see `DistanceGraph`. A machine has to
    know the `plan` that the phase is of. Its `steps` are then the moves; where it `remembers`,
    their costs depend on what was done before, or are none that tables can be built with. Tables
    are built with `prices`, none of which, times `unit`, is more than the cost.
    """

    def __init__(
        self, puzzle: Puzzle, phase: Phase, metric: Metric, plan: Plan | None = None
    ) -> None:
        self.phase = phase
        self.puzzle = puzzle if phase.view is None else phase.view.puzzle
        try:
            self.moves = phase.allowed(self.puzzle)
            self.goal_moves = phase.kept(self.puzzle)
            self.goal_states = phase.goal_states(self.puzzle)
        except NotationError as error:
            raise DeclarationError(f"phase {phase.name}: its moves: {error}") from None
        if missing := {move.family for move in self.moves} - set(puzzle.families):
            raise DeclarationError(
                f"phase {phase.name}: {puzzle.name} has no moves {' '.join(sorted(missing))}, "
                f"which its view as {self.puzzle.name} asks for"
            )
        if self.puzzle.guard is not None:
            self._check_guarded()
        self.steps: Steps | None = None
        self.remembers = False
        self.unit = 1
        self._scaled = False  # whether tables are over less than the metric's costs
        if isinstance(metric, Machine):
            self.metric: Metric = metric
            self._set_steps(metric, plan)
            check_groups(phase, self.moves, None)
            return
        check_groups(phase, self.moves, self.puzzle.guarded)
        self.costs = self.prices = [metric.cost(move) for move in self.moves]
        if min(self.costs) < 1:
            raise DeclarationError(f"phase {phase.name}: a move costs nothing in {metric.name}")
        # Tables of the puzzle that is seen are shared with its own methods.
        alike = (
            each
            for each in self.puzzle.metrics
            if phase.view
            and not isinstance(each, Machine)
            and self.costs == [each.cost(move) for move in self.moves]
        )
        self.metric = next(alike, metric)

    def _set_steps(self, machine: Machine, plan: Plan | None) -> None:
        """The moves and costs of a machine.

        Sym coordinates want moves that symmetries carry to each other at the same cost, 1 or 2: if
        need be tables are over less than the costs, and over more moves than there are.
        """
        from puzzlekit.prepare.machine_automaton import closed, drive

        if self.phase.view is not None:
            raise UsageError(
                f"phase {self.phase.name} is seen as another puzzle: it has no machines"
            )
        allowed = self.moves
        # A phase may start however the puzzle is held after the phases before it.
        phases = plan.phases if plan is not None else (self.phase,)
        every = dict.fromkeys(move for phase in phases for move in phase.allowed(self.puzzle))
        fixed = tuple(plan.fixed.items()) if plan is not None else ()
        steps = drive(self.puzzle, machine, fixed).steps(tuple(every)).among(allowed)
        if not steps.moves:
            raise UsageError(
                f"the machine {machine.name} can do none of the moves of phase {self.phase.name}"
            )
        self.steps = steps
        self.remembers = steps.remembers
        self.moves, self.costs = steps.moves, steps.costs
        if not any(isinstance(each, SymCoordinate) for each in self.phase.coordinates):
            self.unit = gcd(*(cost for state in steps.edges for _, _, cost in state))
            self.prices = [cost // self.unit for cost in self.costs]
            return
        self.prices = self.costs
        alike = closed(self.puzzle, allowed, steps)
        priced = dict(zip(steps.moves, steps.costs, strict=True))
        whole = alike == priced and set(allowed) <= set(alike)
        if not whole or max(self.costs) > 2 or steps.remembers:
            self.remembers = self._scaled = True
            self.unit = min(self.costs)
            # With all that is allowed tables reach every value, and tell no more than is true.
            alike.update((move, self.unit) for move in allowed if move not in alike)
            # In one order, so that machines that can do the same moves share their tables.
            self.moves = tuple(sorted(alike, key=lambda move: move.name))
            self.costs = [alike[move] for move in self.moves]
            self.prices = [min(cost // self.unit, 2) for cost in self.costs]

    def _check_guarded(self) -> None:
        """A DeclarationError for what is only for moves that are always possible."""
        phase = self.phase
        special = (SymCoordinate, SymPairing)
        if (
            phase.view is not None
            or phase.turned
            or phase.goal_moves
            or phase.goal_turns
            or phase.endings
            or any(isinstance(each, special) for each in phase.coordinates)
        ):
            raise DeclarationError(
                f"phase {phase.name}: views, goal moves and turns, endings and coordinates reduced "
                "by symmetries are for puzzles whose moves are always possible"
            )

    @cached_property
    def places(self) -> list[list[Edge]]:
        """Which moves lead from each place of the guarding piece where, at which price.

        As an automaton (see `puzzlekit.engine.transitions`); empty where moves have no guard.
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
        """The places at which the guarding piece may be at the goal; empty where there is none.

        As far as the coordinates tell.
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
        """The automaton that a pruning table over some coordinates is over, if any.

        In a metric with memory it is that of the metric, and that of the places where moves have a
        guard; unless this makes too much of the table.
        """
        if self.places:
            whole = len(self.places) * prod(each.size for each in parts)
            return self.places if whole <= _MOST_DISTANCES else []
        if self.steps is None or not self.remembers or self._scaled:
            return []
        edges = self.steps.edges
        if len(edges) * prod(each.size for each in parts) > _MOST_DISTANCES:
            return []
        return [[(move, to, cost // self.unit) for move, to, cost in own] for own in edges]

    def pruning(self, table: PruningTable) -> ResolvedTable:
        """A pruning table in this metric."""
        numbers = self.phase.coordinate_numbers(table)
        parts = [self.phase.coordinates[number] for number in numbers]
        graph = DistanceGraph(
            coordinates=parts,
            moves=self.moves,
            costs=self.prices,
            metric=self._counted,
            goal_moves=self.goal_moves,
            goal_states=self.goal_states,
            partners=self.phase.partners(parts[0]),
            edges=self._edges(parts),
            goal_places=self.goal_places,
            large=self._large,
        )
        return ResolvedTable(table, graph)

    @property
    def _counted(self) -> str:
        """What tables count, as part of their names.

        Machines of one's own share tables, whatever they are called.
        """
        own = not self.metric.counts and self.metric not in self.puzzle.metrics
        return "steps" if own or self._scaled else self.metric.name

    @property
    def _large(self) -> bool:
        """Whether distances may be too large for 4 bits: those over the steps of a machine."""
        differing = self.remembers or max(self.prices) > 1
        return self.steps is not None and not self._scaled and differing

    def pairing(self, coordinate: Coordinate) -> PairingNeeds | None:
        """What a pairing reduced by symmetries needs; None for another coordinate."""
        if not isinstance(coordinate, SymPairing):
            return None
        for table in self.phase.pruning_tables:
            needs = self.pruning(table).graph.pairing
            if table.in_estimate and needs is not None and needs.coordinate is coordinate:
                return needs
        return PairingNeeds(coordinate, self.moves, self.prices)

    def sym(self, coordinate: Coordinate) -> SymNeeds | None:
        """What a sym coordinate needs; None for another."""
        if not isinstance(coordinate, SymCoordinate):
            return None
        partners = self.phase.partners(coordinate)
        return SymNeeds(coordinate, partners, self.moves, self.prices, self.goal_moves)

    def is_ranked(self, coordinate: Coordinate) -> bool:
        """Whether a coordinate is ranked in the search, for want of a move table or a use of it.

        One that no table reads is only looked at where all others are at a goal, and then has no
        move table; but next to a pairing nothing else is ranked.
        """
        if isinstance(coordinate, SymCoordinate):
            return False
        if isinstance(coordinate, SymPairing) or not is_tabulated(coordinate, self.moves):
            return True
        unread = self.phase.coordinates.index(coordinate) not in self.phase.read
        if any(isinstance(each, SymPairing) for each in self.phase.coordinates):
            return False
        return unread and coordinate.engine_program is not None

    def table_keys(self) -> tuple[list[TableKey], list[TableKey]]:
        """The keys of the tables of single coordinates, and those of the pruning tables."""
        simple = []
        for coordinate in self.phase.coordinates:
            if (sym := self.sym(coordinate)) is not None:
                simple += sym.keys()
                continue
            if (pairing := self.pairing(coordinate)) is not None:
                simple += pairing.keys()
                continue
            if not self.is_ranked(coordinate):
                simple.append(move_table_key(coordinate, self.moves))
            if self.goal_moves:
                simple.append(goals_key(coordinate, self.goal_moves, self.goal_states))
        tables = [self.pruning(table) for table in self.phase.pruning_tables]
        for table in tables:
            simple += table.kind.further_keys(table.graph)
        return simple, [table.key for table in tables]

    def as_done(self, puzzle: Puzzle) -> tuple[Move, ...]:
        """The moves as they are done to the method's puzzle."""
        if self.puzzle is puzzle:
            return self.moves
        return tuple(puzzle.move(move.family, move.amount) for move in self.moves)
