"""The condition that some moves alone can solve the puzzle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import factorial, prod

import attrs

from puzzlekit.coordinates.coordinate import Coordinate
from puzzlekit.coordinates.kinds import Combination, Permutation
from puzzlekit.coordinates.products import with_goals
from puzzlekit.errors import UsageError
from puzzlekit.puzzle.move import Effect, Move, compose, invert
from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.orientation import in_any_orientation
from puzzlekit.puzzle.part import Part, parts_of
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.search.goals.condition import Condition, Need, Test
from puzzlekit.search.goals.move_group import MoveGroup
from puzzlekit.search.goals.selected import across, is_carried

_MOST_ORDERS = 50_000  # of the pieces of a part, listed one by one


@attrs.frozen
class SolvableBy(Condition):
    """Some moves alone can solve the puzzle.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3")
    >>> half = puzzlekit.Goal("half", conditions=(SolvableBy("U2 D2 R2 L2 F2 B2"),))
    >>> cube.solve("R2 U2 F", goal=half).length
    1
    """

    word = "solvable-by"

    #: The moves, such as "U2 R2 F2". A quarter turn includes its powers.
    moves: str

    @property
    def words(self) -> str:
        """The condition in words."""
        return f"solvable by {self.moves}"

    def group(self, puzzle: Puzzle) -> MoveGroup:
        """Return the group of the moves. It leads from the solved state to the states at the goal.

        Raises UsageError if the states at the goal form no group.
        """
        return _group(puzzle, self.moves)

    def test(self, puzzle: Puzzle) -> Test:
        """Return a function that tests a state."""
        group = self.group(puzzle)
        return in_any_orientation(puzzle, self.solving_moves(puzzle), group.reaches)

    def solving_moves(self, puzzle: Puzzle) -> tuple[Move, ...]:
        """Return these moves."""
        return _moves(puzzle, self.moves)

    def needs(self, puzzle: Puzzle) -> Sequence[Need]:
        """Return the pieces that these moves never turn, and those that they never move."""
        return [
            Need(part.orbit, home, part.still, not part.turned)
            for part in parts_of(puzzle, _moves(puzzle, self.moves))
            for home in part.homes
            if part.still or not part.turned
        ]

    def matters(self, puzzle: Puzzle) -> Iterable[tuple[Orbit, int]]:
        """Return all pieces."""
        return [(orbit, home) for orbit in puzzle.orbits for home in range(orbit.size)]

    def coordinates(self, puzzle: Puzzle, moves: Sequence[Move]) -> Iterator[Coordinate]:
        """Yield coordinates for the places within which the moves keep pieces."""
        own = _moves(puzzle, self.moves)
        kept = [part for part in parts_of(puzzle, own) if part.orbit.distinct]
        for part in parts_of(puzzle, moves):
            # Pieces of other blocks may reach their places from outside this part.
            blocks = [
                [*each.homes]
                for each in kept
                if each.orbit is part.orbit and {*each.homes} <= {*part.homes}
            ]
            if part.still or not blocks:
                continue
            orders = _orders(puzzle, part, own)
            if orders and len(orders) < prod(factorial(len(block)) for block in blocks):
                name = f"{part.orbit.name}-solvable:{part.orbit.places[part.homes[0]]}"
                given = name, puzzle, part.orbit.name, part.names, part.names
                yield _aimed(Permutation(*given), part, orders)
                continue
            # If the part has no other places, the last block has those that the others leave.
            several = sum(map(len, blocks)) == len(part.homes)
            for block in blocks[several:]:
                named = part.named(block)
                name = f"{part.orbit.name}-within:{','.join(named.split())}"
                yield Combination(name, puzzle, part.orbit.name, named, part.names)
        yield from across(puzzle, kept, moves)

    def is_kept(self, puzzle: Puzzle, effect: Effect) -> bool:
        """Whether the effect, the moves and its inverse do the same as some of the moves."""
        group, modulus = _group(puzzle, self.moves), puzzle.modulus
        if not is_carried(puzzle, effect, self.matters(puzzle)):
            return False
        back = invert(effect, modulus)
        return all(
            group.contains(compose(compose(back, move.effect, modulus), effect, modulus))
            for move in _moves(puzzle, self.moves)
        )


def _moves(puzzle: Puzzle, text: str) -> tuple[Move, ...]:
    found = puzzle.moves(text.replace(",", " "))
    if not found:
        raise UsageError("solvable-by: name the moves, such as solvable-by:U2,R2")
    return found


@lru_cache(maxsize=64)
def _group(puzzle: Puzzle, text: str) -> MoveGroup:
    if puzzle.restricted:
        raise UsageError(
            f"solvable-by cannot be used for {puzzle.name}, because its moves are not always "
            "possible"
        )
    group = MoveGroup(puzzle, ())
    moves = _moves(puzzle, text)
    for move in moves:
        if not group.keeps_looks(move.effect):
            raise UsageError(
                f"solvable-by:{move.name} cannot be used for {puzzle.name}, because {move.name} "
                "exchanges pieces that look different with pieces that look alike"
            )
    return MoveGroup(puzzle, moves)


def _orders(puzzle: Puzzle, part: Part, moves: Sequence[Move]) -> list[tuple[int, ...]]:
    """Return the orders of the pieces of a part that moves reach.

    The result is empty if the moves exchange pieces of the part with other pieces, or if the part
    has too many orders.
    """
    start = puzzle.offsets[part.orbit.name]
    sources = [[move.gather[start + home] - start for home in part.homes] for move in moves]
    if factorial(len(part.homes)) > _MOST_ORDERS or any(
        {*each} != {*part.homes} for each in sources
    ):
        return []
    rows = [[part.homes.index(home) for home in each] for each in sources]
    found = {part.homes: None}
    fresh = [part.homes]
    for order in fresh:  # grows during the loop
        for row in rows:
            after = tuple(order[i] for i in row)
            if after not in found:
                found[after] = None
                fresh.append(after)
    return fresh


def _aimed(coordinate: Permutation, part: Part, orders: Sequence[tuple[int, ...]]) -> Coordinate:
    """Return a coordinate over all pieces of a part whose goal values are some orders."""
    start = coordinate.puzzle.offsets[part.orbit.name]
    values = {
        int(
            coordinate.rank(
                {
                    start + place: part.orbit.solved[home]
                    for place, home in zip(part.homes, order, strict=True)
                }
            )
        )
        for order in orders
    }
    return with_goals(coordinate, tuple(sorted(values)))
