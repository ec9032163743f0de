"""Proofs that moves do not reach a goal: what moves keep, their group, and lists of all states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from math import gcd

from puzzlekit import Move, Orbit, Puzzle
from puzzlekit.puzzle.groups import Part, parts_of
from puzzlekit.puzzle.move import Effect, act, invert
from puzzlekit_steps.goal import Condition
from puzzlekit_steps.move_group import MoveGroup
from puzzlekit_steps.parts import Need

_OFTEN = 500  # states between two looks at the limits of a search
_MOST_PLACES = 200  # of the pieces that must be placed, for the group of the moves


class Obstacles:
    """Finds proofs that moves do not lead from a state to states in which conditions hold.

    Parameters
    ----------
    puzzle
        The puzzle. It must not have a guard or forbidden places.
    conditions
        The conditions.
    moves
        The moves.
    effects
        Effects that may be missing at the goal, the identity first (see `Goal.up_to`).

    Examples
    --------
    >>> import puzzlekit
    >>> from puzzlekit_steps import Solved
    >>> cube = puzzlekit.load("cube3")
    >>> solved = Solved("corners edges")
    >>> obstacles = Obstacles(cube.puzzle, [solved], cube.puzzle.family_moves("RU"))
    >>> exchanged = cube.state("R U R' U' R' F R2 U' R' U' R U R' F'")
    >>> obstacles.bar(cube.state("F")), obstacles.bar(exchanged)
    (True, False)
    >>> obstacles.separate(exchanged), obstacles.separate(cube.state("R U R'"))
    (True, False)
    """

    def __init__(
        self,
        puzzle: Puzzle,
        conditions: Sequence[Condition],
        moves: Sequence[Move],
        effects: Sequence[Effect] = (),
    ) -> None:
        self._puzzle = puzzle
        self._conditions = conditions
        self._moves = moves
        self._back = [invert(each, puzzle.modulus) for each in effects] or [
            puzzle.whole_rotations[0]
        ]
        self._rows: list[Callable[[bytes], bool]] = []
        needs = [need for condition in conditions for need in condition.needs(puzzle)]
        self._placed: dict[tuple[Orbit, int], bool] = {}  # and whether they must not be turned
        if len(self._back) == 1:
            self._keep(needs)

    def bar(self, state: bytes) -> bool:
        """Whether what the moves keep shows that they do not lead from a state to the goal."""
        return any(row(state) for row in self._rows)

    def separate(self, state: bytes) -> bool:
        """Whether the group of the moves shows the same, by the pieces that must be placed.

        The first call takes up to a second.
        """
        return self._group is not None and not self._group.solves_base(state)

    def exhaust(self, state: bytes, most: int, is_over: Callable[[], bool]) -> int:
        """Return the number of all states that the moves reach, if none is at the goal.

        States that the conditions do not tell apart count as one. The result is 0 if a state is at
        the goal, if there are more than `most` states, or if `is_over`, called now and then, says
        that the search has to end.
        """
        puzzle, modulus = self._puzzle, self._puzzle.modulus
        seen_as = _look(puzzle, self._conditions)
        tests = [each.test(puzzle) for each in self._conditions]
        effects = [move.effect for move in self._moves]
        known, fresh = {seen_as(state)}, [state]
        for number, each in enumerate(fresh):  # grows during the loop
            if not number % _OFTEN and is_over():
                return 0
            for back in self._back:
                before = act(each, *back, modulus)
                if all(test(before) for test in tests):
                    return 0
            for effect in effects:
                after = act(each, *effect, modulus)
                look = seen_as(after)
                if look not in known:
                    known.add(look)
                    fresh.append(after)
            if len(fresh) > most:
                return 0
        return len(fresh)

    def _keep(self, needs: Iterable[Need]) -> None:
        """Note what the moves keep."""
        puzzle = self._puzzle
        parts = parts_of(puzzle, self._moves)
        loose: dict[Orbit, set[int]] = {}  # labels of pieces that must not be turned, anywhere
        held: dict[tuple[Orbit, int], bool] = {}
        for orbit, home, placed, turned in needs:
            label = orbit.solved[home]
            if turned and orbit.orientations > 1 and (not placed or orbit.distinct):
                loose.setdefault(orbit, set()).add(label)
            if placed:
                held[orbit, home] = held.get((orbit, home), False) or turned
        for (orbit, home), turned in held.items():
            if orbit.distinct:
                turned = turned or orbit.solved[home] in loose.get(orbit, ())
                self._placed[orbit, home] = turned and orbit.orientations > 1
        bars = (condition.barred(puzzle, self._moves) for condition in self._conditions)
        self._rows += filter(None, bars)
        for part in parts:
            own = [home for home in part.homes if (part.orbit, home) in held]
            if own:
                self._rows.append(_too_few(puzzle, part, own))
            if part.orbit.orientations == 1:
                continue
            turned_here = [home for home in own if held[part.orbit, home]]
            labels = frozenset(loose.get(part.orbit, ()))
            if part.still and not part.turned and turned_here:
                self._rows.append(_is_turned(puzzle, part))
            if labels:
                if not part.turned:
                    self._rows.append(_is_loose(puzzle, part, labels))
                self._rows.append(_sum(puzzle, part, self._moves, labels))
            if len(turned_here) == len(part.homes):
                every = frozenset(part.orbit.solved)
                self._rows.append(_sum(puzzle, part, self._moves, every))

    @cached_property
    def _group(self) -> MoveGroup | None:
        """The group of the moves on the orbits of the pieces that must be placed."""
        orbits = {orbit for orbit, _ in self._placed}
        if not orbits or sum(orbit.size for orbit in orbits) > _MOST_PLACES:
            return None
        base = [
            (self._puzzle.offsets[orbit.name] + home, turned)
            for (orbit, home), turned in self._placed.items()
        ]
        return MoveGroup(self._puzzle, self._moves, base, orbits)


def _too_few(puzzle: Puzzle, part: Part, homes: Sequence[int]) -> Callable[[bytes], bool]:
    """Return whether a part lacks a piece that some of its homes need."""
    start, solved = puzzle.offsets[part.orbit.name], part.orbit.solved
    places = [start + home for home in part.homes]
    labels = [solved[home] for home in homes]
    wanted = {label: labels.count(label) for label in labels}

    def lacks(state: bytes) -> bool:
        here = [state[j] for j in places]
        return any(here.count(label) < count for label, count in wanted.items())

    return lacks


def _is_turned(puzzle: Puzzle, part: Part) -> Callable[[bytes], bool]:
    """Return whether the piece at a place that no move changes is turned."""
    turn = puzzle.offsets[part.orbit.name] + part.orbit.size + part.homes[0]
    return lambda state: bool(state[turn])


def _is_loose(puzzle: Puzzle, part: Part, labels: frozenset[int]) -> Callable[[bytes], bool]:
    """Return whether one of some pieces is turned at a place where no move turns pieces."""
    start, size = puzzle.offsets[part.orbit.name], part.orbit.size
    places = [start + home for home in part.homes]
    return lambda state: any(state[j + size] and state[j] in labels for j in places)


def _sum(
    puzzle: Puzzle, part: Part, moves: Sequence[Move], labels: frozenset[int]
) -> Callable[[bytes], bool]:
    """Return whether a part has only some pieces, turned by a sum that no move makes 0."""
    start, size = puzzle.offsets[part.orbit.name], part.orbit.size
    places = [start + home for home in part.homes]
    turns = [place + size for place in places]
    step = gcd(part.orbit.orientations, *(sum(move.add[j] for j in turns) for move in moves))
    return lambda state: (
        sum(state[j] for j in turns) % step != 0 and all(state[j] in labels for j in places)
    )


def _look(puzzle: Puzzle, conditions: Sequence[Condition]) -> Callable[[bytes], bytes]:
    """Return a function of states that is equal for states that conditions do not tell apart."""
    seen: dict[tuple[Orbit, int], set[tuple[int, int]]] = {}
    turned: set[tuple[Orbit, int]] = set()
    for number, condition in enumerate(conditions):
        for orbit, label, kind, matters in condition.kinds(puzzle):
            seen.setdefault((orbit, label), set()).add((number, kind))
            if matters:
                turned.add((orbit, label))
    rows: list[tuple[int, int, bytes, bytes]] = []
    for orbit in puzzle.orbits:
        labels = [label for label in set(orbit.solved) if (orbit, label) in seen]
        if not labels:
            continue
        looks = [frozenset(seen[orbit, label]) for label in labels]
        different = list(dict.fromkeys(looks))
        names, masks = bytearray(256), bytearray(256)
        for label, look in zip(labels, looks, strict=True):
            names[label] = 1 + different.index(look)
            masks[label] = 255 * ((orbit, label) in turned)
        start = puzzle.offsets[orbit.name]
        own = bytes(masks) if orbit.orientations > 1 and any(masks) else b""
        rows.append((start, orbit.size, bytes(names), own))

    def seen_as(state: bytes) -> bytes:
        found = b""
        for start, size, names, masks in rows:
            labels = state[start : start + size]
            found += labels.translate(names)
            if masks:
                turns = state[start + size : start + 2 * size]
                found += bytes(map(int.__and__, turns, labels.translate(masks)))
        return found

    return seen_as
