"""Definitions from permutations of stickers: the pieces follow, and answers replay on the file."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlekit_lab
from puzzlekit import StateError
from puzzlekit.cli import main
from puzzlekit.errors import DefinitionError
from puzzlekit.tables.store import TableStore
from puzzlekit_definitions import DefinedSolver, load_definition, parse_definition
from puzzlekit_definitions.permutations import permutation_definition

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "definitions"

# Two rings of 6 beads that cross at two places, as in Santa 2023.
RINGS = {"l": [5, 0, 1, 2, 3, 4, 6, 7, 8, 9], "r": [6, 1, 2, 0, 4, 5, 7, 8, 9, 3]}
BEADS = list("AABABBAABB")
SMALL = {"l": [3, 0, 1, 2, 4, 5], "r": [5, 1, 4, 3, 0, 2]}


def replayed(
    moves: Mapping[str, Sequence[int]], path: Sequence[str], state: list[str]
) -> list[str]:
    """Return the stickers after moves, from the permutations of the file alone."""
    for name in path:
        bare = name.removeprefix("-")
        if name in moves:
            state = [state[j] for j in moves[name]]
        else:
            after = list(state)
            for i, j in enumerate(moves[bare]):
                after[j] = state[i]
            state = after
    return state


def of_json(
    moves: Mapping[str, Sequence[int]], solved: Sequence[str] | None = None
) -> DefinedSolver:
    text = {"generators": moves} | ({} if solved is None else {"central_state": solved})
    return parse_definition(json.dumps(text), "json")


def pyraminx() -> dict[str, list[int]]:
    """The moves of the Pyraminx, as permutations of shuffled stickers."""
    solver = load_definition(EXAMPLES / "pyraminx.tws")
    stickers = [solver.reach._permutation(move) for move in solver.built.invariants.moves]
    new = list(range(len(stickers[0])))
    Random(5).shuffle(new)
    found = {}
    for name, source in zip(solver.puzzle.turns, stickers, strict=True):
        found[name] = [0] * len(new)
        for i, j in enumerate(source):
            found[name][new[i]] = new[j]
    return found


@pytest.mark.slow
def test_pieces_follow_from_stickers() -> None:
    solver = of_json(pyraminx())
    orbits = sorted((orbit.size, orbit.orientations) for orbit in solver.puzzle.orbits)
    assert orbits == [(1, 3)] * 4 + [(6, 2)]
    assert solver.reach.order == 933_120
    assert [metric.name for metric in solver.puzzle.metrics] == ["turns", "moves"]


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6))
def test_answers_replay_on_the_permutations_of_the_file(seed: int) -> None:
    moves = pyraminx()
    solver = of_json(moves)
    scramble = Random(seed).choices([*moves, *(f"-{move}" for move in moves)], k=4)
    solved = [str(i) for i in range(len(moves["U"]))]
    state = replayed(moves, scramble, solved)
    packed = solver.positions.from_written(",".join(state))
    assert solver.positions.written(packed) == ",".join(state)
    path = solver.path(solver.solve(packed, method="universal", timeout=1).moves)
    assert len(path) <= 4
    assert replayed(moves, path, state) == solved


def test_locked_stickers_are_one_piece() -> None:
    # Places 0 to 3 and 4 to 7 always move in the same way: four pieces with two stickers each.
    moves = {"a": [1, 0, 2, 3, 5, 4, 6, 7], "b": [1, 2, 3, 0, 5, 6, 7, 4]}
    definition = permutation_definition("file", "locked", moves, list("AABBCDCD"))
    assert [(of.size, of.orientations) for of in definition.sets] == [(4, 1)]
    assert definition.solved["PIECE0"].pieces == (0, 1, 2, 3)
    solver = of_json(moves, list("AABBCDCD"))
    with pytest.raises(StateError, match="stickers 0, 4 show no piece of the puzzle"):
        solver.positions.from_written("D A B B C D C A")


def test_alike_pieces_and_symmetric_pieces() -> None:
    # Two pieces of three stickers. The colours of the first piece look the same in each rotation.
    moves = {"turn": [1, 2, 0, 4, 5, 3], "swap": [3, 4, 5, 0, 1, 2]}
    solver = of_json(moves, list("AAABCC"))
    state = solver.positions.from_written("C B C A A A")
    assert solver.positions.written(state) == "C,B,C,A,A,A"
    path = solver.path(solver.solve(state).moves)
    assert replayed(moves, path, list("CBCAAA")) == list("AAABCC")


def test_gap_cycles_carry_stickers_forward() -> None:
    solver = parse_definition(
        "M_R:=(1,2,3)(5,6);\nM_L:=(3,4);\nGen:=[\nM_R,M_L\n];\nip:=[[1],[2,4],[3]];\n", "gap"
    )
    assert solver.positions.written(solver.state("R")) == "3,1,2,2,6,5"
    shapes = [(orbit.size, orbit.orientations) for orbit in solver.puzzle.orbits]
    assert shapes == [(4, 1), (1, 2)]
    assert solver.path("R' L R2") == ["-R", "L", "R", "R"]


def info(*puzzles: tuple[str, dict[str, list[int]]]) -> str:
    rows = [f'{name},"{moves}"' for name, moves in puzzles]
    return "\n".join(["puzzle_type,allowed_moves", *rows, ""])


def test_the_table_of_santa(tmp_path: Path) -> None:
    path = tmp_path / "puzzle_info.csv"
    path.write_text(info(("wreath_4/4", SMALL), ("swap", {"f0": [1, 0], "f10": [1, 0]})))
    solver = load_definition(f"{path}#wreath_4/4")
    assert solver.puzzle.name == "wreath_4/4"
    state = replayed(SMALL, ["l", "-r", "l"], [str(i) for i in range(6)])
    found = solver.path(solver.solve(solver.positions.from_written(";".join(state))).moves)
    assert (len(found), replayed(SMALL, found, state)) == (3, [str(i) for i in range(6)])
    with pytest.raises(
        DefinitionError,
        match=r"expected one of its puzzles after .*csv#wreath_4/4; it has wreath_4/4, swap",
    ):
        load_definition(path)
    assert load_definition(f"{path}#swap").puzzle.families == ("0f",)
    ran = CliRunner().invoke(main, ["solve", "--puzzle", f"{path}#wreath_4/4", "l r' l"])
    assert (ran.exit_code, "length    3 turns" in ran.stdout) == (0, True), ran.stdout


def test_names_and_inverses() -> None:
    turn, back, half = [1, 2, 3, 0], [3, 0, 1, 2], [2, 3, 0, 1]
    solver = of_json({"f0": turn, "-f0": back, "f12": [1, 0, 2, 3]})
    assert solver.puzzle.families == ("0f", "12f")
    assert solver.path("0f' 12f 0f2") == ["-f0", "f12", "f0", "f0"]
    assert solver.puzzle.metrics[0].name == "turns"
    powers = of_json({"f": turn, "f'": back, "g": half})
    assert powers.puzzle.metrics[0].name == "moves"
    assert powers.path("f2 f'") == ["g", "f'"]
    odd = of_json({"(1 2)": turn, "x": [1, 0, 2, 3]})
    assert odd.puzzle.families == ("A", "B")
    assert odd.path("A B") == ["(1 2)", "x"]
    with pytest.raises(DefinitionError, match="-f0 is not the inverse of f0, but its name says so"):
        of_json({"f0": turn, "-f0": half})


def test_a_power_may_be_a_move_that_is_another_move_s_power_too() -> None:
    """A and B turn the same three places, and each exchanges two others. C turns the three back."""
    moves = {"A": [1, 2, 0, 4, 3, 5, 6], "B": [1, 2, 0, 3, 4, 6, 5], "C": [2, 0, 1, 3, 4, 5, 6]}
    solver = of_json(moves)
    for family in ("A", "B"):
        costs = [
            solver.puzzle.metric("turns").cost(move) for move in solver.puzzle.turns_of(family)
        ]
        assert costs == [1, 1, 2, 1, 1]
        assert [len(solver.path(f"{family}{i}")) for i in range(1, 6)] == costs
    assert solver.path("B2") == ["C"]
    assert solver.path("B4") == ["-C"]
    assert solver.solve("B4", metric="turns", moves="B").cost == 1


@pytest.mark.parametrize(
    "moves",
    [
        {"A": [1, 2, 3, 4, 5, 0], "B": [3, 4, 5, 0, 1, 2]},
        {"A": [1, 2, 3, 4, 5, 0], "B": [2, 3, 4, 5, 0, 1]},
        {"A": [2, 1, 3, 0, 4], "B": [1, 2, 0, 3, 4], "C": [1, 2, 0, 4, 3]},
        {"A": [0, 3, 2, 1], "B": [0, 1, 2, 3], "C": [1, 3, 0, 2]},
    ],
)
def test_each_move_of_the_file_counts_once(moves: dict[str, list[int]]) -> None:
    """Also if it is a power of another one; the move B of the last puzzle does nothing."""
    solver = of_json(moves)
    every = {f"-{name}": [each.index(i) for i in range(len(each))] for name, each in moves.items()}
    every |= moves
    solved = tuple(range(len(moves["A"])))
    distance = {solved: 0}
    for state in (queue := [solved]):
        for move in every.values():
            if (near := tuple(state[i] for i in move)) not in distance:
                distance[near] = distance[state] + 1
                queue.append(near)
    for state in queue[:: len(queue) // 20 or 1]:
        found = solver.solve(solver.positions.from_written(" ".join(map(str, state))))
        assert (found.metric, found.cost, found.optimal) == ("turns", distance[state], True)
        path = solver.path(found.moves)
        assert len(path) == distance[state]
        for name in path:
            state = tuple(state[i] for i in every[name])
        assert state == solved


@pytest.mark.parametrize(
    ("form", "text", "problem"),
    [
        ("json", '{"generators": {}}', "there is no move"),
        ("json", '{"generators": {"a": [0, 0]}}', "move a: expected each number from 0 to 1 once"),
        ("json", '{"generators": {"a": [0, 2]}}', r"generators.a\[1\]: expected a whole number"),
        ("json", '{"generators": {"a": [0, 1]}}', "no move has an effect"),
        ("json", '{"generators": {"a": [1, 0], "b": [0]}}', "move b: expected each number"),
        ("json", '{"actions": [[1, 0]], "names": []}', "actions: expected an array of 0"),
        (
            "json",
            '{"generators": {"a": [1, 0]}, "central_state": [1]}',
            "the moves permute 2 stickers, but the solved state has 1",
        ),
        ("gap", "nothing", "there is no move"),
        ("gap", "M_A:=(0,1);", "line 1: move A: expected stickers from 1 to 20,000, not 0"),
        ("gap", "M_A:=(1,20001);", "expected stickers from 1 to 20,000, not 20001"),
        ("gap", "M_B:=(1,2);\nM_A:=(1,2,3", "line 2: move A: expected cycles such as"),
        ("gap", "M_A:=(1,2)\nM_B:=(1,3);", "line 1: move A: expected cycles such as"),
        ("gap", "M_A:=(1,2,x);", "line 1: move A: expected cycles such as"),
        ("gap", "M_A:=(1,,2);", "line 1: move A: expected cycles such as"),
        ("gap", "M_A:=(1,2);\nM_A:=(1,3);", "line 2: there is already a move A"),
        (
            "json",
            '{"actions": [[1, 0, 2], [0, 2, 1]], "names": ["a", "a"]}',
            "there are two moves 'a'",
        ),
        ("gap", "M_A:=(1,2);\nip:=[[3]];", "ip names the sticker 3, but the last one is 2"),
        ("gap", "M_A:=(1,2)(2,3);", "line 1: move A: the sticker 2 is there twice"),
        ("gap", f"M_A:=(1,{'9' * 5000});", "line 1: move A: .* not 99999999999999999999\\.\\.\\."),
        ("gap", "M_A:=(1,2\x1c);", "line 1: move A: expected cycles such as"),
        ("gap", "M_A:=(1,\u0662);", "line 1: move A: expected cycles such as"),
        ("gap", "M_A:=(1,2);\nip:=[[1,],[2]];", r"line 2: ip: expected lists of stickers such as"),
        ("gap", "M_A:=(1,2);\nip:=[[1 2]];", r"line 2: ip: expected lists of stickers such as"),
        ("gap", "M_A:=(1,2);\nip:=[[1\x0b2]];", r"line 2: ip: expected lists of stickers such as"),
        ("gap", "M_A:=(1,2);\nip:=[[1],[2]", r"line 2: ip: expected lists of stickers such as"),
        ("gap", "M_A:=(1,2);\nip:=[[1,2],[2]];", "line 2: ip names the sticker 2 twice"),
        ("gap", f"M_A:=(1,2);\nip:=[[{'1' * 5000}]];", "line 2: ip names the sticker 1111"),
        ("csv", "a,b\n", "line 1: expected a table with the columns puzzle_type and"),
        ("csv", "puzzle_type,allowed_moves\na,print(1)\n", "expected a dictionary of lists"),
        ("csv", "puzzle_type,allowed_moves\n", "there is no puzzle"),
        ("csv", "puzzle_type\r,allowed_moves\nx,y", "line 1: expected a table with the columns"),
        ("csv", 'puzzle_type,allowed_moves\nx,"y"\0', "line 2: this is not text in UTF-8"),
        ("csv", 'puzzle_type,allowed_moves\nx,"y', "line 2: this is not a table"),
        ("csv", "puzzle_type,allowed_moves\nx,1\nx,2\n", "line 3: there is already a puzzle x"),
        (
            "csv",
            "puzzle_type,allowed_moves\nx,\"{'a': [1, 0], 'a': [0, 1]}\"\n",
            "puzzle x: there are two moves of one name",
        ),
        ("gap", "R:=(1,2);", "there is no move, such as a line M_R:="),
        ("gap", "M_R:=();", "no move has an effect"),
        ("csv", "allowed_moves,puzzle_type\nx\ny\n", "expected a dictionary of lists"),
        ("csv", "allowed_moves,puzzle_type\nx,\x1b[1m\n", "the name of the puzzle is 1 to"),
        (
            "json",
            '{"generators": {"' + "9" * 5000 + '": [1, 0]}}',
            "the name of a move has up to 60 printable characters, not '99999999999999999999'",
        ),
        ("json", '{"generators": {"a\\u001b": [1, 0]}}', "the name of a move .* not 'a\\?'"),
    ],
)
def test_malformed_files(form: str, text: str, problem: str) -> None:
    with pytest.raises(DefinitionError, match=problem):
        parse_definition(text, form, source="my file")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1 2", "expected the colours of 10 stickers, found 2"),
        ("[1", "this is not an array in JSON"),
        ("[" * 100_000, "this is not an array in JSON"),
        (f"[{'1' * 5000}]", "this is not an array in JSON"),
    ],
)
def test_malformed_states(text: str, problem: str) -> None:
    with pytest.raises(DefinitionError, match=problem):
        of_json(RINGS).positions.from_written(text)


def test_line_ends_of_a_table_are_read_as_such() -> None:
    text = "puzzle_type,allowed_moves\rx,\"{'a': [1, 2, 0]}\"\r"
    assert str(parse_definition(text, "csv").solve("a")) == "a'"
    long = "9" * 30 + "f"  # not spelt with the digits in front, which would look like an amount
    assert of_json({long: [1, 2, 0]}).puzzle.families == ("A",)


def test_a_state_that_no_moves_reach() -> None:
    # Sticker 2 never moves.
    solver = of_json({"a": [1, 0, 2]}, ["A", "B", "C"])
    with pytest.raises(StateError, match="sticker 2 has another colour, but no move changes it"):
        solver.positions.from_written("A B A")


def test_alike_beads(tmp_path: Path) -> None:
    solver = parse_definition(
        json.dumps({"generators": RINGS, "central_state": BEADS}),
        "json",
        store=TableStore(str(tmp_path)),
    )
    for seed in range(5):
        scramble = Random(seed).choices(["l", "r", "-l", "-r"], k=30)
        state = replayed(RINGS, scramble, BEADS)
        path = solver.path(solver.solve(solver.positions.from_written(" ".join(state))).moves)
        assert replayed(RINGS, path, state) == BEADS
    assert puzzlekit_lab.distribution(solver).total == 252


@pytest.mark.slow
def test_the_arena_solves_resumes_and_drops_moves_for_wildcards(tmp_path: Path) -> None:
    (tmp_path / "info.csv").write_text(info(("wreath_4/4", SMALL)))
    solved = list("ABCABC")
    lines = ["id,puzzle_type,solution_state,initial_state,num_wildcards"]
    for number, (path, wildcards) in enumerate([("l r", 0), ("l l r", 0), ("r l", 6)]):
        state = replayed(SMALL, path.split(), solved)
        lines.append(f"{number},wreath_4/4,{';'.join(solved)},{';'.join(state)},{wildcards}")
    (tmp_path / "puzzles.csv").write_text("\n".join([*lines, ""]))
    command = [sys.executable, str(ROOT / "benchmarks" / "arena.py"), "santa", "info.csv"]
    command += ["puzzles.csv", "--output", "out", "--seconds", "1", "--processes", "1"]
    runs = [
        subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert ("1 of 3" in runs[0], "1 of" in runs[1]) == (True, False)
    assert "| wreath_4/4 | 3 | 3 | 5 | 1.7 | ? |" in runs[1]
    submission = (tmp_path / "out" / "submission.csv").read_text().split()
    assert [len(line.split(".")) for line in submission[1:3]] == [2, 3]
    assert submission[0] == "id,moves" and submission[3] == "2,"


def test_the_hours_of_an_arena_are_shared_by_stickers_and_all_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import arena

    clock = 0.0
    monkeypatch.setattr(time, "time", lambda: clock)
    sizes = [600, 300, 100]
    spent = []
    for allowance in arena.allowances(sizes, 0.5, 1):
        spent.append(allowance.now())
        clock += spent[-1]
    assert spent == pytest.approx([1080, 540, 180])  # in proportion
    clock = 0.0
    first, second, last = arena.allowances(sizes, 0.5, 1)
    clock += first.now() + 240  # its preparation is late
    assert second.now() == pytest.approx(480 * 3 / 4)
    clock = 1801.0
    assert last.now() == 1.0
    assert arena.Allowance(8.0).now() == 8.0


@pytest.mark.thorough
def test_the_arena_solves_positions_that_are_kept_here(tmp_path: Path) -> None:
    """The totals cannot be below those of the best known answers, or below the optimum."""
    data = ROOT / "benchmarks" / "data"
    command = [sys.executable, str(ROOT / "benchmarks" / "arena.py")]
    options = ["--seconds", "1", "--processes", "1", "--output", str(tmp_path / "out")]
    files = [str(data / "santa2023" / name) for name in ("puzzle_info.csv", "puzzles.csv")]
    only = ["--only", "cube_2/2/2", "wreath_6/6"]
    run = subprocess.run(
        [*command, "santa", *files, *options, *only], capture_output=True, text=True, check=True
    )
    assert re.search(r"^\| cube_2/2/2 \| 2 \| 2 \| 12 \| 6.0 \| 10.5 \|", run.stdout, re.M)
    assert re.search(r"^\| wreath_6/6 \| 2 \| 2 \| \d+ \| \S+ \| 7.5 \|", run.stdout, re.M)
    files = [str(data / "cayleypy" / f"christophers_jewel.{form}") for form in ("json", "csv")]
    options[-1] = str(tmp_path / "jewel")
    # Tables for the default method would take half a minute.
    jewel = ["--every", "4", "--best", "16.5", "--method", "universal"]
    run = subprocess.run(
        [*command, "cayleypy", *files, *options, *jewel],
        capture_output=True,
        text=True,
        check=True,
    )
    assert re.search(r"^\| christophers_jewel \| 3 \| 3 \|.* 16.5 \|", run.stdout, re.M)
