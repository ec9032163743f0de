"""The views of a puzzle: its symmetries, as permutations of the inputs of a network."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from puzzlekit.search.directions import Direction, sides
from puzzlekit_beam.symmetries import sides_of
from puzzlekit_lab.arrays import StateArrays

Indices = NDArray[np.intp]


def directions(arrays: StateArrays) -> list[Direction]:
    """Return the directions from which a state looks like another one that is as far from solved.

    The whole puzzle is seen from another side. The identity comes first.

    >>> import puzzlekit
    >>> [len(directions(StateArrays(puzzlekit.load(name)))) for name in ("cube3", "fto", "eight")]
    [24, 12, 1]
    """
    puzzle, moves = arrays.puzzle, list(arrays.first)
    if arrays.restricted:
        identity = puzzle.whole_rotations[0]
        return [Direction(identity, identity, {move: move for move in moves}, False)]
    costs = arrays.costs.tolist()
    found = list(sides(puzzle, moves))
    if len(found) == 1:  # a definition file tells nothing of rotations
        found = sides_of(puzzle, moves, costs)
    price = dict(zip(moves, costs, strict=True))
    return [each for each in found if all(price[m] == price[n] for m, n in each.back.items())]


class Views:
    """Chooses the view of each state that a network sees, the same one for all images of a state.

    An input is a column: a piece, in an orientation, at a place. A view permutes the columns, so
    no image is ever made. The view with the least columns at a few places is seen.

    Parameters
    ----------
    columns
        For each view and each column of a state, the column of the image.
    places
        For each view, the places in a state of the pieces that decide.
    moves
        For each view and each move of a state, the number of the move of the image.
    """

    def __init__(self, columns: Indices, places: Indices, moves: Indices) -> None:
        self._width = columns.shape[1]
        self._columns = columns.reshape(-1)
        self._first = (np.arange(len(columns)) * self._width)[:, None]
        self._places = places
        self.moves = moves

    def __len__(self) -> int:
        return len(self.moves)

    def choose(self, columns: Indices) -> tuple[Indices, Indices]:
        """Return the columns of the views to see, and the number of each state's view."""
        keys = np.zeros((len(self), columns.shape[1]), dtype=np.intp)
        for places in self._places.T:
            keys *= self._width
            keys += self._columns.take(columns[places] + self._first)
        chosen = keys.argmin(axis=0)
        return self._columns.take(columns + chosen * self._width), chosen
