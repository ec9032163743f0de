"""Check by sums and parities whether moves can have an effect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from puzzlekit import Move, NoSolutionError, Puzzle, StateError
from puzzlekit.puzzle.diagnose import diagnose
from puzzlekit.puzzle.groups import Part
from puzzlekit.puzzle.move import permutation_parity
from puzzlekit.search.parity import reduced
from puzzlekit_lab.sequences.wanted import Wanted


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
