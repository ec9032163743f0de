"""A search ends when it is stopped, so that there is room for another."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import browsing
import pytest
from page import Page, expect


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server that does one search at once."""
    with browsing.server("--solves", "1") as address:
        yield address


def begin(page: Page) -> None:
    page.unfold("Advanced")
    page.field("Time limit in seconds").fill("600")
    page.button("Solve").click()
    expect(page.moves.first).to_be_visible(timeout=120_000)
    expect(page.button("Stop")).to_be_enabled()


def test_stop_makes_room(new_page: Callable[..., Page]) -> None:
    page, other = new_page(), new_page()
    for each in (page, other):
        each.button("Random").click()
        expect(each.status()).to_have_text("ready to solve")
    begin(page)
    other.button("Solve").click()
    expect(other.region("Solve")).to_contain_text("Other searches are running")
    page.button("Stop").click()
    expect(page.region("Solve")).to_contain_text("Stopped")
    expect(page.moves.first).to_be_visible()  # the best answer so far stays
    begin(other)
    other.tab.close()
    begin(page)  # leaving the page ends a search too
    page.button("Stop").click()


def test_other_colours_end_no_search_and_other_stickers_do(page: Page) -> None:
    page.button("Random").click()
    expect(page.status()).to_have_text("ready to solve")
    begin(page)
    page.set("Scheme", "Japanese")
    expect(page.status()).to_have_text("ready to solve")
    expect(page.button("Stop")).to_be_visible()
    page.unfold("Details")
    assert page.tab.get_by_role("list", name="Improvements").inner_text()
    page.button("Solved").click()
    expect(page.button("Stop")).to_be_hidden()
    expect(page.moves).to_have_count(0)
