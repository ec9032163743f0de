"""Random states of one puzzle after the other: lengths and CPU time, in one process and thread.

    python benchmarks/puzzles.py clock square1 --count 100 --seed 1 --timeout 0.5
    python benchmarks/puzzles.py clock:optimal@TURNS
    python benchmarks/puzzles.py fto --nodes 40_000_000

A puzzle may have a method and a metric. The time limit is in seconds per state, for methods that
improve their answers; without it they use their own. A number of nodes limits the search in the
same way on every machine, whatever else the machine does. Tables are built or loaded before.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator
from random import Random

import puzzlekit
from puzzlekit import NoSolutionError, SearchOptions, Solver


def solved(solver: Solver, options: dict[str, object], count: int, seed: int) -> Iterator[tuple]:
    """Yield the cost of an answer, or None, and the CPU time of each random state."""
    rng = Random(seed)
    for _ in range(count):
        state = solver.random_state(rng)
        begin = time.process_time()
        try:
            cost = solver.solve(state, threads=1, **options).cost
        except NoSolutionError:
            cost = None
        yield cost, time.process_time() - begin


def main() -> None:
    """Measure the puzzles that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("puzzles", nargs="+", metavar="PUZZLE[:METHOD][@METRIC]")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float)
    parser.add_argument("--nodes", type=int)
    asked = parser.parse_args()
    print("puzzle                    mean    sd  range     CPU mean   median      max  unsolved")
    for each in asked.puzzles:
        named, _, metric = each.partition("@")
        name, _, method = named.partition(":")
        solver = puzzlekit.load(name)
        options: dict[str, object] = {"method": method or None, "metric": metric or None}
        solver.make_ready(solver.choose(SearchOptions(**options)))
        if asked.timeout is not None:
            options["timeout"] = asked.timeout
        if asked.nodes is not None:
            options["max_nodes"] = asked.nodes
        found = [*solved(solver, options, asked.count, asked.seed)]
        costs = sorted(cost for cost, _ in found if cost is not None)
        seconds = [spent for _, spent in found]
        print(
            f"{each:24} {statistics.mean(costs):5.2f} {statistics.pstdev(costs):5.2f}"
            f"  {costs[0]}-{costs[-1]:<4} {statistics.mean(seconds):8.4f} s"
            f" {statistics.median(seconds):8.4f} {max(seconds):8.4f}  {len(found) - len(costs)}",
            flush=True,
        )


if __name__ == "__main__":
    main()
