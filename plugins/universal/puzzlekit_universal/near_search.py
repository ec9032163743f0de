"""Search one bound from both ends: forward from the state, and backward from the goal.

The number of nodes is known before the search, because it does not depend on the pruning tables.
For most states the tables prune far more. But if a state has a short answer and the tables return
small distances all around it, as for states of a subgroup, this search is the faster one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any

import attrs

from puzzlekit import Heuristic, Limits, Move, Phase, Puzzle
from puzzlekit.engine.automaton import Automaton, canonical_sequences, redundancy_automaton
from puzzlekit.engine.fill import COMPILED
from puzzlekit.engine.statuses import EXHAUSTED, FOUND
from puzzlekit.puzzle.move import invert
from puzzlekit.search.budget import Budget
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.move_order import pairs_of
from puzzlekit.search.parity import known_at_goal
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.bounds import BoundTask, BoundWork, CountedSearch
from puzzlekit.search.strategies.candidate import Candidate, Counts, HowFound, PhaseMoves
from puzzlekit.search.strategies.short_answers import ShortAnswers
from puzzlekit.search.strategies.strategy import Strategy, length_limit
from puzzlekit.tables.memory import available_memory
from puzzlekit_universal.engine.near import MOST_RADIUS, NearMoves, NearSearch, NearTable

__all__ = ["FromBothEnds", "NearStates", "fits_codes", "has_one_goal", "near_states"]

_MOST_MEMORY = 1 << 30  # bytes of a table
_SHARE = 8  # a table takes at most an eighth of the free memory
_KEPT = 1 << 26  # bytes of the largest table that is kept for the next state
_FARTHEST = 40  # the search of a larger bound would never end
_FEW_NODES = 8_000_000  # for answers of a few moves without tables: about a second


class FromBothEnds:
    """The service "bidirectional" of this plugin."""

    @staticmethod
    def search(
        puzzle: Puzzle, phase: CompiledPhase
    ) -> Callable[[Sequence[bytes]], NearBound] | None:
        """Return what makes the search of a state; None if the phase cannot be searched so."""
        near = near_states(puzzle, phase)
        return None if near is None else near.bounds

    @staticmethod
    def few_moves() -> FewMoves:
        """Return a strategy that finds answers of a few moves."""
        return FewMoves()


def near_states(puzzle: Puzzle, phase: CompiledPhase) -> NearStates | None:
    """Return the states near the goal of a phase; None if a search from both ends cannot be used.

    It needs a goal of one state, and moves that can be done backwards in every state.
    """
    if not fits_codes(puzzle) or not has_one_goal(puzzle, phase):
        return None
    known = frozenset(known_at_goal(phase.phase.coordinates))
    return NearStates(puzzle, phase.moves, phase.costs, phase.automaton, known)


def has_one_goal(puzzle: Puzzle, phase: CompiledPhase) -> bool:
    """Whether a phase ends at one state, as far as its moves change it, and has no guards."""
    declared = phase.phase
    if puzzle.restricted or phase.resolved.remembers:
        return False
    if declared.goal_moves or declared.goal_turns or declared.renamings or declared.view:
        return False
    changed = {byte for move in phase.moves for byte in move.changed}
    return changed <= known_at_goal(declared.coordinates)


def fits_codes(puzzle: Puzzle) -> bool:
    """Whether a byte can say which piece is at a place, and how it is turned."""
    orbits = puzzle.orbits
    return all((max(each.solved) + 1) * each.orientations <= 256 for each in orbits)


class NearStates:
    """The states near a goal. The searches of all states share them.

    - `moves`, `costs`: the moves of the search, and the cost of each.
    - `automaton`: which moves may follow which; None if the costs do not depend on earlier moves
      and no other sequences are left out than redundant ones.
    - `known`: the bytes of a state that equal those of the solved state at the goal; None for all.
    - `kept`: bytes of the largest table that is kept for the next state.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        moves: Sequence[Move],
        costs: Sequence[int],
        automaton: Automaton | None = None,
        known: frozenset[int] | None = None,
        kept: int = _KEPT,
    ) -> None:
        self.puzzle = puzzle
        self.moves = moves
        self.costs = costs
        self._automaton = automaton
        self._known = frozenset(range(len(puzzle.solved))) if known is None else known
        self._changed = frozenset(byte for move in moves for byte in move.changed)
        self._keeps = kept
        self._table: NearTable | None = None

    @property
    def kept(self) -> NearTable | None:
        """A table that is filled, for the next state."""
        return self._table

    @kept.setter
    def kept(self, table: NearTable) -> None:
        if table.nbytes <= self._keeps:
            self._table = table

    def bounds(self, starts: Sequence[bytes]) -> NearBound:
        """Return the search of a state from all its namings."""
        return NearBound(self, [start for start in starts if not self._is_apart(start)])

    def _is_apart(self, state: bytes) -> bool:
        """Whether a piece that no move changes is not at its goal."""
        solved = self.puzzle.solved
        return any(state[byte] != solved[byte] for byte in self._known - self._changed)

    @cached_property
    def _places(self) -> list[tuple[int, int, int]]:
        """For each place that changes: its label's byte, its orientation's byte, their number.

        The number is that of the orientations. If it is 1, there is no byte of an orientation.
        """
        found = []
        for orbit in self.puzzle.orbits:
            first = self.puzzle.offsets[orbit.name]
            for label in range(first, first + orbit.size):
                turn = label + (orbit.size if orbit.orientations > 1 else 0)
                if self._changed & {label, turn}:
                    found.append((label, turn, orbit.orientations))
        return found

    def codes(self, state: bytes) -> bytes:
        """Return a byte for each place that changes: which piece is there, and how it is turned."""
        return bytes(
            state[label] * turns + (state[turn] if turns > 1 else 0)
            for label, turn, turns in self._places
        )

    @cached_property
    def goal(self) -> bytes:
        """The codes of the goal."""
        return self.codes(self.puzzle.solved)

    @cached_property
    def forward(self) -> NearMoves:
        """The moves of the phase."""
        return NearMoves(*self.inputs(*self.directions[0]))

    @cached_property
    def directions(self) -> tuple[tuple[Sequence[Move], Automaton], ...]:
        """The moves and their automaton: as they are, and backwards."""
        modulus, moves, costs = self.puzzle.modulus, self.moves, self.costs
        undone = [invert(move.effect, modulus) for move in moves]
        back = [
            attrs.evolve(move, gather=gather, add=add)
            for move, (gather, add) in zip(moves, undone, strict=True)
        ]
        pairs = pairs_of(self.puzzle, moves, costs)
        # Moves undone in turn are pruned as the same moves are in the opposite order.
        behind = redundancy_automaton(list(map(list, zip(*pairs, strict=True))))
        return (moves, self._automaton or redundancy_automaton(pairs)), (back, behind)

    def inputs(self, moves: Sequence[Move], automaton: Automaton) -> tuple[Any, ...]:
        """Return the arguments of `NearMoves`."""
        number = {label: place for place, (label, _, _) in enumerate(self._places)}
        tables = {(1, 0): 0}  # by the number of orientations, and the one that is added
        changes = []
        for move in moves:
            rows = []
            for place, (label, turn, turns) in enumerate(self._places):
                added = move.add[turn] if turns > 1 else 0
                source = number[move.gather[label]]
                if source != place or added:
                    key = (turns, added) if added else (1, 0)
                    rows.append((place, source, tables.setdefault(key, len(tables))))
            changes.append(rows)
        turned = b"".join(
            bytes((code - code % n + (code % n + added) % n) & 255 for code in range(256))
            for n, added in tables
        )
        return len(self._places), changes, turned, list(self.costs), automaton

    @cached_property
    def _ahead(self) -> list[int]:
        """The numbers of canonical sequences of at most each cost."""
        counts = canonical_sequences(self.directions[0][1], _FARTHEST, self.costs)
        return list(accumulate(counts))

    @cached_property
    def _behind(self) -> list[int]:
        """The same for sequences of moves backwards, for each radius of a table that fits."""
        counts = canonical_sequences(self.directions[1][1], MOST_RADIUS, self.costs)
        free = available_memory()
        most = _KEPT if free is None else min(_MOST_MEMORY, free // _SHARE)
        goal, *more = accumulate(counts)
        return [goal, *(count for count in more if _nbytes(count) <= most)]

    def best(self, bound: int, filled: int) -> tuple[int, int]:
        """Return the number of nodes to search a bound, and the radius with which they are least.

        `filled` is the radius of a table that is there; -1 if there is none. The nodes include
        those that fill another table.
        """
        if bound <= filled or bound > _FARTHEST:
            return (self._ahead[0], filled) if bound <= filled else (1 << 62, 0)
        choices = []
        for radius, nodes in enumerate(self._behind[: bound + 1]):
            if radius >= filled:
                filling = 0 if radius == filled else nodes
                choices.append((filling + self._ahead[bound - radius], radius))
        return min(choices)

    def radius(self, sequences: int) -> int:
        """Return the largest radius of a table that at most so many sequences of moves fill."""
        return max(r for r, count in enumerate(self._behind) if r == 0 or count <= sequences)

    def filling(self, radius: int) -> tuple[NearTable, NearSearch]:
        """Return a new table, and the search that fills it."""
        table = NearTable(radius, self._behind[radius])
        back = NearMoves(*self.inputs(*self.directions[1]))
        search = NearSearch(back, table, self.goal)
        search.fill()
        return table, search


def _nbytes(states: int) -> int:
    """Return the number of bytes of a table with room for some states."""
    return 2 * max(32, 1 << (2 * states - 1).bit_length())


class NearBound(CountedSearch):
    """Searches bounds of one state from both ends."""

    def __init__(self, near: NearStates, starts: Sequence[bytes]) -> None:
        self._near = near
        self._starts = starts
        self._table = near.kept
        self._least = 0  # the radius of the next table, at least

    def aim(self, bound: int) -> None:
        """Fill the next table for this bound, since all bounds up to it are to be searched."""
        self._least = self._best(bound)[1]

    def estimate(self) -> int:
        """Return 0: without a table of distances, nothing is known."""
        return 0

    def nodes(self, bound: int) -> int:
        """Return the number of nodes that the search of a bound takes."""
        return self._best(bound)[0] * max(len(self._starts), 1)

    def _best(self, bound: int) -> tuple[int, int]:
        return self._near.best(bound, -1 if self._table is None else self._table.radius)

    def search(self, task: BoundTask, work: BoundWork) -> Iterator[list[int]]:
        """Yield answers that cost exactly the bound, as indices of the moves of the phase."""
        near, table = self._near, self._table
        budget = Budget(task.limits, task.budget)
        wanted = max(self.nodes(task.bound), 1)
        before = 0, 0

        def run(search: NearSearch) -> int:
            def look() -> None:
                work.generated = before[0] + search.generated_nodes
                work.expanded = before[1] + search.expanded_nodes
                work.share = min(work.generated / wanted, 1.0)
                if work.tell is not None:
                    work.tell()

            status = budget.run(search, look)
            look()
            return status

        radius = max(self._best(task.bound)[1], self._least)
        if table is None or table.radius != radius:
            table, search = near.filling(radius)
            if run(search) != EXHAUSTED:
                return
            before = work.generated, work.expanded
            self._table = table
            near.kept = table
        search = NearSearch(near.forward, table, near.goal)
        for start in self._starts:
            search.start(near.codes(start), 0, task.bound)
            while (status := run(search)) == FOUND:
                work.finished = not task.everything
                yield search.path
            if status != EXHAUSTED:
                return
        work.finished = True
        work.further = 0  # unknown


class FewMoves(Strategy):
    """Finds shortest answers of a few moves without tables, in about a second.

    >>> import puzzlekit
    >>> solver = puzzlekit.load("cube4")
    >>> few = FewMoves().prepared(solver.choose().plan)
    >>> [move.name for move in few.answer(solver.state("R U2 Fw'"), puzzlekit.Limits()).moves]
    ['Fw', 'U2', "R'"]
    """

    needs_coordinates = False

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Accept all phases, because only the moves of the first one count."""

    def searched(self, plan: Plan) -> Iterator[tuple[Plan, Phase, Heuristic]]:
        """Yield nothing, because no tables are needed."""
        yield from ()

    def prepare(self, plan: Plan) -> None:
        """Prepare the search; the phases need nothing."""
        self.phases = []
        first = plan.resolved(plan.phases[0])
        moves = first.as_done(self.puzzle)
        fits = fits_codes(self.puzzle) and min(first.costs, default=0) > 0
        self._near: NearStates | None = None
        if fits and ShortAnswers(self.puzzle, moves, self.metric).proven_cost:
            self._near = NearStates(self.puzzle, moves, first.costs)

    @property
    def no_counts(self) -> Counts:
        """The numbers of nodes before any search: zeros for each phase."""
        return ((0, 0),) * len(self.plan.phases)

    def answer(self, state: bytes, limits: Limits) -> Candidate | None:
        """Return a shortest answer; None if none is found."""
        near, generated, expanded = self._near, 0, 0
        most = _FEW_NODES if COMPILED else _FEW_NODES // 100
        if near is None:
            return None
        held, budget = self.puzzle.whole_rotations, Budget(limits)
        search = near.bounds(list(dict.fromkeys(self.puzzle.relabel(state, way) for way in held)))
        for bound in range(min(length_limit(limits), _FARTHEST) + 1):
            nodes = search.nodes(bound)
            if generated + nodes > most:
                break
            work = BoundWork()
            path = next(search.search(BoundTask(bound, nodes, budget), work), None)
            generated += work.generated
            expanded += work.expanded
            if path is not None:
                last = len(self.no_counts) - 1
                moves = tuple(near.moves[number] for number in path)
                found = PhaseMoves(last, moves, HowFound(directly=True))
                counts = (*self.no_counts[:last], (generated, expanded))
                return self.candidate([found], True, counts, shortest=(last,))
            if not work.finished:
                break
        return None

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield the answer, if there is one."""
        found = self.answer(state, limits)
        yield found or Candidate(None, False, self.no_counts)
