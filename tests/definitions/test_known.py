"""The puzzles of plugins are recognised in definitions, whatever these call their moves."""

from __future__ import annotations

import json
import string
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import process_time

import numpy as np
import pytest
from bundled import COMPILED

import puzzlekit
from puzzlekit import NoSolutionError, Puzzle, Solver, TableStore
from puzzlekit.search.options import table_keys
from puzzlekit_definitions import DefinedSolver, parse_definition
from puzzlekit_definitions.known import _alike_sides, _Words, known_puzzle
from puzzlekit_definitions.same import Points, Same


def definition(
    name: str, families: str, lacking: Sequence[str] = (), store: TableStore | None = None
) -> DefinedSolver:
    """Return some moves of a puzzle as a file of permutations, with all stickers in disorder.

    It says nothing of pieces, leaves out the orbits `lacking`, and names moves A, B, C and so on.
    R+F is one move.
    """
    puzzle = puzzlekit.load(name).puzzle
    points = Points(puzzle)
    left_out = {byte for orbit in lacking for byte in bytes_of(puzzle, orbit)}
    kept = [i for i, (label, *_) in enumerate(points.at) if label not in left_out]
    Random(5).shuffle(kept)
    number = {point: i for i, point in enumerate(kept)}
    orbits = [orbit.name for orbit in puzzle.orbits for _ in range(orbit.width)]
    generators = {}
    for letter, family in zip(string.ascii_uppercase, families.split(), strict=False):
        row = np.arange(len(points.at))
        for move in puzzle.moves(family.replace("+", " ")):
            row = row[points.row(*move.effect)]
        generators[letter] = [number[int(row[point])] for point in kept]
    colours = []
    for point in kept:
        label, _, turn = points.at[point]
        colours.append(f"{orbits[label]} {puzzle.solved[label]} {turn}")
    text = json.dumps({"generators": generators, "central_state": colours})
    return parse_definition(text, "json", store=store)


def bytes_of(puzzle: Puzzle, orbit: str) -> range:
    start = puzzle.offsets[orbit]
    return range(start, start + puzzle.orbit(orbit).width)


def found(solver: DefinedSolver) -> Same | None:
    return known_puzzle(solver.puzzle, [*solver.puzzle.turns], TableStore())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "families", "lacking"),
    [
        ("cube3", "U D R L F B", ("centers",)),
        ("cube4", "R 2R 2L L U 2U 2D D F 2F 2B B", ()),
        ("cube4", "2R R Rw L Lw F Fw B Bw 3Rw U Uw D Dw 3Fw 3Uw", ()),
        ("cube4", "R Rw 3Rw U Uw 3Uw F Fw 3Fw", ()),  # which never turn a corner
        ("megaminx", "U F L BL BR R DL DBL B DBR DR D", ("centers",)),
        ("cube4", "U R F D L B Uw Rw Fw", ()),  # the plugin's answers may end turned
        ("fto", "U F BR BL D B R L", ()),
        # No moves of the file bring pieces to all places where rotations and slices bring them.
        ("supercube3", "U D R L F B", ()),
        ("master-pyraminx", "U Uw L Lw R Rw B Bw u l r b", ()),
        ("rex", "F L B R f l b r", ()),
    ],
)
def test_a_puzzle_of_a_plugin_is_recognised(
    name: str, families: str, lacking: tuple[str, ...]
) -> None:
    """Answers of its own solver are answers in the file, held as it says."""
    solver = definition(name, families, lacking)
    puzzle = solver.puzzle
    same = found(solver)
    assert same is not None and same.other.name == name
    words = _Words(same, puzzle.metrics[0])
    other = Solver(same.other, [puzzlekit.universal_method(puzzlekit.load(name).puzzle)])
    rng = Random(3)
    for _ in range(4):
        state = puzzle.apply(puzzle.solved, rng.choices(puzzle.family_moves(puzzle.turns), k=2))
        its = next(same.states(state))
        answer = other.solve(its, max_nodes=200_000)
        moves = words.translated(same.other.moves(" ".join(answer.moves)), its)
        assert moves is not None
        assert puzzle.apply(state, moves) == puzzle.solved


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "families"),
    [
        ("cube3", "U D R L F2 B2"),  # too few moves
        ("kilominx", "U F L BL BR R"),
        ("kilominx", "U F L BL BR R DL DBL B DBR DR D"),  # answers may end with all of it turned
    ],
)
def test_a_puzzle_without_the_moves_of_the_plugin_is_another_one(name: str, families: str) -> None:
    assert found(definition(name, families)) is None


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="without the compiled engine, tables take too long")
def test_a_definition_has_the_method_of_the_same_puzzle(tmp_path: Path) -> None:
    """Its tables are in the store of the definition."""
    solver = definition("cube3", "U D R L F B", store=TableStore(str(tmp_path)))
    assert [each.name for each in solver.methods] == ["known", "phases", "universal", "optimal"]
    answer = solver.solve(solver.random_state(1), timeout=2, max_length=30)
    assert answer.verified and answer.cost <= 30  # of `universal` about 50
    assert solver.solve("A B2 C'", timeout=5).cost == 4
    assert [*tmp_path.glob("*/cube3/*")]


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="without the compiled engine, tables take too long")
def test_answers_end_held_as_the_file_says() -> None:
    """The plugin itself also has answers that leave the puzzle turned."""
    solver = definition("fto", "U F BR BL D B R L")
    same = found(solver)
    assert same is not None
    for seed in range(3):
        state = solver.random_state(seed)
        (its,) = same.states(state)
        answer = same.solver.solve(its, max_nodes=20_000_000, max_length=30)
        moves = _Words(same, solver.puzzle.metrics[0]).translated(answer.sequence, its)
        assert moves is not None and len(moves) <= 30  # of `phases` 30 to 37
        assert solver.puzzle.apply(state, moves) == solver.puzzle.solved


@pytest.mark.slow
@pytest.mark.parametrize("wide", ["", "Uw 3Uw Rw 3Rw"])
def test_layers_of_large_cubes_are_told_apart(wide: str) -> None:
    """The second and third layers of a 7x7x7 move pieces of different orbits alike.

    The search counts a middle layer as two moves.
    """
    layers = f"U 2U 3U E 3D 2D D R 2R 3R M 3L 2L L F 2F 3F S 3B 2B B {wide}"
    same = found(definition("cube7", layers))
    assert same is not None and same.other.name == "cube7"
    own = {key.filename for key in table_keys(same.solver.choose())}
    assert len(own & {key.filename for key in table_keys(puzzlekit.load("cube7").choose())}) > 150


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="without the compiled engine, tables take too long")
def test_limits_hold_for_both_methods() -> None:
    solver = definition("cube3", "U D R L F B")
    state = solver.random_state(2)
    solver.prepared("known")
    began = process_time()  # the wait for a busy machine does not count
    with pytest.raises(NoSolutionError):
        solver.solve(state, max_length=16, timeout=1)
    assert process_time() - began < 2
    assert solver.solve(state, max_nodes=1_000_000, method="known").nodes < 1_500_000


@pytest.mark.slow
def test_no_part_is_mapped_if_only_one_move_is_that_of_a_plugin() -> None:
    assert found(definition("cube3", "U R+F D+L B+U")) is None


@pytest.mark.parametrize(
    ("moves", "count"),
    [("U R F D L B", 24), ("U D R2 F2 L2 B2", 8), ("U D", 8), ("U", 4), ("U R", 2)],
)
def test_sides_from_which_moves_are_alike(moves: str, count: int) -> None:
    """Turns that carry all moves to moves: of two opposite faces, those around and across."""
    puzzle = puzzlekit.load("cube3").puzzle
    every = [move for each in moves.split() for move in puzzle.named_moves(each)]
    every += [puzzle.inverse(move) for move in every]
    sides = _alike_sides(Points(puzzle), every)
    assert len({row.tobytes() for row in sides}) == len(sides) == count
