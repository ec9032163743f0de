"""The inputs of a phase's space: its coordinates and pruning tables, loaded or built."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from puzzlekit.coordinate.programs import rebase
from puzzlekit.engine.inputs import CoordinateInput, HashedInput, TableInput
from puzzlekit.engine.ranks import Carry, Labels, Ranks, Reading
from puzzlekit.errors import DeclarationError
from puzzlekit.prepare.directions import Direction, sides
from puzzlekit.prepare.resolved import ResolvedPhase
from puzzlekit.prepare.runners import Runner
from puzzlekit.puzzle.move import Effect, Move, act
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.store.store import TableStore
from puzzlekit.tables.pruning.pruning_table import ResolvedTable
from puzzlekit.tables.symmetry.classes import Classes

_SPAN = 256  # bytes an orbit takes in a table: labels, and 128 further on their turns


class SpaceInputs:
    """The coordinates and tables of a phase, loaded or built, and how states are ranked.

    `coordinates`, `tables`, `hashed` and `carry` are for `puzzlekit.engine.space.Space`. `carried`
    lists the bytes of a state that are carried along, or of which a pairing is made. `reading`
    makes what is carried along of a whole state. In a turned phase the coordinates that its tables
    read come once for each side, and each table too. The engine takes each move for `times`
    different ones.
    """

    def __init__(self, store: TableStore, phase: ResolvedPhase, times: int = 1) -> None:
        self._phase = phase
        self._times = times
        self._store = store
        declared = phase.phase
        self.sides = self._sides()
        self.carried, self.carry, self.reading = self._carrying()
        # A coordinate and the side from which it is seen; those that no table reads only from one.
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
        """From where the tables see the puzzle: as held, and for a turned phase all other sides."""
        phase, declared = self._phase, self._phase.phase
        if not declared.turned:
            return [None]
        firsts = {declared.coordinate_numbers(table)[0] for table in declared.pruning_tables}
        needs = phase.tables[0].graph.sym
        if len(firsts) > 1 or needs is None:
            raise DeclarationError(
                f"phase {declared.name}: all tables of a turned phase are over one sym coordinate"
            )
        alike = Classes(self._store, needs).move_images
        moves = len(phase.moves)
        rows = [alike[at : at + moves] for at in range(0, len(alike), moves)]
        found: dict[bytes, Direction] = {}
        for side in sides(phase.puzzle, phase.moves):
            # Sides that differ by a symmetry of the coordinate see the same.
            seen = bytes(_columns(side, phase.moves))
            found.setdefault(min(bytes(row[m] for m in seen) for row in rows), side)
        return list(found.values())

    def _carrying(self) -> tuple[list[int], Carry, Reading]:
        """The bytes of a state that the coordinates to be ranked read, and how moves act on them.

        With whatever else moves into their places: all bytes that these moves bring there.
        """
        phase = self._phase
        ranked = [each for each in phase.runners if each.is_ranked]
        own = next((each for each in ranked if each.coordinate.carried), None)
        if own is not None and len(ranked) > 1:
            raise DeclarationError(
                f"phase {phase.phase.name}: next to {own.coordinate.name} no other coordinate can "
                "be ranked: the others have to have move tables"
            )
        if own is not None and (carried_along := own.carrying()) is not None:
            reads, carry, reading = carried_along
            return list(reads), carry, reading
        for runner in ranked:
            if runner.program is None:
                raise DeclarationError(
                    f"phase {phase.phase.name}: coordinate {runner.coordinate.name} is not closed "
                    "under the moves, or too large for a move table, and the engine cannot rank it"
                )
        carried = {j for runner in ranked for j in runner.coordinate.reads}
        while (more := {move.gather[j] for move in phase.moves for j in carried}) - carried:
            carried |= more
        order = sorted(carried)
        carry = carry_bytes(phase.puzzle, phase.moves * self._times, order)
        return order, carry, Reading(order)

    def vector(self, state: bytes) -> bytes:
        """What is carried along of a state of the puzzle that the phase sees."""
        vector = self.reading.read(state)
        if vector is None:
            raise self._undefined(
                next(each for each in self._phase.runners if each.coordinate.carried)
            )
        return bytes(vector)

    def _coordinate(self, number: int, side: int) -> CoordinateInput:
        """A coordinate seen from a side."""
        columns = _columns(self.sides[side], self._phase.moves)
        runner = self._phase.runners[number]
        return runner.engine_input(self._store, columns, self._times, self.carried)

    def _table(self, table: ResolvedTable, side: int) -> TableInput | HashedInput:
        """A pruning table seen from a side, as the engine takes it."""
        own = self._phase.phase.coordinate_numbers(table.kind)
        numbers = tuple(self._seen.index((number, side)) for number in own)
        return table.engine_input(self._store, numbers)

    def engine_ranks(self, byte_at: dict[int, int] | None = None) -> Ranks:
        """How the engine ranks all coordinates on a state, or on the bytes of it that are named.

        A coordinate that is ranked on what is made of them ranks as -1.
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
        """The engine's values of all coordinates, in a state of the puzzle that the phase sees.

        A DeclarationError outside the domain of one of them.
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
            f"phase {self._phase.phase.name} starts where coordinate {runner.coordinate.name} is "
            "not defined: an earlier phase has to see to that"
        )


def _columns(side: Direction | None, moves: Sequence[Move]) -> list[int]:
    """For each move the number of the one that it is, seen from a side."""
    if side is None:
        return list(range(len(moves)))
    seen = {held: image for image, held in side.back.items()}
    return [moves.index(seen[move]) for move in moves]


def carry_bytes(puzzle: Puzzle, moves: Sequence[Move], order: Sequence[int]) -> Carry:
    """How moves act on some bytes of a state; none of them brings in another byte."""
    byte_at = {j: i for i, j in enumerate(order)}
    effects = [
        (bytes(byte_at[move.gather[j]] for j in order), bytes(move.add[j] for j in order))
        for move in moves
    ]
    return Carry(effects, bytes(puzzle.modulus[j] for j in order))


def labels(puzzle: Puzzle, effects: Sequence[Effect]) -> Labels:
    """How some effects are done before whole states, as the engine does it.

    Moves, where all pieces differ, make premoves and images of a state. Rotations of the whole
    puzzle rename its pieces, always.
    """
    via: list[int] = []
    base: list[int] = []
    for number, orbit in enumerate(puzzle.orbits):
        own = range(len(via), len(via) + orbit.size)
        via += own
        base += [_SPAN * number] * orbit.size
        if orbit.orientations > 1:
            via += own
            base += [_SPAN * number + _SPAN // 2] * orbit.size
    tables = [_by_label(puzzle, effect) for effect in effects]
    return Labels(via, base, list(puzzle.modulus), tables or [b"\0"])


def _by_label(puzzle: Puzzle, effect: Effect) -> bytes:
    """What becomes of each piece when a turn is done before the state: its label and its turn."""
    moved = act(puzzle.solved, *effect, puzzle.modulus)
    table = bytearray(_SPAN * len(puzzle.orbits))
    for number, orbit in enumerate(puzzle.orbits):
        labels = puzzle.labels(moved, orbit)
        turns = puzzle.orientations(moved, orbit)
        for place, label in enumerate(orbit.solved):
            table[_SPAN * number + label] = labels[place]
            table[_SPAN * number + _SPAN // 2 + label] = turns[place]
    return bytes(table)
