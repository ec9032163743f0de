"""The 3D view means by the names of moves what the puzzles mean, as far as the two are of one kind.

It takes anything for a move of a solved puzzle that it does not understand, so that its look proves
nothing. Here its own permutations are held against those of the library: words have the same order.
"""

from __future__ import annotations

import random
from functools import reduce
from typing import Any

import pytest
from page import Page

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
