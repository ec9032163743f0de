"""How states look, and what is read from stickers, on cubes of 2, 3 and 4 layers."""

from __future__ import annotations

import random
import time
import warnings
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlekit
from puzzlekit import FaceletLayout, Metric, Orbit, Puzzle
from puzzlekit.errors import DeclarationError, StateError, UsageError
from puzzlekit.puzzle.diagnose import diagnose
from puzzlekit.puzzle.move import act
from puzzlekit.puzzle.net import draw_net, facelets
from puzzlekit.puzzle.position import read_position
from puzzlekit.puzzle.random_states import random_state
from puzzlekit.puzzle.sticker_reading import read_facelets, read_facelets_with_scheme
from puzzlekit_cubes import cube_puzzle
from puzzlekit_cubes.geometry import FACES

EXAMPLES = [
    [part.strip() for part in line.split("|")]
    for line in (Path(__file__).parent / "data" / "notation_examples.txt").read_text().splitlines()
    if not line.startswith("#")
]
SIZES = (2, 3, 4)


@cache
def cube(size: int) -> Puzzle:
    return cube_puzzle(f"cube{size}", size)


@st.composite
def turned(draw: st.DrawFn, sizes: tuple[int, ...] = SIZES) -> tuple[Puzzle, bytes]:
    """A cube after random moves, rotations among them."""
    puzzle = cube(draw(st.sampled_from(sizes)))
    families = st.lists(st.sampled_from(sorted(puzzle.turns)), max_size=25)
    return puzzle, puzzle.apply(puzzle.solved, [puzzle.move(name) for name in draw(families)])


def rename(text: str, symbols: str, faces: str = FACES) -> str:
    return text.translate(str.maketrans(faces, symbols))


def faults(puzzle: Puzzle, text: str, scheme: str | None = None) -> list[str]:
    with pytest.raises(StateError) as caught:
        read_facelets(puzzle, text, scheme)
    return caught.value.faults


def changed(text: str, *stickers: tuple[int, str]) -> str:
    letters = list(text)
    for i, letter in stickers:
        letters[i] = letter
    return "".join(letters)


def exchanged(text: str, *pairs: tuple[int, int]) -> str:
    for i, j in pairs:
        text = changed(text, (i, text[j]), (j, text[i]))
    return text


SOLVED3 = "".join(face * 9 for face in FACES)
SOLVED2 = "".join(face * 4 for face in FACES)


@pytest.mark.parametrize(("size", "moves", "looks"), EXAMPLES)
def test_examples(size: str, moves: str, looks: str) -> None:
    puzzle = cube(int(size))
    state = puzzle.apply(puzzle.solved, puzzle.moves(moves))
    assert facelets(puzzle, state) == looks
    assert read_facelets(puzzle, looks) == state


@pytest.mark.parametrize("size", SIZES)
def test_solved(size: int) -> None:
    puzzle = cube(size)
    looks = "".join(face * size * size for face in FACES)
    assert facelets(puzzle, puzzle.solved) == looks
    assert read_facelets(puzzle, looks) == puzzle.solved


@settings(deadline=None)
@given(turned())
def test_round_trip(case: tuple[Puzzle, bytes]) -> None:
    puzzle, state = case
    text = facelets(puzzle, state)
    assert read_facelets(puzzle, text) == read_position(puzzle, text) == state


@settings(deadline=None)
@given(turned(), st.sampled_from(["western", "japanese"]), st.booleans())
def test_schemes_are_found(case: tuple[Puzzle, bytes], name: str, forced: bool) -> None:
    puzzle, state = case
    assert puzzle.layout is not None
    text = rename(facelets(puzzle, state), puzzle.layout.schemes[name])
    found = read_facelets(puzzle, text, name.upper() if forced else None)
    assert found == state


@settings(deadline=None)
@given(turned(), st.permutations("?1#XYZ"))
def test_own_symbols(case: tuple[Puzzle, bytes], symbols: list[str]) -> None:
    """Own symbols say nothing of how the puzzle is held: the state is right up to recolouring."""
    puzzle, state = case
    text = rename(facelets(puzzle, state), "".join(symbols))
    assert read_facelets(puzzle, text, "".join(symbols)) == state
    found = read_facelets(puzzle, text)
    assert found in {puzzle.relabel(state, held) for held in puzzle.whole_rotations}
    if puzzle.name == "cube3":
        centers = puzzle.orbit("centers")
        assert puzzle.labels(found, centers) == bytes(centers.solved)


@pytest.mark.slow
@settings(deadline=None)
@given(turned((2, 3)), st.permutations(FACES))
def test_own_scheme_in_known_letters(case: tuple[Puzzle, bytes], letters: list[str]) -> None:
    """A mirrored or otherwise odd scheme is read even when its letters are those of the faces."""
    puzzle, state = case
    with warnings.catch_warnings():  # of the odd scheme
        warnings.simplefilter("ignore")
        found = read_facelets(puzzle, rename(facelets(puzzle, state), "".join(letters)))
    assert diagnose(puzzle, found) == []


@pytest.mark.slow
@settings(deadline=None)
@given(turned((3,)), st.data())
def test_any_two_exchanged_stickers_are_noticed(
    case: tuple[Puzzle, bytes], data: st.DataObject
) -> None:
    puzzle, state = case
    text = facelets(puzzle, state)
    i, j = data.draw(st.lists(st.integers(0, 53), min_size=2, max_size=2, unique=True))
    if text[i] == text[j]:
        return
    spoilt = exchanged(text, (i, j))
    try:
        # Only alike looks may hide it: then the text is that of another legal state.
        assert facelets(puzzle, read_facelets(puzzle, spoilt)) == spoilt
    except StateError as error:
        assert error.faults
        with warnings.catch_warnings(), pytest.raises(StateError):
            warnings.simplefilter("ignore")  # of a text that may be moves, too
            read_position(puzzle, spoilt)


def test_blanks_and_case() -> None:
    puzzle = cube(3)
    text = "\n".join(SOLVED3[i : i + 3].lower() + " \t" for i in range(0, 54, 3))
    assert read_facelets(puzzle, text) == puzzle.solved


def test_symbols_beyond_ascii() -> None:
    assert read_facelets(cube(3), rename(SOLVED3, "⬜🟥🟩🟨🟧🟦")) == cube(3).solved


def test_held_as_it_is() -> None:
    puzzle = cube(3)
    held = puzzle.apply(puzzle.solved, puzzle.moves("x"))
    assert read_facelets(puzzle, facelets(puzzle, held)) == held != puzzle.solved


def test_length() -> None:
    assert faults(cube(3), SOLVED3[:-1]) == [
        "53 stickers instead of 54",
        "8 stickers of B instead of 9",
    ]
    assert faults(cube(3), SOLVED3 + "X") == [
        "55 stickers instead of 54",
        "7 different symbols instead of 6: U R F D L B X",
        "X is not one of U R F D L B: sticker 55",
    ]
    assert faults(cube(2), rename(SOLVED2, "wrgyob")[1:]) == [
        "23 stickers instead of 24",
        "3 stickers of W instead of 4",
    ]
    assert faults(cube(2), rename(SOLVED2, "abcdef")[1:], "abcdef") == [
        "23 stickers instead of 24",
        "3 stickers of A instead of 4",
    ]


@pytest.mark.parametrize("text", ["", "hello", "U" * 500])
def test_something_else(text: str) -> None:
    assert faults(cube(3), text) == [f"{len(text)} stickers instead of 54"]


def test_counts() -> None:
    assert faults(cube(3), changed(SOLVED3, (8, "F"))) == [
        "8 stickers of U instead of 9",
        "10 stickers of F instead of 9",
        "corner at URF shows F R F: no corner has these colours",
        "corner URF is missing",
    ]
    assert faults(cube(2), "U" * 24) == [
        "24 stickers of U instead of 4",
        *(f"0 stickers of {face} instead of 4" for face in "RFDLB"),
    ]


def test_unknown_symbols() -> None:
    found = faults(cube(3), changed(SOLVED3, (4, "X"), (53, "X")))
    assert found[:2] == [
        "7 different symbols instead of 6: U X R F D L B",
        "X is not one of U R F D L B: sticker 5 (U5), sticker 54 (B9)",
    ]
    assert "center U is missing" in found


def test_symbols_that_mean_nothing() -> None:
    for text in ("abcdef" * 4, "ABCDE" * 4 + "ABCD"):
        (fault,) = faults(cube(2), text)
        assert fault.startswith("symbols A B C D E")
        assert "western WRGYOB, japanese WRGBOY" in fault
    assert faults(cube(2), SOLVED2, "abcdef") == ["symbols U R F D L B instead of A B C D E F"]


def test_a_slip_in_own_symbols() -> None:
    """The meaning of odd symbols is found even where a piece or two are wrong."""
    puzzle = cube(2)
    state = puzzle.apply(puzzle.solved, puzzle.moves("R U F2 R'"))
    text = rename(facelets(puzzle, state), "412356")
    found = faults(puzzle, exchanged(text, (0, 5)))
    assert len(found) == 4
    assert sum(fault.endswith("no corner has these colours") for fault in found) == 2
    assert sum(fault.endswith("is missing") for fault in found) == 2


def test_mirrored_corner() -> None:
    assert faults(cube(3), exchanged(SOLVED3, (8, 9))) == [
        "corner at URF shows R U F: its colours are in mirror order"
    ]


def test_flipped_and_twisted() -> None:
    puzzle = cube(3)
    assert faults(puzzle, exchanged(SOLVED3, (7, 19))) == ["edge UF is flipped"]
    # Clockwise round URF the stickers are 8 (U), 9 (R), 20 (F).
    twisted = changed(SOLVED3, (8, "F"), (9, "U"), (20, "R"))
    assert faults(puzzle, twisted) == ["corner URF is twisted clockwise"]
    assert faults(cube(2), changed(SOLVED2, (3, "R"), (4, "F"), (9, "U"))) == [
        "corner URF is twisted counter-clockwise"
    ]
    assert set(faults(puzzle, exchanged(twisted, (7, 19)))) == {
        "edge UF is flipped",
        "corner URF is twisted clockwise",
    }


def test_faults_of_a_big_cube() -> None:
    puzzle = cube(4)
    looks = facelets(puzzle, puzzle.solved)
    assert faults(puzzle, changed(looks, (5, "R"))) == [
        "15 stickers of U instead of 16",
        "17 stickers of R instead of 16",
        "3 centers of U instead of 4",
        "5 centers of R instead of 4",
    ]
    # A wing seen the other way round is the other wing of its pair.
    found = faults(puzzle, exchanged(looks, (13, 33)))
    assert len(found) == 2
    assert "is there twice" in found[0] + found[1]
    assert "is missing" in found[0] + found[1]


def test_double_pieces() -> None:
    # The edge at DB is painted like UF.
    found = faults(cube(3), changed(SOLVED3, (34, "U"), (52, "F")))
    assert "edge UF is there twice: at UF and at DB" in found
    assert "edge DB is missing" in found
    assert "8 stickers of D instead of 9" in found


def test_displaced_centers() -> None:
    assert faults(cube(3), exchanged(SOLVED3, (4, 13))) == [
        "centers: impossible however the puzzle is held: R at U, U at R"
    ]


def test_mirrored_scheme_is_told() -> None:
    for symbols in ("WRBYOG", "URBDLF"):  # F and B exchanged
        with pytest.warns(UserWarning, match=f"mirrored .*--option scheme={symbols} confirms"):
            assert read_facelets(cube(3), rename(SOLVED3, symbols)) == cube(3).solved
        assert read_facelets(cube(3), rename(SOLVED3, symbols), symbols) == cube(3).solved


def test_the_mapping_that_was_found() -> None:
    state, symbols = read_facelets_with_scheme(cube(2), rename(SOLVED2, "123456"))
    assert state in cube(2).solved_states
    assert sorted(symbols) == list("123456") and sorted(symbols.values()) == sorted(FACES)
    assert read_facelets_with_scheme(cube(2), SOLVED2)[1] == dict(zip(FACES, FACES, strict=True))


def test_faces_that_no_orbit_tells_apart_need_a_known_scheme() -> None:
    # Ten pieces, each with a face of its own, and one of three sides: 10! schemes agree with that.
    orbits = Orbit("dots", "dot", " ".join(FACES + "PQST")), Orbit("top", "top", "XYZ", 3)
    places = {"dots": tuple((i,) for i in range(10)), "top": ((10, 11, 12),)}
    letters = FACES + "PQSTXYZ"
    layout = FaceletLayout(letters, tuple(range(13)), places, (), {}, ("",) * 13)
    turn = bytes([1, 0, *range(2, 12)]), bytes([*[0] * 11, 1])
    puzzle = Puzzle("dots", "", orbits, {"t": turn}, (Metric("T", "", {"t": 1}),), layout=layout)
    assert read_facelets(puzzle, "RU" + letters[2:-3] + "ZXY") == puzzle.apply(
        puzzle.solved, puzzle.moves("t")
    )
    assert faults(puzzle, letters[:10] + "XZY") == [
        "top at XYZ shows X Z Y: its colours are in mirror order"
    ]


@pytest.mark.parametrize("order", ["ULFRBD", "UFRBLD", "UFDBLR"])
@pytest.mark.parametrize("symbols", [FACES, "WRGYOB", "WRGBOY"])
def test_another_order_of_the_faces(order: str, symbols: str) -> None:
    puzzle = cube(3)
    state = puzzle.apply(puzzle.solved, puzzle.moves("R U2 F' L D2 B R' U F2 L2 D B'"))
    looks = rename(facelets(puzzle, state), symbols)
    text = "".join(looks[9 * FACES.index(face) :][:9] for face in order)
    assert faults(puzzle, text)[0] == (
        f"in the order {' '.join(order)} it would be a valid state; "
        f"the order of the faces here is U R F D L B; --option order={order} reads it so"
    )


def net_of(puzzle: Puzzle, state: bytes, symbols: str = "") -> str:
    faces = puzzle.layout.faces if puzzle.layout else ""
    return rename(draw_net(puzzle, state), symbols or faces, faces)


BUNDLED = ["cube2", "cube3", "cube4", "cube5", "cube6", "cube7", "supercube3", "pyraminx", "skewb"]


@pytest.mark.parametrize("name", BUNDLED)
@pytest.mark.parametrize("symbols", ["", "WRGYOB", "123456", "abcABC"])
def test_a_net_is_read_as_it_is_printed(name: str, symbols: str) -> None:
    solver = puzzlekit.load(name)
    puzzle = solver.puzzle
    turn = puzzle.move(puzzle.rotations[0])
    symbols = symbols[: len(puzzle.layout.faces)] if puzzle.layout else ""
    for moves in ("", "R", "R U' L"):
        state = puzzle.apply(puzzle.solved, [*puzzle.moves(moves), turn])
        net = net_of(puzzle, state, symbols)
        rows = net.splitlines()
        dense = "\n".join("".join(row.split()) for row in rows)
        framed = "\n".join("".join(f"[{each}]" for each in row if each != " ") for row in rows)
        report = "\n\nfacelets  UUFUUF\nvectors   cp=0,1\nsolved    no\n"
        for text in (net, dense, framed, net + report):
            for found in (solver.state(text), solver.positions.from_facelets(text)):
                assert found in {puzzle.relabel(state, held) for held in puzzle.whole_rotations}
                assert symbols or found == state


PYCUBER = """         [y][y][y]
         [y][y][y]
         [g][g][g]
[g][g][w][o][o][o][y][b][b][r][r][r]
[r][r][r][g][g][w][o][o][o][y][b][b]
[r][r][r][g][g][w][o][o][o][y][b][b]
         [w][w][b]
         [w][w][b]
         [w][w][b]
"""
RUBIK_CUBE = """    OOO
    OOO
    WWW
WWR GGG OBB YYY
YYY WWR GGG OBB
YYY WWR GGG OBB
    RRB
    RRB
    RRB"""


def test_nets_of_other_programs() -> None:
    """Both programs printed the moves R U from their solved state, one of them held as after z2."""
    puzzle = cube(3)
    moves = puzzle.apply(puzzle.solved, puzzle.moves("R U"))
    held = next(
        each
        for each in puzzle.whole_rotations
        if act(puzzle.solved, *each, puzzle.modulus)
        == puzzle.apply(puzzle.solved, puzzle.moves("z2"))
    )
    assert read_position(puzzle, PYCUBER) == puzzle.relabel(moves, held)
    with pytest.warns(UserWarning, match="--option scheme=OGWRYB confirms"):
        assert read_position(puzzle, RUBIK_CUBE) == moves


def test_a_damaged_net_says_which_row() -> None:
    puzzle = cube(2)
    net = net_of(puzzle, puzzle.solved)
    for text, words in {
        net.replace("L L  F F  R R  B B", "L L  F F  R R  B", 1): "row 3 of the net has 7 stickers"
        " instead of 8",
        net_of(cube(3), cube(3).solved): "a net of 54 stickers instead of 24",
    }.items():
        with pytest.raises(StateError, match=words):
            read_position(puzzle, text)


@pytest.mark.parametrize("moves", ["R U\nF2", "R U\nR U\nR U F D\nL", "U\nR U F\nL", "R\nR"])
def test_moves_in_several_lines_stay_moves(moves: str) -> None:
    for puzzle in (cube(2), cube(3)):
        assert read_position(puzzle, moves) == puzzle.apply(puzzle.solved, puzzle.moves(moves))


@pytest.mark.parametrize("name", BUNDLED)
@pytest.mark.parametrize("symbols", ["", "123456"])
def test_the_rows_of_a_net_in_one_line(name: str, symbols: str) -> None:
    solver = puzzlekit.load(name)
    puzzle = solver.puzzle
    for state in (puzzle.solved, solver.random_state(5)):
        text = "".join(net_of(puzzle, state, symbols[: len(puzzle.layout.faces)]).split())  # type: ignore[union-attr]
        with pytest.warns(UserWarning, match="row by row, as in the net; --option order=net"):
            found = solver.positions.from_facelets(text)
        assert found in {puzzle.relabel(state, held) for held in puzzle.whole_rotations}
        assert solver.positions.from_facelets(text, order="net") == found
        with pytest.raises(StateError):
            solver.positions.from_facelets(text, order="faces")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("symbols", ["123456", "abcABC", "OGWRYB"])
def test_another_order_of_the_faces_in_own_symbols(size: int, symbols: str) -> None:
    puzzle = cube(size)
    looks = facelets(puzzle, random_state(puzzle, random.Random(size)))
    area = size * size
    for order in ("ULFRBD", "DBLFRU"):
        text = "".join(looks[area * FACES.index(face) :][:area] for face in order)
        assert read_facelets(puzzle, text, order=order.lower()) == read_facelets(puzzle, looks)
        first = faults(puzzle, rename(text, symbols))[0]
        assert first.startswith(f"in the order {' '.join(order)} it would be a valid state")


def test_unknown_order() -> None:
    for order in ("URFDL", "rows", "URFDLBB"):
        with pytest.raises(UsageError, match="use faces, net, or the letters URFDLB"):
            read_facelets(cube(3), SOLVED3, order=order)


@pytest.mark.parametrize("symbols", ["abcABC", "wyrogW", "dDrRfF"])
def test_case_distinguishes_symbols(symbols: str) -> None:
    for size in SIZES:
        puzzle = cube(size)
        state = puzzle.apply(puzzle.solved, puzzle.moves("R U2 F'"))
        text = rename(facelets(puzzle, state), symbols)
        assert read_facelets(puzzle, text, symbols) == state
        found = read_facelets(puzzle, text)
        assert found in {puzzle.relabel(state, held) for held in puzzle.whole_rotations}
        assert read_facelets(puzzle, rename(facelets(puzzle, state), "Wrgyob").title()) == state


def test_unknown_scheme() -> None:
    for scheme in ("purple", "wrgyo", "wrgyow"):
        with pytest.raises(UsageError, match="western, japanese, or 6 different symbols"):
            read_facelets(cube(3), SOLVED3, scheme)


def test_no_layout() -> None:
    bare = Puzzle("bare", "", (Orbit("edges", "edge", "A B"),), {}, ())
    with pytest.raises(DeclarationError, match="bare has no facelets"):
        facelets(bare, bare.solved)
    with pytest.raises(UsageError, match="bare has no stickers"):
        read_facelets(bare, "AB")


@pytest.mark.parametrize("state", [b"", bytes([99]) + bytes(15), bytes(range(8)) + bytes([3] * 8)])
def test_facelets_of_no_state(state: bytes) -> None:
    with pytest.raises(StateError):
        facelets(cube(2), state)


def fixed() -> Puzzle:
    """Two places that exchange their only stickers, and a third sticker that never moves."""
    layout = FaceletLayout("abc", (0, 1, 2), {"dots": ((0,), (1,))}, (), {}, ())
    return Puzzle("dots", "", (Orbit("dots", "dot", "a b"),), {}, (), layout=layout)


def test_stickers_that_never_move() -> None:
    """Faces in small letters keep their case."""
    puzzle = fixed()
    assert read_facelets(puzzle, "b a c") == bytes([1, 0])
    assert facelets(puzzle, bytes([1, 0])) == "bac"
    found = faults(puzzle, "acb")
    assert "sticker c1, which no move changes, is b" in found


def test_alike_turns_are_read_as_the_first() -> None:
    layout = FaceletLayout("AB", (0, 1), {"centers": ((0,), (1,))}, (), {}, ())
    centers = Orbit("centers", "center", "A B", orientations=4)
    puzzle = Puzzle("turns", "", (centers,), {}, (), layout=layout)
    assert read_facelets(puzzle, "BA") == bytes([1, 0, 0, 0])
    assert facelets(puzzle, bytes([1, 0, 3, 2])) == "BA"


def test_fast_enough() -> None:
    puzzle = cube(3)
    text = facelets(puzzle, random_state(puzzle, random.Random(3)))
    read_facelets(puzzle, text)
    start = time.process_time()
    for _ in range(100):
        read_facelets(puzzle, text)
    assert time.process_time() - start < 100 * 0.3e-3
