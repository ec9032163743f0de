"""A scan of a puzzle, by a camera and from photos, all of which are drawn here."""

from __future__ import annotations

import re
from typing import Any

import pytest
from page import WESTERN, Page, expect

import puzzlekit

ORDER = "FRBLUD"
# What is seen of each colour under a warm lamp.
SEEN = {
    "U": "rgb(240 214 170)",
    "R": "rgb(165 35 25)",
    "F": "rgb(70 130 45)",
    "D": "rgb(225 180 40)",
    "L": "rgb(228 88 22)",
    "B": "rgb(40 62 92)",
}
# Draws a face of rows in a picture, somewhere on a table.
DRAW = """
    window.drawFace = (context, rows, x, y, side) => {
        const { canvas } = context;
        context.fillStyle = 'rgb(120 105 90)';
        context.fillRect(0, 0, canvas.width, canvas.height);
        context.fillStyle = 'rgb(25 22 20)';
        context.fillRect(x, y, side, side);
        const cell = side / rows.length;
        rows.forEach((row, i) => row.forEach((colour, j) => {
            context.fillStyle = colour;
            const [left, top] = [x + (j + 0.06) * cell, y + (i + 0.06) * cell];
            context.fillRect(left, top, 0.88 * cell, 0.88 * cell);
        }));
    };
"""
CAMERA = f"""
    {DRAW}
    const canvas = Object.assign(document.createElement('canvas'), {{ width: 320, height: 240 }});
    const context = canvas.getContext('2d');
    let shown = [['gray']];
    window.showFace = rows => {{ shown = rows; }};
    setInterval(() => drawFace(context, shown, 74, 34, 172), 50);
    navigator.mediaDevices.getUserMedia = async () => canvas.captureStream();
"""
NO_CAMERA = """
    navigator.mediaDevices.getUserMedia = async () => {
        throw new DOMException('', 'NotFoundError');
    };
"""
# Until the video shows the last face: its middle is seen on the list of faces.
ARRIVED = """colour => {
    const paths = document.querySelectorAll('#scan-faces [aria-current] path');
    const [r, g, b] = paths[paths.length - 1].getAttribute('fill')?.match(/\\d+/g) ?? [];
    const wanted = colour.match(/\\d+/g);
    return [r, g, b].every((value, i) => Math.abs(value - wanted[i]) < 20);
}"""
DROP = """async faces => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 400, height: 300 });
    const context = canvas.getContext('2d');
    const data = new DataTransfer();
    for (const [i, rows] of faces.entries()) {
        drawFace(context, rows, 60 + 15 * i, 20 + 8 * i, 210 - 10 * i);
        const blob = await new Promise(resolve => canvas.toBlob(resolve, 'image/jpeg', 0.9));
        data.items.add(new File([blob], `${i}.jpg`, { type: blob.type }));
    }
    document.querySelector('dialog').dispatchEvent(new DragEvent('drop', { dataTransfer: data }));
}"""


def rows_of(stickers: str, letter: str) -> list[list[str]]:
    """The colours that are seen of a face."""
    each = len(stickers) // 6
    first = "URFDLB".index(letter) * each
    size = int(each**0.5)
    return [
        [SEEN[face] for face in stickers[start : start + size]]
        for start in range(first, first + each, size)
    ]


def in_words(stickers: str) -> str:
    """The letters of colours that the net then shows."""
    return "".join(WESTERN[face][0].upper() for face in stickers)


def test_a_camera_sees_one_face_after_the_other(page: Page) -> None:
    cube = puzzlekit.load("cube3")
    stickers = cube.positions.to_facelets(cube.state("R U2 F' L2 D B"))
    page.tab.add_init_script(CAMERA)
    page.tab.reload()
    page.button("Scan").click()
    told = page.status("Next face")
    expect(told).to_contain_text("front face (green)")
    expect(page.button("Take")).to_be_focused()
    grid = page.tab.get_by_role("group", name="Grid over the image")
    grid.focus()
    for keys, place in (
        (("ArrowUp", "ArrowUp", "-"), "translate(0.5000 0.4800) scale(0.6990)"),
        (("ArrowDown", "ArrowDown", "+"), "translate(0.5000 0.5000) scale(0.7200)"),
    ):
        for key in keys:
            page.tab.keyboard.press(key)
        expect(grid.locator("svg g")).to_have_attribute("transform", place)
    page.button("Take").focus()
    for letter in ORDER:
        rows = rows_of(stickers, letter)
        page.tab.evaluate("rows => showFace(rows)", rows)
        page.tab.wait_for_function(ARRIVED, arg=rows[-1][-1])
        page.tab.keyboard.press("Enter")
    expect(page.tab.get_by_role("dialog")).to_be_hidden()
    page.shows(in_words(stickers))
    expect(page.button("Scan")).to_be_focused()
    expect(page.status()).to_have_text("ready to solve")


def test_photos_are_dropped(page: Page) -> None:
    cube = puzzlekit.load("cube2")
    stickers = cube.positions.to_facelets(cube.state("R U F2 R'"))
    page.tab.add_init_script(DRAW + NO_CAMERA)
    page.tab.reload()
    page.choose("2x2x2 cube")
    page.button("Scan").click()
    expect(page.status("Camera")).to_contain_text("No camera was found. Choose photos")
    page.outcome(DROP, [rows_of(stickers, letter) for letter in ORDER])
    for number in range(1, 7):
        heading = page.tab.get_by_role("heading", name=f"Scan: face {number} of 6")
        expect(heading).to_be_visible()
        page.button("Use photo").click()
    page.shows(in_words(stickers))


def test_the_grid_finds_faces_in_wide_photos(page: Page) -> None:
    """The empty parts above and below a photo are no contrast to a face beside them."""
    cube = puzzlekit.load("cube3")
    stickers = cube.positions.to_facelets(cube.random_state(6))
    page.tab.add_init_script(DRAW + NO_CAMERA)
    page.tab.reload()
    page.button("Scan").click()
    expect(page.status("Camera")).to_contain_text("No camera was found. Choose photos")
    drop = DROP.replace("60 + 15 * i, 20 + 8 * i, 210 - 10 * i", "60 + 15 * i, 70 - 12 * i, 150")
    page.outcome(drop, [rows_of(stickers, letter) for letter in ORDER])
    grid = page.tab.get_by_role("group", name="Grid over the image").locator("svg g")
    for number in range(6):
        heading = page.tab.get_by_role("heading", name=f"Scan: face {number + 1} of 6")
        expect(heading).to_be_visible()
        found = re.findall(r"[\d.]+", grid.get_attribute("transform") or "")
        middles = (60 + 15 * number + 75) / 400, (50 + 70 - 12 * number + 75) / 400
        assert [float(each) for each in found[:2]] == pytest.approx(middles, abs=0.06)
        page.button("Use photo").click()


def test_what_is_in_doubt_has_its_runner_up_at_hand(page: Page) -> None:
    cube = puzzlekit.load("cube2")
    solved = in_words(cube.positions.to_facelets(cube.puzzle.solved))

    asked: list[Any] = []
    page.tab.route("**/scan", lambda route: asked.append(route))
    page.tab.add_init_script(DRAW + NO_CAMERA)
    page.tab.reload()
    page.choose("2x2x2 cube")
    page.button("Scan").click()
    page.outcome(DROP, [[["red"]]] * 6)
    for _ in range(6):
        page.button("Use photo").click()
    expect(page.status("Next face")).to_have_text("Reading the colours …")
    page.tab.wait_for_timeout(400)  # in which it looks at the picture again
    expect(page.button("Use photo")).to_be_disabled()
    doubt = {"sticker": 3, "read": "W", "runner_up": "Y", "odds": 2.5}
    asked[0].fulfill(json={"stickers": solved, "doubts": [doubt], "mended": [], "turned": "U"})
    expect(page.tab.locator("#read-answer")).to_contain_text("turned back: top face.")
    expect(page.tab.get_by_role("group", name="Please check")).to_contain_text("U4: white")
    page.button("U4: Make it yellow").click()
    page.shows(solved[:3] + "Y" + solved[4:])
    expect(page.sticker("U4")).to_contain_class("doubtful")
    page.button("U4: Make it white").click()
    page.shows(solved)
    page.button("Clear").click()
    expect(page.tab.get_by_role("group", name="Please check")).to_be_hidden()


def test_no_scan_is_offered_without_its_plugin(page: Page) -> None:
    def answered(route: Any) -> None:
        record = route.fetch().json()
        route.fulfill(json={**record, "scans": False})

    expect(page.button("Scan")).to_be_visible()
    page.tab.route("**/api/puzzles/cube2", answered)
    page.choose("2x2x2 cube")
    expect(page.button("Scan")).to_be_hidden()
