"""For the tests: sliding tiles as the engine sees them, made by hand from nothing but arrays."""

from __future__ import annotations

from array import array
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from puzzlekit.engine.inputs import CoordinateInput, TableInput

INSTANCES = Path(__file__).parents[1] / "benchmarks" / "data" / "instances"


class Instance(NamedTuple):
    """An instance of Korf (1985): tiles by place, 0 the blank, and the optimal length."""

    tiles: tuple[int, ...]
    length: int


def korf() -> dict[int, Instance]:
    """The 100 instances by number."""
    found = {}
    for board, (number, _, length, _) in published("15-puzzle.txt").items():
        found[number] = Instance(tuple(map(int, board.split())), length)
    return found


def published(name: str) -> dict[str, list[int]]:
    """The boards of a file of instances, each with the numbers after it."""
    lines = (INSTANCES / name).read_text(encoding="utf-8").splitlines()
    boards = (line.partition("#") for line in lines if not line.startswith("#"))
    return {board.strip(): [*map(int, numbers.split())] for board, _, numbers in boards}


class Tiles:
    """A board with the goal 0 1 2 ...: the blank goes up, left, right or down.

    `moves` are (blank before, blank after), each an exchange of two neighbouring places.
    """

    def __init__(self, rows: int, columns: int) -> None:
        self.places = rows * columns
        self.moves = []
        for place in range(self.places):
            row, column = divmod(place, columns)
            for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0)):
                if 0 <= row + down < rows and 0 <= column + right < columns:
                    self.moves.append((place, place + down * columns + right))
        self.columns = columns

    @cached_property
    def automaton(self) -> list[list[tuple[int, int]]]:
        """States are the blank's places, then (each move just done); what undoes it is left out."""
        every: list[list[tuple[int, int]]] = []
        for place in range(self.places):
            every.append(
                [
                    (m, self.places + m)
                    for m, (before, _) in enumerate(self.moves)
                    if before == place
                ]
            )
        for before, after in self.moves:
            every.append([each for each in every[after] if self.moves[each[0]][1] != before])
        return every

    @cached_property
    def tile_moves(self) -> array[int]:
        """Where a tile at each place is after each move."""
        table = array("H")
        for place in range(self.places):
            for ends in self.moves:
                table.append(ends[1 - ends.index(place)] if place in ends else place)
        return table

    def distance(self, place: int, goal: int) -> int:
        """How many moves a tile has to make at least."""
        (row, column), (to_row, to_column) = (divmod(x, self.columns) for x in (place, goal))
        return abs(row - to_row) + abs(column - to_column)

    def manhattan(self, engine: Any, groups: tuple[int, ...] | None = None, **changes: Any) -> Any:
        """The space of one table for each tile, in one group unless otherwise given."""
        tiles = range(1, self.places)
        coordinates = [CoordinateInput(self.places, self.tile_moves, (tile,)) for tile in tiles]
        tables = [
            TableInput(
                (tile - 1,), 8, bytes(self.distance(place, tile) for place in range(self.places))
            )
            for tile in tiles
        ]
        costs = [1] * len(self.moves)
        groups = (len(tables),) if groups is None else groups
        return engine.Space(costs, self.automaton, coordinates, tables, groups=groups, **changes)

    def start(self, search: Any, tiles: tuple[int, ...], limit: int = 1 << 20) -> None:
        """Set a search on a board."""
        values = [tiles.index(tile) for tile in range(1, self.places)]
        search.start(values, limit, tiles.index(0))
