"""How the engine runs each coordinate of a phase."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import attrs

from puzzlekit.coordinate.coordinate import Coordinate
from puzzlekit.coordinate.programs import NO_PROGRAM, rebase
from puzzlekit.coordinate.sym_pairing import SymPairing
from puzzlekit.coordinate.symmetric import SymCoordinate
from puzzlekit.engine.inputs import CoordinateInput
from puzzlekit.engine.ranks import Carry, PairRank, Reading, rank
from puzzlekit.engine.space import Sym
from puzzlekit.phase.phase import Phase
from puzzlekit.puzzle.move import Move
from puzzlekit.store.store import TableStore
from puzzlekit.store.table import TableKey
from puzzlekit.tables.goals import goals, goals_key
from puzzlekit.tables.move_table import is_tabulated, move_table, move_table_key
from puzzlekit.tables.symmetry.classes import Classes, SymNeeds

if TYPE_CHECKING:
    from puzzlekit.tables.symmetry.pairing_classes import PairingNeeds


# The runner of each kind of coordinate that is not run as all others.
_RUNNERS: dict[type[Coordinate], type[Runner]] = {}


@attrs.frozen(slots=False, eq=False, repr=False)
class Runner:
    """A coordinate that has a move table, or that a rank program ranks.

    One that no pruning table reads is only looked at where all others are at a goal. It is ranked
    there, if it can be.

    A subclass says of which kind of coordinate it is the runner: `class OwnRunner(Runner,
    runs=OwnCoordinate)`. It runs what derives from that kind too.
    """

    #: Whether tables over it need moves of cost 1 or 2 that symmetries carry to each other.
    alike_costs = False

    coordinate: Coordinate
    #: The phase that it is of, as it is declared.
    phase: Phase
    #: The moves of the phase, as tables are built with them, and what they cost there.
    moves: Sequence[Move]
    prices: Sequence[int]
    #: What else is at the goal: see `puzzlekit.prepare.resolved.ResolvedPhase`.
    goal_moves: Sequence[Move]
    goal_states: Sequence[bytes]

    def __init_subclass__(cls, runs: type[Coordinate] | None = None) -> None:
        if runs is not None:
            _RUNNERS[runs] = cls

    @property
    def sym(self) -> SymNeeds | None:
        """What the classes of a sym coordinate are built from; None for other kinds."""
        return None

    @property
    def is_ranked(self) -> bool:
        """Whether it is ranked in the search, on the bytes that are carried along."""
        if not is_tabulated(self.coordinate, self.moves):
            return True
        every = self.phase.coordinates
        if any(each.carried for each in every):
            return False
        unread = every.index(self.coordinate) not in self.phase.read
        return unread and self.coordinate.engine_program is not None

    @property
    def program(self) -> tuple[int, ...] | None:
        """How the engine ranks it on bytes of a state; None where it cannot."""
        return self.coordinate.engine_program

    def table_keys(self) -> list[TableKey]:
        """The keys of the tables that it needs, whichever pruning tables there are."""
        found = []
        if not self.is_ranked:
            found.append(move_table_key(self.coordinate, self.moves))
        if self.goal_moves:
            found.append(goals_key(self.coordinate, self.goal_moves, self.goal_states))
        return found

    def pairing(self, *partners: Coordinate) -> PairingNeeds | None:
        """What the classes of a pairing in a pruning table with partners are built from."""
        return None

    def carrying(self) -> tuple[Sequence[int], Carry, Reading] | None:
        """What is carried along for a coordinate that decides it; None for another.

        The bytes of a state that it reads, how moves act on what is made of them, and what is made.
        """
        return None

    def engine_input(
        self, store: TableStore, columns: Sequence[int], times: int, carried: Sequence[int]
    ) -> CoordinateInput:
        """The coordinate as the engine takes it, its tables loaded or built.

        From the side from which it is seen move m is number columns[m]. The engine takes each move
        for `times` different ones. `carried` are the bytes that are carried along.
        """
        coordinate = self.coordinate
        at_goal = goals(store, coordinate, self.goal_moves, self.goal_states)
        if self.is_ranked:
            byte_at = {j: i for i, j in enumerate(carried)}
            program = rebase(self.program or (), byte_at)
            return CoordinateInput(coordinate.size, program, at_goal)
        table: Any = move_table(store, coordinate, self.moves).data
        if any(column != m for m, column in enumerate(columns)):
            flat = array(table.format, table.tobytes())
            table = array(table.format, flat)
            for m, column in enumerate(columns):
                table[m :: len(columns)] = flat[column :: len(columns)]
        return CoordinateInput(coordinate.size, _repeated(table, len(columns), times), at_goal)

    def class_of(self, store: TableStore) -> Any:
        """The engine's value of each rank; None where it is the rank."""
        return None

    def valued(self, store: TableStore, reading: Reading) -> Callable[[bytes], int]:
        """What gives the engine's value in a state, -1 outside the coordinate's domain.

        `reading` makes what is carried along of a state.
        """
        coordinate, class_of = self.coordinate, self.class_of(store)
        program = None if self.program is None else array("i", self.program)

        def value(state: bytes) -> int:
            found = coordinate.rank(state) if program is None else rank(program, state)
            if not 0 <= found < coordinate.size:
                return -1
            return int(found if class_of is None else class_of[found])

        return value


class SymRunner(Runner, runs=SymCoordinate):
    """A sym coordinate, run as class and symmetry: its classes have a move table."""

    coordinate: SymCoordinate
    alike_costs = True
    is_ranked = False

    @cached_property
    def sym(self) -> SymNeeds:
        """What its classes are built from."""
        partners = self.phase.partners(self.coordinate)
        return SymNeeds(self.coordinate, partners, self.moves, self.prices, self.goal_moves)

    def table_keys(self) -> list[TableKey]:
        """The keys of the tables of its classes."""
        return self.sym.keys()

    def engine_input(
        self, store: TableStore, columns: Sequence[int], times: int, carried: Sequence[int]
    ) -> CoordinateInput:
        """The classes as the engine takes them."""
        coordinate, classes = self.coordinate, Classes(store, self.sym)
        images, moves = classes.move_images, len(columns)
        turned = bytes(
            images[at + m] + time * moves
            for at in range(0, len(images), moves)
            for time in range(times)
            for m in columns
        )
        sym = Sym(coordinate.shift, coordinate.symmetries, turned, classes.products)
        class_moves = _repeated(classes.class_moves, moves, times)
        return CoordinateInput(coordinate.classes, class_moves, classes.goals, sym)

    def class_of(self, store: TableStore) -> Any:
        """Class and symmetry of each rank."""
        return Classes(store, self.sym).class_of


class PairingRunner(Runner, runs=SymPairing):
    """A pairing reduced by symmetries: the engine ranks it on the pairing itself."""

    coordinate: SymPairing
    is_ranked = True
    program = NO_PROGRAM

    def pairing(self, *partners: Coordinate) -> PairingNeeds | None:
        """What its classes are built from, with one partner at most."""
        from puzzlekit.tables.symmetry.pairing_classes import PairingNeeds

        if len(partners) > 1:
            return None
        return PairingNeeds(self.coordinate, self.moves, self.prices, *partners)

    @cached_property
    def needs(self) -> PairingNeeds:
        """What its classes are built from; a table in the estimate knows its partner."""
        partners: list[Coordinate] = []
        for table in self.phase.pruning_tables:
            first, *others = self.phase.coordinates_of(table)
            if table.in_estimate and first is self.coordinate:
                partners = others[:1]
                break
        needs = self.pairing(*partners)
        assert needs is not None
        return needs

    def table_keys(self) -> list[TableKey]:
        """The keys of the tables of its classes."""
        return self.needs.keys()

    def carrying(self) -> tuple[Sequence[int], Carry, Reading]:
        """The bytes of the pairs; what is made of them is the pairing."""
        reads, numbers = self.coordinate.reads, self.coordinate.numbers
        return reads, self.needs.carry(), Reading(list(reads), bytes(n & 255 for n in numbers))

    def engine_input(
        self, store: TableStore, columns: Sequence[int], times: int, carried: Sequence[int]
    ) -> CoordinateInput:
        """The coordinate as the engine takes it; its only goal is that of the solved state."""
        _, _, reading = self.carrying()
        goal = self.valued(store, reading)(self.coordinate.puzzle.solved)
        return CoordinateInput(self.coordinate.values, self._ranking(store), (goal,))

    def valued(self, store: TableStore, reading: Reading) -> Callable[[bytes], int]:
        """What gives the engine's value in a state, -1 where the pieces are not paired."""
        ranking = self._ranking(store)

        def value(state: bytes) -> int:
            vector = reading.read(state)
            return -1 if vector is None else int(ranking.rank(vector))

        return value

    def _ranking(self, store: TableStore) -> PairRank:
        from puzzlekit.tables.symmetry.pairing_classes import PairingClasses

        return PairingClasses(store, self.needs).engine_rank


def runner_kind(coordinate: Coordinate) -> type[Runner]:
    """The kind of runner of a coordinate: that of its class, or of the nearest base."""
    return next((_RUNNERS[kind] for kind in type(coordinate).__mro__ if kind in _RUNNERS), Runner)


def _repeated(table: Any, moves: int, times: int) -> Any:
    """A move table whose columns come several times."""
    if times == 1:
        return table
    flat = array(memoryview(table).format, memoryview(table).tobytes())
    rows = (flat[at : at + moves].tobytes() * times for at in range(0, len(flat), moves))
    return array(flat.typecode, b"".join(rows))
