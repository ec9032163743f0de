"""Conditions that some moves alone can solve the puzzle, or bring each piece home."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb, factorial, gcd, prod
from typing import Any

import attrs

from puzzlekit import Combination, Coordinate, Move, Orbit, Orientation, Permutation, Puzzle
from puzzlekit.coordinates.kinds import Covering
from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.puzzle.groups import Part, orbits_of, parts_of
from puzzlekit.puzzle.move import Effect, act, compose, invert
from puzzlekit_steps.bundles import decisive_stickers
from puzzlekit_steps.conditions import MOST_LISTED, is_carried
from puzzlekit_steps.goal import Condition, Test
from puzzlekit_steps.move_group import MoveGroup
from puzzlekit_steps.parts import Need, aimed, with_goals

__all__ = ["EachSolvableBy", "SolvableBy"]


_MOST_ORDERS = 50_000  # of the pieces of a part, listed one by one
_AT_ONCE = 1 << 16  # of these goals are numbered together
_MOST_GOALS = 1 << 21  # of a coordinate over alike pieces
_LARGEST = (1 << 31) - 1  # values of a coordinate that the engine can search
_VALUES = 12_000  # of a coordinate over some pieces; its move table stays in the cache


@attrs.frozen
class _ByMoves(Condition):
    """A condition on what some moves alone can do."""

    #: The moves, such as "U2 R2 F2". A quarter turn includes its powers.
    moves: str

    def solving_moves(self, puzzle: Puzzle) -> tuple[Move, ...]:
        found = puzzle.moves(self.moves.replace(",", " "))
        if not found:
            raise UsageError(f"{self.word}: name the moves, such as {self.word}:U2,R2")
        return found

    def matters(self, puzzle: Puzzle) -> Iterable[tuple[Orbit, int]]:
        return [(orbit, home) for orbit in puzzle.orbits for home in range(orbit.size)]


@attrs.frozen
class SolvableBy(_ByMoves):
    """Some moves alone can solve the puzzle.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3")
    >>> from puzzlekit_steps import Goal
    >>> half = Goal("half", conditions=(SolvableBy("U2 D2 R2 L2 F2 B2"),))
    >>> cube.solve("R2 U2 F", goal=half).length
    1
    """

    word = "solvable-by"

    @property
    def words(self) -> str:
        return f"solvable by {self.moves}"

    def group(self, puzzle: Puzzle) -> MoveGroup:
        """Return the group of the moves. It leads from the solved state to the states at the goal.

        Raises UsageError if the states at the goal form no group.
        """
        return _group(puzzle, self.solving_moves(puzzle))

    def test(self, puzzle: Puzzle) -> Test:
        group = self.group(puzzle)
        return _in_any_orientation(puzzle, self.solving_moves(puzzle), group.reaches)

    def needs(self, puzzle: Puzzle) -> Sequence[Need]:
        """Return the pieces that these moves never turn, and those that they never move."""
        return [
            Need(part.orbit, home, part.still, not part.turned)
            for part in parts_of(puzzle, self.solving_moves(puzzle))
            for home in part.homes
            if part.still or not part.turned
        ]

    def coordinates(self, puzzle: Puzzle, moves: Sequence[Move]) -> Iterator[Coordinate]:
        """Yield coordinates for the places within which the moves keep pieces."""
        own = self.solving_moves(puzzle)
        kept = [part for part in parts_of(puzzle, own) if part.orbit.distinct]
        for part in parts_of(puzzle, moves):
            # Pieces of other blocks may reach their places from outside this part.
            blocks = [
                [*each.homes]
                for each in kept
                if each.orbit is part.orbit and {*each.homes} <= {*part.homes}
            ]
            if part.still or not blocks:
                continue
            orders = _orders(puzzle, part, own)
            if orders and len(orders) < prod(factorial(len(block)) for block in blocks):
                name = f"{part.orbit.name}-solvable:{part.orbit.places[part.homes[0]]}"
                given = name, puzzle, part.orbit.name, part.names, part.names
                yield _aimed(Permutation(*given), part, orders)
                continue
            # If the part has no other places, the last block has those that the others leave.
            several = sum(map(len, blocks)) == len(part.homes)
            for block in blocks[several:]:
                named = part.named(block)
                name = f"{part.orbit.name}-within:{','.join(named.split())}"
                yield Combination(name, puzzle, part.orbit.name, named, part.names)
        yield from _across(puzzle, kept, moves)

    def is_kept(self, puzzle: Puzzle, effect: Effect) -> bool:
        """Whether the effect, the moves and its inverse do the same as some of the moves."""
        group, modulus = self.group(puzzle), puzzle.modulus
        if not is_carried(puzzle, effect, self.matters(puzzle)):
            return False
        back = invert(effect, modulus)
        return all(
            group.contains(compose(compose(back, move.effect, modulus), effect, modulus))
            for move in self.solving_moves(puzzle)
        )


def _in_any_orientation(
    puzzle: Puzzle, moves: Sequence[Move], test: Callable[[bytes], bool]
) -> Callable[[bytes], bool]:
    """Return a test whether another test accepts a state in some orientation of the puzzle.

    The other test must accept only states in which the places that exchange pieces under the moves
    have the pieces that they have when the puzzle is solved.
    """
    if len(puzzle.whole_rotations) == 1:
        return test
    groups = [
        [puzzle.offsets[part.orbit.name] + home for home in part.homes]
        for part in parts_of(puzzle, moves)
    ]

    def labels(state: bytes) -> tuple[bytes, ...]:
        return tuple(bytes(sorted(state[j] for j in places)) for places in groups)

    #: The rotations that relabel pieces in such a way, by the labels at the places.
    rotations: dict[tuple[bytes, ...], list[Effect]] = {}
    for rotation in puzzle.whole_rotations:
        before = act(puzzle.solved, *invert(rotation, puzzle.modulus), puzzle.modulus)
        rotations.setdefault(labels(before), []).append(rotation)
    return lambda state: any(
        test(puzzle.relabel(state, rotation)) for rotation in rotations.get(labels(state), ())
    )


@lru_cache(maxsize=64)
def _group(puzzle: Puzzle, moves: tuple[Move, ...]) -> MoveGroup:
    if puzzle.restricted:
        raise UsageError(
            f"solvable-by cannot be used for {puzzle.name}, because its moves are not always "
            "possible"
        )
    group = MoveGroup(puzzle, ())
    for move in moves:
        if not group.keeps_looks(move.effect):
            raise UsageError(
                f"solvable-by:{move.name} cannot be used for {puzzle.name}, because {move.name} "
                "exchanges pieces that look different with pieces that look alike"
            )
    return MoveGroup(puzzle, moves)


def _orders(puzzle: Puzzle, part: Part, moves: Sequence[Move]) -> list[tuple[int, ...]]:
    """Return the orders of the pieces of a part that moves reach.

    The result is empty if the moves exchange pieces of the part with other pieces, or if the part
    has too many orders.
    """
    start = puzzle.offsets[part.orbit.name]
    sources = [[move.gather[start + home] - start for home in part.homes] for move in moves]
    if factorial(len(part.homes)) > _MOST_ORDERS or any(
        {*each} != {*part.homes} for each in sources
    ):
        return []
    rows = [[part.homes.index(home) for home in each] for each in sources]
    found = {part.homes: None}
    fresh = [part.homes]
    for order in fresh:  # grows during the loop
        for row in rows:
            after = tuple(order[i] for i in row)
            if after not in found:
                found[after] = None
                fresh.append(after)
    return fresh


def _aimed(coordinate: Permutation, part: Part, orders: Sequence[tuple[int, ...]]) -> Coordinate:
    """Return a coordinate over all pieces of a part whose goal values are some orders."""
    start = coordinate.puzzle.offsets[part.orbit.name]
    values = {
        int(
            coordinate.rank(
                {
                    start + place: part.orbit.solved[home]
                    for place, home in zip(part.homes, order, strict=True)
                }
            )
        )
        for order in orders
    }
    return with_goals(coordinate, tuple(sorted(values)))


def _across(puzzle: Puzzle, blocks: Iterable[Part], moves: Sequence[Move]) -> Iterator[Coordinate]:
    """Yield coordinates for blocks of pieces that must be within their home places.

    There is one for each block that exchanges places with others under moves which connect only
    some of the places of the block.
    """
    parts = parts_of(puzzle, moves)
    for block in blocks:
        own = [part for part in parts if part.orbit is block.orbit]
        touched = [part for part in own if not {*part.homes}.isdisjoint(block.homes)]
        if len(touched) > 1 and not all({*part.homes} <= {*block.homes} for part in touched):
            name = f"{block.orbit.name}-within:{','.join(block.names.split())}"
            where = Combination(name, puzzle, block.orbit.name, block.names)
            if where.size <= MOST_LISTED:
                yield where


@attrs.frozen
class EachSolvableBy(_ByMoves):
    """Some moves alone can bring each piece home, looking at one piece at a time.

    So all pieces are at places that trade pieces with their homes, and pieces that these moves
    never turn are not turned. If these moves turn a piece at its place by half turns only, it is
    not turned by a quarter turn. A piece may go to the home of any piece that looks the same, but
    two pieces need two homes. `SolvableBy` also asks whether all pieces can get home together.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3")
    >>> easy = EachSolvableBy("U D R2 L2 F2 B2")
    >>> from puzzlekit_steps import Goal
    >>> domino = Goal("domino", conditions=(easy,))
    >>> cube.solve("R2 U2 F", goal=domino).length
    1
    """

    word = "each-solvable-by"

    @property
    def words(self) -> str:
        return f"each piece solvable by {self.moves}"

    def _parts(self, puzzle: Puzzle) -> list[Part]:
        if puzzle.guard is not None:
            raise UsageError(
                f"each-solvable-by cannot be used for {puzzle.name}, because its moves are not "
                "always possible"
            )
        return parts_of(puzzle, self.solving_moves(puzzle))

    def _stepwise(self, puzzle: Puzzle) -> Iterator[tuple[Part, int]]:
        """Yield the parts of one place that these moves turn by multiples of a step above 1."""
        moves = self.solving_moves(puzzle)
        for part in self._parts(puzzle):
            if part.still and part.turned:
                turn = self._turn(puzzle, part)
                step = gcd(part.orbit.orientations, *(move.add[turn] for move in moves))
                if step > 1:
                    yield part, step

    def _turn(self, puzzle: Puzzle, part: Part) -> int:
        return puzzle.offsets[part.orbit.name] + part.orbit.size + part.homes[0]

    def test(self, puzzle: Puzzle) -> Test:
        self._parts(puzzle)  # reports moves that cannot be used
        moves = self.solving_moves(puzzle)
        rows = [(orbit, *_reached(puzzle, orbit, moves)) for orbit in puzzle.orbits]

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

        return _in_any_orientation(puzzle, moves, test)

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

    def coordinates(self, puzzle: Puzzle, moves: Sequence[Move]) -> Iterator[Coordinate]:
        """Yield coordinates for the places within which the moves keep pieces, and for turns."""
        yield from self._turns(puzzle, moves)
        parts = self._parts(puzzle)
        yield from _across(puzzle, [part for part in parts if part.orbit.distinct], moves)
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
            goals = [len(several)] * whole.orbit.size
            for number, each in enumerate(several):
                for home in each.homes:
                    goals[home] = number
            around = [each for each in parts_of(puzzle, moves) if each.orbit is whole.orbit]
            decisive = decisive_stickers(puzzle, around, goals)
            if decisive.issuperset(whole.homes):
                del several[-1:]
            for each in several:
                yield from _within(puzzle, whole, each, decisive)

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


def _within(puzzle: Puzzle, whole: Part, inside: Part, decisive: set[int]) -> Iterator[Coordinate]:
    """Yield for pieces of a part in which places they are, all together or in small groups."""
    own = [home for home in inside.homes if home in decisive]
    places, orbit = len(whole.homes), whole.orbit
    name = f"{orbit.name}-within:{','.join(inside.names.split())}"
    if len(own) == len(inside.homes) and comb(places, len(own)) <= _LARGEST:
        yield Combination(name, puzzle, orbit.name, inside.names, whole.names)
        return
    size = next((k for k in range(1, len(own)) if comb(places, k + 1) > _VALUES), len(own))
    count = -(-len(own) // max(size, 1))
    start = puzzle.offsets[orbit.name]
    for i in range(count):
        group = own[i * len(own) // count : (i + 1) * len(own) // count]
        name = f"{orbit.name}-within:{orbit.places[inside.homes[0]]}-{i + 1}"
        where = Combination(name, puzzle, orbit.name, whole.named(group), whole.names)
        label = orbit.solved[group[0]]
        blank = next(other for other in range(256) if other != label)
        values = [
            int(where.rank({j: label if j - start in held else blank for j in where.reads}))
            for held in combinations(inside.homes, len(group))
        ]
        yield with_goals(where, tuple(sorted(values)))


def _reached(
    puzzle: Puzzle, orbit: Orbit, moves: Sequence[Move]
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
        for move in moves
    ]
    numbers = [0] * (orbit.size * m)
    for number, group in enumerate(orbits_of(orbit.size * m, sources)):
        for each in group:
            numbers[each] = number
    found = [numbers[i * m : (i + 1) * m] for i in range(orbit.size)]
    return found, Counter((label, found[i][0]) for i, label in enumerate(orbit.solved))


def _of_alike(puzzle: Puzzle, whole: Part, inside: Sequence[Part]) -> Iterator[Coordinate]:
    """Yield which places hold the pieces of each part, or else those of each colour.

    If each colour of a part is only there, the colours of the part need not be told apart: one
    coordinate says at which places its pieces are. Otherwise, at a goal, each part holds as many
    pieces of a colour as in the solved state.
    """
    orbit = whole.orbit
    start = puzzle.offsets[orbit.name]
    colours = Counter(orbit.solved[home] for home in whole.homes)
    alone = [part for part in inside if _has_own_colours(part)]
    merged = {orbit.solved[home] for part in alone for home in part.homes}
    kinds: list[tuple[int, Part | int]] = [(len(part.homes), part) for part in alone]
    kinds += [(count, label) for label, count in colours.most_common() if label not in merged]
    kinds.sort(key=lambda kind: -kind[0])
    for _, kind in kinds[1:]:  # the places of the first kind follow from those of the others
        if isinstance(kind, Part):
            name = f"{orbit.name}-within:{','.join(kind.names.split())}"
            yield Combination(name, puzzle, orbit.name, kind.names, whole.names)
            continue
        label = kind
        own = [home for home in whole.homes if orbit.solved[home] == label]
        names = whole.named(own)
        first = orbit.places[own[0]]
        name = f"{orbit.name}-within:{first}"
        where = Covering(name, puzzle, orbit.name, first, whole.names, covered=names)
        blank = next(other for other in range(128) if other != label)
        counts = [(len(part.homes), len({*own} & {*part.homes})) for part in inside]
        if (many := prod(comb(*each) for each in counts)) > _MOST_GOALS or where.size > _LARGEST:
            raise DeclarationError(
                f"{len(own)} alike pieces, those at {first} and elsewhere, have {where.size:,} "
                f"arrangements, {many:,} of which solve the goal: too many for a search"
            )
        goals = [
            rank
            for held in _chosen([(part.homes, len({*own} & {*part.homes})) for part in inside])
            for rank in where.rank(
                {start + home: blank + (label - blank) * there for home, there in held.items()}
            ).tolist()
        ]
        yield with_goals(where, tuple(sorted(goals)))


def _chosen(parts: Sequence[tuple[Sequence[int], int]]) -> Iterator[dict[int, Any]]:
    """Yield all choices of some homes of each part: for each home, whether it is chosen.

    Each result has many choices, in arrays with an entry for each of them.
    """
    import numpy as np

    rows = []
    for homes, few in parts:
        row = np.zeros((comb(len(homes), few), len(homes)), dtype=bool)
        chosen = np.array([*combinations(range(len(homes)), few)], dtype=np.intp)
        np.put_along_axis(row, chosen.reshape(len(row), few), True, axis=1)
        rows.append(row)
    for first in range(0, prod(map(len, rows)), _AT_ONCE):
        left = np.arange(first, min(first + _AT_ONCE, prod(map(len, rows))))
        held: dict[int, Any] = {}
        for (homes, _), own in zip(parts, rows, strict=True):
            held |= dict(zip(homes, own[left % len(own)].T, strict=True))
            left = left // len(own)
        yield held


def _has_own_colours(part: Part) -> bool:
    """Whether no piece elsewhere looks like a piece of a part."""
    solved = part.orbit.solved
    own = {solved[home] for home in part.homes}
    return sum(label in own for label in solved) == len(part.homes)
