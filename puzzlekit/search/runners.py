"""How the engine runs each coordinate of a phase."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import attrs

from puzzlekit.coordinates.coordinate import Coordinate
from puzzlekit.coordinates.products import Reached, SymCoordinate
from puzzlekit.coordinates.programs import rebase
from puzzlekit.engine.inputs import CoordinateInput
from puzzlekit.engine.ranks import Carry, Reading, rank
from puzzlekit.engine.space import Sym
from puzzlekit.puzzle.move import Move
from puzzlekit.search.phase import Phase
from puzzlekit.tables.classes import Classes, SymNeeds
from puzzlekit.tables.goals import goals, goals_key
from puzzlekit.tables.move_table import is_tabulated, move_table, move_table_key
from puzzlekit.tables.store import TableStore
from puzzlekit.tables.table import TableSpec

__all__ = ["Runner"]


_NO_VALUE = 0xFFFFFFFF
# The runner class of each kind of coordinate that does not use `Runner`.
_RUNNERS: dict[type[Coordinate], type[Runner]] = {}


@attrs.frozen(slots=False, eq=False, repr=False)
class Runner:
    """Prepares a coordinate for the engine: with a move table, or with a rank program.

    With a rank program, the engine computes the value from the bytes of a state. It is used if no
    move table is possible. It is also used if no pruning table reads the coordinate: a search then
    computes the value only when all other coordinates are at a goal.

    Each subclass is for one class of coordinates and its subclasses, which it names: `class
    OwnRunner(Runner, runs=OwnCoordinate)`.
    """

    #: Whether tables need moves of cost 1 or 2, and symmetries that map each move to a move of the
    #: same cost.
    alike_costs = False

    #: The coordinate that is prepared.
    coordinate: Coordinate
    #: The declaration of the phase.
    phase: Phase
    #: The moves with which tables are built.
    moves: Sequence[Move]
    #: The costs of these moves in tables.
    prices: Sequence[int]
    #: See `puzzlekit.search.resolved.ResolvedPhase`.
    goal_moves: Sequence[Move]
    #: See `puzzlekit.search.resolved.ResolvedPhase`.
    goal_states: Sequence[bytes]

    def __init_subclass__(cls, runs: type[Coordinate] | None = None) -> None:
        if runs is not None:
            _RUNNERS[runs] = cls

    @property
    def sym(self) -> SymNeeds | None:
        """The inputs for building the classes of a sym coordinate; None for other kinds."""
        return None

    @property
    def is_ranked(self) -> bool:
        """Whether the search computes the coordinate from the bytes that it carries."""
        if not is_tabulated(self.coordinate, self.moves):
            return True
        every = self.phase.coordinates
        if any(each.carried for each in every):
            return False
        unread = every.index(self.coordinate) not in self.phase.read
        return unread and self.coordinate.engine_program is not None

    @property
    def ranked(self) -> Coordinate:
        """The coordinate that the rank program ranks."""
        return self.coordinate

    @property
    def program(self) -> tuple[int, ...] | None:
        """The rank program for bytes of a state; None if the engine cannot rank the coordinate."""
        return self.ranked.engine_program

    def table_keys(self) -> list[TableSpec]:
        """Return the keys of the tables that the coordinate itself needs."""
        found = []
        if not self.is_ranked:
            found.append(move_table_key(self.coordinate, self.moves))
        if self.goal_moves:
            found.append(goals_key(self.coordinate, self.goal_moves, self.goal_states))
        return found

    def carrying(self) -> tuple[Sequence[int], Carry, Reading] | None:
        """Return how a search stores bytes for this coordinate at each node; None for the default.

        These bytes are called the carried bytes. The tuple has three items:

        - the indices of the bytes of a state from which the carried bytes are made,
        - the action of moves on the carried bytes,
        - the object that makes the carried bytes from a state.
        """
        return None

    def engine_input(
        self, store: TableStore, columns: Sequence[int], times: int, carried: Sequence[int]
    ) -> CoordinateInput:
        """Return the input of the engine, with the tables of the coordinate loaded or built.

        - `columns`: for each move the index of the column of the move table that the engine uses.
          If a table is looked up along another axis, this is the column of the image of the move.
          Otherwise it is the column of the move.
        - `times`: the number of indices that each move has in the engine.
        - `carried`: the indices of the bytes of a state that the search stores at each node.
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
        """Return the engine's value for each rank; None if every value equals its rank.

        `_NO_VALUE` stands for ranks without a value.
        """
        return None

    def valued(self, store: TableStore, reading: Reading) -> Callable[[bytes], int]:
        """Return a function that returns the engine's value of the coordinate for a state.

        The function returns -1 if the coordinate is not defined for the state. `reading` extracts
        from a state the bytes that the search carries from node to node.
        """
        ranked, class_of = self.ranked, self.class_of(store)
        program = None if self.program is None else array("i", self.program)

        def value(state: bytes) -> int:
            found = ranked.rank(state) if program is None else rank(program, state)
            if not 0 <= found < ranked.size:
                return -1
            known = int(found if class_of is None else class_of[found])
            return -1 if known == _NO_VALUE else known

        return value


class SymRunner(Runner, runs=SymCoordinate):
    """Prepares a sym coordinate: the engine stores a class and a symmetry, and uses move tables."""

    coordinate: SymCoordinate
    alike_costs = True
    is_ranked = False

    @cached_property
    def sym(self) -> SymNeeds:
        """The inputs for building its classes."""
        partners = self.phase.partners(self.coordinate)
        return SymNeeds(self.coordinate, partners, self.moves, self.prices, self.goal_moves)

    def table_keys(self) -> list[TableSpec]:
        """The keys of the tables of its classes."""
        return self.sym.keys()

    def engine_input(
        self, store: TableStore, columns: Sequence[int], times: int, carried: Sequence[int]
    ) -> CoordinateInput:
        """Return the classes as input of the engine."""
        coordinate, classes = self.sym.coordinate, Classes(store, self.sym)
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
        """Return the class and the symmetry of each rank, combined in one number."""
        return Classes(store, self.sym).class_of

    def valued(self, store: TableStore, reading: Reading) -> Callable[[bytes], int]:
        """Return such a function: -1 for values that no moves reach, stored as the solved one."""
        value, coordinate = super().valued(store, reading), self.coordinate
        solved = coordinate.puzzle.solved
        stored, home = value(solved), coordinate.rank(solved)

        def reached(state: bytes) -> int:
            found = value(state)
            return -1 if found == stored and coordinate.rank(state) != home else found

        return reached


class ReachedRunner(Runner, runs=Reached):
    """Prepares a coordinate of reached values: the engine finds the number of a value in a table.

    The rank program gives the value.
    """

    coordinate: Reached
    is_ranked = False

    @property
    def ranked(self) -> Coordinate:
        """The product, without numbers for the values that moves reach."""
        return self.coordinate.whole

    @property
    def numbers_key(self) -> TableSpec:
        """The key of the table with the number of each value of the product."""
        coordinate = self.coordinate
        return TableSpec(
            puzzle=coordinate.puzzle.name,
            name=f"{coordinate.name} numbers",
            identity=f"reached 2 {coordinate.identity}",
            dtype="u4",
            shape=(coordinate.whole.size,),
            purpose=f"numbers of the values of {coordinate.name} that moves reach",
        )

    def table_keys(self) -> list[TableSpec]:
        """Return the keys of the tables that the coordinate itself needs."""
        return [self.numbers_key, *super().table_keys()]

    def class_of(self, store: TableStore) -> Any:
        """Return the number of each value; `_NO_VALUE` for values that no moves reach."""
        coordinate = self.coordinate

        def build() -> Any:
            return coordinate.numbers.astype("u4")  # -1 becomes `_NO_VALUE`

        return store.get(self.numbers_key, build).data


def runner_kind(coordinate: Coordinate) -> type[Runner]:
    """Return the runner class for the class of a coordinate, or for its nearest base class."""
    return next((_RUNNERS[kind] for kind in type(coordinate).__mro__ if kind in _RUNNERS), Runner)


def _repeated(table: Any, moves: int, times: int) -> Any:
    """Repeat the columns of a move table several times."""
    if times == 1:
        return table
    flat = array(memoryview(table).format, memoryview(table).tobytes())
    rows = (flat[at : at + moves].tobytes() * times for at in range(0, len(flat), moves))
    return array(flat.typecode, b"".join(rows))
