"""Unknown stickers ("?"): filled in if the others determine them, or else the possible states."""

from __future__ import annotations

import json
import random
import time
import warnings
from itertools import product

import pytest
from click.testing import CliRunner
from test_painting import CUBE3, PUZZLES, SOLVED3, changed

import puzzlekit
from puzzlekit import FaceletLayout, Orbit, Puzzle, StateError
from puzzlekit.cli import main
from puzzlekit.puzzle.net import facelets
from puzzlekit.puzzle.orbit import Law
from puzzlekit.puzzle.random_states import random_state
from puzzlekit.puzzle.sticker_reading import read, read_facelets
from puzzlekit_repairs import complete, inspect

WHITE_UP = "YGGWWBOGOBRWORYGGBYRWRGBYYYRGRWYWGWWORBYOYROBOOGBBORBW"  # a cube of docs/


def without(text: str, *places: int) -> str:
    return changed(text, dict.fromkeys(places, "?"))


def faces_of(puzzle: Puzzle) -> dict[str, str]:
    assert puzzle.layout is not None
    return dict(zip(puzzle.layout.faces, puzzle.layout.faces, strict=True))


@pytest.mark.parametrize("name", [*sorted(PUZZLES), "cube5"])
def test_against_all_ways_to_paint(name: str) -> None:
    puzzle = puzzlekit.load(name).puzzle
    letters = faces_of(puzzle)
    rng = random.Random(45)
    for count in (1, 2, 2):
        text = facelets(puzzle, random_state(puzzle, rng))
        places = rng.sample(range(len(text)), count)
        found = complete(puzzle, without(text, *places), letters, 100)
        assert found.all
        assert sorted(found.stickers) == sorted(
            other
            for symbols in product(letters, repeat=count)
            if not read(
                puzzle, other := changed(text, dict(zip(places, symbols, strict=True))), letters
            ).faults
        )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cube2", "pyraminx", "skewb", "cube3"])
def test_whole_pieces_against_all_ways_to_paint(name: str) -> None:
    """Two pieces that may be exchanged or turned, or be determined by the others."""
    puzzle = PUZZLES[name]
    assert puzzle.layout is not None
    letters = faces_of(puzzle)
    text = facelets(puzzle, random_state(puzzle, random.Random(9)))
    pieces = puzzle.layout.places["edges" if name == "pyraminx" else "corners"]
    places = [*pieces[0], *pieces[2][:2]]
    found = complete(puzzle, without(text, *places), letters, 100)
    assert found.all
    assert sorted(found.stickers) == sorted(
        other
        for symbols in product(letters, repeat=len(places))
        if not read(
            puzzle, other := changed(text, dict(zip(places, symbols, strict=True))), letters
        ).faults
    )


@pytest.mark.parametrize("name", [*sorted(PUZZLES), "cube5", "cube7"])
@pytest.mark.parametrize("symbols", ["", "WRGYOB", "wyrogb", "123456"])
def test_what_the_others_determine_is_filled_in(name: str, symbols: str) -> None:
    solver = puzzlekit.load(name)
    layout = solver.puzzle.layout
    assert layout is not None
    state = solver.random_state(4)
    shown = solver.positions.to_facelets(state)
    if symbols and len(layout.faces) < len(symbols):
        symbols = symbols[: len(layout.faces)]
    text = shown.translate(dict(zip(map(ord, layout.faces), symbols, strict=False)))
    # The piece is the one that is missing, and the others tell its orientation.
    places = layout.places["edges" if name == "pyraminx" else "corners"][1]
    scheme = symbols or None
    with pytest.warns(UserWarning, match="filled in ") as told:
        assert solver.positions.from_facelets(without(text, *places), scheme) == state
    (warning,) = told
    for i in places:
        assert f"{layout.name(i)}: {text[i].upper()}" in str(warning.message)


def test_symbols_of_a_scheme_of_ones_own_are_derived() -> None:
    own = WHITE_UP.translate(str.maketrans("WRGYOB", "123456"))
    for text in (WHITE_UP, own):
        with pytest.warns(UserWarning, match=f"filled in U9: {text[8]}, F6: {text[23]}$"):
            state = read_facelets(CUBE3, without(text, 8, 23))
        assert state == read_facelets(CUBE3, text)


def test_a_face_may_have_the_symbol() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_facelets(CUBE3, SOLVED3.replace("U", "?")) == CUBE3.solved


@pytest.mark.slow
def test_several_states_are_counted_and_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    # Two centers of two colours, and each may be either.
    cube = PUZZLES["cube4"]
    text = facelets(cube, cube.solved)
    with pytest.raises(StateError) as caught:
        read_facelets(cube, without(text, 5, 21))
    first, *listed = caught.value.faults
    assert first == "2 states have these stickers; they differ at U6, R6"
    other = changed(text, {5: "R", 21: "U"})
    assert sorted(listed) == sorted(f"one of them is {each}" for each in (text, other))
    monkeypatch.setattr("puzzlekit_repairs.completion.perf_counter", lambda: 0.0)  # no limit
    with pytest.raises(StateError, match=r"^1,000 or more states have these stickers; one of them"):
        read_facelets(CUBE3, without(SOLVED3, *range(30)))


def test_no_state_has_the_others() -> None:
    flipped = changed(SOLVED3, {7: "F", 19: "U"})
    # The corner does not help: an edge is flipped.
    with pytest.raises(StateError, match=r"edge UF is flipped; 1 sticker is unknown \(\?\)$"):
        read_facelets(CUBE3, without(flipped, 8))
    # Two edges are exchanged, and a corner that is not known in full cannot make up for that.
    swapped = changed(SOLVED3, {19: "R", 10: "F"})
    words = "2 stickers are unknown (?), and no state has the others: one of these is wrong"
    with pytest.raises(StateError) as caught:
        read_facelets(CUBE3, without(swapped, 8, 9))
    assert caught.value.faults[-1].startswith("2 stickers are unknown (?)")
    puzzle = PUZZLES["cube2"]
    text = facelets(puzzle, puzzle.solved)
    turned = changed(text, {3: "R", 4: "F", 9: "U"})  # the corner URF, of which U stays unknown
    with pytest.raises(StateError) as caught:
        read_facelets(puzzle, without(turned, 4, 9))
    assert caught.value.faults == [words]


def test_the_commands_say_what_they_fill_in() -> None:
    text = without(WHITE_UP, 8, 23)
    filled = "warning: filled in U9: O, F6: B\n"
    found = CliRunner().invoke(main, ["check", "-p", "cube3", text])
    assert (found.exit_code, found.stderr) == (0, filled)
    assert found.stdout == "no faults: the 3x3x3 cube can be in this state\n"
    found = CliRunner().invoke(main, ["check", "-p", "cube3", "--state", text, "--json"])
    cube = puzzlekit.load("cube3")
    assert json.loads(found.stdout)["state"] == cube.positions.to_facelets(cube.state(WHITE_UP))
    found = CliRunner().invoke(main, ["solve", "-p", "cube2", "UU?URRRRF?FFDDDDLLLLBBBB"])
    assert found.exit_code == 0 and found.stderr.startswith("warning: filled in U3: U, F2: F\n")
    assert "it is solved" in found.stdout
    # One sticker is unknown, and one is wrong.
    found = CliRunner().invoke(main, ["check", "-p", "cube2", "UUFURRRRFFFFDDDDLLLLBB?B"])
    assert found.exit_code == 3
    assert "repair: sticker U3: U in place of F, sticker B3: B in place of ?" in found.stderr


def test_paintings_offer_what_completes_them() -> None:
    painting = inspect(CUBE3, without(WHITE_UP, 8, 23))
    assert (painting.faults, painting.state, painting.unpainted) == ((), None, 2)
    assert painting.repairs == (("fill in U9: O, F6: B", WHITE_UP, (8, 23)),)
    cube = PUZZLES["cube4"]
    painting = inspect(cube, without(facelets(cube, cube.solved), 5, 21))
    assert len(painting.repairs) == 2
    assert inspect(CUBE3, without(WHITE_UP, *range(30))).repairs == ()


def test_a_painting_that_no_state_has() -> None:
    dots = Orbit("dots", "dot", "A B C", solved=(0, 1, 2))
    layout = FaceletLayout("ABC", (0, 1, 2), {"dots": ((0,), (1,), (2,))}, (), {}, ())
    odd = Law(("dots",), lambda puzzle, state: ["odd"] if state in (b"\1\0\2", b"\1\2\0") else [])
    puzzle = Puzzle("dots", "", (dots,), {}, (), constraints=(odd,), layout=layout)
    painting = inspect(puzzle, "BA?")
    assert painting.faults == ("no state has the painted stickers: one of them is wrong",)
    with pytest.raises(StateError, match=r"2 stickers are unknown .*one of these is wrong"):
        read_facelets(puzzle, "B??")
    assert inspect(puzzle, "?AB").repairs[0].stickers == "CAB"


@pytest.mark.slow
def test_the_search_ends() -> None:
    """Half of a puzzle is unknown, and nothing may be found."""
    for name in ("cube7", "skewb", "pyraminx"):
        puzzle = puzzlekit.load(name).puzzle
        rng = random.Random(1)
        text = facelets(puzzle, random_state(puzzle, rng))
        half = without(text, *rng.sample(range(len(text)), len(text) // 2))
        begun = time.process_time()
        assert inspect(puzzle, half).faults == ()
        assert time.process_time() - begun < 1
        begun = time.process_time()
        with pytest.raises(StateError, match="states have these stickers"):
            read_facelets(puzzle, half)
        assert time.process_time() - begun < 6
