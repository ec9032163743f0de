"""Methods of several phases, derived from the moves alone."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import exp, inf, log
from pathlib import Path
from random import Random
from typing import Any

import attrs
import numpy as np
import pytest

import puzzlekit
import puzzlekit_definitions
from puzzlekit import DeclarationError, Orbit, Puzzle, Solver, TableStore
from puzzlekit.coordinates.kinds import Pieces
from puzzlekit.engine.ranks import rank
from puzzlekit_definitions import SubgroupChain, load, phases
from puzzlekit_definitions.definition import Change
from puzzlekit_definitions.orbits import references
from puzzlekit_definitions.phases import Subgroup, derive_phases
from puzzlekit_definitions.reach import Reach
from puzzlekit_steps import EachSolvableBy
from puzzlekit_steps.goal_method import derive_phase

CUBE3 = puzzlekit.load("cube3").puzzle
DATA = Path(__file__).parents[2] / "benchmarks" / "data"
FILE = Path(__file__).parents[2] / "examples" / "definitions" / "cube3.json"


def states(moves: str) -> float:
    found = CUBE3.moves(moves)
    own = Subgroup(CUBE3, found, len(found))
    return exp(own.states - own.unseen())


@pytest.mark.parametrize(
    ("moves", "number"),
    [
        ("U D R L F B", 43_252_003_274_489_856_000),
        ("U D R2 L2 F2 B2", 19_508_428_800),
        ("U2 D2 R2 L2 F2 B2", 663_552),
        ("R U", 73_483_200),
        ("R2 U2", 12),
    ],
)
def test_published_sizes_of_subgroups(moves: str, number: int) -> None:
    assert states(moves) == pytest.approx(number, rel=1e-9)


@pytest.mark.slow
def test_the_3x3x3_gets_the_two_phases_of_kociemba() -> None:
    chain = SubgroupChain(CUBE3, "U D R L F B").search(Random(5), 500)
    first, second = (set(moves.split()) for moves in chain)
    assert first == {*"UDRLFB"}
    assert sorted(map(len, second)) == [1, 1, 2, 2, 2, 2]
    assert {each for each in second if len(each) == 1} in [{"U", "D"}, {"R", "L"}, {"F", "B"}]


@pytest.mark.slow
def test_permutations_whose_centers_move_get_two_phases() -> None:
    """The references of orientations are chosen so that most moves of the second phase keep them.

    It has Kociemba's subgroup and half turns of slices, which bring centers to four arrangements.
    """
    cube = puzzlekit_definitions.load_definition(
        f"{DATA / 'santa2023' / 'puzzle_info.csv'}#cube_3/3/3"
    ).puzzle
    chain = SubgroupChain(cube, " ".join(cube.turns)).search(Random(1), 500)
    assert [len(moves.split()) for moves in chain] == [9, 9]
    own = Subgroup(cube, cube.moves(chain[1]), 9)
    assert exp(own.states - own.unseen()) == pytest.approx(4 * 19_508_428_800, rel=1e-9)
    assert own.unseen() < log(1.1)


def test_references_let_moves_or_their_powers_turn_nothing() -> None:
    turning = Change((1, 2, 0), (1, 2, 0))  # its third power turns no piece
    (found,) = references([3], [[turning]])
    for place, (source, turn) in enumerate(zip(*turning, strict=True)):
        assert (turn + found[source] - found[place]) % 3 == 0
    # No references help against a move that turns a piece at its place.
    assert references([2], [[Change((0, 1), (1, 0))]]) == [(0, 0)]


@pytest.mark.slow
def test_no_phase_ends_in_a_subgroup_that_sums_and_parities_do_not_describe() -> None:
    # R and U reach 120 of the 720 orders of six corners.
    chain = SubgroupChain(CUBE3, "U D R L F B").search(Random(2), 500)
    for moves in chain[1:]:
        assert Subgroup(CUBE3, CUBE3.moves(moves), 1).unseen() < log(4.5)
    assert Subgroup(CUBE3, CUBE3.moves("R U"), 6).unseen() == pytest.approx(log(6))


def alike(puzzle: Puzzle, orbit: str, labels: Sequence[int]) -> Puzzle:
    """The puzzle with alike pieces in an orbit."""
    orbits = [
        Orbit(each.name, each.piece, each.places, each.orientations, tuple(labels))
        if each.name == orbit
        else each
        for each in puzzle.orbits
    ]
    return attrs.evolve(puzzle, orbits=tuple(orbits), layout=None, constraints=(), rotations=())


CASES = [
    (CUBE3, "U D R L F B", "U D R2 L2 F2 B2"),
    (CUBE3, "U D R L F B", "U R"),
    (CUBE3, "U D R2 L2 F2 B2", "U2 D2 R2 L2 F2 B2"),
    (puzzlekit.load("cube4").puzzle, "U D R L F B Rw", "U D R2 L2 F2 B2 Rw2"),
    (puzzlekit.load("cube4").puzzle, "U R Rw", "U2 Rw"),
    (puzzlekit.load("supercube3").puzzle, "U D R L F B", "U D R2 L2 F2 B2"),
    (puzzlekit.load("supercube3").puzzle, "U D R2 L2 F2 B2", "U2 D2 R2 L2 F2 B2"),
    (alike(CUBE3, "edges", [0, 0, 1, 1, 2, 2, 0, 1, 2, 3, 3, 3]), "U R F", "U R2"),
]


@pytest.mark.parametrize(("puzzle", "moves", "after"), CASES)
def test_coordinates_are_at_goals_exactly_where_the_condition_holds(
    puzzle: Puzzle, moves: str, after: str
) -> None:
    condition = EachSolvableBy(after)
    phase = derive_phase(puzzle, "one", condition, moves, 1_000_000)
    test = condition.test(puzzle)
    own, rng = phase.allowed(puzzle), Random(moves)
    few = [move for each in after.split() for move in puzzle.moves(each)]
    seen = {True: 0, False: 0}
    for _ in range(400):
        done = [*rng.choices(few, k=20), *rng.choices(own, k=rng.randrange(3))]
        state = puzzle.apply(puzzle.solved, done)
        at_goal = all(int(each.rank(state)) in each.goals for each in phase.coordinates)
        assert at_goal == test(state)
        seen[at_goal] += 1
    assert min(seen.values()) > 20


@pytest.mark.parametrize(
    ("orbit", "pieces", "places"),
    [("corners", "URF DLF UBR", ""), ("edges", "FR UF", "BL FR UF FL UB"), ("centers", "U F", "")],
)
def test_the_engine_ranks_pieces(orbit: str, pieces: str, places: str) -> None:
    coordinate = Pieces("p", CUBE3, orbit, pieces, places)
    program = array("i", coordinate.engine_program or ())
    for index in range(coordinate.size):
        state = bytearray(CUBE3.solved)
        for j, value in coordinate.unrank(index).items():
            state[j] = value
        assert rank(program, bytes(state)) == index
    assert rank(program, bytes(len(state))) == -1  # the pieces are nowhere


@pytest.mark.slow
def test_a_definition_is_solved_in_phases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load.DefinedSolver, "_known", lambda _: None)
    store = TableStore(str(tmp_path))
    solver = puzzlekit_definitions.load_definition(FILE, memory=30_000_000, store=store)
    assert [each.name for each in solver.methods] == ["phases", "universal", "optimal"]
    assert solver.solve("R U2", method="phases").cost == 2
    lengths = []
    for seed in range(3):
        found = solver.solve(solver.random_state(seed), method="phases", max_nodes=10_000_000)
        assert found.verified and len(found.phases) == 2
        lengths.append(found.cost)
    assert np.mean(lengths) < 23  # with words of the library it is 40

    def fail(*_: object) -> None:
        raise AssertionError("the chain is stored")

    monkeypatch.setattr(SubgroupChain, "search", fail)
    again = puzzlekit_definitions.load_definition(
        FILE, memory=30_000_000, store=TableStore(str(tmp_path))
    )
    assert [each.name for each in again.methods] == ["phases", "universal", "optimal"]


@pytest.mark.slow
def test_phases_that_solve_no_random_state_are_not_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load.DefinedSolver, "_known", lambda _: None)
    monkeypatch.setattr(phases, "_NODES", 10)
    monkeypatch.setattr(load, "_AT_ONCE", inf)  # on a busy machine, 5 s are too few to know
    solver = puzzlekit_definitions.load_definition(
        FILE, memory=30_000_000, store=TableStore(str(tmp_path))
    )
    assert [each.name for each in solver.methods] == ["universal", "optimal"]


@pytest.mark.slow
def test_a_plugin_may_declare_phases_by_their_moves() -> None:
    cube = puzzlekit.load("cube2")
    method = puzzlekit_definitions.derive_phases(cube.puzzle, ("U R F", "U R2 F2"), 4_000_000)
    solver = Solver(cube.puzzle, [attrs.evolve(method, fixed={"corners": "DBL"})])
    for seed in range(20):
        state = solver.random_state(seed)
        assert solver.solve(state, max_nodes=1_000_000).verified


def test_a_piece_that_later_moves_turn_needs_no_orientation_before() -> None:
    """The moves of the last phase turn two axials of the Pyraminx at their places."""
    puzzle = puzzlekit.load("pyraminx").puzzle
    first, _ = derive_phases(puzzle, ("U L R B", "U L"), 1_000_000).phases
    state = puzzle.apply(puzzle.solved, puzzle.moves("U L U'"))
    for coordinate in first.coordinates:
        assert int(coordinate.rank(state)) in coordinate.goals, coordinate.name
    turned = puzzle.apply(puzzle.solved, puzzle.moves("R"))
    assert any(int(each.rank(turned)) not in each.goals for each in first.coordinates)


def test_phases_for_alike_pieces_that_turn_are_refused() -> None:
    """The coordinates of the phases would not see how these pieces are turned."""
    turns = {"P_": (bytes([1, 2, 0, 4, 5, 3]), bytes([0, 0, 0, 1, 1, 0]))}
    costs = puzzlekit.Metric("TURNS", "moves", {"P_": 1})
    puzzle = Puzzle(
        "three", "Three", (Orbit("three", "piece", "A B C", 2, (0, 0, 1)),), turns, (costs,)
    )
    with pytest.raises(DeclarationError, match="moves turn pieces of three that are alike"):
        derive_phases(puzzle, ("P_",), 1_000_000)


def test_a_phase_with_sums_of_its_own_sees_pieces_that_it_cannot_untwist() -> None:
    """The last moves keep the sum of A and B, and that of C, D and E. The first moves do not."""
    turns = {
        "P_": (bytes([1, 0, 2, 3, 4, 6, 5, 7, 8, 9]), bytes([0, 0, 0, 0, 0, 1, 2, 0, 0, 0])),
        "Q_": (bytes([0, 1, 4, 2, 3, 5, 6, 9, 7, 8]), bytes([0, 0, 0, 0, 0, 0, 0, 2, 0, 1])),
        "R_": (bytes([1, 2, 3, 0, 4, 6, 7, 8, 5, 9]), bytes([0, 0, 0, 0, 0, 1, 0, 1, 1, 0])),
    }
    costs = puzzlekit.Metric("TURNS", "moves", dict.fromkeys(turns, 1))
    puzzle = Puzzle("five", "Five", (Orbit("five", "piece", "A B C D E", 3),), turns, (costs,))
    twisted = puzzle.solved[:5] + bytes([0, 1, 0, 0, 2])
    _, last = derive_phases(puzzle, ("P_ Q_ R_", "P_ Q_"), 1_000_000).phases
    assert all(int(each.rank(puzzle.solved)) in each.goals for each in last.coordinates)
    assert any(int(each.rank(twisted)) not in each.goals for each in last.coordinates)


def test_phases_are_tried_if_the_group_is_too_large_to_know(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As the Megaminx with its centers, whose group takes too long to prove."""
    monkeypatch.setattr(Reach, "order", 0)
    monkeypatch.setattr(load, "derive", refused)
    tried: list[str] = []
    monkeypatch.setattr(load, "tried_phases", lambda puzzle, *_: tried.append(puzzle.name))
    path = Path(__file__).parents[2] / "examples" / "definitions" / "pyraminx.tws"
    solver = puzzlekit_definitions.load_definition(path)
    assert [method.name for method in solver.methods] == ["universal"] and len(tried) == 1


def refused(*_: object, **__: object) -> None:
    raise DeclarationError("no tables")


@pytest.mark.parametrize("chain", [(), ("U R F", ""), "U R F"])
def test_a_chain_without_moves_is_refused(chain: Any) -> None:
    cube = puzzlekit.load("cube2").puzzle
    with pytest.raises(DeclarationError, match="cube2: a chain is a tuple with the moves of each"):
        derive_phases(cube, chain, 1_000_000)


@pytest.mark.parametrize(("name", "chain"), [("square1", "U D /"), ("eight", "U L R D")])
def test_moves_that_are_not_always_possible_have_no_chain(name: str, chain: str) -> None:
    puzzle = puzzlekit.load(name).puzzle
    with pytest.raises(DeclarationError, match="because its moves are not always possible"):
        derive_phases(puzzle, (chain,), 1_000_000)
