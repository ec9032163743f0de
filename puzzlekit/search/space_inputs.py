"""The inputs of a phase's space: its coordinates and pruning tables, loaded or built."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import accumulate

from puzzlekit.coordinates.programs import rebase
from puzzlekit.engine.inputs import CoordinateInput, HashedInput, TableInput
from puzzlekit.engine.ranks import Carry, Labels, Ranks, Reading
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Effect, Move, act
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.search.directions import Direction, sides
from puzzlekit.search.resolved import ResolvedPhase
from puzzlekit.search.runners import Runner
from puzzlekit.tables.classes import Classes
from puzzlekit.tables.pruning_table import ResolvedTable
from puzzlekit.tables.store import TableStore

_MOST_CARRIED = 256  # bytes of a state that a search stores at each node


class SpaceInputs:
    """Loads or builds the tables of a phase, and makes the inputs of the engine.

    - `coordinates`, `tables`, `hashed`, `carry`: inputs of `puzzlekit.engine.space.Space`. If a
      phase has `turned=True`, a search looks up its tables along several axes. These inputs then
      have one copy of each table for each axis, and one copy of each coordinate that a table reads.
    - `carried`: the indices of the bytes of a state from which the carried bytes are made: the
      bytes that a search stores at each node.
    - `reading`: makes the carried bytes from a state.

    Each move has `times` indices in the engine.
    """

    def __init__(self, store: TableStore, phase: ResolvedPhase, times: int = 1) -> None:
        self._phase = phase
        self._times = times
        self._store = store
        declared = phase.phase
        self.sides = self._sides()
        self.carried, self.carry, self.reading = self._carrying()
        # Pairs of a coordinate and a direction (side). Coordinates that no table reads have one.
        self._seen = [
            (number, side)
            for side in range(len(self.sides))
            for number in range(len(declared.coordinates))
            if side == 0 or number in declared.read
        ]
        self.coordinates = [self._coordinate(number, side) for number, side in self._seen]
        tables = [
            self._table(table, side) for side in range(len(self.sides)) for table in phase.tables
        ]
        self.tables = [each for each in tables if isinstance(each, TableInput)]
        self.hashed = next((each for each in tables if isinstance(each, HashedInput)), None)

    def _sides(self) -> list[Direction | None]:
        """Return the directions of a turned phase, or [None] for any other phase."""
        phase, declared = self._phase, self._phase.phase
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

    def _carrying(self) -> tuple[list[int], Carry, Reading]:
        """Return the bytes of a state that the search carries, and how moves act on them.

        These are the bytes that ranked coordinates read, and all bytes that moves bring there.
        """
        phase = self._phase
        ranked = [each for each in phase.runners if each.is_ranked]
        own = next((each for each in ranked if each.coordinate.carried), None)
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
        while (more := {move.gather[j] for move in phase.moves for j in carried}) - carried:
            carried |= more
        order = sorted(carried)
        carry = carry_bytes(phase.puzzle, phase.moves * self._times, order)
        return order, carry, Reading(order)

    def vector(self, state: bytes) -> bytes:
        """Return the carried bytes of a state of the phase's own puzzle."""
        vector = self.reading.read(state)
        if vector is None:
            raise self._undefined(
                next(each for each in self._phase.runners if each.coordinate.carried)
            )
        return bytes(vector)

    def _coordinate(self, number: int, side: int) -> CoordinateInput:
        """Return the input of the engine for a coordinate in a direction."""
        columns = _columns(self.sides[side], self._phase.moves)
        runner = self._phase.runners[number]
        return runner.engine_input(self._store, columns, self._times, self.carried)

    def _table(self, table: ResolvedTable, side: int) -> TableInput | HashedInput:
        """Return the input of the engine for a pruning table in a direction."""
        own = self._phase.phase.coordinate_numbers(table.kind)
        numbers = tuple(self._seen.index((number, side)) for number in own)
        return table.engine_input(self._store, numbers)

    def engine_ranks(self, byte_at: dict[int, int] | None = None) -> Ranks:
        """Return the object with which the engine computes the values of all coordinates.

        It computes them from the bytes of a state. With `byte_at`, the engine gets only some bytes
        of the state. Byte j of the state is then at index `byte_at[j]`. The value is -1 for a
        coordinate whose carried bytes are computed from a state, such as a pairing.
        """
        programs: list[tuple[int, ...]] = []
        for runner in self._phase.runners:
            program = runner.program
            if program is None:
                name = runner.coordinate.name
                raise DeclarationError(f"the engine cannot rank the coordinate {name}")
            programs.append(program if byte_at is None else rebase(program, byte_at))
        return Ranks(programs, [runner.class_of(self._store) for runner in self._phase.runners])

    @cached_property
    def _values(self) -> list[Callable[[bytes], int]]:
        return [each.valued(self._store, self.reading) for each in self._phase.runners]

    def ranks(self, state: bytes) -> list[int]:
        """Return the engine's values of all coordinates for a state of the phase's own puzzle.

        Raises DeclarationError if a coordinate is not defined for the state.
        """
        puzzle = self._phase.puzzle
        images = [state if side is None else side.see(puzzle, state) for side in self.sides]
        values = []
        for number, side in self._seen:
            value = self._values[number](images[side])
            if value < 0:
                raise self._undefined(self._phase.runners[number])
            values.append(value)
        return values

    def _undefined(self, runner: Runner) -> DeclarationError:
        return DeclarationError(
            f"phase {self._phase.phase.name} starts at a state where coordinate "
            f"{runner.coordinate.name} is not defined; earlier phases must avoid such states"
        )


def _columns(side: Direction | None, moves: Sequence[Move]) -> list[int]:
    """Return for each move the number of its image in a direction."""
    if side is None:
        return list(range(len(moves)))
    seen = {held: image for image, held in side.back.items()}
    return [moves.index(seen[move]) for move in moves]


def bytes_behind(moves: Sequence[Move], wanted: Iterable[int]) -> list[int]:
    """Return the sorted indices of bytes of a state: `wanted`, and those that moves bring there."""
    found: set[int] = set()
    new = set(wanted)
    while new:
        found |= new
        new = {move.gather[j] for move in moves for j in new} - found
    return sorted(found)


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
    *begins, length = _begins(puzzle)
    via: list[int] = []
    base: list[int] = []
    for orbit, begin in zip(puzzle.orbits, begins, strict=True):
        own = range(len(via), len(via) + orbit.size)
        via += own
        base += [begin] * orbit.size
        if orbit.orientations > 1:
            via += own
            base += [begin + max(orbit.solved) + 1] * orbit.size
    tables = [_by_label(puzzle, effect) for effect in effects]
    return Labels(via, base, list(puzzle.modulus), tables or [bytes(length)])


def _by_label(puzzle: Puzzle, effect: Effect) -> bytes:
    """Return the new label and the added orientation of each piece if the effect comes first."""
    moved = act(puzzle.solved, *effect, puzzle.modulus)
    *begins, length = _begins(puzzle)
    table = bytearray(length)
    for orbit, begin in zip(puzzle.orbits, begins, strict=True):
        labels = puzzle.labels(moved, orbit)
        turns = puzzle.orientations(moved, orbit)
        for place, label in enumerate(orbit.solved):
            table[begin + label] = labels[place]
            if orbit.orientations > 1:
                table[begin + max(orbit.solved) + 1 + label] = turns[place]
    return bytes(table)


def _begins(puzzle: Puzzle) -> list[int]:
    """Return where each orbit begins in a table, and the length of the table.

    An orbit has a byte for each label, and then, if its pieces turn, one for each orientation.
    """
    rooms = ((max(orbit.solved) + 1) * min(orbit.orientations, 2) for orbit in puzzle.orbits)
    return list(accumulate(rooms, initial=0))
