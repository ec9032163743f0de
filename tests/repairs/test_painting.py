"""What is wrong with stickers while they are painted, and where it is."""

from __future__ import annotations

import pickle
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlekit
from puzzlekit import FaceletLayout, Orbit, Puzzle, StateError, UsageError
from puzzlekit.puzzle.diagnose import Fault, diagnose
from puzzlekit.puzzle.net import facelets
from puzzlekit.puzzle.orbit import Law
from puzzlekit.puzzle.random_states import random_state
from puzzlekit.puzzle.sticker_reading import read_facelets
from puzzlekit_repairs import Painting, inspect

PUZZLES = {
    name: puzzlekit.load(name).puzzle for name in ("cube2", "cube3", "cube4", "pyraminx", "skewb")
}
CUBE3 = PUZZLES["cube3"]
SOLVED3 = facelets(CUBE3, CUBE3.solved)
SCRAMBLED3 = facelets(CUBE3, CUBE3.apply(CUBE3.solved, CUBE3.moves("R U F' L2 D B' R2 F U'")))


@st.composite
def painted(draw: st.DrawFn) -> tuple[Puzzle, str]:
    """A puzzle and the stickers of a random state of it."""
    puzzle = PUZZLES[draw(st.sampled_from(sorted(PUZZLES)))]
    seed = draw(st.integers(0, 2**32))
    return puzzle, facelets(puzzle, random_state(puzzle, random.Random(seed)))


def changed(text: str, letters: dict[int, str]) -> str:
    return "".join(letters.get(i, letter) for i, letter in enumerate(text))


def only(letters: dict[int, str], count: int = 54) -> str:
    """Stickers of which only some are painted."""
    return changed("?" * count, letters)


def told(painting: Painting) -> list[tuple[str, tuple[int, ...]]]:
    return [(str(fault), fault.facelets) for fault in painting.faults]


def place(puzzle: Puzzle, orbit: str, name: str) -> tuple[int, ...]:
    assert puzzle.layout is not None
    return puzzle.layout.places[orbit][puzzle.orbit(orbit).place(name)]


# --- faults know where they are ------------------------------------------------------------------


def test_a_fault_is_its_words() -> None:
    fault = Fault("edge UF is flipped", [19, 7])
    assert fault == "edge UF is flipped" and f"{fault}!" == "edge UF is flipped!"
    assert fault.facelets == (7, 19)
    assert Fault("parity").facelets == ()


def test_faults_are_pickled_with_their_facelets() -> None:
    error = pickle.loads(pickle.dumps(StateError([Fault("edge UF is flipped", [7, 19])])))
    assert error.faults == ["edge UF is flipped"]
    assert error.faults[0].facelets == (7, 19)


WRONG = {
    "twisted": ({8: "F", 9: "U", 20: "R"}, {"corner URF is twisted clockwise": (8, 9, 20)}),
    "flipped": ({7: "F", 19: "U"}, {"edge UF is flipped": (7, 19)}),
    "mirrored": (
        {8: "R", 9: "U"},
        {"corner at URF shows R U F: its colours are in mirror order": (8, 9, 20)},
    ),
    "twice": (
        {34: "U", 52: "F"},
        {
            "8 stickers of D instead of 9": (),
            "edge UF is there twice: at UF and at DB": (7, 19, 34, 52),
            "edge DB is missing": (),
        },
    ),
    "no such piece": (
        {7: "B"},
        {"edge at UF shows B F: no edge has these colours": (7, 19), "edge UF is missing": ()},
    ),
    "strange": (
        {4: "X", 53: "X"},
        {"X is not one of U R F D L B: sticker 5 (U5), sticker 54 (B9)": (4, 53)},
    ),
    "centers": (
        {4: "R", 13: "U"},
        {"centers: impossible however the puzzle is held: R at U, U at R": (4, 13)},
    ),
    "parity": (
        {10: "F", 19: "R"},
        {"parity: two corners or two edges are exchanged": ()},
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_where_faults_are(name: str) -> None:
    letters, expected = WRONG[name]
    text = changed(SOLVED3, letters)
    with pytest.raises(StateError) as caught:
        read_facelets(CUBE3, text)
    found = {fault: fault.facelets for fault in caught.value.faults}
    assert expected.items() <= found.items()
    assert told(inspect(CUBE3, text)) == list(found.items())


def test_too_many_alike_pieces_are_to_be_looked_at() -> None:
    cube = PUZZLES["cube4"]
    text = changed(facelets(cube, cube.solved), {5: "R"})
    found = dict(told(inspect(cube, text)))
    assert found["5 centers of R instead of 4"] == (5, 21, 22, 25, 26)
    assert found["3 centers of U instead of 4"] == ()
    assert found["17 stickers of R instead of 16"] == ()


def test_faults_of_a_state_know_their_facelets() -> None:
    corners = CUBE3.orbit("corners")
    state = bytearray(CUBE3.solved)
    state[corners.place("URF")] = 99
    state[corners.size + corners.place("UFL")] = 3
    found = {fault: fault.facelets for fault in diagnose(CUBE3, bytes(state))}
    assert found == {
        "corner at URF: there is no corner with label 99": (8, 9, 20),
        "corner URF is missing": (),
        "corner at UFL: orientation 3 is not 0 to 2": (6, 18, 38),
    }


def test_pieces_of_another_block() -> None:
    skewb = PUZZLES["skewb"]
    state = bytearray(skewb.solved)
    state[0], state[4] = state[4], state[0]  # URF and UFL
    first, second = diagnose(skewb, bytes(state))
    assert "among them is UFL at URF" in first
    assert first.facelets == tuple(sorted(place(skewb, "corners", "URF")))
    assert second.facelets == tuple(sorted(place(skewb, "corners", "UFL")))


def test_laws_may_say_where() -> None:
    asked: list[bytes] = []

    def faults(_: Puzzle, state: bytes) -> list[str]:
        asked.append(state)
        return ["in words", Fault("in words and places", [1])]

    layout = FaceletLayout("AB", (0, 1), {"dots": ((0,), (1,))}, (), {}, ())
    orbits = (Orbit("dots", "dot", "A B"),)
    for law in (Law(("dots",), faults), Law((), faults)):
        dots = Puzzle("dots", "", orbits, {}, (), constraints=(law,), layout=layout)
        assert told(inspect(dots, "BA"))[-2:] == [("in words", ()), ("in words and places", (1,))]
        asked.clear()
        words = "no state has the painted stickers: one of them is wrong"
        assert told(inspect(dots, "B?")) == [(words, ())]
        assert set(asked) == {bytes([1, 0])}  # never of what is not painted yet


# --- painted in part -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(PUZZLES))
def test_nothing_painted(name: str) -> None:
    puzzle = PUZZLES[name]
    assert puzzle.layout is not None
    count = len(puzzle.layout.face_of)
    painting = inspect(puzzle, "?" * count)
    assert (painting.faults, painting.repairs, painting.state) == ((), (), None)
    assert painting.unpainted == count
    assert list(painting.symbols) == list(puzzle.layout.faces)
    assert set(painting.counts.values()) == {0}
    assert sum(painting.expected.values()) == count


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(painted(), st.data())
def test_what_can_still_become_a_state_has_no_fault(
    case: tuple[Puzzle, str], data: st.DataObject
) -> None:
    puzzle, text = case
    order = data.draw(st.permutations(range(len(text))))
    count = data.draw(st.integers(0, len(text) - 1))
    painting = inspect(puzzle, changed(text, dict.fromkeys(order[count:], "?")))
    assert painting.faults == ()
    assert painting.unpainted == len(text) - count
    assert sum(painting.counts.values()) == count
    assert painting.state is None


@settings(deadline=None, max_examples=20)
@given(painted())
def test_painted_in_full(case: tuple[Puzzle, str]) -> None:
    puzzle, text = case
    painting = inspect(puzzle, text)
    assert painting.state == read_facelets(puzzle, text)
    assert painting.counts == painting.expected
    assert (painting.faults, painting.repairs, painting.unpainted) == ((), (), 0)


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(painted(), st.data())
def test_faults_are_among_painted_stickers(case: tuple[Puzzle, str], data: st.DataObject) -> None:
    """However it is painted: nothing fails, and no fault is about what is still to come."""
    puzzle, text = case
    letters = st.sampled_from([*dict.fromkeys(text), "?", "?", "X"])
    stickers = data.draw(st.lists(letters, min_size=len(text), max_size=len(text)))
    painting = inspect(puzzle, "".join(stickers))
    for fault in painting.faults:
        assert "?" not in {stickers[i] for i in fault.facelets}
    assert painting.unpainted == stickers.count("?")


@pytest.mark.parametrize(
    ("letters", "faults"),
    [
        ({7: "U", 19: "D"}, [("edge at UF shows U D: no edge has these colours", (7, 19))]),
        ({7: "U", 19: "U"}, [("edge at UF shows U U: no edge has these colours", (7, 19))]),
        ({8: "U", 20: "D"}, [("corner at URF shows U ? D: no corner has these colours", (8, 20))]),
        (
            {8: "R", 9: "U", 20: "F"},
            [("corner at URF shows R U F: its colours are in mirror order", (8, 9, 20))],
        ),
        (
            {7: "U", 19: "F", 34: "F", 52: "U"},
            [("edge UF is there twice: at UF and at DB", (7, 19, 34, 52))],
        ),
        # Two stickers of three tell which corner it is.
        (
            {8: "U", 9: "R", 29: "U", 26: "R"},
            [("corner URF is there twice: at URF and at DFR", (8, 9, 26, 29))],
        ),
        ({4: "U", 13: "U"}, [("center U is there twice: at U and at R", (4, 13))]),
        (
            {4: "U", 31: "R"},
            [("centers: impossible however the puzzle is held: R at D", (31,))],
        ),
        ({4: "X"}, [("X is not one of U R F D L B: sticker 5 (U5)", (4,))]),
        ({4: "U", 13: "B", 7: "D"}, []),
    ],
)
def test_faults_of_what_is_painted_in_part(
    letters: dict[int, str], faults: list[tuple[str, tuple[int, ...]]]
) -> None:
    assert told(inspect(CUBE3, only(letters))) == faults


def test_a_painting_is_told_in_a_line() -> None:
    skewb = puzzlekit.load("skewb").puzzle
    blank = "?" * 30
    assert repr(inspect(skewb, blank)) == f"<Painting {blank}: 30 unpainted, 0 faults, 0 repairs>"
    large = puzzlekit.load("cube4").puzzle
    assert repr(inspect(large, "?" * 96)).startswith(f"<Painting {'?' * 54}...: 96 unpainted")


def test_too_many_of_a_colour() -> None:
    edges = CUBE3.orbit("edges")
    assert CUBE3.layout is not None
    firsts = [where[0] for where in CUBE3.layout.places["edges"]][: edges.size]
    assert inspect(CUBE3, only(dict.fromkeys(firsts[:9], "U"))).faults == ()
    found = inspect(CUBE3, only(dict.fromkeys(firsts[:10], "U")))
    assert told(found) == [("10 stickers of U instead of 9", ())]
    assert found.counts["U"] == 10 and found.expected["U"] == 9


def test_an_orbit_that_is_painted_keeps_its_constraints() -> None:
    """The corners are there, one of them twisted; edges and centers are still to come."""
    assert CUBE3.layout is not None
    corners = {i for where in CUBE3.layout.places["corners"] for i in where}
    text = changed(SCRAMBLED3, {8: SCRAMBLED3[20], 9: SCRAMBLED3[8], 20: SCRAMBLED3[9]})
    half = "".join(letter if i in corners else "?" for i, letter in enumerate(text))
    (fault,) = inspect(CUBE3, half).faults
    assert fault.startswith("corner twist: the corners are twisted clockwise")
    # With one sticker less it is still known which corner is at URF, with two it is not.
    assert inspect(CUBE3, changed(half, {20: "?"})).faults == (fault,)
    assert inspect(CUBE3, changed(half, {9: "?", 20: "?"})).faults == ()


def test_frames_have_to_agree() -> None:
    """The axials of a Pyraminx painted as held one way, a tip as no such holding shows it."""
    pyraminx = PUZZLES["pyraminx"]
    solved = facelets(pyraminx, pyraminx.solved)
    axials = {i for name in ("FLR", "FDL", "FRD", "DRL") for i in place(pyraminx, "axials", name)}
    half = "".join(letter if i in axials else "?" for i, letter in enumerate(solved))
    assert inspect(pyraminx, half).faults == ()
    tip, other = place(pyraminx, "tips", "flr"), place(pyraminx, "tips", "fdl")
    text = changed(half, {here: solved[there] for here, there in zip(tip, other, strict=True)})
    (fault,) = inspect(pyraminx, text).faults
    assert fault.startswith("tips: impossible however the puzzle is held")
    assert fault.facelets == tuple(sorted(tip))


def test_blocks_of_what_is_painted_in_part() -> None:
    """Two corners of one tetrad of a Skewb, painted where those of both are at home."""
    skewb = PUZZLES["skewb"]
    solved = facelets(skewb, skewb.solved)
    here, there = place(skewb, "corners", "URF"), place(skewb, "corners", "ULB")
    wrong = place(skewb, "corners", "UFL")
    letters = {i: solved[i] for i in here}
    assert inspect(skewb, only(letters, 30)).faults == ()
    letters |= {i: solved[j] for i, j in zip(there, wrong, strict=True)}
    (fault,) = inspect(skewb, only(letters, 30)).faults
    assert fault == "corners URF ULB DLF DRB must stay together, but among them is UFL at ULB"
    assert fault.facelets == tuple(sorted(there))


def test_schemes_and_own_symbols() -> None:
    painting = inspect(CUBE3, only({4: "w", 13: "w"}))
    assert list(painting.symbols) == list("WRGYOB")
    assert painting.faults[0] == "center U is there twice: at U and at R"
    # B and R mean other faces in Japanese colours, where blue is opposite to white.
    assert inspect(CUBE3, only({4: "W", 31: "B"})).faults == ()
    assert len(inspect(CUBE3, only({4: "W", 31: "B"}), "western").faults) == 1
    own = inspect(CUBE3, only({4: "1", 13: "2"}), "123456")
    assert own.counts == {"1": 1, "2": 1, "3": 0, "4": 0, "5": 0, "6": 0}


def test_what_cannot_be_inspected() -> None:
    with pytest.raises(StateError, match="53 stickers instead of 54"):
        inspect(CUBE3, "?" * 53)
    with pytest.raises(UsageError, match="unknown colour scheme"):
        inspect(CUBE3, "?" * 54, "purple")
    with pytest.raises(UsageError, match="not painted, not for a face"):
        inspect(CUBE3, "?" * 54, "?RFDLB")
    with pytest.raises(UsageError, match="no stickers to paint"):
        inspect(puzzlekit.load("fifteen").puzzle, "?")


def test_blanks_do_not_count() -> None:
    painting = inspect(CUBE3, " ".join(only({4: "u", 13: "u"})))
    assert painting.stickers == only({4: "U", 13: "U"})
    assert painting.faults[0].facelets == (4, 13)


def test_names_of_the_viewer() -> None:
    found = {name: puzzle.layout and puzzle.layout.viewer for name, puzzle in PUZZLES.items()}
    assert found == {
        "cube2": "2x2x2",
        "cube3": "3x3x3",
        "cube4": "4x4x4",
        "pyraminx": "pyraminx",
        "skewb": "skewb",
    }


@pytest.mark.parametrize("name", PUZZLES)
def test_stickers_in_the_order_of_the_net_are_told(name: str) -> None:
    puzzle = PUZZLES[name]
    state, layout = random_state(puzzle, random.Random(5)), puzzle.layout
    assert layout is not None
    shown = facelets(puzzle, state)
    text = "".join(shown[i] for row in layout.net for i in row if i is not None)
    assert "row by row, as in the net" in inspect(puzzle, text).faults[0]
