"""The wanted effect of a sequence of moves, piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any

import attrs

from puzzlekit import Move, Orbit, Puzzle, UsageError
from puzzlekit.puzzle.groups import parts_of
from puzzlekit.puzzle.position import named_pieces
from puzzlekit.puzzle.symmetry import relabellings
from puzzlekit_lab.sequences.cycles import Journey, journeys_of, read_cycles

# A number for the home piece of each place of an orbit; None if any number is allowed.
Choices = list[int | None]


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
