"""A kind of coordinate that puzzlekit does not have, and how a search runs it.

The first bead of some sits at one of n places: too few values for a file of its own.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import chain
from typing import Any

import attrs

from puzzlekit import Coordinate, TableStore
from puzzlekit.engine.inputs import CoordinateInput
from puzzlekit.search.runners import Runner


@attrs.frozen(slots=False, eq=False, repr=False)
class Seat(Coordinate):
    """At which place of the orbit a piece sits."""

    about = "at which place a piece sits"

    #: The place at which the piece is solved.
    piece: str = ""

    @property
    def size(self) -> int:
        """As many as there are places."""
        return self.orbit.size

    def rank(self, vector: Any) -> Any:
        """The number of the place."""
        label = self.orbit.solved[self.orbit.place(self.piece)]
        start = self.puzzle.offsets[self.orbit_name]
        return sum(i * (vector[start + i] == label) for i in range(self.orbit.size))


class SeatRunner(Runner, runs=Seat):
    """Runs a seat by a move table that is in no file."""

    is_ranked = False
    #: How many times it has made one: a test asks.
    made = 0

    def table_keys(self) -> list[Any]:
        """None are in a file."""
        return []

    def engine_input(
        self, store: TableStore, columns: Sequence[int], times: int, carried: Sequence[int]
    ) -> CoordinateInput:
        """The place after each move, from each place."""
        SeatRunner.made += 1
        seat = self.coordinate
        moves = [self.moves[column] for column in columns]
        known = [seat.unrank(value) for value in range(seat.size)]
        rows = [[seat.rank(seat.after(each, move)) for move in moves] * times for each in known]
        return CoordinateInput(seat.size, array("H", chain.from_iterable(rows)), seat.goals)
