"""Steps: every goal holds after replay, the end is solved, and files are read strictly."""

from __future__ import annotations

import json
from itertools import permutations, product
from pathlib import Path
from random import Random

import attrs
import jsonschema
import pytest
from click.testing import CliRunner, Result
from json_records import printed, schema_of

import puzzlekit
import puzzlekit_steps
from puzzlekit import DeclarationError, Move, NoSolutionError, Solver, UsageError
from puzzlekit.cli import main
from puzzlekit.puzzle.move import permutation_parity
from puzzlekit_cube4.reduction_steps import EXCHANGE, FLIP
from puzzlekit_steps import GoalStep, StepMethod, parse_steps, solve_in_steps
from puzzlekit_steps.search import StepSearch

# What each step of a method must have solved at its end, and no step may need more HTM than this.
GOALS = {
    "cfop": ["cross", "cross", "cross", "cross", "f2l", "oll", ""],
    "zz": ["eo-line", "eo-line first-block", "f2l oriented:edges", "oll", ""],
    "petrus": ["222", "223", "223 oriented:edges", "f2l oriented:edges", "oll", ""],
    "roux": ["first-block", "blocks", "cmll", ""],
    "beginner": [
        *["cross"] * 4,
        "layer:D",
        *["layer:D"] * 3,
        "f2l",
        "f2l oriented:UF,UR,UB,UL",
        "f2l solved:UF,UR,UB,UL",
        "f2l solved:edges placed:corners",
        "",
    ],
}
ALGORITHMS = ("F R U R' U' F'", "R U R' U R U2 R'", "R U' L' U R' U' L", "R' D' R D")
MOST = {"cross": 8, "eo-line": 9}


@pytest.fixture(scope="module")
def cube3() -> Solver:
    return puzzlekit.load("cube3")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["steps", *arguments])


def check(solver: Solver, method: str, seed: int, colours: str | None = None) -> None:
    """Replay an answer, and test the goal of each step by its own text."""
    puzzle = solver.puzzle
    state = solver.random_state(seed)
    answer = solve_in_steps(solver, state, method, colours=colours)
    assert answer.solved
    assert answer.length + answer.cancelled == sum(step.length for step in answer.steps)
    assert answer.cancelled >= 0 and answer.length == puzzle.metric(answer.metric).total(
        answer.sequence
    )
    assert puzzle.is_solved(puzzle.apply(state, puzzle.moves(str(answer))))
    for step, goal in zip(answer.steps, GOALS[method], strict=True):
        state = puzzle.apply(state, puzzle.moves(" ".join([step.hold, *step.moves]) or "U U'"))
        assert state == step.state
        assert step.length <= MOST.get(step.name, 30)
        if goal:
            assert solver.solve(state, goal=goal).cost == 0, (step.name, goal)


@pytest.mark.slow
@pytest.mark.parametrize(
    "method",
    [
        "cfop",
        "beginner",
        pytest.param("petrus", marks=pytest.mark.thorough),
        *(pytest.param(name, marks=pytest.mark.long) for name in ("roux", "zz")),
    ],
)
def test_each_step_reaches_its_goal(cube3: Solver, method: str) -> None:
    check(cube3, method, 1)


@pytest.mark.slow
def test_the_puzzle_may_be_turned_before_the_first_step(cube3: Solver) -> None:
    check(cube3, "cfop", 1, "x2")
    state = cube3.random_state(1)
    free = solve_in_steps(cube3, state, colours="x2")
    turned = [solve_in_steps(cube3, turned_by(cube3, state, turn)).length for turn in ("", "x2")]
    assert free.length == min(turned)


def turned_by(solver: Solver, state: bytes, turn: str) -> bytes:
    """The state after a rotation of the whole puzzle."""
    return solver.puzzle.apply(state, solver.puzzle.moves(turn) if turn else ())


@pytest.mark.long
def test_two_steps_together_are_as_short_as_a_search_says(cube3: Solver) -> None:
    state = cube3.random_state(1)
    alone = solve_in_steps(cube3, state)
    both = solve_in_steps(cube3, state, together=2)
    first = both.steps[0]
    assert first.name == "cross + pair" and both.solved
    assert first.length == cube3.solve(state, goal="xcross").cost
    assert first.length <= alone.steps[0].length + alone.steps[1].length


def test_the_algorithms_permute_every_last_layer(cube3: Solver) -> None:
    method = cube3.catalogue.step_methods["cfop"]
    stepping = StepSearch(cube3, StepMethod("pll", "", method.steps[-1:]))
    puzzle = cube3.puzzle
    up = [(), *((move,) for move in puzzle.family_moves(["U"]))]
    algorithms = [puzzle.moves(text) for text in ("", *method.steps[-1].algorithms)]
    cases = {
        puzzle.apply(puzzle.solved, [*before, *moves, *after])
        for moves in algorithms
        for before in up
        for after in up
    }
    assert len(cases) == 288  # 4! * 4! / 2
    for state in cases:
        assert cube3.goal("oll").reached(puzzle, state) is not None
    assert all(stepping.solve(state).solved for state in [*cases][::12])


@pytest.mark.slow
def test_four_algorithms_of_beginners_solve_every_last_layer(cube3: Solver) -> None:
    methods = cube3.catalogue.step_methods
    last = StepSearch(cube3, StepMethod("last", "", methods["beginner"].steps[3:]))
    step = methods["cfop"].step
    moves = [*step("oll").algorithms, *step("pll").algorithms, "U"]
    rng = Random(1)
    for _ in range(50):
        answer = last.solve(cube3.state(" ".join(rng.choices(moves, k=12))))
        assert answer.solved
        for found, core in zip(answer.steps, ALGORITHMS, strict=True):
            own = " ".join(found.moves)
            rest = own.replace(core, "")
            assert core in own or not set(own) - set("U2' "), own
            assert not set(rest) - set("U2' "), (found.name, own)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("moves", "names"),
    [
        ("R U R' U R U2 R'", ["OLL: Sune"]),
        ("U F R U R' U' F' U2", ["OLL 45"]),
        ("U R U R' U' R' F R2 U' R' U' R U R' F'", ["PLL: T"]),
        ("R' U2 R U2 R' F R U R' U' R' F' R2", ["PLL: Rb"]),
        ("", []),
    ],
)
def test_cases_of_the_last_layer_have_their_usual_names(
    cube3: Solver, moves: str, names: list[str]
) -> None:
    steps = cube3.catalogue.step_methods["cfop"].steps
    whole = GoalStep("f2l", "f2l", algorithms=("U",))
    last = StepMethod("last", "the last layer", (whole, *steps[-2:]))
    found = solve_in_steps(
        cube3, cube3.puzzle.apply(cube3.puzzle.solved, undone(cube3, moves)), last
    )
    assert [step.algorithm for step in found.steps if step.algorithm][: len(names)] == names
    assert found.ends[-1] == len(found.sequence)


def undone(cube3: Solver, moves: str) -> list[Move]:
    return list(cube3.puzzle.undo(cube3.puzzle.moves(moves)))


@pytest.mark.slow
def test_the_algorithms_orient_every_last_layer_by_the_fewest_moves(cube3: Solver) -> None:
    method = cube3.catalogue.step_methods["cfop"]
    orient = method.step("oll")
    steps = (GoalStep("f2l", "f2l", algorithms=("U",)), orient)
    stepping = StepSearch(cube3, StepMethod("oll", "", steps))
    puzzle = cube3.puzzle
    undone = [puzzle.undo(puzzle.moves(text)) for text in orient.algorithms]
    assert len(undone) == 57
    oll = cube3.goal("oll")
    for i, moves in enumerate(undone):
        for turn in ("U", "U2", "U'", "U y"):
            state = puzzle.apply(puzzle.solved, [*moves, *puzzle.moves(turn)])
            answer = stepping.solve(state)
            assert answer.steps[1].length <= len(moves)
        if i % 19 == 0 and len(moves) <= 9:
            assert cube3.solve(state, goal=oll).cost == answer.length


@pytest.mark.slow
def test_the_algorithms_solve_the_corners_of_every_last_layer(cube3: Solver) -> None:
    puzzle = cube3.puzzle
    blocks = GoalStep("blocks", "blocks", algorithms=("U",))
    stepping = StepSearch(
        cube3, StepMethod("c", "", (blocks, cube3.catalogue.step_methods["roux"].steps[2]))
    )
    corners = puzzle.orbit("corners")
    top = [
        puzzle.offsets["corners"] + corners.places.index(name)
        for name in ("ULB", "UBR", "URF", "UFL")
    ]
    edges, start = puzzle.orbit("edges"), puzzle.offsets["edges"]
    one, other = (start + edges.places.index(name) for name in ("UF", "UB"))
    assert len(cube3.catalogue.step_methods["roux"].steps[2].algorithms) == 42
    cases = 0
    for order in permutations(top):
        for turns in product(range(3), repeat=3):
            state = bytearray(puzzle.solved)
            for place, home, turn in zip(top, order, (*turns, -sum(turns) % 3), strict=True):
                state[place], state[place + corners.size] = puzzle.solved[home], turn
            cases += 1
            if cases % 9:
                continue
            if permutation_parity([top.index(home) for home in order]):
                state[one], state[other] = state[other], state[one]
            answer = stepping.solve(bytes(state))
            assert cube3.goal("cmll").reached(puzzle, answer.steps[1].state) is not None
    assert cases == 648


@pytest.mark.slow
def test_ortega_solves_the_2x2x2() -> None:
    cube2 = puzzlekit.load("cube2")
    for seed in range(5):
        answer = solve_in_steps(cube2, cube2.random_state(seed))
        assert answer.solved
        assert [step.name for step in answer.steps] == ["face", "oll", "pbl"]
        assert all(step.optimal for step in answer.steps)
        face, oll, _ = answer.steps
        for state, goal in [
            (face.state, "oriented:layer:D within:layer:D"),
            (oll.state, "oriented:corners within:layer:D"),
        ]:
            assert cube2.solve(state, goal=goal).cost == 0


BOTH_PARITIES = f"{FLIP} {EXCHANGE}"


def test_the_parities_of_the_4x4x4_are_solved_before_the_last_layer() -> None:
    cube = puzzlekit.load("cube4")
    puzzle = cube.puzzle
    outer = cube.goal("solvable-by:U,D,R,L,F,B")
    for moves, whole in (("R U2 F", True), (FLIP, False), (EXCHANGE, False), ("Rw", False)):
        assert (outer.reached(puzzle, cube.state(moves)) is not None) is whole
    steps = cube.catalogue.step_methods["reduction"].steps[-3:]
    method = StepMethod("end", "", steps)
    for parity in ("", FLIP, EXCHANGE, BOTH_PARITIES):
        answer = solve_in_steps(cube, f"{parity} R U2 R' U' R U' R' U", method)
        assert answer.solved and (answer.steps[0].length > 0) == (parity != "")


def test_the_last_two_pairs_of_wings_are_joined_by_algorithms() -> None:
    cube = puzzlekit.load("cube4")
    puzzle, method = cube.puzzle, cube.catalogue.step_methods["yau"]
    front = cube.goal(method.step("to-the-front").goal)
    places = puzzle.orbit("wings").places
    pairs = [
        cube.goal(f"joined:{one},{two}") for one, two in zip(places[:12], places[12:], strict=True)
    ]
    cross = cube.goal("solved:wings:D")
    for algorithm, keeps_cross in zip(
        method.step("last-pairs").algorithms, (False, True), strict=True
    ):
        state = puzzle.apply(puzzle.solved, puzzle.undo(puzzle.moves(algorithm)))
        assert sum(pair.reached(puzzle, state) is not None for pair in pairs) == 10
        assert (cross.reached(puzzle, state) is not None) is keeps_cross
        turned = solve_in_steps(
            cube, state, StepMethod("front", "", (method.step("to-the-front"),))
        )
        assert front.reached(puzzle, turned.steps[0].state) is not None


@pytest.mark.slow
def test_the_centers_of_the_4x4x4_come_one_after_the_other() -> None:
    cube = puzzlekit.load("cube4")
    first = StepMethod("centers", "", cube.catalogue.step_methods["reduction"].steps[:2])
    answer = solve_in_steps(cube, cube.random_state(3), first)
    lengths = [step.length for step in answer.steps]
    assert lengths == [6, 7] and all(step.optimal for step in answer.steps)
    assert cube.goal("solved:centers:D,centers:U").reached(cube.puzzle, answer.steps[1].state)


def test_a_step_may_pass(cube3: Solver) -> None:
    passing = GoalStep("line", "solved:DF,DB", keep=False)
    method = StepMethod("passing", "", (passing, GoalStep("edge", "solved:UF", "F")))
    answer = solve_in_steps(cube3, "F", attrs.evolve(method, steps=(passing,)))
    assert answer.length == 1
    with pytest.raises(NoSolutionError):  # F alone does not keep DF
        kept = attrs.evolve(passing, keep=True)
        solve_in_steps(cube3, "U F2", attrs.evolve(method, steps=(kept, method.steps[1])))


def test_the_shorter_of_two_continuations_follows() -> None:
    cube2 = puzzlekit.load("cube2")
    steps = (
        GoalStep("bar", "solved:DBL,DLF", then=("right", "top")),
        GoalStep("right", "solved:DFR", then=("end",)),
        GoalStep("top", "solved:UFL", then=("end",)),
        GoalStep("end", "solved:corners"),
    )
    method = StepMethod("either", "", steps)
    names = {}
    for seed in range(8):
        answer = solve_in_steps(cube2, cube2.random_state(seed), method)
        assert answer.solved
        after_bar = answer.steps[0].state
        lengths = {
            name: cube2.solve(after_bar, goal=f"solved:DBL,DLF,{piece}").cost
            for name, piece in (("right", "DFR"), ("top", "UFL"))
        }
        chosen = answer.steps[1]
        assert chosen.length == min(lengths.values()) == lengths[chosen.name]
        names[chosen.name] = True
    assert len(names) == 2


@pytest.mark.slow
def test_only_pieces_that_matter_are_shown(cube3: Solver) -> None:
    answer = solve_in_steps(cube3, "R U F2")
    cross = answer.steps[0].grey(cube3.puzzle)
    assert len(cross) == 54 - 6 - 8  # the centers, and two stickers of each edge
    assert not answer.steps[-1].grey(cube3.puzzle)


STEP = '[[step]]\nname = "a"\ngoal = "cross"\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there are no steps"),
        ("step = 3", "there are no steps"),
        ("[[step]]\nname = 'a'", 'step 1: "goal" is missing'),
        (STEP + "[[step]]\ngoal = 'oll'", 'step 2: "name" is missing'),
        (STEP + "colour = 1", "step 1: unknown key 'colour'"),
        ("titel = 'a'\n" + STEP, "unknown key 'titel'"),
        (STEP + "times = '2'", "step 1: \"times\" is '2', not a whole number"),
        (STEP + "times = 0", "step a: times must be from 1"),
        (STEP + "moves = 3", 'step 1: "moves" has to be a string'),
        (STEP + "then = ['b']", "step a: there is no step 'b'"),
        (STEP + "then = ['a']", "step a follows itself"),
        (STEP + STEP, "two steps have this name"),
        (STEP + "around = 'U'", "around needs algorithms"),
        (STEP + "moves = 'U'\nalgorithms = ['R']", "cannot be combined"),
        ("[[step", "Expected"),
    ],
)
def test_faults_of_a_file_are_named_with_their_place(text: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_steps(text, "own.toml")
    assert "own.toml: " in str(caught.value) and words in str(caught.value)


def test_faults_of_goals_name_their_step(cube3: Solver) -> None:
    for step, words in [
        (GoalStep("one", "crss"), "step one of own: .*has no goal 'crss'"),
        (GoalStep("one", "cross", moves="Q"), "step one of own: .*'Q'"),
        (GoalStep("one", "cross", algorithms=("R Q",)), "step one of own: .*'Q'"),
    ]:
        with pytest.raises(UsageError, match=words):
            solve_in_steps(cube3, "R", StepMethod("own", "", (step,)))
    with pytest.raises(DeclarationError, match="no steps"):
        StepMethod("own", "", ())


@pytest.mark.slow
def test_the_whole_time_limit_is_told() -> None:
    with pytest.raises(NoSolutionError, match=r"within 1e-09 s was found \(searched last: face\)"):
        solve_in_steps(puzzlekit.load("cube2"), "R U2 F' R2 U F2 R' U F", timeout=1e-9)


@pytest.mark.slow
def test_the_command(tmp_path: Path) -> None:
    found = run("cube2", "R U F2")
    assert found.exit_code == 0 and "solved after" in found.output
    assert run("cube2", "R U F2", "--timeout", "60").output == found.output
    assert "ortega" in run("-p", "cube2", "--list").output
    path = tmp_path / "own.toml"
    path.write_text("[[step]]\nname = 'face'\ngoal = 'oriented:layer:D within:layer:D'\n")
    found = run("-p", "cube2", "R U F", "--method", str(path))
    assert found.exit_code == 0 and "the puzzle is not solved" in found.output
    record = json.loads(run("-p", "cube2", "R U F2", "--json").stdout)
    schema = Path(puzzlekit_steps.__file__).parent / "steps.schema.json"
    jsonschema.validate(record, json.loads(schema.read_text(encoding="utf-8")))
    assert record["solved"] and record["method"] == "ortega"
    path.write_text("[[step]]\nname = 'up'\ngoal = 'solved:URF'\nalgorithms = ['R U']\n")
    assert run("-p", "cube2", "F", "--method", str(path)).exit_code == 1
    for line in (
        ["-p", "cube2"],
        ["-p", "cube2", "R", "--method", "nothing"],
        ["-p", "cube2", "R", "--method", "nothing.toml"],
        ["-p", "cube2", "R", "--together", "0"],
        ["-p", "cube2", "R", "--colours", "R"],
        ["-p", "cube2", "R", "--metric", "nothing"],
        ["-p", "cube2", "R", "--json", "--explain"],
        ["-p", "skewb", "R"],
        ["-p", "skewb", "--list"],
    ):
        found = run(*line)
        assert found.exit_code == 2 and "error: " in found.output, line


@pytest.mark.slow
def test_the_object_that_is_printed() -> None:
    schema = schema_of("steps", "puzzlekit_steps")
    assert printed(schema, "steps", "-p", "cube2", "R U F")["schema"] == "puzzlekit.steps/1"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("solve", "--method", "CFOP"), "'puzzlekit steps --method cfop'"),
        (("solve", "--method", "LBL"), "'puzzlekit steps --method beginner'"),
        (("solve", "--goal", "croos"), "'croos' (did you mean cross?); its goals"),
        (("steps", "--method", "rouxx"), "'rouxx' (did you mean roux?); it has"),
        (("steps", "--method", "F2L"), "'puzzlekit solve --goal f2l' goes as far as that"),
        (("steps", "--method", "LBL"), "'LBL' (did you mean beginner?); it has"),
        (("steps", "--list"), "--list prints the methods only"),
    ],
)
def test_names_that_are_nearly_right(arguments: tuple[str, ...], said: str) -> None:
    found = CliRunner().invoke(main, [*arguments, "--puzzle", "cube3", "R"])
    assert found.exit_code == 2 and said in found.stderr


def test_puzzles_with_step_methods_are_named_where_one_has_none() -> None:
    for arguments in (("R U",), ("--list",)):
        found = run("--puzzle", "skewb", *arguments)
        assert found.exit_code == 2
        assert "skewb has no step methods; puzzles with some: cube2, cube3, cube4" in found.stderr
