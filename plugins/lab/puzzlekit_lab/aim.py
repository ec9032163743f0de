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

import attrs

from puzzlekit import (
    Combination,
    Coordinate,
    Move,
    NoSolutionError,
    Orientation,
    Permutation,
    Phase,
    Pieces,
    Plain,
    Puzzle,
    StateError,
)
from puzzlekit.engine.ranks import MAX_COORDINATES
from puzzlekit.engine.space import MAX_TABLES
from puzzlekit.puzzle.diagnose import diagnose
from puzzlekit.puzzle.groups import Part, parts_of
from puzzlekit.puzzle.move import permutation_parity
from puzzlekit.search.parity import reduced
from puzzlekit.tables.move_table import MOST_ENTRIES
from puzzlekit_definitions.grouping import coverings, groups, some_pieces, titled
from puzzlekit_lab.effects import Wanted


class Whole(NamedTuple):
    """An effect on all pieces: the target place and the turn of each piece of each orbit."""

    places: dict[str, list[int]]
    turns: dict[str, list[int]]


def completed(
    puzzle: Puzzle, moves: Sequence[Move], parts: Sequence[Part], wanted: Wanted
) -> Whole:
    """Return the wanted effect, extended by some effect on the free pieces.

    Only the sums of orientations and the parities are checked, so the result may still be
    impossible. Raises StateError if no moves of the puzzle can have the effect. Raises
    NoSolutionError if some moves of the puzzle can have the effect, but the given moves cannot.
    """
    whole = Whole(*({each.name: [0] * each.size for each in puzzle.orbits} for _ in range(2)))
    faults = []
    for part in parts:
        faults += _complete(part, wanted, whole)
    if not faults and _is_odd(puzzle, moves, parts, wanted, whole):
        faults.append("they cannot exchange only these pieces: the parity would be wrong")
    if not faults:
        return whole
    if (state := _state(puzzle, wanted)) is not None and (known := diagnose(puzzle, state)):
        raise StateError([f"no moves have this effect: {fault}" for fault in known])
    names = " ".join(move.name for move in moves)
    raise NoSolutionError(f"the moves {names} do not have this effect: {faults[0]}")


def _within(parts: Sequence[Part], wanted: Wanted) -> Wanted:
    """Return the wanted effect with alike pieces that go to places of their own part, if any do."""
    places = {name: [*row] for name, row in wanted.places.items()}
    for orbit in wanted.puzzle.orbits:
        own = [part.homes for part in parts if part.orbit is orbit]
        for label in {*orbit.solved} if not orbit.distinct else ():
            homes = [home for home in range(orbit.size) if orbit.solved[home] == label]
            going = {place for home in homes if (place := places[orbit.name][home]) is not None}
            paired: dict[int, int] = {}
            for part in own:
                ends = [place for place in part if place in going]
                paired |= dict(zip([home for home in homes if home in part], ends, strict=False))
            if {*paired.values()} == going:
                for home in homes:
                    places[orbit.name][home] = paired.get(home)
    return attrs.evolve(wanted, places=places)


def _complete(part: Part, wanted: Wanted, whole: Whole) -> list[str]:
    """Complete the effect on one part, and return the reasons in words if it is impossible."""
    orbit, base = part.orbit, part.orbit.orientations
    places, turns = wanted.places[orbit.name], wanted.turns[orbit.name]
    going, turning = whole.places[orbit.name], whole.turns[orbit.name]
    for home in part.homes:
        place = places[home]
        if place is not None and place not in part.homes:
            return [
                f"they do not bring {orbit.piece} {orbit.places[home]} to {orbit.places[place]}"
            ]
    taken = {places[home] for home in part.homes}
    left = [place for place in part.homes if place not in taken]
    for home in sorted(part.homes, key=lambda home: home not in left):
        place = places[home]
        if place is None:  # stay if possible
            place = home if home in left else left[0]
            left.remove(place)
        going[home] = place
        turning[home] = turns[home] or 0
    total = sum(turning[home] for home in part.homes) % base
    loose = [home for home in part.homes if turns[home] is None]
    if not part.turned:
        for home in part.homes:
            if turning[home]:
                return [f"they do not turn {orbit.piece} {orbit.places[home]}"]
    elif part.summed and total:
        if not loose:
            return [f"the turns of the {orbit.piece}s would not add up to 0"]
        turning[loose[0]] = -total % base
    return []


def _is_odd(
    puzzle: Puzzle, moves: Sequence[Move], parts: Sequence[Part], wanted: Wanted, whole: Whole
) -> bool:
    """Whether every product of the moves permutes the pieces with other parities than wanted.

    A part counts only if all its pieces differ and at most one of them is free.
    """
    fixed = []
    for part in parts:
        free = sum(wanted.places[part.orbit.name][home] is None for home in part.homes)
        if free < 2 and len({part.orbit.solved[home] for home in part.homes}) == len(part.homes):
            fixed.append(part)

    def parities(going: Sequence[Sequence[int]]) -> int:
        return sum(
            permutation_parity([part.homes.index(place) for place in row]) << i
            for i, (part, row) in enumerate(zip(fixed, going, strict=True))
        )

    basis: list[int] = []
    for move in moves:
        rows = []
        for part in fixed:
            start = puzzle.offsets[part.orbit.name]
            rows.append([move.gather[start + home] - start for home in part.homes])
        rest = reduced(parities(rows), basis)
        if rest:
            basis.append(rest)
    rows = [[whole.places[part.orbit.name][home] for home in part.homes] for part in fixed]
    return bool(reduced(parities(rows), basis))


def _state(puzzle: Puzzle, wanted: Wanted) -> bytes | None:
    """Return the solved state after an effect; None if a place or a turn is free."""
    state = bytearray(puzzle.solved)
    for orbit in puzzle.orbits:
        start = puzzle.offsets[orbit.name]
        rows = zip(wanted.places[orbit.name], wanted.turns[orbit.name], strict=True)
        for home, (place, turn) in enumerate(rows):
            if place is None or (turn is None and orbit.orientations > 1):
                return None
            state[start + place] = orbit.solved[home]
            if turn is not None and orbit.orientations > 1:
                state[start + orbit.size + place] = turn
    return bytes(state)


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

    A pruning table has at most `entries` entries, and all tables take at most `memory` bytes,
    unless smaller tables cannot cover every piece that the effect mentions. Raises StateError if no
    sequence of moves of the puzzle can have the effect, and NoSolutionError if sums of orientations
    or parities show that no sequence of `moves` has it.
    """
    parts = parts_of(puzzle, moves)
    wanted = _within(parts, wanted)
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
