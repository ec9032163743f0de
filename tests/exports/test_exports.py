"""What `puzzlekit export` writes describes the same puzzle: read again, and solved again."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result
from gluing import FACES, glued
from sympy.combinatorics import Permutation, PermutationGroup

import puzzlekit
import puzzlekit_definitions
import puzzlekit_lab
from puzzlekit import Solver, universal_method
from puzzlekit.cli import main
from puzzlekit.puzzle.orbit import Bandaged
from puzzlekit_definitions import parse_definition
from puzzlekit_exports import FORMATS, export

SUFFIXES = {"kpuzzle": "json", "tws": "tws", "ksolve": "def", "gap": "gap"}
# The orders of the groups of the moves, as they are known.
ORDERS = {
    "cube2": 3_674_160,
    "cube3": 43_252_003_274_489_856_000,
    "skewb": 3_149_280,
    "pyraminx": 75_582_720,
}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def again(name: str, form: str, moves: str | None = None) -> puzzlekit_definitions.DefinedSolver:
    text = export(puzzlekit.load(name), form, moves=moves)
    return puzzlekit_definitions.parse_definition(text, SUFFIXES[form], name=name, memory=10**7)


@pytest.mark.slow
@pytest.mark.parametrize("form", SUFFIXES)
def test_a_puzzle_that_is_read_again_has_as_many_states_and_the_same_answers(form: str) -> None:
    solver = puzzlekit.load("cube2")
    defined = again("cube2", form)
    assert any("3,674,160" in line for line in defined.explanation), defined.explanation
    assert puzzlekit_lab.distribution(defined).total == ORDERS["cube2"]
    for seed in range(5):
        state = solver.positions.random_state(seed)
        written = export(solver, form, state)
        found = defined.solve(defined.positions.from_written(written), metric="moves")
        assert found.optimal and found.length == solver.solve(state).length
        # The moves of the answer solve the state of ours.
        if form != "gap":  # whose readers choose names of their own
            moves = solver.puzzle.moves(" ".join(found.moves))
            assert solver.puzzle.is_solved(solver.puzzle.apply(state, moves))


@pytest.mark.parametrize("name", ORDERS)
def test_groups_of_gap_have_the_known_orders(name: str) -> None:
    text = export(puzzlekit.load(name), "gap")
    moves = re.findall(r"^M_\w+:=(.*);$", text, re.MULTILINE)
    cycles = [
        [[int(n) - 1 for n in re.findall(r"\d+", c)] for c in line.split(")")] for line in moves
    ]
    size = max(n for line in cycles for cycle in line for n in cycle) + 1
    group = PermutationGroup([Permutation([c for c in line if c], size=size) for line in cycles])
    assert group.order() == ORDERS[name]


@pytest.mark.parametrize(
    ("name", "moves"),
    [("cube3", None), ("cube5", None), ("cube2", "R U"), ("cube4", "U"), ("cuboid-3x3x4", None)],
)
def test_states_of_gap_have_the_points_of_the_definition(name: str, moves: str | None) -> None:
    """No move moves the last points, so a reader of the definition does not know of them."""
    solver = puzzlekit.load(name)
    defined = again(name, "gap", moves)
    for scramble in ("U", "U2"):
        read = defined.positions.from_written(export(solver, "gap", scramble, moves))
        assert not defined.puzzle.is_solved(read)
    solved = defined.positions.from_written(export(solver, "gap", "", moves))
    assert defined.puzzle.is_solved(solved)


@pytest.mark.parametrize("form", ["kpuzzle", "tws", "ksolve"])
@pytest.mark.parametrize("name", ["cube4", "skewb", "supercube3"])
def test_every_move_does_the_same(name: str, form: str) -> None:
    """Also with pieces that are alike: scrambles lead to states that are written alike."""
    solver = puzzlekit.load(name)
    text = export(solver, form)
    moves = [move.name for move in solver.method().allowed(solver.puzzle)]
    defined = puzzlekit_definitions.parse_definition(text, SUFFIXES[form], name="x", memory=10**5)
    for scramble in [*moves, " ".join(moves)]:
        ours = export(solver, form, scramble)
        read = defined.positions.from_written(ours)
        assert read == defined.positions.scrambled(scramble)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "scramble"), [("dino", "F x"), ("rex", "F y"), ("fto", "U Rv"), ("cube3", "R x y")]
)
@pytest.mark.parametrize("form", ["kpuzzle", "gap"])
def test_a_position_held_otherwise_is_as_near_the_solved_one(
    name: str, scramble: str, form: str
) -> None:
    text = export(puzzlekit.load(name), form, scramble)
    defined = again(name, form)
    state = defined.positions.from_written(text)
    assert defined.solve(state, method="universal", timeout=20).length == 1


def test_the_kpuzzle_of_the_3x3x3_is_that_of_cubing_js_up_to_numbers() -> None:
    record = json.loads(export(puzzlekit.load("cube3"), "kpuzzle"))
    assert [each["orbitName"] for each in record["orbits"]] == ["CORNERS", "EDGES", "CENTERS"]
    assert [each["numPieces"] for each in record["orbits"]] == [8, 12, 6]
    assert [*record["moves"]] == ["U", "R", "F", "D", "L", "B"]
    for move in record["moves"].values():
        assert sorted(move["CORNERS"]["permutation"]) == list(range(8))
        assert sum(move["CORNERS"]["orientationDelta"]) % 3 == 0
    with_turns = json.loads(export(puzzlekit.load("cube3"), "kpuzzle", moves="R M x"))
    assert with_turns["moves"]["x"]["CENTERS"]["permutation"] != list(range(6))


def parsed(text: str) -> Any:
    """The nested lists of a text in parentheses."""
    words = re.findall(r"[()]|[^\s()]+", text)
    stack: list[Any] = [[]]
    for word in words:
        if word == "(":
            stack.append([])
        elif word == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word)
    assert len(stack) == 1
    return stack[0][0]


class Planner:
    """Applies actions as PDDL defines them: conditions first, then deletions, then additions."""

    def __init__(self, domain: str, problem: str) -> None:
        parts = parsed(domain)[2:]
        self.actions = {each[1]: each for each in parts if each[0] == ":action"}
        pieces: dict[str, list[str]] = {}
        (constants,) = (each[1:] for each in parts if each[0] == ":constants")
        names: list[str] = []
        while constants:
            word = constants.pop(0)
            if word == "-":
                pieces[constants.pop(0)] = names
                names = []
            else:
                names.append(word)
        self.pieces = pieces
        stated = {each[0]: each[1:] for each in parsed(problem)[1:]}
        self.facts = {tuple(each) for each in stated[":init"] if each[0] == "at"}
        self.goal = {tuple(each) for each in stated[":goal"][0][1:]}
        self.cost = 0

    def do(self, name: str) -> None:
        action = self.actions[name]
        if ":precondition" in action:
            assert tuple(action[action.index(":precondition") + 1]) in self.facts
        lost, gained = set(), set()
        for effect in action[-1][1:]:
            if effect[0] == "increase":
                self.cost += int(effect[2])
                continue
            for piece in self.pieces[effect[1][2]]:
                for _, condition, (_, (_, gone), added) in effect[2][1:]:
                    if (("at", piece, condition[2])) in self.facts:
                        lost.add(("at", piece, gone[2]))
                        gained.add(("at", piece, added[2]))
        self.facts = self.facts - lost | gained


@pytest.mark.parametrize(
    ("name", "scramble"),
    [
        ("cube2", "R U' F2 R"),
        ("cube4", "Rw U Fw2 R'"),
        ("pyraminx", "U l' R u"),
        ("eight", "U L D"),
    ],
)
def test_a_plan_of_pddl_is_a_solution(name: str, scramble: str) -> None:
    solver = puzzlekit.load(name)
    puzzle = solver.puzzle
    domain = export(solver, "pddl")
    planner = Planner(domain, export(solver, "pddl", scramble))
    assert planner.facts != planner.goal
    state = puzzle.apply(puzzle.solved, puzzle.moves(scramble))
    undone = puzzle.undo(puzzle.moves(scramble))
    for move in undone:
        place = puzzle.place_of_guard(state)
        state = puzzle.apply(state, [move])
        written = move.name.replace("'", "-inverse")
        written = f"small-{written}" if written[0].islower() else written
        planner.do(f"{written}-from-{place}" if puzzle.guard else written)
    assert (
        planner.facts == planner.goal
        and planner.cost == puzzle.lengths(undone)[puzzle.metric().name]
    )


def test_lines_of_hog2() -> None:
    fifteen = puzzlekit.load("fifteen")
    assert export(fifteen, "hog2", "U") == "1 2 3 4 5 6 7 8 9 10 11 0 13 14 15 12"
    cube = puzzlekit.load("cube3")
    assert export(cube, "hog2", "R U2 F'") == "R U2 F-"
    state = cube.positions.random_state(3)
    moves = export(cube, "hog2", state).replace("-", "'")
    assert cube.puzzle.apply(cube.puzzle.solved, cube.puzzle.moves(moves)) == state


def test_a_definition_has_an_ending_by_which_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "cube2.json"
    asked = ("export", "cube2", "--format", "tws", "--output", str(file))
    done = run(*asked)
    assert done.exit_code == 2 and "--puzzle reads .json as the format kpuzzle" in done.stderr
    assert not file.exists() and run(*asked, "R U").exit_code == 0  # a position may have any


def test_the_command_writes_what_the_library_returns(tmp_path: Path) -> None:
    file = tmp_path / "cube2.json"
    done = run("export", "cube2", "--format", "kpuzzle", "--output", str(file))
    assert done.exit_code == 0 and not done.output
    assert file.read_text("utf-8") == export(puzzlekit.load("cube2"), "kpuzzle") + "\n"
    for arguments, scramble in (
        (("R U",), "R U"),
        (("--state", "cp=0,1,2,3,4,5,6,7 co=0,0,0,0,0,0,0,0"), ""),
    ):
        done = run("export", "cube2", *arguments, "--format", "tws", "--moves", "R,U")
        assert done.output == export(puzzlekit.load("cube2"), "tws", scramble, "R U") + "\n"
    done = run("export", "cube2", "--random", "--seed", "4", "--format", "hog2")
    assert done.exit_code == 0 and len(done.output.split()) <= 11
    solved = run("solve", "--puzzle", str(file), "R U F2")
    assert solved.exit_code == 0 and "optimal" in solved.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("fifteen", "--format", "tws"), "moves that are always possible, and those of fifteen"),
        (("cube2", "--format", "hog2"), "the format hog2 has only positions"),
        (("cube2", "--format", "obj"), "kpuzzle"),
        (("cube2", "R", "--random", "--format", "tws"), "cannot be combined"),
        (("cube2", "--moves", "Q", "--format", "tws"), "'Q'"),
        (
            ("cube2", "R U F", "--moves", "R,U", "--format", "tws"),
            "the moves U R do not reach this state",
        ),
        (("cube2", "--seed", "1", "--format", "tws"), "--seed needs --random"),
    ],
)
def test_what_cannot_be_written_is_named(arguments: tuple[str, ...], message: str) -> None:
    done = run("export", *arguments)
    assert done.exit_code == 2 and message in done.stderr


def test_the_command_names_every_format() -> None:
    from puzzlekit_exports import command

    assert set(command._NAMES) == set(FORMATS)


def test_glued_pieces_are_written_for_ksolve() -> None:
    """On a bandaged cube: one block with a center, and one without."""
    blocks = Bandaged(({"corners": "URF DFR", "edges": "UF"}, {"edges": "DB"}), (None, "D"))
    bandaged = glued("cube3", blocks)
    written = export(Solver(bandaged, [universal_method(bandaged)]), "ksolve")
    read = parse_definition(written, "def").puzzle
    state, own = bandaged.solved, read.solved
    rng = Random(3)
    for _ in range(60):
        possible = [each for each in FACES if not bandaged.obstacle(state, bandaged.move(each))]
        assert possible == [each for each in FACES if not read.obstacle(own, read.move(each))]
        move = rng.choice(possible)
        state = bandaged.apply(state, bandaged.moves(move))
        own = read.apply(own, read.moves(move))


def test_moves_that_glued_pieces_prevent_are_not_written() -> None:
    for form in ("pddl", "tws"):
        found = run("export", "--puzzle", "square1", "--format", form)
        assert found.exit_code == 2 and "error: " in found.stderr and not found.stdout


def test_empty_moves_are_an_error() -> None:
    done = run("export", "cube2", "--format", "pddl", "--moves", "")
    assert (done.exit_code, done.stderr) == (2, "error: no moves are given\n")
