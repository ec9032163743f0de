"""The replay in 3D, and on the net alone where there is no viewer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from page import STICKERS, Page, expect

# Whether the viewer's own puzzle is solved where it stands.
SOLVED = """async player => {
    const pattern = await player.experimentalModel.currentPattern.get();
    return pattern.isIdentical(pattern.kpuzzle.defaultPattern());
}"""


@pytest.mark.usefixtures("viewer")
@pytest.mark.parametrize("puzzle", STICKERS)
def test_the_replay_in_3d(page: Page, puzzle: str) -> None:
    page.choose(puzzle)
    page.button("Random").click()
    expect(page.status()).to_have_text("ready to solve")
    page.solve(seconds=1)
    expect(page.tab.locator("#player.ready")).to_be_visible()
    player = page.tab.locator("twisty-player")
    assert not player.evaluate(SOLVED)
    before = player.screenshot()
    page.button("Last").click()
    page.tab.wait_for_function(f"({SOLVED})(document.querySelector('twisty-player'))")
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
