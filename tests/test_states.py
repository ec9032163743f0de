"""Compiled code checks, replays and inverts states as the code that is easier to read does."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest
from engines import engine, plain

import puzzlekit
from puzzlekit import StateError
from puzzlekit.engine.ranks import States
from puzzlekit.puzzle.diagnose import diagnose
from puzzlekit.search.positions import Positions
from puzzlekit.search.strategies.candidate import merge, stay_apart

# The cubes have frames, and the FTO has blocks, which only the longer test knows. The moves of the
# last two puzzles are not always possible.
WITH = ["cube2", "cube3", "cube5", "pyraminx", "megaminx", "fto"]
WITHOUT = ["fifteen", "sq1"]


def states_of(name: str, module: SimpleNamespace) -> States:
    """The compiled or the interpreted object of a puzzle."""
    puzzle = puzzlekit.load(name).puzzle
    assert puzzle.states is not None
    made: list[object] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("puzzlekit.engine.ranks.States", lambda *given: made.extend(given))
        type(puzzle).states.func(puzzle)  # type: ignore[attr-defined]
    return module.States(*made)  # type: ignore[no-any-return]


@pytest.mark.parametrize("module", [engine, plain()], ids=["installed", "plain"])
@pytest.mark.parametrize("name", WITH)
def test_states_are_checked_replayed_and_inverted(name: str, module: SimpleNamespace) -> None:
    solver = puzzlekit.load(name)
    puzzle = solver.puzzle
    states = states_of(name, module)
    rng = random.Random(name)
    moves = puzzle.family_moves(puzzle.families)
    told = 0
    for _ in range(40):
        word = rng.choices(moves, k=rng.randrange(8))
        start = solver.random_state(rng)
        state = puzzle.replayed(start, word)
        assert states.after(start, word) == state == puzzle.apply(start, word)
        assert states.is_sound(start) == (name != "fto") and not diagnose(puzzle, start)
        if puzzle.invertible:
            assert states.inverse(state) == puzzle.inverted(state) == puzzle.invert(state)
        wrong = bytearray(start)
        i, j = rng.sample(range(len(wrong)), 2)
        if rng.random() < 0.5:
            wrong[i], wrong[j] = wrong[j], wrong[i]
        else:
            wrong[i] = rng.choice([0, 1, 2, 255])
        told += bool(diagnose(puzzle, bytes(wrong)))
        # A frame may show another holding of the puzzle: then only the longer test can tell.
        sound = states.is_sound(bytes(wrong))
        assert not (sound and diagnose(puzzle, bytes(wrong)))
        framed = any(
            puzzle.labels(bytes(wrong), puzzle.orbit(each)) != puzzle.orbit(each).solved_bytes
            for each in puzzle.frames
        )
        assert sound or framed or name == "fto" or diagnose(puzzle, bytes(wrong))
    assert told > 10
    assert not states.is_sound(b"") and not states.is_sound(puzzle.solved + b"\0")
    with pytest.raises(ValueError, match="a state has"):
        states.after(b"", moves)


@pytest.mark.parametrize("name", WITHOUT)
def test_restricted_puzzles_are_checked_in_words_alone(name: str) -> None:
    assert puzzlekit.load(name).puzzle.states is None


def test_a_move_must_act_on_the_whole_state() -> None:
    puzzle = puzzlekit.load("cube2").puzzle
    move = puzzle.move("R")
    for gather in (move.gather[:-1], b"\xff" * len(puzzle.solved)):
        bad = SimpleNamespace(gather=gather, add=move.add[: len(gather)])
        with pytest.raises(ValueError, match="a move "):
            states_of("cube2", engine).after(puzzle.solved, [bad])


def test_moves_that_stay_apart_are_not_merged() -> None:
    puzzle = puzzlekit.load("cube3").puzzle
    rng = random.Random(4)
    moves = puzzle.family_moves("URFDLBM")
    apart = 0
    for _ in range(400):
        word = rng.choices(moves, k=5)
        merged = merge(puzzle, [word[:2], word[2:]])
        if stay_apart(puzzle, word):
            apart += 1
            assert merged == [tuple(word[:2]), tuple(word[2:])]
        else:  # two moves of one family, or of an axis with a third of that family between them
            assert merged != [tuple(word[:2]), tuple(word[2:])] or len(
                {move.family for move in word}
            ) < len(word)
    assert apart > 50


@pytest.mark.parametrize("state", [b"", bytes(15), bytes(17)])
def test_moves_apply_to_states_of_the_puzzle_only(state: bytes) -> None:
    cube = puzzlekit.load("cube2").puzzle
    with pytest.raises(StateError, match=f"^state of {len(state)} bytes instead of 16$"):
        cube.apply(state, cube.moves("R U"))
    with pytest.raises(StateError, match=f"^state of {len(state)} bytes instead of 16$"):
        Positions(cube).to_vectors(state)
