"""Writes docs/page.png, the picture of the page: `python docs/screenshot.py`.

It needs chromium and `pip install '.[browser,plot,test]'`.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image

import puzzlekit

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS.parent / "tests"))

from browsing import browser, server  # noqa: E402

SCRAMBLE = "R U2 F' L2 D B2 R' U F2 D' L B U2 R2 F L2 D' R B' U2 F2 R D2 L' B"
COLOURS = str.maketrans("URFDLB", "WRGYOB")


def main() -> None:
    """Solve a cube on the page, and go back some moves from the end."""
    cube = puzzlekit.load("cube3")
    stickers = cube.positions.to_facelets(cube.state(SCRAMBLE)).translate(COLOURS)
    with server() as address, browser() as opened:
        tab = opened.new_page(viewport={"width": 1100, "height": 760})
        tab.goto(f"{address}#puzzle=cube3&scheme=western&state={stickers}")
        tab.wait_for_timeout(3000)
        for name, times in (("Solve", 1), ("Last", 1), ("Back", 6)):
            for _ in range(times):
                tab.get_by_role("button", name=name, exact=True).click()
                tab.wait_for_timeout(4000 if name == "Solve" else 1200)
        tab.wait_for_timeout(2000)
        picture = Image.open(io.BytesIO(tab.screenshot(full_page=True)))
    picture.quantize(128).save(DOCS / "page.png", optimize=True)


if __name__ == "__main__":
    main()
