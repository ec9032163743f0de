"""The 4x4x4 as a puzzle: geometry, group theory, notation, metrics, stickers, faults."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from bundled import StickerCube
from hypothesis import given
from hypothesis import strategies as st

from puzzlekit import Move, Orbit
from puzzlekit.errors import DeclarationError, NotationError, StateError
from puzzlekit.puzzle.diagnose import diagnose, state_parity
from puzzlekit.puzzle.move import permutation_parity
from puzzlekit.puzzle.net import facelets
from puzzlekit.puzzle.random_states import random_state
from puzzlekit.puzzle.sticker_reading import read_facelets
from puzzlekit_cube4 import puzzle
from puzzlekit_cubes import cube_puzzle
from puzzlekit_cubes.cube_places import EDGES
from puzzlekit_cubes.geometry import FACES, NORMALS, Point, sticker_numbers
from puzzlekit_cubes.turns import OPPOSITE

DATA = Path(__file__).parent / "data"
EXAMPLES = [
    (moves, looks)
    for size, moves, looks in re.findall(
        r"^(\d) \| (.*) \| (\w+)$", (DATA / "notation_examples.txt").read_text(), re.MULTILINE
    )
    if size == "4"
]
CUBE = puzzle()
CORNERS, WINGS, CENTERS = CUBE.orbits
STICKERS = StickerCube(4)
SOLVED = "".join(face * 16 for face in FACES)
OUTER = list(FACES)
WIDE = [face + "w" for face in FACES]
THICK = ["3" + face + "w" for face in FACES]
SLICES = ["2" + face for face in FACES]
ROTATIONS = list("xyz")
MIDDLE = ["2-3Lw", "2-3Dw", "2-3Fw"]
LOW, HIGH = set(range(12)), set(range(12, 24))
# Every way to hold the cube: which face is up, and then which one is in front.
HELD = [
    f"{tilt} {spin}" for tilt in ("", "x", "x2", "x'", "z", "z'") for spin in ("", "y", "y2", "y'")
]
COLOURS = "WRGYOB"


def after(text: str, state: bytes = CUBE.solved) -> bytes:
    return CUBE.apply(state, CUBE.moves(text))


def source(move: Move, orbit: Orbit) -> list[int]:
    """Where what a move brings to each place of an orbit comes from, places counted from 0."""
    start = CUBE.offsets[orbit.name]
    return [i - start for i in move.gather[start : start + orbit.size]]


def parities(move: Move) -> tuple[int, ...]:
    """How a move permutes the places of corners, wings and centers."""
    return tuple(permutation_parity(source(move, orbit)) for orbit in CUBE.orbits)


def rename(text: str, symbols: str) -> str:
    return text.translate(str.maketrans(FACES, symbols))


def at(orbit: Orbit, place: str) -> tuple[int, ...]:
    """The stickers of a place."""
    assert CUBE.layout is not None
    return CUBE.layout.places[orbit.name][orbit.place(place)]


def exchanged(text: str, one: Iterable[int], other: Iterable[int]) -> str:
    letters = list(text)
    for i, j in zip(one, other, strict=True):
        letters[i], letters[j] = letters[j], letters[i]
    return "".join(letters)


def painted(text: str, stickers: Iterable[int], colours: str) -> str:
    letters = list(text)
    for i, colour in zip(stickers, colours, strict=True):
        letters[i] = colour
    return "".join(letters)


def faults(text: str, scheme: str | None = None) -> list[str]:
    with pytest.raises(StateError) as caught:
        read_facelets(CUBE, text, scheme)
    return caught.value.faults


@st.composite
def sequences(draw: st.DrawFn) -> str:
    names = st.sampled_from([*OUTER, *WIDE, *THICK, *SLICES, *MIDDLE, *ROTATIONS])
    amounts = st.sampled_from(["", "2", "'"])
    return " ".join(draw(st.lists(st.builds(str.__add__, names, amounts), max_size=25)))


states = st.integers(0, 2**32).map(lambda seed: random_state(CUBE, random.Random(seed)))


# --- places -------------------------------------------------------------------------------------


def direction(face: str) -> Point:
    axis, side = NORMALS[face.upper()]
    x, y, z = (side * (axis == i) for i in range(3))
    return x, y, z


def cubie(orbit: Orbit, place: int) -> set[Point]:
    """Where the stickers of a place are, moved onto the cubie that bears them."""
    assert CUBE.layout is not None
    every = list(sticker_numbers(4))
    points = (every[facelet] for facelet in CUBE.layout.places[orbit.name][place])
    return {tuple(max(-3, min(3, c)) for c in point) for point in points}  # type: ignore[misc]


@pytest.mark.parametrize("orbit", CUBE.orbits, ids=lambda orbit: orbit.name)
def test_places_are_where_their_names_say(orbit: Orbit) -> None:
    for i, name in enumerate(orbit.places):
        point = [0, 0, 0]
        for letter in name:
            axis, side = NORMALS[letter.upper()]
            point[axis] = side * (3 if letter.isupper() else 1)
        assert cubie(orbit, i) == {tuple(point)}
        # Each face is named that the place touches, and for a wing or center what it is next to.
        assert sorted(NORMALS[letter.upper()][0] for letter in name) == [0, 1, 2]
        assert [FACES[sticker // 16] for sticker in at(orbit, name)] == [
            letter for letter in name if letter.isupper()
        ]


def test_every_sticker_is_in_one_place() -> None:
    assert CUBE.layout is not None
    found = [s for places in CUBE.layout.places.values() for place in places for s in place]
    assert sorted(found) == list(range(96))


def test_wings_are_named_in_right_handed_order() -> None:
    for name in WINGS.places:
        (a, b, c), (d, e, f), (g, h, i) = map(direction, name)
        assert a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) == 1


def test_low_and_high_wings_are_two_orbits_with_one_wing_of_each_edge() -> None:
    keeping = CUBE.moves("U D F B R2 L2 Uw2 Rw2 Fw2")

    def reached_from(name: str) -> set[int]:
        reached = {WINGS.place(name)}
        fresh = list(reached)
        while fresh:
            place = fresh.pop()
            new = {source(move, WINGS).index(place) for move in keeping} - reached
            reached |= new
            fresh += new
        return reached

    assert reached_from("UFr") == LOW
    assert reached_from("FUl") == HIGH
    for half in (WINGS.places[:12], WINGS.places[12:]):
        assert [set(name[:2]) for name in half] == [set(edge) for edge in EDGES.split()]


def test_centers_stand_in_the_order_of_their_stickers() -> None:
    found = [at(CENTERS, name)[0] for name in CENTERS.places]
    assert found == sorted(found)
    assert CENTERS.solved == tuple(FACES.index(name[0]) for name in CENTERS.places)


def test_no_orbit_can_be_inverted_whose_pieces_are_alike() -> None:
    assert CORNERS.distinct and WINGS.distinct and not CENTERS.distinct
    assert not CUBE.invertible
    assert cube_puzzle("cube3", 3).invertible


@pytest.mark.parametrize("size", [-1, 0, 1, 8, 11])
def test_other_sizes_are_refused(size: int) -> None:
    with pytest.raises(DeclarationError, match=f"a cube of {size} layers is not"):
        cube_puzzle("cube", size)


# --- the group ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("families", "expected"),
    [
        (OUTER, (1, 0, 1)),
        (SLICES, (0, 1, 0)),
        (WIDE, (1, 1, 1)),
        (THICK, (1, 0, 1)),
        (ROTATIONS, (0, 0, 0)),
    ],
    ids=["outer", "slices", "wide", "thick", "rotations"],
)
def test_parity_of_quarter_turns(families: list[str], expected: tuple[int, ...]) -> None:
    """Wings are permuted oddly by quarter turns of one inner layer only."""
    for family in families:
        assert parities(CUBE.move(family)) == parities(CUBE.move(family, 3)) == expected
        assert parities(CUBE.move(family, 2)) == (0, 0, 0)


def test_which_moves_keep_low_wings_low() -> None:
    keeping = {
        move.name
        for move in CUBE.family_moves(OUTER + WIDE)
        if {source(move, WINGS)[place] for place in LOW} == LOW
    }
    assert keeping == {
        *(face + amount for face in "UDFB" for amount in ("", "2", "'")),
        *("R2", "L2"),
        *(wide + "2" for wide in WIDE),
    }


def test_a_quarter_turn_of_a_slice_is_one_cycle_of_wings() -> None:
    for family in SLICES:
        places = source(CUBE.move(family), WINGS)
        moved = [i for i in range(24) if places[i] != i]
        assert len(moved) == 4
        assert all(places[places[i]] != i for i in moved)


def test_turns_are_of_order_four() -> None:
    assert list(CUBE.turns) == [*OUTER, *WIDE, *THICK, *SLICES, *MIDDLE, *ROTATIONS]
    assert set(CUBE.notation.orders.values()) == {4}


def test_layers_make_up_wide_turns_and_rotations() -> None:
    for face in FACES:
        for one, other in (
            (f"{face}w", f"{face} 2{face}"),
            (f"3{face}w", f"{face} 2{face} 3{face}"),
            (f"3{face}", f"2{OPPOSITE[face]}'"),
            (f"{face}w {OPPOSITE[face]}w'", f"3{face}w {OPPOSITE[face]}'"),
        ):
            assert after(one) == after(other)
    assert after("x") == after("R 2R 3R L'") == after("Rw Lw'")
    assert after("y") == after("3Uw D'")
    assert after("z") == after("F 3Bw'")


# --- notation and metrics -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("r r2 r'", "Rw Rw2 Rw'"),
        ("2r 2Rw 3r 3Rw'", "Rw Rw 3Rw 3Rw'"),
        ("2R 3R 3R' 3R2 3B", "2R 2L' 2L 2L2 2F'"),
        ("R2U R 2U", "R2 U R 2U"),
        ("R22U u2'", "R2 2U Uw2"),
        ("x y2 z'", "x y2 z'"),
        ("M m2 e' S", "2-3Lw 2-3Lw2 2-3Dw' 2-3Fw"),
        ("2-3Rw 2-3r' 1-2u", "2-3Lw' 2-3Lw Uw"),
    ],
)
def test_notation(text: str, expected: str) -> None:
    assert CUBE.notation.format(CUBE.notation.parse(text)) == expected


@pytest.mark.parametrize(
    ("token", "hint"),
    [
        ("4L", "that is the layer R, turned the other way"),
        ("4Rw", "that would turn the whole cube: write x"),
        ("4l", "that would turn the whole cube: write x'"),
        ("4Dw", "that would turn the whole cube: write y'"),
        ("5R", "a 4x4x4 has only 4 layers"),
        ("2-5Rw", "a 4x4x4 has no layers 2 to 5"),
        ("Q", "faces are U R F D L B, wide turns Rw and 3Rw, inner slices 2R"),
    ],
)
def test_what_is_not_there(token: str, hint: str) -> None:
    with pytest.raises(NotationError) as caught:
        CUBE.moves(f"U {token} R")
    assert (caught.value.token, caught.value.column) == (token, 3)
    assert caught.value.hint.startswith(hint)


def test_the_middle_layer_of_a_small_cube_gets_no_advice_on_slices() -> None:
    with pytest.raises(NotationError) as caught:
        cube_puzzle("cube2", 2).moves("M")
    assert caught.value.hint == "a 2x2x2 has no middle layer"


@pytest.mark.parametrize(
    ("metric", "costs"),
    [("OBTM", (1, 1, 1, 2, 0)), ("STM", (1, 2, 1, 1, 0)), ("BTM", (1, 1, 1, 1, 0))],
)
def test_metrics(metric: str, costs: tuple[int, ...]) -> None:
    for kind, cost in zip((OUTER, WIDE, THICK, SLICES, ROTATIONS), costs, strict=True):
        assert {CUBE.metric(metric).cost(move) for move in CUBE.family_moves(kind)} == {cost}


def test_slice_turns_of_a_3x3x3() -> None:
    """In STM two layers are turned by the third one; in HTM a slice is turned by two layers."""
    cube = cube_puzzle("cube3", 3)
    for kinds, costs in ((OUTER, (1, 1)), (WIDE, (1, 1)), ("MES", (1, 2)), ("xyz", (0, 0))):
        moves = cube.family_moves(kinds)
        found = {tuple(cube.metric(name).cost(move) for name in ("STM", "HTM")) for move in moves}
        assert found == {costs}


def test_names_of_metrics() -> None:
    assert [metric.name for metric in CUBE.metrics] == ["OBTM", "STM", "BTM", "robot", "flip-spin"]
    names = [metric.name for metric in cube_puzzle("cube3", 3).metrics]
    assert names == ["HTM", "QTM", "AXHT", "AXQT", "STM"]
    names = [metric.name for metric in cube_puzzle("cube2", 2).metrics]
    assert names == ["HTM", "QTM", "AXHT", "AXQT"]


# --- stickers -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("scramble", "looks"), EXAMPLES)
def test_examples(scramble: str, looks: str) -> None:
    assert facelets(CUBE, after(scramble)) == looks
    assert read_facelets(CUBE, looks) == after(scramble)
    assert STICKERS.replay(STICKERS.solved, scramble.replace("r", "Rw")) == looks


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == 12


@given(states, sequences())
def test_stickers_are_carried_as_on_the_sticker_cube(state: bytes, scramble: str) -> None:
    assert set(STICKERS.turns) == set(CUBE.turns)
    assert facelets(CUBE, after(scramble, state)) == STICKERS.replay(
        facelets(CUBE, state), scramble
    )


@given(states, st.sampled_from(HELD), st.sampled_from([FACES, COLOURS, "WRGBOY"]))
def test_round_trip_in_every_holding(state: bytes, held: str, symbols: str) -> None:
    state = after(held, state)
    text = rename(facelets(CUBE, state), symbols)
    assert read_facelets(CUBE, text) == read_facelets(CUBE, text, symbols) == state


@given(states, st.permutations("?1#XYZ"))
def test_own_symbols(state: bytes, symbols: list[str]) -> None:
    text = rename(facelets(CUBE, state), "".join(symbols))
    assert read_facelets(CUBE, text, "".join(symbols)) == state
    # No center tells which symbol is which face: any holding may be meant.
    assert read_facelets(CUBE, text) in {CUBE.relabel(state, held) for held in CUBE.whole_rotations}


def test_a_solved_cube_is_solved_however_held() -> None:
    held = {after(text) for text in HELD}
    assert held == CUBE.solved_states and len(held) == 24
    for state in held:
        assert CUBE.is_solved(state) and STICKERS.is_solved(facelets(CUBE, state))
        assert diagnose(CUBE, state) == []
        assert read_facelets(CUBE, facelets(CUBE, state)) == state
    assert not CUBE.is_solved(after("2R"))


def test_states_from_elsewhere() -> None:
    lines = (DATA / "cube4_states.txt").read_text().split()
    assert len(lines) == 100
    for text in lines:
        assert facelets(CUBE, read_facelets(CUBE, text)) == text


def test_random_states() -> None:
    rng = random.Random(4)
    seen = set()
    for _ in range(60):
        state = random_state(CUBE, rng)
        for orbit in CUBE.orbits:
            assert Counter(CUBE.labels(state, orbit)) == Counter(orbit.solved)
        assert sum(CUBE.orientations(state, CORNERS)) % 3 == 0
        assert diagnose(CUBE, state) == []
        seen.add(tuple(state_parity(CUBE, [orbit], state) for orbit in (CORNERS, WINGS)))
    assert seen == {(0, 0), (0, 1), (1, 0), (1, 1)}


def test_the_net_shows_every_sticker_once() -> None:
    assert CUBE.layout is not None
    shown = [sticker for row in CUBE.layout.net for sticker in row if sticker is not None]
    assert sorted(shown) == list(range(96))
    assert CUBE.layout.net[0] == (None, None, None, None, 0, 1, 2, 3)


# --- what is legal, and what is not -------------------------------------------------------------


@pytest.mark.parametrize("held", ["", "x", "y' z2", "Rw U2 Fw' L 2D y' B 3Lw2 U"])
@pytest.mark.parametrize(
    "exchanges",
    [
        [(WINGS, "UFr", "DBr")],
        [(WINGS, "UFr", "FUl")],
        [(CORNERS, "URF", "DFR")],
        [(CORNERS, "URF", "DFR"), (WINGS, "UFr", "URb")],
        [(WINGS, "UFr", "UBl"), (WINGS, "FUl", "BUr")],  # two dedges
        [(CENTERS, "Ufr", "Dfr")],
    ],
    ids=["wings", "dedge-flipped", "corners", "both", "dedges", "centers"],
)
def test_any_parity_is_legal(held: str, exchanges: list[tuple[Orbit, str, str]]) -> None:
    text = facelets(CUBE, after(held))
    for orbit, one, other in exchanges:
        text = exchanged(text, at(orbit, one), at(orbit, other))
    state = read_facelets(CUBE, text)
    assert diagnose(CUBE, state) == []
    assert facelets(CUBE, state) == text


def test_too_many_stickers_of_a_colour() -> None:
    spoilt = painted(SOLVED, at(CENTERS, "Ufr"), "R")
    words = [
        "15 stickers of {} instead of 16",
        "17 stickers of R instead of 16",
        "3 centers of U instead of 4",
        "5 centers of R instead of 4",
    ]
    assert faults(spoilt) == [words[0].format("U"), *words[1:]]
    assert faults(rename(spoilt, COLOURS)) == [words[0].format("W"), *words[1:]]


def test_wrong_numbers_of_centers() -> None:
    """The numbers of stickers are right, for a wing has the wrong colour as well."""
    spoilt = exchanged(SOLVED, at(CENTERS, "Ubl"), at(WINGS, "UFr")[1:])
    assert faults(spoilt) == [
        "wing at UFr shows U U: no wing has these colours",
        "wing UFr is missing",
        "3 centers of U instead of 4",
        "5 centers of F instead of 4",
    ]


@pytest.mark.parametrize(
    ("held", "missing"), [("", "UFr"), ("x", "FDr"), ("y", "URb"), ("z2 y'", "DRf")]
)
def test_a_wing_that_cannot_be(held: str, missing: str) -> None:
    text = facelets(CUBE, after(held))
    first, second = at(WINGS, "UFr")
    spoilt = painted(text, [second], OPPOSITE[text[first]])

    def told(shown: str) -> list[str]:
        return [
            f"wing at UFr shows {' '.join(shown)}: no wing has these colours",
            f"wing {missing} is missing",
        ]

    shown = text[first] + OPPOSITE[text[first]]
    assert faults(spoilt)[-2:] == told(shown)
    # In colour letters the stickers are told as they were typed, the places by their faces.
    assert faults(rename(spoilt, COLOURS), "western")[-2:] == told(rename(shown, COLOURS))


@pytest.mark.parametrize(
    ("held", "twice", "missing"), [("", "UFr", "DBr"), ("x", "FDr", "BUr"), ("y", "URb", "DLb")]
)
def test_the_same_wing_twice(held: str, twice: str, missing: str) -> None:
    text = facelets(CUBE, after(held))
    colours = "".join(text[sticker] for sticker in at(WINGS, "UFr"))
    spoilt = painted(text, at(WINGS, "DBr"), colours)
    for found in (faults(spoilt), faults(rename(spoilt, COLOURS))):
        assert sorted(found[-2:]) == sorted(
            [
                f"wing {twice} is there twice: at UFr and at DBr",
                f"wing {missing} is missing",
            ]
        )


def test_a_wing_with_its_colours_exchanged_is_the_other_one_of_its_edge() -> None:
    first, second = at(WINGS, "UFr")
    assert faults(exchanged(SOLVED, [first], [second])) == [
        "wing UFr is missing",
        "wing FUl is there twice: at UFr and at FUl",
    ]


@pytest.mark.parametrize(
    ("held", "name"), [("", "URF"), ("x", "DFR at URF"), ("y2", "ULB at URF"), ("z'", "DFR at URF")]
)
@pytest.mark.parametrize("symbols", [FACES, COLOURS])
def test_a_twisted_corner(held: str, name: str, symbols: str) -> None:
    text = rename(facelets(CUBE, after(held)), symbols)
    one, two, three = at(CORNERS, "URF")
    clockwise = painted(text, (one, two, three), text[three] + text[one] + text[two])
    assert faults(clockwise) == [f"corner {name} is twisted clockwise"]
    other_way = painted(text, (one, two, three), text[two] + text[three] + text[one])
    assert faults(other_way) == [f"corner {name} is twisted counter-clockwise"]


def test_a_twist_in_a_scrambled_cube() -> None:
    text = facelets(CUBE, after("x Rw U2 Fw' L 2D y' B 3Lw2 U"))
    one, two, three = at(CORNERS, "URF")
    (fault,) = faults(painted(text, (one, two, three), text[three] + text[one] + text[two]))
    assert fault.startswith("corner twist: the corners are twisted clockwise by one third")


@pytest.mark.parametrize("held", ["", "x", "y' z2"])
@pytest.mark.parametrize("symbols", [FACES, COLOURS])
def test_a_corner_in_mirror_order(held: str, symbols: str) -> None:
    text = rename(facelets(CUBE, after(held)), symbols)
    one, two, three = at(CORNERS, "URF")
    shown = f"{text[two]} {text[one]} {text[three]}"
    assert faults(exchanged(text, [one], [two])) == [
        f"corner at URF shows {shown}: its colours are in mirror order"
    ]


def test_a_number_of_stickers() -> None:
    assert faults(SOLVED[:-1]) == ["95 stickers instead of 96", "15 stickers of B instead of 16"]
