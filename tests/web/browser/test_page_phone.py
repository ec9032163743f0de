"""A narrow window, with fingers in place of a mouse."""

from __future__ import annotations

from typing import Any

import pytest
from page import STICKERS, Page, expect


@pytest.fixture
def window() -> dict[str, Any]:
    """The window of a phone."""
    return {
        "viewport": {"width": 390, "height": 844},
        "device_scale_factor": 2,
        "has_touch": True,
        "is_mobile": True,
    }


@pytest.mark.parametrize("puzzle", STICKERS)
def test_nothing_is_wider_than_the_window(page: Page, puzzle: str) -> None:
    page.choose(puzzle)
    page.button("Random").tap()
    expect(page.status()).to_have_text("ready to solve", timeout=60_000)  # tables may be built
    page.solve(seconds=4)
    width = "document.documentElement.scrollWidth"
    assert page.tab.evaluate(width) <= 390
    page.button("Last").tap()
    page.see_it_solved()
    page.button("Solved").tap()
    page.tab.get_by_role("radio").nth(2).check(force=True)
    page.net.get_by_role("gridcell").first.tap()
    expect(page.faults.first).to_be_visible()
    assert page.tab.evaluate(width) <= 390


def test_controls_are_large_enough_for_fingers(page: Page) -> None:
    for name in ("Random", "Solved", "Clear", "Undo", "Solve"):
        box = page.button(name).bounding_box()
        assert min(box["width"], box["height"]) >= 24, name
    assert page.sticker("U1").bounding_box()["width"] >= 23
    page.button("Random").tap()
    assert page.button("Copy scramble").bounding_box()["height"] >= 32


def test_a_finger_paints(page: Page) -> None:
    page.button("Solved").tap()
    page.pick("green")
    page.net.scroll_into_view_if_needed()
    first, last = (page.still(page.sticker(name)) for name in ("U1", "U3"))
    scrolled = page.tab.evaluate("scrollY")
    touch = page.tab.context.new_cdp_session(page.tab)
    for kind, box in (("touchStart", first), ("touchMove", last), ("touchEnd", None)):
        points = [{"x": box["x"] + 9, "y": box["y"] + 9}] if box else []
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    page.shows("GGG" + "WWWWWWRRRRRRRRRGGGGGGGGGYYYYYYYYYOOOOOOOOOBBBBBBBBB")
    assert page.tab.evaluate("scrollY") == scrolled


def test_a_face_of_a_large_net_fills_it(page: Page) -> None:
    faces = page.tab.get_by_role("group", name="Zoom", exact=True)
    expect(faces).to_be_hidden()
    page.choose("Megaminx")
    page.pick("red")
    faces.get_by_role("button", name="L face", exact=True).tap()
    assert page.sticker("L1").bounding_box()["width"] >= 40
    page.sticker("L1").tap()
    expect(page.net.get_by_role("gridcell", name="L1 red")).to_be_visible()
    page.sticker("BL1").focus()
    expect(faces.get_by_role("button", pressed=True)).to_have_text("BL")
    faces.get_by_role("button", name="All", exact=True).tap()
    assert page.sticker("L1").bounding_box()["width"] < 20


def test_the_steps_are_at_hand_while_the_puzzle_is_seen(page: Page) -> None:
    page.read("R U2 F'")
    page.solve(seconds=1)
    page.tab.locator("#summary").evaluate("each => each.scrollIntoView({ block: 'end' })")
    expect(page.button("Next")).to_be_in_viewport(ratio=1)
    page.button("Next").tap()
    expect(page.current).to_have_count(1)


def test_a_finger_leaves_nothing_under_itself(page: Page) -> None:
    colour = "each => getComputedStyle(each).backgroundColor"
    page.button("Random").tap()
    expect(page.status()).to_have_text("ready to solve")
    assert page.button("Random").evaluate(colour) == page.button("Solved").evaluate(colour)


def test_no_room_is_empty_where_there_are_no_faults(page: Page) -> None:
    expect(page.tab.get_by_role("heading", name="Faults", include_hidden=True)).to_be_hidden()
    expect(page.status()).to_have_text("48 stickers not painted yet")  # so faults would be known
    above = page.still(page.button("Solve"))
    below = page.still(page.tab.locator("summary", has_text="Advanced"))
    assert below["y"] - (above["y"] + above["height"]) < 60


def test_a_phone_on_its_side(page: Page) -> None:
    """The whole net is seen above the palette, with room beside it for a finger that scrolls."""
    page.tab.set_viewport_size({"width": 844, "height": 390})
    page.net.evaluate("each => each.scrollIntoView({ block: 'start' })")
    net = page.net.bounding_box()
    palette = page.tab.get_by_role("group", name="Colours", exact=True).bounding_box()
    assert net["y"] > -1
    assert net["y"] + net["height"] < palette["y"] + 1
    assert net["x"] >= 200
    assert page.sticker("U1").bounding_box()["width"] >= 22
