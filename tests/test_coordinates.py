"""Coordinates: ranks go both ways, three ways of ranking agree, and moves act as on full states."""

from __future__ import annotations

import tempfile
from array import array
from functools import cache
from itertools import product
from math import comb, perm
from random import Random
from typing import Any

import attrs
import numpy as np
import pytest
from bundled import COMPILED, PHASES, every_coordinate, find
from engines import plain
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlekit
from puzzlekit import (
    Combination,
    Coordinate,
    DeclarationError,
    Method,
    Metric,
    Move,
    Orbit,
    Orientation,
    Permutation,
    Phase,
    Puzzle,
    Solver,
)
from puzzlekit.coordinates.coordinate import look_up
from puzzlekit.coordinates.tracing import traced
from puzzlekit.engine import ranks
from puzzlekit.tables.goals import goal_flags
from puzzlekit.tables.move_table import is_tabulated, move_table

DECLARED = every_coordinate()
CUBE3 = puzzlekit.load("cube3").puzzle
SIX = "A B C D E F"
ALIKE = Puzzle(
    "beads",
    "six beads of two colours",
    (Orbit("beads", "bead", SIX, orientations=4, solved=(5, 5, 9, 9, 9, 9)),),
    {"t": (bytes([1, 2, 3, 4, 5, 0, 7, 8, 9, 10, 11, 6]), bytes([0] * 6 + [1, 0, 0, 0, 0, 3]))},
    (Metric("steps", "steps", {"t": 1}),),
)
# Kinds and parameters that no bundled method happens to use, each with its size.
FURTHER: dict[str, tuple[Coordinate, int]] = {
    "orientation-of-some": (Orientation("o", CUBE3, "corners", "URF DLF UBR", summed=False), 3**3),
    "orientation-summed": (Orientation("o", CUBE3, "edges", "UF UR UB"), 2**2),
    "permutation-of-some": (Permutation("p", CUBE3, "edges", "DF UB FR"), perm(12, 3)),
    "permutation-of-one": (Permutation("p", CUBE3, "corners", "DLF"), 8),
    "permutation-in-some": (Permutation("p", CUBE3, "edges", "FR FL", "BL FR UF FL"), perm(4, 2)),
    "combination-of-most": (Combination("c", CUBE3, "corners", "URF UFL ULB UBR DFR DLF"), 28),
    "combination-of-alike": (Combination("c", ALIKE, "beads", "C"), comb(6, 4)),
    "combination-of-all": (Combination("c", ALIKE, "beads", "A C"), 1),
    "orientation-to-base-4": (Orientation("o", ALIKE, "beads"), 4**5),
}
ALL = {
    **{name: each for name, (each, _) in DECLARED.items()},
    **{name: each for name, (each, _) in FURTHER.items()},
}
every = pytest.mark.parametrize("coordinate", ALL.values(), ids=ALL.keys())
declared = pytest.mark.parametrize(("coordinate", "moves"), DECLARED.values(), ids=DECLARED.keys())


def sample(coordinate: Coordinate) -> range:
    return range(0, coordinate.size, 1 if coordinate.size <= (70_000 if COMPILED else 3000) else 37)


@pytest.mark.slow
@every
def test_unrank_then_rank_gives_back_every_index(coordinate: Coordinate) -> None:
    indices = np.arange(coordinate.size)
    vector = coordinate.unrank(indices)
    assert set(vector) == set(coordinate.reads)
    assert np.array_equal(coordinate.rank(vector), indices)


@pytest.mark.slow
@every
def test_scalar_and_vectorised_unrank_agree(coordinate: Coordinate) -> None:
    together = coordinate.unrank(np.arange(coordinate.size))
    for index in range(0, coordinate.size, 1 + coordinate.size // 500):
        alone = coordinate.unrank(index)
        assert alone == {
            j: int(np.broadcast_to(together[j], coordinate.size)[index]) for j in coordinate.reads
        }
        assert coordinate.rank(alone) == index


@pytest.mark.slow
@every
def test_the_engine_ranks_as_the_coordinate_does(coordinate: Coordinate) -> None:
    """Both by the operations of `rank` and by the program that is faster, if there is one."""
    programs = {coordinate.engine_program, coordinate.traced_program}
    assert None not in programs
    vectors = coordinate.unrank(np.arange(coordinate.size))
    states = np.zeros((coordinate.size, len(coordinate.puzzle.solved)), dtype=np.uint8)
    for j, values in vectors.items():
        states[:, j] = values
    for program in (array("i", each or ()) for each in programs):
        for index in sample(coordinate):
            assert ranks.rank(program, states[index].tobytes()) == index


@every
def test_the_engine_ranks_states_outside_of_a_coordinate_alike(coordinate: Coordinate) -> None:
    draw = Random(1)
    puzzle = coordinate.puzzle
    moves = puzzle.family_moves(puzzle.turns)
    for _ in range(20):
        state = puzzle.apply(puzzle.solved, draw.choices(moves, k=30))
        for program in {coordinate.engine_program, coordinate.traced_program}:
            found = ranks.rank(array("i", program or ()), state)
            assert max(found, -1) == max(coordinate.rank(state), -1)


@pytest.mark.parametrize(("coordinate", "size"), FURTHER.values(), ids=FURTHER.keys())
def test_sizes(coordinate: Coordinate, size: int) -> None:
    assert coordinate.size == size


def test_sizes_of_the_two_phase_coordinates() -> None:
    sizes = {name: each.size for name, (each, _) in DECLARED.items() if name.startswith("cube3")}
    assert sizes["cube3-orient-twist"] == 3**7
    assert sizes["cube3-orient-flip"] == 2**11
    assert sizes["cube3-orient-slice"] == comb(12, 4)
    assert sizes["cube3-finish-corners"] == sizes["cube3-finish-edges"] == 40320
    assert sizes["cube3-finish-middle"] == 24
    assert sizes["cube3-orient-flip-slice"] == 2**11 * comb(12, 4)
    assert sizes["cube3-finish-corner-classes"] == 40320


@declared
def test_goals_hold_the_solved_state(coordinate: Coordinate, moves: tuple[Move, ...]) -> None:
    assert coordinate.rank(coordinate.puzzle.solved) in coordinate.goals
    assert set(coordinate.goals) <= set(range(coordinate.size))
    assert len(set(coordinate.goals)) == len(coordinate.goals)


def test_which_coordinates_are_not_closed_under_the_moves_of_their_phase() -> None:
    open_ones = [name for name, (each, moves) in DECLARED.items() if not each.closed_under(moves)]
    assert open_ones == ["cube4-split-split", "cube4-pair-middle"]


def test_closed_under_tells_moves_that_bring_in_other_pieces() -> None:
    outer = Permutation(
        "edges", CUBE3, "edges", "UB UR UF UL DB DR DF DL", "UB UR UF UL DB DR DF DL"
    )
    assert outer.closed_under(CUBE3.moves("U D R2 L2 F2 B2"))
    assert not outer.closed_under(CUBE3.moves("U D R2 L2 F2 B"))
    some = Orientation("o", CUBE3, "corners", "URF UFL", summed=False)
    assert some.closed_under(CUBE3.moves("B D"))
    assert not some.closed_under(CUBE3.moves("B D U2"))


def test_a_sum_of_orientations_that_moves_change_is_no_coordinate() -> None:
    """The value lacks the last one, so a state would be taken for the goal that is not there."""
    dials = Orbit("dials", "dial", "A B", orientations=3)
    turns = {"t": (bytes([1, 0, 3, 2]), bytes([0, 0, 1, 0]))}
    puzzle = Puzzle("dials", "", (dials,), turns, (Metric("M", "", {"t": 1}),))
    coordinate = Orientation("turned", puzzle, "dials")
    phase = Phase("solve", "", "t", (coordinate,), ("turned",))
    with pytest.raises(DeclarationError, match="turned: the move t changes the sum"):
        Solver(puzzle, [Method("m", "", (phase,))]).solve("t")
    whole = attrs.evolve(coordinate, summed=False)
    assert whole.closed_under(puzzle.moves("t")) and whole.size == 9


@pytest.mark.parametrize(("pieces", "after"), [("UB UR UF UL", "R"), ("FR FL BR BL", "U")])
def test_outside_its_places_the_engine_finds_no_rank(pieces: str, after: str) -> None:
    ring = "UB UR UF UL DB DR DF DL" if after == "R" else "FR FL BR BL"
    state = CUBE3.apply(CUBE3.solved, CUBE3.moves(after if after == "R" else "R"))
    for coordinate in (
        Permutation("p", CUBE3, "edges", pieces, ring),
        Combination("c", CUBE3, "edges", pieces, ring),
    ):
        assert ranks.rank(array("i", coordinate.program or ()), state) == -1


@cache
def table(name: str) -> Any:
    coordinate, moves = DECLARED[name]
    store = puzzlekit.load(coordinate.puzzle.name).store
    data = np.asarray(move_table(store, coordinate, moves).data)
    return data.reshape(coordinate.size, len(moves))


# What only the engine ranks has no move table.
TABULATED = [name for name, (each, moves) in DECLARED.items() if is_tabulated(each, moves)]


@pytest.mark.slow
@given(data=st.data())
@settings(max_examples=10)
@pytest.mark.parametrize("name", TABULATED)
def test_the_move_table_does_what_moves_do_to_full_states(name: str, data: st.DataObject) -> None:
    coordinate, moves = DECLARED[name]
    puzzle = coordinate.puzzle
    numbers = st.integers(0, len(moves) - 1)
    path = data.draw(st.lists(numbers, min_size=20, max_size=30))
    state = puzzle.apply(puzzle.solved, [moves[number] for number in path])
    value = coordinate.rank(puzzle.solved)
    for number in path:
        value = table(name)[value, number]
    assert coordinate.rank(state) == value
    number = data.draw(numbers)
    assert table(name)[value, number] == coordinate.rank(puzzle.apply(state, [moves[number]]))


@pytest.mark.parametrize("name", TABULATED)
def test_each_move_permutes_the_values(name: str) -> None:
    for column in table(name).T:
        assert np.array_equal(np.sort(column), np.arange(len(column)))


# How many values the moves of a phase reach from the solved one, where that is not all of them.
REACHED = {
    "cube4-pair-rl": 12,
    "cube4-pair-rl-parity": 24,
    "cube4-reduce-fb": 6,
    "cube4-reduce-rl": 6,
    "cube4-reduce-pairing": 20_160,
}


@pytest.mark.parametrize("name", TABULATED)
def test_every_value_can_be_reached(name: str) -> None:
    coordinate, _ = DECLARED[name]
    seen = np.zeros(coordinate.size, dtype=bool)
    fresh = np.array(coordinate.goals)
    while len(fresh):
        seen[fresh] = True
        near = np.unique(table(name)[fresh])
        fresh = near[~seen[near]]
    assert seen.sum() == REACHED.get(name, coordinate.size)


@pytest.mark.slow
@given(data=st.data())
@pytest.mark.parametrize(("puzzle", "method", "number"), [each for each in PHASES if each[2]])
def test_a_later_phase_keeps_what_earlier_phases_achieved(
    puzzle: str, method: str, number: int, data: st.DataObject
) -> None:
    solver, _, moves = find(puzzle, method, number)
    path = data.draw(st.lists(st.sampled_from(moves), max_size=20))
    state = solver.puzzle.apply(solver.puzzle.solved, path)
    for earlier in solver.method(method).phases[:number]:
        goal_moves = earlier.kept(solver.puzzle)
        for coordinate in earlier.coordinates:
            assert goal_flags(solver.store, coordinate, goal_moves)[coordinate.rank(state)]


def test_coordinates_that_rank_differently_have_different_identities() -> None:
    identities = [each.identity for each in ALL.values() if each.puzzle is CUBE3]
    ranks = [tuple(each.engine_program or ()) for each in ALL.values() if each.puzzle is CUBE3]
    assert len(set(zip(identities, ranks, strict=True))) == len(set(identities)) == len(set(ranks))


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: Permutation("p", ALIKE, "beads", "A B"), "same label"),
        (lambda: Permutation("p", CUBE3, "edges", "UF FU").reads, "twice"),
        (lambda: Orientation("o", CUBE3, "corners", "URF UFX").reads, "UFX"),
        (lambda: Orientation("o", CUBE3, "wings").reads, "wings"),
    ],
)
def test_mistakes_in_a_declaration_are_named(make: Any, problem: str) -> None:
    with pytest.raises(DeclarationError, match=problem):
        make()


# --- coordinates of a plugin's own --------------------------------------------------------------


class Reversed(Orientation):
    """Ranks otherwise than its parent, whose program the engine must then not use."""

    def rank(self, vector: Any) -> Any:
        return self.size - 1 - super().rank(vector)

    def unrank(self, index: Any) -> dict[int, Any]:
        return super().unrank(self.size - 1 - index)


class Halved(Orientation):
    """A mistake: two states share a rank."""

    def rank(self, vector: Any) -> Any:
        return super().rank(vector) // 2


def test_the_engine_runs_the_rank_of_a_subclass_that_ranks_otherwise() -> None:
    own = Reversed("twist", CUBE3, "corners")
    parent = Orientation("twist", CUBE3, "corners")
    assert parent.engine_program == parent.program
    assert own.engine_program == own.traced_program
    assert own.identity != parent.identity
    assert own.rank(CUBE3.solved) == own.size - 1
    assert ranks.rank(array("i", own.engine_program or ()), CUBE3.solved) == own.size - 1


@attrs.frozen(slots=False, eq=False, repr=False)
class Sticker(Coordinate):
    """Where one sticker of a piece is: only a size and a rank."""

    sticker: int = 0
    values: int = 24

    @property
    def size(self) -> int:
        return self.values

    def rank(self, vector: Any) -> Any:
        start = self.puzzle.offsets[self.orbit.name]
        found: Any = 0
        for place in range(self.orbit.size):
            turn = (vector[start + self.orbit.size + place] + self.sticker) % 3
            found = found + (vector[start + place] == 0) * (3 * place + turn)
        return found


class Branching(Sticker):
    """Its rank depends on a condition, so it works for one state only."""

    def rank(self, vector: Any) -> Any:
        return 1 if vector[0] == 0 else 0


def test_a_kind_needs_only_a_size_and_a_rank() -> None:
    cube = puzzlekit.load("cube2").puzzle
    one, other = Sticker("one", cube, "corners", 1), Sticker("two", cube, "corners", 2)
    assert sorted(one.reads) == list(range(16))
    assert one.identity != other.identity
    assert one.closed_under(cube.moves("U R F"))
    values = np.arange(24)
    assert np.array_equal(one.rank(one.unrank(values)), values)
    assert one.unrank(5) == {j: int(row[5]) for j, row in one.unrank(values).items()}
    table = np.array([[one.rank(cube.apply(cube.solved, [m])) for m in cube.moves("U R F")]])
    with tempfile.TemporaryDirectory() as root:
        data = move_table(puzzlekit.TableStore(root), one, cube.moves("U R F")).data
    assert np.asarray(data).reshape(24, 3)[one.rank(cube.solved)].tolist() == table[0].tolist()


@pytest.mark.parametrize(
    ("coordinate", "words"),
    [
        (Sticker("one", CUBE3, "corners", values=23), "has the rank 23, but `size` is 23"),
        (Sticker("one", CUBE3, "corners", values=25), "finds 24 of its 25 values; correct `size`"),
        (Sticker("one", CUBE3, "corners", values=1 << 23), "Sticker must define `unrank`"),
        (Branching("one", CUBE3, "corners"), "Branching must define `reads` and `parameters`"),
    ],
)
def test_what_a_kind_lacks_is_told(coordinate: Coordinate, words: str) -> None:
    with pytest.raises(DeclarationError, match=words):
        coordinate.unrank(0)


FORMULAS: tuple[Any, ...] = (
    lambda a, b: (a - b) // 3 + (a - 5) % 4 * 7,
    lambda a, b: -a * 1 + 0 * b + (a <= b) + 2 * (a > b) + 4 * (a != b) + 8 * (a >= 4),
    lambda a, b: (a & b) | (a ^ 5) & 12,
    lambda a, b: look_up((7, 1, 8), (a - 3) % 3 - 2) + 100 // (b + 1) - 9 % (a + 2),
    lambda a, b: np.int64(3) * a + True * b,
    lambda a, b: 6,
)


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("module", [ranks, plain()], ids=["installed", "interpreted"])
def test_operations_in_the_engine_are_those_of_python(module: Any, formula: Any) -> None:
    program = array("i", traced(lambda vector: formula(vector[0], vector[1])))
    for a, b in product(range(9), range(9)):
        assert module.rank(program, bytes([a, b])) == formula(a, b)


@pytest.mark.parametrize(
    "rank",
    [
        lambda vector: 1 if vector[0] > 2 else 0,
        lambda vector: vector[0] / 2,
        lambda vector: vector[0] * 0.5,
        lambda vector: [4, 5, 6][vector[0]],
        lambda vector: sum(vector),
        lambda vector: len(vector),
        lambda vector: vector[0] + (1 << 40),
        lambda vector: sum(vector[j] * vector[k] for j in range(60) for k in range(60)),
    ],
)
def test_a_rank_that_the_engine_cannot_run_is_found_out(rank: Any) -> None:
    with pytest.raises(TypeError):
        traced(rank)


def test_a_coordinate_of_ones_own_solves() -> None:
    known = puzzlekit.load("cube2")
    free = "ULB UBR URF UFL DRB DFR DLF"
    turned = Reversed("turned", known.puzzle, "corners", free)
    placed = Permutation("placed", known.puzzle, "corners", free, free)
    phase = puzzlekit.Phase("solve", "solved", "U R F", (turned, placed), ("turned", "placed"))
    method = puzzlekit.Method("own", "", (phase,), fixed={"corners": "DBL"})
    solver = puzzlekit.Solver(known.puzzle, [method], known.store)
    assert solver.solve("R U F2 R' U").cost == known.solve("R U F2 R' U").cost


def test_ranks_that_do_not_fit_together_are_told() -> None:
    wrong = Halved("halved", CUBE3, "corners")
    with pytest.raises(DeclarationError, match="halved"):
        move_table(puzzlekit.TableStore(), wrong, [CUBE3.move("R")])
