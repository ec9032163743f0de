"""From an effect to a phase: which coordinates tell it, which pruning tables are over them.

Finding sequences with an effect is solving: a state is made in which every piece that matters is
where the sequence has to fetch it, so that whatever brings all of them home has the effect.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import perm, prod
from typing import NamedTuple

from puzzlekit.analysis.reach import Part, Whole, completed, parts_of
from puzzlekit.analysis.wanted import Choices, Wanted
from puzzlekit.coordinate.base import Coordinate
from puzzlekit.coordinate.kinds import Combination, Orientation, Permutation
from puzzlekit.coordinate.pieces import Covering, Pieces
from puzzlekit.engine.ranks import MAX_COORDINATES
from puzzlekit.engine.space import MAX_TABLES
from puzzlekit.phase.declaration import Phase, PruningTable
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.tables.move_table import MOST_ENTRIES


class Aim(NamedTuple):
    """A phase whose every answer from the state `start` has the effect that is wanted.

    But where more has to be looked at than the engine has room for, it is `exact` no more: some of
    the answers have the effect, and all that have it are among them.
    """

    phase: Phase
    start: bytes
    exact: bool


def aim(puzzle: Puzzle, moves: Sequence[Move], wanted: Wanted, entries: int, memory: int) -> Aim:
    """The phase and the start for an effect, with pruning tables of so many entries at most.

    `memory` (bytes) is for all of them together; but each piece that matters is in one.

    Raises a StateError where no sequence can have the effect, a NoSolutionError where none of these
    moves can, as far as that is known beforehand.
    """
    parts = parts_of(puzzle, moves)
    whole = completed(puzzle, moves, parts, wanted)
    coordinates: list[Coordinate] = []
    for part in parts:
        most = MOST_ENTRIES // len(moves)
        coordinates += _coordinates(puzzle, part, wanted, whole.places[part.orbit.name], most)
    if not coordinates:  # nothing to look at: one value, always at the goal
        orbit = puzzle.orbits[0]
        coordinates.append(Combination("anything", puzzle, orbit.name))
    exact = len(coordinates) <= MAX_COORDINATES
    if not exact:  # the smallest tell least
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
    """The state that an effect solves; solved where pieces are alike."""
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
    """Coordinates of at most so many values that are all at a goal just where the effect is had."""
    orbit, homes = part.orbit, part.homes
    places, turns = wanted.places[orbit.name], wanted.turns[orbit.name]
    if len(homes) == 1 and not part.turned:
        return
    if not orbit.distinct:
        yield from _coverings(puzzle, part, places)
        return
    turning = [home for home in homes if part.turned and turns[home] is not None]
    placed = [home for home in homes if places[home] is not None]
    counted = len(homes) - part.summed
    if len(turning) == len(homes) and orbit.orientations**counted <= most:
        name = f"orientation:{_short(part.named(homes))}"
        yield Orientation(name, puzzle, orbit.name, part.names, part.summed)
        turning = []
    both = [home for home in placed if home in turning]
    for group in _groups(both, len(homes), orbit.orientations, most):
        yield _pieces(Pieces, "pieces", puzzle, part, [going[home] for home in group])
    only_placed = [home for home in placed if home not in turning]
    for group in _groups(only_placed, len(homes), 1, most):
        yield _pieces(Permutation, "places", puzzle, part, [going[home] for home in group])
    only_turned = [home for home in turning if home not in placed]
    for group in _groups(only_turned, len(homes), orbit.orientations, most):
        pieces = part.named([going[home] for home in group])
        name = f"turns:{_short(pieces)}"
        yield Pieces(name, puzzle, orbit.name, pieces, part.names, oriented=True)


def _pieces(
    kind: type[Permutation], what: str, puzzle: Puzzle, part: Part, homes: list[int]
) -> Permutation:
    pieces = part.named(sorted(homes))
    return kind(f"{what}:{_short(pieces)}", puzzle, part.orbit.name, pieces, part.names)


def _short(names: str) -> str:
    """Some names as part of the name of a file."""
    listed = names.split()
    return ",".join(listed if len(listed) <= 4 else [*listed[:2], "...", listed[-1]])


def _groups(homes: list[int], places: int, orientations: int, most: int) -> Iterator[list[int]]:
    """Pieces in groups of much the same size, each with at most so many values together."""
    size = 1
    while size < places and perm(places, size + 1) * orientations ** (size + 1) <= most:
        size += 1
    count = -(-len(homes) // size)
    for i in range(count):
        yield homes[i * len(homes) // count : (i + 1) * len(homes) // count]


def _coverings(puzzle: Puzzle, part: Part, places: Choices) -> Iterator[Coordinate]:
    """One coordinate for each colour of alike pieces."""
    orbit, homes = part.orbit, part.homes
    taken = {places[home] for home in homes}
    open_places = part.named([home for home in homes if home not in taken])
    colours: dict[int, list[int]] = {}
    for home in homes:
        colours.setdefault(orbit.solved[home], []).append(home)
    if all(places[home] is not None for home in homes):
        colours.popitem()  # the last one is where no other is
    for alike in colours.values():
        covered = [place for home in alike if (place := places[home]) is not None]
        if covered and len(alike) < len(homes):
            first = orbit.places[alike[0]]
            yield Covering(
                f"like:{first}",
                puzzle,
                orbit.name,
                first,
                part.names,
                part.named(sorted(covered)),
                open_places if len(covered) < len(alike) else "",
            )


def _tables(coordinates: Sequence[Coordinate], entries: int, memory: int) -> Iterator[PruningTable]:
    """Pruning tables over products of coordinates to which no other could be added.

    The largest first, up to so many entries each and so much memory in all; each coordinate that is
    then in none gets a table of its own.
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
        yield PruningTable(" ".join(each.name for each in sorted(group, key=order)))
