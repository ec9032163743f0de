"""Hypercubes from definition files: pieces whose orientations form no cyclic group."""

from __future__ import annotations

import json
import runpy
from math import exp, factorial, log
from pathlib import Path
from random import Random

import pytest

from puzzlekit import Puzzle, TableStore
from puzzlekit_beam.symmetries import directions_of
from puzzlekit_definitions import DefinedSolver, SubgroupChain, parse_definition
from puzzlekit_definitions.phases import Subgroup
from puzzlekit_steps import EachSolvableBy
from puzzlekit_steps.bundles import bundles_of
from puzzlekit_steps.goal_method import derive_phase

EXAMPLE = Path(__file__).parents[2] / "examples" / "definitions" / "hypercube.py"
#: The numbers of positions, from H. J. Kamack and T. R. Keane, "The Rubik Tesseract" (1982), and of
#: the 2x2x2x2 with one corner in place.
POSITIONS = {
    2: 3_357_894_533_384_932_272_635_904_000,
    3: factorial(24) * factorial(32) // 2 * factorial(16) // 2 * 2**23 * 6**31 * 3 * 12**15 * 4,
}


def hypercube(size: int, around: str, store: TableStore | None = None) -> DefinedSolver:
    moves = runpy.run_path(str(EXAMPLE))["moves"]
    generators = moves(size, "RUFO" if size == 2 else "LRDUBFIO", around)
    return parse_definition(json.dumps({"generators": generators}), "json", store=store)


@pytest.fixture(scope="module")
def puzzle() -> Puzzle:
    return hypercube(2, "all").puzzle


@pytest.fixture(scope="module")
def chain(puzzle: Puzzle) -> list[str]:
    return SubgroupChain(puzzle, " ".join(puzzle.turns)).search(Random(2), 500)


def test_the_stickers_of_a_piece_are_a_bundle(puzzle: Puzzle) -> None:
    (found,) = bundles_of(puzzle)
    assert [len(home) for home in found.homes] == [4] * 15
    assert len(found.poses) == 15 * 12


def test_a_beam_starts_from_every_image_of_a_state(puzzle: Puzzle) -> None:
    moves = puzzle.family_moves(puzzle.turns)
    directions = directions_of(puzzle, moves, [1] * len(moves))
    assert len(directions) == 2 * 24  # the 24 symmetries of a corner, and inverses
    done = Random(1).choices(moves, k=8)
    state = puzzle.apply(puzzle.solved, done)
    assert len({each.see(puzzle, state) for each in directions}) == 48
    for each in directions:
        ahead = {image: move for move, image in each.back.items()}
        path = puzzle.undo([ahead[move] for move in done])
        path = puzzle.undo(path) if each.inverted else path
        assert puzzle.apply(each.see(puzzle, state), path) == puzzle.solved
        ((_, held),) = each.carry_back(puzzle, [path])
        assert puzzle.apply(state, held) == puzzle.solved


@pytest.mark.slow
def test_published_numbers_of_positions(puzzle: Puzzle) -> None:
    own = Subgroup(puzzle, [*puzzle.moves(" ".join(puzzle.turns))], 92)
    assert exp(own.states - own.unseen()) == pytest.approx(POSITIONS[2], rel=1e-9)
    assert own.unseen() == pytest.approx(log(3))  # twists have a sum modulo 3
    large = hypercube(3, "faces").puzzle
    own = Subgroup(large, [*large.moves(" ".join(large.turns))], 72)
    assert own.states - own.unseen() == pytest.approx(log(POSITIONS[3]), rel=1e-12)


@pytest.mark.slow
def test_phases_keep_stickers_on_one_axis_after_the_other(puzzle: Puzzle, chain: list[str]) -> None:
    assert [len(puzzle.named_moves(moves)) for moves in chain] == [92, 44, 20]
    groups = [Subgroup(puzzle, puzzle.named_moves(moves), 1) for moves in chain]
    sizes = [exp(each.states - each.unseen()) for each in groups]
    assert sizes[0] / sizes[1] == pytest.approx(4**15)
    assert sizes[1] / sizes[2] == pytest.approx(3**14)
    assert sizes[2] == pytest.approx(factorial(15) / 2)


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 1])
def test_coordinates_are_at_goals_exactly_where_the_condition_holds(
    puzzle: Puzzle, chain: list[str], number: int
) -> None:
    condition = EachSolvableBy(chain[number + 1])
    phase = derive_phase(puzzle, "one", condition, chain[number], 1_000_000)
    test = condition.test(puzzle)
    own, few, rng = phase.allowed(puzzle), puzzle.named_moves(chain[number + 1]), Random(number)
    seen = {True: 0, False: 0}
    for _ in range(200):
        done = [*rng.choices(few, k=20), *rng.choices(own, k=rng.randrange(3))]
        state = puzzle.apply(puzzle.solved, done)
        at_goal = all(int(each.rank(state)) in each.goals for each in phase.coordinates)
        assert at_goal == test(state)
        seen[at_goal] += 1
    assert min(seen.values()) > 20


@pytest.mark.long
def test_random_states_are_solved_in_few_moves(tmp_path: Path) -> None:
    solver = hypercube(2, "all", TableStore(str(tmp_path)))
    solver.prepared()  # a search with a limit derives no phases
    for seed in range(3):
        found = solver.solve(solver.random_state(seed), timeout=40)
        assert found.verified and [each.name for each in found.phases] == ["phases"]
        assert found.length <= 24


@pytest.mark.long
def test_a_random_3x3x3x3_is_solved(tmp_path: Path) -> None:
    solver = hypercube(3, "all", TableStore(str(tmp_path)))
    found = solver.solve(solver.random_state(0), method="universal", max_length=300)
    assert found.verified
