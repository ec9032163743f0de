"""What an author declares: phases, and methods that chain them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import attrs

from puzzlekit.coordinate.base import Coordinate
from puzzlekit.errors import DeclarationError
from puzzlekit.heuristic.base import Heuristic, Max
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.puzzle import Puzzle

if TYPE_CHECKING:
    from puzzlekit.puzzle.view import View

FIRST = "first"
IMPROVE = "improve"


@attrs.frozen(eq=False, repr=False)
class Phase:
    """One step of a method: a goal that allowed moves reach, and how far it is.

    `goal` says in words what the phase achieves. `moves` lists the allowed moves: a family alone
    stands for all its powers, a name with an amount for itself ("U D R2 L2"). The goal is reached
    when every one of the `coordinates` is at one of its goals: that of the solved state, or with
    `goal_moves` all that these moves make of the solved state (such as the moves of the phases that
    follow). Each of the `tables` names the one to three coordinates over whose product a pruning
    table is built ("twist slice"), `bits` an entry (4 or 8; distances over 15 do not fit 4 bits and
    are stored as 15). A coordinate that no table names is only looked at where all others are at a
    goal. `caps` limits by metric how costly this phase may get as the second one of the chaining
    "improve". With a `view` the phase is one of another puzzle, as which this one is then seen: its
    moves and coordinates are that puzzle's, and moves of the same names are done.
    """

    name: str
    goal: str
    moves: str
    coordinates: tuple[Coordinate, ...]
    tables: tuple[str, ...]
    heuristic: Heuristic = Max()
    bits: int = 4
    goal_moves: str = ""
    view: View | None = None
    caps: Mapping[str, int] = attrs.field(factory=dict)

    def __repr__(self) -> str:
        return f"Phase({self.name!r})"

    def __attrs_post_init__(self) -> None:
        names = [coordinate.name for coordinate in self.coordinates]
        if self.bits not in (4, 8):
            raise DeclarationError(f"phase {self.name}: entries have 4 or 8 bits, not {self.bits}")
        if not names or len(set(names)) < len(names):
            raise DeclarationError(f"phase {self.name}: coordinates need different names")
        if not self.moves.split() or len(set(self.moves.split())) < len(self.moves.split()):
            raise DeclarationError(f"phase {self.name}: it needs moves, each named once")
        for table in self.tables:
            if not 1 <= len(self.coordinate_numbers(table)) <= 3:
                raise DeclarationError(f"phase {self.name}: a table reads 1 to 3 coordinates")

    def coordinate_numbers(self, table: str) -> tuple[int, ...]:
        """The numbers of the coordinates that a table names."""
        names = [coordinate.name for coordinate in self.coordinates]
        for name in table.split():
            if name not in names:
                raise DeclarationError(f"phase {self.name}: there is no coordinate {name!r}")
        return tuple(names.index(name) for name in table.split())

    def allowed(self, puzzle: Puzzle) -> tuple[Move, ...]:
        """The allowed moves, in the order in which they are searched."""
        return self._named(self.moves, puzzle)

    def kept(self, puzzle: Puzzle) -> tuple[Move, ...]:
        """The goal moves, which lead from every goal of the phase to another one."""
        return self._named(self.goal_moves, puzzle)

    def _named(self, names: str, puzzle: Puzzle) -> tuple[Move, ...]:
        moves: list[Move] = []
        for name in names.split():
            moves += puzzle.family_moves([name]) if name in puzzle.turns else puzzle.moves(name)
        return tuple(moves)


@attrs.frozen(eq=False, repr=False)
class Method:
    """A way of solving: phases in order and how they are chained.

    `chaining` is "first" (the first answer of each phase) or "improve" (two phases; longer first
    phases are tried as long as they can still shorten the total). `fixed` names places, by orbit,
    that the phases take to be solved: pieces are renamed, as if the puzzle were held another way,
    so that they are. With `recolour` they are renamed as in whichever way of holding the puzzle the
    first phase looks nearest to its goal. With the chaining "first", `choices` is how many of
    a phase's answers of one cost are looked for, to go on from the one that looks nearest to the
    goal of the next phase. `premoves` is up to how many moves an improving method
    sets its starts off (see `puzzlekit.phase.premoves`), `seconds` how long it goes on when no
    limit is given. `metrics` names the metrics that the method searches in, the default one first;
    all of the puzzle's if none is named. Where the phases' moves cannot do what some metric counts
    as one move, leave that metric out.
    """

    name: str
    title: str
    phases: tuple[Phase, ...]
    chaining: str = FIRST
    fixed: Mapping[str, str] = attrs.field(factory=dict)
    recolour: bool = False
    choices: int = 1
    premoves: int = 0
    seconds: float = 0.2
    metrics: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Method({self.name!r})"

    def __attrs_post_init__(self) -> None:
        names = [phase.name for phase in self.phases]
        if not names or len(set(names)) < len(names):
            raise DeclarationError(f"method {self.name}: phases need different names")
        if self.chaining not in (FIRST, IMPROVE):
            raise DeclarationError(f"method {self.name}: unknown chaining {self.chaining!r}")
        if self.choices < 1 or (self.chaining != FIRST and self.choices > 1):
            raise DeclarationError(f"method {self.name}: choices, 1 or more, are for 'first'")
        if self.chaining == IMPROVE and len(self.phases) != 2:
            raise DeclarationError(f"method {self.name}: improving takes exactly two phases")
        if self.chaining != IMPROVE and self.premoves:
            raise DeclarationError(f"method {self.name}: premoves are for improving methods")
