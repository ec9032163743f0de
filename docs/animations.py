"""Writes docs/page.webp and docs/terminal.svg, which move: `python docs/animations.py`.

They show the page and the terminal in README.md. The script needs chromium and
`pip install '.[browser,plot,test]'`.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from datetime import datetime, timedelta
from html import escape
from pathlib import Path
from typing import Any

from PIL import Image

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS.parent / "tests"))

from browsing import browser, server  # noqa: E402

SCRAMBLE = "R U2 F' L D2 B"
STEP = 90  # ms of the page between two pictures
SIZE = 1040, 712
WIDTH = 720

COMMANDS = (
    "puzzlekit solve -p 3x3 --random --seed 7 -t 1",
    "puzzlekit steps -p 3x3 -m cfop \"R U2 F' L2 D B2 R' U F2 D' L\" | head -7",
    "puzzlekit distribution -p skewb | grep -E 'total|largest|mean'",
)
EM = 8.4  # the width of a character; the font has 14 pixels
LINE = 20
COLUMNS = 80
TYPED, READ = 0.035, 2.2  # seconds for a character, and to read an answer
PALETTE = {
    "16": "#15171b",
    "21": "#2f5fd0",
    "34": "#2aa04a",
    "160": "#d03c34",
    "208": "#f08a24",
    "226": "#f2d330",
    "255": "#f3f3ee",
}
CELL = re.compile(r"\x1b\[48;5;(\d+);38;5;(\d+)m(.*?)\x1b\[0m")


def page() -> None:
    """Type a scramble, solve it, and play the solution; the clock of the page is stopped."""
    pictures: list[Image.Image] = []
    times: list[int] = []
    with server() as address, browser() as opened:
        context = opened.new_context(viewport=dict(zip(("width", "height"), SIZE, strict=True)))
        tab = context.new_page()
        tab.goto(f"{address}#puzzle=cube3")
        tab.wait_for_timeout(3000)
        tab.clock.install()
        tab.clock.pause_at(datetime.now() + timedelta(seconds=1))

        def take(milliseconds: int, count: int = 1) -> None:
            for _ in range(count):
                tab.clock.run_for(milliseconds)
                picture = Image.open(io.BytesIO(tab.screenshot())).convert("RGB")
                picture = picture.resize(
                    (WIDTH, WIDTH * SIZE[1] // SIZE[0]), Image.Resampling.LANCZOS
                )
                pictures.append(picture)
                times.append(milliseconds)

        take(700)
        field = tab.get_by_role("textbox").first
        moves = SCRAMBLE.split()
        for count in range(1, len(moves) + 1):
            field.fill(" ".join(moves[:count]))
            take(220)
        tab.get_by_role("button", name="Solve", exact=True).click()
        _until(tab, "#moves button")
        take(1200)
        tab.get_by_role("button", name="Play", exact=True).click()
        for _ in range(200):
            take(STEP)
            if tab.locator("#next").is_disabled():
                break
        take(STEP, 8)
        take(2500)
    pictures[0].save(
        DOCS / "page.webp",
        save_all=True,
        append_images=pictures[1:],
        duration=times,
        loop=0,
        quality=50,
        method=6,
    )


def _until(tab: Any, selector: str) -> None:
    """Let the clock go on until the server has answered."""
    for _ in range(100):
        tab.clock.run_for(50)
        if tab.locator(selector).count():
            return
        tab.wait_for_timeout(50)


def terminal() -> None:
    """Type the commands, with what they print."""
    lines: list[tuple[float, str]] = []  # when each one appears, and its elements
    now, shown = 0.6, 0
    for command in COMMANDS:
        lines.append((now, _line(shown, f"$ {command}", "command")))
        now += TYPED * len(command) + 0.4
        shown += 1
        for each in _printed(command):
            lines.append((now, _line(shown, each)))
            shown += 1
        now += READ
        shown += 1
    (DOCS / "terminal.svg").write_text(_drawn(lines, shown - 1, now + 2), encoding="utf-8")


def _printed(command: str) -> list[str]:
    found = subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        encoding="utf-8",
        check=True,
        env={**os.environ, "FORCE_COLOR": "1", "COLUMNS": f"{COLUMNS}"},
    )
    lines = found.stdout.rstrip("\n").split("\n")
    return [each for each in lines if not each.startswith("phases")]


def _line(row: int, text: str, kind: str = "") -> str:
    """The elements of a line: the cells of a net, and the words between them."""
    y, x, parts = 44 + row * LINE, 16.0, []
    at = 0
    for cell in CELL.finditer(text):
        x += EM * (cell.start() - at)
        back, front, letter = cell.groups()
        width = EM * len(letter)
        parts.append(
            f'<rect x="{x:.1f}" y="{y - 14.5:.1f}" width="{width - 1:.1f}" height="{LINE - 1}" '
            f'rx="2" fill="{PALETTE[back]}"/>'
            f'<text x="{x + (width - 1 - EM) / 2:.1f}" y="{y}" class="c{front}">'
            f"{letter.strip()}</text>"
        )
        x, at = x + width, cell.end()
    rest = text[at:]
    if rest.strip():
        of = f' class="{kind}"' if kind else ""
        parts.append(f'<text x="{x:.1f}" y="{y}"{of} xml:space="preserve">{escape(rest)}</text>')
    return "".join(parts)


def _drawn(lines: list[tuple[float, str]], rows: int, seconds: float) -> str:
    """The picture: each line appears at its time, and all of them disappear at the end."""
    width, height = 32 + EM * COLUMNS, 60 + rows * LINE
    styles, groups = [], []
    for number, (when, elements) in enumerate(lines):
        share = 100 * when / seconds
        styles.append(
            f"@keyframes a{number}{{0%,{share:.2f}%{{opacity:0}}"
            f"{share + 0.01:.2f}%,99%{{opacity:1}}100%{{opacity:0}}}}"
            f"#l{number}{{animation:a{number} {seconds:.1f}s infinite}}"
        )
        groups.append(f'<g id="l{number}">{elements}</g>')
    title = "Commands of puzzlekit and what they print"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" '
            f'role="img" aria-label="{title}">',
            f"<title>{title}</title>",
            "<style>text{font:14px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;"
            "fill:#d7dae0}.command{fill:#aaa2ff}.c16{fill:#15171b}.c231{fill:#fff}",
            "@media(prefers-reduced-motion:reduce){g{animation:none!important}}",
            *styles,
            "</style>",
            f'<rect width="{width:.0f}" height="{height}" rx="10" fill="#15171b"/>',
            *(
                f'<circle cx="{18 + 16 * i}" cy="16" r="5" fill="{colour}"/>'
                for i, colour in enumerate(("#ff5f57", "#febc2e", "#28c840"))
            ),
            *groups,
            "</svg>",
            "",
        ]
    )


if __name__ == "__main__":
    terminal()
    page()
