"""Make a phase for an effect: its coordinates and its pruning tables.

Finding sequences with an effect is the same as solving a state. Suppose that the effect brings a
piece from place a to place b. In the state to solve, the piece whose home is b is at place a.
Pieces that do not matter may be anywhere. A sequence has the effect if and only if it brings all
pieces that matter home.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import prod
from typing import NamedTuple

from puzzlekit import (
    Combination,
    Coordinate,
    Move,
    Orientation,
    Permutation,
    Phase,
    Pieces,
    Plain,
    Puzzle,
)
from puzzlekit.coordinates.grouping import coverings, groups, some_pieces, titled
from puzzlekit.engine.ranks import MAX_COORDINATES
from puzzlekit.engine.space import MAX_TABLES
from puzzlekit.puzzle.groups import Part, parts_of
from puzzlekit.tables.move_table import MOST_ENTRIES
from puzzlekit_lab.sequences.possible import Whole, completed
from puzzlekit_lab.sequences.wanted import Wanted


class Aim(NamedTuple):
    """A phase whose answers for the state `start` have the wanted effect.

    `exact` is False if the effect needs more coordinates than the engine supports. Then some of the
    answers do not have the effect, but all sequences with the effect are among the answers.
    """

    phase: Phase
    start: bytes
    exact: bool


def aim(puzzle: Puzzle, moves: Sequence[Move], wanted: Wanted, entries: int, memory: int) -> Aim:
    """Return a phase and a start. The answers for the start are the sequences with an effect.

    Parameters
    ----------
    puzzle
        The puzzle.
    moves
        The allowed moves.
    wanted
        The effect.
    entries
        The largest number of entries of a pruning table.
    memory
        The largest number of bytes of all pruning tables. The tables are larger than this if
        smaller tables cannot cover every piece that the effect mentions.

    Raises
    ------
    StateError
        If no sequence of moves of the puzzle can have the effect.
    NoSolutionError
        If sums of orientations or parities show that no sequence of `moves` has the effect.
    """
    parts = parts_of(puzzle, moves)
    whole = completed(puzzle, moves, parts, wanted)
    coordinates: list[Coordinate] = []
    for part in parts:
        most = MOST_ENTRIES // len(moves)
        coordinates += _coordinates(puzzle, part, wanted, whole.places[part.orbit.name], most)
    if not coordinates:  # nothing matters: one value, always at the goal
        orbit = puzzle.orbits[0]
        coordinates.append(Combination("anything", puzzle, orbit.name))
    exact = len(coordinates) <= MAX_COORDINATES
    if not exact:  # drop the smallest coordinates, which prune least
        largest = sorted(coordinates, key=lambda each: -each.size)[:MAX_COORDINATES]
        coordinates = [each for each in coordinates if each in largest]
    phase = Phase(
        name="find",
        goal="the effect",
        moves=" ".join(f"{move.family}{move.amount}" for move in moves),
        coordinates=tuple(coordinates),
        tables=tuple(_tables(coordinates, entries, memory)),
    )
    return Aim(phase, _start(puzzle, whole), exact)


def _start(puzzle: Puzzle, whole: Whole) -> bytes:
    """Return the state that an effect solves. Orbits with equal pieces are left solved."""
    start = bytearray(puzzle.solved)
    for orbit in puzzle.orbits:
        if not orbit.distinct:
            continue
        at = puzzle.offsets[orbit.name]
        for home, place in enumerate(whole.places[orbit.name]):
            start[at + home] = orbit.solved[place]
            if orbit.orientations > 1:
                start[at + orbit.size + home] = -whole.turns[orbit.name][home] % orbit.orientations
    return bytes(start)


def _coordinates(
    puzzle: Puzzle, part: Part, wanted: Wanted, going: list[int], most: int
) -> Iterator[Coordinate]:
    """Yield coordinates of at most `most` values each.

    A sequence has the effect if all coordinates are at a goal after it.
    """
    orbit, homes = part.orbit, part.homes
    places, turns = wanted.places[orbit.name], wanted.turns[orbit.name]
    if len(homes) == 1 and not part.turned:
        return
    if not orbit.distinct:
        yield from coverings(puzzle, part, places)
        return
    turning = [home for home in homes if part.turned and turns[home] is not None]
    placed = [home for home in homes if places[home] is not None]
    counted = len(homes) - part.summed
    if len(turning) == len(homes) and orbit.orientations**counted <= most:
        name = titled(part, "orientation", homes)
        yield Orientation(name, puzzle, orbit.name, part.names, part.summed)
        turning = []
    both = [home for home in placed if home in turning]
    for group in groups(both, len(homes), orbit.orientations, most):
        yield some_pieces(Pieces, puzzle, part, [going[home] for home in group])
    only_placed = [home for home in placed if home not in turning]
    for group in groups(only_placed, len(homes), 1, most):
        yield some_pieces(Permutation, puzzle, part, [going[home] for home in group])
    only_turned = [home for home in turning if home not in placed]
    for group in groups(only_turned, len(homes), orbit.orientations, most):
        own = [going[home] for home in group]
        name, pieces = titled(part, "turns", own), part.named(own)
        yield Pieces(name, puzzle, orbit.name, pieces, part.names, oriented=True)


def _tables(coordinates: Sequence[Coordinate], entries: int, memory: int) -> Iterator[Plain]:
    """Yield pruning tables over products of coordinates, the largest first.

    Each table has at most `entries` entries, and no further coordinate fits into it. All tables
    together take at most `memory` bytes. A coordinate that is in none of these tables gets a table
    of its own.
    """
    products = {
        frozenset(group): prod(each.size for each in group)
        for count in (1, 2, 3)
        for group in combinations(coordinates, count)
    }
    fitting = {group for group, size in products.items() if size <= entries}
    maximal = [group for group in fitting if not any(group < other for other in fitting)]
    order = coordinates.index
    maximal.sort(key=lambda group: (-products[group], sorted(map(order, group))))
    chosen: list[frozenset[Coordinate]] = []
    for group in maximal[:MAX_TABLES]:
        memory -= products[group] // 2
        if memory >= 0:
            chosen.append(group)
    covered = frozenset().union(*chosen)
    chosen += [frozenset([each]) for each in coordinates if each not in covered]
    for group in chosen[:MAX_TABLES]:
        yield Plain(" ".join(each.name for each in sorted(group, key=order)))
