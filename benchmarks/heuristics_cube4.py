"""Compare heuristics in the method six-phase of the 4x4x4: the same random states, one thread.

    python benchmarks/heuristics_cube4.py --states 100 --heuristic max --heuristic blended

Every answer is replayed. Lengths are means in outer block turns (OBTM). Times are mean CPU times
per cube, with the tables in memory. The peak memory is the peak of the whole process.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
from collections import Counter

import puzzlekit

METHOD = "six-phase"


def main() -> None:
    """Solve and print one row for each heuristic."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--states", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--heuristic", action="append", help="may be repeated (default: all)")
    parser.add_argument("--timeout", type=float, default=60, help="seconds per state")
    options = parser.parse_args()
    solver = puzzlekit.load("cube4")
    chosen = options.heuristic or [heuristic.name for heuristic in puzzlekit.heuristics()]
    print(
        f"{options.states} random states, seed {options.seed}, at most {options.timeout:g} s each"
    )
    print(f"{'':<10}{'solved':>7}{'length':>8}{'most':>6}{'CPU s':>8}{'most':>8}  by phase")
    for heuristic in chosen:
        solver.prepared(METHOD, heuristic=heuristic)
        generator = random.Random(options.seed)
        lengths: list[int] = []
        seconds: list[float] = []
        phases: Counter[str] = Counter()
        for _ in range(options.states):
            state = solver.random_state(generator)
            started = time.process_time()
            try:
                solution = solver.solve(
                    state, method=METHOD, heuristic=heuristic, timeout=options.timeout
                )
            except puzzlekit.NoSolutionError:
                continue
            finally:
                seconds.append(time.process_time() - started)
            moves = solver.puzzle.moves(str(solution))
            assert solver.puzzle.is_solved(solver.puzzle.apply(state, moves))
            lengths.append(solution.cost)
            phases.update({phase.name: phase.cost for phase in solution.phases})
        solved = len(lengths)
        shares = " ".join(f"{name} {phases[name] / max(solved, 1):.1f}" for name in phases)
        print(
            f"{heuristic:<10}{solved:>7}{sum(lengths) / max(solved, 1):>8.2f}"
            f"{max(lengths, default=0):>6}{sum(seconds) / len(seconds):>8.3f}"
            f"{max(seconds):>8.3f}  {shares}",
            flush=True,
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"peak memory {peak / (1e6 if sys.platform == 'darwin' else 1e3):.0f} MB")


if __name__ == "__main__":
    main()
