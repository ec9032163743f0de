"""The 5x5x5, 6x6x6 and 7x7x7 as puzzles: numbers of states, notation, metrics, stickers, faults."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from math import factorial

import pytest
from bundled import StickerCube
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlekit
from puzzlekit import NotationError, Puzzle, StateError
from puzzlekit.puzzle.diagnose import diagnose, state_parity
from puzzlekit.puzzle.net import facelets
from puzzlekit.puzzle.random_states import random_state
from puzzlekit.puzzle.sticker_reading import read_facelets
from puzzlekit_authoring.checks import Check
from puzzlekit_authoring.run import parametrize_with_checks
from puzzlekit_cubes.geometry import FACES, NORMALS, sticker_numbers
from puzzlekit_universal.places import Places

SIZES = (5, 6, 7)
CUBES = {size: puzzlekit.load(f"cube{size}").puzzle for size in SIZES}
STICKERS = {size: StickerCube(size) for size in SIZES}
HELD = [
    f"{tilt} {spin}" for tilt in ("", "x", "x2", "x'", "z", "z'") for spin in ("", "y", "y2", "y'")
]
# The numbers of states of a cube whose holding does not matter, as they are known.
STATES = {
    5: 282870942277741856536180333107150328293127731985672134721536000000000000000,
    6: int(
        "15715285840102406328101395951948377150851079031396874234469468482950262988716857"
        "3442107637760000000000000000000000000"
    ),
    7: int(
        "19500551183731307835329126754019748794904992692043434567152132912323232706135469"
        "18006527871275585336068232855171913731129999360000000000000000000000000000000000"
        "0"
    ),
}


def after(cube: Puzzle, text: str) -> bytes:
    return cube.apply(cube.solved, cube.moves(text))


def at(cube: Puzzle, orbit: str, place: str) -> tuple[int, ...]:
    assert cube.layout is not None
    return cube.layout.places[orbit][cube.orbit(orbit).place(place)]


def exchanged(text: str, one: tuple[int, ...], other: tuple[int, ...]) -> str:
    letters = list(text)
    for i, j in zip(one, other, strict=True):
        letters[i], letters[j] = letters[j], letters[i]
    return "".join(letters)


def faults(cube: Puzzle, text: str) -> list[str]:
    with pytest.raises(StateError) as caught:
        read_facelets(cube, text)
    return caught.value.faults


sizes = st.sampled_from(SIZES)


@st.composite
def positions(draw: st.DrawFn) -> tuple[Puzzle, bytes, str]:
    """A cube, one of its states, and moves."""
    cube = CUBES[draw(sizes)]
    state = random_state(cube, random.Random(draw(st.integers(0, 2**32))))
    moves = st.builds(
        str.__add__, st.sampled_from(list(cube.turns)), st.sampled_from(["", "2", "'"])
    )
    return cube, state, " ".join(draw(st.lists(moves, max_size=15)))


# --- states -------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_numbers_of_states(size: int) -> None:
    """The product over the orbits, halved for each constraint, is the number in the literature."""
    cube = CUBES[size]
    count = 1
    for orbit in cube.orbits:
        if orbit.name in cube.frames:
            continue
        count *= factorial(orbit.size)
        for alike in Counter(orbit.solved).values():
            count //= factorial(alike)
        if orbit.orientations > 1:
            count *= orbit.orientations ** (orbit.size - 1)
    # On an odd cube the centers show the holding; the parity of midges is that of the corners.
    assert count // (2 if size % 2 else 24) == STATES[size]


@pytest.mark.parametrize("size", SIZES)
def test_every_sticker_is_in_the_place_that_its_name_says(size: int) -> None:
    cube = CUBES[size]
    assert cube.layout is not None
    every = list(sticker_numbers(size))
    found = []
    for orbit in cube.orbits:
        for name, shown in zip(orbit.places, cube.layout.places[orbit.name], strict=True):
            found += shown
            faces = [letter for letter in name if letter.isupper()]
            assert [FACES[i // size**2] for i in shown] == faces
            for i in shown:
                point = [max(1 - size, min(size - 1, c)) for c in every[i]]
                layers = [(size + 1 - abs(c)) // 2 for c in point]
                letters = name
                for axis, layer in enumerate(layers):
                    side = 1 if point[axis] > 0 else -1
                    face = next(f for f, n in NORMALS.items() if n == (axis, side))
                    spelt = {1: face, 2: face.lower()}.get(layer, f"{layer}{face.lower()}")
                    if point[axis]:
                        assert spelt in letters
                        letters = letters.replace(spelt, "", 1)
                assert letters == ""
    assert sorted(found) == list(range(6 * size**2))


@pytest.mark.parametrize("size", SIZES)
def test_no_move_mixes_two_orbits_and_some_moves_lead_from_each_place_to_each(size: int) -> None:
    cube = CUBES[size]
    for orbit in cube.orbits:
        start = cube.offsets[orbit.name]
        reached = {start}
        fresh = [start]
        for byte in fresh:
            new = {move[0].index(byte) for move in cube.turns.values()} - reached
            reached |= new
            fresh += new
        assert reached == set(range(start, start + orbit.size))


@pytest.mark.parametrize("size", [6, 7])
def test_left_and_right_obliques_are_mirror_images(size: int) -> None:
    cube = CUBES[size]
    left, right = cube.orbit("left-obliques"), cube.orbit("right-obliques")
    mirror = str.maketrans("rlRL", "lrLR")
    mirrored = {frozenset(at(cube, "left-obliques", name)) for name in left.places}
    assert len(mirrored) == 24 and "Ub3l" in left.places and "Ub3r" in right.places
    assert sorted(sorted(name.translate(mirror)) for name in left.places) == sorted(
        map(sorted, right.places)
    )


@pytest.mark.parametrize("size", SIZES)
def test_random_states_have_every_parity(size: int) -> None:
    cube = CUBES[size]
    rng = random.Random(4)
    wings = [orbit for orbit in cube.orbits if "wing" in orbit.piece]
    seen = set()
    for _ in range(40):
        state = random_state(cube, rng)
        assert diagnose(cube, state) == []
        seen.add(tuple(state_parity(cube, [orbit], state) for orbit in [*wings, cube.orbits[0]]))
    assert len(seen) == 2 ** (len(wings) + 1)


# --- notation and metrics -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "text", "expected"),
    [
        (5, "Rw 3Rw 3Uw2 2R", "Rw 3Rw 3Uw2 2R"),
        (5, "r 3r 2Rw 4r'", "Rw 3Rw Rw 4Rw'"),
        (5, "3R 3L' 4R M m s' e2", "M' M' 2L' M 2-4Lw 2-4Fw' 2-4Dw2"),
        (5, "2-3Rw 2-3r' 3-4Lw 1-3Rw 3-5Rw2 2-4Rw", "2-3Rw 2-3Rw' 2-3Rw' 3Rw 3Lw2 2-4Lw'"),
        (6, "m 3-4r 4R 2-5Uw 4-5Uw", "2-5Lw 3-4Lw' 3L' 2-5Dw' 2-3Dw'"),
        (7, "3Fw2 4R 2-6Fw 3-5Rw 2-5Rw", "3Fw2 M' 2-6Fw 3-5Lw' 2-5Rw"),
        (7, "U22-3Rw2 R 3Rw2", "U2 2-3Rw2 R 3Rw2"),
    ],
)
def test_notation(size: int, text: str, expected: str) -> None:
    assert CUBES[size].notation.format(CUBES[size].notation.parse(text)) == expected


@pytest.mark.parametrize(
    ("size", "token", "hint"),
    [
        (5, "5L", "that is the layer R, turned the other way"),
        (7, "7Rw", "that would turn the whole cube: write x"),
        (5, "1-5Rw", "that would turn the whole cube: write x, y or z"),
        (5, "6R", "a 5x5x5 has only 5 layers"),
        (5, "3-6Rw", "a 5x5x5 has no layers 3 to 6"),
        (5, "Q", "faces are U R F D L B, wide turns Rw and 3Rw, inner slices 2R, slices M E S, "),
    ],
)
def test_what_is_not_there(size: int, token: str, hint: str) -> None:
    with pytest.raises(NotationError) as caught:
        CUBES[size].moves(f"U {token} R")
    assert (caught.value.token, caught.value.column) == (token, 3)
    assert caught.value.hint.startswith(hint)


@pytest.mark.parametrize("size", SIZES)
def test_every_block_of_layers_is_one_move(size: int) -> None:
    """It equals the turns of its layers, and costs 1 in BTM. In OBTM only outer blocks cost 1."""
    cube = CUBES[size]
    layers = [f"{layer}R" for layer in range(size + 1)]
    layers[1], layers[size] = "R", "L'"
    for first, last in combinations(range(1, size + 1), 2):
        if last - first == size - 1:
            continue
        text = f"{first}-{last}Rw"
        (move,) = cube.moves(text)
        assert after(cube, text) == after(cube, " ".join(layers[first : last + 1]))
        outer = first == 1 or last == size
        found = {name: cube.metric(name).cost(move) for name in ("OBTM", "BTM", "STM")}
        count = last - first + 1
        assert found == {"OBTM": 1 if outer else 2, "BTM": 1, "STM": min(count, size - count)}


@pytest.mark.slow
@given(positions())
def test_moves_are_written_as_they_are_read(given: tuple[Puzzle, bytes, str]) -> None:
    cube, _, text = given
    assert cube.notation.format(cube.notation.parse(text)) == " ".join(text.split())


# --- stickers -----------------------------------------------------------------------------------


@settings(deadline=None)
@given(positions())
def test_stickers_are_carried_as_on_the_sticker_cube(given: tuple[Puzzle, bytes, str]) -> None:
    cube, state, text = given
    size = int(cube.name[-1])
    assert set(STICKERS[size].turns) == set(cube.turns)
    moved = cube.apply(state, cube.moves(text))
    assert facelets(cube, moved) == STICKERS[size].replay(facelets(cube, state), text)


@pytest.mark.slow
@settings(deadline=None)
@given(positions(), st.sampled_from(HELD), st.sampled_from([FACES, "WRGYOB", "WRGBOY"]))
def test_round_trip_in_every_holding(
    given: tuple[Puzzle, bytes, str], held: str, symbols: str
) -> None:
    cube, state, _ = given
    state = cube.apply(state, cube.moves(held))
    text = facelets(cube, state)
    assert len(text) == 6 * int(cube.name[-1]) ** 2
    renamed = text.translate(str.maketrans(FACES, symbols))
    assert read_facelets(cube, renamed) == read_facelets(cube, renamed, symbols) == state


@pytest.mark.parametrize("size", SIZES)
def test_a_solved_cube_is_solved_however_held(size: int) -> None:
    cube = CUBES[size]
    held = {after(cube, text) for text in HELD}
    assert held == cube.solved_states and len(held) == 24
    assert all(STICKERS[size].is_solved(facelets(cube, state)) for state in held)


@pytest.mark.parametrize("size", SIZES)
def test_the_net_shows_every_sticker_once(size: int) -> None:
    layout = CUBES[size].layout
    assert layout is not None and layout.viewer == f"{size}x{size}x{size}"
    shown = [sticker for row in layout.net for sticker in row if sticker is not None]
    assert sorted(shown) == list(range(6 * size**2))


# --- what is legal, and what is not -------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "orbit", "one", "other"),
    [
        (5, "wings", "UFr", "FUl"),
        (5, "x-centers", "Ufr", "Dfr"),
        (5, "t-centers", "Uf", "Ru"),
        (6, "inner-wings", "UF3r", "DB3r"),
        (6, "left-obliques", "Uf3r", "Fd3l"),
        (7, "outer-t-centers", "Uf", "Lu"),
        (7, "inner-t-centers", "U3f", "L3u"),
        (7, "right-obliques", "U3fr", "R3ub"),
    ],
)
def test_any_parity_of_wings_and_centers_is_legal(
    size: int, orbit: str, one: str, other: str
) -> None:
    cube = CUBES[size]
    text = exchanged(facelets(cube, cube.solved), at(cube, orbit, one), at(cube, orbit, other))
    state = read_facelets(cube, text)
    assert diagnose(cube, state) == [] and facelets(cube, state) == text


@pytest.mark.parametrize("size", [5, 7])
def test_faults_of_midges(size: int) -> None:
    cube = CUBES[size]
    solved = facelets(cube, cube.solved)
    uf, ur = at(cube, "midges", "UF"), at(cube, "midges", "UR")
    assert faults(cube, exchanged(solved, uf[:1], uf[1:])) == ["midge UF is flipped"]
    assert faults(cube, exchanged(solved, uf, ur)) == [
        "parity: two corners or two midges are exchanged"
    ]


def test_faults_of_wings_and_centers_are_named_by_their_orbits() -> None:
    cube = CUBES[7]
    solved = facelets(cube, cube.solved)
    first, second = at(cube, "inner-wings", "UF3r")
    assert faults(cube, exchanged(solved, (first,), (second,))) == [
        "inner wing UF3r is missing",
        "inner wing FU3l is there twice: at UF3r and at FU3l",
    ]
    one, other = at(cube, "left-obliques", "Ub3l"), at(cube, "outer-x-centers", "Rub")
    assert faults(cube, exchanged(solved, one, other)) == [
        "5 outer x-centers of U instead of 4",
        "3 outer x-centers of R instead of 4",
        "3 left obliques of U instead of 4",
        "5 left obliques of R instead of 4",
    ]


# --- answers ------------------------------------------------------------------------------------


def test_moves_that_only_hold_the_cube_otherwise_are_left_out() -> None:
    """The words of `universal` have no 4Rw of a 5x5x5, which is L and a rotation."""
    for size, families in ((5, 30), (6, 48), (7, 63)):
        cube = CUBES[size]
        moves = Places.of(cube, cube.metric("OBTM")).moves
        assert len(moves) == 3 * families
        assert all(
            2 * int(move.name[0]) <= size for move in moves if move.name[1:3] in ("Rw", "Lw")
        )


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
def test_states_are_solved(size: int) -> None:
    solver = puzzlekit.load(f"cube{size}")
    cube = solver.puzzle
    chosen = random.Random(size)
    moves = cube.family_moves(family for family in cube.turns if family not in cube.rotations)
    for length in (1, 2, 3):
        for _ in range(5):
            scramble = chosen.choices(moves, k=length)
            found = solver.solve(cube.apply(cube.solved, scramble), method="universal")
            assert found.cost <= cube.metrics[0].total(scramble)
    for seed in range(3):
        state = solver.random_state(seed)
        found = solver.solve(state, method="universal")
        assert cube.is_solved(cube.apply(state, found.sequence))


@pytest.mark.long
@parametrize_with_checks("cube5", "cube6", "cube7", effort="quick")
def test_large_cubes_conform(check: Check) -> None:
    check()
