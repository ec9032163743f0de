"""Checks of a puzzle's states: what its constraints promise, and which faults are told."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit.phase.parity import Sign, reduced
from puzzlekit.puzzle.constraint import (
    Blocks,
    Constraint,
    EvenParity,
    Frame,
    GuardParity,
    OrientationSum,
)
from puzzlekit.puzzle.diagnosis import diagnose
from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.part import moved_parts
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.puzzle.sampling import random_state
from puzzlekit.testing.check import PUZZLE, check, fail, skip
from puzzlekit.testing.moves import WHOLE
from puzzlekit.testing.target import Target

SOUND = "states that moves reach are sound"


@check(SOUND, PUZZLE, needs=(WHOLE,))
def sound(target: Target) -> None:
    """No fault is told of the solved state, nor of any that moves make of it."""
    puzzle = target.puzzle
    if faults := diagnose(puzzle, puzzle.solved):
        fail(f"the solved state is told to be faulty: {faults[0]}")
    if not puzzle.is_solved(puzzle.solved):
        fail("the solved state does not count as solved")
    moves = target.all_moves
    for move in target.possible(moves, puzzle.solved):
        if faults := diagnose(puzzle, puzzle.apply(puzzle.solved, [move])):
            fail(
                f"the move {move.name} breaks a constraint: of the state that it makes of the "
                f"solved one is told: {faults[0]}"
            )
    for _ in range(max(1, target.effort.samples // 10)):
        names = []
        for move, state in target.walk(moves, 20):
            names.append(move.name)
            if faults := diagnose(puzzle, state):
                fail(f"after {' '.join(names)} is told: {faults[0]}")


@check("random states are sound", PUZZLE, needs=(SOUND,))
def drawn(target: Target) -> None:
    """Random states, which satisfy the constraints, have no faults, and there are several."""
    puzzle = target.puzzle
    states = [random_state(puzzle, target.random) for _ in range(target.effort.samples)]
    for state in states:
        if faults := diagnose(puzzle, state):
            fail(f"of a random state is told: {faults[0]}")
    if len(set(states)) == 1:
        fail("all random states are the solved one: its constraints leave no other")
    if puzzle.guard is None:
        _check_kept(target, states)


def _check_kept(target: Target, states: Sequence[bytes]) -> None:
    """Fail where a state has a sum of orientations or a parity that no moves make."""
    puzzle = target.puzzle
    parts = moved_parts(puzzle, target.all_moves)
    signs = [
        Sign(part, turns=False)
        for part in parts
        if len({part.orbit.solved[home] for home in part.homes}) == len(part.homes) > 1
    ]
    basis: list[int] = []
    for family in puzzle.turns:
        odd = [sign.of_effect(puzzle, puzzle.turns[family]) for sign in signs]
        rest = reduced(sum(bit << i for i, bit in enumerate(odd)), basis)
        basis += [rest] if rest else []
    for state in states:
        for part in parts:
            start = puzzle.offsets[part.orbit.name]
            turns = [start + part.orbit.size + home for home in part.homes] * part.turned
            if part.summed and sum(state[j] for j in turns) % part.orbit.orientations:
                fail(
                    f"all moves keep the sum of the orientations of {part.orbit.name}, but random "
                    "states have others: it needs a constraint such as OrientationSum"
                )
        try:
            odd = [sign.of_state(puzzle, state) for sign in signs]
        except ValueError:
            fail("a random state has pieces where no move brings them: it needs a constraint")
        if reduced(sum(bit << i for i, bit in enumerate(odd)), basis):
            names = " and ".join(dict.fromkeys(sign.part.orbit.name for sign in signs))
            fail(
                f"random states have parities of {names} that no moves make: it needs a constraint "
                "such as EvenParity"
            )


@check("faults of a state are told", PUZZLE, needs=(SOUND,))
def told(target: Target) -> None:
    """A piece that is there twice, and each constraint that is broken, are noticed."""
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
                fail(f"no fault is told of a state in which {orbit.piece} {name} is there twice")
        for constraint in puzzle.constraints:
            spoilt = _broken(puzzle, state, constraint)
            if spoilt is not None and not diagnose(puzzle, spoilt):
                fail(f"no fault is told of a state that breaks {constraint}")


def _broken(puzzle: Puzzle, state: bytes, constraint: Constraint) -> bytes | None:
    """The state with a constraint broken; None where that takes more than one step."""
    if isinstance(constraint, OrientationSum):
        orbit = puzzle.orbit(constraint.orbit)
        at = puzzle.offsets[orbit.name] + orbit.size
        turned = (state[at] + 1) % orbit.orientations
        return state[:at] + bytes([turned]) + state[at + 1 :]
    places: list[int] = []
    if isinstance(constraint, EvenParity):
        # With two pieces of a frame exchanged another holding may come out.
        frames = {each.orbit for each in puzzle.constraints if isinstance(each, Frame)}
        name = next((name for name in constraint.orbits if name not in frames), None)
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
    """The puzzle turned as a whole stays solved, and renaming its pieces undoes the turn."""
    puzzle = target.puzzle
    if not puzzle.rotations:
        skip("it has no rotations")
    moves = target.all_moves
    for move in puzzle.family_moves(puzzle.rotations):
        turned = puzzle.apply(puzzle.solved, [move])
        if not puzzle.is_solved(turned):
            fail(f"after the rotation {move.name} the solved puzzle does not count as solved")
    for state in target.states(moves, max(2, target.effort.samples // 20)):
        for holding in puzzle.holdings:
            seen = puzzle.recolour(state, holding)
            if puzzle.is_solved(seen) != puzzle.is_solved(state):
                fail("renaming the pieces as a rotation does makes a solved state an unsolved one")
            move = target.random.choice(moves)
            if puzzle.recolour(puzzle.apply(state, [move]), holding) != puzzle.apply(seen, [move]):
                fail(
                    f"renaming the pieces as a rotation does, and then {move.name}, is not the "
                    "same the other way round: is each rotation one of the whole puzzle?"
                )
