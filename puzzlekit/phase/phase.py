"""Phases: goals that allowed moves reach, and the pruning tables that tell how far they are."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import TYPE_CHECKING

import attrs

from puzzlekit.coordinate.coordinate import Coordinate
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Effect, Move, act, compose
from puzzlekit.puzzle.puzzle import Puzzle

if TYPE_CHECKING:
    from puzzlekit.position.view import View


@attrs.frozen
class PruningTable:
    """A pruning table of a phase: distances for each value of one to three coordinates together.

    `coordinates` names them, the first most significant; a sym coordinate can only be the first.
    `bits` an entry: 8, 4 (distances over 15 are stored as 15), or 2: the distance modulo 3, which
    the search follows from move to move; in a metric in which some move costs more than 1 it takes
    4 instead. Over a sym coordinate and partners, `fold` neighbouring values of the last one may
    share an entry, their least distance, which keeps far more than a table as small over less; and
    distances beyond `farthest`, by metric, are then not worked out but taken to be one more than
    that, which saves most of the time of building. A DeclarationError for what cannot be.

    With three `thresholds` a table over a `SymPairing`, of 2 bits an entry, tells which of them the
    distance reaches. With `hashed` there are so many entries for any number of coordinates, among
    them a `SymPairing`: an entry is the least distance of all that hashes to it, up to `farthest`,
    which has to be given. Such a table, one in a phase at most, is looked up last, where no more
    than that is left to go; it does not count for the estimate at the start, nor for a heuristic.

    An `additive` table counts only the moves that change its entry, and the text names the group
    whose distances are added: they count as one distance, which is admissible as no move may change
    the entries of two of them. Its entries have 4 or 8 bits.

    >>> PruningTable("flip-slice twist", fold=9, farthest={"HTM": 8}).bits
    4
    """

    coordinates: str
    bits: int = 4
    fold: int = 1
    farthest: Mapping[str, int] = attrs.field(factory=dict)
    thresholds: tuple[int, ...] = ()
    hashed: int = 0
    additive: str = ""

    def __attrs_post_init__(self) -> None:
        self._check_special()
        if self.bits not in (2, 4, 8):
            raise DeclarationError(
                f"pruning table {self.coordinates}: entries have 2, 4 or 8 bits, not {self.bits}"
            )
        if self.fold < 1 or (self.bits == 2 and (self.fold > 1 or self.farthest)):
            raise DeclarationError(
                f"pruning table {self.coordinates}: entries of 2 bits cannot be folded or cut off"
            )
        special = self.bits == 2 or self.fold > 1 or self.farthest or self.hashed
        if self.additive and special:
            raise DeclarationError(
                f"pruning table {self.coordinates}: an additive one has entries of 4 or 8 bits, "
                "and is neither folded, cut off nor hashed"
            )
        if any(farthest < 1 for farthest in self.farthest.values()):
            raise DeclarationError(
                f"pruning table {self.coordinates}: distances are worked out up to 1 at least"
            )

    def _check_special(self) -> None:
        """Raise a DeclarationError where thresholds or hashing do not fit the rest."""
        rising = sorted({0, *self.thresholds, 256}) == [0, *self.thresholds, 256]
        if self.thresholds and (self.bits != 2 or len(self.thresholds) != 3 or not rising):
            raise DeclarationError(
                f"pruning table {self.coordinates}: three thresholds, each larger than the one "
                "before it, are for entries of 2 bits"
            )
        if self.hashed and (
            self.thresholds or self.bits != 4 or self.fold > 1 or not 256 <= self.hashed <= 1 << 30
        ):
            raise DeclarationError(
                f"pruning table {self.coordinates}: a hashed one has 256 to 2^30 entries of 4 bits"
            )
        if self.hashed and any(farthest > 14 for farthest in self.farthest.values()):
            raise DeclarationError(
                f"pruning table {self.coordinates}: a hashed one tells distances up to 14"
            )


@attrs.frozen(eq=False, repr=False)
class Phase:
    """One step of a method: a goal that allowed moves reach, and how far it is.

    `goal` says in words what the phase achieves. `moves` lists the allowed moves: a family alone
    stands for all its powers, a name with an amount for itself ("U D R2 L2"). The goal is reached
    when every one of the `coordinates` is at one of its goals: that of the solved state, or with
    `goal_moves` all that these moves make of the solved state (such as the moves of the phases that
    follow). With `goal_turns`, rotations of the whole puzzle, it is also reached where these, or
    what they generate, turn the solved state first: the puzzle may then be held otherwise.

    Each of the `tables` is a `PruningTable`, or names the one to three coordinates over whose
    product one is built ("twist slice"), `bits` an entry. A coordinate that no table names is only
    looked at where all others are at a goal. With `turned` the tables, which are all over one sym
    coordinate, are looked up along every axis along which the puzzle looks different to it.
    `endings` is for beams: for so many last moves all ways to the goals of the tables are listed
    beforehand, which is worth its while where few of them are at what no table tells. `caps` limits
    by metric how costly this phase may get as the second one of `Improve`, and by
    "steps", for machines of one's own, how many steps it may take. With a `view` the phase is one
    of another puzzle, as which this one is then seen: its moves and coordinates are that puzzle's,
    and moves of the same names are done. Tables that are `additive` in one group stand together.
    """

    name: str
    goal: str
    moves: str
    coordinates: tuple[Coordinate, ...]
    tables: tuple[str | PruningTable, ...]
    bits: int = 4
    goal_moves: str = ""
    goal_turns: str = ""
    turned: bool = False
    endings: int = 0
    view: View | None = None
    caps: Mapping[str, int] = attrs.field(factory=dict)

    def __repr__(self) -> str:
        return f"Phase({self.name!r})"

    def __attrs_post_init__(self) -> None:
        for what, given in (("coordinates", self.coordinates), ("tables", self.tables)):
            if not isinstance(given, (tuple, list)):
                raise DeclarationError(
                    f"phase {self.name}: {what} are a tuple; one alone is written (one,)"
                )
        names = [coordinate.name for coordinate in self.coordinates]
        if not names or len(set(names)) < len(names):
            raise DeclarationError(f"phase {self.name}: coordinates need different names")
        if not 0 <= self.endings <= 6:
            raise DeclarationError(f"phase {self.name}: up to 6 last moves are listed")
        if not self.moves.split() or len(set(self.moves.split())) < len(self.moves.split()):
            raise DeclarationError(f"phase {self.name}: it needs moves, each named once")
        for table in self.pruning_tables:
            if not 1 <= len(self.coordinate_numbers(table)) <= (16 if table.hashed else 3):
                raise DeclarationError(f"phase {self.name}: a table reads 1 to 3 coordinates")
        added = [group[0].additive for group in self.groups if group[0].additive]
        if len(set(added)) < len(added):
            raise DeclarationError(
                f"phase {self.name}: the additive tables of a group have to stand together"
            )
        if self.turned and added:
            raise DeclarationError(f"phase {self.name}: a turned phase has no additive tables")
        hashed = sum(table.hashed > 0 for table in self.pruning_tables)
        if hashed > 1 or (hashed and self.turned):
            raise DeclarationError(
                f"phase {self.name}: one hashed pruning table at most, and none where it is turned"
            )

    @property
    def groups(self) -> tuple[tuple[PruningTable, ...], ...]:
        """The pruning tables by groups whose distances are added; most are one by itself.

        A hashed table is in none of them.
        """
        tables = [table for table in self.pruning_tables if not table.hashed]
        keyed = groupby(enumerate(tables), lambda each: each[1].additive or each[0])
        return tuple(tuple(table for _, table in own) for _, own in keyed)

    @property
    def pruning_tables(self) -> tuple[PruningTable, ...]:
        """The pruning tables, also those that are only named."""
        return tuple(
            PruningTable(table, self.bits) if isinstance(table, str) else table
            for table in self.tables
        )

    def coordinate_numbers(self, table: PruningTable) -> tuple[int, ...]:
        """The numbers of the coordinates that a table names."""
        names = [coordinate.name for coordinate in self.coordinates]
        for name in table.coordinates.split():
            if name not in names:
                raise DeclarationError(f"phase {self.name}: there is no coordinate {name!r}")
        return tuple(names.index(name) for name in table.coordinates.split())

    @property
    def read(self) -> set[int]:
        """The numbers of the coordinates that some table reads."""
        return {n for table in self.pruning_tables for n in self.coordinate_numbers(table)}

    def partners(self, coordinate: Coordinate) -> tuple[Coordinate, ...]:
        """The coordinates that share a pruning table with one."""
        found: dict[Coordinate, None] = {}
        for table in self.pruning_tables:
            parts = [self.coordinates[number] for number in self.coordinate_numbers(table)]
            if coordinate in parts:
                found.update((each, None) for each in parts if each is not coordinate)
        return tuple(found)

    def allowed(self, puzzle: Puzzle) -> tuple[Move, ...]:
        """The allowed moves, in the order in which they are searched (see `Puzzle.searched`)."""
        return self._named(self.moves, puzzle)

    def kept(self, puzzle: Puzzle) -> tuple[Move, ...]:
        """The goal moves, which lead from every goal of the phase to another one."""
        return self._named(self.goal_moves, puzzle)

    def turnings(self, puzzle: Puzzle) -> tuple[Effect, ...]:
        """All that the goal turns generate, no turn at all first."""
        steps = [move.effect for move in self._named(self.goal_turns, puzzle)]
        found = [puzzle.holdings[0]]
        for turned in found:  # grows while it is gone through
            for step in steps:
                effect = compose(turned, step, puzzle.modulus)
                if effect not in found:
                    found.append(effect)
        return tuple(found)

    def goal_states(self, puzzle: Puzzle) -> tuple[bytes, ...]:
        """The solved state turned by the goal turns; empty where there are none."""
        if not self.goal_turns:
            return ()
        return tuple(
            act(puzzle.solved, *turned, puzzle.modulus) for turned in self.turnings(puzzle)
        )

    def _named(self, names: str, puzzle: Puzzle) -> tuple[Move, ...]:
        moves: list[Move] = []
        for name in names.split():
            moves += puzzle.family_moves([name]) if name in puzzle.families else puzzle.moves(name)
        return puzzle.searched(dict.fromkeys(moves))  # "U U2" names U2 twice
