"""What parities decide: whether the cost of an answer is even, and how many states are reachable.

A part is a set of places that exchange pieces. A move permutes the pieces of each part evenly or
oddly, and changes the sum of their orientations by an even or odd number. Suppose that the sum of
some of these parities equals, for every move, the parity of the move's cost. Then a state
determines the parity of the cost of every answer, and a search skips all bounds of the other
parity.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import factorial, prod
from typing import NamedTuple

from puzzlekit.coordinates.coordinate import Coordinate
from puzzlekit.coordinates.products import plain_coordinates
from puzzlekit.puzzle.groups import Part, moved_parts
from puzzlekit.puzzle.move import Effect, Move, permutation_parity
from puzzlekit.puzzle.puzzle import Puzzle

__all__ = ["cost_signs", "known_at_goal", "reachable", "reduced"]


class Sign(NamedTuple):
    """A parity of a part: of the permutation of its pieces, or of the sum of their orientations.

    A part is a set of places that exchange pieces.
    """

    part: Part
    turns: bool

    def bytes_of(self, puzzle: Puzzle) -> list[int]:
        """Return the indices of the bytes of a state on which the parity depends."""
        start = puzzle.offsets[self.part.orbit.name] + self.turns * self.part.orbit.size
        return [start + home for home in self.part.homes]

    def of_effect(self, puzzle: Puzzle, effect: Effect) -> int:
        """Return the parity of the effect of moves: 0 or 1."""
        own = self.bytes_of(puzzle)
        gather, add = effect
        if self.turns:
            return sum(add[j] for j in own) % 2
        return permutation_parity([own.index(gather[j]) for j in own])

    def of_state(self, puzzle: Puzzle, state: bytes) -> int:
        """Return the parity of a state: 0 or 1. Raise ValueError if the state is impossible."""
        own = self.bytes_of(puzzle)
        if self.turns:
            return sum(state[j] for j in own) % 2
        solved = [puzzle.solved[j] for j in own]
        return permutation_parity([solved.index(state[j]) for j in own])


def cost_signs(
    puzzle: Puzzle, moves: Sequence[Move], costs: Sequence[int], coordinates: Sequence[Coordinate]
) -> tuple[Sign, ...] | None:
    """Return signs whose sum modulo 2 is the parity of every answer's cost; None if none exist.

    A sign is a parity of the pieces of a part. Only signs whose value at the goal follows from the
    goals of `coordinates` are used.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> corners = puzzlekit.Permutation("corners", cube, "corners")
    >>> quarter_turns = cube.moves("R R' U U'")
    >>> len(cost_signs(cube, quarter_turns, [1, 1, 1, 1], [corners]) or ())
    1
    """
    known = known_at_goal(coordinates)
    signs = []
    for part in moved_parts(puzzle, moves):
        distinct = len({part.orbit.solved[home] for home in part.homes}) == len(part.homes)
        signs += [Sign(part, turns=False)] if distinct and not part.still else []
        even = part.orbit.orientations % 2 == 0
        signs += [Sign(part, turns=True)] if even and part.turned and not part.summed else []
    signs = [sign for sign in signs if known.issuperset(sign.bytes_of(puzzle))]
    # Linear equations over GF(2), one for each move. The high bits of a number are the parities of
    # all moves. The low bits are the signs that are combined.
    basis: list[int] = []
    rows = [[sign.of_effect(puzzle, move.effect) for move in moves] for sign in signs]
    for i, row in enumerate(rows):
        rest = reduced(_bits(row) << len(signs) | 1 << i, basis)
        basis += [rest] if rest >> len(signs) else []
    chosen = reduced(_bits(costs) << len(signs), basis)
    if chosen >> len(signs):
        return None
    return tuple(sign for i, sign in enumerate(signs) if chosen >> i & 1)


def _bits(numbers: Sequence[int]) -> int:
    """Return a bit for each number: whether it is odd."""
    return sum((number & 1) << i for i, number in enumerate(numbers))


def reduced(bits: int, basis: Sequence[int]) -> int:
    """Reduce a vector of bits by a basis over the field with two elements.

    The items of the basis are used in the order in which they were added.
    """
    for each in basis:
        bits = min(bits, bits ^ each)
    return bits


def known_at_goal(coordinates: Sequence[Coordinate]) -> set[int]:
    """Return the indices of the bytes that equal those of the solved state at every goal."""
    possible: dict[int, frozenset[int]] = {}
    for each in plain_coordinates(coordinates):
        for byte, values in each.possible(each.goals[0]).items() if len(each.goals) == 1 else ():
            possible[byte] = possible.get(byte, values) & values
    solved = coordinates[0].puzzle.solved
    return {byte for byte, values in possible.items() if values == {solved[byte]}}


def reachable(puzzle: Puzzle, moves: Sequence[Move]) -> int:
    """Return an upper bound on the number of states that the moves reach.

    The bound is the number of arrangements that the parities allow. An arrangement is an order and
    orientation of the pieces within each part. A part is a set of places that exchange pieces.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> reachable(cube, cube.family_moves("URFDLB"))
    43252003274489856000
    """
    count = 1
    signs = []
    for part in moved_parts(puzzle, moves):
        size = len(part.homes)
        alike = Counter(part.orbit.solved[home] for home in part.homes)
        count *= factorial(size) // prod(map(factorial, alike.values()))
        if part.turned:
            count *= part.orbit.orientations ** (size - bool(part.summed))
        if len(alike) == size > 1:
            signs.append(Sign(part, turns=False))
    basis: list[int] = []
    for move in moves:
        row = sum(sign.of_effect(puzzle, move.effect) << i for i, sign in enumerate(signs))
        rest = reduced(row, basis)
        basis += [rest] if rest else []
    return count >> (len(signs) - len(basis))
