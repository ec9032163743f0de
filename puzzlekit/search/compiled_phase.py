"""A phase ready to search: its tables, and its inputs for the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from itertools import accumulate, islice
from typing import TYPE_CHECKING
from weakref import proxy

from puzzlekit.coordinates.programs import rebase
from puzzlekit.engine.automaton import Automaton, commuting_moves
from puzzlekit.engine.inputs import CoordinateInput, HashedInput, JoinInput, TableInput
from puzzlekit.engine.ranks import Carry, Labels, Ranks, Reading
from puzzlekit.engine.search import Search
from puzzlekit.engine.space import Estimator, Space
from puzzlekit.errors import DeclarationError, TableError, UsageError
from puzzlekit.puzzle.move import Effect, Move, act
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.search.directions import Direction, sides
from puzzlekit.search.heuristic import Heuristic, Max
from puzzlekit.search.move_order import Order, move_order
from puzzlekit.search.phase import Phase
from puzzlekit.search.resolved import Plan
from puzzlekit.search.runners import Runner
from puzzlekit.tables.classes import Classes
from puzzlekit.tables.pruning_table import ResolvedTable

if TYPE_CHECKING:
    from puzzlekit.search.estimates import StateEstimates

__all__ = ["CompiledPhase", "carry_bytes", "labels"]


_MOST_CARRIED = 256  # bytes of a state that a search stores at each node


class CompiledPhase:
    """A phase with its tables, loaded or built, and its inputs for the engine: ready to search.

    - `phase`, `resolved`: the declaration of the phase, and its moves in the metric.
    - `moves`, `costs`: the moves of the method's puzzle, as the engine numbers them, and the least
      cost of each.
    - `order`, `automaton`: which moves may follow which.
    - `space`, `space_after`: what the searches of the engine search, and what makes it with another
      automaton, for costs that do not depend on earlier moves.
    - `admissible`: whether the estimate never exceeds the distance.
    - `state_estimates`: what a heuristic that reads the state returns; None for other heuristics.
    - `coordinates`, `tables`, `hashed`, `carry`: inputs of `puzzlekit.engine.space.Space`. If a
      phase has `turned=True`, a search looks up its tables along several axes. These inputs then
      have one copy of each table for each axis, and one copy of each coordinate that a table reads.
    - `carried`: the indices of the bytes of a state from which the carried bytes are made: the
      bytes that a search stores at each node.
    - `reading`: makes the carried bytes from a state.
    """

    def __init__(
        self,
        plan: Plan,
        phase: Phase,
        heuristic: Heuristic | None = None,
        before: CompiledPhase | None = None,
        after: Phase | None = None,
    ) -> None:
        """Load or build the tables of a phase.

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
        # If the costs of one of several connected phases depend on earlier moves, all are searched
        # so.
        remembers = needs.remembers or (later is not None and later.remembers)
        earlier = None if before is None else before.order
        remembers = remembers or (earlier is not None and len(earlier.sources) > 0)
        self.phase = phase
        self.resolved = needs
        order = move_order(needs, earlier, remembers)
        self.order: Order = order
        self.automaton: Automaton = order.automaton
        self.moves: tuple[Move, ...] = needs.as_done(plan.puzzle) * order.times
        self.costs: Sequence[int] = needs.costs * order.times
        self._store = plan.store
        self.sides = self._sides()
        self.carried, self.carry, self.reading = self._carrying(heuristic.reads_state)
        # Pairs of a coordinate and a direction (side). Coordinates that no table reads have one.
        self._seen = [
            (number, side)
            for side in range(len(self.sides))
            for number in range(len(phase.coordinates))
            if side == 0 or number in phase.read
        ]
        self.coordinates = [self._coordinate(number, side) for number, side in self._seen]
        tables = [
            self._table(table, side) for side in range(len(self.sides)) for table in needs.tables
        ]
        self.tables = [each for each in tables if isinstance(each, TableInput)]
        self.hashed = next((each for each in tables if isinstance(each, HashedInput)), None)
        groups = tuple(len(group) for group in phase.groups) * len(self.sides)
        joins = heuristic.changes(len(groups))
        self.admissible = heuristic.admissible or not joins
        join = None
        if joins and not heuristic.reads_state:
            from puzzlekit.search.estimates import group_radix, join_radix, joined_estimates

            radix = group_radix(join_radix(self.tables), groups)
            join = JoinInput(
                radix, joined_estimates(needs.puzzle, heuristic, radix, plan.store).data
            )
        ending, commuting = None, b""
        moves = needs.moves * order.times
        if later is not None and not set(moves) <= set(later.moves):
            ending = bytes(move not in later.moves for move in moves)
            commuting = commuting_moves(order.pairs) if order.pairs else b""

        own = proxy(self)  # in a cycle, the files of tables would stay open until it is collected

        def space(estimator: Estimator | None = None, automaton: Automaton | None = None) -> Space:
            coordinates, tables, sizes = own.coordinates, own.tables, groups
            if estimator is not None:
                # One more coordinate, whose value is the estimate, and a table over it.
                table = TableInput((len(coordinates),), 0, b"", lookup=estimator.table)
                every_value = b"\1" * (1 << 16)
                coordinates = [*coordinates, CoordinateInput(1 << 16, estimator, every_value)]
                tables, sizes = [*tables, table], (*groups, 1)
            return Space(
                order.costs,
                automaton or order.automaton,
                coordinates,
                tables,
                join,
                ending,
                own.carry,
                solved=own.ranks(needs.puzzle.solved) if phase.turned else None,
                commuting=commuting,
                joint=own._joint_tables(),
                hashed=own.hashed,
                unit=needs.unit,
                groups=sizes,
            )

        self.state_estimates: StateEstimates | None = None
        self.space_after = partial(space, None)
        try:
            self.space = space()
            if heuristic.reads_state:
                reads = self._state_estimates(heuristic, self.space, groups)
                width, admissible = len(self.carried), heuristic.admissible
                self.space = space(Estimator(lambda own: reads.of([own])[0], width, admissible))
                self.state_estimates = reads
        except ValueError as error:
            raise TableError(f"{plan.puzzle.name}, phase {phase.name}: {error}") from None

    def start(
        self, search: Search, puzzle: Puzzle, state: bytes, limit: int, parity: int | None = None
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
        values, vector = self.ranks(own), self.vector(own)
        if self.state_estimates is not None:
            values += self.state_estimates.of([own])
        return values, vector

    def _state_estimates(
        self, heuristic: Heuristic, space: Space, groups: Sequence[int]
    ) -> StateEstimates:
        """Return the estimates of a heuristic that reads the state; `space` has none of them."""
        from puzzlekit.search.estimates import StateEstimates

        puzzle = self.resolved.puzzle
        if self.hashed is not None and any(each.is_ranked for each in self.resolved.runners):
            raise UsageError(
                f"phase {self.phase.name} has a hashed table over pieces, so it takes no heuristic "
                f"that reads the state, such as {heuristic}"
            )

        def distances(state: bytes) -> list[int]:
            own = iter(space.distances(self.ranks(state), self.vector(state)))
            return [sum(islice(own, size)) for size in groups]

        found = StateEstimates(heuristic, puzzle, distances)
        found.of([puzzle.solved])  # an error of the heuristic appears here, not in the search
        return found

    def _sides(self) -> list[Direction | None]:
        """Return the directions of a turned phase, or [None] for any other phase."""
        phase, declared = self.resolved, self.phase
        if not declared.turned:
            return [None]
        firsts = {declared.coordinate_numbers(table)[0] for table in declared.pruning_tables}
        needs = phase.tables[0].graph.sym
        if len(firsts) > 1 or needs is None:
            raise DeclarationError(
                f"phase {declared.name}: with turned=True, all tables must begin with the same "
                "sym coordinate"
            )
        alike = Classes(self._store, needs).move_images
        moves = len(phase.moves)
        rows = [alike[at : at + moves] for at in range(0, len(alike), moves)]
        found: dict[bytes, Direction] = {}
        for side in sides(phase.puzzle, phase.moves):
            # Directions that differ by a symmetry of the coordinate give the same values.
            seen = bytes(_columns(side, phase.moves))
            found.setdefault(min(bytes(row[m] for m in seen) for row in rows), side)
        return list(found.values())

    def _carrying(self, whole: bool) -> tuple[list[int], Carry, Reading]:
        """Return the bytes of a state that the search carries, and how moves act on them.

        These are the bytes that ranked coordinates read, and all bytes that moves bring there.
        With `whole`, they are all bytes, for a heuristic that reads the state.
        """
        phase = self.resolved
        ranked = [each for each in phase.runners if each.is_ranked]
        own = next((each for each in ranked if each.coordinate.carried), None)
        if own is not None and whole:
            raise UsageError(
                f"phase {phase.phase.name} takes no heuristic that reads the state, because "
                f"{own.coordinate.name} is not computed from the bytes of a state"
            )
        if own is not None and len(ranked) > 1:
            raise DeclarationError(
                f"phase {phase.phase.name}: beside {own.coordinate.name}, every coordinate of the "
                "phase needs a move table: choose coordinates that are closed under the moves and "
                "small enough for move tables"
            )
        if own is not None and (carried_along := own.carrying()) is not None:
            reads, carry, reading = carried_along
            return list(reads), carry, reading
        for runner in ranked:
            if runner.program is None:
                raise DeclarationError(
                    f"phase {phase.phase.name}: coordinate {runner.coordinate.name} is not "
                    "closed under the moves, or too large for a move table, and the engine "
                    "cannot rank this coordinate: choose another coordinate"
                )
        carried = {j for runner in ranked for j in runner.coordinate.reads}
        carried |= set(range(len(phase.puzzle.solved)) if whole else ())
        while (more := {move.gather[j] for move in phase.moves for j in carried}) - carried:
            carried |= more
        order = sorted(carried)
        carry = carry_bytes(phase.puzzle, phase.moves * self.order.times, order)
        return order, carry, Reading(order)

    def vector(self, state: bytes) -> bytes:
        """Return the carried bytes of a state of the phase's own puzzle."""
        vector = self.reading.read(state)
        if vector is None:
            raise self._undefined(
                next(each for each in self.resolved.runners if each.coordinate.carried)
            )
        return bytes(vector)

    def _coordinate(self, number: int, side: int) -> CoordinateInput:
        """Return the input of the engine for a coordinate in a direction."""
        columns = _columns(self.sides[side], self.resolved.moves)
        runner = self.resolved.runners[number]
        return runner.engine_input(self._store, columns, self.order.times, self.carried)

    def _table(self, table: ResolvedTable, side: int) -> TableInput | HashedInput:
        """Return the input of the engine for a pruning table in a direction."""
        own = self.phase.coordinate_numbers(table.kind)
        numbers = tuple(self._seen.index((number, side)) for number in own)
        return table.engine_input(self._store, numbers)

    def engine_ranks(self, byte_at: dict[int, int] | None = None) -> Ranks:
        """Return the object with which the engine computes the values of all coordinates.

        It computes them from the bytes of a state. With `byte_at`, the engine gets only some bytes
        of the state. Byte j of the state is then at index `byte_at[j]`. The value is -1 for a
        coordinate whose carried bytes are computed from a state, such as a pairing.
        """
        programs: list[tuple[int, ...]] = []
        for runner in self.resolved.runners:
            program = runner.program
            if program is None:
                name = runner.coordinate.name
                raise DeclarationError(f"the engine cannot rank the coordinate {name}")
            programs.append(program if byte_at is None else rebase(program, byte_at))
        return Ranks(programs, [runner.class_of(self._store) for runner in self.resolved.runners])

    @cached_property
    def _values(self) -> list[Callable[[bytes], int]]:
        return [each.valued(self._store, self.reading) for each in self.resolved.runners]

    @cached_property
    def _ranking(self) -> tuple[Ranks, list[int]] | None:
        """What ranks all coordinates in compiled code; None if the engine cannot rank one."""
        every = self.resolved.runners
        if len(self.sides) > 1 or any(r.program is None or r.coordinate.carried for r in every):
            return None
        return self.engine_ranks(), [each.ranked.size for each in every]

    @cached_property
    def _unsure(self) -> list[tuple[int, int]]:
        """The sym coordinates and their values when solved, which unreached values have, too."""
        runners, solved = enumerate(self.resolved.runners), self.resolved.puzzle.solved
        return [(i, self._values[i](solved)) for i, each in runners if each.sym is not None]

    def ranks(self, state: bytes) -> list[int]:
        """Return the engine's values of all coordinates for a state of the phase's own puzzle.

        Raises DeclarationError if a coordinate is not defined for the state.
        """
        if self._ranking is not None:
            ranking, sizes = self._ranking
            known = ranking.values(state, sizes)
            if known is not None and all(known[i] != value for i, value in self._unsure):
                return known
        puzzle = self.resolved.puzzle
        images = [state if side is None else side.see(puzzle, state) for side in self.sides]
        values = []
        for number, side in self._seen:
            value = self._values[number](images[side])
            if value < 0:
                raise self._undefined(self.resolved.runners[number])
            values.append(value)
        return values

    def _undefined(self, runner: Runner) -> DeclarationError:
        return DeclarationError(
            f"phase {self.phase.name} starts at a state where coordinate "
            f"{runner.coordinate.name} is not defined; earlier phases must avoid such states"
        )

    def _joint_tables(self) -> tuple[int, ...]:
        """Return the tables that show which goal values of the coordinates may occur together."""
        needs = self.resolved
        solved = needs.puzzle.solved
        if needs.goal_states and needs.goal_moves:
            changed = [
                each.name
                for each in self.phase.coordinates
                if any(each.rank(state) != each.rank(solved) for state in needs.goal_states)
            ]
            if len(changed) > 1:
                raise DeclarationError(
                    f"phase {self.phase.name} has goal moves, so its goal turns may change only "
                    f"one coordinate, but they change {' and '.join(changed)}"
                )
        if not needs.goal_states or needs.goal_moves:
            return ()
        several = {
            number
            for number, each in enumerate(self.coordinates)
            if isinstance(each.goals, tuple) and len(each.goals) > 1
        }
        joint = [
            t
            for t, table in enumerate(self.tables)
            if table.bits > 2 and several <= set(table.coordinates)
        ]
        if several and not joint:
            raise DeclarationError(
                f"phase {self.phase.name} has several goal states, which are rotations of each "
                "other: declare one pruning table over all coordinates whose values differ at "
                "these goals"
            )
        return tuple(joint[:1])


def _columns(side: Direction | None, moves: Sequence[Move]) -> list[int]:
    """Return for each move the number of its image in a direction."""
    if side is None:
        return list(range(len(moves)))
    seen = {held: image for image, held in side.back.items()}
    return [moves.index(seen[move]) for move in moves]


def carry_bytes(puzzle: Puzzle, moves: Sequence[Move], order: Sequence[int]) -> Carry:
    """Return the action of moves on the bytes of a state whose indices are in `order`.

    The moves must not bring other bytes there.
    """
    if len(order) > _MOST_CARRIED:
        raise DeclarationError(
            f"{puzzle.name}: a search would carry {len(order)} bytes of a state, but at most "
            f"{_MOST_CARRIED} are possible: choose coordinates with move tables, or coordinates of "
            "fewer pieces"
        )
    byte_at = {j: i for i, j in enumerate(order)}
    effects = [
        (bytes(byte_at[move.gather[j]] for j in order), bytes(move.add[j] for j in order))
        for move in moves
    ]
    return Carry(effects, bytes(puzzle.modulus[j] for j in order))


def labels(puzzle: Puzzle, effects: Sequence[Effect]) -> Labels:
    """Return the object with which the engine applies effects before whole states.

    "An effect, then the moves to a state" leads to another state: the same state with renamed
    pieces. If all pieces differ, any effect can be applied, such as premoves. Rotations of the
    whole puzzle can be applied in any case.
    """
    # Where each orbit begins in a table, and the length of the table. An orbit has a byte for each
    # label, and then, if its pieces turn, one for each orientation.
    rooms = ((max(orbit.solved) + 1) * min(orbit.orientations, 2) for orbit in puzzle.orbits)
    *begins, length = accumulate(rooms, initial=0)
    via: list[int] = []
    base: list[int] = []
    for orbit, begin in zip(puzzle.orbits, begins, strict=True):
        own = range(len(via), len(via) + orbit.size)
        via += own
        base += [begin] * orbit.size
        if orbit.orientations > 1:
            via += own
            base += [begin + max(orbit.solved) + 1] * orbit.size
    tables = [_by_label(puzzle, effect, begins, length) for effect in effects]
    return Labels(via, base, list(puzzle.modulus), tables or [bytes(length)])


def _by_label(puzzle: Puzzle, effect: Effect, begins: Sequence[int], length: int) -> bytes:
    """Return the new label and the added orientation of each piece if the effect comes first."""
    moved = act(puzzle.solved, *effect, puzzle.modulus)
    table = bytearray(length)
    for orbit, begin in zip(puzzle.orbits, begins, strict=True):
        parts = [puzzle.labels(moved, orbit)]
        if orbit.orientations > 1:
            parts.append(puzzle.orientations(moved, orbit))
        for part in parts:
            for label, value in dict(zip(orbit.solved, part, strict=True)).items():
                table[begin + label] = value
            begin += max(orbit.solved) + 1
    return bytes(table)
