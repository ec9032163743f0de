"""The method `reduction` of the 7x7x7: its coordinates, its goals, its view of a 5x5x5."""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from bundled import COMPILED, stickers

import puzzlekit
from puzzlekit import Coordinate
from puzzlekit.coordinates.products import Reached
from puzzlekit.engine.ranks import rank
from puzzlekit.puzzle.net import facelets
from puzzlekit.puzzle.random_states import random_state
from puzzlekit_beam.view import View
from puzzlekit_cube7.cube7_phases import (
    ALIGNED,
    CENTERED,
    EIGHT_HALF,
    EIGHT_PAIRED,
    FOUR_PAIRED,
    HALF,
    REDUCED,
    cube_pieces,
    phases,
)
from puzzlekit_cubes import EDGES, finish

SOLVER = puzzlekit.load("cube7")
CUBE = SOLVER.puzzle
FIVE = puzzlekit.load("cube5").puzzle
PIECES = cube_pieces(CUBE)
PHASES = phases(PIECES)
PARTS = {
    f"{phase.name} {part.name}": (phase, part)
    for phase in PHASES
    for coordinate in phase.coordinates
    for part in coordinate.digits
}


def seen(phase: puzzlekit.Phase, state: bytes) -> bytes:
    """Return a state as the view of a phase shows it."""
    return state if phase.view is None else phase.view.see(CUBE, state)


@pytest.mark.parametrize("name", PARTS)
def test_coordinates_rank_and_unrank(name: str) -> None:
    phase, part = PARTS[name]
    cube = part.puzzle
    moves = phase.allowed(cube)
    assert part.closed_under(moves)
    some = random.Random(1)
    values = [0, part.size - 1, *(some.randrange(part.size) for _ in range(40))]
    assert part.rank(part.unrank(np.array(values))).tolist() == values
    ranked = part.whole if isinstance(part, Reached) else part
    program = ranked.engine_program
    assert program is not None
    for _ in range(10):
        state = cube.apply(cube.solved, some.choices(moves, k=40))
        assert rank(array("i", program), state) == ranked.rank(state)


def goal_values(phase: puzzlekit.Phase, coordinate: Coordinate) -> set[int]:
    """Return the values that the goal moves of a phase reach from the solved state."""
    cube = coordinate.puzzle
    states, known = [cube.solved], {coordinate.rank(cube.solved)}
    for state in states:  # grows during the loop
        for move in phase.kept(cube):
            after = cube.apply(state, [move])
            if coordinate.rank(after) not in known:
                known.add(coordinate.rank(after))
                states.append(after)
    return known


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(PHASES) - 1))
def test_later_phases_keep_the_goals_of_a_phase(number: int) -> None:
    some = random.Random(number)
    phase = PHASES[number]
    # The t-centers of F and B change their faces again.
    kept = [each for each in phase.coordinates if each.name[:3] not in ("f-o", "f-i", "b-o", "b-i")]
    goals = {each: goal_values(phase, each) for each in kept}
    # Obliques of one colour leave F and B during the next phase, and are there at its end.
    next_ones = PHASES[number + 1 :][phase.name == "one colour" :]
    for later in next_ones:
        # In the phases before, middle slices turn the other layers against the middle centers.
        moves = [move for move in later.allowed(CUBE) if move.family not in ("M", "E", "S")]
        for _ in range(5):
            state = seen(phase, CUBE.apply(CUBE.solved, some.choices(moves, k=30)))
            assert all(each.rank(state) in values for each, values in goals.items())


# --- which states half turns can solve ------------------------------------------------------------


def reached(coordinates: Sequence[Coordinate], moves: str) -> int:
    """Return how many joint values some moves reach from the solved state."""
    columns = []
    for each in coordinates:
        states = [CUBE.solved]
        known = {each.rank(CUBE.solved): 0}
        column: list[list[int]] = []
        for state in states:  # grows during the loop
            row = []
            for move in CUBE.moves(moves):
                after = CUBE.apply(state, [move])
                if each.rank(after) not in known:
                    known[each.rank(after)] = len(states)
                    states.append(after)
                row.append(known[each.rank(after)])
            column.append(row)
        columns.append(column)
    start = (0,) * len(columns)
    found = {start: None}
    for at in (todo := [start]):
        for m in range(len(columns[0][0])):
            after_all = tuple(column[i][m] for column, i in zip(columns, at, strict=True))
            if after_all not in found:
                found[after_all] = None
                todo.append(after_all)
    return len(found)


def one_by_one(axis: str, orbits: str) -> list[Coordinate]:
    return [PIECES.centers(f"{axis.lower()}-{orbit}", axis[0], axis) for orbit in orbits]


@pytest.mark.parametrize(
    ("axis", "moves", "joint"),
    [("FB", ALIGNED, ("lr", "x", "o", "i")), ("UD", FOUR_PAIRED, ("lro", "xi"))],
)
def test_the_goals_of_groups_of_orbits_are_the_goal_of_all(
    axis: str, moves: str, joint: tuple[str, ...]
) -> None:
    """The phases test these groups one by one. Half turns do not connect the groups."""
    groups = [reached(one_by_one(axis, orbits), moves) for orbits in joint]
    pairs = [
        reached(one_by_one(axis, one[0] + other[0]), moves)
        for one, other in product(joint, joint)
        if one < other
    ]
    alone = {orbits[0]: reached(one_by_one(axis, orbits[0]), moves) for orbits in joint}
    assert pairs == [
        alone[one[0]] * alone[other[0]] for one, other in product(joint, joint) if one < other
    ]
    assert groups == {"FB": [144, 12, 36, 36], "UD": [432, 6]}[axis]


@pytest.mark.parametrize("orbits", ["x", "i", "r", "xi", "xri"])
def test_left_obliques_say_where_other_centers_are(orbits: str) -> None:
    assert reached(one_by_one("UD", "l"), CENTERED) == 36
    assert reached(one_by_one("UD", f"l{orbits}"), CENTERED) == 36


def test_half_turns_pair_some_tredges_only() -> None:
    """So the phase before them looks at the dedges, too."""
    low, high = PIECES.tredges("four", EDGES, EDGES[:4])
    (dedges,) = PIECES.dedges("dedges", EDGES[:4], EDGES[:4], 24, 1).parts
    assert reached([low], HALF) == reached([high], HALF) == 24
    assert reached([low, high], HALF) == 96
    assert reached([dedges], HALF) == 4


def test_paired_tredges_stay_paired() -> None:
    for edges, moves in ((EDGES[:4], FOUR_PAIRED), (EDGES[:4], EIGHT_HALF), (EDGES, REDUCED)):
        assert reached(PIECES.tredges("some", EDGES, edges), moves) == 1
    assert reached(PIECES.tredges("some", EDGES, EDGES[:8]), EIGHT_PAIRED) == 1


# --- the method -----------------------------------------------------------------------------------


BOTH = ["U", "R", "F", "D", "L", "B", "Uw", "Rw", "Fw", "Dw", "Lw", "Bw"]


@pytest.mark.parametrize("seed", range(10))
def test_a_reduced_cube_is_seen_as_a_5x5x5(seed: int) -> None:
    view = View(FIVE, finish.seen_as_five(CUBE, FIVE))
    families = random.Random(seed).choices(BOTH, k=30)
    states = [each.apply(each.solved, each.moves(" ".join(families))) for each in (CUBE, FIVE)]
    assert view.see(CUBE, states[0]) == view.reader(CUBE)(states[0]) == states[1]


@pytest.mark.long
@pytest.mark.skipif(not COMPILED, reason="its tables take minutes interpreted")
@pytest.mark.parametrize("seed", range(10))
def test_random_states_are_solved(seed: int) -> None:
    state = random_state(CUBE, random.Random(seed))
    solution = SOLVER.solve(state, method="reduction", max_length=200)
    cube = stickers("cube7")
    assert cube.is_solved(cube.replay(facelets(CUBE, state), str(solution)))
    assert solution.verified
    names = [part.name for part in solution.phases]
    assert names[:13] == [phase.name for phase in PHASES] and names[13] == "gather"


@pytest.mark.long
@pytest.mark.skipif(not COMPILED, reason="its tables take minutes interpreted")
def test_short_scrambles_get_short_answers() -> None:
    some = random.Random(2)
    moves = CUBE.family_moves([name for name in CUBE.turns if name not in CUBE.rotations])
    for count in (0, 1, 2, 3):
        for _ in range(5):
            scramble = some.choices(moves, k=count)
            solution = SOLVER.solve(CUBE.apply(CUBE.solved, scramble), method="reduction")
            assert solution.cost <= CUBE.metric("OBTM").total(scramble)
