"""Practice scrambles: every state of a goal, equally likely, and no other state."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import pytest
from click.testing import CliRunner

import puzzlekit
from puzzlekit import SearchOptions, Solver, UsageError
from puzzlekit.cli import main
from puzzlekit_steps import Goal, Solved
from puzzlekit_steps.group_scrambler import GroupScrambler
from puzzlekit_steps.practice import GoalStates, NearStates, practice_scramble


@pytest.fixture(scope="module")
def cube2() -> Solver:
    return puzzlekit.load("cube2")


@pytest.fixture(scope="module")
def cube3() -> Solver:
    return puzzlekit.load("cube3")


def counted(states: GoalStates, draws: int) -> Counter[bytes]:
    rng = Random(4)
    return Counter(states.draw(rng) for _ in range(draws))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("goal", "unwanted", "count"),
    [
        # 4! / 2 orders of corners for each parity, 4! of edges, 3**3 and 2**3 orientations.
        ("f2l", None, 4 * 3 * 24 * 27 * 8 - 1),
        ("f2l", "oll", 62_208 - 288),
        ("oll", None, 288 - 1),
        ("eo", None, 21_119_142_223_872_000 - 1),
        ("corners", None, 12 * 11 * 10 * 9 * 8 * 7 * 6 * 5 * 4 * 3 * 2**11 - 1),
        ("cross up-to:U", None, None),
        ("oll", "pll", 288 - 4),
        ("pll", None, 4 - 1),
        # Moves that reach the states form groups of these orders.
        ("solvable-by:R", None, 4 - 1),
        ("solvable-by:R,U", None, 73_483_200 - 1),
        ("solvable-by:R,U solved:corners", None, 5_040 // 2 - 1),
        ("solvable-by:R,U oriented:corners", None, 73_483_200 // 3**5 - 1),
        ("solvable-by:M,U", None, 184_320 - 1),  # held as the centers show
        ("solvable-by:M,E,S", None, 768 - 1),
        ("solvable-by:M,R,L", None, 64 // 4 - 1),  # R M' L' turns the whole cube
        ("htr", None, 663_552 - 1),
        ("htr", "solvable-by:U2,R2", 663_552 - 12),
        ("each-solvable-by:U2,D2,R2,L2,F2,B2", None, None),
        ("dr", None, None),
    ],
)
def test_the_number_of_states_is_known(
    cube3: Solver, goal: str, unwanted: str | None, count: int | None
) -> None:
    wanted = Goal("corners", "", (Solved("corners"),)) if goal == "corners" else cube3.goal(goal)
    states = GoalStates(cube3, wanted, (unwanted and cube3.goal(unwanted)) or None)
    assert states.count == count
    assert (f"{count:,}" in states.words) if count else states.words.startswith("all states")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("goal", "unwanted", "count"),
    [
        ("oll", None, 287),
        ("oll", "pll", 288 - 4),
        ("oll solved:corners", None, 11),
        ("oll solved:corners up-to:U", None, 47),
        ("oll solved:corners or oll solved:edges", None, 12 + 12 - 1 - 1),
        ("solvable-by:R2,U2", None, 12 - 1),
        ("solvable-by:R2,U2 solvable-by:U,F", None, 2 - 1),
        ("solvable-by:R2,U2 or solvable-by:U", None, 12 + 4 - 2 - 1),
        ("solvable-by:M,R,L", None, 16 - 1),
    ],
)
def test_every_state_is_equally_likely(
    cube3: Solver, goal: str, unwanted: str | None, count: int
) -> None:
    other = cube3.goal(unwanted) if unwanted else None
    found = counted(GoalStates(cube3, cube3.goal(goal), other), 20 * count)
    assert len(found) == count
    assert min(found.values()) > 2 and max(found.values()) < 50
    chi = sum((each - 20) ** 2 / 20 for each in found.values())
    assert chi < count + 4 * (2 * count) ** 0.5  # four standard deviations


def test_colours_are_equally_likely(cube2: Solver) -> None:
    goal = cube2.goal("solved:ULB,UBR,URF,UFL", colours="any")
    states = GoalStates(cube2, goal)
    rng = Random(2)
    for _ in range(30):
        state = states.draw(rng)
        assert goal.reached(cube2.puzzle, state) is not None and not cube2.puzzle.is_solved(state)


def test_scrambles_lead_to_the_states(cube2: Solver) -> None:
    goal, rng = cube2.goal("layer:D"), Random(3)
    states = GoalStates(cube2, goal)
    for _ in range(5):
        end = cube2.state(practice_scramble(cube2, states.draw(rng), rng))
        held = [cube2.puzzle.relabel(end, each) for each in cube2.puzzle.whole_rotations]
        assert any(goal.reached(cube2.puzzle, each) for each in held)


@pytest.mark.slow
def test_near_states_are_near(cube3: Solver) -> None:
    near = NearStates(cube3, cube3.choose(SearchOptions(goal="cross")), 4)
    rng = Random(1)
    lengths = {cube3.solve(near.draw(rng), goal="cross").cost for _ in range(40)}
    assert lengths <= {1, 2, 3, 4} and 4 in lengths and "1 to 4" in near.words


@pytest.mark.slow
def test_states_that_do_not_exist_are_reported(
    cube3: Solver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzlekit_steps.practice._MOST_DRAWS", 100)
    with pytest.raises(UsageError, match="no state but the solved one is at f2l, not at cross"):
        GoalStates(cube3, cube3.goal("f2l"), cube3.goal("cross"))
    rare = GoalStates(cube3, cube3.goal("eo-cross"), cube3.goal("cross up-to:U"))
    with pytest.raises(UsageError, match="too rare, or there are none"):
        rare.draw(Random(1))
    either = cube3.goal("joined:UF,UR or joined:UF,UL")  # neither number is known
    assert either.reached(cube3.puzzle, GoalStates(cube3, either).draw(Random(2))) is not None


def test_the_solved_cube_is_left_out_however_it_is_held(cube2: Solver) -> None:
    # All orders of the corners, without the solved cube: on U, on D, turned by y.
    states = GoalStates(cube2, cube2.goal("oriented:corners"))
    assert states.count == 40_320 - 8
    assert GoalStates(cube2, cube2.goal("solvable-by:R,L")).count == 16 - 4  # R L' turns the cube


@pytest.mark.slow
def test_parities_of_sliding_tiles_are_counted() -> None:
    eight = puzzlekit.load("eight")
    assert GoalStates(eight, eight.goal("placed:1,2")).count == 5_040 // 2 - 1
    with pytest.raises(UsageError, match="up-to:R cannot be used for eight"):
        eight.goal("placed:1 up-to:R")


def test_practice_on_the_command_line() -> None:
    run = CliRunner().invoke
    asked = ["practice", "-p", "cube2", "--seed", "1"]
    found = run(main, [*asked, "--goal", "layer:D", "--count", "2", "--json"])
    records = [json.loads(line) for line in found.stdout.splitlines()]
    assert run(main, [*asked, "--goal", "layer:D"]).stdout == f"{records[0]['scramble']}\n"
    assert len(records) == 2 and records[0]["goal"] == "layer:D" and records[0]["states"] == 647
    assert "each of 647 states is equally likely" in found.stderr
    for wrong in (
        asked,
        [*asked, "--not", "layer:D"],
        [*asked, "--goal", "layer:D", "--not", "piece:ULB", "--at-most", "3"],
    ):
        assert run(main, wrong).exit_code == 2
    former = run(main, ["scramble", "-p", "cube2", "--goal", "layer:D"])
    assert former.exit_code == 2 and "did you mean 'puzzlekit practice'?" in former.stderr


def test_scrambles_of_some_moves_are_uniform_over_the_states_of_their_group() -> None:
    cube = puzzlekit.load("cube3")
    scrambler = GroupScrambler(cube, "R2,U2")
    assert scrambler.order == 12
    rng = Random(4)
    drawn = Counter(scrambler.state(rng) for _ in range(1100))
    reached = {cube.puzzle.solved}
    for state in (todo := [cube.puzzle.solved]):
        after = {cube.puzzle.apply(state, [move]) for move in cube.puzzle.moves("R2 U2")}
        todo += after - reached
        reached |= after
    assert set(drawn) == reached - {cube.puzzle.solved} and len(reached) == 12
    assert max(abs(count - 100) for count in drawn.values()) < 40  # four standard deviations


@pytest.mark.slow
@pytest.mark.parametrize(
    ("puzzle", "moves", "order"), [("cube2", "R,U", 29_160), ("cube3", "R,U", 73_483_200)]
)
def test_scrambles_of_some_moves_have_no_others(puzzle: str, moves: str, order: int) -> None:
    asked = ["practice", "-p", puzzle, "--moves", moves, "--count", "2", "--seed", "3"]
    found = CliRunner().invoke(main, asked)
    assert f"{order:,} elements" in found.stderr
    assert {name[0] for name in found.stdout.split()} == set("RU")
    again = CliRunner().invoke(main, [*asked, "--json"])
    records = [json.loads(line) for line in again.stdout.splitlines()]
    assert [record["scramble"] for record in records] == found.stdout.splitlines()
    assert all(record["random_state"] for record in records)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (("-p", "cube3", "--moves", "R'"), "add R, or write R for all turns"),
        (("-p", "cube3", "--moves", "x"), "costs nothing"),
        (("-p", "cube3", "--moves", "R Q"), "'Q'"),
        (("-p", "eight", "--moves", "U,D"), "not always possible"),
        (("-p", "cube3", "--goal", "oll", "--moves", "R"), "--moves and --goal cannot"),
        (("-p", "cube3"), "give a step, such as oll, or --goal or --moves"),
        (("cross",), "'cross' is no step to practise: give only f2l, oll, pll, cmll of cube3"),
        (("oll", "pll"), "'oll pll' is no step to practise"),
        (("oll", "--goal", "f2l"), "'oll' is no step to practise"),
        (("megaminx", "oll"), "puzzlekit practice --puzzle cube3 --goal cross --at-most 4"),
    ],
)
def test_scrambles_of_some_moves_that_are_refused(asked: tuple[str, ...], words: str) -> None:
    found = CliRunner().invoke(main, ["practice", *asked])
    assert found.exit_code == 2 and words in found.stderr


@pytest.mark.slow
@pytest.mark.parametrize("asked", [("oll",), ("cube3", "OLL")])
def test_a_step_of_speedcubers_is_practised_on_the_3x3x3(asked: tuple[str, ...]) -> None:
    found = CliRunner().invoke(main, ["practice", *asked, "--seed", "1"])
    goals = ["--goal", "f2l", "--not", "oll"]
    same = CliRunner().invoke(main, ["practice", "-p", "cube3", *goals, "--seed", "1"])
    assert found.exit_code == 0
    assert found.output == same.output
