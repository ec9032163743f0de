"""Distributions: how many states are at each distance."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from importlib.resources import files
from math import prod
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from bundled import COMPILED
from click.testing import CliRunner, Result
from sym_spaces import CASES, STORE

import puzzlekit
import puzzlekit_definitions
import puzzlekit_lab
from puzzlekit import (
    Combination,
    Method,
    Move,
    Orientation,
    Permutation,
    Phase,
    Puzzle,
    Solver,
    UsageError,
)
from puzzlekit.cli import main
from puzzlekit.puzzle.move import Effect, act
from puzzlekit_lab.distances import find_phase
from puzzlekit_lab.state_space import StateSpace
from puzzlekit_lab.symmetry import SymSpace, class_counts

Counts = dict[str, list[int]]
compiled = pytest.mark.skipif(not COMPILED, reason="takes minutes where nothing is compiled")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ("distribution", *arguments))


@pytest.mark.slow
@pytest.mark.parametrize("method", ["optimal", "small-tables"])
@pytest.mark.parametrize("metric", ["HTM", "QTM"])
def test_cube2(method: str, metric: str, positions_at_depth: Counts) -> None:
    found = puzzlekit_lab.distribution(puzzlekit.load("cube2"), method=method, metric=metric)
    assert list(found.states) == positions_at_depth[f"cube2_{metric.lower()}_3gen"]
    assert found.total * found.orientations == 88_179_840
    assert found.diameter == {"HTM": 11, "QTM": 14}[metric]
    assert found.values == (3_674_160 if method == "optimal" else 3_674_160 * 840 * 210)


@pytest.mark.thorough
@compiled
def test_phase_1_of_cube3_by_classes(positions_at_depth: Counts) -> None:
    cube = puzzlekit.load("cube3")
    found = puzzlekit_lab.distribution(cube, phase="orient", classes=True, memory=180_000_000)
    assert list(found.states) == positions_at_depth["cube3_phase1_htm"]
    assert found.total == found.values == 2_217_093_120
    assert (sum(found.classes), found.symmetries) == (138_639_780, 16)
    made = cube.state(" ".join(found.farthest))
    phase = cube.prepared("two-phase").phases[0]
    assert phase.estimate(cube.puzzle, made) >= 9  # where the small table is cut off
    assert len(found.farthest) == found.diameter == 12
    with pytest.raises(UsageError, match=r"orient: its coordinates have 2,217,093,120 values"):
        puzzlekit_lab.distribution(cube, phase="orient", memory=170_000_000)


@pytest.mark.slow
@compiled
def test_phases_of_cube4() -> None:
    cube = puzzlekit.load("cube4")
    gather = puzzlekit_lab.distribution(cube, phase=0)
    assert (gather.total, gather.values, gather.orientations) == (735_471, 735_471, 1)
    assert gather.method == cube.method().name
    # Of 70**3 columns of centers the moves reach no more than 1,260 together.
    with pytest.raises(UsageError, match="phase reduce: its coordinates have 101,606,400 values"):
        puzzlekit_lab.distribution(cube, method="six-phase", phase="reduce", memory=50_000_000)
    with pytest.raises(UsageError, match="middle is not closed under the moves"):
        puzzlekit_lab.distribution(cube, method="six-phase", phase="pair")


def neighbours(puzzle: Puzzle, states: Sequence[bytes], moves: Sequence[Move]) -> Iterator[bytes]:
    effects = [move.effect for move in moves]
    if not any(any(add) for _, add in effects):  # they turn no piece: no need to add anything
        for state in states:
            padded = state.ljust(256)
            for gather, _ in effects:
                yield gather.translate(padded)
        return
    for state in states:
        for effect in effects:
            yield act(state, *effect, puzzle.modulus)


def searched(puzzle: Puzzle, goals: Sequence[bytes], moves: Sequence[Move]) -> dict[bytes, int]:
    """The distance of every whole state to the nearest goal, each move costing 1, moves undone."""
    undone = [puzzle.inverse(move) for move in moves]
    found = dict.fromkeys(goals, 0)
    fresh = list(found)
    depth = 0
    while fresh:
        depth += 1
        fresh = [each for each in dict.fromkeys(neighbours(puzzle, fresh, undone))
                 if each not in found]  # fmt: skip
        found.update(dict.fromkeys(fresh, depth))
    return found


def histogram(depths: dict[bytes, int]) -> list[int]:
    counts = [0] * (max(depths.values()) + 1)
    for depth in depths.values():
        counts[depth] += 1
    return counts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("puzzle", "moves", "states"),
    [
        ("cube2", "R,U", 29_160),
        ("cube2", "R2 U2 F2", 24),
        ("cube2", "R F2", None),
        ("cube2", "U", 4),
        ("cube2", "U R2'", None),
        ("cube3", "R2,U2", 12),
        ("cube3", "U2 D2 R2 L2", None),
        ("cube3", "R L", 16),
    ],
)
def test_few_moves_against_whole_states(puzzle: str, moves: str, states: int | None) -> None:
    solver = puzzlekit.load(puzzle)
    found = puzzlekit_lab.distribution(solver, method="optimal", moves=moves)
    allowed = [solver.puzzle.moves(name)[0] for name in found.moves]
    depths = searched(solver.puzzle, [solver.puzzle.solved], allowed)
    assert list(found.states) == histogram(depths)
    assert states is None or found.total == states
    assert found.orientations == 1
    assert depths[solver.state(" ".join(found.farthest))] == found.diameter
    assert found.facelets == solver.positions.to_facelets(solver.state(" ".join(found.farthest)))


def test_powers_that_are_powers_of_other_moves_too_are_among_few_moves() -> None:
    """A and B turn three pieces each, and both exchange two others, so A3 is B3."""
    text = "Set S 3 1\nSet T 3 1\nSet U 2 1\nSolved\nEnd\n"
    for name, turned in (("A", "S"), ("B", "T")):
        text += f"Move {name}\n{turned}\n2 3 1\nU\n2 1\nEnd\n"
    solver = puzzlekit_definitions.parse_definition(text, "tws")
    for families in (["A"], ["B"], ["A", "B"]):
        found = puzzlekit_lab.distribution(solver, moves=" ".join(families))
        allowed = solver.puzzle.family_moves(families)
        depths = searched(solver.puzzle, [solver.puzzle.solved], allowed)
        assert list(found.states) == histogram(depths)
    assert puzzlekit_lab.distribution(solver, moves="B3").states == (1, 1)


def test_moves_that_are_not_undone_by_one_of_them() -> None:
    """Distances are those to the goal, not from it."""
    cube = puzzlekit.load("cube2")
    quarter = cube.puzzle.move("U", 1)
    found = puzzlekit_lab.distribution(cube, moves="U1 R2")
    assert found.moves == (quarter.name, "R2")
    depths = searched(cube.puzzle, [cube.puzzle.solved], cube.puzzle.moves("U R2"))
    assert list(found.states) == histogram(depths)
    assert puzzlekit_lab.distribution(cube, moves="U1").states == (1, 1, 1, 1)


@pytest.mark.slow
@pytest.mark.parametrize("goal_moves", ["U2 R2", "U", "R2 U2 F2"])
def test_several_goals(goal_moves: str) -> None:
    """Goals are what every coordinate allows, as far as there are such states."""
    cube = puzzlekit.load("cube2").puzzle
    free = "ULB UBR URF UFL DRB DFR DLF"
    coordinates = (
        Combination("lower", cube, "corners", "DRB DFR DLF", free),
        Permutation("two", cube, "corners", "ULB UBR", free),
        Orientation("orientation", cube, "corners", free),
    )
    phase = Phase("part", "", "U R2 F2", coordinates, ("two",), goal_moves=goal_moves)
    solver = Solver(cube, [Method("parts", "", (phase,), fixed={"corners": "DBL"})])
    found = puzzlekit_lab.distribution(solver)

    def seen(state: bytes) -> tuple[int, ...]:
        return tuple(each.rank(state) for each in coordinates)

    kept = searched(cube, [cube.solved], phase.kept(cube))
    allowed = [{seen(state)[i] for state in kept} for i in range(len(coordinates))]
    every = searched(cube, [cube.solved], [*phase.allowed(cube), *phase.kept(cube)])
    goals = []
    for state in every:
        if all(value in good for value, good in zip(seen(state), allowed, strict=True)):
            goals.append(state)
    at_goal = {seen(state) for state in goals}
    nearest: dict[tuple[int, ...], int] = {}
    for state, depth in searched(cube, goals, phase.allowed(cube)).items():
        nearest[seen(state)] = min(depth, nearest.get(seen(state), depth))
    counts = [0] * (max(nearest.values()) + 1)
    for depth in nearest.values():
        counts[depth] += 1
    assert list(found.states) == counts
    assert len(at_goal) == found.states[0] > 1
    assert nearest[seen(solver.state(" ".join(found.farthest)))] == found.diameter


def test_half_turns_of_cube3() -> None:
    """Known numbers: 663,552 states, at most 15 half turns apart."""
    found = puzzlekit_lab.distribution(
        puzzlekit.load("cube3"), phase="finish", moves="U2 D2 R2 L2 F2 B2"
    )
    assert found.states == (
        1, 6, 27, 120, 519, 1932, 6484, 20310, 55034, 113892, 178495, 179196, 89728, 16176, 1488,
        144,
    )  # fmt: skip
    assert found.values == 39_016_857_600


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["16 symmetries", "quarter turns", "two parts", "6 symmetries", "half of it out of reach",
     "1 symmetry"],
)  # fmt: skip
def test_classes_of_a_sym_coordinate_against_the_plain_product(name: str) -> None:
    case = CASES[name]
    needs = case.phase_needs(case.phase(" ".join(["sym", *(each.name for each in case.partners)])))
    every = range(len(case.allowed))
    assert SymSpace.suits(needs, every) and not SymSpace.suits(needs, every[1:])
    reduced = SymSpace(STORE, needs, 10**8)
    plain = StateSpace(STORE, needs, every, 10**8, 1)
    assert reduced.counts() == plain.counts()
    assert reduced.values == plain.values == case.sym.size * prod(
        each.size for each in case.partners
    )  # fmt: skip
    method = Method("all", "", (needs.phase,))
    counted, order = class_counts(plain, method)
    assert (reduced.class_counts(), reduced.symmetries) == (counted, order)
    for space in (reduced, plain):
        made = case.puzzle.apply(case.puzzle.solved, space.farthest())
        assert case.measure.total(space.farthest()) == len(plain.counts()) - 1
        (entry,) = plain.entries_of([np.array([each.rank(made)]) for each in plain.coordinates])
        assert plain.distance[entry] == len(plain.counts()) - 1


@pytest.mark.slow
def test_farthest_state_of_cube2() -> None:
    cube = puzzlekit.load("cube2")
    for metric in ("HTM", "QTM"):
        found = puzzlekit_lab.distribution(cube, metric=metric)
        solution = cube.solve(" ".join(found.farthest), metric=metric)
        assert solution.cost == found.diameter and solution.optimal
        assert cube.puzzle.metric(metric).total(
            cube.puzzle.moves(" ".join(found.farthest))
        ) == found.diameter  # fmt: skip
        assert cube.positions.from_facelets(found.facelets) == cube.state(" ".join(found.farthest))


def alike(puzzle: Puzzle, state: bytes) -> set[bytes]:
    """A state turned and with its pieces renamed in every way."""
    turned = [act(state, *held, puzzle.modulus) for held in puzzle.whole_rotations]
    return {puzzle.relabel(each, held) for each in turned for held in puzzle.whole_rotations}


def mirrored(puzzle: Puzzle, names: tuple[tuple[str, int], ...]) -> list[Move]:
    (mirror,) = puzzle.reflections[:1]
    return [puzzle.move(mirror[family][0], mirror[family][1] * amount) for family, amount in names]


@pytest.mark.long
def test_classes_of_cube2_against_whole_states() -> None:
    """Turned and renamed in 24 ways each, and mirrored: counted one by one where there are few."""
    cube = puzzlekit.load("cube2").puzzle
    moves = cube.family_moves("URF")
    known: set[bytes] = set()
    fresh: dict[bytes, tuple[tuple[str, int], ...]] = {cube.solved: ()}
    counts = []
    for _ in range(5):
        count = 0
        reached: dict[bytes, tuple[tuple[str, int], ...]] = {}
        for state, done in fresh.items():
            if state in known:
                continue
            count += 1
            known |= alike(cube, state)
            known |= alike(cube, cube.apply(cube.solved, mirrored(cube, done)))
            for move in moves:
                reached.setdefault(act(state, *move.effect, cube.modulus),
                                   (*done, (move.family, move.amount)))  # fmt: skip
        counts.append(count)
        fresh = reached
    found = puzzlekit_lab.distribution(puzzlekit.load("cube2"), moves="U R F", classes=True)
    assert list(found.classes[:5]) == counts == [1, 2, 5, 19, 68]
    assert (sum(found.classes), found.symmetries) == (77_802, 48)


@pytest.mark.slow
def test_classes_by_the_lemma_of_burnside() -> None:
    """As many classes as symmetries leave states where they are, on average."""
    cube = puzzlekit.load("cube2")
    puzzle = cube.puzzle
    found = puzzlekit_lab.distribution(cube, moves="R,U", classes=True)
    kept = list(searched(puzzle, [puzzle.solved], puzzle.family_moves("RU")))
    # The mirror that carries R to U', and the turn that carries R to L (as D' is U) are among them.
    assert found.symmetries == 4

    home = puzzle.orbit("corners").place("DBL")
    renamed_by: dict[tuple[int, int], Effect] = {}  # by the piece at home and how it is turned

    def normal(state: bytes) -> bytes:
        if (state[home], state[home + 8]) not in renamed_by:
            renamed_by[state[home], state[home + 8]] = next(
                held
                for held in puzzle.whole_rotations
                for each in [puzzle.relabel(state, held)]
                if each[home] == puzzle.solved[home] and each[home + 8] == 0
            )
        return puzzle.relabel(state, renamed_by[state[home], state[home + 8]])

    states = set(kept)
    ways = []  # the turns that carry all these states to such states
    for held in puzzle.whole_rotations:
        images = {state: normal(act(state, *held, puzzle.modulus)) for state in kept[:500]}
        if states.issuperset(images.values()):
            ways.append(held)
    fixed = 0
    for held in ways:
        fixed += sum(normal(act(state, *held, puzzle.modulus)) == state for state in kept)
    assert len(ways) == 2 and fixed % 2 == 0
    # Without mirrors there are so many; mirrors put two of them together, but for a few.
    assert fixed // 2 > sum(found.classes) > fixed // 4


@pytest.mark.long
@compiled
def test_classes_of_a_phase_with_few_symmetries() -> None:
    found = puzzlekit_lab.distribution(puzzlekit.load("cube4"), phase="gather", classes=True)
    assert found.symmetries == 2
    assert found.total / 2 < sum(found.classes) < found.total / 2 * 1.01
    assert all(2 * some >= all_ for some, all_ in zip(found.classes, found.states, strict=True))


def test_which_phase_is_meant() -> None:
    cube = puzzlekit.load("cube3")
    assert find_phase(cube, None, "finish")[0].name == "two-phase"
    assert find_phase(cube, None, 1)[1].name == "finish"
    assert find_phase(cube, None, "solve")[0].name == "optimal"
    assert find_phase(cube, "optimal", None)[1].name == "solve"
    for method, phase, problem in (
        ("two-phase", None, "two-phase has several phases: choose one of 0 orient, 1 finish"),
        ("two-phase", "solve", "there is no phase 'solve' in two-phase: 0 orient, 1 finish"),
        (None, "7", "there is no phase '7' in two-phase: 0 orient, 1 finish; optimal: 0 solve"),
    ):
        with pytest.raises(UsageError, match=problem):
            find_phase(cube, method, phase)


@pytest.mark.slow
def test_what_does_not_fit_is_refused() -> None:
    cube = puzzlekit.load("cube3")
    for how, problem in (
        ({}, r"do not fit into the allowed 1,000 MB; two-phase has several phases"),
        ({"phase": "finish"}, "39,016,857,600 values together"),
        ({"method": "optimal", "moves": "R U", "memory": 10**8}, "146,966,400 values together"),
    ):
        with pytest.raises(UsageError, match=problem):
            puzzlekit_lab.distribution(cube, **how)
    with pytest.raises(UsageError, match="3,674,160 values together; their distances do not fit"):
        puzzlekit_lab.distribution(puzzlekit.load("cube2"), memory=3_000_000)


def test_moves_that_the_phase_has_not() -> None:
    cube = puzzlekit.load("cube2")
    with pytest.raises(UsageError, match="D is not a move of the phase solve; its moves are U U2"):
        puzzlekit_lab.distribution(cube, moves="U,D")
    with pytest.raises(UsageError, match="no moves are given"):
        puzzlekit_lab.distribution(cube, moves=" , ")
    with pytest.raises(puzzlekit.NotationError):
        puzzlekit_lab.distribution(cube, moves="Q")
    ring = puzzlekit.load("topspin-7-4")  # its phase has A and A', which also make A2
    found = puzzlekit_lab.distribution(ring, moves="A B")
    assert found.moves == ("A", "A'", "B") and found.total == 360
    with pytest.raises(UsageError, match="A2 is not a move of the phase solve; its moves are A A'"):
        puzzlekit_lab.distribution(ring, moves="A2 B")


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft202012Validator:
    schema = json.loads((files("puzzlekit_lab.schema") / "distribution.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.slow
def test_json(validator: jsonschema.Draft202012Validator) -> None:
    for arguments in ((), ("--moves", "R,U"), ("--classes", "--moves", "R,U2")):
        record = json.loads(run("-p", "cube2", "--json", *arguments).stdout)
        validator.validate(record)
        assert record["total"] == sum(record["states"])
        assert len(record["states"]) == record["diameter"] + 1
        assert record["unreached"] == 3_674_160 - record["total"]
        assert bool(record["classes"]) == bool(record["symmetries"]) == ("--classes" in arguments)
        assert len(record["farthest"]) == record["diameter"]
    del record["mean"]
    assert not validator.is_valid(record)


@pytest.mark.slow
def test_for_people() -> None:
    lines = run("-p", "cube2", "--metric", "qtm").stdout.splitlines()
    assert lines[:2] == [
        "2x2x2 cube, method optimal, phase solve: the cube is solved",
        "moves U U2 U' R R2 R' F F2 F'",
    ]
    assert lines[3].split() == ["QTM", "states", "share"]
    bars = {int(line.split()[0]): line for line in lines[4:19]}
    assert bars[14].split()[:3] == ["14", "276", "0.01%"]
    assert len(bars[11].split()[3]) == 40  # the longest
    assert len(bars[10].split()[3]) == 28
    assert all(len(line.split()) == 4 for line in bars.values())  # none is left without a mark
    told = dict(line.split(maxsplit=1) for line in lines[20:])
    assert told["total"] == "3,674,160 states"
    assert told["held"] == "88,179,840, as the puzzle can be held in 24 ways"
    assert told["largest"] == "14 QTM"
    assert "no state" not in "\n".join(lines)
    few = run("-p", "cube2", "--moves", "R2,U2", "--classes", "--log").stdout
    assert "no state  3,674,154 further values of the coordinates are unreachable" in few
    assert "classes   4 up to 2 symmetries" in few


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("-p", "cube2", "--method", "none"), "cube2 has no method 'none'"),
        (("-p", "cube2", "--metric", "STM"), "no metric 'STM'"),
        (("-p", "cube4", "--metric", "STM", "--phase", "0"), "does not search in STM"),
        (("-p", "cube2", "--phase", "1"), "there is no phase '1' in optimal: 0 solve; small-"),
        (("-p", "cube2", "--memory", "2MB"), "do not fit into the allowed 2 MB"),
        (("-p", "cube2", "--memory", "50kB"), "do not fit into the allowed 50 kB"),
        (("-p", "cube2", "--memory", "5"), "'5' is not an amount of memory such as 500MB"),
        (("-p", "cube2", "--moves", "U,D"), "D is not a move of the phase solve"),
        (
            ("-p", "cube2", "--output", "a.txt"),
            "a.txt: the name of a picture must end in .png, .svg or .pdf",
        ),
        (("-p", "cube2", "--output", "no/where/a.svg"), "the directory no/where does not exist"),
    ],
)
def test_bad_command_lines(arguments: tuple[str, ...], problem: str) -> None:
    found = run(*arguments)
    assert found.exit_code == 2
    assert problem in found.stderr
    assert found.stdout == ""


@pytest.mark.slow
def test_solved_states_that_are_held_in_other_ways_are_named() -> None:
    found = run("2x2x3").stdout
    assert "solved    4 states, since each position counts in 4 holdings" in found
    assert "solved " not in run("cube2").stdout


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    found = run("-p", "cube2", "--output", "a.png")
    assert found.exit_code == 2
    assert "pip install 'permutation-puzzlekit[plot]'" in found.stderr


@pytest.mark.slow
@pytest.mark.parametrize("log", [(), ("--log",)])
def test_pictures(tmp_path: Path, log: tuple[str, ...]) -> None:
    pytest.importorskip("matplotlib")
    for kind, head in ((".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF")):
        path = tmp_path / f"picture{kind}"
        found = run("-p", "cube2", "--moves", "R,U", "--output", str(path), *log)
        assert found.exit_code == 0, found.output
        assert path.read_bytes().startswith(head)
    text = (tmp_path / "picture.svg").read_text()
    for label in ("6,325", "29,160 states, at most 14", "distance (HTM)"):
        assert label in text
    missing = run("-p", "cube2", "--moves", "U", "--output", str(tmp_path / "no" / "a.png"))
    assert missing.exit_code == 2 and "does not exist" in missing.stderr


@pytest.mark.parametrize("name", ["clock", "square1"])
def test_a_puzzle_without_coordinates_is_refused(name: str) -> None:
    found = run(name)
    assert found.exit_code == 2
    assert "optimal has no coordinates, so its states cannot be counted" in found.stderr
