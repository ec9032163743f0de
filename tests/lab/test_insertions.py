"""Insertions: short cycles, and answers against a search through all points and all sequences."""

from __future__ import annotations

import json
from importlib.resources import files
from random import Random
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result

import puzzlekit
import puzzlekit_lab
from puzzlekit import NoSolutionError, NotationError, UsageError
from puzzlekit.cli import main
from puzzlekit.search.solver import Solver
from puzzlekit.search.strategies.candidate import merge
from puzzlekit_lab import insert_cycles
from puzzlekit_lab.sequences import Folding
from puzzlekit_lab.short_cycles import ShortCycles

SKELETON = "R2 D' F L2 U B' R"
THREE = "R' B U' L' B2 L F' L' B2 L F L2 F' D R2"  # the skeleton leaves three corners


def run(*arguments: str, code: int = 0) -> Result:
    result = CliRunner().invoke(main, ["find", *arguments])
    assert result.exit_code == code, result.output
    return result


def changed(solver: Solver, state: bytes) -> int:
    """The number of pieces that are not as in the solved state."""
    puzzle = solver.puzzle
    return sum(
        label != home or turn != 0
        for orbit in puzzle.orbits
        for label, home, turn in zip(
            puzzle.labels(state, orbit),
            orbit.solved,
            puzzle.orientations(state, orbit),
            strict=True,
        )
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "moves", "length", "pieces"),
    [("cube2", "R,U,F", 5, 4), ("pyraminx", "R,U,L", 5, 5), ("skewb", "R,U,L", 5, 9)],
)
def test_short_cycles_are_all_sequences_that_change_few_pieces(
    name: str, moves: str, length: int, pieces: int
) -> None:
    solver = puzzlekit.load(name)
    families = solver.puzzle.family_moves(moves.split(","))
    cycles = ShortCycles(solver.puzzle, families, length, pieces)
    found = {tuple(names) for names in cycles.named()}
    every = puzzlekit_lab.find(solver, max_length=length, moves=moves)
    assert found == {each.moves for each in every if 1 <= changed(solver, each.state) <= pieces}
    assert len(cycles.words) == len(found) > 10


def brute(solver: Solver, position: str, skeleton: str, length: int) -> dict[str, int]:
    """All answers with one insertion: every point, every sequence, replayed."""
    puzzle = solver.puzzle
    moves = puzzle.moves(skeleton)
    orders = [list(moves)]
    for i in range(len(moves) - 1):
        if puzzle.commute(moves[i], moves[i + 1]):
            orders.append([*moves[:i], moves[i + 1], moves[i], *moves[i + 2 :]])
    state, found = solver.state(position), {}
    for each in puzzlekit_lab.find(solver, max_length=length):
        if changed(solver, each.state) > 4:
            continue
        cycle = puzzle.moves(str(each))
        for own in orders:
            for at in range(len(own) + 1):
                whole = (*own[:at], *cycle, *own[at:])
                if puzzle.is_solved(puzzle.apply(state, whole)):
                    answer = merge(puzzle, [whole])[0]
                    found[" ".join(move.name for move in answer)] = len(answer)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "skeleton", "cycle", "at"),
    [
        ("cube2", "R U2 F' R2", "U R2 U'", 2),
        ("cube2", "U F R", "U2 R2 U2 F2", 1),
        ("pyraminx", "R U' L B R'", "L' R' L R", 3),
        ("pyraminx", "R U' b L B R'", "L' R' L R", 3),
    ],
)
def test_one_insertion_is_exact(name: str, skeleton: str, cycle: str, at: int) -> None:
    solver = puzzlekit.load(name)
    named = skeleton.split()
    whole = " ".join([*named[:at], cycle, *named[at:]])
    scramble = f"({whole})'"
    length = 4
    want = brute(solver, scramble, skeleton, length)
    got = insert_cycles(solver, scramble, skeleton, insertions=1, cycle_length=length)
    moves = solver.puzzle.family_moves(solver.puzzle.families)
    folding = Folding(solver.puzzle, moves, solver.puzzle.metrics[0])

    def normal(names: str) -> object:
        """The answer without regard to the order of commuting moves."""
        return folding.normal(tuple(moves.index(move) for move in solver.puzzle.moves(names)))

    assert {normal(str(each)) for each in got} == {normal(each) for each in want}
    assert got[0].length == min(want.values())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "scramble", "skeleton", "length", "insertions", "best"),
    [
        ("cube3", THREE, SKELETON, 8, 1, 15),
        ("cube2", "(R U2 F' U R2 U' R2 F U F2 U')'", "R U2 F' R2 F", 4, 2, 11),
    ],
)
def test_insertions_are_replayed(
    name: str, scramble: str, skeleton: str, length: int, insertions: int, best: int
) -> None:
    solver = puzzlekit.load(name)
    puzzle = solver.puzzle
    found = insert_cycles(solver, scramble, skeleton, insertions=insertions, cycle_length=length)
    assert found[0].length == min(each.length for each in found) <= best
    for each in found[:100]:
        moves = puzzle.moves(str(each))
        assert puzzle.is_solved(puzzle.apply(solver.state(scramble), moves))
        assert each.length == len(moves) == each.lengths["HTM"]
        last = each.insertions[-1]
        joined = " ".join([*last.into[: last.after], *last.moves, *last.into[last.after :]])
        merged = merge(puzzle, [puzzle.moves(joined)])[0]
        assert tuple(move.name for move in merged) == each.moves
        inserted = sum(len(made.moves) for made in each.insertions)
        saved = sum(made.cancelled for made in each.insertions)
        assert each.length == len(skeleton.split()) + inserted - saved


def test_a_skeleton_that_solves_needs_no_insertion() -> None:
    cube = puzzlekit.load("cube2")
    answers = insert_cycles(cube, "R U", "U' R'", cycle_length=4, insertions=1)
    assert str(answers[0]) == "U' R'" and answers[0].insertions == ()


def test_the_holding_at_the_end_is_free() -> None:
    cube = puzzlekit.load("cube2")
    scramble = "(R U2 F' U R2 U' R2 x y)'"
    answers = insert_cycles(cube, scramble, "R U2 F' R2", cycle_length=4, insertions=1)
    assert cube.puzzle.is_solved(cube.state(f"{scramble} {answers[0]}"))


def test_pieces_that_are_alike_get_names() -> None:
    cube = puzzlekit.load("cube4")
    cycle = "R U R' D R U' R' D'"
    scramble = f"(Rw U2 F' {cycle} Rw2 B)'"
    answers = insert_cycles(
        cube, scramble, "Rw U2 F' Rw2 B", moves="R,U,D", cycle_length=8, insertions=1
    )
    assert cube.puzzle.is_solved(cube.state(f"{scramble} {answers[0]}"))


def test_random_positions_are_refused_or_solved() -> None:
    cube = puzzlekit.load("cube2")
    for seed in range(3):
        scramble = cube.scramble(Random(seed))
        try:
            found = insert_cycles(cube, scramble, "R U", cycle_length=4)
        except NoSolutionError as error:
            assert "the skeleton leaves (" in str(error)
        else:
            assert cube.puzzle.is_solved(cube.state(f"{scramble} {found[0]}"))


def validator() -> Any:
    schema = json.loads((files("puzzlekit_lab.schema") / "find.schema.json").read_text())
    return jsonschema.Draft202012Validator(schema)


def test_the_command_line() -> None:
    asked = ("-p", "cube2", "(R U2 F' U R2 U' R2)'", "--insert", "R U2 F' R2")
    short = ("--cycle-length", "5", "--insertions", "1")
    told = run(*asked, *short)
    assert told.stderr.startswith("the skeleton leaves (")
    assert " HTM; " in told.stdout and " cancelled" in told.stdout
    lines = run(*asked, *short, "--json", "--limit", "2", "--sort", "ergonomic").stdout
    records = [json.loads(line) for line in lines.splitlines()]
    assert len(records) == 2
    for record in records:
        validator().validate(record)
        assert record["skeleton"] == ["R", "U2", "F'", "R2"]
    costs = [record["rank"]["cost"] for record in records]
    assert costs == sorted(costs)


def test_stickers_and_a_timeout() -> None:
    cube = puzzlekit.load("cube2")
    stickers = cube.positions.to_facelets(cube.state("R2 U R2 U' F U2 R'"))
    asked = ("-p", "cube2", "--insert", "R U2 F' R2", "--cycle-length", "4")
    told = run(*asked, "--state", stickers, "--timeout", "60")
    assert told.stdout == run(*asked, "R2 U R2 U' F U2 R'").stdout
    told = run(*asked, "--state", stickers, "--timeout", "0.000001", code=1)
    assert "before the timeout" in told.stderr


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("R U", "--max-length", "3"), "a scramble needs --insert; without it, --effect"),
        (("--state", "U", "--max-length", "3"), "--state needs --insert"),
        (("R U", "--state", "U", "--insert", "R"), "a scramble and --state"),
        (("--max-length", "3", "--insertions", "2"), "--insertions needs --insert"),
        (("R U", "--insert", "R", "--effect", "(UF)+"), "--effect cannot be combined with"),
        (("R U", "--insert", "R", "--cycle-length", "13"), "13"),
        (("R U", "--insert", "R Q"), "Q"),
        (("R U", "--insert", "R (U)"), "moves on the inverse"),
        (("--max-length", "3", "--parentheses", "inverse"), "--parentheses needs --insert"),
        (("R U", "--insert", "R", "--metric", "AXHT"), "cannot be counted in AXHT"),
    ],
)
def test_wrong_options_are_named(asked: tuple[str, ...], message: str) -> None:
    assert message in run("-p", "cube2", *asked, code=2).output


def test_impossible_questions_are_refused() -> None:
    with pytest.raises(UsageError, match="not always possible"):
        insert_cycles(puzzlekit.load("fifteen"), "", "")
    cube = puzzlekit.load("cube3")
    with pytest.raises(
        UsageError, match="too many sequences of 12 moves: look for cycles of at most"
    ):
        ShortCycles(cube.puzzle, cube.puzzle.family_moves("URFDLBMES"), 12, 3)
    with pytest.raises(NoSolutionError):
        insert_cycles(puzzlekit.load("cube2"), "R U F", "", max_length=2, cycle_length=2)


def test_a_skeleton_with_moves_on_the_inverse() -> None:
    cube = puzzlekit.load("cube2")
    plain, *_ = insert_cycles(cube, "R2 U R2 U' F U2 R'", "R U2 F' R2", cycle_length=4)
    for skeleton, meaning in (("(R2 F) R U2", "inverse"), ("(R U2) F' R2", "groups")):
        found, *_ = insert_cycles(
            cube, "R2 U R2 U' F U2 R'", skeleton, cycle_length=4, parentheses=meaning
        )
        assert found.moves == plain.moves
    with pytest.raises(NotationError, match="a group, or moves on the inverse"):
        insert_cycles(cube, "R2 U R2 U' F U2 R'", "(R2 F) R U2")
    line = ("-p", "cube2", "R2 U R2 U' F U2 R'", "--cycle-length", "4", "--insert")
    assert " ".join(plain.moves) in run(*line, "NISS: (R2 F) R U2").stdout
