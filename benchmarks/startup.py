"""Measure a complete process of `puzzlekit solve` against the minimum for its imports.

    python benchmarks/startup.py --runs 20

The floor is a Python process that only imports click, pluggy and attrs. Runs of both, and of the
script `kociemba` if it is installed, alternate. So other load on the machine affects all of them.
The CPU time is affected least.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import sysconfig
import time
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

import puzzlekit
from puzzlekit.puzzle.net import facelets

FLOOR = [sys.executable, "-c", "import click, pluggy, attrs"]


def scrambles(count: int) -> list[str]:
    """Return scrambles of 25 turns of faces."""
    rng = random.Random(1)
    names = [face + amount for face in "URFDLB" for amount in ("", "2", "'")]
    return [" ".join(rng.choice(names) for _ in range(25)) for _ in range(count)]


def script(name: str) -> str | None:
    """Return the path of a command in the environment of this Python; None if missing."""
    return shutil.which(name, path=sysconfig.get_path("scripts"))


def spent(command: list[str]) -> tuple[float, float]:
    """Run a command and return its seconds of CPU time and of wall time."""
    start, before = time.perf_counter(), getrusage(RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = getrusage(RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, time.perf_counter() - start


def main() -> None:
    """Measure and print medians and ratios."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=20)
    runs = parser.parse_args().runs
    command = script("puzzlekit")
    if command is None:
        sys.exit("the command puzzlekit is not installed next to this Python")
    cube = puzzlekit.load("cube3")
    cube.solve("R U F", max_length=22)  # builds the tables
    solve = [command, "solve", "--puzzle", "cube3", "--max-length", "22"]
    peer = script("kociemba")
    times: dict[str, list[tuple[float, float]]] = {}
    for scramble in scrambles(runs + 1):
        found = {
            "floor": spent(FLOOR),
            "puzzlekit": spent([*solve, scramble]),
            "--json": spent([*solve, "--json", scramble]),
        }
        if peer:
            state = cube.state(scramble)
            found["kociemba"] = spent([peer, facelets(cube.puzzle, state)])
        for name, seconds in found.items():
            times.setdefault(name, []).append(seconds)
    floor = median(
        [cpu for cpu, _ in times["floor"][1:]]
    )  # the first run of each warms the disk's cache
    for name, every in times.items():
        cpu, wall = (1000 * median(each) for each in zip(*every[1:], strict=True))
        ratio = cpu / 1000 / floor
        print(
            f"{name:<10}{cpu:7.1f} ms of CPU, {ratio:5.2f} times the floor; {wall:7.1f} ms in all"
        )


if __name__ == "__main__":
    main()
