"""A server of the installed package, and a browser: for the tests and for `benchmarks/page.py`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)
# Begins before anything is drawn; `shift` is then the cumulative layout shift, also of what follows
# a click: which browsers leave out, but for half a second only, and so by the speed of the machine.
COUNT_SHIFTS = """
    window.shift = 0;
    new PerformanceObserver(list => {
        for (const { value } of list.getEntries()) window.shift += value;
    }).observe({ type: 'layout-shift', buffered: true });
"""
ANNOUNCED = re.compile(r"http://127\.0\.0\.1:\d+/")


@contextmanager
def server(*options: str) -> Iterator[str]:
    """The address of `puzzlekit serve`, with the tables of this environment."""
    command = [sys.executable, "-P", "-m", "puzzlekit", "serve", "--port", "0", *options]
    environment = {**os.environ, "NO_COLOR": "1"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, encoding="utf-8", env=environment
    ) as process:
        try:
            assert process.stdout is not None
            found = ANNOUNCED.search(process.stdout.readline())
            assert found, "the server does not say where it is"
            yield found[0]
        finally:
            process.terminate()


def chromium() -> str | None:
    """The installed browser; the variable CHROMIUM names one that is not found by itself."""
    names = "chromium-headless-shell", "chromium"  # the first one has no windows, and is faster
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


@contextmanager
def browser() -> Iterator[Any]:
    """That browser, without a window, and with nothing of its user."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        try:
            yield launched
        finally:
            launched.close()
