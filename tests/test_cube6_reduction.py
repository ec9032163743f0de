"""The method `reduction` of the 6x6x6: its coordinates, its view of a 5x5x5, its answers."""

from __future__ import annotations

import random
from array import array

import attrs
import numpy as np
import pytest
from bundled import COMPILED, stickers

import puzzlekit
from puzzlekit import DeclarationError
from puzzlekit.coordinates.products import Reached
from puzzlekit.engine.ranks import rank
from puzzlekit.puzzle.move import act
from puzzlekit.puzzle.net import facelets
from puzzlekit.puzzle.random_states import random_state
from puzzlekit_beam.view import View
from puzzlekit_cube6.cube6_phases import REDUCED, WINGS, cube_pieces, phases
from puzzlekit_cubes import EDGES, Companions, finish

SOLVER = puzzlekit.load("cube6")
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


@pytest.mark.parametrize("name", PARTS)
def test_coordinates_rank_and_unrank(name: str) -> None:
    phase, part = PARTS[name]
    moves = phase.allowed(CUBE)
    assert part.closed_under(moves)
    some = random.Random(1)
    values = [0, part.size - 1, *(some.randrange(part.size) for _ in range(40))]
    assert part.rank(part.unrank(np.array(values))).tolist() == values
    ranked = part.whole if isinstance(part, Reached) else part
    program = ranked.engine_program
    assert program is not None
    for _ in range(10):
        state = CUBE.apply(CUBE.solved, some.choices(moves, k=40))
        assert rank(array("i", program), state) == ranked.rank(state)


def test_sizes_of_the_coordinates() -> None:
    sizes = {name: part.size for name, (_, part) in PARTS.items()}
    assert sizes["inner fb-x"] == sizes["obliques fb-l"] == 735_471  # 24 choose 8
    assert sizes["axes ud-r"] == 12_870  # 16 choose 8
    assert sizes["four dedges four"] == 117_600  # (8 choose 4) * 8! / 4!
    assert sizes["eight dedges eight"] == 40_320  # 8!


def test_a_dedge_may_be_known_by_either_wing() -> None:
    coordinate = next(part for name, (_, part) in PARTS.items() if name == "eight dedges eight")
    every = PIECES.renaming(dict(zip(EDGES, EDGES, strict=True)), EDGES)
    some = random.Random(3)
    for _ in range(10):
        state = CUBE.apply(CUBE.solved, some.choices(PHASES[-1].allowed(CUBE), k=40))
        assert coordinate.rank(CUBE.relabel(state, every)) == coordinate.rank(state)
    assert isinstance(coordinate, Companions)
    with pytest.raises(DeclarationError, match="as many names"):
        attrs.evolve(coordinate, names=5)


def test_renamings() -> None:
    for found, count in ((PIECES.flips(CUBE), 2048), (PIECES.choices(CUBE), 495)):
        assert len(set(found)) == len(found) == count
        for each in found[::50]:
            state = act(CUBE.solved, *each, CUBE.modulus)
            wings = CUBE.orbit(WINGS)
            assert sorted(CUBE.labels(state, wings)) == sorted(wings.solved)


# --- the view of a 5x5x5 --------------------------------------------------------------------------

BOTH = "U R F D L B Uw Rw Fw Dw Lw Bw"


@pytest.mark.parametrize("seed", range(10))
def test_a_reduced_cube_is_seen_as_a_5x5x5(seed: int) -> None:
    view = View(FIVE, finish.seen_as_five(CUBE, FIVE))
    families = random.Random(seed).choices(BOTH.split(), k=30)
    states = [each.apply(each.solved, each.moves(" ".join(families))) for each in (CUBE, FIVE)]
    assert view.see(CUBE, states[0]) == view.reader(CUBE)(states[0]) == states[1]


def test_moves_of_the_goal_keep_the_cube_reduced() -> None:
    view = View(FIVE, finish.seen_as_five(CUBE, FIVE))
    state = CUBE.apply(CUBE.solved, CUBE.moves(REDUCED) * 3)
    assert view.see(CUBE, state) == FIVE.apply(FIVE.solved, FIVE.moves(REDUCED) * 3)


def test_a_3x3x3_is_seen_through_a_5x5x5() -> None:
    three = puzzlekit.load("cube3").puzzle
    near = View(three, finish.seen(FIVE, three))
    far = near.through(View(FIVE, finish.seen_as_five(CUBE, FIVE)))
    assert far.nearer is near and near.nearer is None
    moves = "U R2 F' D L B"
    state = CUBE.apply(CUBE.solved, CUBE.moves(moves))
    assert far.see(CUBE, state) == three.apply(three.solved, three.moves(moves))


# --- the method -----------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.skipif(not COMPILED, reason="its tables take minutes interpreted")
@pytest.mark.parametrize("seed", range(10))
def test_random_states_are_solved(seed: int) -> None:
    state = random_state(CUBE, random.Random(seed))
    solution = SOLVER.solve(state, method="reduction", timeout=30)
    cube = stickers("cube6")
    assert cube.is_solved(cube.replay(facelets(CUBE, state), str(solution)))
    assert solution.verified and solution.cost == len(solution.moves) <= 140
    names = [part.name for part in solution.phases]
    assert names[:7] == [phase.name for phase in PHASES] and names[7] == "gather"


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
