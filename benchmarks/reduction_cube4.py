"""Measure the method reduction of the 4x4x4 with time budgets on the same random states.

    python benchmarks/reduction_cube4.py --states 60 --timeout 0.2 --timeout 0.6 --timeout 2

Every answer is replayed. A budget is wall time, so run the script on an idle machine. Times are CPU
times per cube of all threads, with the tables in memory. Lengths are means in outer block turns
(OBTM). The length of the whole answer has its standard error. The lengths of the phases count moves
before merging across their boundaries.

Each budget also shows the quoted figure of S. Chen's solver TPR-4x4x4 for about the same CPU time.
It was not measured here, and on other states. The peak memory is the peak of the whole process.
"""

from __future__ import annotations

import argparse
import math
import platform
import resource
import sys
import time
from collections import Counter
from statistics import fmean, stdev

from shared import megabytes, random_states, ready

import puzzlekit
from puzzlekit.engine.fill import COMPILED

METHOD = "reduction"
BUDGETS = (0.2, 0.6, 2)  # seconds
QUOTED = ((0.2, 44.25), (0.55, 43.50), (2.1, 42.95))  # TPR-4x4x4: seconds of CPU, mean length


def quoted(budget: float) -> str:
    """Return the quoted figure for about this budget."""
    seconds, length = min(QUOTED, key=lambda each: abs(math.log(each[0] / budget)))
    return f"{length:.2f} ({seconds:g} s)" if 2 / 3 < seconds / budget < 3 / 2 else "-"


def measure(solver: puzzlekit.Solver, states: list[str], budget: float, threads: int) -> str:
    """Solve all states with a budget and return the row of the table."""
    puzzle = solver.puzzle
    lengths: list[int] = []
    seconds: list[float] = []
    phases = Counter({phase.name: 0 for phase in solver.method(METHOD).phases})
    for text in states:
        state = solver.positions.from_facelets(text)
        started = time.process_time()
        try:
            solution = solver.solve(state, method=METHOD, timeout=budget, threads=threads)
        except puzzlekit.NoSolutionError:
            continue
        finally:
            seconds.append(time.process_time() - started)
        moves = puzzle.moves(str(solution))
        if not puzzle.is_solved(puzzle.apply(state, moves)):
            sys.exit(f"{solution} does not solve {text}")
        lengths.append(sum(map(puzzle.metric("OBTM").cost, moves)))
        phases.update({phase.name: phase.cost for phase in solution.phases})
    solved = len(lengths)
    average = fmean(lengths) if solved else math.nan
    error = stdev(lengths) / math.sqrt(solved) if solved > 1 else math.nan
    shares = ", ".join(f"{name} {phases[name] / max(solved, 1):.2f}" for name in phases)
    return (
        f"{f'{budget:g} s':<8}{average:>8.2f}{error:>7.2f}{min(lengths, default=0):>7}"
        f"{max(lengths, default=0):>6}{fmean(seconds):>9.3f}{max(seconds):>9.3f}"
        f"{len(states) - solved:>10}{quoted(budget):>16}  {shares}"
    )


def main() -> None:
    """Print the setting, and one row for each budget."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--states", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, action="append", help="seconds; may be repeated")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    solver = puzzlekit.load("cube4")
    profile = ready(solver, METHOD, None)
    states = random_states(solver, options.states, options.seed)
    solver.solve(states[0], method=METHOD, timeout=0.5)  # loads the tables
    print(f"{len(states)} random states, seed {options.seed}, threads {options.threads}")
    print(
        f"puzzlekit {puzzlekit.__version__}, {'compiled' if COMPILED else 'not compiled'}; "
        f"{platform.python_implementation()} {platform.python_version()}; "
        f"tables {megabytes(solver, METHOD, profile):.0f} MB"
    )
    print(
        f"{'budget':<8}{'length':>8}{'+-':>7}{'least':>7}{'most':>6}{'CPU s':>9}{'most':>9}"
        f"{'unsolved':>10}{'TPR, quoted':>16}  by phase"
    )
    for budget in options.timeout or BUDGETS:
        print(measure(solver, states, budget, options.threads), flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"peak memory {peak / (1e6 if sys.platform == 'darwin' else 1e3):.0f} MB")


if __name__ == "__main__":
    main()
