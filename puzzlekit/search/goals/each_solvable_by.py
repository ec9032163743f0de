"""The condition that each piece is where some moves alone can bring it home."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from math import gcd
from typing import Any

import attrs

from puzzlekit.coordinates.coordinate import Coordinate
from puzzlekit.coordinates.kinds import Combination, Covering, Orientation
from puzzlekit.coordinates.products import aimed, with_goals
from puzzlekit.errors import UsageError
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.orientation import in_any_orientation
from puzzlekit.puzzle.part import Part, parts_of, trading
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.search.goals.condition import Condition, Need, Test
from puzzlekit.search.goals.selected import across


@attrs.frozen
class EachSolvableBy(Condition):
    """Some moves alone can bring each piece home, looking at one piece at a time.

    So all pieces are at places that trade pieces with their homes, and pieces that these moves
    never turn are not turned. If these moves turn a piece at its place by half turns only, it is
    not turned by a quarter turn. A piece may go to the home of any piece that looks the same, but
    two pieces need two homes. `SolvableBy` also asks whether all pieces can get home together.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3")
    >>> easy = EachSolvableBy("U D R2 L2 F2 B2")
    >>> domino = puzzlekit.Goal("domino", conditions=(easy,))
    >>> cube.solve("R2 U2 F", goal=domino).length
    1
    """

    word = "each-solvable-by"

    #: The moves, such as "U D R2". A quarter turn includes its powers.
    moves: str

    @property
    def words(self) -> str:
        """The condition in words."""
        return f"each piece solvable by {self.moves}"

    def _parts(self, puzzle: Puzzle) -> list[Part]:
        if puzzle.guard is not None:
            raise UsageError(
                f"each-solvable-by cannot be used for {puzzle.name}, because its moves are not "
                "always possible"
            )
        found = puzzle.moves(self.moves.replace(",", " "))
        if not found:
            raise UsageError("each-solvable-by: name the moves, such as each-solvable-by:U2,R2")
        return parts_of(puzzle, found)

    def _stepwise(self, puzzle: Puzzle) -> Iterator[tuple[Part, int]]:
        """Yield the parts of one place that these moves turn by multiples of a step above 1."""
        moves = puzzle.moves(self.moves.replace(",", " "))
        for part in self._parts(puzzle):
            if part.still and part.turned:
                turn = self._turn(puzzle, part)
                step = gcd(part.orbit.orientations, *(move.add[turn] for move in moves))
                if step > 1:
                    yield part, step

    def _turn(self, puzzle: Puzzle, part: Part) -> int:
        """Return the byte with the orientation at the only place of a part."""
        return puzzle.offsets[part.orbit.name] + part.orbit.size + part.homes[0]

    def test(self, puzzle: Puzzle) -> Test:
        """Return a function that tests a state."""
        self._parts(puzzle)  # reports moves that cannot be used
        rows = [(orbit, *_reached(puzzle, orbit, self.moves)) for orbit in puzzle.orbits]

        def test(state: bytes) -> bool:
            return all(
                Counter(
                    (label, number[i][turn])
                    for i, (label, turn) in enumerate(
                        zip(
                            puzzle.labels(state, orbit),
                            puzzle.orientations(state, orbit),
                            strict=True,
                        )
                    )
                )
                == homes
                for orbit, number, homes in rows
            )

        return in_any_orientation(puzzle, self.solving_moves(puzzle), test)

    def solving_moves(self, puzzle: Puzzle) -> tuple[Move, ...]:
        """Return these moves."""
        return puzzle.moves(self.moves.replace(",", " "))

    def needs(self, puzzle: Puzzle) -> Sequence[Need]:
        """Return the pieces that these moves never turn, and those that they never move.

        Pieces that look the same may be in other parts, and are turned there.
        """
        parts = self._parts(puzzle)
        turned = {part.orbit for part in parts if part.turned and not part.orbit.distinct}
        needs = [
            Need(
                part.orbit,
                home,
                part.still and part.orbit.distinct,
                not part.turned and part.orbit not in turned,
            )
            for part in parts
            for home in part.homes
        ]
        return [need for need in needs if need.placed or need.turned]

    def matters(self, puzzle: Puzzle) -> Iterable[tuple[Orbit, int]]:
        """Return all pieces."""
        return [(orbit, home) for orbit in puzzle.orbits for home in range(orbit.size)]

    def coordinates(self, puzzle: Puzzle, moves: Sequence[Move]) -> Iterator[Coordinate]:
        """Yield coordinates for the places within which the moves keep pieces, and for turns."""
        yield from self._turns(puzzle, moves)
        parts = self._parts(puzzle)
        yield from across(puzzle, [part for part in parts if part.orbit.distinct], moves)
        for whole in parts_of(puzzle, moves):
            inside = [
                each
                for each in parts
                if each.orbit is whole.orbit and {*each.homes} <= {*whole.homes}
            ]
            if len(inside) < 2:
                continue
            if not whole.orbit.distinct:
                # Elsewhere, the number of pieces of a colour in this part is not known.
                if sum(len(each.homes) for each in inside) == len(whole.homes):
                    yield from _of_alike(puzzle, whole, inside)
                continue
            # The largest part follows from the others, and single pieces are among the needs.
            several = [each for each in inside if not each.still]
            several.sort(key=lambda each: len(each.homes))
            for each in several[:-1]:
                name = f"{each.orbit.name}-within:{','.join(each.names.split())}"
                yield Combination(name, puzzle, each.orbit.name, each.names, whole.names)

    def _turns(self, puzzle: Puzzle, moves: Sequence[Move]) -> Iterator[Coordinate]:
        """Yield the orientations of pieces that stay in place, and turn in steps at the end."""
        still = {(part.orbit, part.homes) for part in parts_of(puzzle, moves) if part.still}
        found: dict[Orbit, dict[int, int]] = {}
        for part, step in self._stepwise(puzzle):
            if (part.orbit, part.homes) in still:
                found.setdefault(part.orbit, {})[self._turn(puzzle, part)] = step
        for orbit, steps in found.items():
            start = puzzle.offsets[orbit.name] + orbit.size
            names = [orbit.places[turn - start] for turn in steps]
            name = f"{orbit.name}-turned:{','.join(names)}"
            turns = Orientation(name, puzzle, orbit.name, " ".join(names), summed=False)

            def fits(state: Mapping[int, Any], steps: Mapping[int, int] = steps) -> Any:
                return sum(state[turn] % step for turn, step in steps.items()) == 0

            yield aimed(turns, fits)


def _reached(
    puzzle: Puzzle, orbit: Orbit, moves: str
) -> tuple[list[list[int]], Counter[tuple[int, int]]]:
    """Return where moves bring single pieces of an orbit, and what is there when it is solved.

    The first item has a number for each place and each orientation there. Moves bring a piece from
    one to another exactly if they have the same number. The second item counts the pieces of each
    label and number in the solved state.
    """
    start, m = puzzle.offsets[orbit.name], orbit.orientations
    sources = [
        [
            (move.gather[start + i] - start) * m
            + (turn - (move.add[start + orbit.size + i] if m > 1 else 0)) % m
            for i in range(orbit.size)
            for turn in range(m)
        ]
        for move in puzzle.moves(moves.replace(",", " "))
    ]
    numbers = [0] * (orbit.size * m)
    for number, group in enumerate(trading(orbit.size * m, sources)):
        for each in group:
            numbers[each] = number
    found = [numbers[i * m : (i + 1) * m] for i in range(orbit.size)]
    return found, Counter((label, found[i][0]) for i, label in enumerate(orbit.solved))


def _of_alike(puzzle: Puzzle, whole: Part, inside: Sequence[Part]) -> Iterator[Coordinate]:
    """Yield for each colour the places of its pieces.

    At a goal, each part holds as many pieces of the colour as in the solved state.
    """
    orbit = whole.orbit
    start = puzzle.offsets[orbit.name]
    colours = Counter(orbit.solved[home] for home in whole.homes)
    for label, _ in colours.most_common()[1:]:  # the first colour follows from the others
        own = [home for home in whole.homes if orbit.solved[home] == label]
        names = whole.named(own)
        first = orbit.places[own[0]]
        name = f"{orbit.name}-within:{first}"
        where = Covering(name, puzzle, orbit.name, first, whole.names, covered=names)
        blank = next(other for other in range(128) if other != label)
        goals = []
        for chosen in product(
            *(combinations(part.homes, len({*own} & {*part.homes})) for part in inside)
        ):
            held = {start + home for homes in chosen for home in homes}
            goals.append(int(where.rank({j: label if j in held else blank for j in where.reads})))
        yield with_goals(where, tuple(sorted(goals)))
