"""What is seen at first sight: nobody scrolls for what is needed most."""

from __future__ import annotations

import re
from typing import Any

import pytest
from page import STICKERS, Page, expect

import puzzlekit

DESKTOP = {"viewport": {"width": 1280, "height": 800}}
LAPTOP = {"viewport": {"width": 1366, "height": 650}}
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}
SIDEWAYS = {**PHONE, "viewport": {"width": 844, "height": 390}}
# Whether the picture of how to hold a puzzle, or its words, lie over stickers of the net.
COVERED = """() => {
    const words = document.querySelector('figcaption').getBoundingClientRect();
    const { x, y, width, height } = document.querySelector('figure canvas').getBoundingClientRect();
    const points = [0.3, 0.7].flatMap(i => [0.3, 0.7].map(j => [x + i * width, y + j * height]));
    for (const x of [words.left, words.right])
        for (const y of [words.top, words.bottom]) points.push([x, y]);
    return points.some(([x, y]) => document.elementFromPoint(x, y).closest('.sticker'));
}"""
# How many pixels of the picture have which colour.
COLOURS = """() => {
    const canvas = document.querySelector('figure canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const counts = {};
    for (let i = 0; i < data.length; i += 4) {
        const colour = data.slice(i, i + 4).join(' ');
        counts[colour] = (counts[colour] ?? 0) + 1;
    }
    return counts;
}"""
HEIGHT = "document.documentElement.scrollHeight"


def random_state(page: Page) -> None:
    page.button("Random").click()
    expect(page.status()).to_have_text("ready to solve")


def sees_the_solution(page: Page) -> None:
    for each in (page.moves.first, page.moves.last, page.button("Copy"), page.button("Play")):
        expect(each).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("window", [DESKTOP, LAPTOP])
def test_at_a_desk_nothing_scrolls(page: Page) -> None:
    for each in (page.field("Scramble or stickers"), page.button("Hint"), page.button("Solve")):
        expect(each).to_be_in_viewport(ratio=1)
    random_state(page)
    page.button("Solve").click()
    expect(page.moves.first).to_be_visible(timeout=120_000)
    sees_the_solution(page)
    expect(page.replay).to_be_in_viewport(ratio=1)
    assert page.tab.evaluate("scrollY") == 0


@pytest.mark.parametrize("window", [{"viewport": {"width": 900, "height": 700}}, LAPTOP, DESKTOP])
def test_the_board_of_a_solution_covers_no_words(page: Page) -> None:
    """The stage of a low window is less high than the board would like to be."""
    page.tab.goto(f"{page.address}#puzzle=eight")
    expect(page.tab.locator("#puzzle")).to_have_value("eight")
    page.read("U L U R D D L U")
    page.solve()
    box = page.still(page.tab.locator("#replay-picture svg"))  # the page scrolls to the solution
    moves = page.moves.last.bounding_box()
    words = page.button("Play").bounding_box()
    assert moves["y"] + moves["height"] <= box["y"]
    assert box["y"] + box["height"] <= words["y"]


@pytest.mark.parametrize("window", [DESKTOP])
@pytest.mark.parametrize("puzzle", STICKERS)
def test_the_whole_net_is_seen_with_its_buttons(page: Page, puzzle: str) -> None:
    page.choose(puzzle)
    expect(page.net).to_be_in_viewport(ratio=1)
    expect(page.button("Random")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("window", [{"viewport": {"width": 1920, "height": 1080}}])
def test_a_large_window_is_filled(page: Page) -> None:
    page.choose("Megaminx")
    page.read("R U2 F'")
    page.solve()
    assert page.tab.locator("main").bounding_box()["width"] > 1600
    moves, stage = (page.tab.locator(each).bounding_box() for each in ("#moves", ".stage"))
    assert stage["y"] - (moves["y"] + moves["height"]) < 20 and moves["height"] < 50
    assert stage["height"] > 500
    sees_the_solution(page)
    assert not page.tab.evaluate(COVERED)


@pytest.mark.parametrize("window", [PHONE])
def test_a_phone_has_a_short_way(page: Page) -> None:
    assert page.tab.evaluate(HEIGHT) < 1000
    expect(page.field("Scramble or stickers")).to_be_in_viewport(ratio=1)
    expect(page.button("Solve")).to_be_in_viewport(ratio=1)
    page.button("Solved").tap()
    page.pick("green")
    page.sticker("U1").tap()
    expect(page.faults.first).to_be_visible()
    assert page.tab.evaluate(HEIGHT) < 1500


@pytest.mark.parametrize("window", [PHONE, SIDEWAYS])
def test_a_phone_scrolls_to_the_solution_once(page: Page) -> None:
    page.choose("2x2x2 cube")
    page.read("R U F2 R' U2 F R2 U'")
    page.button("Solve").tap()
    expect(page.button("Play")).to_be_in_viewport(ratio=1)
    sees_the_solution(page)


@pytest.mark.parametrize("window", [DESKTOP])
def test_what_few_need_is_folded(page: Page) -> None:
    for name in ("Method", "Heuristic", "Metric", "Scheme"):
        expect(page.tab.get_by_label(name, exact=True)).to_be_hidden()
    fold = page.tab.locator("summary", has_text="Advanced")
    expect(fold).to_have_text("Advanced")
    page.set("Metric", "QTM")
    page.set("Scheme", "Japanese")
    expect(fold).to_contain_text("Japanese · QTM")
    page.tab.reload()
    expect(fold).to_contain_text("Japanese · QTM")
    page.read("R2")
    page.solve()
    expect(page.region("Solution")).to_contain_text("1 move (2 QTM) · the shortest possible")


CSS = {
    "white": (255, 255, 255),
    "yellow": (255, 214, 10),
    "orange": (255, 140, 26),
    "red": (200, 16, 46),
    "green": (10, 157, 79),
    "blue": (23, 86, 201),
}


def hold(page: Page) -> Any:
    return page.tab.get_by_role("figure")


def shows(page: Page, colour: tuple[int, int, int]) -> bool:
    """Whether the picture has an area of this colour, as bright as light and shade make it."""
    for text, count in page.tab.evaluate(COLOURS).items():
        *seen, opaque = map(int, text.split())
        share = sum(seen) / sum(colour)
        alike = all(abs(one - share * other) <= 2 for one, other in zip(seen, colour, strict=True))
        if count > 30 and opaque == 255 and 0.8 < share <= 1.01 and alike:
            return True
    return False


@pytest.mark.parametrize("window", [DESKTOP, PHONE])
@pytest.mark.parametrize("puzzle", STICKERS)
def test_a_picture_says_how_to_hold_it(page: Page, puzzle: str) -> None:
    page.choose(puzzle)
    told = (
        "green in front, yellow below" if puzzle == "Pyraminx" else "white on top, green in front"
    )
    expect(hold(page)).to_have_text(f"Hold it with {told}.")
    seen = {"green", "blue"} if puzzle == "Pyraminx" else {"white", "green", "red"}
    page.tab.wait_for_timeout(100)  # until it is drawn
    assert {word for word, colour in CSS.items() if shows(page, colour)} == seen
    assert not page.tab.evaluate(COVERED)


def test_the_picture_has_the_colours_of_the_scheme(page: Page) -> None:
    page.set("Scheme", "Own")
    page.field("Colour of side U").fill("#123456")
    expect(hold(page)).to_have_text("Hold it like this.")
    page.tab.wait_for_timeout(100)
    assert shows(page, (0x12, 0x34, 0x56)) and not shows(page, CSS["white"])


@pytest.mark.parametrize(
    "puzzle", sorted(STICKERS.keys() - {"4x4x4 cube"})
)  # it needs large tables
def test_random_has_a_scramble(page: Page, puzzle: str) -> None:
    page.choose(puzzle)
    random_state(page)
    page.button("Copy scramble").click(timeout=120_000)
    expect(page.tab.locator("#read-answer")).to_contain_text("copied")
    scramble = page.outcome("() => navigator.clipboard.readText()")
    assert page.field("Scramble or stickers").input_value() == scramble
    (name,) = (n for n in puzzlekit.available() if puzzlekit.load(n).puzzle.title == puzzle)
    solver = puzzlekit.load(name)
    state = solver.positions.from_facelets(page.painted())
    assert solver.state(scramble) == state


def test_a_scramble_is_not_told_of_something_else(page: Page) -> None:
    page.choose("2x2x2 cube")
    held: list[Any] = []
    page.tab.route("**/solve", lambda route: held.append(route))
    random_state(page)
    page.tab.wait_for_timeout(200)
    assert held
    page.button("Solved").click()
    held[0].continue_()
    expect(page.status()).to_have_text("solved")
    expect(page.button("Copy scramble")).to_have_count(0)
    assert page.field("Scramble or stickers").input_value() == ""


def test_a_scramble_that_is_not_found_leaves_no_words(page: Page) -> None:
    event = 'event: preparing\ndata: {"what": "tables", "share": 0.5}\n\n'
    page.choose("2x2x2 cube")
    page.tab.route(
        "**/solve", lambda route: route.fulfill(content_type="text/event-stream", body=event)
    )
    random_state(page)
    expect(page.tab.locator("#read-answer")).to_be_empty()


def test_how_an_answer_was_found_is_told_in_plain_words(page: Page) -> None:
    page.read("R U2 F' L2 D B2 R' U F2 D'")
    page.solve(seconds=1)
    page.unfold("Details")
    expect(page.region("Solution")).to_contain_text("two-phase")
    for riddle in ("inverse", "backwards", "axis", "but for"):
        expect(page.region("Solution")).not_to_contain_text(riddle)


def test_on_paper_nothing_is_dark_or_to_be_pressed(page: Page) -> None:
    page.read("R U")
    page.solve()
    page.tab.emulate_media(media="print", color_scheme="dark")
    pressed = page.tab.locator("button:visible, select:visible, input:visible, summary:visible")
    others = [each for each in pressed.all() if not each.evaluate("e => !!e.closest('#moves')")]
    assert [each.inner_text() for each in others] == ["Details"]
    paper = page.tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert min(map(int, re.findall(r"[0-9]+", paper))) > 200
