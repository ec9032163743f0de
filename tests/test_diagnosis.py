"""Every fault of a state is named, and nothing is said of a state that is sound."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlekit import EvenParity, Orbit, OrientationSum, Puzzle
from puzzlekit.errors import DeclarationError, StateError
from puzzlekit.puzzle.diagnose import check, diagnose
from puzzlekit.puzzle.orbit import Blocks, Constraint
from puzzlekit.puzzle.random_states import random_state
from puzzlekit_cubes import cube_puzzle

CUBE2 = cube_puzzle("cube2", 2)
CUBE3 = cube_puzzle("cube3", 3)


def put(
    puzzle: Puzzle, state: bytes, orbit: str, values: dict[str, int], turned: bool = False
) -> bytes:
    """The state with other labels, or orientations, at named places of an orbit."""
    changed = bytearray(state)
    found = puzzle.orbit(orbit)
    start = puzzle.offsets[orbit] + (found.size if turned else 0)
    for place, value in values.items():
        changed[start + found.place(place)] = value
    return bytes(changed)


def turn(state: bytes, orbit: str, **turns: int) -> bytes:
    """The state of the 3x3x3 with pieces turned on the spot."""
    found = CUBE3.orbit(orbit)
    orientations = CUBE3.orientations(state, found)
    values = {
        place: (orientations[found.place(place)] + by) % found.orientations
        for place, by in turns.items()
    }
    return put(CUBE3, state, orbit, values, turned=True)


def exchange(state: bytes, orbit: str, first: str, second: str) -> bytes:
    found = CUBE3.orbit(orbit)
    labels = CUBE3.labels(state, found)
    values = {first: labels[found.place(second)], second: labels[found.place(first)]}
    return put(CUBE3, state, orbit, values)


def test_flips_are_counted_beside_unknown_pieces() -> None:
    state = turn(CUBE3.solved, "edges", UF=1, UR=1, DF=1)
    state = put(CUBE3, state, "corners", {"URF": 99})
    *_, missing, flip = diagnose(CUBE3, state)
    assert missing == "corner URF is missing"
    assert flip.startswith("edge flip: an odd number of edges is flipped")


@pytest.mark.parametrize(
    ("constraint", "problem"),
    [
        (OrientationSum("edge"), "no orbit 'edge'"),
        (EvenParity(("edges", "corners")), "no orbit 'corners'"),
        (Blocks("edges", ("A B", "C")), "blocks of edges must have the same size"),
        (Blocks("edges", ("A B", "C A")), "each place must be in exactly one block"),
    ],
)
def test_constraints_are_on_orbits_as_they_are(constraint: Constraint, problem: str) -> None:
    edges = Orbit("edges", "edge", "A B C D", orientations=2)
    with pytest.raises(DeclarationError, match=problem):
        Puzzle("ring", "four edges", (edges,), {}, (), constraints=(constraint,))


@settings(deadline=None)
@given(st.sampled_from([CUBE2, CUBE3]), st.data())
def test_turned_states_are_sound(puzzle: Puzzle, data: st.DataObject) -> None:
    names = data.draw(st.lists(st.sampled_from(sorted(puzzle.turns)), max_size=20))
    state = puzzle.apply(puzzle.solved, map(puzzle.move, names))
    assert diagnose(puzzle, state) == []
    check(puzzle, state)


def test_check_raises_all_at_once() -> None:
    state = turn(turn(CUBE3.solved, "corners", URF=2), "edges", UL=1)
    with pytest.raises(StateError) as caught:
        check(CUBE3, state)
    assert caught.value.faults == ["corner URF is twisted counter-clockwise", "edge UL is flipped"]


def test_length() -> None:
    assert diagnose(CUBE2, bytes(3)) == ["state of 3 bytes instead of 16"]


def test_labels_and_orientations_out_of_range() -> None:
    state = put(CUBE3, CUBE3.solved, "corners", {"URF": 77})
    state = put(CUBE3, state, "corners", {"UFL": 3}, turned=True)
    state = put(CUBE3, state, "edges", {"UF": 200}, turned=True)
    assert diagnose(CUBE3, state) == [
        "corner at URF: there is no corner with label 77",
        "corner URF is missing",
        "corner at UFL: orientation 3 is not 0 to 2",
        "edge at UF: orientation 200 is not 0 to 1",
    ]


def test_missing_and_double_pieces() -> None:
    corners = CUBE3.orbit("corners")
    urf = corners.place("URF")
    state = put(CUBE3, CUBE3.solved, "corners", {"UFL": urf, "DFR": urf})
    assert diagnose(CUBE3, state) == [
        "corner URF is there 3 times: at URF, at UFL and at DFR",
        "corner UFL is missing",
        "corner DFR is missing",
    ]


def test_bad_corners_do_not_hide_bad_edges_nor_centers() -> None:
    state = put(CUBE3, CUBE3.solved, "corners", {"UFL": CUBE3.orbit("corners").place("URF")})
    state = exchange(turn(state, "edges", UF=1), "centers", "U", "F")
    assert diagnose(CUBE3, state) == [
        "corner URF is there twice: at URF and at UFL",
        "corner UFL is missing",
        "centers: impossible however the puzzle is held: F at U, U at F",
        "edge UF is flipped",
    ]


def test_a_double_piece_makes_no_noise() -> None:
    """Orientation sum and parity of an orbit say nothing while a piece of it is wrong."""
    state = put(CUBE3, CUBE3.solved, "edges", {"UF": CUBE3.orbit("edges").place("UB")})
    state = turn(state, "edges", DF=1)
    assert len(diagnose(CUBE3, state)) == 2


@pytest.mark.parametrize(("by", "word"), [(1, "clockwise"), (2, "counter-clockwise")])
@pytest.mark.parametrize("moves", ["", "x", "y' z2"])
def test_one_twisted_corner_is_named_however_held(by: int, word: str, moves: str) -> None:
    held = CUBE3.apply(CUBE3.solved, CUBE3.moves(moves))
    place = "DLF"
    label = CUBE3.labels(held, CUBE3.orbit("corners"))[CUBE3.orbit("corners").place(place)]
    name = CUBE3.orbit("corners").label_name(label)
    where = "" if name == place else f" at {place}"
    assert diagnose(CUBE3, turn(held, "corners", DLF=by)) == [
        f"corner {name}{where} is twisted {word}"
    ]


def test_a_moved_piece_is_named_with_its_place() -> None:
    state = CUBE3.apply(CUBE3.solved, CUBE3.moves("U"))
    assert diagnose(CUBE3, turn(state, "edges", UL=1)) == ["edge UF at UL is flipped"]


def test_twist_in_a_scrambled_cube() -> None:
    scrambled = CUBE3.apply(CUBE3.solved, CUBE3.moves("R U F' L2 D B' R2 F U'"))
    for by, word in ((1, "clockwise"), (2, "counter-clockwise")):
        assert diagnose(CUBE3, turn(scrambled, "corners", URF=by)) == [
            f"corner twist: the corners are twisted {word} by one third in total: "
            "one of them is twisted"
        ]
    assert diagnose(CUBE3, turn(scrambled, "edges", UF=1)) == [
        "edge flip: an odd number of edges is flipped: one of them is flipped wrongly"
    ]


def test_parity() -> None:
    scrambled = CUBE3.apply(CUBE3.solved, CUBE3.moves("x R U F' M2 y"))
    words = ["parity: two corners or two edges are exchanged"]
    for state in (CUBE3.solved, scrambled):
        assert diagnose(CUBE3, exchange(state, "edges", "UF", "DB")) == words
        assert diagnose(CUBE3, exchange(state, "corners", "URF", "DFR")) == words
        both = exchange(exchange(state, "corners", "URF", "DFR"), "edges", "UF", "DB")
        assert diagnose(CUBE3, both) == []


def test_centers_turned_against_the_rest() -> None:
    """Centers in a legal holding, but one that corners and edges cannot be in."""
    held = CUBE3.apply(CUBE3.solved, CUBE3.moves("x"))
    centers = CUBE3.orbit("centers")
    labels = CUBE3.labels(held, centers)
    state = put(CUBE3, CUBE3.solved, "centers", dict(zip(centers.places, labels, strict=True)))
    assert diagnose(CUBE3, state) == ["parity: two corners or two edges are exchanged"]


def test_opposite_centers_exchanged() -> None:
    held = CUBE3.apply(CUBE3.solved, CUBE3.moves("y"))
    (fault,) = diagnose(CUBE3, exchange(held, "centers", "U", "D"))
    assert fault == "centers: impossible however the puzzle is held: D at U, U at D"


def test_the_other_pieces_say_how_the_centers_should_be() -> None:
    """A cycle of U, F and B is two centers away from other holdings."""
    words = "centers: impossible however the puzzle is held: "
    state = exchange(exchange(CUBE3.solved, "centers", "U", "F"), "centers", "F", "B")
    assert diagnose(CUBE3, state) == [words + "F at U, B at F, U at B"]
    held = CUBE3.apply(CUBE3.solved, CUBE3.moves("x"))
    state = exchange(exchange(held, "centers", "U", "F"), "centers", "F", "R")
    (fault,) = diagnose(CUBE3, state)
    assert fault == words + "D at U, F at R, R at F"
    (fault,) = diagnose(CUBE3, exchange(held, "centers", "U", "F"))
    assert fault == words + "D where F belongs, F where D belongs"


def test_no_center_is_named_at_its_place() -> None:
    scrambled = CUBE3.apply(CUBE3.solved, CUBE3.moves("R U F' L2"))
    state = exchange(exchange(scrambled, "centers", "U", "F"), "centers", "F", "B")
    (fault,) = (fault for fault in diagnose(CUBE3, state) if fault.startswith("centers"))
    assert not any(f"{face} at {face}" in fault for face in "URFDLB")


def test_alike_pieces() -> None:
    dots = Orbit("dots", "dot", "a b c d", solved=(5, 5, 6, 6))
    puzzle = Puzzle("dots", "", (dots,), {}, ())
    assert diagnose(puzzle, bytes([6, 5, 6, 5])) == []
    assert diagnose(puzzle, bytes([5, 5, 5, 6])) == [
        "3 dots of a instead of 2",
        "1 dot of c instead of 2",
    ]


def test_more_than_three_orientations() -> None:
    tiles = Orbit("tiles", "tile", "a b", orientations=5)
    puzzle = Puzzle("tiles", "", (tiles,), {}, (), constraints=(OrientationSum("tiles"),))
    assert diagnose(puzzle, bytes([0, 1, 3, 0])) == ["tile a is twisted by 3 of 5"]
    assert diagnose(puzzle, bytes([0, 1, 3, 2])) == []
    assert diagnose(puzzle, bytes([0, 1, 3, 3])) == [
        "tile twist: the tiles are twisted by 1 of 5 in total: one of them is twisted"
    ]


def test_parity_of_labels_that_are_not_places() -> None:
    tiles = Orbit("tiles", "tile", "a b c", solved=(7, 9, 8))
    puzzle = Puzzle("tiles", "", (tiles,), {}, (), constraints=(EvenParity(("tiles",)),))
    assert diagnose(puzzle, bytes([9, 8, 7])) == []
    assert diagnose(puzzle, bytes([7, 8, 9])) == ["parity: two tiles are exchanged"]


def test_unread_bytes_are_not_named_again() -> None:
    state = put(CUBE3, CUBE3.solved, "corners", {"URF": 255})
    place = CUBE3.orbit("corners").place("URF")
    assert diagnose(CUBE3, state, {place, place + 8}) == ["corner URF is missing"]
    twisted = turn(CUBE3.solved, "corners", URF=1)
    assert diagnose(CUBE3, twisted, {place + 8}) == []


def test_fast_enough() -> None:
    state = random_state(CUBE3, random.Random(1))
    start = time.process_time()
    for _ in range(200):
        diagnose(CUBE3, state)
    assert time.process_time() - start < 200 * 0.1e-3
