"""Distributions of bundled puzzles and goals, against the numbers that others published."""

from __future__ import annotations

from collections import Counter

import pytest
from test_cuboids import FLOPPY, TOWER
from test_fifteen import distances

import puzzlekit
import puzzlekit_lab
from puzzlekit import Solver
from puzzlekit_steps.goal_method import derive_goal


@pytest.mark.slow
def test_distribution_of_eight(positions_at_depth: dict[str, list[int]]) -> None:
    solver = puzzlekit.load("eight")
    found = puzzlekit_lab.distribution(solver)
    assert list(found.states) == positions_at_depth["8puzzle"]
    assert (found.total, found.values, found.diameter) == (181_440, 362_880, 31)
    board = tuple(map(int, found.facelets.split()))
    assert distances(3, 3)[board] == len(found.farthest) == 31
    made = solver.state(" ".join(found.farthest))
    assert tuple(made) == board


@pytest.mark.parametrize(("rows", "columns", "farthest"), [(2, 3, 21), (2, 4, 36), (4, 2, 36)])
def test_distributions_of_small_puzzles(rows: int, columns: int, farthest: int) -> None:
    found = puzzlekit_lab.distribution(puzzlekit.load(f"tiles-{rows}x{columns}"))
    levels = Counter(distances(rows, columns).values())
    assert found.states == tuple(levels[depth] for depth in range(farthest + 1))


# Numbers of states at each distance in HTM. Cross: all 190,080 cases, and EO: all 2,048 cases, as
# published by many.
CROSS = (1, 15, 158, 1394, 9809, 46381, 97254, 34966, 102)
EO = (1, 2, 25, 202, 620, 900, 285, 13)


@pytest.mark.parametrize(("goal", "known"), [("cross", CROSS), ("eo", EO)])
def test_distances_to_goals_of_cube3(goal: str, known: tuple[int, ...]) -> None:
    cube = puzzlekit.load("cube3")
    moves, fixed = cube.puzzle.family_moves("URFDLB"), cube.method().fixed
    method = derive_goal(cube.puzzle, cube.goal(goal), moves, fixed=fixed)
    found = puzzlekit_lab.distribution(Solver(cube.puzzle, [method], cube.store))
    assert found.states == known
    if goal == "cross":
        assert found.total == 190_080
        assert round(sum(d * n for d, n in enumerate(known)) / found.total, 2) == 5.81


def test_pyraminx_without_tips(
    positions_at_depth: dict[str, list[int]],
) -> None:
    found = puzzlekit_lab.distribution(puzzlekit.load("pyraminx"), moves="U,L,R,B")
    assert list(found.states) == positions_at_depth["pyraminx_no_tips"]
    assert (found.total, found.diameter) == (933_120, 11)


def test_skewb(positions_at_depth: dict[str, list[int]]) -> None:
    solver = puzzlekit.load("skewb")
    found = puzzlekit_lab.distribution(solver)
    assert list(found.states) == positions_at_depth["skewb"]
    assert (found.total, found.diameter) == (3_149_280, 11)
    assert found.orientations == 24
    moves = " ".join(found.farthest)
    assert solver.solve(moves).cost == len(found.farthest) == 11


@pytest.mark.parametrize(
    ("name", "alike", "counts"),
    [
        ("ivy", 1, (1, 8, 48, 288, 1640, 7582, 15262, 4221, 110)),
        ("cuboid-1x3x3", 1, FLOPPY),
        ("cuboid-2x2x3", 4, TOWER),  # four ways of holding it are one state
    ],
)
def test_small_puzzles(name: str, alike: int, counts: tuple[int, ...]) -> None:
    found = puzzlekit_lab.distribution(puzzlekit.load(name))
    assert found.states == tuple(alike * count for count in counts)
