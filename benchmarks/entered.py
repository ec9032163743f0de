"""Count the files and functions that one warm solve enters: what to read to follow it.

    python benchmarks/entered.py
    python benchmarks/entered.py --list solve --puzzle cube2 "R U F"

The engine runs as plain Python, so that its functions count, too.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import threading
from collections import Counter
from pathlib import Path
from types import FrameType

import puzzlekit
from puzzlekit.cli import main as run
from puzzlekit_authoring.engines import interpreted

SOLVE = ["solve", "R U F2 D L B"]
ROOT = Path(puzzlekit.__file__).parents[1]


def entered(command: list[str]) -> Counter[tuple[str, str]]:
    """Return how often a command enters each function: pairs of a file and a qualified name."""
    found: Counter[tuple[str, str]] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event != "call" or code.co_name.startswith("<") or "puzzlekit" not in code.co_filename:
            return
        path = Path(code.co_filename)
        if path.is_relative_to(ROOT / "puzzlekit") or path.is_relative_to(ROOT / "plugins"):
            found[str(path.relative_to(ROOT)), code.co_qualname] += 1

    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        threading.setprofile(note)
        sys.setprofile(note)
        try:
            run(command, standalone_mode=False)
        finally:
            sys.setprofile(None)
            threading.setprofile(None)  # type: ignore[arg-type]
    return found


def main() -> None:
    """Print the numbers; with --list also each function and its number of calls."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--list", action="store_true", help="print each function")
    parser.add_argument("--puzzle", default="cube3", help="the puzzle of the command")
    given, rest = parser.parse_known_args()
    puzzle, listed = given.puzzle, given.list
    command = [*(rest or SOLVE), "--puzzle", puzzle]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        # Without tables, a solve of few moves goes another way and builds none.
        run(["tables", "build", puzzle], standalone_mode=False)
    puzzlekit.load.cache_clear()
    with interpreted():
        found = entered(command)
    puzzlekit.load.cache_clear()  # solvers that the plain engine made
    if listed:
        for (path, name), calls in sorted(found.items()):
            print(f"{calls:8} {path} {name}")
    files = len({path for path, _ in found})
    print(f"{files} files and {len(found)} functions, {sum(found.values()):,} calls")


if __name__ == "__main__":
    main()
