"""For the tests: small spaces with a sym coordinate, and the same without symmetry."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from flat_distances import build_distances
from resolving import resolve

import puzzlekit
from puzzlekit import (
    Combination,
    Coordinate,
    Metric,
    Move,
    Orientation,
    Permutation,
    Phase,
    PruningTable,
    Puzzle,
)
from puzzlekit.coordinates.products import SymCoordinate
from puzzlekit.search.resolved import ResolvedPhase
from puzzlekit.tables.classes import Classes, SymNeeds
from puzzlekit_cubes import Parity

Array = npt.NDArray[Any]

CUBE2, CUBE3 = puzzlekit.load("cube2"), puzzlekit.load("cube3")
STORE = CUBE3.store
ALL = "U R F D L B"
KEEPING = "U D R2 F2 L2 B2"  # the moves of the second phase of the Two-Phase algorithm
MIDDLE = "BL BR FR FL"
OUTER = "UB UR UF UL DB DR DF DL"

_cube3 = CUBE3.puzzle
FLIP = Orientation("flip", _cube3, "edges")
SLICE = Combination("slice", _cube3, "edges", MIDDLE)
TWIST = Orientation("twist", _cube3, "corners")
TOP = Combination("top-corners", _cube3, "corners", "ULB UBR URF UFL")
TOP_EDGES = Combination("top-edges", _cube3, "edges", "UB UR UF UL", OUTER)
PLACED = Permutation("middle", _cube3, "edges", MIDDLE, MIDDLE)
THREE = Permutation("three", _cube3, "edges", "UF UR FR")  # the edges of one corner
OPPOSITE = Permutation("opposite", _cube3, "corners", "URF DBL")
CORNERS = Permutation("corners", _cube3, "corners")
EIGHT = Permutation("eight", CUBE2.puzzle, "corners")
ODD = Parity("odd", CUBE2.puzzle, "corners")
FREE = "ULB UBR URF UFL DRB DFR DLF"  # the corners of a 2x2x2 that U, R and F turn
TWO = Permutation("two", CUBE2.puzzle, "corners", "ULB UBR", FREE)
ONE = Permutation("one", CUBE2.puzzle, "corners", "DLF", FREE)


class Case(NamedTuple):
    """A space: parts of a sym coordinate, its partners, moves, and what is declared of classes."""

    puzzle: Puzzle
    parts: tuple[Coordinate, ...]
    partners: tuple[Coordinate, ...]
    moves: str
    symmetries: int
    classes: int
    metric: str = "HTM"
    goal_moves: str = ""

    @property
    def sym(self) -> SymCoordinate:
        """The sym coordinate."""
        orbit = self.parts[0].orbit_name
        return SymCoordinate("sym", self.puzzle, orbit, self.parts, self.classes, self.symmetries)

    @property
    def allowed(self) -> tuple[Move, ...]:
        """The moves."""
        return self.phase("").allowed(self.puzzle)

    @property
    def kept(self) -> tuple[Move, ...]:
        """The goal moves."""
        return self.phase("").kept(self.puzzle)

    @property
    def measure(self) -> Metric:
        """The metric."""
        return self.puzzle.metric(self.metric)

    @property
    def costs(self) -> list[int]:
        """The cost of each move."""
        return [self.measure.cost(move) for move in self.allowed]

    def phase(self, *tables: str | PruningTable, bits: int = 4) -> Phase:
        """A phase over sym coordinate and partners; "" stands for no table."""
        kept = tuple(table for table in tables if table)
        coordinates = (self.sym, *self.partners)
        moves, goal_moves = self.moves, self.goal_moves
        return Phase("p", "g", moves, coordinates, kept, bits=bits, goal_moves=goal_moves)

    def plain(self, *tables: str | PruningTable, bits: int = 4) -> Phase:
        """The same phase with the parts in place of the sym coordinate."""
        coordinates = (*self.parts, *self.partners)
        moves, goal_moves = self.moves, self.goal_moves
        return Phase("p", "g", moves, coordinates, tables, bits=bits, goal_moves=goal_moves)

    def needs(self) -> SymNeeds:
        """What its classes need, with all partners."""
        return SymNeeds(self.sym, self.partners, self.allowed, self.costs, self.kept)

    def classes_of(self) -> Classes:
        """Its classes."""
        return Classes(STORE, self.needs())

    def phase_needs(self, phase: Phase) -> ResolvedPhase:
        """What a phase of its needs."""
        return resolve(self.puzzle, phase, self.measure)


CASES = {
    "16 symmetries": Case(_cube3, (TOP,), (PLACED, TOP_EDGES), KEEPING, 16, 14),
    "quarter turns": Case(_cube3, (TOP,), (PLACED, TOP_EDGES), KEEPING, 16, 14, "QTM"),
    "two parts": Case(_cube3, (TOP, PLACED), (TOP_EDGES,), KEEPING, 16, 180),
    "18 moves": Case(_cube3, (SLICE,), (TWIST,), ALL, 16, 45),
    "18 moves, quarter turns": Case(_cube3, (SLICE,), (TWIST,), ALL, 16, 45, "QTM"),
    "6 symmetries": Case(_cube3, (THREE,), (OPPOSITE,), ALL, 6, 234),
    "48 symmetries": Case(CUBE2.puzzle, (EIGHT,), (), ALL, 48, 984),
    "48 symmetries, quarter turns": Case(CUBE2.puzzle, (EIGHT,), (), ALL, 48, 984, "QTM"),
    "several goals": Case(_cube3, (TOP,), (PLACED, TOP_EDGES), KEEPING, 4, 29, goal_moves="R2 F2"),
    "goals of half turns": Case(
        _cube3, (TOP,), (TOP_EDGES,), KEEPING, 16, 14, "QTM", "U2 D2 R2 F2 L2 B2"
    ),
    "half of it out of reach": Case(CUBE2.puzzle, (EIGHT,), (ODD,), ALL, 48, 984),
    "1 symmetry": Case(CUBE2.puzzle, (TWO,), (ONE,), "U R F", 1, 42),
}


@cache
def distances(name: str, partners: int) -> Array:
    """The distance of every value of the parts and of some partners, without symmetry.

    Shape (values of the parts together, values of each partner).
    """
    case = CASES[name]
    coordinates = [*case.parts, *case.partners[:partners]]
    found = build_distances(STORE, coordinates, case.allowed, case.costs, case.kept)
    return found.reshape(case.sym.size, *(each.size for each in case.partners[:partners]))


def split(case: Case, class_of: Any) -> tuple[Array, Array]:
    """Class and symmetry of each value."""
    values = np.asarray(class_of).astype(np.int64)
    return values >> case.sym.shift, values & ((1 << case.sym.shift) - 1)


def representatives(case: Case, class_of: Any) -> Array:
    """For each class the value that no symmetry has to be applied to."""
    number, symmetry = split(case, class_of)
    found = np.flatnonzero(symmetry == 0)
    assert np.array_equal(number[found], np.arange(case.classes))
    return found


def entries(case: Case, partners: Sequence[Coordinate], fold: int, groups: int) -> Array:
    """For every value of the sym coordinate and of the partners the index of its entry.

    By the images that the engine is given, worked out here in NumPy. Where entries are folded,
    `groups` is how many there are in a row.
    """
    classes = case.classes_of()
    number, symmetry = split(case, classes.class_of)
    index = number.reshape(-1, *[1] * len(partners))
    for axis, partner in enumerate(partners):
        last = axis == len(partners) - 1
        image = np.asarray(classes.images(partner, fold if last else 1)).astype(np.int64)
        image = image.reshape(partner.size, 1 << case.sym.shift)[:, symmetry].T
        shape = [1] * (len(partners) + 1)
        shape[0], shape[axis + 1] = image.shape
        index = index * (groups if last else partner.size) + image.reshape(shape)
    return index


def unpacked(data: Any, bits: int) -> Array:
    """The entries of a pruning table."""
    flat = np.asarray(data).reshape(-1)
    if bits == 8:
        return flat
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    return ((flat[:, None] >> shifts) & ((1 << bits) - 1)).reshape(-1)
