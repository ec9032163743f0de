"""Solve random states of cube2 in the metric of a robot, and measure its table.

    python benchmarks/robot_cube2.py --states 1000

The table is built in a new directory, so its time is measured too. Every answer is replayed, and
its cost is computed again from its moves. Times are CPU times of one thread, from facelets to an
answer, with the table in memory. The exit code is 1 if an answer is not proven shortest.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from statistics import fmean, median

from shared import megabytes, random_states

import puzzlekit

METHOD = "optimal"
METRIC = "robot"


def main() -> None:
    """Build the table, solve the states, and print the times of both."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--states", type=int, default=1000, help="how many states (default 1000)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    known = puzzlekit.load("cube2")
    with tempfile.TemporaryDirectory() as directory:
        store = puzzlekit.TableStore(directory)
        sys.exit(run(puzzlekit.Solver(known.puzzle, known.methods, store), options))


def run(solver: puzzlekit.Solver, options: argparse.Namespace) -> int:
    """Measure with an empty store and return the exit code."""
    puzzle = solver.puzzle
    machine = puzzle.metric(METRIC)
    started = time.process_time()
    solver.prepared(METHOD, metric=METRIC)
    built = time.process_time() - started
    size = megabytes(solver, METHOD, "", METRIC)
    print(f"tables of {METRIC}: {size:.1f} MB, built in {built:.2f} s of CPU time")
    costs: list[int] = []
    steps: list[int] = []
    seconds: list[float] = []
    proven = 0
    for text in random_states(solver, options.states, options.seed):
        started = time.process_time()
        solution = solver.solve(text, method=METHOD, metric=METRIC)
        seconds.append(time.process_time() - started)
        moves = puzzle.moves(str(solution))
        if not puzzle.is_solved(puzzle.apply(solver.positions.from_facelets(text), moves)):
            sys.exit(f"{solution} does not solve {text}")
        if machine.total(moves) != solution.cost:
            sys.exit(f"{solution} does not cost {solution.cost}")
        costs.append(solution.cost)
        steps.append(len(solution.steps))
        proven += solution.optimal
    milliseconds = [1000 * each for each in seconds]
    print(f"{len(costs)} random states, seed {options.seed}: {proven} proven")
    print(f"cost      average {fmean(costs):.2f}, largest {max(costs)}")
    print(f"steps     average {fmean(steps):.2f}, most {max(steps)}")
    print(
        f"CPU time  average {fmean(milliseconds):.2f} ms, median {median(milliseconds):.2f} ms, "
        f"most {max(milliseconds):.2f} ms"
    )
    return 0 if proven == len(costs) else 1


if __name__ == "__main__":
    main()
