"""Refusal of methods that solve only a part of the puzzle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

from puzzlekit.coordinates.products import plain_coordinates
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.search.plan import Plan
from puzzlekit.tables.goals import goals

_TIMES = 3  # how often a commutator is repeated at most


def check_whole(plan: Plan) -> None:
    """Raise a DeclarationError if the goals of a method certainly leave pieces unsolved.

    The check looks for moves that change the solved puzzle but not the value of any coordinate. It
    tries single moves. If the coordinates do not read all pieces, it also tries commutators. The
    check can prove that a method is wrong, but not that a method is right.
    """
    puzzle = plan.puzzle
    if plan.goal is not None:  # each answer is tested
        return
    if all(not phase.coordinates for phase in plan.phases):  # the goal is the solved puzzle
        return
    if puzzle.guard is not None or any(phase.view is not None for phase in plan.phases):
        return
    coordinates = plain_coordinates([each for phase in plan.phases for each in phase.coordinates])
    # Most moves change the largest coordinate, so the others are rarely computed.
    largest_first = sorted(coordinates, key=lambda each: -each.size)
    told = [(each, each.rank(puzzle.solved)) for each in largest_first]
    try:
        every = (plan.resolver.moves(puzzle, phase).allowed for phase in plan.phases)
        allowed = dict.fromkeys(move for moves in every for move in moves)
    except DeclarationError:  # reported when the phases are prepared
        return
    read = {byte for each in coordinates for byte in each.reads}
    moved = {j for move in allowed for j, source in enumerate(move.gather) if source != j}
    for moves in _tried(puzzle, tuple(allowed), commutators=not moved <= read):
        state = puzzle.apply(puzzle.solved, moves)
        if all(each.rank(state) == value for each, value in told) and not puzzle.is_solved(state):
            names = " ".join(move.name for move in moves)
            raise _fault(plan, f"after {names} from the solved state", state)


def fault_at_goal(plan: Plan, state: bytes) -> DeclarationError | None:
    """Return the error for a method whose goal includes an unsolved state.

    Returns None if the state is not at the goal of the method's last phase, however its pieces are
    named.
    """
    puzzle, last = plan.puzzle, plan.phases[-1]
    named = plan.resolver.moves(puzzle, last)
    wanted = [
        (each, goals(plan.store, each, named.goal_moves, named.goal_states))
        for each in plain_coordinates(last.coordinates)
    ]
    for held in puzzle.whole_rotations:
        seen = puzzle.relabel(state, held)
        try:
            shown = seen if last.view is None else last.view.see(puzzle, seen)
        except DeclarationError:
            continue
        ranked = ((int(each.rank(shown)), values) for each, values in wanted)
        if all(value >= 0 and _is_among(value, values) for value, values in ranked):
            return _fault(plan, f"in the state {state.hex()}", state)
    return None


def _tried(puzzle: Puzzle, moves: Sequence[Move], commutators: bool) -> Iterator[tuple[Move, ...]]:
    """Single moves, then repeated commutators of one move per family."""
    yield from ((move,) for move in moves)
    first = {move.family: move for move in reversed(moves)}
    for one, other in permutations(first.values(), 2) if commutators else ():
        if not puzzle.commute(one, other):
            commutator = (one, other, puzzle.inverse(one), puzzle.inverse(other))
            yield from (commutator * times for times in range(1, _TIMES + 1))


def _is_among(value: int, values: Any) -> bool:
    """Whether a value is among the goals, which are a tuple of values or an array of flags."""
    return value in values if isinstance(values, tuple) else bool(values[value])


def _fault(plan: Plan, where: str, state: bytes) -> DeclarationError:
    """The error for an unsolved state at the goal of a method; it names the unsolved pieces."""
    puzzle, phase = plan.puzzle, plan.phases[-1]
    solved = min(puzzle.solved_states, key=lambda each: (sum(map(int.__ne__, each, state)), each))
    wrong = []
    for orbit in puzzle.orbits:
        start = puzzle.offsets[orbit.name]
        places = [
            place
            for i, place in enumerate(orbit.places)
            if any(state[j] != solved[j] for j in range(start + i, start + orbit.width, orbit.size))
        ]
        wrong += [f"the {orbit.name} at {' '.join(places)}"] if places else []
    several = "the goals of its phases hold" if len(plan.phases) > 1 else "its goal holds"
    return DeclarationError(
        f"method {plan.name} of {puzzle.name} does not solve the puzzle: {several} {where}, but "
        f"{' and '.join(wrong)} are not solved. Give its last phase, {phase.name}, coordinates "
        "that include these pieces, or add a phase that solves them"
    )
