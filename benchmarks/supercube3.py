"""Measure a method of the 3x3x3 supercube on random states.

    python benchmarks/supercube3.py --states 100 --budget 0.1 --budget 1
    python benchmarks/supercube3.py --states 16 --metric QTM --method block --budget 5 --budget 20

Every answer is replayed. A budget is CPU time of one thread, with the tables in memory. Lengths are
means with their standard errors.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from statistics import fmean, stdev

from shared import CpuBudget, megabytes, random_states, ready

import puzzlekit

BUDGETS = (0.1, 1)  # seconds


def measure(
    solver: puzzlekit.Solver,
    states: list[str],
    budget: float,
    metric: str,
    method: str,
    profile: str,
) -> str:
    """Solve all states with a budget and return a row of the table."""
    puzzle = solver.puzzle
    lengths: list[int] = []
    seconds: list[float] = []
    for text in states:
        state = solver.positions.from_facelets(text)
        cancel = CpuBudget(budget)
        started = time.process_time()
        for found in solver.improve(
            state,
            method=method,
            metric=metric,
            profile=profile or None,
            timeout=600,
            cancel=cancel,
        ):
            solution = found
            cancel.answered = True
        seconds.append(time.process_time() - started)
        moves = puzzle.moves(str(solution))
        if not puzzle.is_solved(puzzle.apply(state, moves)):
            sys.exit(f"{solution} does not solve {text}")
        lengths.append(puzzle.metric(metric).total(moves))
    error = stdev(lengths) / math.sqrt(len(lengths)) if len(lengths) > 1 else math.nan
    return (
        f"{profile:<8}{budget:>6g} s{fmean(lengths):>8.2f}{error:>7.2f}{min(lengths):>7}"
        f"{max(lengths):>6}{fmean(seconds):>9.3f}"
    )


def main() -> None:
    """Print the setting, and one row for each profile and budget."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--states", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--metric", default="HTM")
    parser.add_argument("--method", default="two-phase")
    parser.add_argument("--budget", type=float, action="append", help="seconds; may be repeated")
    parser.add_argument("--profile", action="append", help="may be repeated")
    options = parser.parse_args()
    solver = puzzlekit.load("supercube3")
    states = random_states(solver, options.states, options.seed)
    print(f"{len(states)} random states, seed {options.seed}, {options.metric}, {options.method}")
    print(f"{'profile':<8}{'budget':>8}{'length':>8}{'+-':>7}{'least':>7}{'most':>6}{'CPU s':>9}")
    method, metric = solver.method(options.method), options.metric
    larger = [each for each in method.larger if each.exists_in(solver.puzzle.metric(metric))]
    for name in options.profile or [method.profile, *(each.name for each in larger)]:
        profile = ready(solver, method.name, name or None, metric)
        print(f"tables: {megabytes(solver, method.name, profile, metric):.0f} MB")
        for budget in options.budget or BUDGETS:
            row = measure(solver, states, budget, metric, method.name, profile)
            print(row, flush=True)


if __name__ == "__main__":
    main()
