"""Solve Korf's 100 instances of the 15-puzzle (1985) optimally: nodes, time and memory.

    python benchmarks/korf100.py --threads 2

Tables that are not in the cache are built first. Set PUZZLEKIT_CACHE to a new directory to measure
the build too. The exit code is 0 if all lengths are those of the data and add up to 5,305, else 1.
The number of nodes is the number of generated successors in all iterations, before any test.

For comparison, Korf (1985) needs 363 million nodes on average for these 100 instances, with the
Manhattan distance. Korf and Felner (2002) and Felner, Korf and Hanan (2004) report means over 1,000
other random instances. They are 401 million nodes with the Manhattan distance, and 0.6 million with
additive tables of 6, 6 and 3 tiles and their reflection. The method optimal has the same tables.
"""

from __future__ import annotations

import argparse
import resource
import sys
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter, process_time

from published import Instance, chosen, instances

import puzzlekit

SUM_OF_LENGTHS = 5305


def main() -> None:
    """Build the tables, solve, and print a line per instance and the totals."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--instances", default="1-100", help='such as "1-20,88" (default: all)')
    parser.add_argument("--method", default="optimal", help="or manhattan, which takes ten minutes")
    parser.add_argument("--threads", type=int, default=1, help="threads, each with own instances")
    options = parser.parse_args()
    wanted = chosen(options.instances, instances())
    solver = puzzlekit.load("fifteen-blank-first")
    started = perf_counter()
    solver.prepared(options.method)
    ready = perf_counter() - started
    print(f"{options.method}: tables ready after {ready:.1f} s, {len(wanted)} instances")

    def solve(instance: Instance) -> puzzlekit.Solution:
        return solver.solve(instance.board, method=options.method)

    lengths = nodes = 0
    wrong = False
    cpu = process_time()
    with ThreadPoolExecutor(options.threads) as pool:
        for instance, solution in zip(wanted, pool.map(solve, wanted), strict=True):
            wrong |= not solution.optimal or instance.length != solution.cost
            lengths += solution.cost
            nodes += solution.nodes
            print(
                f"{instance.number:4}{solution.cost:5}{solution.nodes:15,}"
                f"{solution.cpu_seconds:9.3f} s",
                flush=True,
            )
    cpu = process_time() - cpu
    whole = perf_counter() - started
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"sum of lengths {lengths:,}, {nodes:,} nodes, {nodes // len(wanted):,} per instance")
    print(
        f"{whole:.1f} s with the tables, {whole - ready:.1f} s without, {cpu:.1f} s of CPU, "
        f"{nodes / cpu / 1e6:.1f} million nodes/s of CPU, {memory} MB at most"
    )
    wrong |= len(wanted) == 100 and lengths != SUM_OF_LENGTHS
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
