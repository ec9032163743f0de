"""The universal method: it solves every puzzle whose moves are always possible."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import puzzlekit
from puzzlekit import DeclarationError, Method, Phase, Solver, parse_definition
from puzzlekit.definition.load import DefinedSolver
from puzzlekit.method.universal import universal_method
from puzzlekit.store.store import TableStore
from puzzlekit.strategy.universal_strategy import Universal

QUICK = Universal(seconds=0.05, effort=3000, starts=2)


def defined(generators: Sequence[Sequence[int]], root: Path) -> DefinedSolver:
    """A puzzle whose moves are permutations of 0 to n - 1."""
    size = len(generators[0])
    lines = [f"Set P {size} 1", "Solved", "P", " ".join(map(str, range(1, size + 1))), "End"]
    for name, images in zip("ABCD", generators, strict=False):
        lines += [f"Move {name}", "P", " ".join(str(i + 1) for i in images), "End"]
    return parse_definition("\n".join(lines), "tws", store=TableStore(str(root)))


def solver_of(known: Solver) -> Solver:
    """The same puzzle with a quick universal method alone."""
    return Solver(known.puzzle, [universal_method(known.puzzle, QUICK)], known.store)


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data())
def test_any_permutation_puzzle_is_solved(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Whatever the group is: alternating, symmetric, imprimitive, intransitive or small."""
    size = data.draw(st.integers(3, 9))
    identity = list(range(size))
    moved = st.permutations(identity).filter(lambda images: images != identity)
    generators = data.draw(st.lists(moved, min_size=1, max_size=3))
    known = defined(generators, tmp_path_factory.mktemp("tables"))
    puzzle = solver_of(known)
    moves = puzzle.puzzle.family_moves(puzzle.puzzle.turns)
    state = puzzle.scrambled(Random(1).choices(moves, k=40))
    solution = puzzle.solve(state, timeout=20, max_nodes=20_000)
    assert solution.verified
    assert puzzle.puzzle.is_solved(puzzle.puzzle.apply(state, puzzle.puzzle.moves(str(solution))))


def test_mathieu_group_of_twelve_points(tmp_path: Path) -> None:
    """No element of M12 moves only three points, so the chain of stabilisers solves it."""
    rotate = [*[(i + 1) % 11 for i in range(11)], 11]
    other = list(range(12))
    for cycle in ((2, 6, 10, 7), (3, 9, 4, 5)):
        for one, next_one in zip(cycle, (*cycle[1:], cycle[0]), strict=True):
            other[one] = next_one
    flip = list(range(12))
    for one, next_one in ((0, 11), (1, 10), (2, 5), (3, 7), (4, 8), (6, 9)):
        flip[one], flip[next_one] = next_one, one
    known = defined([rotate, other, flip], tmp_path)
    assert known.reach.order == 95040
    puzzle = solver_of(known)
    for seed in range(3):
        solution = puzzle.solve(known.random_state(seed))
        assert solution.verified and solution.length < 40


@pytest.mark.parametrize("name", ["cube2", "pyraminx", "skewb", "ivy"])
def test_puzzles_of_plugins_are_solved(name: str) -> None:
    if name not in puzzlekit.available():
        pytest.skip("not installed")
    puzzle = solver_of(puzzlekit.load(name))
    for seed in range(2):
        assert puzzle.solve(puzzle.random_state(seed)).verified


def test_short_scrambles_have_short_answers() -> None:
    cube = puzzlekit.load("cube2")
    assert cube.solve("", method="universal").length == 0
    solution = cube.solve("R2", method="universal")
    assert (solution.length, solution.optimal) == (1, True)
    assert cube.solve("R U F", method="universal").length == 3


def test_the_method_is_found_by_name_only() -> None:
    cube = puzzlekit.load("cube2")
    assert "universal" not in [method.name for method in cube.methods]
    assert cube.method("universal").name == "universal"


def test_threads_and_limits() -> None:
    puzzle = solver_of(puzzlekit.load("cube2"))
    state = puzzle.random_state(3)
    assert puzzle.solve(state, threads=2, timeout=0.2).verified
    first = puzzle.solve(state, max_nodes=30_000)
    assert str(first) == str(puzzle.solve(state, max_nodes=30_000))


def test_moves_that_are_not_always_possible_are_refused() -> None:
    with pytest.raises(DeclarationError, match="has no universal method"):
        universal_method(puzzlekit.load("eight").puzzle)


def test_a_phase_without_coordinates_needs_the_strategy() -> None:
    phase = Phase("solve", "solved", "U", (), ())
    with pytest.raises(DeclarationError, match="each phase needs a coordinate"):
        Method("wrong", "", (phase,))
    for wrong in (Universal(seconds=-1), Universal(effort=0), Universal(starts=0)):
        with pytest.raises(DeclarationError, match="must be"):
            Method("wrong", "", (phase,), wrong)
