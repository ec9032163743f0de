"""The page in the language of the browser, of the link, or of the menu."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from page import Page, expect

GERMAN = {"viewport": {"width": 1280, "height": 800}, "locale": "de-AT"}
FRENCH_PHONE = {"viewport": {"width": 390, "height": 844}, "locale": "fr-FR", "is_mobile": True}
# The buttons whose words are wider than their room.
CUT = """() => [...document.querySelectorAll('button')].filter(
    each => each.offsetParent && each.scrollWidth > each.clientWidth)
    .map(each => each.textContent)"""


@pytest.mark.parametrize("window", [GERMAN])
def test_the_browser_and_the_menu_choose_the_language(page: Page) -> None:
    page.tab.locator("#puzzle").select_option("cube2")
    expect(page.net.get_by_role("gridcell")).to_have_count(24)  # it empties the field
    page.tab.get_by_label("Scramble oder Sticker", exact=True).fill("R U R' U'")
    page.button("Lösen").click()
    expect(page.tab.locator("#summary")).to_have_text("4 Züge (HTM) · kürzer geht es nicht")
    expect(page.tab.locator("#caption")).to_contain_text("(Oberseite, im Uhrzeigersinn)")
    page.button("Gelöst").click()
    page.tab.get_by_role("radio", name="Grün", exact=True).check(force=True)
    page.sticker("U1").click()
    expect(page.tab.locator("#faults")).to_contain_text("Sticker G statt")
    page.tab.get_by_role("combobox", name="Sprache").select_option("Español")
    expect(page.button("Resolver")).to_be_visible()
    expect(page.tab.locator("html")).to_have_attribute("lang", "es")
    expect(page.tab.locator("#puzzle option:checked")).to_have_text("cubo 2x2x2")
    page.tab.reload()
    expect(page.button("Resolver")).to_be_visible()


def test_moves_stay_in_another_language(page: Page) -> None:
    page.choose("2x2x2 cube")
    page.read("R U")
    page.solve()
    page.select("Language").select_option("日本語")
    expect(page.tab.locator("#moves")).to_have_text(re.compile("U'\\s*R'"))
    expect(page.button("解く")).to_be_visible()


def test_a_link_chooses_the_language(new_page: Callable[..., Page], address: str) -> None:
    page = new_page(f"{address}#puzzle=cube2&language=zh")
    expect(page.button("求解")).to_be_visible()


@pytest.mark.parametrize("window", [FRENCH_PHONE])
def test_long_words_fit_on_a_phone(page: Page) -> Any:
    page.tab.locator("#read-text").fill("R U F")
    page.button("Résoudre").click()
    expect(page.tab.locator("#moves button").first).to_be_visible(timeout=120_000)
    assert page.tab.evaluate(CUT) == []
