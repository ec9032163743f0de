"""Steps of fewest moves: groups of moves, the condition solvable-by, and the beam over steps."""

from __future__ import annotations

import json
from itertools import pairwise
from math import factorial
from pathlib import Path
from random import Random

import jsonschema
import pytest
from click.testing import CliRunner

import puzzlekit
import puzzlekit_lab
import puzzlekit_steps
from puzzlekit import DeclarationError, Solver, UsageError
from puzzlekit.cli import main
from puzzlekit_steps import (
    Goal,
    GoalStep,
    SolvableBy,
    StepBeam,
    StepMethod,
    parse_steps,
    solve_in_steps,
)
from puzzlekit_steps.goal_method import derive_goal
from puzzlekit_steps.move_group import MoveGroup

HALF = "U2 D2 R2 L2 F2 B2"
# Numbers of states that half turns alone reach, at each distance, as published by many.
HALF_TURNS = (
    *(1, 6, 27, 120, 519, 1932, 6484, 20310, 55034),
    *(113892, 178495, 179196, 89728, 16176, 1488, 144),
)


@pytest.fixture(scope="module")
def cube2() -> Solver:
    return puzzlekit.load("cube2")


@pytest.fixture(scope="module")
def cube3() -> Solver:
    return puzzlekit.load("cube3")


@pytest.mark.parametrize(
    ("moves", "order"),
    [
        (HALF, 663_552),
        ("U D R2 L2 F2 B2", 19_508_428_800),
        ("U D R L F2 B2", 21_119_142_223_872_000),
        ("U R", 73_483_200),
        ("U2 R2", 12),
        ("U", 4),
    ],
)
def test_groups_of_moves_have_the_known_orders(cube3: Solver, moves: str, order: int) -> None:
    assert MoveGroup(cube3.puzzle, cube3.puzzle.moves(moves)).order == order


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "moves", "order"),
    [
        ("kilominx", "U R F", factorial(10) // 2 * 3**9),
        ("kilominx", "U R F D DBL B", (factorial(10) // 2 * 3**9) ** 2),
        ("kilominx", "U F L BL BR R DL DBL B DBR DR D", factorial(20) // 2 * 3**19),
        ("megaminx", "U F", factorial(8) // 2 * 3**7 * factorial(9) // 2),
    ],
)
def test_faces_of_a_dodecahedron_generate_all_that_their_constraints_allow(
    name: str, moves: str, order: int
) -> None:
    """In particular, two faces flip no edge, and turns are even permutations."""
    puzzle = puzzlekit.load(name).puzzle
    assert MoveGroup(puzzle, puzzle.moves(moves)).order == order


def test_the_states_of_a_group_are_those_that_its_moves_reach(cube2: Solver) -> None:
    puzzle = cube2.puzzle
    for text, most in (("U2 R2 F2", 24), ("U R2", 10_000)):
        moves = puzzle.moves(text)
        found = {puzzle.solved}
        fresh = [puzzle.solved]
        for state in fresh:  # grows during the loop
            for move in moves:
                after = puzzle.apply(state, [move])
                if after not in found:
                    found.add(after)
                    fresh.append(after)
        group = MoveGroup(puzzle, moves)
        assert group.order == len(found) <= most
        test = SolvableBy(text).test(puzzle)
        assert all(test(state) for state in Random(1).sample(sorted(found), min(24, len(found))))
        others = [cube2.random_state(seed) for seed in range(20)]
        assert [test(state) for state in others] == [state in found for state in others]


def test_moves_that_exchange_alike_pieces_with_others_are_refused() -> None:
    with pytest.raises(UsageError, match="Uw2 exchanges pieces that look different"):
        puzzlekit.load("cube4").solve("R", goal="solvable-by:U2,Uw2")


@pytest.mark.slow
def test_half_turns_reach_the_known_numbers_of_states(cube3: Solver) -> None:
    puzzle = cube3.puzzle
    goal = cube3.goal("solved:corners,edges")
    method = derive_goal(puzzle, goal, puzzle.moves(HALF), fixed=cube3.method().fixed)
    found = puzzlekit_lab.distribution(Solver(puzzle, [method], cube3.store))
    assert found.states == HALF_TURNS


@pytest.mark.slow
def test_half_turn_reduction_is_as_short_as_a_plain_search_says(cube3: Solver) -> None:
    puzzle = cube3.puzzle
    allowed = puzzle.moves("U U2 U' D D2 D' R2 L2 F2 B2")
    test = SolvableBy(HALF).test(puzzle)
    rng = Random(3)
    for _ in range(6):
        state = puzzle.apply(puzzle.solved, rng.choices(allowed, k=30))
        answer = cube3.solve(state, goal="htr", moves="U,D,R2,L2,F2,B2")
        assert test(puzzle.apply(state, answer.sequence))
        reached, depth = {state}, 0
        while depth < 4 and not any(map(test, reached)):
            depth += 1
            reached = {puzzle.apply(each, [move]) for each in reached for move in allowed}
        assert answer.cost == depth or answer.cost > depth == 4


@pytest.mark.slow
def test_every_domino_state_is_solvable_by_the_moves_of_the_domino(cube3: Solver) -> None:
    goal = Goal("domino", conditions=(SolvableBy("U D R2 L2 F2 B2"),))
    for seed in range(3):
        state = cube3.random_state(seed)
        assert cube3.solve(state, goal=goal).cost == cube3.solve(state, goal="dr").cost


QUICK = StepMethod(
    "quick",
    "",
    (
        GoalStep("layer", "within:layer:D"),
        GoalStep("top", "oriented:corners"),
        GoalStep("end", "solved:corners"),
    ),
    beam=StepBeam(kept=(300,)),
)


@pytest.mark.slow
def test_a_beam_over_steps_is_replayed(cube2: Solver) -> None:
    puzzle = cube2.puzzle
    used, switched = set(), False
    for seed in range(6):
        state = cube2.random_state(seed)
        answer = solve_in_steps(cube2, state, QUICK)
        assert answer.solved and [step.name for step in answer.steps] == ["layer", "top", "end"]
        assert puzzle.is_solved(puzzle.apply(state, answer.sequence))
        assert answer.length == puzzle.metric().total(answer.sequence)
        assert answer.cancelled == sum(step.length for step in answer.steps) - answer.length >= 0
        assert solve_in_steps(cube2, state, QUICK).sequence == answer.sequence
        normal, inverse = [], []
        for step in answer.steps:
            (inverse if step.inverse else normal).extend(step.sequence)
            used.add(step.inverse)
        switched |= any(one.inverse != other.inverse for one, other in pairwise(answer.steps[:-1]))
        assert puzzle.is_solved(puzzle.apply(state, [*normal, *puzzle.undo(inverse)]))
    assert used == {False, True} and switched


@pytest.mark.slow
def test_fewest_moves_reaches_each_goal(cube3: Solver) -> None:
    puzzle = cube3.puzzle
    for seed in range(2):
        state = cube3.random_state(seed)
        answer = solve_in_steps(cube3, state, "fewest-moves")
        assert answer.solved and answer.length <= 24
        for step, name in zip(answer.steps, ("eo", "dr", "htr"), strict=False):
            held = cube3.goal(name, step.after or None).reached(puzzle, step.state)
            assert held is not None
        printed = " ".join(
            f"({' '.join(step.moves)})" if step.inverse else " ".join(step.moves)
            for step in answer.steps
        )
        done = puzzle.moves(printed, "inverse")
        assert puzzle.is_solved(puzzle.apply(state, done))
        line = "steps -p cube3 --method fewest-moves --json --timeout 0.1 --state"
        record = CliRunner().invoke(main, [*line.split(), cube3.positions.to_facelets(state)])
        schema = Path(puzzlekit_steps.__file__).parent / "steps.schema.json"
        found = json.loads(record.stdout)
        jsonschema.validate(found, json.loads(schema.read_text(encoding="utf-8")))
        assert puzzle.is_solved(puzzle.apply(state, puzzle.moves(found["solution"])))


def test_a_beam_is_read_from_a_file() -> None:
    text = '[beam]\nkept = [7]\ninverse = false\n[[step]]\nname = "a"\ngoal = "piece:DBL"\n'
    text += 'turns = "any"\n[[step]]\nname = "b"\ngoal = "layer:D"\n'
    found = parse_steps(text)
    assert found.beam == StepBeam((7,), inverse=False) and found.steps[0].turns == "any"
    for wrong, words in [
        (text.replace("[7]", "7"), "kept"),
        (text.replace("[7]", "[0]"), "kept"),
        (text.replace("[7]", "[1, 2]"), "kept"),
        (text.replace("false", "3"), "inverse"),
        (text.replace("inverse", "sides"), "unknown key 'sides'"),
        (text + "times = 2\n", "times"),
        (text + 'turns = "x"\n', "the last one without turns"),
        (text.replace("[beam]\nkept = [7]\ninverse = false\n", ""), "turns need a beam"),
        ("beam = 1\n" + text.partition("false\n")[2], "beam has to be a table"),
    ]:
        with pytest.raises(UsageError, match=words):
            parse_steps(wrong)


def test_what_a_beam_cannot_do_is_named(cube2: Solver) -> None:
    with pytest.raises(UsageError, match="together"):
        solve_in_steps(cube2, "R", QUICK, together=2)
    with pytest.raises(UsageError, match="turn"):
        solve_in_steps(cube2, "R", QUICK, colours="any")
    with pytest.raises(DeclarationError, match="two steps"):
        StepMethod("one", "", QUICK.steps[:1], beam=StepBeam((1,)))
    either = (GoalStep("a", "piece:DBL or piece:DLF"), GoalStep("b", "solved:corners"))
    with pytest.raises(UsageError, match="alternatives"):
        solve_in_steps(cube2, "R", StepMethod("two", "", either, beam=StepBeam((1,))))
