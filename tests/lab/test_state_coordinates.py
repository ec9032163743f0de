"""Coordinates of a state by their names, and the way back to the state."""

from __future__ import annotations

import json
from importlib.resources import files
from random import Random

import jsonschema
import pytest
from bundled import every_coordinate
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

import puzzlekit
from puzzlekit import (
    Combination,
    Method,
    Orientation,
    Permutation,
    Phase,
    Solver,
    StateError,
    UsageError,
)
from puzzlekit.cli import main
from puzzlekit.puzzle.move import act
from puzzlekit_lab.named_coordinates import coordinate_values, seen_by

seeds = st.integers(0, 1 << 32)
DETERMINED = [("cube2", "optimal"), ("cube2", "small-tables"), ("cube3", "optimal")]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def held_anyhow(solver: Solver, seed: int) -> bytes:
    """A random state, held in a random way."""
    rng = Random(seed)
    held = rng.choice(solver.puzzle.whole_rotations)
    return act(solver.random_state(rng), *held, solver.puzzle.modulus)


@pytest.mark.slow
@pytest.mark.parametrize(("puzzle", "name"), DETERMINED)
@given(seed=seeds)
def test_there_and_back(puzzle: str, name: str, seed: int) -> None:
    solver = puzzlekit.load(puzzle)
    state = held_anyhow(solver, seed)
    values = solver.catalogue.to_coordinates(state, name)
    assert None not in values.values()
    found = solver.catalogue.from_coordinates(values, name)
    assert found == seen_by(solver.puzzle, solver.method(name), state)
    assert found in {solver.puzzle.relabel(state, held) for held in solver.puzzle.whole_rotations}
    assert solver.catalogue.to_coordinates(found, name) == values
    text = " ".join(f"{key}={value}" for key, value in values.items())
    assert solver.catalogue.from_coordinates(text, name) == found
    assert solver.catalogue.from_coordinates(json.dumps(values), name) == found


@given(seed=seeds)
def test_the_state_is_seen_as_a_chain_sees_it(seed: int) -> None:
    solver = puzzlekit.load("cube2")
    state = held_anyhow(solver, seed)
    chain = solver.prepared("optimal")
    assert seen_by(solver.puzzle, solver.method("optimal"), state) == chain.normal(state)


@given(seed=seeds)
def test_numbers_are_those_of_the_vectors(seed: int) -> None:
    cube = puzzlekit.load("cube3")
    state = cube.random_state(seed)
    vectors = cube.positions.to_vectors(state)
    values = cube.catalogue.to_coordinates(state, "optimal")
    assert list(values)[:3] == ["flip", "slice", "twist"]  # not the number of a class
    assert values["twist"] == int("".join(map(str, vectors["co"][:-1])), 3)
    assert values["flip"] == int("".join(map(str, vectors["eo"][:-1])), 2)
    free = list(range(8))
    rank = 0
    for piece in range(8):  # the factorial number system
        place = free.index(vectors["cp"].index(piece))
        rank = rank * len(free) + place
        del free[place]
    assert values["corners"] == rank


@given(seed=seeds)
def test_later_phases(seed: int) -> None:
    """What follows the first phase is told of where that phase has done its work."""
    cube = puzzlekit.load("cube3")
    names = Random(seed).choices(["U", "D'", "R2", "L2", "F2", "B2", "U2"], k=30)
    state = cube.state(" ".join(names))
    values = cube.catalogue.to_coordinates(state)
    assert [values[name] for name in ("flip", "slice", "twist")] == [0, 0, 0]
    assert None not in values.values()
    assert cube.catalogue.from_coordinates(values) == state
    turned = cube.catalogue.to_coordinates(cube.puzzle.apply(state, cube.puzzle.moves("R")))
    assert turned["middle"] is turned["edges"] is None
    assert turned["corners"] is not None


def test_phases_of_another_puzzle() -> None:
    cube = puzzlekit.load("cube4")
    method = cube.method("six-phase")
    found = coordinate_values(cube.puzzle, method, cube.random_state(1))
    assert {each.value for each in found if each.phase == "finish" and each.name != "corners"} == {
        None
    }
    done = cube.state("U R2 F2 D' L")
    small = puzzlekit.load("cube3")
    values = cube.catalogue.to_coordinates(done, "six-phase")
    expected = small.catalogue.to_coordinates(small.state("U R2 F2 D' L"))
    assert {name: values[name] for name in ("flip", "slice", "twist", "corners")} == {
        name: expected[name] for name in ("flip", "slice", "twist", "corners")
    }
    names = [each.name for each in found]
    assert len(set(names)) == len(names)
    assert {"middle", "finish.middle"} <= set(names)  # of wings, and of the edges that are seen


@pytest.mark.parametrize("name", every_coordinate())
def test_what_a_value_tells_of_each_byte(name: str) -> None:
    coordinate, moves = every_coordinate()[name]
    puzzle = coordinate.puzzle
    rng = Random(name)
    state = puzzle.solved
    for _ in range(60):
        state = puzzle.apply(state, [rng.choice(moves)])
        value = coordinate.rank(state)
        if value >= 0:
            for byte, possible in coordinate.possible(value).items():
                assert state[byte] in possible
    plain = type(coordinate) in (Orientation, Permutation, Combination)
    assert bool(coordinate.possible(coordinate.rank(puzzle.solved))) >= plain


def method_of(*coordinates: puzzlekit.Coordinate) -> Solver:
    cube = puzzlekit.load("cube3").puzzle
    phase = Phase("part", "", "U", coordinates, ())
    return Solver(cube, [Method("parts", "", (phase,), fixed={"centers": "U R F D L B"})])


def test_what_is_left_follows_from_parity() -> None:
    cube = puzzlekit.load("cube3")
    most = " ".join(cube.puzzle.orbit("edges").places[:10])
    solver = method_of(
        Orientation("flip", cube.puzzle, "edges"),
        Orientation("twist", cube.puzzle, "corners"),
        Permutation("corners", cube.puzzle, "corners"),
        Permutation("ten", cube.puzzle, "edges", most),
    )
    for seed in range(10):
        state = cube.random_state(seed)
        assert solver.catalogue.from_coordinates(solver.catalogue.to_coordinates(state)) == state


@pytest.mark.slow
def test_what_is_left_open() -> None:
    cube = puzzlekit.load("cube3")
    solved = cube.catalogue.to_coordinates(cube.puzzle.solved, "optimal")
    with pytest.raises(StateError) as caught:
        cube.catalogue.from_coordinates({**solved, "bottom-edges": None}, "optimal")
    assert caught.value.faults == [
        "the coordinates leave open which piece is at the edge places DB DR DF DL",
        "missing coordinates of optimal: bottom-edges",
    ]
    with pytest.raises(StateError) as caught:
        cube.catalogue.from_coordinates(
            "corners=0 middle-edges=0 top-edges=4360 bottom-edges=8720 flip=0", "optimal"
        )
    corners = " ".join(cube.puzzle.orbit("corners").places)
    assert caught.value.faults[0] == (
        f"the coordinates leave open how the piece is turned at the corner places {corners}"
    )
    assert (
        cube.catalogue.from_coordinates({**solved, "slice": None}, "optimal") == cube.puzzle.solved
    )


@pytest.mark.parametrize(
    ("given", "faults"),
    [
        ("", ["no coordinates are given: optimal has orientation, permutation"]),
        (
            "orientation=729 permutation=-1",
            [
                "coordinate orientation: 729 is not a number from 0 to 728",
                "coordinate permutation: -1 is not a number from 0 to 5,039",
            ],
        ),
        (
            "orientaton=1 permutation=1",
            ["unknown coordinate orientaton: optimal has orientation, permutation "
             "(did you mean orientation?)"],
        ),
        ("orientation=x permutation=1", ["coordinate orientation: 'x' is not a number"]),
        ("permutation=1 orientation", ["coordinate orientation has no value"]),
        ("permutation=1 permutation=2", ["coordinate permutation is given twice"]),
    ],
)  # fmt: skip
def test_what_is_wrong_with_values(given: str, faults: list[str]) -> None:
    with pytest.raises(StateError) as caught:
        puzzlekit.load("cube2").catalogue.from_coordinates(given, "optimal")
    assert caught.value.faults[: len(faults)] == faults


def test_values_that_contradict_each_other() -> None:
    cube = puzzlekit.load("cube3")
    solved = cube.catalogue.to_coordinates(cube.puzzle.solved, "optimal")
    for changed, fault in (
        ({"corners": 1}, "parity: two corners or two edges are exchanged"),
        ({"top-edges": 0}, "no state has these coordinates: they contradict each other"),
        ({"slice": 7}, "no state has these coordinates: they contradict each other"),
    ):
        with pytest.raises(StateError) as caught:
            cube.catalogue.from_coordinates({**solved, **changed}, "optimal")
        assert caught.value.faults == [fault]
    small = puzzlekit.load("cube2")
    values = small.catalogue.to_coordinates(small.state("R U F"), "small-tables")
    assert small.catalogue.from_coordinates({**values, "lower": None}, "small-tables")
    with pytest.raises(StateError):
        small.catalogue.from_coordinates(
            {**values, "lower": (values["lower"] or 0) ^ 1}, "small-tables"
        )


def test_show() -> None:
    found = run("show", "-p", "cube2", "R U F2 x", "--coordinates")
    assert found.exit_code == 0
    lines = found.stdout.splitlines()
    at = lines.index("coordinates of the method optimal")
    assert lines[at + 1].split()[:5] == ["phase", "coordinate", "value", "of", "solved"]
    cube = puzzlekit.load("cube2")
    turned = str(cube.catalogue.to_coordinates(cube.state("R U F2 x"))["orientation"])
    assert lines[at + 2].split()[:5] == ["solve", "orientation", turned, "729", "0"]
    assert "at which of n places each of k pieces sits; pieces ULB UBR URF UFL DRB" in lines[at + 3]
    name, given = lines[-1].split(maxsplit=1)
    assert name == "coordinates"
    shown = run("show", "-p", "cube2", "--state", given, "--coordinates").stdout
    assert shown.splitlines()[-1] == lines[-1]
    solved = run("solve", "-p", "cube2", "--state", given, "--json")
    assert json.loads(solved.stdout)["length"] == 3
    assert "no faults" in run("check", "-p", "cube2", "--state", given).stdout
    other = run("show", "-p", "cube3", "R", "--coordinates").stdout
    assert "- means that the coordinate has no value until an earlier phase is done" in other
    assert other.splitlines()[-1].startswith("coordinates  flip=0 slice=")
    assert "middle" not in other.splitlines()[-1]


def test_json() -> None:
    schema = json.loads((files("puzzlekit.schema") / "show.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    plain = json.loads(run("show", "-p", "cube2", "R", "--json").stdout)
    validator.validate(plain)
    assert "coordinates" not in plain and plain["solved"] is False
    record = json.loads(run("show", "-p", "cube3", "R", "--json", "--coordinates").stdout)
    validator.validate(record)
    assert record["method"] == "two-phase"
    cube = puzzlekit.load("cube3")
    assert {
        each["name"]: each["value"] for each in record["coordinates"]
    } == cube.catalogue.to_coordinates(cube.state("R"))
    assert record["vectors"] == cube.positions.to_vectors(cube.state("R"))
    del record["method"]
    assert not validator.is_valid(record)


@pytest.mark.parametrize(
    ("arguments", "code", "problem"),
    [
        (("solve", "-p", "cube2", "--state", "orientation=1"), 3, "leave open which"),
        (("check", "-p", "cube3", "--state", "flip=1"), 3, "of two-phase: slice, twist"),
        (("show", "-p", "cube2", "R", "--state", "a=1"), 2, "cannot be combined"),
        (("show", "-p", "cube2", "R", "--method", "optimal"), 2, "--method needs"),
        (("show", "-p", "cube3", "R", "--coordinates", "--method", "universal"), 2, "no coord"),
        (("check", "-p", "cube3", "--state", "a=1", "--method", "universal"), 2, "no c"),
        (("show", "-p", "cube2", "R", "--coordinates", "--method", "no"), 2, "no method 'no'"),
        (("check", "-p", "cube2", "--state", "a=1", "--method", "no"), 2, "no method"),
    ],
)
def test_bad_command_lines(arguments: tuple[str, ...], code: int, problem: str) -> None:
    found = run(*arguments)
    assert found.exit_code == code
    assert problem in found.stderr
    assert found.stdout == ""


def test_coordinates_of_a_board_are_read_again() -> None:
    found = run("show", "-p", "eight", "L", "--coordinates")
    given = found.stdout.split("coordinates  ")[-1].strip()
    found = run("show", "-p", "eight", "--state", given, "--json")
    assert json.loads(found.stdout)["state"] == "1 2 3 4 5 6 7 0 8"


def test_what_is_no_state_and_no_coordinates_is_named() -> None:
    cube = puzzlekit.load("cube2")
    for state in (bytes(15), bytes(17)):
        with pytest.raises(StateError, match=f"state of {len(state)} bytes instead of 16"):
            cube.catalogue.to_coordinates(state)
    for values, kind in ((None, "NoneType"), ([1], "list")):
        with pytest.raises(UsageError, match=f"by a text or a mapping, not {kind}"):
            cube.catalogue.from_coordinates(values)  # type: ignore[arg-type]
