"""The 3D view means by the names of moves what the puzzles mean.

It takes anything for a move of a solved puzzle that it does not understand, so that its look proves
nothing. Here its own permutations are held against those of the library: words have the same order.
They have that in a mirror too; so its picture after each single move is looked at as well.
"""

from __future__ import annotations

import io
import random
from functools import reduce
from time import monotonic
from typing import Any

import pytest
from page import Page

import puzzlekit
from puzzlekit.puzzle.move import Move, compose, no_effect, powers
from puzzlekit.puzzle.net import facelets

Image = pytest.importorskip("PIL.Image", reason="needs Pillow")

# How often a word has to be done until every piece is back; how centers are turned is left out, as
# a puzzle without pictures does not show it.
ORDERS = """async ([puzzle, words]) => {
    const TwistyPlayer = customElements.get("twisty-player");
    const kpuzzle = await new TwistyPlayer({ puzzle }).experimentalModel.kpuzzle.get();
    const effect = ({ transformationData }) => JSON.stringify(
        Object.entries(transformationData).map(([orbit, { permutation, orientationDelta }]) =>
            orbit === "CENTERS" ? permutation : [permutation, orientationDelta]));
    const nothing = effect(kpuzzle.identityTransformation());
    return words.map((word) => {
        const once = kpuzzle.algToTransformation(word);
        let all = once;
        let order = 1;
        for (; effect(all) !== nothing; order += 1) all = all.applyTransformation(once);
        return order;
    });
}"""


# Shows a puzzle after some moves, as seen from the front, the right and above.
DRAW = """([puzzle, moves]) => {
    const TwistyPlayer = customElements.get("twisty-player");
    document.getElementById("drawn")?.remove();
    const drawn = new TwistyPlayer({
        puzzle, experimentalSetupAlg: moves, visualization: "PG3D", hintFacelets: "none",
        controlPanel: "none", viewerLink: "none", background: "none",
        cameraLatitude: 30, cameraLongitude: 40,
    });
    drawn.id = "drawn";
    drawn.style = "position: fixed; inset: 0; width: 300px; height: 300px; background: #888";
    document.body.append(drawn);
}"""
COLOURS = {
    (255, 255, 255): "white",
    (255, 0, 0): "red",
    (68, 238, 0): "green",
    (244, 244, 0): "yellow",
    (255, 128, 0): "orange",
    (34, 102, 255): "blue",
}
STICKER = 150  # pixels: less than the smallest sticker takes, more than what edges are blurred to


@pytest.fixture
def viewing(viewer: None, page: Page) -> Page:
    """The page with the 3D view loaded, which it else loads when there is something to show."""
    page.tab.add_script_tag(url="viewer/viewer.js", type="module")
    return page


def _seen(page: Page) -> set[str]:
    """The colours of the picture."""
    png = page.tab.locator("#drawn").screenshot()
    with Image.open(io.BytesIO(png)) as picture:
        counts = picture.convert("RGB").getcolors(maxcolors=300 * 300) or []
    return {COLOURS[colour] for count, colour in counts if count > STICKER and colour in COLOURS}


def _see(page: Page, wanted: set[str]) -> None:
    """Wait until these colours are seen: pictures take a moment."""
    end = monotonic() + 10
    while (found := _seen(page)) != wanted and monotonic() < end:
        pass
    assert found == wanted


@pytest.mark.parametrize("name", ["cube2", "cube3", "cube4", "pyraminx", "skewb"])
def test_pictures_of_moves(viewing: Page, name: str) -> None:
    puzzle = puzzlekit.load(name).puzzle
    assert puzzle.layout is not None
    colours = puzzle.layout.colours
    viewing.tab.evaluate(DRAW, [puzzle.layout.viewer, ""])
    in_front = {at for at, face in enumerate(puzzle.layout.faces) if face in "UFR"}
    _see(viewing, {colours[at] for at in in_front})

    def expected(move: Move) -> set[str]:
        shown = facelets(puzzle, puzzle.apply(puzzle.solved, [move]))
        return {
            colours[puzzle.layout.faces.index(letter)]
            for letter, face in zip(shown, puzzle.layout.face_of, strict=True)
            if face in in_front
        }

    turns = [puzzle.move(family) for family in puzzle.turns if family not in puzzle.rotations]
    telling = [move for move in turns if expected(move) != expected(puzzle.inverse(move))]
    assert len(telling) > 2  # in a mirror these would look otherwise
    for move in telling[:4]:
        viewing.tab.evaluate(DRAW, [puzzle.layout.viewer, move.name])
        _see(viewing, expected(move))


def _order(puzzle: Any, word: str) -> int:
    effects = [move.effect for move in puzzle.moves(word)]
    whole = reduce(lambda a, b: compose(a, b, puzzle.modulus), effects, no_effect(puzzle.modulus))
    return len(powers(whole, puzzle.modulus)) + 1


@pytest.mark.parametrize("name", ["cube2", "cube3", "cube4", "pyraminx", "skewb"])
def test_orders_of_words(viewing: Page, name: str) -> None:
    puzzle = puzzlekit.load(name).puzzle
    chosen = random.Random(name)
    turns = [move.name for move in puzzle.family_moves(puzzle.turns)]
    words = [" ".join(chosen.choices(turns, k=chosen.randint(1, 6))) for _ in range(60)]
    expected = [_order(puzzle, word) for word in words]
    assert len(set(expected)) > 5
    assert viewing.outcome(ORDERS, [puzzle.layout.viewer, words]) == expected
