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
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any, NamedTuple

import attrs

from puzzlekit import Move, Orbit, Puzzle, UsageError
from puzzlekit.puzzle.groups import parts_of
from puzzlekit.puzzle.position import find_place, named_pieces
from puzzlekit.puzzle.symmetry import relabellings

_CYCLE = re.compile(r"\s*\(([^()]*)\)([+-][0-9]{0,3})?\s*")
_NAME = re.compile(r"([^\s,+()-]+)([+-][0-9]{0,3})?")

# A number for the home piece of each place of an orbit; None if any number is allowed.
Choices = list[int | None]


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


@attrs.frozen(eq=False, slots=False)
class Wanted:
    """The target place and the turn of each piece.

    `places` and `turns` map the name of each orbit to a list. Item i of a list is for the piece
    whose home is place i: its target place, or the amount by which the piece turns. The item is
    None if any place or turn is allowed. Equal pieces have one item each.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> swap = read_wanted(cube, effect="(URF UBR)", ignore_orientation=True, keep="DBL")
    >>> swap.places["corners"], swap.turns["corners"][4]
    ([0, 2, 1, 3, 4, 5, 6, 7], 0)
    """

    puzzle: Puzzle
    places: dict[str, Choices]
    turns: dict[str, Choices]

    @property
    def is_empty(self) -> bool:
        """Whether every effect is allowed."""
        listed = (*self.places.values(), *self.turns.values())
        return all(each is None for row in listed for each in row)

    def holds(self, state: bytes) -> bool:
        """Whether a sequence has the effect if it leads from the solved state to `state`."""
        return self._shown(state) and all(test(state) for test in self._turned)

    @cached_property
    def _shown(self) -> Callable[[bytes], bool]:
        """A test of all bytes whose value is wanted."""
        puzzle = self.puzzle
        expected: dict[int, int] = {}
        for orbit in puzzle.orbits:
            start = puzzle.offsets[orbit.name]
            rows = zip(self.places[orbit.name], self.turns[orbit.name], strict=True)
            for home, (place, turn) in enumerate(rows):
                if place is not None:
                    expected[start + place] = orbit.solved[home]
                    if turn is not None and orbit.orientations > 1:
                        expected[start + place + orbit.size] = turn
        if not expected:
            return lambda _: True
        get: Any = itemgetter(*expected)
        values: Any = tuple(expected.values())
        values = values if len(values) > 1 else values[0]
        return lambda state: get(state) == values

    @cached_property
    def _turned(self) -> list[Callable[[bytes], bool]]:
        """Tests of the pieces that may go to any place, but with a given turn."""
        tests = []
        for orbit in self.puzzle.orbits:
            rows = zip(self.places[orbit.name], self.turns[orbit.name], strict=True)
            wanted = {
                orbit.solved[home]: turn
                for home, (place, turn) in enumerate(rows)
                if place is None and turn is not None and orbit.orientations > 1
            }
            if wanted:
                tests.append(self._test_of_turns(orbit, wanted))
        return tests

    def _test_of_turns(self, orbit: Orbit, wanted: dict[int, int]) -> Callable[[bytes], bool]:
        def test(state: bytes) -> bool:
            labels = self.puzzle.labels(state, orbit)
            turns = self.puzzle.orientations(state, orbit)
            return all(turns[labels.index(label)] == turn for label, turn in wanted.items())

        return test


def read_wanted(
    puzzle: Puzzle,
    *,
    effect: str | None = None,
    to: bytes | None = None,
    keep: str = "",
    keep_placed: str = "",
    keep_oriented: str = "",
    free: str = "",
    ignore_orientation: bool = False,
) -> Wanted:
    """Return the wanted effect from arguments of `puzzlekit_lab.find`.

    The parameters are those of `find`; `to` is a state. If `effect`, `to` or `free` is given, all
    pieces except the free ones matter. Otherwise only the kept pieces matter. Raises UsageError if
    the arguments contradict each other.
    """
    if effect is not None and to is not None:
        raise UsageError("give either an effect or a state, not both")
    all_matter = effect is not None or to is not None or bool(free.split())
    moved = [] if to is None else journeys_of(puzzle, to)
    if effect is not None:
        moved = read_cycles(puzzle, effect)
    places: dict[str, Choices] = {}
    turns: dict[str, Choices] = {}
    for orbit in puzzle.orbits:
        places[orbit.name] = list(range(orbit.size)) if all_matter else [None] * orbit.size
        turns[orbit.name] = [0 if all_matter else None] * orbit.size
    for each in moved:
        places[each.orbit.name][each.home] = each.place
        turns[each.orbit.name][each.home] = each.turn
    if ignore_orientation:
        turns = {name: [None] * len(row) for name, row in turns.items()}
    freed = named_pieces(puzzle, free)
    for orbit, home in freed:
        places[orbit.name][home] = turns[orbit.name][home] = None
    kept = [(keep, True, True), (keep_placed, True, False), (keep_oriented, False, True)]
    for text, in_place, turned in kept:
        pieces = named_pieces(puzzle, text)
        _contradictions(pieces, freed, moved)
        for orbit, home in pieces:
            if orbit.orientations > 1 and turned:
                turns[orbit.name][home] = 0
            if in_place:
                places[orbit.name][home] = home
    for orbit in puzzle.orbits:
        if orbit.orientations == 1:
            turns[orbit.name] = [None] * orbit.size
        elif not orbit.distinct and any(turn is not None for turn in turns[orbit.name]):
            raise UsageError(
                f"{orbit.name} has equal pieces that can be turned: an effect cannot include "
                "the orientation of equal pieces"
            )
    return Wanted(puzzle, places, turns)


def from_held(puzzle: Puzzle, state: bytes, moves: Sequence[Move]) -> bytes:
    """Return a state that was read from stickers, seen from the solved puzzle held in the same way.

    The pieces are renamed by the first rotation of the whole puzzle after which all pieces that
    the moves leave as they are, such as centers, are solved. If there is none, the state is
    returned as it is.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3")
    >>> moves = cube.puzzle.family_moves("URFDLB")
    >>> from_held(cube.puzzle, cube.state("x R"), moves) == cube.state("R")
    True
    """
    kept: list[int] = []
    for part in parts_of(puzzle, moves):
        if part.still:
            label = puzzle.offsets[part.orbit.name] + part.homes[0]
            turns = part.orbit.orientations > 1 and not part.turned
            kept += [label, label + part.orbit.size] if turns else [label]
    return next((seen for _, seen in relabellings(puzzle, state, kept)), state)


def _contradictions(
    kept: Iterable[tuple[Orbit, int]], freed: Sequence[tuple[Orbit, int]], moved: Sequence[Journey]
) -> None:
    """Raise UsageError if a kept piece is also free or moved by the effect."""
    going = {(each.orbit, each.home) for each in moved}
    for orbit, home in kept:
        name = f"{orbit.piece} {orbit.places[home]}"
        if (orbit, home) in freed:
            raise UsageError(f"{name} is both kept and free")
        if (orbit, home) in going:
            raise UsageError(f"{name} is kept, but the effect moves it")
