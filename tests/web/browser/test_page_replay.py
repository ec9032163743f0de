"""The replay in 3D, and on the net alone where there is no viewer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from page import Page, expect

import puzzlekit

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


@pytest.mark.usefixtures("viewer")
@pytest.mark.parametrize("name", ["cube2", "cube3", "cube4", "pyraminx", "skewb"])
def test_the_replay_in_3d(page: Page, name: str) -> None:
    puzzle = puzzlekit.load(name).puzzle
    page.choose(puzzle.title)
    page.button("Random").click()
    expect(page.status()).to_have_text("ready to solve")
    page.solve(seconds=1)
    expect(page.tab.locator("#player.ready")).to_be_visible()
    player = page.tab.locator("twisty-player")
    rotations = [list(puzzle.rotations)]
    assert not page.outcome(ENDS_SOLVED, rotations)
    before = player.screenshot()
    page.button("Last").click()
    assert page.outcome(ENDS_SOLVED, rotations)
    page.see_it_solved()
    assert player.screenshot() != before  # so something is drawn


def test_without_a_viewer(page: Page) -> None:
    def none(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=json.dumps({**answer.json(), "viewer": False}))

    page.tab.route("**/api/puzzles", none)
    page.tab.route("**/viewer/**", lambda route: route.abort())
    page.tab.reload()
    page.choose("2x2x2 cube")
    page.read("R U F2")
    page.solve()
    expect(page.region("Solution")).to_contain_text("There is no 3D view")
    assert page.step_through() == page.moves.all_inner_texts()
    page.see_it_solved()
