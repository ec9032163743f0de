"""Build the tables of the 3x3x3 from its definition file, and solve scrambles optimally.

    python benchmarks/definition_cube3.py --states 20 --length 14

The tables are built in an empty directory. The script prints the build time, a line per scramble
with the CPU time and the nodes of the search, and the peak memory of the whole process.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import tempfile
import time
from pathlib import Path
from statistics import mean, median

import puzzlekit
import puzzlekit_definitions

DEFINITION = Path(__file__).parent / "data" / "cube3.tws"


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--definition", type=Path, default=DEFINITION)
    parser.add_argument("--states", type=int, default=20, help="how many scrambles (default 20)")
    parser.add_argument("--length", type=int, default=14, help="moves of a scramble (default 14)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--method", default="optimal", help="default: optimal")
    parser.add_argument("--metric", help="default: the first metric of the puzzle")
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args()


def scrambles(puzzle: puzzlekit.Puzzle, count: int, length: int, seed: int) -> list[str]:
    """Return scrambles of random moves, without two moves of a family in sequence."""
    rng = random.Random(seed)
    moves = puzzle.family_moves(puzzle.turns)
    found = []
    for _ in range(count):
        names: list[str] = []
        last = ""
        while len(names) < length:
            move = rng.choice([each for each in moves if each.family != last])
            names.append(move.name)
            last = move.family
        found.append(" ".join(names))
    return found


def main() -> None:
    """Build the tables, solve, print."""
    options = arguments()
    with tempfile.TemporaryDirectory() as root:
        solver = puzzlekit_definitions.load_definition(
            options.definition, store=puzzlekit.TableStore(root)
        )
        for line in solver.method(options.method).notes:
            print(line)
        wall, cpu = time.perf_counter(), time.process_time()
        solver.prepared(options.method, metric=options.metric)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        print(f"\ntables built in {wall:.1f} s, {cpu:.1f} s of CPU\n")
        print(f"{'length':>6}{'CPU s':>9}{'nodes':>15}")
        taken = []
        for scramble in scrambles(solver.puzzle, options.states, options.length, options.seed):
            solution = solver.solve(
                scramble, method=options.method, metric=options.metric, threads=options.threads
            )
            taken.append(solution.cpu_seconds)
            print(f"{solution.cost:>6}{taken[-1]:>9.2f}{solution.nodes:>15,}", flush=True)
        unit = 1 if sys.platform == "darwin" else 1024
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    print(f"CPU s: mean {mean(taken):.2f}, median {median(taken):.2f}, max {max(taken):.2f}")
    print(f"peak memory of the process: {peak / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
