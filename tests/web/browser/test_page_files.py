"""A definition file on the page."""

from __future__ import annotations

from pathlib import Path

from page import Page

SKEWB = Path(__file__).parents[3] / "examples" / "definitions" / "skewb.def"


def test_a_definition_file_is_opened_turned_and_solved(page: Page) -> None:
    with page.tab.expect_file_chooser() as chooser:
        page.button("Open a file").click()
    chooser.value.set_files(SKEWB)
    turns = page.tab.get_by_role("group", name="Moves", exact=True)
    for move in ("U", "L'"):
        turns.get_by_role("button", name=move, exact=True).click()
    page.tab.locator("#picture svg[aria-label*='2 3 5 1 4 6']").wait_for()
    page.button("Solve").click()
    page.tab.locator("#summary", has_text="2 moves").wait_for()
    assert page.tab.locator("#picture svg text").count() == 14
    page.tab.locator("#open-file").set_input_files(__file__)
    page.tab.get_by_role("alert").filter(has_text="is no definition file").wait_for()
