"""Links, reloads and other tabs: none of them loses what is painted."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from page import Page, expect

CLEARED = "".join(f"????{face}????" for face in "WRGYOB")  # a 3x3x3 whose centers are known
PAINTED = f"YY{CLEARED[2:]}"
SOLVED = "WWWWRRRRGGGGYYYYOOOOBBBB"  # a 2x2x2


def begin(page: Page) -> None:
    page.paint({"U1": "yellow", "U2": "yellow"})
    page.shows(PAINTED)


def follow(page: Page, link: str) -> None:
    page.tab.evaluate("link => { location.hash = link; }", link)


@pytest.mark.parametrize("link", ["puzzle=cube3", "puzzle=cube3&scheme=western&state=WW"])
def test_a_link_without_stickers_leaves_what_is_painted(page: Page, link: str) -> None:
    begin(page)
    page.choose("2x2x2 cube")
    follow(page, link)
    expect(page.select("Puzzle")).to_have_value("cube3")
    page.shows(PAINTED)


def test_undo_leads_back_from_a_link(page: Page) -> None:
    begin(page)
    state = "".join(9 * colour for colour in "WRGYOB")
    follow(page, f"puzzle=cube3&scheme=western&state={state}")
    page.shows(state)
    page.button("Undo").click()
    page.shows(PAINTED)


def test_a_reload_shows_what_this_tab_showed(page: Page, new_page: Callable[..., Page]) -> None:
    begin(page)
    other = new_page()
    other.set("Scheme", "Japanese")
    other.choose("2x2x2 cube")
    page.tab.reload()
    expect(page.select("Puzzle")).to_have_value("cube3")
    page.unfold("Advanced")
    expect(page.select("Scheme")).to_have_value("western")
    page.shows(PAINTED)


@pytest.mark.parametrize("state", [SOLVED, "?" * 24])
def test_moves_of_a_link_that_are_wrong(
    new_page: Callable[..., Page], address: str, state: str
) -> None:
    page = new_page(f"{address}#puzzle=cube2&scheme=western&state={state}&moves=R_Q")
    notice = page.tab.get_by_role("alert")
    expect(notice).to_contain_text("The moves of this link cannot be shown: see Your moves")
    expect(page.field("Your moves")).to_have_value("R Q")
    expect(page.status("Verified")).not_to_be_empty()
