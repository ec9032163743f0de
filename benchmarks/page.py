"""Measure the speed of the page of `puzzlekit serve` in an installed chromium.

    python benchmarks/page.py --runs 20
    python benchmarks/page.py --runs 5 --site DIRECTORY

Each run opens the page in a browser with an empty cache. The tables are built and loaded by the
server before. With `--site`, the page is a site that `puzzlekit serve --export DIRECTORY` wrote:
the browser itself loads Python and the tables, and solves. The results are:

- "first paint": the browser's first contentful paint;
- "net": the net is complete;
- "ready": the page can solve, so everything is loaded;
- "first answer": time from the click on Solve, for a random 3x3x3, to the first move on the page;
- "shift": the cumulative layout shift.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

sys.path += [str(Path(__file__).parents[1] / "tests" / each) for each in ("", "browser")]

from browsing import COUNT_SHIFTS, browser, server
from exported import static_server

PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
# Clicks, and waits for the moves.
ANSWER = """() => new Promise(resolve => {
    const moves = document.querySelector('#moves');
    new MutationObserver(() => {
        if (moves.querySelector('button')) resolve(performance.now() - start);
    }).observe(moves, { childList: true, subtree: true });
    const start = performance.now();
    document.querySelector('#solve-button').click();
})"""


def measure(window: Any, address: str) -> dict[str, float]:
    """Return the milliseconds of one run, and the layout shift."""
    context = window.new_context()
    try:
        page = context.new_page()
        page.add_init_script(COUNT_SHIFTS)
        page.goto(address)
        page.get_by_role("gridcell").last.wait_for()
        net = page.evaluate("performance.now()")
        # The status says what to do once the puzzle is loaded. The content policy of a site
        # forbids `wait_for_function`.
        while not page.get_by_role("status", name="Status", exact=True).inner_text().strip():
            time.sleep(0.02)
        page.locator("#preparing").wait_for(state="hidden")
        ready = page.evaluate("performance.now()")
        page.get_by_text("Advanced").click()
        page.get_by_label("Time limit in seconds").fill("0.5")
        page.get_by_text("Advanced").click()
        page.get_by_role("button", name="Random").click()
        page.get_by_text("ready to solve").wait_for()
        answer = page.evaluate(ANSWER)
        page.get_by_role("button", name="Last").click()
        return {
            "first paint": page.evaluate(PAINTED),
            "net": net,
            "ready": ready,
            "first answer": answer,
            "shift": page.evaluate("window.shift"),
        }
    finally:
        context.close()


def main() -> None:
    """Measure, and print medians and maxima."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--site", type=Path, help="measure this exported site")
    options = parser.parse_args()
    runs = options.runs
    served = static_server(options.site) if options.site else server()
    with served as address, browser() as window:
        measure(window, address)  # loads the tables and everything else that is slow once
        found = [measure(window, address) for _ in range(runs)]
    for name in found[0]:
        values = [each[name] for each in found]
        unit, digits = ("", 4) if name == "shift" else ("ms", 0)
        print(f"{name:<13} median {median(values):7.{digits}f} {unit}", end="")
        print(f"  at most {max(values):7.{digits}f} {unit}")


if __name__ == "__main__":
    main()
