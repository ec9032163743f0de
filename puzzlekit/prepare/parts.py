"""The parts of a phase's space: coordinates and pruning tables as the engine takes them."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from puzzlekit.coordinate.coordinate import Coordinate
from puzzlekit.coordinate.programs import NO_PROGRAM, rebase
from puzzlekit.coordinate.sym_pairing import SymPairing
from puzzlekit.coordinate.symmetric import SymCoordinate
from puzzlekit.engine.inputs import CoordinateInput, HashedInput, TableInput
from puzzlekit.engine.ranks import Carry, Ranks, Reading, rank
from puzzlekit.engine.space import Sym
from puzzlekit.errors import DeclarationError
from puzzlekit.prepare.directions import Direction, sides
from puzzlekit.prepare.needs import PhaseNeeds
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.store.store import TableStore
from puzzlekit.tables.goals import goals
from puzzlekit.tables.move_table import move_table
from puzzlekit.tables.symmetry.classes import Classes
from puzzlekit.tables.symmetry.pairing_classes import PairingClasses


class Parts:
    """The coordinates and tables of a phase, loaded or built, and how states are ranked.

    `coordinates` and `tables` are what `puzzlekit.engine.space.Space` takes, and so is `carry`;
    `carried` lists the bytes of a state that are carried along, or of which a pairing is made, and
    `reading` makes what is carried along of a whole state. In a turned phase the coordinates that
    its tables read come once for each side, and each table too. `hashed` is the hashed table, if
    there is one, which is not among the `tables`. The engine takes each move for so many `times`
    different ones.
    """

    def __init__(self, store: TableStore, needs: PhaseNeeds, times: int = 1) -> None:
        self._needs = needs
        self._times = times
        self._store = store
        phase = needs.phase
        self._classes = [
            None if sym is None else Classes(store, sym)
            for sym in map(needs.sym, phase.coordinates)
        ]
        self.sides = self._sides()
        self._pairings = [
            None if each is None else PairingClasses(store, each)
            for each in map(needs.pairing, phase.coordinates)
        ]
        self.carried, self.carry = self._carry()
        self.reading = self._reading()
        # A coordinate and the side from which it is seen; those that no table reads only from one.
        self._seen = [
            (number, side)
            for side in range(len(self.sides))
            for number in range(len(phase.coordinates))
            if side == 0 or number in phase.read
        ]
        self.coordinates = [self._coordinate(number, side) for number, side in self._seen]
        self.tables = [table for side in range(len(self.sides)) for table in self._tables(side)]
        self.hashed = self._hashed()

    def _sides(self) -> list[Direction | None]:
        """From where the tables see the puzzle: as held, and for a turned phase all other sides."""
        needs, phase = self._needs, self._needs.phase
        if not phase.turned:
            return [None]
        firsts = {phase.coordinate_numbers(table)[0] for table in phase.pruning_tables}
        classes = self._classes[firsts.pop()] if len(firsts) == 1 else None
        if classes is None:
            raise DeclarationError(
                f"phase {phase.name}: all tables of a turned phase are over one sym coordinate"
            )
        alike = classes.move_images
        moves = len(needs.moves)
        rows = [alike[at : at + moves] for at in range(0, len(alike), moves)]
        found: dict[bytes, Direction] = {}
        for side in sides(needs.puzzle, needs.moves):
            # Sides that differ by a symmetry of the coordinate see the same.
            seen = bytes(_columns(side, needs.moves))
            found.setdefault(min(bytes(row[m] for m in seen) for row in rows), side)
        return list(found.values())

    def _carry(self) -> tuple[list[int], Carry]:
        """The bytes of a state that the coordinates to be ranked read, and how moves act on them.

        With whatever else moves into their places: all bytes that these moves bring there.
        """
        needs = self._needs
        ranked = [each for each in needs.phase.coordinates if needs.is_ranked(each)]
        for pairing in map(needs.pairing, ranked):
            if pairing is not None and len(ranked) > 1:
                raise DeclarationError(
                    f"phase {needs.phase.name}: next to {pairing.coordinate.name} no other "
                    "coordinate can be ranked: the others have to have move tables"
                )
            if pairing is not None:
                return list(pairing.coordinate.reads), pairing.carry()
        for coordinate in ranked:
            if coordinate.engine_program is None:
                raise DeclarationError(
                    f"phase {needs.phase.name}: coordinate {coordinate.name} is not closed under "
                    "the moves, or too large for a move table, and the engine cannot rank it"
                )
        carried = {j for coordinate in ranked for j in coordinate.reads}
        while (more := {move.gather[j] for move in needs.moves for j in carried}) - carried:
            carried |= more
        order = sorted(carried)
        return order, carry_bytes(needs.puzzle, needs.moves * self._times, order)

    def _reading(self) -> Reading:
        """How what is carried along is made of a state."""
        for coordinate, pairing in zip(self._needs.phase.coordinates, self._pairings, strict=True):
            if isinstance(coordinate, SymPairing) and pairing is not None:
                return Reading(self.carried, bytes(number & 255 for number in coordinate.numbers))
        return Reading(self.carried)

    def vector(self, state: bytes) -> bytes:
        """What is carried along of a state of the puzzle that the phase sees."""
        vector = self.reading.read(state)
        if vector is None:
            coordinates = self._needs.phase.coordinates
            raise self._undefined(next(c for c in coordinates if isinstance(c, SymPairing)))
        return bytes(vector)

    def _coordinate(self, number: int, side: int) -> CoordinateInput:
        """A coordinate seen from a side, as the engine takes it."""
        needs, classes = self._needs, self._classes[number]
        coordinate = needs.phase.coordinates[number]
        columns = _columns(self.sides[side], needs.moves)
        if isinstance(coordinate, SymCoordinate) and classes is not None:
            images, moves = classes.move_images, len(columns)
            turned = bytes(
                images[at + m] + time * moves
                for at in range(0, len(images), moves)
                for time in range(self._times)
                for m in columns
            )
            sym = Sym(coordinate.shift, coordinate.symmetries, turned, classes.products)
            class_moves = self._repeated(classes.class_moves)
            return CoordinateInput(coordinate.classes, class_moves, classes.goals, sym)
        pairing = self._pairings[number]
        if isinstance(coordinate, SymPairing) and pairing is not None:
            ranking = pairing.engine_rank
            goal = ranking.rank(self.vector(needs.puzzle.solved))
            return CoordinateInput(coordinate.values, ranking, (goal,))
        at_goal = goals(self._store, coordinate, needs.goal_moves, needs.goal_states)
        if needs.is_ranked(coordinate):
            byte_at = {j: i for i, j in enumerate(self.carried)}
            program = rebase(coordinate.engine_program or (), byte_at)
            return CoordinateInput(coordinate.size, program, at_goal)
        table: Any = move_table(self._store, coordinate, needs.moves).data
        if side:
            flat = array(table.format, table.tobytes())
            table = array(table.format, flat)
            for m, column in enumerate(columns):
                table[m :: len(columns)] = flat[column :: len(columns)]
        return CoordinateInput(coordinate.size, self._repeated(table), at_goal)

    def _repeated(self, table: Any) -> Any:
        """A move table whose columns come several times."""
        if self._times == 1:
            return table
        flat = array(memoryview(table).format, memoryview(table).tobytes())
        moves = len(self._needs.moves)
        return array(
            flat.typecode,
            b"".join(
                flat[at : at + moves].tobytes() * self._times for at in range(0, len(flat), moves)
            ),
        )

    def _tables(self, side: int) -> Iterator[TableInput]:
        """The pruning tables that count for the estimate, as the engine takes them."""
        phase = self._needs.phase
        for declared in phase.pruning_tables:
            if declared.in_estimate:
                own = phase.coordinate_numbers(declared)
                numbers = tuple(self._seen.index((number, side)) for number in own)
                given = self._needs.pruning(declared).engine_input(self._store, numbers)
                assert isinstance(given, TableInput)
                yield given

    def _hashed(self) -> HashedInput | None:
        """The hashed pruning table, as the engine takes it."""
        phase = self._needs.phase
        for declared in phase.pruning_tables:
            if not declared.in_estimate:
                numbers = phase.coordinate_numbers(declared)
                given = self._needs.pruning(declared).engine_input(self._store, numbers)
                assert isinstance(given, HashedInput)
                return given
        return None

    @cached_property
    def _class_of(self) -> list[Any]:
        return [each and each.class_of for each in self._classes]

    def engine_ranks(self, byte_at: dict[int, int] | None = None) -> Ranks:
        """How the engine ranks all coordinates on a state, or on the bytes of it that are named.

        Not so a pairing reduced by symmetries, which is ranked on what is carried along: it is -1.
        """
        programs: list[tuple[int, ...]] = []
        for coordinate in self._needs.phase.coordinates:
            if isinstance(coordinate, SymPairing):
                programs.append(NO_PROGRAM)
                continue
            program = coordinate.engine_program
            if program is None:
                raise DeclarationError(f"the engine cannot rank the coordinate {coordinate.name}")
            programs.append(program if byte_at is None else rebase(program, byte_at))
        return Ranks(programs, self._class_of)

    @cached_property
    def _programs(self) -> list[array[int] | None]:
        programs = [coordinate.engine_program for coordinate in self._needs.phase.coordinates]
        return [None if program is None else array("i", program) for program in programs]

    def ranks(self, state: bytes) -> list[int]:
        """The engine's values of all coordinates, in a state of the puzzle that the phase sees.

        A DeclarationError outside the domain of one of them.
        """
        puzzle = self._needs.puzzle
        images = [state if side is None else side.see(puzzle, state) for side in self.sides]
        values = []
        for number, side in self._seen:
            coordinate = self._needs.phase.coordinates[number]
            if (pairing := self._pairings[number]) is not None:
                values.append(self._rank_pairing(coordinate, pairing, state))
                continue
            program, class_of = self._programs[number], self._class_of[number]
            image = images[side]
            value = coordinate.rank(image) if program is None else rank(program, image)
            if not 0 <= value < coordinate.size:
                raise self._undefined(coordinate)
            values.append(value if class_of is None else class_of[value])
        return values

    def _rank_pairing(self, coordinate: Coordinate, pairing: PairingClasses, state: bytes) -> int:
        value = pairing.engine_rank.rank(self.vector(state))
        if value < 0:
            raise self._undefined(coordinate)
        return value

    def _undefined(self, coordinate: Coordinate) -> DeclarationError:
        return DeclarationError(
            f"phase {self._needs.phase.name} starts where coordinate {coordinate.name} is not "
            "defined: an earlier phase has to see to that"
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
