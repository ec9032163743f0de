"""Phases: a goal, the allowed moves, coordinates, and pruning tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import combinations, groupby
from typing import Protocol

import attrs

from puzzlekit.coordinates.coordinate import Coordinate
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.guard import GuardedMoves
from puzzlekit.puzzle.move import Effect, Move, act, compose
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.search.heuristic import Heuristic, Max
from puzzlekit.tables.product_table import Plain
from puzzlekit.tables.pruning_table import PruningTable

__all__ = ["PuzzleView"]


class PuzzleView(Protocol):
    """A puzzle that another puzzle shows, such as a 3x3x3 in a reduced 4x4x4."""

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle that is shown (the 3x3x3)."""

    def see(self, puzzle: Puzzle, state: bytes) -> bytes:
        """Return the state of `self.puzzle` that `state`, a state of `puzzle`, shows.

        Raises a DeclarationError if the state shows no state of `self.puzzle`.
        """


@attrs.frozen(slots=False, eq=False, repr=False)
class Phase:
    """One step of a method: a goal, the allowed moves, and tables of the distance to the goal.

    A state is a goal if each of the `coordinates` has one of its goal values. List the additive
    tables of a group next to each other.
    """

    #: Name of the phase: "orient".
    name: str
    #: The goal of the phase, in words.
    goal: str
    #: The allowed moves, such as "U D R2 F2". The name of a family (U) stands for all powers of its
    #: base move: U, U2 and U'. A name with an amount (R2) stands for one move.
    moves: str
    #: Coordinates that define the goal. If no table reads a coordinate, the search computes it only
    #: when all other coordinates are at a goal. A universal method has none; the goal is then the
    #: solved puzzle.
    coordinates: tuple[Coordinate, ...]
    #: Pruning tables. The names of one to three coordinates, "twist slice", stand for a `Plain`
    #: table of these coordinates.
    tables: tuple[str | PruningTable, ...]
    #: Bits per entry, 4 or 8, of the tables that are given as names.
    bits: int = 4
    #: States that these moves reach from the solved state are goals, too. Usually the moves of the
    #: next phase.
    goal_moves: str = ""
    #: Rotations of the whole puzzle. States that these rotations reach from the solved state are
    #: goals, too. So the goal is the solved puzzle held in any of these ways.
    goal_turns: str = ""
    #: Whether the search looks up each table several times, once along each axis of the puzzle. The
    #: estimate is then the largest of these distances. All tables must begin with the same sym
    #: coordinate.
    turned: bool = False
    #: The heuristic of the phase, if the caller names none. It may be inadmissible for `Sequential`
    #: and `Beam`. Use such a one in a beam if the largest distance is far below the true distance.
    heuristic: Heuristic = Max()
    #: A number n from 0 to 6, used by beams: all sequences of n moves that end at a goal are
    #: precomputed (none if n is 0). Use it if all tables return 0 for many states that are not
    #: goals.
    endings: int = 0
    #: A function of the puzzle that returns renamings of pieces, for beams; None for no renamings.
    #: The search starts from the state with its pieces renamed by any of these effects, so a goal
    #: under other names is a goal, too. After the phase, the pieces have their own names again.
    renamings: Callable[[Puzzle], Sequence[Effect]] | None = None
    #: A view of this puzzle as another puzzle, such as a `View` of `puzzlekit_beam`. The moves and
    #: coordinates of the phase then belong to the other puzzle. To do such a move, the solver
    #: applies the move of the same name to this puzzle.
    view: PuzzleView | None = None
    #: The pruning tables, with a `Plain` table in place of names of coordinates.
    pruning_tables: tuple[PruningTable, ...] = attrs.field(init=False)

    @pruning_tables.default
    def _pruning_tables(self) -> tuple[PruningTable, ...]:
        if not isinstance(self.tables, (tuple, list)):
            return ()  # reported below
        return tuple(
            Plain(table, self.bits) if isinstance(table, str) else table for table in self.tables
        )

    def __repr__(self) -> str:
        return f"Phase({self.name!r})"

    def __attrs_post_init__(self) -> None:
        def wrong(words: str) -> DeclarationError:
            return DeclarationError(f"phase {self.name}: {words}")

        for what, given in (("coordinates", self.coordinates), ("tables", self.tables)):
            if not isinstance(given, (tuple, list)):
                raise wrong(f"{what} have to be a tuple; write (one,) for a single item")
            kinds = Coordinate if given is self.coordinates else (str, PruningTable)
            for each in given:
                if not isinstance(each, kinds):
                    raise wrong(f"{each!r} cannot be one of the {what}")
        names = [coordinate.name for coordinate in self.coordinates]
        if len(set(names)) < len(names):
            raise wrong("coordinates need different names")
        if not isinstance(self.heuristic, Heuristic):
            raise wrong(f"the heuristic has to be a record such as Max(), not {self.heuristic!r}")
        if not 0 <= self.endings <= 6:
            raise wrong("endings must be from 0 to 6")
        named = self.moves, self.goal_moves, self.goal_turns
        if strange := [each for each in named if not isinstance(each, str)]:
            raise wrong(f"moves are named in one string, such as 'U R2', not {strange[0]!r}")
        if not self.moves.split() or len(set(self.moves.split())) < len(self.moves.split()):
            raise wrong("it needs moves, each named once")
        for table in self.pruning_tables:
            if not 1 <= len(self.coordinate_numbers(table)) <= table.most_coordinates:
                most = table.most_coordinates
                raise wrong(f"a pruning table of this kind must be over 1 to {most} coordinates")
        added = [group[0].group for group in self.groups if group[0].group]
        if len(set(added)) < len(added):
            raise wrong("list the additive tables of a group one after the other")
        if self.turned and added:
            raise wrong("with turned=True, additive tables are impossible")
        cutting = sum(not table.in_estimate for table in self.pruning_tables)
        if cutting > 1 or (cutting and self.turned):
            raise wrong("only one hashed pruning table is possible, with turned=True none")

    @cached_property
    def groups(self) -> tuple[tuple[PruningTable, ...], ...]:
        """The pruning tables in groups. The distances of the tables of one group are added.

        Tables with the same `group` form a group. A table without a `group` forms a group by
        itself. Tables that are not part of the estimate are in no group.
        """
        tables = [table for table in self.pruning_tables if table.in_estimate]
        keyed = groupby(enumerate(tables), lambda each: each[1].group or each[0])
        return tuple(tuple(table for _, table in own) for _, own in keyed)

    def check_groups(self, moves: Sequence[Move], guarded: GuardedMoves | None) -> None:
        """Raise a DeclarationError if a move may change the entries of two tables that are added.

        `guarded` is None if the puzzle has no guard.
        """
        for group in self.groups:
            for tables in combinations(group, 2):
                one, other = map(self.coordinates_of, tables)
                for move in moves:
                    if _changes_both(one, other, move, guarded):
                        both = f"{tables[0].coordinates} and {tables[1].coordinates}"
                        why = f"cannot be added: the move {move.name} may change both"
                        raise DeclarationError(f"phase {self.name}: the distances of {both} {why}")

    def coordinate_numbers(self, table: PruningTable) -> tuple[int, ...]:
        """Return the indices of the coordinates that a table names."""
        names = [coordinate.name for coordinate in self.coordinates]
        for name in table.coordinates.split():
            if name not in names:
                raise DeclarationError(f"phase {self.name}: there is no coordinate {name!r}")
        return tuple(names.index(name) for name in table.coordinates.split())

    def coordinates_of(self, table: PruningTable) -> list[Coordinate]:
        """Return the coordinates that a table names."""
        return [self.coordinates[number] for number in self.coordinate_numbers(table)]

    @cached_property
    def read(self) -> set[int]:
        """The indices of the coordinates that some table reads."""
        return {n for table in self.pruning_tables for n in self.coordinate_numbers(table)}

    def partners(self, coordinate: Coordinate) -> tuple[Coordinate, ...]:
        """Return the coordinates that share a table of the estimate with the given coordinate."""
        found: dict[Coordinate, None] = {}
        for table in self.pruning_tables:
            parts = self.coordinates_of(table)
            if table.in_estimate and coordinate in parts:
                found.update((each, None) for each in parts if each is not coordinate)
        return tuple(found)

    def own_puzzle(self, puzzle: Puzzle) -> Puzzle:
        """Return the puzzle that the phase searches: that of its view, if it has one."""
        return puzzle if self.view is None else self.view.puzzle

    def done(self, puzzle: Puzzle) -> tuple[Move, ...]:
        """Return the allowed moves as moves of the method's puzzle."""
        moves = self.allowed(self.own_puzzle(puzzle))
        if self.view is None:
            return moves
        return tuple(puzzle.move(move.family, move.amount) for move in moves)

    # The methods below take the puzzle that the phase searches.

    def allowed(self, puzzle: Puzzle) -> tuple[Move, ...]:
        """Return the allowed moves in search order (see `Puzzle.searched`)."""
        return puzzle.named_moves(self.moves)

    def kept(self, puzzle: Puzzle) -> tuple[Move, ...]:
        """Return the goal moves. Each of them leads from every goal of the phase to a goal."""
        return puzzle.named_moves(self.goal_moves)

    def turnings(self, puzzle: Puzzle) -> tuple[Effect, ...]:
        """Return all effects that the goal turns generate, the identity first."""
        steps = [move.effect for move in puzzle.named_moves(self.goal_turns)]
        found = [puzzle.whole_rotations[0]]
        for turned in found:  # grows during the loop
            for step in steps:
                effect = compose(turned, step, puzzle.modulus)
                if effect not in found:
                    found.append(effect)
        return tuple(found)

    def goal_states(self, puzzle: Puzzle) -> tuple[bytes, ...]:
        """Return the solved state after each of the `turnings`; empty without goal turns."""
        if not self.goal_turns:
            return ()
        return tuple(act(puzzle.solved, *each, puzzle.modulus) for each in self.turnings(puzzle))


def _changes_both(
    one: Sequence[Coordinate], other: Sequence[Coordinate], move: Move, guarded: GuardedMoves | None
) -> bool:
    """Return whether a move may change coordinates of both lists.

    A move that exchanges the guarding piece with another piece changes the coordinates that
    describe one of these two pieces.
    """
    changed = {j for j, source in enumerate(move.gather) if source != j or move.add[j]}
    if any(all(changed.isdisjoint(each.reads) for each in own) for own in (one, other)):
        return False
    if guarded is None or any(move.add):
        return True
    places = {guarded.byte + move.guard_before, guarded.byte + move.guard_after}
    looked_at = [frozenset().union(*(each.looks_at for each in own)) for own in (one, other)]
    apart = not looked_at[0] & looked_at[1]
    return changed != places or not apart or guarded.label in looked_at[0] | looked_at[1]
