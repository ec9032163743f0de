"""Puzzles cut from solids: numbers of stickers and orders of groups that are known."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from math import factorial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import puzzlekit_definitions
import puzzlekit_lab
from puzzlekit.cli import main
from puzzlekit.errors import DefinitionError
from puzzlekit_puzzlegeometry import cut, load_description

# A description, its stickers, its moves, and the order of its group.
KNOWN = {
    "2x2x2": ("c f 0", 24, 3, 3_674_160),
    "3x3x3": ("c f 0.333333333333333", 54, 6, 43_252_003_274_489_856_000),
    # PuzzleGeometry says of it: 30 stickers, and orbits of 4, 4 and 6 pieces.
    "skewb": ("c v 0", 30, 4, 3_149_280),
    "dino": ("c v 0.577350269189626", 24, 8, 239_500_800),
    "pyraminx": ("t v 0.333333333333333 v 1.66666666666667", 36, 8, 75_582_720),
    # Twelve edges and two sets of twelve triangles, each an even permutation; six corners.
    "fto": ("o f 0.333333333333333", 72, 8, (factorial(12) // 2) ** 3 * factorial(6) // 2 * 2**5),
    "pentultimate": ("d f 0", 72, 6, factorial(12) // 2 * factorial(20) // 2 * 3**19 // 60),
}


def group(moves: Iterable[Sequence[int]]) -> Any:
    from sympy.combinatorics import Permutation, PermutationGroup  # takes a second to import

    return PermutationGroup([Permutation([*each]) for each in moves])


@pytest.mark.slow
@pytest.mark.parametrize("name", KNOWN)
def test_known_puzzles(name: str) -> None:
    description, stickers, moves, order = KNOWN[name]
    made = cut(description)
    assert (len(made.colours), len(made.moves)) == (stickers, moves)
    assert group(made.moves.values()).order() == order


def test_the_megaminx() -> None:
    """Twelve fixed centers, 20 corners with three stickers, 30 edges with two; turns by a fifth."""
    made = cut("d f 0.7")
    assert len(made.colours) == 132 and len(made.moves) == 12
    turns = group(made.moves.values())
    assert {turn.order() for turn in turns.generators} == {5}
    assert sorted(map(len, turns.orbits())) == [*[1] * 12, 60, 60]


@pytest.mark.parametrize("size", range(2, 8))
def test_cubes_have_a_turn_of_every_layer_but_one(size: int) -> None:
    distances = [1 - 2 * k / size for k in range(1, size // 2 + 1)]
    made = cut("c " + " ".join(f"f {each:.15f}" for each in distances))
    assert len(made.colours) == 6 * size**2 and len(made.moves) == 3 * (size - 1)
    for move in made.moves.values():  # a quarter turn
        assert group([move]).order() == 4
    assert {"U", "F", "R"} <= made.moves.keys()


def test_turns_are_clockwise_from_outside() -> None:
    """On a cube with U up and F in front, U carries the stickers of F to L."""
    made = cut("c f 0.333333333333333")
    turned = [made.colours[i] for i in made.moves["U"]]
    changed = {(made.colours[i], turned[i]) for i in range(54) if turned[i] != made.colours[i]}
    assert changed == {("L", "F"), ("B", "L"), ("R", "B"), ("F", "R")}


@pytest.mark.parametrize(
    ("description", "stickers"),
    [
        ("i v 0", 80),  # the icosamate
        ("t e 0", 16),  # the pyramorphix
        ("c e 0.83", 78),  # the curvy copter
        ("d v 0.937962370425399", 132),  # the starminx
        ("c f 0.333333333333333 v 0.9", 198),  # cuts of two kinds
    ],
)
def test_other_puzzles_have_stickers_and_moves_that_are_permutations(
    description: str, stickers: int
) -> None:
    made = cut(description)
    assert len(made.colours) == stickers
    for move in made.moves.values():
        assert sorted(move) == list(range(stickers))


@pytest.mark.slow
def test_a_file_is_a_puzzle(tmp_path: Path) -> None:
    file = tmp_path / "skewb.pg"
    file.write_text("# the Skewb\nc v 0\n", encoding="utf-8")
    solver = load_description(file)
    assert puzzlekit_lab.distribution(solver).total == 3_149_280
    done = CliRunner().invoke(main, ["solve", "--puzzle", str(file), "UFR FRD'"])
    assert done.exit_code == 0 and "(optimal in" in done.output, done.output


def test_the_command_writes_a_definition(tmp_path: Path) -> None:
    file = tmp_path / "cube.json"
    done = CliRunner().invoke(main, ["geometry", "c", "f", "0", "--output", str(file)])
    assert done.exit_code == 0 and not done.output
    assert json.loads(file.read_text("utf-8"))["central_state"] == list(cut("c f 0").colours)
    solver = puzzlekit_definitions.load_definition(file)
    assert solver.solve("U R F2", metric="moves").length == 3
    printed = CliRunner().invoke(main, ["geometry", "c f 0"])
    assert printed.output == file.read_text("utf-8")


@pytest.mark.parametrize(
    ("description", "message"),
    [
        ("", "expected a solid"),
        ("q f 0", "found 'q'"),
        ("c", "expected 1 to 20 cuts"),
        ("c f", "expected 1 to 20 cuts"),
        ("c g 0", "expected a kind of cut"),
        ("c f x", "expected a distance, found 'x'"),
        ("c f nan", "expected a distance"),
        ("c f inf", "expected a distance"),
        ("c f 1", "the cut f 1 cuts off no piece"),
        ("c f 0.3 f 1.5", "the cut f 1.5 cuts off no piece"),
        ("c v 1.8", "cuts off no piece"),
        ("c " + "f 0.1 " * 21, "expected 1 to 20 cuts"),
        pytest.param(
            "c " + " ".join(f"f {0.05 * k:.3f}" for k in range(19)),
            "more than 3,000 stickers",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_faults_of_descriptions_are_named(description: str, message: str) -> None:
    with pytest.raises(DefinitionError, match="description: .*" + message):
        cut(description)


def test_a_wrong_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "wrong.pg"
    file.write_text("c f far", encoding="utf-8")
    done = CliRunner().invoke(main, ["solve", "--puzzle", str(file), "U"])
    assert done.exit_code == 2 and "wrong.pg" in done.stderr and "'far'" in done.stderr


def test_a_distance_may_be_negative_and_an_option_mistyped() -> None:
    asked = CliRunner().invoke(main, ["geometry", "c", "f", "-0.5"])
    assert json.loads(asked.stdout) == json.loads(cut("c f -0.5").to_json())
    refused = CliRunner().invoke(main, ["geometry", "c", "f", "0", "--outptu", "a.json"])
    assert refused.exit_code == 2 and "no such option '--outptu'" in refused.stderr


def test_an_empty_description_on_the_command_line_is_no_internal_error() -> None:
    done = CliRunner().invoke(main, ["geometry", ""])
    assert done.exit_code == 2 and "expected a solid" in done.stderr
