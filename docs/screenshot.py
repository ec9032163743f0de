"""Writes docs/page.png and docs/scan.png, pictures of the page: `python docs/screenshot.py`.

It needs chromium and `pip install '.[browser,plot,test]'`.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

from PIL import Image

import puzzlekit

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS.parent / "tests"))

from browsing import browser, server  # noqa: E402

SCRAMBLE = "R U2 F' L2 D B2 R' U F2 D' L B U2 R2 F L2 D' R B' U2 F2 R D2 L' B"
COLOURS = str.maketrans("URFDLB", "WRGYOB")


# A camera that sees a face: its stickers row by row.
CAMERA = """
    const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 });
    const context = canvas.getContext('2d');
    const paint = {
        W: '#e4d9c4', R: '#a82a26', G: '#2f8448', Y: '#d6bd35', O: '#db6a2b', B: '#24508a',
    };
    let seen = 'WWWWWWWWW';
    window.see = stickers => { seen = stickers; };
    setInterval(() => {
        context.fillStyle = '#857a6c';
        context.fillRect(0, 0, 640, 480);
        context.fillStyle = '#1b1a19';
        context.fillRect(140, 60, 360, 360);
        [...seen].forEach((symbol, i) => {
            const [x, y] = [152 + 115 * (i % 3), 72 + 115 * Math.floor(i / 3)];
            const light = context.createLinearGradient(x, y, x + 106, y + 106);
            light.addColorStop(0, `color-mix(in srgb, ${paint[symbol]} 88%, white)`);
            light.addColorStop(1, paint[symbol]);
            context.fillStyle = light;
            context.beginPath();
            context.roundRect(x, y, 106, 106, 14);
            context.fill();
        });
    }, 50);
    navigator.mediaDevices.getUserMedia = async () => canvas.captureStream();
"""


def main() -> None:
    """Solve a cube on the page, and go back some moves from the end; scan another page's cube."""
    cube = puzzlekit.load("cube3")
    stickers = cube.positions.to_facelets(cube.state(SCRAMBLE)).translate(COLOURS)
    with server() as address, browser() as opened:
        _scan(opened, address, stickers)
        tab = opened.new_page(viewport={"width": 1100, "height": 760})
        tab.goto(f"{address}#puzzle=cube3&scheme=western&state={stickers}")
        tab.wait_for_timeout(3000)
        buttons = ("Solve", 1), ("Last", 1), ("Back", 6), ("Show the back, too", 1)
        for name, times in buttons:
            for _ in range(times):
                tab.get_by_role("button", name=name, exact=True).click()
                tab.wait_for_timeout(4000 if name == "Solve" else 1200)
        tab.wait_for_timeout(2000)
        picture = Image.open(io.BytesIO(tab.screenshot(full_page=True)))
    picture.quantize(128).save(DOCS / "page.png", optimize=True)


def _scan(opened: Any, address: str, stickers: str) -> None:
    """Show three faces of a cube to the camera, and take two of them."""
    tab = opened.new_page(viewport={"width": 928, "height": 610})
    tab.add_init_script(CAMERA)
    tab.goto(f"{address}#puzzle=cube3&scheme=western")
    tab.get_by_role("button", name="Scan", exact=True).click()
    for letter in "FRB":
        first = 9 * "URFDLB".index(letter)
        tab.evaluate("stickers => see(stickers)", stickers[first : first + 9])
        tab.wait_for_timeout(2000)
        if letter != "B":
            tab.get_by_role("button", name="Take", exact=True).click()
    shown = tab.get_by_role("dialog").bounding_box()
    tab.mouse.move(0, 0)
    picture = Image.open(io.BytesIO(tab.screenshot(clip=shown)))
    reduced = picture.quantize(256, method=Image.Quantize.FASTOCTREE)  # keeps rare colours
    reduced.save(DOCS / "scan.png", optimize=True)
    tab.close()


if __name__ == "__main__":
    main()
