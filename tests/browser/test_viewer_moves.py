"""The 3D view means by the names of moves what the puzzles mean, as far as the two are of one kind.

It takes anything for a move of a solved puzzle that it does not understand, so that its look proves
nothing. Here its own permutations are held against those of the library: words have the same order.
"""

from __future__ import annotations

import random
from functools import reduce
from typing import Any

import pytest
from page import Page, expect

import puzzlekit
from puzzlekit.puzzle.move import compose, no_effect, powers

# How often a word has to be done until every piece is back; how centers are turned is left out, as
# a puzzle without pictures does not show it.
ORDERS = """async ([puzzle, words]) => {
    const { TwistyPlayer } = await import("/viewer/viewer.js");
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

# Whether it gets to show a solved puzzle, in any holding, within a second of pictures.
ENDS_SOLVED = """async ([rotations]) => {
    const { kpuzzle, currentPattern } =
        document.querySelector("twisty-player").experimentalModel;
    const seen = ({ patternData }) => JSON.stringify(
        Object.entries(patternData).map(([orbit, { pieces, orientation }]) =>
            orbit === "CENTERS" ? pieces : [pieces, orientation]));
    const holdings = [(await kpuzzle.get()).defaultPattern()];
    const solved = new Set(holdings.map(seen));
    for (const held of holdings) {
        for (const turned of rotations.map((rotation) => held.applyMove(rotation))) {
            if (!solved.has(seen(turned))) holdings.push(turned);
            solved.add(seen(turned));
        }
    }
    for (let picture = 0; picture < 60; picture += 1) {
        if (solved.has(seen(await currentPattern.get()))) return true;
        await new Promise(requestAnimationFrame);
    }
    return false;
}"""


def _order(puzzle: Any, word: str) -> int:
    effects = [move.effect for move in puzzle.moves(word)]
    whole = reduce(lambda a, b: compose(a, b, puzzle.modulus), effects, no_effect(puzzle.modulus))
    return len(powers(whole, puzzle.modulus)) + 1


@pytest.mark.usefixtures("viewer")
@pytest.mark.parametrize("name", ["cube2", "cube3", "cube4", "pyraminx", "skewb"])
def test_orders_of_words(page: Page, name: str) -> None:
    puzzle = puzzlekit.load(name).puzzle
    chosen = random.Random(name)
    turns = [move.name for move in puzzle.family_moves(puzzle.turns)]
    words = [" ".join(chosen.choices(turns, k=chosen.randint(1, 6))) for _ in range(60)]
    expected = [_order(puzzle, word) for word in words]
    assert len(set(expected)) > 5
    assert page.tab.evaluate(ORDERS, [puzzle.twisty, words]) == expected


@pytest.mark.usefixtures("viewer")
@pytest.mark.parametrize("name", ["cube2", "cube3", "pyraminx", "skewb"])
def test_the_end_is_solved(page: Page, name: str) -> None:
    puzzle = puzzlekit.load(name).puzzle
    page.choose(puzzle.title)
    page.button("Random").click()
    expect(page.status()).to_have_text("ready to solve")
    page.solve(seconds=0.5)
    expect(page.tab.locator("#player.ready")).to_be_visible()
    rotations = [list(puzzle.rotations)]
    assert not page.tab.evaluate(ENDS_SOLVED, rotations)
    page.button("Last").click()
    page.see_it_solved()
    assert page.tab.evaluate(ENDS_SOLVED, rotations)
