"""Measure the time per random state of puzzles with small tables and proven answers.

    python benchmarks/optimal_small.py --puzzle pyraminx --puzzle skewb --states 1000

Tables are built in a new directory, so the time to build them is measured too. The time of a state
is the CPU time of one thread, from facelets to an answer, with the tables in memory. The exit code
is 1 if an answer is not proven shortest.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from statistics import fmean, median

from shared import megabytes, random_states

import puzzlekit


def main() -> None:
    """Print the results of each puzzle."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--puzzle", action="append", help="default: pyraminx and skewb")
    parser.add_argument("--states", type=int, default=1000, help="how many states (default 1000)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    proven = [
        run(puzzle, options.states, options.seed)
        for puzzle in options.puzzle or ("pyraminx", "skewb")
    ]
    sys.exit(not all(proven))


def run(puzzle: str, states: int, seed: int) -> bool:
    """Measure a puzzle with an empty store; return whether all answers are proven."""
    known = puzzlekit.load(puzzle)
    with tempfile.TemporaryDirectory() as directory:
        solver = puzzlekit.Solver(known.puzzle, known.methods, puzzlekit.TableStore(directory))
        started = time.process_time()
        solver.prepared()
        built = time.process_time() - started
        name = solver.method().name
        size = megabytes(solver, name, "", solver.metric(name).name)
        lengths: list[int] = []
        seconds: list[float] = []
        proven = 0
        for text in random_states(solver, states, seed):
            started = time.process_time()
            solution = solver.solve(text)
            seconds.append(time.process_time() - started)
            proven += solution.optimal
            lengths.append(solution.cost)
    milliseconds = [1000 * each for each in seconds]
    print(
        f"{puzzle}: tables of {size:.1f} MB, built in {built:.2f} s; {states} states: "
        f"{fmean(lengths):.2f} moves on average, {max(lengths)} at most, {proven} proven; "
        f"{fmean(milliseconds):.2f} ms on average, median {median(milliseconds):.2f}, "
        f"at most {max(milliseconds):.1f}"
    )
    return proven == states


if __name__ == "__main__":
    main()
