"""Machines from files: what can be said of one, and what is wrong with a file that is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlekit
from puzzlekit import Metric, UsageError
from puzzlekit_robots import Machine, parse_machine, read_machine

WHOLE = """
name = "mine"
title = "my robot"
arms = [["R", "L"], ["F"]]
turns = ["", "'", "2", "2'"]
again = false
without = ["R2 + L2"]
whole = ["x"]
[cost]
quarter = 2
half = 3
grip = 1
change = 4
whole = 5
"""


def test_every_key_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "robot.toml"
    path.write_text(WHOLE, encoding="utf-8")
    found = read_machine(path)
    assert (found.name, found.title) == ("mine", "my robot")
    assert (found.arms, found.amounts) == ((("R", "L"), ("F",)), (1, -1, 2, -2))
    assert (found.turns, found.grip, found.change) == ({1: 2, 2: 3}, 1, 4)
    assert (found.again, found.without) == (False, ("R2 + L2",))
    assert (found.rotations, found.whole) == (("x",), 5)
    path.write_bytes(b'\xef\xbb\xbfarms = [["U"]]\r\n')
    usual = read_machine(str(path))
    assert (usual.name, usual.again, usual.turns, usual.grip) == ("robot", True, {1: 1, 2: 1}, 0)
    assert usual.amounts == usual.without == usual.rotations == ()


def test_costs_of_single_moves() -> None:
    found = parse_machine(
        """
        arms = [["D"]]
        whole = ["x", "y"]
        [cost]
        whole = 5
        [cost.each]
        D = 3
        "D'" = 3
        x = 4
        """
    )
    cube = puzzlekit.load("cube3").puzzle
    found.check(cube)
    moves = cube.moves("D x D' y y'")
    assert [step.cost for step in found.steps(moves)] == [3, 4, 3, 5, 5]
    assert not found.can(cube.moves("D2")) and not found.can(cube.moves("x'"))
    own = parse_machine('arms = [["D"]]\n[cost.each]\nR = 1')
    with pytest.raises(UsageError, match="'R' has a cost, but is no move of its arms"):
        own.check(cube)


def test_costs_of_moves_that_are_all_of_their_family() -> None:
    floppy = puzzlekit.load("1x3x3")
    text = """
        arms = [["U2"], ["F2", "B2"]]
        [cost]
        quarter = 2
        each = {U2 = 1}
    """
    solution = floppy.solve("U2 F2", metric=parse_machine(text))
    assert solution.steps == ((("F2",), 2), (("U2",), 1))
    free = 'arms = [["R2"]]\nwhole = ["x2"]\n[cost]\ngrip = 1\neach = {x2 = 0}'
    with pytest.raises(UsageError, match="x2 must cost at least 1"):
        parse_machine(free)


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["robot", "flip-spin"])
def test_bundled_machines_of_the_3x3x3(metric: str) -> None:
    cube = puzzlekit.load("cube3")
    solution = cube.solve("R U F2", metric=metric, max_nodes=300_000, profile="small")
    machine = cube.puzzle.metric(metric)
    moves = cube.puzzle.moves(str(solution))
    assert solution.cost == machine.total(moves) == sum(cost for _, cost in solution.steps)
    state = cube.puzzle.apply(cube.state("R U F2"), moves)
    assert cube.puzzle.is_solved(state)
    if metric == "flip-spin":  # no move but these
        assert {move.name for move in moves} <= {"D", "D'", "D2", "x", "y", "y'", "y2"}


WRONG = [
    ('arms = [["U"]]\ncost = {each = 3}', "each"),
    ('arms = [["U"]]\ncost = {each = {U = 1.5}}', "U is 1.5, not a whole number"),
    ('arms = [["U"]]\ncost = {each = {U = 0}}', "U must cost at least 1"),
    ('arms = [["U"]]\ncost = {each = {U = 101}}', "costs must be from 0 to 100"),
    ("", "arms"),
    ("arms = 3", "arms"),
    ('arms = "RL"', "arms"),
    ("arms = []", "arms"),
    ("arms = [[]]", "arms"),
    ('arms = ["R", "L"]', "arms"),
    ("arms = [[1]]", "arms"),
    ('arms = [["R"], ["R"]]', "arms"),
    ('arms = [["R"]]\nspeed = 3', "'speed'"),
    ('arms = [["R"]]\nname = 3', "name"),
    ('arms = [["R"]]\nname = ""', "name"),
    ('arms = [["R"]]\ntitle = []', "title"),
    ('arms = [["R"]]\nturns = 2', "turns"),
    ('arms = [["R"]]\nturns = [2]', "turns"),
    ('arms = [["R"]]\nturns = ["0"]', "turns"),
    ('arms = [["R"]]\nturns = ["half"]', "turns"),
    ('arms = [["R"]]\nturns = "2"', "turns"),
    ('arms = [["R"]]\nagain = 0', "again"),
    ('arms = [["R"]]\nagain = "no"', "again"),
    ('arms = [["R"]]\nwithout = "R2"', "without"),
    ('arms = [["R"]]\nwithout = [2]', "without"),
    ('arms = [["R"]]\nwhole = "x"', "whole"),
    ('arms = [["R"]]\nwhole = true', "whole"),
    ('arms = [["R"]]\ncost = 3', "cost"),
    ('arms = [["R"]]\n[cost]\nspeed = 3', "'speed'"),
    ('arms = [["R"]]\n[cost]\ngrip = "1"', "grip"),
    ('arms = [["R"]]\n[cost]\ngrip = 1.0', "grip"),
    ('arms = [["R"]]\n[cost]\nhalf = true', "half"),
    ('arms = [["R"]]\n[cost]\nquarter = 0', "cost"),
    ('arms = [["R"]]\n[cost]\nquarter = -1', "cost"),
    ('arms = [["R"]]\n[cost]\nchange = 1000', "cost"),
    ('arms = [["R"]]\nwhole = ["x"]\n[cost]\nwhole = 0', "whole"),
    ('arms = [["R"]]\nname = "a\\nb"', "name"),
    ("arms = [[", "end of document"),
    ("arms = 3 4", "line 1, column 10"),
    ('arms = [["R"]]\narms = [["L"]]', "overwrite"),
    ('arms = [["R"]]\n[cost]\ngrip = ' + "9" * 5000, "digits"),
    ("arms = " + "[" * 5000, "nested too deeply"),
]


@pytest.mark.parametrize(("text", "named"), WRONG)
def test_a_file_that_is_wrong(text: str, named: str) -> None:
    with pytest.raises(UsageError) as told:
        parse_machine(text, "my.toml")
    assert str(told.value).startswith("my.toml: ")
    assert named in str(told.value)
    assert "\n" not in str(told.value)


@given(
    text=st.text(max_size=40)
    | st.lists(
        st.sampled_from(
            ["arms", "=", "[", "]", '"R"', "\n", ",", "cost", "turns", "grip", "1", "whole", '"2"']
        ),
        max_size=16,
    ).map("".join)
)
@settings(max_examples=150)
def test_whatever_a_file_says_it_is_a_machine_or_an_error(text: str) -> None:
    try:
        found = parse_machine(text)
    except UsageError as error:
        assert str(error).startswith("machine: ")
    else:
        assert isinstance(found, Machine)
        assert isinstance(found, Metric)
