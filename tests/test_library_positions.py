"""The library as a newcomer calls it: what a position may be, scrambles, nets, solutions."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import puzzlekit
from puzzlekit import NotationError, StateError, UsageError
from puzzlekit.cli.output import wants_colour

CUBE = puzzlekit.load("cube2")
STATE = CUBE.state("R U F2")


@pytest.mark.parametrize(
    "position",
    [
        "R U F2",
        ["R", "U", "F2"],
        ("R", "U F2"),
        (name for name in ["R", "U", "F2"]),
        CUBE.puzzle.moves("R U F2"),
        STATE,
        bytearray(STATE),
        memoryview(STATE),
        CUBE.positions.to_facelets(STATE),
    ],
    ids=lambda position: type(position).__name__,
)
def test_what_a_position_may_be(position: Any) -> None:
    assert str(CUBE.solve(position)) == "F2 U' R'"


def test_moves_in_a_list_are_never_stickers() -> None:
    cube = puzzlekit.load("cube3")
    wide = ["Rw", "Uw", "Fw"] * 9
    assert cube.state(wide) == cube.puzzle.apply(
        cube.puzzle.solved, cube.puzzle.moves(" ".join(wide))
    )
    assert cube.state([]) == cube.puzzle.solved
    with pytest.raises(NotationError) as caught:
        cube.solve(["R", "Q"])
    assert (caught.value.text, caught.value.column) == ("R Q", 3)


@pytest.mark.parametrize(
    ("position", "kind"),
    [
        (42, "int"),
        (None, "NoneType"),
        (1.5, "float"),
        ({"R": 1}, "dict"),
        ({"R"}, "set"),
        (object(), "object"),
    ],
)
def test_anything_else_is_named_by_its_type(position: Any, kind: str) -> None:
    words = f"a position is a string, bytes or a list of moves, not {kind}$"
    for call in (CUBE.solve, CUBE.state, CUBE.net, lambda given: next(CUBE.improve(given))):
        with pytest.raises(UsageError, match=words):
            call(position)
    with pytest.raises(UsageError, match=words):
        list(CUBE.solutions(position, max_length=3))


@pytest.mark.parametrize(("moves", "kind"), [([1, 2, 3], "int"), (["R", None], "NoneType")])
def test_a_wrong_item_of_a_list_is_named_by_its_type(moves: Any, kind: str) -> None:
    with pytest.raises(UsageError, match=f"a move in a list is a name or a Move, not {kind}$"):
        CUBE.solve(moves)


def test_other_calls_with_the_wrong_type() -> None:
    wrong: Any = 42
    for call in (
        CUBE.positions.read_position,
        CUBE.positions.scrambled,
        CUBE.positions.from_facelets,
        CUBE.positions.from_vectors,
        puzzlekit.load,
    ):
        with pytest.raises(UsageError, match="not int"):
            call(wrong)
    with pytest.raises(StateError, match="state of 3 bytes"):
        CUBE.solve(b"abc")


def test_a_scramble_leads_to_a_random_state() -> None:
    for name in ("cube2", "skewb"):
        solver = puzzlekit.load(name)
        held = solver.puzzle.relabel  # it may be held another way
        states = {
            held(solver.state(solver.scramble(5)), each) for each in solver.puzzle.whole_rotations
        }
        assert solver.random_state(5) in states
        assert solver.scramble(5) == solver.scramble(5)
        rng = Random(3)
        assert solver.scramble(rng) != solver.scramble(rng)
        assert not solver.puzzle.is_solved(solver.state(solver.scramble()))


def test_a_net_is_drawn_of_any_position() -> None:
    plain = CUBE.net("R U F2")
    assert plain == CUBE.net(STATE) == CUBE.net(["R", "U", "F2"])
    assert len(plain.split()) == 24
    painted = CUBE.net(STATE, coloured=True)
    assert "\x1b[" in painted and "\x1b[" not in plain
    assert puzzlekit.load("eight").net("L").split() == list("123456708")
    assert not wants_colour()


def test_a_solution_can_be_gone_through() -> None:
    solution = CUBE.solve(["R", "U", "F2"])
    assert list(solution) == ["F2", "U'", "R'"] and len(solution) == 3
    assert [*solution] == list(solution.moves)
    assert str(CUBE.solve(solution)) == "R U F2"
    assert "U'" in solution
