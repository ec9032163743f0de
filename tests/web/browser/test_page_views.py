"""The puzzle in 3D from both sides, on the whole screen, and in a file."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from page import Page, expect

import puzzlekit
from puzzlekit_web.player import player

BACK = "Show the back, too"
# In a higher window, the back is small, above the front.
BESIDE = {"viewport": {"width": 1280, "height": 800}}
# How many pixels of the 3D view have about the hue of a colour: brightness is light and shade.
SEEN = """([canvas, colour]) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const whole = colour.reduce((a, b) => a + b);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) {
        const share = (data[i] + data[i + 1] + data[i + 2]) / whole;
        if (share > 0.8 && share < 1.01 && data[i + 3] === 255
            && colour.every((part, k) => Math.abs(data[i + k] - share * part) < 3)) count++;
    }
    return count;
}"""
CSS = {
    "white": (255, 255, 255),
    "red": (200, 16, 46),
    "green": (10, 157, 79),
    "yellow": (255, 214, 10),
    "orange": (255, 140, 26),
    "blue": (23, 86, 201),
}


def view(page: Page) -> Any:
    return page.tab.get_by_role("img", name="The puzzle in 3D")


def seen(page: Page) -> set[str]:
    """The colours on the puzzle in 3D."""
    page.tab.wait_for_timeout(100)  # until it is drawn
    canvas = view(page).element_handle()
    return {word for word, css in CSS.items() if page.tab.evaluate(SEEN, [canvas, list(css)]) > 300}


def show_back(page: Page) -> Any:
    page.choose("3x3x3 cube")
    page.button("Solved").click()
    button = page.button(BACK)
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    return button


def test_both_sides_are_seen_until_one_is_enough(page: Page) -> None:
    button = show_back(page)
    assert seen(page) == set(CSS)
    page.tab.reload()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert seen(page) == set(CSS)
    page.read("R U2 F'")
    page.solve()
    page.button("Last").click()
    assert seen(page) == set(CSS)
    expect(page.replay).to_be_hidden()  # it would show nothing else
    button.click()
    expect(page.replay).to_be_visible()
    assert seen(page) == {"white", "red", "green"}


@pytest.mark.parametrize("window", [BESIDE])
def test_the_back_is_painted_and_turned_as_the_front(page: Page) -> None:
    show_back(page)
    box = page.still(view(page))
    x, y = 3 * box["width"] / 4, box["height"] / 2
    page.pick("white")
    view(page).click(position={"x": x - 30, "y": y - 20})  # on the back, seen from behind
    painted = page.painted()
    changed = [i for i, each in enumerate(painted) if each != "WRGYOB"[i // 9]]
    assert len(changed) == 1 and changed[0] // 9 == 5
    page.button("Undo").click()
    box = page.still(view(page))
    mouse = page.tab.mouse
    mouse.move(box["x"] + x - 30, box["y"] + y - 90)
    mouse.down()
    mouse.move(box["x"] + x, box["y"] + y - 98, steps=4)
    mouse.move(box["x"] + x + 80, box["y"] + y - 120, steps=6)
    mouse.up()
    expect(page.status()).to_have_text("ready to solve")
    page.solve()
    assert page.moves.all_inner_texts() == ["U"]  # it was turned to the right, seen from behind


@pytest.mark.parametrize("window", [BESIDE])
def test_the_back_follows_the_front(page: Page) -> None:
    """Dragged down beside its back, the puzzle shows more of the top there, less in front."""
    show_back(page)
    box = view(page).bounding_box()
    mouse = page.tab.mouse
    mouse.move(box["x"] + box["width"] - 8, box["y"] + box["height"] - 60)
    mouse.down()
    mouse.move(box["x"] + box["width"] - 8, box["y"] + box["height"] + 140, steps=5)
    mouse.up()
    page.button(BACK).click()
    assert seen(page) == {"yellow", "red", "green"}


def test_full_screen_and_back(page: Page) -> None:
    page.read("R U2 F'")
    page.solve()
    button = page.button("Full screen")
    size = view(page).bounding_box()
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(page.button("Next")).to_be_in_viewport(ratio=1)
    assert page.still(view(page))["width"] > 1.5 * size["width"]
    page.tab.keyboard.press("ArrowRight")
    expect(page.tab.locator("#caption")).to_contain_text("move 1 of 3")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")


def test_a_browser_without_full_screen_has_no_button(page: Page) -> None:
    page.tab.add_init_script(
        "Object.defineProperty(Document.prototype, 'fullscreenEnabled', { get: () => false });"
    )
    page.tab.reload()
    expect(page.button(BACK)).to_be_visible()
    expect(page.button("Full screen")).to_be_hidden()


def saved(page: Page, path: Path) -> list[Any]:
    """The pictures of the file that is saved, with their times."""
    image = pytest.importorskip("PIL.Image")
    with page.tab.expect_download() as download:
        page.button("GIF").click()
    download.value.save_as(path)
    expect(page.status("Shared")).to_have_text(f"Saved as {download.value.suggested_filename}.")
    moving = image.open(io.BytesIO(path.read_bytes()))
    assert moving.info["loop"] == 0
    frames = []
    for number in range(moving.n_frames):
        moving.seek(number)
        frames.append((moving.convert("RGB"), moving.info["duration"]))
    return frames


def colours(picture: Any) -> set[str]:
    """The colours that fill some of a picture, as bright as light and shade make them."""
    found = set()
    for count, pixel in picture.getcolors(1 << 20):
        for word, css in CSS.items():
            share = sum(pixel) / sum(css)
            alike = all(abs(a - share * b) < 6 for a, b in zip(pixel, css, strict=True))
            if count > 300 and alike and 0.8 < share < 1.02:
                found.add(word)
    return found


def test_a_solution_is_saved_as_a_moving_picture(page: Page, tmp_path: Path) -> None:
    expect(page.button("GIF")).to_be_disabled()
    page.choose("3x3x3 cube")
    page.read("R U2 F'")
    page.solve()
    frames = saved(page, tmp_path / "cube3.gif")
    assert len(frames) == 1 + 3 * 8
    assert 4000 < sum(time for _, time in frames) < 7000
    assert len({picture.tobytes() for picture, _ in frames}) == len(frames)
    paper = (250, 249, 246)
    assert frames[-1][0].getpixel((0, 0)) == paper
    assert colours(frames[0][0]) > {"white", "red", "green"}
    assert colours(frames[-1][0]) == {"white", "red", "green"}
    page.button(BACK).click()
    frames = saved(page, tmp_path / "both.gif")
    assert colours(frames[-1][0]) == set(CSS)


def test_tiles_are_saved_state_by_state(page: Page, tmp_path: Path) -> None:
    page.tab.goto(f"{page.address}#puzzle=fifteen")
    expect(page.tab.locator("#puzzle")).to_have_value("fifteen")
    expect(page.button(BACK)).to_be_hidden()
    page.read("U L")
    page.solve()
    frames = saved(page, tmp_path / "fifteen.gif")
    assert len({picture.tobytes() for picture, _ in frames}) == len(frames) == 3


def test_tiles_slide_when_they_are_pressed_and_the_next_one_is_marked(page: Page) -> None:
    page.tab.goto(f"{page.address}#puzzle=eight")
    expect(page.tab.locator("#puzzle")).to_have_value("eight")
    tiles = page.tab.locator("#picture g")
    picture = page.tab.locator("#picture svg")
    tiles.filter(has_text="3").last.click()  # two tiles at once
    expect(picture).to_have_attribute("aria-label", "The puzzle: 1 2 0 4 5 3 7 8 6")
    tiles.filter(has_text="4").click()  # not in line with the gap
    page.tab.keyboard.press("ArrowRight")
    expect(picture).to_have_attribute("aria-label", "The puzzle: 1 0 2 4 5 3 7 8 6")
    page.button("D").click()
    expect(picture).to_have_attribute("aria-label", "The puzzle: 1 5 2 4 0 3 7 8 6")
    page.solve()
    marked = page.tab.locator("#replay-picture .moving")
    for tile in ("5", "2", "3", "6"):
        expect(marked).to_have_text(tile)
        page.button("Next").click()
    expect(marked).to_have_count(0)


def test_the_replay_of_a_notebook_runs_alone(browser: Any) -> None:
    """Its modules share one scope there, so no name may be declared twice."""
    tab = browser.new_page()
    complaints: list[str] = []
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.set_content(player(puzzlekit.load("cube3").solve("R U2 F'")).page())
    for name in (BACK, "Next", "Last"):
        tab.get_by_role("button", name=name).click()
    expect(tab.locator("p").first).to_have_text("3 / 3 · solved")
    tab.close()
    assert not complaints
