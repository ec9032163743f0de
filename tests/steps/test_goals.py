"""Goals: exact distributions, shortest answers, alternatives, and what is verified."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from random import Random

import attrs
import pytest
from click.testing import CliRunner

import puzzlekit
from puzzlekit import Move, NoSolutionError, Puzzle, Solver, TableStore, UsageError
from puzzlekit.cli import main
from puzzlekit.cli.answers import aim
from puzzlekit.engine.ranks import MAX_COORDINATES
from puzzlekit.engine.space import MAX_TABLES
from puzzlekit_steps import Goal, Joined, Oriented, Placed, Solved, Within
from puzzlekit_steps.goal import Condition, alternatives
from puzzlekit_steps.goal_method import derive_goal
from puzzlekit_steps.goal_text import Goals, read_stickers


@pytest.fixture(scope="module")
def cube2() -> Solver:
    return puzzlekit.load("cube2")


@pytest.fixture(scope="module")
def cube3() -> Solver:
    return puzzlekit.load("cube3")


def of_goal(solver: Solver, goal: str) -> Solver:
    """A solver whose only method reaches a goal of the puzzle."""
    moves = solver.puzzle.family_moves("URFDLB")
    fixed = solver.method().fixed
    method = derive_goal(solver.puzzle, solver.goal(goal), moves, fixed=fixed)
    return Solver(solver.puzzle, [method], solver.store)


# Each goal with a plain function that says whether a state of cube2 is at it, for U, R and F.
CORNERS = ["ULB", "UBR", "URF", "UFL", "DBL", "DRB", "DFR", "DLF"]


def _at(state: bytes, name: str, turn: int | None = 0) -> bool:
    i = CORNERS.index(name)
    return state[i] == i and (turn is None or state[8 + i] == turn)


def _turned(state: bytes, name: str) -> list[bytes]:
    puzzle = puzzlekit.load("cube2").puzzle
    return [state, *(puzzle.apply(state, [move]) for move in puzzle.family_moves([name]))]


def _held(state: bytes) -> list[bytes]:
    puzzle = puzzlekit.load("cube2").puzzle
    words = ("", "x", "x2", "x'", "z", "z'")
    return [
        puzzle.apply(state, puzzle.moves(f"{one} {other}"))
        for one in words
        for other in ("", "y", "y2", "y'")
    ]


PLAIN: dict[str, Callable[[bytes], bool]] = {
    "solved:DFR,DLF": lambda s: _at(s, "DFR") and _at(s, "DLF"),
    "placed:layer:D": lambda s: all(_at(s, n, None) for n in ["DBL", "DRB", "DFR", "DLF"]),
    "oriented:corners": lambda s: not any(s[8:]),
    "within:ULB,UBR=layer:U": lambda s: {s.index(0), s.index(1)} <= {0, 1, 2, 3},
    "each-solvable-by:U,R2": lambda s: _at(s, "DLF") and _at(s, "DBL") and not any(s[8:]),
    "solved:DFR or placed:ULB,UFL": lambda s: (
        _at(s, "DFR") or (_at(s, "ULB", None) and _at(s, "UFL", None))
    ),
    # U keeps the set of these pieces, so the search starts from several states.
    "solved:ULB,UBR,URF,UFL up-to:U": lambda s: any(
        all(_at(each, n) for n in CORNERS[:4]) for each in _turned(s, "U")
    ),
    # Here the coordinates get more goals, and answers are tested.
    "solved:URF placed:UBR,UFL up-to:U": lambda s: any(
        _at(each, "URF") and _at(each, "UBR", None) and _at(each, "UFL", None)
        for each in _turned(s, "U")
    ),
    "solved:DFR,URF up-to:R": lambda s: any(
        _at(each, "DFR") and _at(each, "URF") for each in _turned(s, "R")
    ),
    "joined:DFR,DLF,DBL": lambda s: any(
        all(_at(each, n) for n in ("DFR", "DLF", "DBL")) for each in _held(s)
    ),
}


@pytest.mark.parametrize("text", PLAIN)
def test_answers_are_as_short_as_a_plain_search_says(cube2: Solver, text: str) -> None:
    puzzle = cube2.puzzle
    moves = puzzle.family_moves("URF")
    rng = Random(text)
    goal = cube2.goal(text)
    for _ in range(12):
        state = puzzle.apply(puzzle.solved, rng.choices(moves, k=rng.randrange(7)))
        assert (goal.reached(puzzle, state) is not None) == PLAIN[text](state)
        # All states within the distance of the answer, and no nearer one at the goal.
        answer = cube2.solve(state, goal=text)
        seen, fresh, depth = {state}, {state}, 0
        while not any(map(PLAIN[text], fresh)):
            fresh = {puzzle.apply(each, [move]) for each in fresh for move in moves} - seen
            seen |= fresh
            depth += 1
        assert answer.cost == depth and answer.optimal and answer.verified


def test_a_state_up_to_some_moves_needs_no_moves(cube3: Solver) -> None:
    # Up to a turn of D, a cross that is only turned needs no moves.
    assert cube3.solve("D2", goal="cross up-to:D").cost == 0
    assert cube3.solve("U F", goal="solved:UF,UR,UB,UL up-to:U").cost == 1
    assert cube3.solve("D", goal="joined:DFR,FR").cost == 1


def test_all_shortest_answers_are_listed(cube3: Solver) -> None:
    puzzle = cube3.puzzle
    moves = puzzle.family_moves("URFDLB")
    state = cube3.state("F R D2 L")
    found = list(cube3.shortest(state, goal="cross"))
    length = found[0].cost
    crossed = Solved("DF DR DB DL").test(puzzle)
    plain = {
        puzzle.apply(state, path)
        for path in product(moves, repeat=length)
        if length <= 3 and crossed(puzzle.apply(state, path))
    }
    assert len({each.moves for each in found}) == len(found)
    ends = {puzzle.apply(state, each.sequence) for each in found}
    assert all(map(crossed, ends)) and (length > 3 or ends == plain)
    longer = list(cube3.solutions(state, goal="cross", max_length=length + 1))
    assert len(longer) > len(found) == sum(each.cost == length for each in longer)


def test_colours_are_the_rotations_that_differ(cube3: Solver) -> None:
    puzzle = cube3.puzzle
    counts = {"cross": 6, "first-block": 24, "eo": 3, "222": 8, "layer:D": 6, "223": 12}
    for name, count in counts.items():
        assert len(alternatives(puzzle, cube3.goal(name, "any"))) == count, name
    assert len(alternatives(puzzle, cube3.goal("cross", "x2"))) == 2
    # An answer after a rotation is an answer as held to the rotated scramble.
    scramble = "R U F2 D L B' R2 U2 F"
    best = cube3.solve(scramble, goal="cross", colours="any")
    turns = [("", ""), ("x", "x'"), ("x2", "x2"), ("x'", "x"), ("z", "z'"), ("z'", "z")]
    lengths = [cube3.solve(f"{back} {scramble} {turn}", goal="cross").cost for turn, back in turns]
    assert best.cost == min(lengths)
    assert {each.goal_after for each in cube3.shortest(scramble, goal="cross", colours="any")}


def test_the_puzzle_may_be_held_otherwise(cube3: Solver) -> None:
    assert cube3.solve("x y2", goal="cross").cost == 0
    answer = cube3.solve("x R U F2 D", goal="cross")
    assert answer.cost == cube3.solve("x R U F2 D", goal="cross", max_length=9).cost


@pytest.mark.slow
def test_other_moves_and_other_states(cube3: Solver) -> None:
    answer = cube3.solve("R U R' U' R2 U", moves="R,U")
    assert {name[0] for name in answer.moves} <= {"R", "U"} and answer.goal == "solved"
    # R and U do not carry F away, and reach only 120 of 720 orders of their corners.
    for scramble in ("F", "R U R' U' R' F R2 U' R' U' R U R' F'"):
        with pytest.raises(NoSolutionError, match="do not reach the goal"):
            cube3.solve(scramble, moves="R,U")
    cube2 = puzzlekit.load("cube2")
    answer = cube2.solve("R U F2", target="x R2 F D")
    there = cube2.puzzle.apply(cube2.state("R U F2"), answer.sequence)
    assert cube2.puzzle.is_solved(cube2.puzzle.relabel_to(there, cube2.state("x R2 F D")))
    assert answer.goal == "state" and answer.optimal
    assert cube3.solve("R U", goal="cross", target="R U").cost == 0


def test_the_blank_may_be_elsewhere_in_the_goal_state() -> None:
    solver = puzzlekit.load("tiles-2x3")
    puzzle, moves = solver.puzzle, solver.method().allowed(solver.puzzle)
    homes = set()
    for seed in range(12):
        start, target = solver.random_state(seed), solver.random_state(seed + 12)
        distance, level, known = 0, {start}, {start}
        while target not in level:
            level = {
                puzzle.apply(state, [move])
                for state in level
                for move in moves
                if move.guard_before == puzzle.place_of_guard(state)
            } - known
            known |= level
            distance += 1
        found = solver.solve(start, target=target)
        assert puzzle.apply(start, found.sequence) == target
        home = 5 in (puzzle.place_of_guard(start), puzzle.place_of_guard(target))
        assert found.optimal == home and 0 <= found.cost - distance <= (0 if home else 6)
        homes.add(home)
    assert homes == {False, True}


@pytest.mark.parametrize("target", ["U", "x R Dw2 y", "Rw2 Lw2 U"])
def test_another_state_of_alike_pieces_takes_the_place_of_the_solved_one(target: str) -> None:
    puzzle = puzzlekit.load("cube4").puzzle
    state, end = (puzzle.apply(puzzle.solved, puzzle.moves(text)) for text in ("R Fw U", target))
    if target.startswith("x"):
        with pytest.raises(UsageError, match="some centers of cube4 are alike, and in the goal"):
            puzzle.relabel_to(state, end)
        return
    seen = puzzle.relabel_to(state, end)
    assert puzzle.relabel_to(end, end) == puzzle.solved
    # Moves that undo the scramble and lead to the target solve the renamed state.
    there = (*puzzle.undo(puzzle.moves("R Fw U")), *puzzle.moves(target))
    assert puzzle.apply(seen, there) == puzzle.solved


CARRIED = [  # a puzzle, a scramble, moves that carry its centers, a goal, and the answer
    ("cube3", "M", "M", None, "M'"),
    ("cube3", "x E", "E", None, "E'"),
    ("cube3", "S R", "S,R", None, "R' S'"),
    ("cube3", "Rw", "R,U2,Rw", None, "Rw'"),
    ("cube3", "x M", "M", "cross", "M'"),
    ("cube3", "M", "M", "solved:UL", "M'"),
    ("cube3", "M U", "M,U", "solved:corners up-to:M", "U'"),
    ("cube3", "M", None, "solvable-by:M,U", ""),
    ("cube3", "M F", None, "solvable-by:M,U", "F'"),
    ("cube3", "M", None, "each-solvable-by:M,U", ""),
    ("cube3", "R L'", None, "solved:UR,UL up-to:M", ""),
    ("cube2", "R", None, "solvable-by:L", ""),
    ("cube2", "F", "F", None, "F'"),
    ("cube5", "3Rw", "3Rw", None, "3Rw'"),
    ("cube7", "M", "M", None, "M'"),
    ("supercube3", "M", "M", None, "M'"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "scramble", "moves", "goal", "answer"), CARRIED)
def test_moves_may_carry_the_centers(
    name: str, scramble: str, moves: str | None, goal: str | None, answer: str
) -> None:
    solver = puzzlekit.load(name)
    found = solver.solve(scramble, moves=moves, goal=goal)
    assert str(found) == answer and found.optimal
    every = [str(each) for each in solver.shortest(scramble, moves=moves, goal=goal)]
    assert answer in every or not answer


def nearest(
    puzzle: Puzzle, state: bytes, moves: list[Move], is_goal: Callable[[bytes], bool]
) -> int | None:
    """The number of moves to the nearest state at a goal, by a plain search."""
    seen, fresh, depth = {state}, {state}, 0
    while fresh:
        if any(map(is_goal, fresh)):
            return depth
        fresh = {puzzle.apply(each, [move]) for each in fresh for move in moves} - seen
        seen |= fresh
        depth += 1
    return None


@pytest.mark.parametrize("moves", ["M", "M,E2", "M2,U2", "Rw", "Rw2,Uw2"])
def test_every_state_that_such_moves_reach_is_solved(cube3: Solver, moves: str) -> None:
    puzzle = cube3.puzzle
    allowed = [
        move
        for name in moves.split(",")
        for move in (puzzle.family_moves([name]) if name in puzzle.turns else puzzle.moves(name))
    ]
    states = [puzzle.solved]
    for state in states:  # grows during the loop
        for move in allowed:
            after = puzzle.apply(state, [move])
            if after not in states:
                states.append(after)
    metric = "STM" if moves[0] == "M" else "HTM"
    assert len(states) < 100
    for state in states:
        found = cube3.solve(state, moves=moves, metric=metric)
        assert found.cost == nearest(puzzle, state, allowed, puzzle.is_solved)


@pytest.mark.slow
def test_moves_from_the_middle_layer_and_the_top_are_as_few_as_possible(cube3: Solver) -> None:
    puzzle = cube3.puzzle
    moves = [*puzzle.family_moves("MU")]
    rng = Random(45)
    for length in (2, 3, 3, 4, 4, 4):
        state = puzzle.apply(puzzle.solved, rng.choices(moves, k=length))
        found = cube3.solve(state, moves="M,U", metric="STM")
        assert found.optimal
        assert found.cost == nearest(puzzle, state, moves, puzzle.is_solved)


ELSEWHERE = [  # pieces of the goal are where the allowed moves do not connect places with home
    ("cube3", "R U'", "within:UF,UR=layer:U", "F,B", "B"),
    ("cube3", "R' D' R2", "joined:DFR,FR", "U,R", "R2"),
    ("cube3", "U F", "oriented:UF,UR", "F,B", "F"),
    ("cube3", "U2 R", "solvable-by:U,F", "R,D", "R'"),
    ("cube4", "Rw", "solved:Ubr", "U", "U"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "scramble", "goal", "moves", "answer"), ELSEWHERE)
def test_pieces_may_be_outside_the_places_of_the_moves(
    name: str, scramble: str, goal: str, moves: str, answer: str
) -> None:
    assert str(puzzlekit.load(name).solve(scramble, goal=goal, moves=moves)) == answer


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "goal", "moves", "others"),
    [
        ("cube3", "within:UF,UR=layer:U", "F,B", "RUF"),
        ("cube3", "oriented:UF,UR,DFR", "F,B", "RUF"),
        ("cube3", "joined:DFR,FR", "R,L", "RUD"),
        ("cube3", "placed:UF,UL within:corners=layer:U,layer:D", "L2,F2", "LFU"),
        ("cube2", "within:URF,UFL=layer:D oriented:UBR", "U,F2", "URF"),
        ("cube2", "each-solvable-by:U2,R2", "U,F2", "URF"),
        ("cube2", "solvable-by:U,D", "F,B", "UDFB"),
        ("pyraminx", "oriented:edges", "U", "ULRB"),
        ("skewb", "placed:centers", "R", "RULB"),
    ],
)
def test_a_goal_out_of_reach_is_proven_so_and_no_other(
    name: str, goal: str, moves: str, others: str
) -> None:
    solver = puzzlekit.load(name)
    puzzle = solver.puzzle
    allowed = [
        move
        for word in moves.split(",")
        for move in (puzzle.family_moves([word]) if word in puzzle.turns else puzzle.moves(word))
    ]
    rng = Random(goal)
    chain = solver.prepared()
    wanted = solver.goal(goal)
    for _ in range(12):
        sequence = rng.choices(puzzle.family_moves(others), k=rng.randint(1, 4))
        state = puzzle.apply(puzzle.solved, sequence)

        def is_goal(state: bytes) -> bool:
            return wanted.reached(puzzle, chain.normal(state)) is not None

        least = nearest(puzzle, state, allowed, is_goal)
        if least is None:
            with pytest.raises(NoSolutionError, match="do not reach the goal") as caught:
                solver.solve(state, goal=goal, moves=moves)
            assert caught.value.proven
        else:
            found = solver.solve(state, goal=goal, moves=moves)
            assert found.optimal and found.cost == least


def test_searches_that_would_never_end_are_proven_to_find_nothing(cube3: Solver) -> None:
    exchanged = "R U R' U' R' F R2 U' R' U' R U R' F'"
    for scramble, goal, moves in (
        ("U F", "oriented:layer:U", "U,R"),  # an edge is flipped, and no move flips edges
        ("F R U", "oriented:corners", "U,R"),
        (exchanged, "solved:corners,edges", "U,R"),
        ("R", "solved:UF placed:corners", "U,D"),
    ):
        with pytest.raises(NoSolutionError, match="do not reach the goal") as caught:
            cube3.solve(scramble, goal=goal, moves=moves, timeout=60)
        assert caught.value.proven, scramble


def test_a_stranger_adds_a_kind(cube2: Solver) -> None:
    @attrs.frozen
    class Untouched(Condition):
        word = "untouched"
        pieces: str

        @property
        def words(self) -> str:
            return f"{self.pieces} untouched"

        def test(self, puzzle: Puzzle) -> Callable[[bytes], bool]:
            return Solved(self.pieces).test(puzzle)

    answer = cube2.solve("R U", goal="untouched:URF")  # without coordinates of its own
    assert answer.cost == cube2.solve("R U", goal="solved:URF").cost > 0


def test_errors_name_the_fault(cube3: Solver) -> None:
    for text, words in {
        "crss": "has no goal 'crss'",
        "solved:XY": "has no piece 'XY'",
        "within:edges=UF": "places UF are fewer than the pieces edges, .* name more places",
        "layer:Q": "has no face 'Q'",
        "cross up-to:Q": "'Q'",
        "": "empty",
    }.items():
        with pytest.raises(puzzlekit.PuzzlekitError, match=words):
            cube3.goal(text)
    with pytest.raises(UsageError, match="not a rotation"):
        cube3.goal("cross", colours="R")
    with pytest.raises(UsageError, match="derived"):
        cube3.solve("R", goal="cross", method="optimal")
    with pytest.raises(UsageError, match="without a goal"):
        cube3.solve("R", colours="any")
    with pytest.raises(UsageError, match="not always possible"):
        puzzlekit.load("eight").solve("L U", goal="piece:1")


@pytest.mark.parametrize("name", ["cube2", "cube3", "pyraminx", "skewb", "fto", "cube4"])
def test_the_named_goals_hold_when_the_puzzle_is_solved(name: str) -> None:
    solver = puzzlekit.load(name)
    for goal in solver.catalogue.goals.values():
        assert goal.reached(solver.puzzle, solver.puzzle.solved) is not None
        assert goal.words and solver.goal(goal.name) is goal


def test_conditions_are_kept_by_turns_of_their_pieces(cube3: Solver) -> None:
    (up,), (front,) = cube3.puzzle.moves("U"), cube3.puzzle.moves("F")
    cases = [
        (Solved("layer:U"), True, False),
        (Placed("corners"), True, True),
        (Oriented("edges"), True, False),
        (Within("layer:U"), True, False),
        (Joined("UF UR"), False, False),
    ]
    for condition, under_up, under_front in cases:
        assert condition.is_kept(cube3.puzzle, up.effect) is under_up, condition
        assert condition.is_kept(cube3.puzzle, front.effect) is under_front, condition


@pytest.mark.slow
def test_goals_on_the_command_line() -> None:
    run = CliRunner().invoke
    found = run(main, ["solve", "-p", "cube3", "F D2", "--goal", "cross"])
    assert found.exit_code == 0 and "cross solved in 2: the four edges" in found.output
    found = run(main, ["solve", "-p", "cube3", "F", "--goal", "cross colours:any", "--json"])
    record = json.loads(found.stdout)
    assert record["goal"]["name"] == "cross" and record["length"] == 0
    assert record["goal"]["after"]
    found = run(main, ["solve", "-p", "cube2", "F", "--json"])
    assert json.loads(found.stdout)["goal"] is None
    found = run(main, ["solve", "-p", "cube2", "F", "--goal", "state:F U"])
    assert found.exit_code == 0 and "the given state, reached in 1" in found.output
    found = run(main, ["solve", "-p", "cube3", "F", "--goal", "nothing"])
    assert found.exit_code == 2 and "its goals are cross" in found.output
    mask = ["--goal", "stickers:" + "WWWW" + "." * 20]
    found = run(main, ["solve", "-p", "cube2", "F", *mask])
    assert found.exit_code == 0 and "stickers solved in 1: the given stickers" in found.output


def test_a_method_with_a_goal_is_tested_against_it(cube3: Solver) -> None:
    goal = Goal("bar", "two edges are solved", (Solved("DF DB"),))
    solver = of_goal(cube3, "cross")
    solver = Solver(cube3.puzzle, [attrs.evolve(solver.methods[0], goal=goal)], cube3.store)
    found = solver.solve("F R2")
    assert found.goal == "bar"


MASK = "......... ....R..R. ....F..F. .D.DDD.D. ....L..L. ....B..B."


@pytest.mark.slow
def test_stickers_state_a_goal(cube3: Solver, cube2: Solver) -> None:
    scramble = "R U F2 D L B' R2 U2"
    goal = read_stickers(cube3.puzzle, MASK)
    masked = {str(each) for each in cube3.shortest(scramble, goal=goal)}
    assert masked == {str(each) for each in cube3.shortest(scramble, goal="cross")}
    # Pieces that can be exchanged, and pieces of which only one sticker is known.
    puzzle, moves = cube2.puzzle, cube2.puzzle.family_moves("URFDLB")
    rng = Random(7)
    for text in ("UUUU" + "." * 20, "U..U.R..F" + "." * 15, "." * 12 + "DDDD" + "....L......."):
        goal = read_stickers(puzzle, text[:24])
        for turns in ("", "x", "y2 z", "x2 y'", "z2"):
            held = puzzle.apply(puzzle.solved, puzzle.moves(turns))
            state = puzzle.apply(held, rng.choices(moves, k=2 if turns else 4))
            fresh, seen, depth = {state}, {state}, 0
            while not any(_shows(cube2, each, text[:24]) for each in fresh):
                fresh = {puzzle.apply(each, [move]) for each in fresh for move in moves} - seen
                seen |= fresh
                depth += 1
            assert cube2.solve(state, goal=goal).cost == depth
    for wrong in ("UUUU", "U?UU" + "." * 20, "UD.." + "." * 20 + "."):
        with pytest.raises(puzzlekit.PuzzlekitError):
            read_stickers(puzzle, wrong)


DOTS = "." * 45
NO_WAY = "do not reach the goal"


@pytest.mark.slow
@pytest.mark.parametrize("symbols", ["WRGYOB", "123456", "abcABC"])
def test_a_goal_means_the_stickers_of_the_position(symbols: str) -> None:
    """The solved 3x3x3 with the second opposite colours on top and below."""
    up, right, front, down, left, back = symbols
    solved = "".join(each * 9 for each in (down, right, back, up, left, front))
    run = CliRunner().invoke
    for letter, said in ((down, "length    0 HTM"), (up, NO_WAY)):
        goal = ["--goal", "stickers:" + letter * 9 + DOTS]
        assert said in run(main, ["solve", "-p", "cube3", solved, *goal]).output
    said = run(main, ["solve", "-p", "cube3", solved, "--goal", f"state:{solved}"]).output
    assert "length    0 HTM" in said


@pytest.mark.slow
@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("moves", ["x", "R U x", "R U M", "R U Rw"])
def test_stickers_of_a_goal_are_those_of_the_puzzle_as_held(size: int, moves: str) -> None:
    if (size == 4 and "M" in moves) or (size == 2 and moves.endswith(("M", "Rw"))):
        return  # no such move
    solver = puzzlekit.load(f"cube{size}")
    mask = "U" * size**2 + "." * (5 * size**2)
    goal = read_stickers(solver.puzzle, mask)
    if size == 3:
        with pytest.raises(NoSolutionError, match=NO_WAY):
            solver.solve(moves, goal=goal)
        found = solver.solve(moves, goal=goal, moves="U,R,F,D,L,B,M", metric="STM")
    else:
        found = solver.solve(moves, goal=goal)
    assert found.cost <= len(moves.split()) + 2 and found.optimal
    end = solver.puzzle.apply(solver.state(moves), solver.puzzle.moves(str(found)))
    assert _shows(solver, end, mask)


def test_what_no_move_changes_is_told_at_once(cube3: Solver) -> None:
    goal = read_stickers(cube3.puzzle, "....D...." + DOTS)
    with pytest.raises(NoSolutionError, match=NO_WAY):
        cube3.solve("R", goal=goal)
    corner = read_stickers(cube3.puzzle, "U" + DOTS + "." * 8)
    with pytest.raises(NoSolutionError, match=NO_WAY):
        cube3.solve("L", goal=corner, moves="R")


def _shows(solver: Solver, state: bytes, text: str) -> bool:
    return all(
        one in (".", other)
        for one, other in zip(text, solver.positions.to_facelets(state), strict=True)
    )


def test_a_search_for_a_goal_says_that_it_may_never_end() -> None:
    choice = puzzlekit.load("cube2").choose(puzzlekit.SearchOptions(goal="oriented:corners"))
    told = "(goal oriented:corners; without --timeout it may never end)"
    assert aim(choice, puzzlekit.Limits()) == told


@pytest.mark.parametrize("goal", ["layer", "state:R U"])
def test_a_random_state_comes_with_a_scramble(goal: str) -> None:
    asked = ("solve", "-p", "cube2", "--goal", goal, "--random", "--seed", "3")
    record = json.loads(CliRunner().invoke(main, [*asked, "--json"]).stdout)
    cube2 = puzzlekit.load("cube2")
    scrambled = cube2.puzzle.apply(cube2.puzzle.solved, cube2.puzzle.moves(record["scramble"]))
    assert scrambled == cube2.random_state(3)


@pytest.mark.slow
def test_searches_for_goals_mark_their_tables(tmp_path: Path) -> None:
    cube2 = puzzlekit.load("cube2")
    solver = Solver(cube2.puzzle, cube2.methods, TableStore(str(tmp_path)))
    solver.solve("R U")
    own = {each.name for each in solver.store.entries()}
    solver.solve("R U", goal="piece:DBL")
    solver.solve("R U", moves="R,U")
    every = {each.name for each in solver.store.entries()}
    removed = {each.name for each in solver.store.clear(for_goals=True)}
    assert removed and removed == every - own
    assert {each.name for each in solver.store.entries()} == own


@pytest.mark.slow
def test_a_goal_of_the_7x7x7_by_all_or_some_of_its_moves() -> None:
    solver = puzzlekit.load("cube7")
    assert solver.solve("3Rw U", goal="solved:UF3r,FU3l").cost == 2
    assert solver.solve("3Rw U", goal="solved:UF3r,FU3l", moves="U,R,Rw,3Rw").cost == 2
    cube = solver.puzzle
    every = [family for family in cube.turns if family not in cube.rotations]
    assert len(cube.family_moves(every)) == 243
    assert solver.solve("3Rw U", goal="solved:UF3r,FU3l", moves=",".join(every)).cost == 1
    moves = cube.family_moves(cube.turns)
    with pytest.raises(UsageError, match=r"at most 256 moves, but cube7 has \d+: name fewer"):
        derive_goal(cube, Goal("one", conditions=(Solved("UF3r"),)), moves + moves)


def test_a_phase_has_no_more_tables_than_the_engine_takes() -> None:
    puzzle = puzzlekit.load("megaminx").puzzle
    moves = puzzle.family_moves(["DBLw", "BRw", "R"])  # 26 coordinates before the smallest go
    (phase,) = derive_goal(puzzle, Goals.solved(puzzle), moves).phases
    assert len(phase.coordinates) == MAX_COORDINATES
    assert len(phase.pruning_tables) == MAX_TABLES


def test_an_empty_goal_is_not_the_solved_puzzle() -> None:
    with pytest.raises(UsageError, match="a goal is empty"):
        puzzlekit.load("cube2").solve("R", goal="")
