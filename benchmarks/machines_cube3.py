"""Solve cube3 in the metrics of machines, AXHT and AXQT, with time budgets, in one thread.

    python benchmarks/machines_cube3.py --states 100

Random states are solved with the method two-phase. Lengths are means in the metric of the search,
and in HTM. Times are mean CPU times per cube, with the tables in memory. A budget is CPU time, but
the search always waits for the first answer. Every answer is replayed, and its length is computed
again from its moves.
"""

from __future__ import annotations

import argparse
import sys
import time
from statistics import fmean, median

from shared import CpuBudget, megabytes, random_states, ready

import puzzlekit

METHOD = "two-phase"
METRICS = ("AXHT", "AXQT")
BUDGETS = (10, 100, 1000)  # milliseconds of CPU
PATIENCE = 60  # seconds for a first answer


def answer(
    solver: puzzlekit.Solver, metric: str, profile: str, state: str, milliseconds: float
) -> puzzlekit.Solution | None:
    """Return the best answer within a CPU time budget from the call on; None without an answer."""
    budget = CpuBudget(milliseconds / 1000)
    best = None
    for solution in solver.improve(
        state, method=METHOD, metric=metric, profile=profile, timeout=PATIENCE, cancel=budget
    ):
        best = solution
        budget.answered = True
    return best


def measure(
    solver: puzzlekit.Solver, metric: str, profile: str, states: list[str], milliseconds: float
) -> str:
    """Solve all states within a budget each and return the row of the table."""
    puzzle = solver.puzzle
    lengths: list[int] = []
    turns: list[int] = []
    seconds: list[float] = []
    for state in states:
        started = time.process_time()
        solution = answer(solver, metric, profile, state, milliseconds)
        seconds.append(time.process_time() - started)
        if solution is None:
            continue
        moves = puzzle.moves(str(solution))
        if not puzzle.is_solved(puzzle.apply(solver.positions.from_facelets(state), moves)):
            sys.exit(f"{solution} does not solve {state}")
        if puzzle.metric(metric).total(moves) != solution.cost:
            sys.exit(f"{solution} does not take {solution.cost} {metric}")
        lengths.append(solution.cost)
        turns.append(solution.lengths["HTM"])
    nothing = float("nan")
    return (
        f"{metric:<8}{f'{milliseconds:g} ms':<10}{fmean(lengths or [nothing]):8.2f}"
        f"{min(lengths, default=0):6d}{max(lengths, default=0):6d}{fmean(turns or [nothing]):8.2f}"
        f"{1000 * fmean(seconds):10.2f}{1000 * median(seconds):10.2f}{1000 * max(seconds):10.2f}"
        f"{len(states) - len(lengths):10d}"
    )


def main() -> None:
    """Print the setting, and one row for each metric and budget."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--states", type=int, default=100, help="how many states (default 100)")
    parser.add_argument("--seed", type=int, help="draw the states instead of reading the file")
    parser.add_argument("--metric", action="append", choices=METRICS, help="may be repeated")
    parser.add_argument("--profile", help="profile of tables (default: as solve uses)")
    parser.add_argument("--budgets", type=float, nargs="*", default=BUDGETS, help="ms of CPU")
    options = parser.parse_args()
    solver = puzzlekit.load("cube3")
    states = random_states(solver, options.states, options.seed)
    profiles = {}
    print(f"{len(states)} random states, one thread")
    for metric in options.metric or METRICS:
        profiles[metric] = ready(solver, METHOD, options.profile, metric)
        size = megabytes(solver, METHOD, profiles[metric], metric)
        print(f"tables of {metric}, profile {profiles[metric]}: {size:.0f} MB")
    print(
        f"\n{'metric':<8}{'budget':<10}{'average':>8}{'least':>6}{'most':>6}{'HTM':>8}"
        f"{'CPU ms':>10}{'median':>10}{'most':>10}{'unsolved':>10}"
    )
    for metric, profile in profiles.items():
        answer(solver, metric, profile, states[0], 1)  # loads the tables
        for budget in options.budgets:
            print(measure(solver, metric, profile, states, budget), flush=True)


if __name__ == "__main__":
    main()
