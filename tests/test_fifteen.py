"""Sliding tiles, against boards of numbers that know nothing of puzzlekit."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import permutations
from random import Random

import numpy as np
import pytest
from bundled import COMPILED
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from tiles import korf, published

import puzzlekit
from puzzlekit import NotationError, Solver, StateError, UsageError
from puzzlekit.cli import main
from puzzlekit.puzzle.layout import Grid
from puzzlekit.puzzle.position import read_position
from puzzlekit_fifteen import SIZES, tiles
from puzzlekit_fifteen.additive import Additive
from puzzlekit_fifteen.heuristics import LinearConflict, Manhattan, WalkingDistance, _walks
from puzzlekit_fifteen.pattern import sliding_distances
from puzzlekit_fifteen.words import in_words

Board = tuple[int, ...]
STEPS = {"U": (-1, 0), "L": (0, -1), "R": (0, 1), "D": (1, 0)}
SMALL = [(2, 2), (2, 3), (3, 2)]
HARD = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"  # the first one of Korf's (1985)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def slid(board: Board, columns: int, way: str) -> Board | None:
    """The board after the blank has gone that way."""
    place = board.index(0)
    down, right = STEPS[way]
    row, column = place // columns + down, place % columns + right
    if not (0 <= row < len(board) // columns and 0 <= column < columns):
        return None
    other = row * columns + column
    changed = list(board)
    changed[place], changed[other] = changed[other], 0
    return tuple(changed)


@cache
def distances(rows: int, columns: int) -> dict[Board, int]:
    """How many moves every board takes."""
    size = rows * columns
    beside = [
        [
            j
            for j in range(size)
            if abs(i % columns - j % columns) + abs(i // columns - j // columns) == 1
        ]
        for i in range(size)
    ]
    solved = (*range(1, size), 0)
    found = {solved: 0}
    fresh = [solved]
    for board in fresh:  # grows while it is gone through
        place = board.index(0)
        for other in beside[place]:
            changed = list(board)
            changed[place], changed[other] = changed[other], 0
            after = tuple(changed)
            if after not in found:
                found[after] = found[board] + 1
                fresh.append(after)
    return found


def text_of(board: Board) -> str:
    return " ".join(map(str, board))


@pytest.mark.parametrize(("rows", "columns"), SMALL)
def test_every_board_of_a_small_puzzle(rows: int, columns: int) -> None:
    solver = puzzlekit.load(f"tiles-{rows}x{columns}")
    true = distances(rows, columns)
    for board, least in true.items():
        found = solver.solve(text_of(board))
        assert (found.cost, found.optimal, found.verified) == (least, True, True)
        for move in found.moves:
            after = slid(board, columns, move)
            assert after is not None
            board = after
        assert board == (*range(1, rows * columns), 0)
    for board in permutations(range(rows * columns)):
        if board not in true:
            with pytest.raises(StateError, match="parity: two tiles are exchanged"):
                solver.solve(text_of(board))


@pytest.mark.slow
def test_eight() -> None:
    solver = puzzlekit.load("eight")
    true = distances(3, 3)
    levels = Counter(true.values())
    assert (len(true), max(levels)) == (181_440, 31)
    boards = sorted(true)
    for board in [*Random(8).sample(boards, 100), *(each for each in boards if true[each] > 30)]:
        found = solver.solve(text_of(board))
        assert (found.cost, found.optimal) == (true[board], True)
    assert solver.solve("1 2 3 4 5 6 7 8 0").moves == ()
    states = np.array(boards, dtype=np.uint8)
    walks = WalkingDistance().estimate(solver.puzzle, states, None).astype(int)
    lengths = np.array([true[board] for board in boards])
    assert (walks <= lengths).all() and ((lengths - walks) % 2 == 0).all()
    assert (walks >= Manhattan().estimate(solver.puzzle, states, None)).all()
    for down, right in STEPS.values():
        row, column = states.argmin(1) // 3 + down, states.argmin(1) % 3 + right
        can = (row >= 0) & (row < 3) & (column >= 0) & (column < 3)
        near, other = states[can], (row * 3 + column)[can]
        every = np.arange(len(near))
        near[every, near.argmin(1)], near[every, other] = near[every, other], 0
        after = WalkingDistance().estimate(solver.puzzle, near, None).astype(int)
        assert (abs(after - walks[can]) == 1).all()  # consistent


@pytest.mark.slow
def test_children_come_up_left_right_down_and_none_undoes() -> None:
    solver = puzzlekit.load("eight")
    (phase,) = solver.prepared().phases
    undone = {"U": "D", "D": "U", "L": "R", "R": "L"}
    seen = set()
    for place in range(9):
        waiting = [(place, "")]
        for at, last in waiting:
            allowed = [(phase.moves[move], state) for move, state in phase.automaton[at]]
            here = allowed[0][0].guard_before
            board = tuple([0 if i == here else i + 1 for i in range(9)])
            ways = [way for way in STEPS if slid(board, 3, way) and way != undone.get(last)]
            assert [move.name for move, _ in allowed] == ways
            for move, state in allowed:
                if (state, move.name) not in seen:
                    seen.add((state, move.name))
                    waiting.append((state, move.name))
    assert len(seen) == 24


def test_moves_name_the_way_of_the_blank() -> None:
    puzzle = puzzlekit.load("fifteen").puzzle
    board = (*range(1, 16), 0)
    state = puzzle.solved
    for move in puzzle.moves("L U2 R D' L3 D"):
        after = slid(board, 4, move.name)
        assert after is not None
        board = after
        state = puzzle.apply(state, [move])
        assert tuple(state) == board
    assert [move.name for move in puzzle.moves("(R D)' L2")] == ["U", "L", "L", "L"]
    with pytest.raises(NotationError, match=r"move 2, D, .* in row 4, column 3 \(possible: U L R"):
        puzzle.apply(puzzle.solved, puzzle.moves("L D"))


@given(st.integers(2, 4), st.integers(2, 4), st.randoms(use_true_random=False))
def test_boards_are_read_as_they_are_written(rows: int, columns: int, random: Random) -> None:
    puzzle = tiles(("tiles", "other"), "tiles", rows, columns, first=False)
    solver = Solver(puzzle, puzzlekit.load("eight").methods)
    state = solver.random_state(random)
    text = solver.positions.to_facelets(state)
    assert text == " ".join(map(str, state))
    for spelt in (text, text.replace(" ", ", "), text.replace(" ", "\n"), f" {text} # a comment"):
        assert read_position(puzzle, spelt) == state
    assert solver.positions.from_facelets(text) == state
    swapped = list(state)
    one, other = (place for place, label in enumerate(state) if label in (1, 2))
    swapped[one], swapped[other] = swapped[other], swapped[one]
    with pytest.raises(StateError) as caught:
        solver.positions.from_facelets(text_of(tuple(swapped)))
    (fault,) = caught.value.faults
    assert fault.startswith("parity: two tiles are exchanged: no moves lead here from 1 2 3")


def test_random_boards_are_all_equally_likely() -> None:
    solver = puzzlekit.load("tiles-2x2")
    rng = Random(2)
    drawn = Counter(tuple(solver.random_state(rng)) for _ in range(2400))
    assert drawn.keys() == distances(2, 2).keys()
    assert all(120 < count < 290 for count in drawn.values())  # 200 on average


FAULTS = {
    "1 2 3": ["3 numbers instead of 9"],
    "0 1 2 3 4 5 6 7": ["8 numbers instead of 9", "tile 8 is missing"],
    "0 1 2 3 4 5 6 7 9": ["9 is not a tile: use 0 to 8", "tile 8 is missing"],
    "0 1 2 3 4 5 6 7 x": ["x is not a tile: use 0 to 8", "tile 8 is missing"],
    "0 1 2 3 4 5 6 7 7": [
        "tile 7 is there twice: in row 3, column 2 and in row 3, column 3",
        "tile 8 is missing",
    ],
    "8 1 2 3 4 5 6 7 8": [
        "tile 8 is there twice: in row 1, column 1 and in row 3, column 3",
        "the blank (0) is missing",
    ],
    "0 2 1 3 4 5 6 7 8": [
        "parity: two tiles are exchanged: no moves lead here from 1 2 3 4 5 6 7 8 0 (solved)"
    ],
    "²" + " 1 2 3 4 5 6 7 8": ["² is not a tile: use 0 to 8", "the blank (0) is missing"],
    "": ["0 numbers instead of 9"],
}


@pytest.mark.parametrize("text", FAULTS)
def test_faults_are_named(text: str) -> None:
    with pytest.raises(StateError) as caught:
        puzzlekit.load("eight").positions.from_facelets(text)
    assert caught.value.faults == FAULTS[text]
    found = run("check", "-p", "eight", "--state", text)
    assert found.exit_code == 3
    assert found.stderr.splitlines() == [f"error: {fault}" for fault in FAULTS[text]]


def test_numbers_of_many_digits() -> None:
    solver = puzzlekit.load("eight")
    zeros = "0" * 5000
    assert (
        solver.positions.from_facelets(f"01 2 3 4 5 6 7 {zeros}8 {zeros}") == solver.puzzle.solved
    )
    with pytest.raises(StateError, match=r"9{20} is not a tile"):
        solver.positions.from_facelets(f"{'9' * 5000} 1 2 3 4 5 6 7 8")


@pytest.mark.slow
def test_the_command_line() -> None:
    found = run("solve", "-p", "eight", "1 2 3 4 5 6 0 7 8")
    assert found.exit_code == 0
    assert found.stdout.startswith("  1 2 3\n  4 5 6\n  0 7 8\n\nsolution  R R\n")
    assert run("solve", "-p", "eight", "L2 U", "--state", "0").exit_code == 2
    found = run("solve", "-p", "eight", "L D")
    assert found.exit_code == 2 and "move 2, D, is not possible" in found.stderr
    found = run("verify", "-p", "eight", "--scramble", "L2", "R2")
    assert found.exit_code == 0 and "solved after 2 STM" in found.stdout
    assert run("verify", "-p", "eight", "--scramble", "L2", "R").exit_code == 1
    assert run("verify", "-p", "eight", "--scramble", "L2", "R3").exit_code == 2
    found = run("show", "-p", "eight", "L")
    assert "facelets  1 2 3 4 5 6 7 0 8\nsolved    no" in found.stdout
    first = "fifteen-blank-first"
    assert run("check", "-p", first, HARD).stdout.startswith("no faults: the 15-puzzle with the")
    assert run("show", "-p", first, HARD).stdout.startswith("  14 13 15  7\n  11 12  9  5\n")
    found = run("solve", "-p", "eight", "--state", "1 2 3 4 5 6 7 8 0", "-o", "scheme=western")
    assert found.exit_code == 2 and "give its states by numbers" in found.stderr
    assert run("solve", "-p", "eight", "U L", "--explain").exit_code == 0


def test_all_solutions() -> None:
    found = run("solve", "-p", "tiles-2x2", "L", "--all", "--max-length", "11")
    assert found.stdout.splitlines() == ["R  // 1 STM", f"{'U R D L ' * 2}U R D  // 11 STM"]


@pytest.mark.slow
def test_scrambles_make_boards_that_are_solved_again() -> None:
    found = run("scramble", "-p", "eight", "--count", "5", "--seed", "3")
    assert found.exit_code == 0
    assert run("scramble", "-p", "eight", "--count", "5", "--seed", "3").stdout == found.stdout
    solver = puzzlekit.load("eight")
    for line in found.stdout.splitlines():
        board = tuple(solver.state(line))
        assert distances(3, 3)[board] == solver.solve(line).cost == len(line.split())


def test_the_family() -> None:
    title = "sliding tiles, 2 rows and 4 columns"
    assert puzzlekit.load("tiles-2x4").puzzle.title == title
    first = puzzlekit.load("tiles-2x4-blank-first").puzzle
    assert first.title == f"{title} with the blank first"
    shown = run("puzzles").stdout
    assert "tiles-MxN: sliding tiles, M rows and N columns" in shown and "tiles-3x4" in shown
    for name in ("tiles-1x5", "tiles-5x1", "tiles-2x8", "tiles-999999x9"):
        with pytest.raises(UsageError, match=f"no puzzle '{name}': tiles-MxN have {SIZES}$"):
            puzzlekit.load(name)
    assert puzzlekit.load("15puzzle").puzzle.name == "fifteen"
    for name, side in (("24", 5), ("24-puzzle", 5), ("24puzzle", 5), ("35-puzzle", 6), ("48", 7)):
        with pytest.raises(UsageError, match=f"did you mean tiles-{side}x{side}"):
            puzzlekit.load(name)
    for name in (
        "23-puzzle",
        "tiles-0x3",
        "tiles-03x3",
        "tiles-3x",
        "tiles-3x3x3",
        "tiles-MxN",
        "tiles-٣x٣",
    ):
        with pytest.raises(UsageError, match=r"eight, .*fifteen, .*tiles-MxN \(as tiles-3x4\)"):
            puzzlekit.load(name)


def turned(board: Board) -> Board:
    """A board turned by a half, its tiles numbered anew: the blank is last where it was first."""
    return tuple((len(board) - tile) % len(board) for tile in reversed(board))


@pytest.mark.parametrize(("rows", "columns"), SMALL)
def test_every_board_with_the_blank_first(rows: int, columns: int) -> None:
    solver = puzzlekit.load(f"tiles-{rows}x{columns}-blank-first")
    true = distances(rows, columns)
    for board in permutations(range(rows * columns)):
        if turned(board) in true:
            found = solver.solve(text_of(board))
            assert (found.cost, found.optimal) == (true[turned(board)], True)
            assert text_of(board) == solver.positions.to_facelets(found.state)
        else:
            with pytest.raises(StateError, match="parity: two tiles are exchanged"):
                solver.solve(text_of(board))


@pytest.mark.thorough
def test_a_hard_board() -> None:
    solver = puzzlekit.load("fifteen")
    found = solver.solve(text_of(turned(tuple(map(int, HARD.split())))))
    assert (found.cost, found.optimal, found.verified) == (57, True, True)


FIRST, LAST = text_of(tuple(range(16))), text_of((*range(1, 16), 0))
LOYD = "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0"  # the prize for solving it was never paid


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fifteen", "15-puzzle", "15 Puzzle", "15", "Fifteen puzzle"])
def test_the_board_of_the_shops(name: str) -> None:
    assert run("check", "-p", name, LAST).stdout.startswith(
        "no faults: the 15-puzzle can be in this state and is solved\n"
    )
    assert "solution  R\n" in run("solve", "-p", name, LAST[:-4] + "0 15").stdout


@pytest.mark.parametrize("name", ["eight", "8-puzzle", "8 Puzzle", "8", "Eight puzzle"])
def test_the_small_board_of_the_shops(name: str) -> None:
    assert puzzlekit.load(name).puzzle.name == "eight"
    assert puzzlekit.load(name).positions.to_facelets(puzzlekit.load(name).puzzle.solved)[-1] == "0"


@pytest.mark.parametrize(
    ("puzzle", "board", "goal", "other"),
    [
        ("fifteen-blank-first", LAST, FIRST, f"{LAST} (solved in the puzzle fifteen)"),
        ("fifteen", LOYD, LAST, f"{FIRST} (solved in the puzzle fifteen-blank-first)"),
    ],
)
@pytest.mark.parametrize("command", ["solve", "check"])
def test_a_parity_fault_names_both_goals(
    command: str, puzzle: str, board: str, goal: str, other: str
) -> None:
    found = run(command, "-p", puzzle, board)
    assert found.exit_code == 3
    assert found.stderr.splitlines()[0] == (
        f"error: parity: two tiles are exchanged: no moves lead here from {goal} (solved), but "
        f"they do from {other}"
    )


@pytest.mark.slow
def test_check_says_which_goal_is_meant_and_names_the_other() -> None:
    found = run("check", "-p", "fifteen-blank-first", LOYD).stdout.splitlines()
    assert found == [
        "no faults: the 15-puzzle with the blank first can be in this state",
        f"goal: {FIRST}; fifteen, with the goal {LAST}, cannot be in this state",
    ]
    found = run("check", "-p", "fifteen", LAST).stdout.splitlines()
    assert found == [
        "no faults: the 15-puzzle can be in this state and is solved",
        f"goal: {LAST}; fifteen-blank-first, with the goal {FIRST}, cannot be in this state",
    ]
    # A board of nine places can be brought from one goal to the other.
    found = run("check", "-p", "eight", "0 1 2 3 4 5 6 7 8").stdout.splitlines()
    assert found[1].endswith(
        "eight-blank-first, with the goal 0 1 2 3 4 5 6 7 8, can be in this state too"
    )
    answer = run("solve", "-p", "eight-blank-first", "1 0 2 3 4 5 6 7 8").stdout
    assert "solution  L\n" in answer and "goal      0 1 2 3 4 5 6 7 8\n" in answer


@pytest.mark.parametrize("kinds", [(1, 1), (2,)])
def test_a_grid_is_for_one_orbit_whose_pieces_cannot_be_turned(kinds: tuple[int, ...]) -> None:
    orbits = tuple(
        puzzlekit.Orbit(f"n{number}", "tile", "0 1 2 3", orientations=each)
        for number, each in enumerate(kinds)
    )
    with pytest.raises(puzzlekit.DeclarationError, match="a puzzle with a grid needs one orbit"):
        puzzlekit.Puzzle("square", "four", orbits, {}, (), grid=Grid(2))


@pytest.mark.parametrize("name", ["tiles-2x3", "tiles-3x2", "tiles-2x3-blank-first"])
def test_estimates_that_read_the_board(name: str) -> None:
    puzzle = puzzlekit.load(name).puzzle
    columns = int(name[8])
    solved = tuple(puzzle.solved)
    size = len(solved)
    true = {solved: 0}
    order = [solved]
    for board in order:
        for way in STEPS:
            after = slid(board, columns, way)
            if after is not None and after not in true:
                true[after] = true[board] + 1
                order.append(after)
    lengths = np.array([*true.values()])
    boards = np.array(order, dtype=np.uint8)
    away = Manhattan().estimate(puzzle, boards, None)
    conflicts = LinearConflict().estimate(puzzle, boards, None)
    for board, found in zip(order, away, strict=True):
        tiles = [(board.index(tile), solved.index(tile)) for tile in range(1, size)]
        assert found == sum(
            abs(at // columns - home // columns) + abs(at % columns - home % columns)
            for at, home in tiles
        )
    assert (away <= conflicts).all() and (conflicts <= lengths).all()
    assert ((conflicts - lengths) % 2 == 0).all() and conflicts.sum() > away.sum()
    walks = WalkingDistance().estimate(puzzle, boards, None).astype(int)
    assert (away <= walks).all() and (walks <= lengths).all() and walks.sum() > away.sum()
    number = {board: i for i, board in enumerate(order)}
    for estimates in (conflicts, walks):
        for board, own in zip(order, estimates, strict=True):
            for way in STEPS:
                after = slid(board, columns, way)
                assert after is None or abs(estimates[number[after]] - own) == 1  # consistent


def test_estimates_of_known_boards() -> None:
    puzzle = puzzlekit.load("fifteen-blank-first").puzzle
    boards = np.array([each.tiles for each in korf().values()], dtype=np.uint8)
    away = Manhattan().estimate(puzzle, boards, None)
    assert [*away[:10]] == [41, 43, 41, 42, 42, 36, 30, 32, 32, 43]  # Korf (1985), table I
    three = puzzlekit.load("eight-blank-first").puzzle
    for text, conflicts in (("0 2 1 3 4 5 6 7 8", 1), ("0 1 2 5 4 3 6 7 8", 2)):
        board = np.array([[*map(int, text.split())]], dtype=np.uint8)
        found = LinearConflict().estimate(three, board, None) - Manhattan().estimate(
            three, board, None
        )
        assert [*found] == [2 * conflicts]
    counts, walks = _walks(4, 4, 0)
    assert (len(counts), walks.max()) == (24964, 35)  # Takahashi's table has as many
    large = puzzlekit.load("tiles-5x5").puzzle
    with pytest.raises(UsageError, match="places and 5 rows or columns: its tables for tiles-5x5"):
        WalkingDistance().estimate(large, np.array([[*large.solved]], dtype=np.uint8), None)
    with pytest.raises(UsageError, match="linear-conflict is for sliding tiles, not for cube2"):
        LinearConflict().estimate(puzzlekit.load("cube2").puzzle, boards, None)


@pytest.mark.skipif(not COMPILED, reason="takes too long without a compiler")
def test_nodes_of_korf() -> None:
    solver = puzzlekit.load("fifteen-blank-first")
    boards = published("15-puzzle.txt")
    assert sum(length for _, _, length, _ in boards.values()) == 5305
    easy = [each for each in boards.items() if each[1][3] < 1_000_000]
    for board, (_, distance, length, nodes) in easy:
        found = solver.solve(board, method="manhattan")
        assert (found.cost, found.nodes + 1) == (length, nodes)  # the paper counts the root
        at = np.array([[*solver.state(board)]], dtype=np.uint8)
        assert [*Manhattan().estimate(solver.puzzle, at, None)] == [distance]
    assert len(easy) == 4


def test_instances_of_the_24_puzzle() -> None:
    solver = puzzlekit.load("tiles-5x5-blank-first")
    boards = published("24-puzzle.txt")
    states = [solver.state(board) for board in boards]
    found = LinearConflict().estimate(
        solver.puzzle, np.array([[*state] for state in states], dtype=np.uint8), None
    )
    lengths = np.array([length for _, length, _ in boards.values()])
    assert len(lengths) == 50 and lengths.sum() == 5039  # 100.78 on average
    assert (found <= lengths).all() and ((lengths - found) % 2 == 0).all()


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="takes too long without a compiler")
def test_the_24_puzzle_has_two_large_tables() -> None:
    """Not built here: three tiles each of turned patterns are compared."""
    solver = puzzlekit.load("tiles-5x5-blank-first")
    puzzle, (profile,) = solver.puzzle, solver.method("optimal").larger
    (phase,) = profile.phases
    moves, blank = phase.allowed(puzzle), puzzle.place_of_guard(puzzle.solved)
    parts = {each.name: each for each in phase.coordinates}
    for group in phase.groups:
        tiles = " ".join(table.coordinates for table in group).replace("-", " ").split()
        assert sorted(map(int, tiles)) == [*range(1, 25)]
    alone = set()
    for table in phase.pruning_tables:
        assert isinstance(table, Additive)
        own = [parts[part] for part in table.coordinates.split()]
        alone |= {tuple(own)} if not table.like else set()
        for one, other in zip(own, table.like, strict=bool(table.like)):
            found = [
                sliding_distances([each], moves, [blank], lambda share: None)
                for each in (one, other)
            ]
            assert (found[0] == found[1]).all() and found[0].max() > 8
    assert len(alone) == 2 and len(phase.pruning_tables) == 8


def test_cubes_of_korf() -> None:
    solver = puzzlekit.load("cube3")
    cubes = published("cube3.txt")
    assert len({solver.state(scramble) for scramble in cubes}) == 10
    assert {len(scramble.split()) for scramble in cubes} == {100}
    assert [length for _, length in cubes.values()] == [16, 17, 17, 17] + 6 * [18]


def test_boards_have_the_methods_that_can_run() -> None:
    for name, methods in (
        ("tiles-4x4", ["optimal", "manhattan", "beam"]),
        ("tiles-3x6", ["beam", "optimal"]),
        ("tiles-5x6", ["beam"]),
    ):
        assert [each.name for each in puzzlekit.load(name).methods] == methods


def test_words_say_which_tile_slides_which_way() -> None:
    board = puzzlekit.load("tiles-3x4").puzzle
    ways = {"up": -4, "down": 4, "to the left": -1, "to the right": 1}
    state = board.solved
    for name in ["U", "L", "U", "R", "D", "D", "L", "L", "U", "R"]:
        (move,) = board.moves(name)
        _, tile, way = in_words(move, state, "en").split(" ", 2)
        after = board.apply(state, [move])
        assert after.index(int(tile)) == state.index(int(tile)) + ways[way]
        state = after
    assert in_words(board.moves("R")[0], board.solved, "en") == ""
