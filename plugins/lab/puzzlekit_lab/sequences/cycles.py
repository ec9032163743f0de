"""Effects in words: cycles of pieces, with twists.

`(URF UBR DFR)` means that the piece at URF goes to UBR, the piece at UBR goes to DFR, and the piece
at DFR goes to URF. The order of the letters shows the turn, because stickers at the same position
of the names correspond. In `(URF RBU)`, the sticker U of the piece URF goes to the face R of the
place UBR.

The last piece of a cycle goes to the place of the first name. A sign after the bracket turns this
piece further. `(URF)+` is a corner that is twisted clockwise in place, `(URF)-` is a corner that is
twisted counterclockwise, and `(UF)+` is a flipped edge. If the name of a place does not have one
letter for each orientation, its letters cannot show a turn. Then `+1`, `+2` and so on follow the
name.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from puzzlekit import Orbit, Puzzle, UsageError
from puzzlekit.puzzle.position import find_place

_CYCLE = re.compile(r"\s*\(([^()]*)\)([+-][0-9]{0,3})?\s*")
_NAME = re.compile(r"([^\s,+()-]+)([+-][0-9]{0,3})?")


class Journey(NamedTuple):
    """The movement of a piece: its home place, the place to which it goes, and its turn."""

    orbit: Orbit
    home: int
    place: int
    turn: int


def read_cycles(puzzle: Puzzle, text: str) -> list[Journey]:
    """Parse a text of cycles and return the movement of each piece.

    Raises UsageError if the text is wrong.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> [(each.home, each.place, each.turn) for each in read_cycles(cube, "(UF RU)(URF)-")]
    [(6, 5, 1), (5, 6, 1), (2, 2, 2)]
    """
    journeys: list[Journey] = []
    at = 0
    while at < len(text):
        match = _CYCLE.match(text, at)
        if match is None:
            raise UsageError(
                f"{text[at:].strip()!r} is not a cycle: write its pieces in brackets. In (A B C), "
                "A goes to B, B to C and C to A"
            )
        journeys += _cycle(puzzle, match[1], match[2])
        at = match.end()
    seen: set[tuple[Orbit, int]] = set()
    for each in journeys:
        if (each.orbit, each.home) in seen:
            raise UsageError(f"{each.orbit.places[each.home]} occurs twice in the cycles {text}")
        seen.add((each.orbit, each.home))
    return journeys


def _cycle(puzzle: Puzzle, inside: str, sign: str | None) -> list[Journey]:
    names = _NAME.findall(inside)
    if _NAME.sub("", inside).replace(",", "").strip():
        raise UsageError(f"({inside}) is not a cycle of pieces")
    if len(names) == 1 and not sign:  # (URF+) is (URF)+
        sign, names = names[0][1], [(names[0][0], "")]
    stops = []
    for name, shift in names:
        orbit, place = find_place(puzzle, name)
        slot = _amount(shift)
        if _is_spelt(orbit, place):
            slot += orbit.places[place].index(name.rpartition("/")[2][0])
        stops.append((orbit, place, slot))
    if len({orbit.name for orbit, *_ in stops}) > 1:
        raise UsageError(f"({inside}): pieces of different orbits cannot exchange places")
    journeys = []
    for i, (orbit, home, slot) in enumerate(stops):
        _, place, arrival = stops[(i + 1) % len(stops)]
        turn = arrival - slot + (_amount(sign) if i == len(stops) - 1 else 0)
        journeys.append(Journey(orbit, home, place, turn % orbit.orientations))
    if sign and stops and stops[0][0].orientations == 1:
        raise UsageError(f"({inside}){sign}: {stops[0][0].piece}s cannot be turned in place")
    return journeys


def _amount(sign: str | None) -> int:
    """Return the turn that a sign stands for: + is 1, - is -1, +2 is 2.

    >>> _amount("+"), _amount("-"), _amount("+2"), _amount("")
    (1, -1, 2, 0)
    """
    if not sign:
        return 0
    return int(sign) if len(sign) > 1 else int(sign + "1")


def _is_spelt(orbit: Orbit, place: int) -> bool:
    """Whether the letters of a place's name stand for the stickers of its piece."""
    name = orbit.places[place]
    return 1 < orbit.orientations == len(name) == len(set(name))


def journeys_of(puzzle: Puzzle, state: bytes) -> list[Journey]:
    """Return the movements of all pieces that move or turn from the solved state to `state`.

    Equal pieces have the same label. If a place has the same label as in the solved state, its
    piece counts as not moved.
    """
    journeys = []
    for orbit in puzzle.orbits:
        labels, turns = puzzle.labels(state, orbit), puzzle.orientations(state, orbit)
        moved = [i for i in range(orbit.size) if labels[i] != orbit.solved[i]]
        homes: dict[int, list[int]] = {}
        for home in moved:
            homes.setdefault(orbit.solved[home], []).append(home)
        for place in range(orbit.size):
            if labels[place] != orbit.solved[place]:
                home = homes[labels[place]].pop(0)
            elif turns[place]:
                home = place
            else:
                continue
            journeys.append(Journey(orbit, home, place, turns[place]))
    return journeys


def write_cycles(puzzle: Puzzle, state: bytes) -> str:
    """Return the cycles that lead from the solved state to `state`; `()` if it is solved.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> write_cycles(cube, cube.apply(cube.solved, cube.moves("R U R' U'")))
    '(ULB RUB)-(URF RDF)+(FR UR UB)'
    """
    onward = {(each.orbit.name, each.home): each for each in journeys_of(puzzle, state)}
    cycles = []
    for orbit in puzzle.orbits:
        for home in range(orbit.size):
            names, slot, place = [], 0, home
            while (each := onward.pop((orbit.name, place), None)) is not None:
                names.append(_spell(orbit, place, slot))
                slot = (slot + each.turn) % orbit.orientations
                place = each.place
            if names:
                cycles.append(f"({' '.join(names)}){_sign(slot, orbit.orientations)}")
    return "".join(cycles) or "()"


def _spell(orbit: Orbit, place: int, slot: int) -> str:
    name = orbit.places[place]
    if _is_spelt(orbit, place):
        return name[slot:] + name[:slot]
    return f"{name}+{slot}" if slot else name


def _sign(turn: int, orientations: int) -> str:
    """Return the sign for the turn of a cycle."""
    if not turn:
        return ""
    if turn == 1:
        return "+"
    return "-" if turn == orientations - 1 else f"+{turn}"
