"""Puzzles in space: the turns that the page draws are the moves of the puzzles."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

import numpy as np
import pytest

import puzzlekit
from puzzlekit.puzzle.move import Move, compose
from puzzlekit.puzzle.net import facelets
from puzzlekit_web.faces import arrivals
from puzzlekit_web.records import known_record
from puzzlekit_web.solid import solid_record

SOLIDS = ["cube2", "cube3", "cube4", "cube5", "cube6", "cube7", "supercube3"]
SOLIDS += ["fto", "kilominx", "megaminx", "pyraminx", "skewb", "dino", "ivy", "redi", "rex"]


def record_of(name: str) -> tuple[puzzlekit.Puzzle, puzzlekit.FaceletLayout, dict[str, Any]]:
    puzzle = puzzlekit.load(name).puzzle
    assert puzzle.layout is not None
    record = solid_record(puzzle, puzzle.layout)
    assert record is not None
    return puzzle, puzzle.layout, record


def rotated(point: np.ndarray, axis: np.ndarray, angle: float) -> np.ndarray:
    """A point turned anticlockwise as seen from the tip of an axis (by O. Rodrigues)."""
    across = cos(angle) * point + sin(angle) * np.cross(axis, point)
    return np.asarray(across + (1 - cos(angle)) * (axis @ point) * axis)


@pytest.mark.slow
@pytest.mark.parametrize("name", SOLIDS)
def test_turns_carry_stickers_where_moves_carry_them(name: str) -> None:
    puzzle, layout, record = record_of(name)
    middles = [np.mean(outline, axis=0) for outline in record["corners"]]
    moves = puzzle.family_moves(puzzle.turns)
    assert [*record["turns"]] == [move.name for move in moves]
    for move in moves:
        x, y, z, angle, first, last = record["turns"][move.name]
        axis = np.array([x, y, z])
        for facelet, there in enumerate(arrivals(puzzle, layout, move)):
            inside = first - 1e-3 < axis @ middles[facelet] < last + 1e-3
            if move.name in record["moved"]:
                assert name in ("ivy", "redi")
                inside = facelet in record["moved"][move.name]
            expected = rotated(middles[facelet], axis, angle) if inside else middles[facelet]
            assert np.abs(expected - middles[there]).max() < 2e-3, (move, facelet)


@pytest.mark.parametrize("name", SOLIDS)
def test_arrivals_are_what_the_stickers_show(name: str) -> None:
    puzzle, layout, _ = record_of(name)
    scrambled = puzzle.apply(puzzle.solved, puzzle.family_moves(puzzle.turns)[::5])
    before = facelets(puzzle, scrambled)
    for move in puzzle.family_moves(puzzle.turns):
        after = facelets(puzzle, puzzle.apply(scrambled, [move]))
        assert all(
            after[there] == before[facelet]
            for facelet, there in enumerate(arrivals(puzzle, layout, move))
        )


@pytest.mark.parametrize(
    ("name", "move", "axis", "angle"),
    [
        ("cube3", "U", (0, 1, 0), -pi / 2),
        ("cube3", "R'", (1, 0, 0), pi / 2),
        ("cube3", "x", (1, 0, 0), -pi / 2),  # follows R
        ("cube3", "M", (-1, 0, 0), -pi / 2),  # follows L
        ("cube7", "2-3Fw", (0, 0, 1), -pi / 2),
        ("pyraminx", "U", (0, 1, 0), -2 * pi / 3),
        ("fto", "U", (0, 1, 0), -2 * pi / 3),
        ("fto", "2U'", (0, 1, 0), 2 * pi / 3),
        ("fto", "D", (0, -1, 0), -2 * pi / 3),
        ("skewb", "R", (3**-0.5, -(3**-0.5), -(3**-0.5)), -2 * pi / 3),
    ],
)
def test_well_known_turns(name: str, move: str, axis: tuple[float, ...], angle: float) -> None:
    _, _, record = record_of(name)
    found = record["turns"][move]
    sign = np.sign(np.dot(found[:3], axis))  # of a middle layer, either end may be told
    assert np.abs(sign * np.array(found[:3]) - axis).max() < 2e-3
    assert abs(sign * found[3] - angle) < 2e-3


def test_layers_that_turn_at_once_are_no_turn_of_one() -> None:
    from puzzlekit_web.solid import _corners, turn_of

    cube, layout, _ = record_of("cube3")
    corners = _corners(layout)
    assert corners is not None
    for names in ("R", "L'"), ("R", "L"), ("R", "U"):
        effect = cube.moves(names[0])[0].effect
        effect = compose(effect, cube.moves(names[1])[0].effect, cube.modulus)
        both = Move("both", "both", 1, 4, *effect)
        assert turn_of(cube, layout, corners, both) is None


def test_the_record_has_the_outlines_of_a_net_that_a_plugin_draws() -> None:
    assert known_record(puzzlekit.load("cube3"))["drawing"] is None
    for name in ("megaminx", "ivy", "supercube3"):
        solver = puzzlekit.load(name)
        layout = solver.puzzle.layout
        assert layout is not None
        drawing = known_record(solver)["drawing"]
        assert sorted(at for at, _ in drawing["stickers"]) == list(range(len(layout.face_of)))
        assert all(len(outline) >= 3 for _, outline in drawing["stickers"])
        assert len(drawing["plates"]) >= len(layout.faces)
