"""Checks of a puzzle's states, of its constraints, and of the reported faults."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import attrs

from puzzlekit.puzzle.diagnose import diagnose, state_parity
from puzzlekit.puzzle.orbit import (
    Blocks,
    Constraint,
    EvenParity,
    GuardParity,
    Orbit,
    OrientationSum,
)
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.puzzle.random_states import random_state
from puzzlekit.testing.check import PUZZLE, check, fail, skip
from puzzlekit.testing.move_checks import WHOLE
from puzzlekit.testing.target import Target

SOUND = "states that moves reach are sound"
DRAWN = "random states are sound"


@check(SOUND, PUZZLE, needs=(WHOLE,))
def sound(target: Target) -> None:
    """Neither the solved state nor any state that moves reach has a fault."""
    puzzle = target.puzzle
    if faults := diagnose(puzzle, puzzle.solved):
        fail(f"the constraints report a fault of the solved state: {faults[0]}")
    if not puzzle.is_solved(puzzle.solved):
        fail("the solved state does not count as solved")
    moves = target.all_moves
    for move in target.possible(moves, puzzle.solved):
        if faults := diagnose(puzzle, puzzle.apply(puzzle.solved, [move])):
            fail(
                f"the move {move.name} breaks a constraint: after it, the solved state has the "
                f"fault: {faults[0]}"
            )
    for _ in range(max(1, target.effort.samples // 10)):
        names = []
        for move, state in target.walk(moves, 20):
            names.append(move.name)
            if faults := diagnose(puzzle, state):
                fail(f"after {' '.join(names)} the constraints report a fault: {faults[0]}")


@check(DRAWN, PUZZLE, needs=(SOUND,))
def drawn(target: Target) -> None:
    """Random states have no faults, and are not all the same."""
    puzzle = target.puzzle
    states = [random_state(puzzle, target.random) for _ in range(target.effort.samples)]
    for state in states:
        if faults := diagnose(puzzle, state):
            fail(f"the constraints report a fault of a random state: {faults[0]}")
    if len(set(states)) == 1:
        fail("all random states are the solved state: the constraints allow no other")


@check("random states can be reached", PUZZLE, needs=(DRAWN,))
def reached(target: Target) -> None:
    """Moves can reach the parities and orientation sums that random states have."""
    puzzle = target.puzzle
    if puzzle.guarded is not None:
        skip("the effect of its moves depends on the place of a piece")
    totals = _totals(puzzle)
    moves = [
        [each.of(puzzle.apply(puzzle.solved, [move])) for each in totals]
        for move in target.all_moves
    ]
    states = [random_state(puzzle, target.random) for _ in range(target.effort.samples)]
    drawn = [[each.of(state) for each in totals] for state in states]
    for size in (1, 2, 3):
        for some in combinations(range(len(totals)), size):
            chosen = [totals[i] for i in some]
            sums = _sums([[move[i] for i in some] for move in moves], chosen)
            if any(tuple(state[i] for i in some) not in sums for state in drawn):
                what = " and ".join(map(str, chosen))
                fail(
                    "no moves reach some random states: the constraints do not describe how moves "
                    f"link {what}{_advice(chosen, sums)}"
                )


@attrs.frozen
class _Total:
    """A number of a state that each move changes by a constant: a parity or orientation sum."""

    puzzle: Puzzle
    orbit: Orbit
    parity: bool

    @property
    def modulus(self) -> int:
        return 2 if self.parity else self.orbit.orientations

    def of(self, state: bytes) -> int:
        if not self.parity:
            return sum(self.puzzle.orientations(state, self.orbit)) % self.modulus
        return state_parity(self.puzzle, [self.orbit], state)

    def __str__(self) -> str:
        what = "parity" if self.parity else "sum of the orientations"
        return f"the {what} of the {self.orbit.name}"


def _totals(puzzle: Puzzle) -> list[_Total]:
    """Return the totals of a puzzle. Orbits with alike pieces have no parity."""
    found = []
    for orbit in puzzle.orbits:
        if orbit.orientations > 1 and orbit.name not in puzzle.frames:
            found.append(_Total(puzzle, orbit, parity=False))
        if orbit.distinct:
            found.append(_Total(puzzle, orbit, parity=True))
    return found


def _sums(steps: Iterable[Sequence[int]], totals: Sequence[_Total]) -> set[tuple[int, ...]]:
    """Return all sums of steps, starting from 0."""
    steps = set(map(tuple, steps))
    found = {(0,) * len(totals)}
    left = list(found)
    while left:
        at = left.pop()
        for step in steps:
            to = tuple((a + b) % each.modulus for a, b, each in zip(at, step, totals, strict=True))
            if to not in found:
                found.add(to)
                left.append(to)
    return found


def _advice(totals: Sequence[_Total], sums: set[tuple[int, ...]]) -> str:
    """Return advice on the missing constraint."""
    names = [each.orbit.name for each in totals]
    if all(each.parity for each in totals) and not any(sum(each) % 2 for each in sums):
        return f"; {EvenParity(tuple(names))} does"
    if len(totals) == 1 and sums == {(0,)}:
        return f"; {OrientationSum(names[0])} does"
    return "; a Law can"


@check("faults of a state are reported", PUZZLE, needs=(SOUND,))
def told(target: Target) -> None:
    """Duplicate pieces and broken constraints are reported as faults."""
    puzzle = target.puzzle
    moves = target.all_moves
    for state in target.states(moves, max(4, target.effort.samples // 10)):
        for orbit in puzzle.orbits:
            labels = puzzle.labels(state, orbit)
            other = next((i for i in range(1, orbit.size) if labels[i] != labels[0]), None)
            if other is not None and not diagnose(
                puzzle, _put(puzzle, state, orbit, 0, labels[other])
            ):
                name = orbit.label_name(labels[other])
                fail(f"a state with {orbit.piece} {name} twice has no fault")
        for constraint in puzzle.constraints:
            spoilt = _broken(puzzle, state, constraint)
            if spoilt is not None and not diagnose(puzzle, spoilt):
                fail(f"a state that breaks {constraint} has no fault")


def _broken(puzzle: Puzzle, state: bytes, constraint: Constraint) -> bytes | None:
    """Return the state after a change that breaks a constraint.

    Return None if no single change breaks the constraint.
    """
    if isinstance(constraint, OrientationSum):
        orbit = puzzle.orbit(constraint.orbit)
        at = puzzle.offsets[orbit.name] + orbit.size
        turned = (state[at] + 1) % orbit.orientations
        return state[:at] + bytes([turned]) + state[at + 1 :]
    places: list[int] = []
    if isinstance(constraint, EvenParity):
        # Exchanging two pieces of a frame may give another valid holding.
        name = next((name for name in constraint.orbits if name not in puzzle.frames), None)
        places = [0, 1]
    elif isinstance(constraint, GuardParity):
        name = constraint.orbit
        at = puzzle.place_of_guard(state)
        places = [place for place in range(puzzle.orbit(name).size) if place != at][:2]
    elif isinstance(constraint, Blocks) and len(constraint.blocks[0].split()) > 1:
        name = constraint.orbit
        places = [puzzle.orbit(name).place(block.split()[0]) for block in constraint.blocks[:2]]
    else:
        return None
    if name is None or len(places) < 2 or puzzle.orbit(name).size < 2:
        return None
    orbit = puzzle.orbit(name)
    one, other = (puzzle.labels(state, orbit)[place] for place in places)
    return _put(puzzle, _put(puzzle, state, orbit, places[0], other), orbit, places[1], one)


def _put(puzzle: Puzzle, state: bytes, orbit: Orbit, place: int, label: int) -> bytes:
    at = puzzle.offsets[orbit.name] + place
    return state[:at] + bytes([label]) + state[at + 1 :]


@check("ways of holding it fit the solved state", PUZZLE, needs=(WHOLE,))
def held(target: Target) -> None:
    """A rotation keeps the puzzle solved, and renaming its pieces undoes the rotation."""
    puzzle = target.puzzle
    if not puzzle.rotations:
        skip("it has no rotations")
    moves = target.all_moves
    for move in puzzle.family_moves(puzzle.rotations):
        turned = puzzle.apply(puzzle.solved, [move])
        if not puzzle.is_solved(turned):
            fail(f"after the rotation {move.name} the solved puzzle does not count as solved")
    for state in target.states(moves, max(2, target.effort.samples // 20)):
        for holding in puzzle.whole_rotations:
            seen = puzzle.relabel(state, holding)
            if puzzle.is_solved(seen) != puzzle.is_solved(state):
                fail("renaming the pieces by a rotation makes a solved state unsolved")
            move = target.random.choice(moves)
            if puzzle.relabel(puzzle.apply(state, [move]), holding) != puzzle.apply(seen, [move]):
                fail(
                    f"renaming the pieces by a rotation does not commute with {move.name}: does "
                    "each rotation turn the whole puzzle?"
                )
