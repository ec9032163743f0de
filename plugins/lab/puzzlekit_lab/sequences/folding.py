"""Group sequences that are equal up to inversion and symmetry."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit import Metric, Move, Puzzle
from puzzlekit.puzzle.move import invert
from puzzlekit.puzzle.symmetry import symmetries

Path = tuple[int, ...]


class Folding:
    """Groups sequences of moves into classes.

    Two sequences are in the same class if a symmetry, an inversion or a change of order maps one to
    the other. The symmetries are the rotations and reflections that permute the moves and keep
    their costs. A change of order exchanges neighbouring moves that commute.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> folding = Folding(cube, cube.family_moves("RUF"), cube.metric("HTM"))
    >>> folding.representative((0, 3)) == folding.representative((8, 5))  # R U and F' U'
    True
    """

    def __init__(self, puzzle: Puzzle, moves: Sequence[Move], metric: Metric) -> None:
        costs = [metric.cost(move) for move in moves]
        self._images = [
            row
            for row in symmetries(puzzle, moves)
            if all(costs[image] == cost for image, cost in zip(row, costs, strict=True))
        ]
        number = {move.effect: i for i, move in enumerate(moves)}
        undone = [number.get(invert(move.effect, puzzle.modulus)) for move in moves]
        self._undone = [each for each in undone if each is not None]
        self._can_be_undone = len(self._undone) == len(moves) and all(
            costs[image] == cost for image, cost in zip(self._undone, costs, strict=True)
        )
        self._commute = [[puzzle.commute(one, other) for other in moves] for one in moves]

    def representative(self, path: Path) -> Path:
        """Return the lexicographically first sequence of indices in the class of `path`."""
        paths = [path]
        if self._can_be_undone:
            paths.append(tuple(self._undone[move] for move in reversed(path)))
        return min(
            self.normal(tuple(row[move] for move in each)) for row in self._images for each in paths
        )

    def normal(self, path: Path) -> Path:
        """Return the lexicographically first sequence that changes of order make of `path`."""
        left = list(path)
        found = []
        while left:
            # A move can come first if it commutes with all moves before it.
            movable = [
                i
                for i, move in enumerate(left)
                if all(self._commute[move][before] for before in left[:i])
            ]
            found.append(left.pop(min(movable, key=left.__getitem__)))
        return tuple(found)
