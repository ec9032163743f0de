"""The 100 instances of the 15-puzzle of Korf (1985), solved optimally: nodes, time and memory.

    python benchmarks/korf100.py --threads 2

Tables are built first unless they are in the cache: set PUZZLEKIT_CACHE to a new directory to time
that too. The sum of the lengths has to be 5,305, and where a length is known by itself it has to be
that one; else the exit code is 1. Nodes are counted as everywhere in puzzlekit: every child of an
expanded node, before any test, over all iterations.

For comparison: with the Manhattan distance Korf (1985) generates 363 million nodes an instance on
the average of these 100. Korf and Felner (2002) and Felner, Korf and Hanan (2004) report, for 1,000
other random instances, 401 million with it, and 0.6 million with additive tables of 6, 6 and 3
tiles and their reflection, which is what the method optimal has.
"""

from __future__ import annotations

import argparse
import resource
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple

import puzzlekit

DATA = Path(__file__).parent.parent / "tests" / "data" / "korf100.txt"
SUM_OF_LENGTHS = 5305


class Instance(NamedTuple):
    """A board, tiles by place with 0 for the blank, and the length of a shortest solution."""

    number: int
    tiles: bytes
    length: int | None


def instances() -> list[Instance]:
    """All that are in the file; lengths are known of the first twenty."""
    found = []
    for line in DATA.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            number, tiles, *length = line.split("|")
            known = int(length[0]) if length else None
            found.append(Instance(int(number), bytes(map(int, tiles.split())), known))
    return found


def chosen(text: str) -> list[Instance]:
    """Those that a text such as "1-20,88" names."""
    numbers: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        numbers.update(range(int(first), int(last or first) + 1))
    return [each for each in instances() if each.number in numbers]


def main() -> None:
    """Build the tables, solve, print a line an instance and the totals."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--instances", default="1-100", help='such as "1-20,88"; all by default')
    parser.add_argument("--method", default="optimal", help="or manhattan, which takes an hour")
    parser.add_argument("--threads", type=int, default=1, help="each with instances of its own")
    options = parser.parse_args()
    wanted = chosen(options.instances)
    solver = puzzlekit.load("fifteen")
    started = perf_counter()
    solver.chain(options.method)
    ready = perf_counter() - started
    print(f"{options.method}: tables ready after {ready:.1f} s, {len(wanted)} instances")

    def solve(instance: Instance) -> puzzlekit.Solution:
        return solver.solve(instance.tiles, method=options.method)

    lengths = nodes = 0
    wrong = False
    cpu = process_time()
    with ThreadPoolExecutor(options.threads) as pool:
        for instance, solution in zip(wanted, pool.map(solve, wanted), strict=True):
            wrong |= not solution.optimal or instance.length not in (None, solution.length)
            lengths += solution.length
            nodes += solution.nodes
            print(
                f"{instance.number:4}{solution.length:5}{solution.nodes:15,}"
                f"{solution.cpu_seconds:9.3f} s",
                flush=True,
            )
    cpu = process_time() - cpu
    whole = perf_counter() - started
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"sum of lengths {lengths:,}, {nodes:,} nodes, {nodes // len(wanted):,} an instance")
    print(
        f"{whole:.1f} s with the tables, {whole - ready:.1f} s without, {cpu:.1f} s of CPU, "
        f"{nodes / cpu / 1e6:.1f} million nodes/s of CPU, {memory} MB at most"
    )
    wrong |= len(wanted) == 100 and lengths != SUM_OF_LENGTHS
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
