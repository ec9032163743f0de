"""Derive a method that reaches a goal: coordinates, pruning tables, and ways to search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from math import comb, perm, prod
from typing import NamedTuple

import attrs

from puzzlekit import (
    Combination,
    Coordinate,
    Method,
    Move,
    Orbit,
    Orientation,
    Permutation,
    Phase,
    Pieces,
    Plain,
    Puzzle,
)
from puzzlekit.coordinates.kinds import Covering
from puzzlekit.engine.ranks import MAX_COORDINATES
from puzzlekit.engine.space import MAX_MOVES, MAX_TABLES
from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.puzzle.groups import Part, parts_of
from puzzlekit.puzzle.move import Effect, act
from puzzlekit.search.directions import Direction
from puzzlekit.tables.move_table import MOST_ENTRIES
from puzzlekit_steps.bundles import decisive_stickers
from puzzlekit_steps.conditions import MOST_LISTED, Placed
from puzzlekit_steps.goal import Condition, Goal, Test, TurnedCase, alternatives, generated
from puzzlekit_steps.nearest import GoalWay, Nearest
from puzzlekit_steps.obstacles import Obstacles
from puzzlekit_steps.parts import Aimed, Need, carries_frame, with_goals
from puzzlekit_steps.sides import seen_after

__all__ = ["derive_goal", "derive_phase"]

_MEMORY = 48_000_000  # bytes of all pruning tables of a goal
_ENTRIES = 1 << 25  # of a single table
_OF_A_TABLE = 3  # the most coordinates of a table
_FEW = 5  # up to this many pieces are grouped in pairs, which tables can combine freely
_FEW_GOALS = 50  # goal values of a coordinate, tested one by one
_VALUES = 12_000  # of a coordinate over several pieces; its move table stays in the cache


def derive_goal(
    puzzle: Puzzle,
    goal: Goal,
    moves: Sequence[Move],
    *,
    fixed: Mapping[str, str] | None = None,
    memory: int | None = None,
) -> Method:
    """Derive a method that reaches a goal by the fewest moves.

    Parameters
    ----------
    puzzle
        The puzzle. It must not have a guard.
    goal
        The goal.
    moves
        The allowed moves.
    fixed
        Places, by orbit, that show how the puzzle is held (see `Method.fixed`).
    memory
        The most bytes of all pruning tables together. Default: 48 MB.

    Returns
    -------
    Method
        A method of one phase, with the strategy `Nearest`.

    Raises
    ------
    UsageError
        If the puzzle has no such pieces or moves, if there are too many moves, or if the goal
        cannot be searched for.

    Examples
    --------
    >>> import puzzlekit
    >>> from puzzlekit_steps import Solved
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> block = Goal("block", conditions=(Solved("DBL DB DL BL"),))
    >>> derive_goal(cube, block, cube.family_moves("URFDLB")).phases[0].pruning_tables
    (Plain(coordinates='corners-DBL edges-BL,DB edges-DL', bits=4),)
    """
    if puzzle.restricted:
        raise UsageError(
            f"goals cannot be stated for {puzzle.name}, because its moves are not always possible"
        )
    if len(moves) > MAX_MOVES:
        raise UsageError(
            f"a search for a goal takes at most {MAX_MOVES} moves, but {puzzle.name} has "
            f"{len(moves)}: name fewer moves, on the command line with --moves"
        )
    memory = memory or _MEMORY
    phases: dict[object, Phase] = {}
    ways = []
    every = alternatives(puzzle, goal)
    directions = seen_after(puzzle, moves, [each.rotation for each in every])
    for each, direction in zip(every, directions, strict=True):
        if direction is None:
            raise UsageError(
                f"after {each.after} some moves have no name, so the colours of {goal.name} cannot "
                "be exchanged"
            )
        ways.append(_way(puzzle, goal, each, direction, moves, fixed or {}, phases, memory))
    first, *others = phases.values()
    return Method(
        name=f"goal {goal.name}",
        title=f"fewest moves to the goal {goal.name}",
        phases=(first,),
        strategy=Nearest(tuple(ways), tuple(others)),
        fixed=fixed or {},
        goal=goal,
    )


def derive_phase(
    puzzle: Puzzle,
    name: str,
    condition: Condition,
    moves: str,
    memory: int,
    entries: int = _ENTRIES,
) -> Phase:
    """Derive a phase that ends where all coordinates of a condition are at goals.

    Parameters
    ----------
    puzzle
        The puzzle. It must not have a guard.
    name
        The name of the phase.
    condition
        The condition.
    moves
        The moves, as in `Phase.moves`.
    memory
        The most bytes of all pruning tables together.
    entries
        The most entries of a pruning table.

    Raises
    ------
    DeclarationError
        If the condition needs more coordinates than a phase can have.
    """
    phase = Phase(name, condition.words, moves, (), ())
    own = phase.allowed(puzzle)
    shape = _shape(puzzle, _framed(puzzle, (condition,), own), own)
    shape = shape._replace(parts=_with_sure_sums(puzzle, shape.parts))
    found = _coordinates(puzzle, shape, own, values=max(_VALUES, entries >> 12))
    if len(found) > MAX_COORDINATES:
        raise DeclarationError(
            f"{puzzle.name}: {condition.words} needs more than {MAX_COORDINATES} coordinates"
        )
    found = _grouped(found, min(entries, 2 * memory))
    tables = tuple(_tables(found, entries, memory))
    return attrs.evolve(phase, coordinates=tuple(found), tables=tables)


def _with_sure_sums(
    puzzle: Puzzle, parts: Mapping[Orbit, Sequence[Part]]
) -> dict[Orbit, list[Part]]:
    """Return parts of which those are summed whose sums are 0 before the phase, too.

    That is so if no move of the puzzle changes the sum of a part, or of a larger part in which the
    moves of the phase turn no other pieces.
    """
    whole = parts_of(puzzle, puzzle.family_moves(puzzle.turns))
    around = {(part.orbit, home): part for part in whole for home in part.homes}
    found: dict[Orbit, list[Part]] = {}
    for orbit, own in parts.items():
        holders = [around[orbit, part.homes[0]] for part in own]
        turned = [holder for holder, part in zip(holders, own, strict=True) if part.turned]
        found[orbit] = [
            part._replace(summed=part.summed and holder.summed and turned.count(holder) < 2)
            for holder, part in zip(holders, own, strict=True)
        ]
    return found


def _way(
    puzzle: Puzzle,
    goal: Goal,
    alternative: TurnedCase,
    direction: Direction,
    moves: Sequence[Move],
    fixed: Mapping[str, str],
    phases: dict[object, Phase],
    memory: int,
) -> GoalWay:
    """Return the way to an alternative. Its phase is added to `phases` if it is new."""
    case = alternative.case
    effects = generated(puzzle, case.up_to)
    conditions, rotations = _held(puzzle, case.conditions, {} if goal.as_held else fixed)
    seen = {held: move for move, held in direction.back.items()}
    own = tuple(seen[move] for move in moves)
    if set(own) == set(moves):
        own = tuple(moves)
    shape = _shape(puzzle, conditions, own)
    kept = all(each.is_kept(puzzle, effect) for each in shape.conditions for effect in effects)
    key = shape.conditions, own, () if kept else effects
    found = _most(_coordinates(puzzle, shape, own, kept))  # the goal is tested, too
    lasting = [each for each in found if len(found) > 1 and kept and _is_lasting(each, tuple(own))]
    if key not in phases:
        coordinates = [each for each in found if each not in lasting] or found[:1]
        if not kept:
            coordinates = [_spread(each, effects) for each in coordinates]
        coordinates = _grouped(coordinates, min(_ENTRIES, 2 * memory))
        phases[key] = Phase(
            name=f"goal {len(phases)}" if phases else "goal",
            goal=goal.words,
            moves=" ".join(f"{move.family}{move.amount}" for move in own),
            coordinates=tuple(coordinates),
            tables=tuple(_tables(coordinates, _ENTRIES, memory)),
        )
    back = {move: direction.back[move] for move in own}
    return GoalWay(
        phase=[*phases].index(key),
        direction=direction._replace(back=back),
        rotations=rotations,
        undone=effects if kept else effects[:1],
        lasting=tuple(lasting),
        obstacles=Obstacles(puzzle, shape.conditions, own, () if kept else effects),
    )


@attrs.frozen
class _Tested(Condition):
    """A condition of which the search knows nothing but the test."""

    condition: Condition

    @property
    def words(self) -> str:
        """The condition in words."""
        return self.condition.words

    def test(self, puzzle: Puzzle) -> Test:
        """Return a function that tests a state."""
        return self.condition.test(puzzle)

    def matters(self, puzzle: Puzzle) -> Iterable[tuple[Orbit, int]]:
        """Return the pieces of the condition."""
        return self.condition.matters(puzzle)


def _held(
    puzzle: Puzzle, conditions: tuple[Condition, ...], fixed: Mapping[str, str]
) -> tuple[tuple[Condition, ...], tuple[Effect, ...]]:
    """Return conditions for a state with its pieces renamed, and the rotations that rename them.

    A state is at the goal if the conditions hold after one of the renamings. If the fixed places
    are in a frame (see `Frame`), the frame shows at the end of an answer how the puzzle is held.
    """
    every = puzzle.whole_rotations
    if len(every) == 1:
        return conditions, every
    free = [each for each in conditions if each.solving_moves(puzzle)]
    if len(free) == len(conditions) == 1:
        return conditions, every
    frames = puzzle.frames if not fixed.keys().isdisjoint(puzzle.frames) else ()
    shown = puzzle.bytes_at({name: " ".join(puzzle.orbit(name).places) for name in frames})
    shown = shown or puzzle.bytes_at(fixed)
    held = [act(puzzle.solved, *each, puzzle.modulus) for each in every]
    alone = sum(all(each[j] == puzzle.solved[j] for j in shown) for each in held) == 1
    named = tuple(
        _Tested(each)
        if each in free and not (alone and _keeps(each.solving_moves(puzzle), shown))
        else each
        for each in conditions
    )
    if not frames:
        return named, every[:1]
    return (*named, Placed(" ".join(frames))), every


def _keeps(moves: Iterable[Move], places: Iterable[int]) -> bool:
    """Whether moves leave some bytes unchanged."""
    return {j for move in moves for j in move.changed}.isdisjoint(places)


def _framed(
    puzzle: Puzzle, conditions: tuple[Condition, ...], moves: Sequence[Move]
) -> tuple[Condition, ...]:
    """Return conditions for states in which the puzzle is held as usual."""
    if not carries_frame(puzzle, [move.effect for move in moves]):
        return conditions
    return (*conditions, Placed(" ".join(puzzle.frames)))


class _Shape(NamedTuple):
    """The needs of conditions, and the parts under the moves."""

    conditions: tuple[Condition, ...]
    needs: dict[tuple[Orbit, int], Need]
    parts: dict[Orbit, list[Part]]


def _shape(puzzle: Puzzle, conditions: tuple[Condition, ...], moves: Sequence[Move]) -> _Shape:
    needs: dict[tuple[Orbit, int], Need] = {}
    for condition in conditions:
        condition.test(puzzle)  # reports pieces that do not exist
        for need in condition.needs(puzzle):
            known = needs.get((need.orbit, need.home), need)
            placed, turned = need.placed or known.placed, need.turned or known.turned
            needs[need.orbit, need.home] = need._replace(placed=placed, turned=turned)
    parts: dict[Orbit, list[Part]] = {}
    for part in parts_of(puzzle, moves):
        parts.setdefault(part.orbit, []).append(part)
    return _Shape(conditions, needs, parts)


def _coordinates(
    puzzle: Puzzle,
    shape: _Shape,
    moves: Sequence[Move],
    summed: bool = True,
    values: int = _VALUES,
) -> list[Coordinate]:
    """Return coordinates that all have a goal value in each state in which the conditions hold.

    `summed` is whether sums of orientations that the moves keep are 0 when the search starts.
    `values` is the most values of a coordinate over several pieces.
    """
    found: list[Coordinate] = []
    for orbit, parts in shape.parts.items():
        needs = [need for need in shape.needs.values() if need.orbit is orbit]
        if needs and any(part.turned or not part.still for part in parts):
            needs.sort(key=lambda need: need.home)
            if orbit.distinct:
                found += _of_distinct(puzzle, parts, needs, summed, values)
            else:
                found += _coverings(puzzle, parts, needs)
    for condition in shape.conditions:
        found += _of_condition(condition, puzzle, tuple(moves))
    if not found:
        found.append(Combination("anything", puzzle, puzzle.orbits[0].name))
    return _joined(_distinct(found))


def _most(found: list[Coordinate]) -> list[Coordinate]:
    """Return as many coordinates as a phase can have, without the smallest, which prune least."""
    largest = sorted(found, key=lambda each: -each.size)[:MAX_COORDINATES]
    return [each for each in found if each in largest]


@lru_cache(maxsize=500)
def _of_condition(
    condition: Condition, puzzle: Puzzle, moves: tuple[Move, ...]
) -> tuple[Coordinate, ...]:
    """Return the coordinates of a condition. Successive steps have many conditions in common."""
    return tuple(condition.coordinates(puzzle, moves))


def _of_distinct(
    puzzle: Puzzle, parts: Sequence[Part], needs: Sequence[Need], summed: bool, values: int
) -> Iterator[Coordinate]:
    """Yield coordinates over pieces of an orbit in which all pieces differ.

    A piece that must be placed reaches its home only from places of the same part. A piece that
    must only be untwisted may be anywhere. `summed` is whether sums of orientations that the moves
    keep are 0.
    """
    orbit = parts[0].orbit
    given = puzzle, orbit.name
    placed = {need.home for need in needs if need.placed}
    turned = {need.home for need in needs if need.turned and orbit.orientations > 1}
    loose = turned - placed
    if len(placed) == orbit.size and not loose:
        order = [
            home for part in sorted(parts, key=lambda part: len(part.homes)) for home in part.homes
        ]
        placed &= decisive_stickers(
            puzzle, parts, [order.index(home) for home in range(orbit.size)]
        )
    for part in parts:
        own = {*part.homes} & placed
        untwisted = {*part.homes} & turned if part.turned else set()
        # At the goal, all pieces in the part are untwisted.
        if part.turned and (len(turned) == orbit.size or own & turned == {*part.homes}):
            name = _title(part, "twist" if part.still else "orientation", part.homes)
            yield Orientation(name, *given, part.names, summed and part.summed and not part.still)
            untwisted = set()
        if part.still:
            continue
        for group in _groups(sorted(own & untwisted), len(part.homes), orbit.orientations, values):
            yield Pieces(_title(part, "", group), *given, part.named(group), part.names)
        for group in _groups(sorted(own - untwisted), len(part.homes), 1, values):
            yield Permutation(_title(part, "places", group), *given, part.named(group), part.names)
    if any(part.turned for part in parts) and len(turned) < orbit.size:
        whole = Part(orbit, tuple(range(orbit.size)), True, False, False, False)
        for group in _groups(sorted(loose), orbit.size, orbit.orientations, values):
            name = _title(whole, "turns", group)
            yield Pieces(name, *given, whole.named(group), whole.names, oriented=True)


def _coverings(
    puzzle: Puzzle, parts: Sequence[Part], needs: Sequence[Need]
) -> Iterator[Coordinate]:
    """Yield for each colour of equal pieces the set of their places.

    If all pieces of a part must be placed, the part has the same colours at every goal. If not,
    pieces of a colour may be in any parts.
    """
    orbit = parts[0].orbit
    placed = {need.home for need in needs if need.placed}
    whole = Part(orbit, tuple(range(orbit.size)), False, False, False, False)
    partial = [part for part in parts if not {*part.homes} <= placed]
    regions = [part for part in parts if part not in partial and not part.still]
    if any({*part.homes} & placed and not part.still for part in partial):
        regions.append(whole)
    for region in regions:
        own = {home for part in partial for home in part.homes} if region is whole else placed
        shown = [home for home in region.homes if home in own & placed]
        for label in dict.fromkeys(orbit.solved[home] for home in shown):
            homes = [home for home in region.homes if orbit.solved[home] == label]
            covered = [home for home in homes if home in placed]
            others = [home for home in region.homes if home not in placed]
            few = len(covered) < len(homes)
            if (few or region is whole) and comb(len(region.homes), len(homes)) > MOST_LISTED:
                continue  # its goals are too many to list, or no table has room
            yield Covering(
                _title(region, "like", covered),
                puzzle,
                orbit.name,
                orbit.places[homes[0]],
                region.names,
                region.named(covered),
                region.named(others) if few else "",
            )


@lru_cache(maxsize=500)
def _is_lasting(coordinate: Coordinate, moves: tuple[Move, ...]) -> bool:
    """Whether moves never lead from a goal value of a coordinate to another value."""
    goals = {*coordinate.goals}
    few = len(goals) <= _FEW_GOALS and coordinate.closed_under(moves)
    return few and all(
        int(coordinate.rank(coordinate.after(coordinate.unrank(goal), move))) in goals
        for goal in goals
        for move in moves
    )


def _title(part: Part, what: str, homes: Sequence[int]) -> str:
    """Return the name of a coordinate, which is also part of the names of files."""
    listed = part.named(homes).split()
    if len(homes) == part.orbit.size:
        listed = []
    elif len(listed) > 6:
        listed = [*listed[:2], "...", listed[-1]]
    return "-".join(filter(None, [part.orbit.name, what, ",".join(listed)]))


def _groups(homes: Sequence[int], places: int, base: int, values: int) -> Iterator[list[int]]:
    """Yield the pieces in groups of nearly equal size, the larger groups first."""
    if not homes:
        return
    most = 2 if len(homes) <= _FEW and base > 1 else len(homes)
    size = 1
    while size < most and perm(places, size + 1) * base ** (size + 1) <= values:
        size += 1
    count = -(-len(homes) // size)
    bounds = [-(-i * len(homes) // count) for i in range(count + 1)]
    for start, end in pairwise(bounds):
        yield list(homes[start:end])


def _spread(coordinate: Coordinate, effects: Sequence[Effect]) -> Coordinate:
    """Return the coordinate with all goal values that effects make of its goal values."""
    values = set(coordinate.goals)
    for gather, add in effects[1:]:
        move = Move("up to", "up to", 1, 0, gather, add)
        if not coordinate.closed_under([move]):
            raise UsageError(
                f"'up to' cannot be used here: its moves exchange the pieces of {coordinate.name} "
                "with pieces that the allowed moves do not bring there"
            )
        values |= {
            int(coordinate.rank(coordinate.after(coordinate.unrank(goal), move)))
            for goal in coordinate.goals
        }
    return with_goals(coordinate, tuple(sorted(values - {-1})))


def _grouped(coordinates: Sequence[Coordinate], entries: int) -> list[Coordinate]:
    """Return at most three coordinates if one table over all coordinates has room for them."""
    found = list(coordinates)
    if prod(each.size for each in found) > entries:
        return found
    while len(found) > _OF_A_TABLE:
        found.sort(key=lambda each: -each.size)
        # Not all pairs of values are possible for coordinates of the same pieces.
        pairs = (
            (other, one)
            for one, other in combinations(found[::-1], 2)
            if {*one.reads}.isdisjoint(other.reads)
        )
        first, last = next(pairs, (None, None))
        if first is None or last is None:
            return list(coordinates)
        found = [each for each in found if each not in (first, last)]
        found.append(_product(first, last))
    return found


def _distinct(coordinates: Sequence[Coordinate]) -> list[Coordinate]:
    """Return coordinates with different names; in place of equal ones, one with common goals.

    Raises UsageError if there are no common goals.
    """
    found: dict[str, Coordinate] = {}
    for each in coordinates:
        known = found.get(each.identity)
        if known is not None:
            common = tuple(sorted({*known.goals} & {*each.goals}))
            if not common:
                raise UsageError(f"no state is at the goal: its conditions on {each.name} differ")
            each = with_goals(known, common)
        found[each.identity] = each
    names: set[str] = set()
    result = []
    for each in found.values():
        name, number = each.name, 1
        while name in names:
            number += 1
            name = f"{each.name}-{number}"
        names.add(name)
        result.append(each if name == each.name else attrs.evolve(each, name=name))
    return result


def _joined(coordinates: Sequence[Coordinate]) -> list[Coordinate]:
    """Join small coordinates while there are more than a phase can have."""
    found = list(coordinates)
    while len(found) > MAX_COORDINATES:
        pairs = [
            (one.size * other.size, i, k)
            for (i, one), (k, other) in combinations(enumerate(found), 2)
            if one.size * other.size <= _VALUES and {*one.reads}.isdisjoint(other.reads)
        ]
        if not pairs:
            break
        _, i, k = min(pairs)
        found.append(_product(found[i], found.pop(k)))
        del found[i]
    return found


def _product(first: Coordinate, last: Coordinate) -> Coordinate:
    """Return two coordinates as one."""
    whole = Aimed(
        f"{first.name}+{last.name}",
        first.puzzle,
        first.orbit_name,
        (*first.digits, *last.digits),
    )
    goals = [one * last.size + other for one in first.goals for other in last.goals]
    return with_goals(whole, tuple(sorted(goals)))


def _tables(coordinates: Sequence[Coordinate], entries: int, memory: int) -> Iterator[Plain]:
    """Yield pruning tables over up to three coordinates, the largest first.

    If a table over all coordinates fits, it is the only table. Each coordinate is in some table, if
    there are not too many.
    """
    order = list(coordinates).index
    sizes = {
        group: prod(each.size for each in group)
        for count in range(1, _OF_A_TABLE + 1)
        for group in combinations(coordinates, count)
    }
    fitting = [group for group, size in sizes.items() if size <= min(entries, 2 * memory)]
    largest = [group for group in fitting if not any(set(group) < set(other) for other in fitting)]
    largest.sort(key=lambda group: (-sizes[group], [*map(order, group)]))
    chosen: list[tuple[Coordinate, ...]] = []
    for group in largest:
        memory -= sizes[group] // 2
        if memory >= 0:
            chosen.append(group)
    covered = {each for group in chosen for each in group}
    chosen += [(each,) for each in coordinates if each not in covered and each.size <= MOST_ENTRIES]
    for group in chosen[:MAX_TABLES]:
        yield Plain(" ".join(each.name for each in sorted(group, key=order)))
