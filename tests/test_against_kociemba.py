"""The package kociemba as an independent judge: both ways, by its own stickers and moves."""

from __future__ import annotations

from importlib import import_module
from random import Random
from types import ModuleType

import pytest
from bundled import COMPILED

import puzzlekit
from puzzlekit.puzzle.net import facelets
from puzzlekit.puzzle.random_states import random_state

kociemba: ModuleType = pytest.importorskip("kociemba")
CUBE = puzzlekit.load("cube3")
STATES = [
    facelets(CUBE.puzzle, random_state(CUBE.puzzle, Random(seed)))
    for seed in range(12 if COMPILED else 3)
]


def replayed_by_kociemba(text: str, moves: str) -> str:
    """The stickers after some moves, by kociemba's cubies."""
    cubies = import_module("kociemba.pykociemba.cubiecube")
    faces = import_module("kociemba.pykociemba.facecube")
    cube = faces.FaceCube(text).toCubieCube()
    assert cube.verify() == 0
    for move in moves.split():
        for _ in range({"2": 2, "'": 3}.get(move[1:], 1)):
            turn = cubies.moveCube["URFDLB".index(move[0])]
            cube.cornerMultiply(turn)
            cube.edgeMultiply(turn)
    return str(cube.toFaceCube().to_String())


@pytest.mark.parametrize("text", STATES)
def test_its_solutions_solve_our_states(text: str) -> None:
    state = CUBE.positions.from_facelets(text)
    moves = CUBE.puzzle.moves(kociemba.solve(text))
    assert len(moves) > 10
    assert CUBE.puzzle.apply(state, moves) == CUBE.puzzle.solved


@pytest.mark.parametrize("text", STATES)
def test_our_solutions_solve_its_cube(text: str) -> None:
    solution = CUBE.solve(CUBE.positions.from_facelets(text), max_length=22)
    solved = facelets(CUBE.puzzle, CUBE.puzzle.solved)
    assert replayed_by_kociemba(text, str(solution)) == solved
    assert replayed_by_kociemba(text, str(solution) + " U") != solved


@pytest.mark.parametrize("text", STATES[:3])
def test_both_show_the_same_stickers_after_every_face_turn(text: str) -> None:
    state = CUBE.positions.from_facelets(text)
    for move in CUBE.puzzle.family_moves("URFDLB"):
        after = CUBE.puzzle.apply(state, [move])
        assert facelets(CUBE.puzzle, after) == replayed_by_kociemba(text, move.name)
