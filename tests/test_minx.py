"""The Megaminx and the Kilominx, against a model of stickers in space and the numbers known."""

from __future__ import annotations

from collections import Counter
from math import factorial
from random import Random
from time import process_time
from typing import Any

import numpy as np
import pytest
from bundled import COMPILED
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from solids import StickerSolid, minx

import puzzlekit
from puzzlekit import (
    Method,
    Metric,
    Orbit,
    Phase,
    Pieces,
    Plain,
    Puzzle,
    SearchOptions,
    StateError,
    Surface,
)
from puzzlekit.cli import main
from puzzlekit.puzzle.diagnose import diagnose
from puzzlekit.puzzle.net import facelets
from puzzlekit.puzzle.random_states import random_state
from puzzlekit.puzzle.sticker_reading import interpret_text
from puzzlekit.tables.store import TableStore
from puzzlekit_authoring import engines
from puzzlekit_minx import kilominx_methods, shape
from puzzlekit_minx.half_table import HalfTable
from puzzlekit_minx.kilominx_halves import FIRST, half
from puzzlekit_minx.megaminx_phases import Steps
from puzzlekit_steps.goal import GoalCase

NAMES = ("megaminx", "kilominx")
SOLVERS = {name: puzzlekit.load(name) for name in NAMES}


def solid(name: str) -> StickerSolid:
    puzzle = SOLVERS[name].puzzle
    surface = shape.make_surface(puzzle.orbits, name == "megaminx")
    return minx({face: row.split() for face, row in surface.faces.items()}, shape.FACES)


SOLIDS = {name: solid(name) for name in NAMES}
EVERYTHING = [name + amount for name in SOLIDS["kilominx"].turns for amount in ("", "'", "2", "2'")]


@pytest.mark.parametrize("name", NAMES)
@given(moves=st.lists(st.sampled_from(EVERYTHING), max_size=20))
@settings(max_examples=30)
def test_sequences_carry_stickers_as_turns_in_space_do(name: str, moves: list[str]) -> None:
    shown = SOLIDS[name].replay(SOLIDS[name].solved, " ".join(moves))
    state = SOLVERS[name].state(" ".join(moves))
    assert SOLVERS[name].positions.to_facelets(state) == shown
    assert SOLVERS[name].positions.from_facelets(shown) == state
    assert not diagnose(SOLVERS[name].puzzle, state)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_family_is_a_turn_in_space(name: str) -> None:
    puzzle = SOLVERS[name].puzzle
    assert set(puzzle.turns) == set(SOLIDS[name].turns)
    assert len(puzzle.whole_rotations) == len(puzzle.solved_states) == 60
    assert {move.order for move in puzzle.family_moves(puzzle.turns)} == {5}
    SOLIDS[name].check_reflections(puzzle.reflections, [lambda point: (-point[0], *point[1:])])


@pytest.mark.parametrize(
    ("spelling", "moves"),
    [
        ("D++", "Dw2"),
        ("D--", "Dw2'"),
        ("R++", "DBRw2"),
        ("R-- U'", "DBRw2' U'"),
        ("y x'", "Uv Rv'"),
    ],
)
def test_the_wca_and_cubers_write_moves_so(spelling: str, moves: str) -> None:
    for solver in SOLVERS.values():
        assert solver.state(spelling) == solver.state(moves)


def test_big_turns_leave_a_layer_where_it_is() -> None:
    """R++ is a rotation about DBR and the turn of L that undoes it there; D++ likewise with U."""
    for solver in SOLVERS.values():
        assert solver.state("R++ L2'") == solver.state("Lv2'")
        assert solver.state("D++ U2'") == solver.state("Uv2'")


# --- numbers known ------------------------------------------------------------------------------


def test_numbers_of_states() -> None:
    """As many as Jaap Scherphuis and the Wiki of speedsolving.com say."""
    corners = factorial(20) // 2 * 3**19
    assert corners // 60 == 23_563_902_142_421_896_679_424_000
    edges = factorial(30) // 2 * 2**29
    assert corners * edges == int(
        "100669616553523347122516032313645505168688116411019768627200000000000"
    )


def test_phases_have_the_sizes_of_the_chain_of_subgroups() -> None:
    """Of the chain that gives up one face after another, as in proofs of upper bounds."""
    sizes = {}
    for phase in SOLVERS["megaminx"].method("faces").phases[:7]:
        size = 1
        for coordinate in phase.coordinates:
            size *= coordinate.size
        sizes[phase.name] = size
    del sizes["without-d-dr-dl"], sizes["without-dbl"], sizes["without-dbr"]
    # The corners of the first of them are in two tables, each without the place of the other.
    assert sizes.pop("without-b") * 16 * 17 == 208_099_584 * 17 * 17
    assert list(sizes.values()) == [68_400, 64_157_184, 25_945_920]


def test_halves_have_as_many_cosets_as_known() -> None:
    divide, _ = SOLVERS["kilominx"].method("halves").phases
    assert divide.coordinates[0].size == 554_268


@pytest.mark.skipif(not COMPILED, reason="the tables take minutes")
@pytest.mark.slow
def test_every_division_is_at_most_eight_moves_away() -> None:
    solver = SOLVERS["kilominx"]
    strategy: Any = solver.make_ready(solver.choose(SearchOptions("halves")))
    counts = Counter(each for each in strategy._split if each < 255)
    assert sum(counts.values()) == 554_268
    assert counts[0] == 1 and counts[1] == 6 * 4 and max(counts) == 8


@pytest.mark.skipif(not COMPILED, reason="the tables take minutes")
@pytest.mark.slow
def test_the_last_three_moves_lead_to_the_division_from_three_moves_away() -> None:
    solver = SOLVERS["kilominx"]
    strategy: Any = solver.make_ready(solver.choose(SearchOptions("halves")))
    lists, geometry, puzzle = strategy._lists, strategy._geometry, solver.puzzle
    distances = np.array(lists.rows)[::2] >> 56
    counts = np.diff(lists.endings)
    assert len(lists.words) == 3 * counts.sum()
    assert (counts[distances == 3] > 0).all() and not counts[distances > 3].any()
    for number in Random(1).sample(range(len(lists.words) // 3), 200):
        word = [geometry._moves[move] for move in lists.words[3 * number : 3 * number + 3]]
        before = geometry._corners(puzzle.apply(puzzle.solved, puzzle.undo(word)))
        mask = sum((corner < 30) << place for place, corner in enumerate(before))
        twist = sum(corner for corner in before if corner < 30) % 3
        at = 3 * (lists.first[mask & 1023] + lists.index[mask >> 10]) + twist
        assert lists.endings[at] <= number < lists.endings[at + 1]


def test_a_half_table_is_a_plain_table(tmp_path: Any) -> None:
    puzzle = SOLVERS["kilominx"].puzzle
    places = half(FIRST)
    some = Pieces("some", puzzle, "corners", " ".join(places[3:6]), " ".join(places))
    found = []
    for table in (HalfTable("some"), Plain("some")):
        phase = Phase("solve", "solved", "U R F", (some,), (table,))
        plan = Method("m", "", (phase,)).plan(puzzle, puzzle.metrics[0], TableStore(tmp_path))
        found.append(bytes(plan.resolved(phase).tables[0].get(plan.store).data))
    assert found[0] == found[1]


# --- solving ------------------------------------------------------------------------------------


@pytest.mark.skipif(not COMPILED, reason="the tables take minutes")
@pytest.mark.parametrize(
    ("name", "most"),
    [
        pytest.param("kilominx", 25, marks=pytest.mark.slow),
        pytest.param("megaminx", 85, marks=pytest.mark.thorough),
    ],
)
def test_random_states_are_solved(name: str, most: int) -> None:
    solver = SOLVERS[name]
    for number in range(2):
        state = solver.random_state(Random(number))
        assert not diagnose(solver.puzzle, state)
        shown = solver.positions.to_facelets(state)
        solution = solver.solve(state, max_nodes=15_000_000, max_length=most)
        assert solution.method == solver.methods[0].name
        assert solution.length <= most
        assert SOLIDS[name].is_solved(SOLIDS[name].replay(shown, str(solution)))


@pytest.mark.skipif(not COMPILED, reason="the tables take minutes")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("kilominx", marks=pytest.mark.slow),
        pytest.param("megaminx", marks=pytest.mark.thorough),
    ],
)
@pytest.mark.parametrize(
    ("scramble", "length"),
    [("", 0), ("y x2'", 0), ("DBR2", 1), ("R++ D--", 2), ("x U R2 BL' D", 4)],
)
def test_a_short_scramble_has_a_short_answer(name: str, scramble: str, length: int) -> None:
    solution = SOLVERS[name].solve(scramble, timeout=2)
    assert solution.length == length and solution.verified
    assert solution.optimal or length > 2


@pytest.mark.skipif(not COMPILED, reason="the tables take minutes")
@pytest.mark.slow
def test_threads_share_the_starts() -> None:
    solver = SOLVERS["kilominx"]
    state = solver.random_state(Random(7))
    assert solver.solve(state, max_nodes=20_000_000, threads=2).length <= 24


@pytest.mark.skipif(not COMPILED, reason="the tables take minutes")
@pytest.mark.slow
def test_the_search_of_halves_is_the_same_as_plain_python() -> None:
    def found() -> tuple[str, int]:
        solution = SOLVERS["kilominx"].solve("U R F2 BL L'", method="halves", max_nodes=10_000_000)
        return str(solution), solution.nodes

    compiled = found()
    with engines.interpreted():
        puzzle = SOLVERS["kilominx"].puzzle
        methods = list(kilominx_methods(puzzle))
        solver = puzzlekit.Solver(puzzle, methods, SOLVERS["kilominx"].store)
        solution = solver.solve("U R F2 BL L'", method="halves", max_nodes=10_000_000)
    assert (str(solution), solution.nodes) == compiled


# --- stickers and faults ------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("turn", ["", "Uv", "Rv2 Fv'"])
def test_colours_in_any_holding(name: str, turn: str) -> None:
    solver = SOLVERS[name]
    letters = dict(zip(shape.FACES, shape.SCHEMES["wca"], strict=True))
    shown = SOLIDS[name].replay(SOLIDS[name].solved, f"U R' DBL2 {turn}")
    text = "".join(letters[face] for face in shown)
    assert solver.state(text) == solver.state(f"U R' DBL2 {turn}")


@pytest.mark.parametrize(
    ("name", "changes", "fault"),
    [
        ("megaminx", {0: 1, 1: 0}, "parity"),
        ("megaminx", {20: 1}, "corner UFL is twisted clockwise"),
        ("megaminx", {40: 1, 41: 0}, "parity"),
        ("megaminx", {70: 1}, "edge UF is flipped"),
        ("kilominx", {0: 1, 1: 0}, "parity"),
        ("kilominx", {25: 2}, "corner"),
    ],
)
def test_faults_are_named(name: str, changes: dict[int, int], fault: str) -> None:
    solver = SOLVERS[name]
    state = bytearray(solver.puzzle.solved)
    for byte, value in changes.items():
        state[byte] = value
    (found,) = diagnose(solver.puzzle, bytes(state))
    assert found.startswith(fault)
    with pytest.raises(StateError):
        solver.solve(bytes(state))


@pytest.mark.parametrize(
    ("goal", "scramble", "reached"),
    [
        ("star", "U R' F2", True),
        ("star", "DL", False),
        ("f2l", "U R2 U'", True),
        ("f2l", "U R2 DR", False),
        ("s2l", "U2", True),
        ("s2l", "F", False),
        ("eo", "U2'", True),
        ("pll", "U'", True),
        ("pll", "R", False),
    ],
)
def test_goals_of_speedcubers(goal: str, scramble: str, reached: bool) -> None:
    solver = SOLVERS["megaminx"]
    found = solver.catalogue.goals[goal]
    case = GoalCase(found.conditions, found.up_to)
    assert case.test(solver.puzzle)(solver.state(scramble)) is reached


def test_steps_turn_the_faces_that_are_left() -> None:
    steps = Steps(SOLVERS["megaminx"].puzzle)
    phases = steps.phases()
    others = steps.alternatives(phases)
    assert [phase.moves for phase in phases[-2:]] == ["U F R", "U F"]
    assert len(steps.starts().split()) == 19  # 20 corners, one of them as held
    for other in others:
        (own,) = [phase for phase in phases if phase.name == other.of]
        assert len(other.phase.moves.split()) == len(own.moves.split())


def test_the_command_line() -> None:
    def run(*arguments: str) -> str:
        found = CliRunner().invoke(main, arguments)
        assert found.exit_code == 0, found.output
        return found.output

    assert "U" in run("show", "--puzzle", "kilominx", "R++ D-- U'")
    assert "no faults" in run("check", "--puzzle", "minx", "R++ D-- R-- D++ U'")


def test_methods_can_be_made_for_either_puzzle() -> None:
    assert [each.name for each in SOLVERS["megaminx"].methods] == ["faces", "universal"]
    assert [each.name for each in SOLVERS["kilominx"].methods] == ["halves", "universal"]


@pytest.mark.slow
def test_a_wrong_sticker_of_unknown_colours_takes_no_search_of_all_schemes() -> None:
    """Twelve faces, pieces of two colours, and no colour scheme: it once took a minute."""
    edges = Orbit("edges", "edge", tuple(shape.EDGES), orientations=2)
    rows = {face: " ".join(edge for edge in shape.EDGES if face in edge) for face in shape.FACES}
    surface = Surface((edges,), rows, " ".join(face * 5 for face in shape.FACES))
    turns = {
        name: surface.turn(shape.RINGS[face], [edge for edge in shape.EDGES if face in edge])
        for face, name in shape.FACES.items()
    }
    puzzle = Puzzle(
        "edges",
        "Edges of a dodecahedron",
        (edges,),
        turns,
        (Metric("TURNS", "turns of a face", dict.fromkeys(turns, 1)),),
        layout=surface.layout({}, shape.COLOURS),
    )
    rng = Random(1)
    stickers = facelets(puzzle, random_state(puzzle, rng))
    painted = list(stickers.translate(str.maketrans("".join(shape.FACES), "abcdefghijkl")))
    assert not interpret_text(puzzle, "".join(painted))[1].faults
    for _ in range(2):
        painted[rng.randrange(60)] = rng.choice("abcdefghijkl")
        begin = process_time()
        assert interpret_text(puzzle, "".join(painted))[1].faults
        assert process_time() - begin < 10


def test_rows_of_another_table_are_refused() -> None:
    from puzzlekit_minx.engine.halves import fill_rows

    turns, sums = np.zeros((2, 1), np.uint16), np.zeros((3, 3), np.uint16)
    distance = np.full(6, 255, np.uint8)
    distance[0] = 0
    assert fill_rows(distance, np.array([[1], [0]], np.int32), turns, sums, 0) == 1
    for arrival, entries in ((2, 6), (-1, 6), (0, 5)):
        with pytest.raises(ValueError, match="of another table"):
            fill_rows(distance[:entries], np.array([[1], [arrival]], np.int32), turns, sums, 0)


@pytest.mark.parametrize("name", ["megaminx", "fto", "kilominx"])
def test_a_net_of_text_shows_colours_where_faces_have_no_letter(name: str) -> None:
    """The letters of faces would be I, J, X and Z, which no move has. The net is read, too."""
    puzzle = puzzlekit.load(name)
    layout = puzzle.puzzle.layout
    assert layout is not None
    found = CliRunner().invoke(main, ["show", "--puzzle", name, "R U"])
    net, legend = found.stdout.split("\n\n")[:2]
    assert set("".join(net.split())) == set(layout.schemes["wca"])
    assert legend.startswith("colours   W white, ")
    assert all(colour in " ".join(legend.split()) for colour in layout.colours)
    assert puzzle.state(net) == puzzle.state("R U")
