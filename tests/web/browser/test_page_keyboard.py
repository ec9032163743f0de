"""The whole way from the start to a solved puzzle without a mouse, and what can be read aloud."""

from __future__ import annotations

from typing import Any

import pytest
from page import Page, expect

import puzzlekit
from puzzlekit.puzzle.net import facelets

CUBE = puzzlekit.load("cube2")
STATE = facelets(CUBE.puzzle, CUBE.state("R U F2"))
# Whether it is seen where the focus is: an outline of the control or of its label, or the ring that
# is drawn on a sticker.
SEEN = """() => {
    const at = document.activeElement;
    const outlined = [at, at.closest('label')].filter(Boolean).map(each => getComputedStyle(each))
        .some(style => style.outlineStyle !== 'none' && style.outlineWidth !== '0px');
    const ring = at.querySelector('.ring');
    return at.matches(':focus-visible')
        && (outlined || Boolean(ring) && getComputedStyle(ring).display !== 'none');
}"""


def tab_to(page: Page, target: Any) -> None:
    """Press Tab until the focus is there; it is seen on each way station."""
    for _ in range(60):
        page.tab.keyboard.press("Tab")
        if page.tab.evaluate("document.activeElement === document.body"):
            continue
        assert page.tab.evaluate(SEEN), page.tab.evaluate("document.activeElement.outerHTML")
        if target.evaluate("each => each === document.activeElement"):
            return
    raise AssertionError(f"Tab does not lead to {target}")


def test_from_the_start_to_the_end(page: Page) -> None:
    keyboard = page.tab.keyboard
    tab_to(page, page.select("Puzzle"))
    keyboard.type("2x2x2")
    expect(page.net.get_by_role("gridcell")).to_have_count(24)
    tab_to(page, page.sticker("U1"))
    for letter in STATE.translate(str.maketrans("URFDLB", "WRGYOB")):
        keyboard.press(letter)
    expect(page.status()).to_have_text("ready to solve")
    tab_to(page, page.button("Solve"))
    keyboard.press("Enter")
    page.solved()
    tab_to(page, page.button("Next"))
    for move in page.moves.all():
        keyboard.press("Enter")
        expect(move).to_have_attribute("aria-current", "step")
    page.see_it_solved()


def test_the_focus_stays_where_moves_end_or_are_replaced(page: Page) -> None:
    page.choose("2x2x2 cube")
    page.read("R U F2")
    page.solve()
    for name, presses, at in (
        ("Next", 4, "move 3 of 3"),
        ("Back", 4, "start"),
        ("Last", 2, "3 of 3"),
    ):
        page.button(name).focus()
        for _ in range(presses):
            page.tab.keyboard.press("Enter")
        expect(page.tab.locator("#caption")).to_contain_text(at)
        expect(page.button(name)).to_be_focused()
    # A better answer, or moves of a link, come without a click.
    page.moves.nth(1).click()
    page.field("Your moves").evaluate("each => { each.value = 'R U'; each.form.requestSubmit(); }")
    expect(page.moves).to_have_count(2)
    expect(page.moves.first).to_be_focused()


def test_the_net_by_arrows(page: Page) -> None:
    keyboard = page.tab.keyboard
    page.button("Solved").click()
    page.sticker("U5").focus()
    for key, name in (
        ("ArrowRight", "U6"),
        ("ArrowDown", "U9"),
        ("ArrowDown", "F3"),
        ("ArrowRight", "R1"),
        ("ArrowLeft", "F3"),
        ("ArrowUp", "U9"),
    ):
        keyboard.press(key)
        expect(page.sticker(name)).to_be_focused()
    keyboard.press("3")
    keyboard.press(" ")
    expect(page.net.get_by_role("gridcell", name="U9 green")).to_be_focused()
    keyboard.press("Delete")
    expect(page.net.get_by_role("gridcell", name="U9 not painted")).to_be_focused()
    keyboard.press("Control+z")
    expect(page.net.get_by_role("gridcell", name="U9 green")).to_have_count(1)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_that_axe_finds(page: Page, theme: str) -> None:
    """Names, roles, labels and contrasts, by the rules of axe-core, in three states of the page."""
    axe = pytest.importorskip("axe_playwright_python.base")

    def look() -> None:
        page.tab.evaluate(axe.AXE_SCRIPT)
        found = axe.AxeResults(page.outcome("how => axe.run(how)", {"resultTypes": ["violations"]}))
        assert not found.violations_count, found.generate_report()

    page.tab.emulate_media(color_scheme=theme, reduced_motion="reduce")
    look()
    page.button("Solved").click()
    page.paint({"U8": "green", "F2": "white", "U1": "red"})
    expect(page.faults.first).to_be_visible()
    page.read("R U Q")
    expect(page.field("Scramble or stickers")).to_have_attribute("aria-invalid", "true")
    look()
    page.choose("2x2x2 cube")
    page.read("R U F2")
    page.solve()
    page.button("Next").click()
    page.verify("R")
    look()
