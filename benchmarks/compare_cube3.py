"""cube3 against the PyPI package `kociemba`: the same random states, in one run, one thread.

    pip install '.[peers]'
    python benchmarks/compare_cube3.py --states 100

Every answer of either program is replayed. Lengths are averages in half turns (HTM), times are
averages of CPU time a cube, with the tables of both in memory.
"""

from __future__ import annotations

import argparse
import random
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from statistics import fmean, median

import attrs

import puzzlekit

DATA = Path(__file__).parent / "data" / "cube3_states.txt"
BUDGETS = (1, 10, 100)  # milliseconds of CPU
FIRST = (21, 20)  # the first answer of at most so many moves


class CpuBudget(threading.Event):
    """Cancels a search when this thread has used so many seconds, but not before an answer."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.end = time.thread_time() + seconds
        self.answered = False

    def is_set(self) -> bool:
        """Whether to stop."""
        return self.answered and time.thread_time() >= self.end


@attrs.frozen
class Result:
    """What one program did on all states under one limit."""

    program: str
    limit: str
    lengths: list[int]
    seconds: list[float]
    failures: int

    @property
    def length(self) -> float:
        """The average length."""
        return fmean(self.lengths) if self.lengths else float("nan")

    @property
    def cpu(self) -> float:
        """The average CPU time, in milliseconds."""
        return 1000 * fmean(self.seconds)

    def __str__(self) -> str:
        failed = f"   {self.failures} not solved" if self.failures else ""
        return (
            f"{self.program:<10} {self.limit:<20} {self.length:7.2f} "
            f"{max(self.lengths, default=0):4d} {self.cpu:10.2f} "
            f"{1000 * median(self.seconds):10.2f} {1000 * max(self.seconds):10.2f}{failed}"
        )


def measure(
    program: str,
    limit: str,
    solver: puzzlekit.Solver,
    states: list[bytes],
    answer: Callable[[bytes], str | None],
) -> Result:
    """Time `answer`, which gives a solution or None, and replay what it gives."""
    puzzle = solver.puzzle
    metric = puzzle.metric("HTM")
    lengths, seconds, failures = [], [], 0
    for state in states:
        start = time.process_time()
        solution = answer(state)
        seconds.append(time.process_time() - start)
        if solution is None:
            failures += 1
            continue
        moves = puzzle.moves(solution)
        if not puzzle.is_solved(puzzle.apply(state, moves)):
            sys.exit(f"{program}: {solution} does not solve {solver.to_facelets(state)}")
        lengths.append(sum(map(metric.cost, moves)))
    result = Result(program, limit, lengths, seconds, failures)
    print(result, flush=True)
    return result


def budgeted(solver: puzzlekit.Solver, milliseconds: float) -> Callable[[bytes], str | None]:
    """Solve with a budget of CPU time; the first answer is waited for."""

    def answer(state: bytes) -> str | None:
        budget = CpuBudget(milliseconds / 1000)
        best = None
        for solution in solver.improve(state, timeout=60, cancel=budget):
            best = str(solution)
            budget.answered = True
        return best

    return answer


def limited(solver: puzzlekit.Solver, length: int) -> Callable[[bytes], str | None]:
    """Solve up to the first answer of at most `length` moves."""

    def answer(state: bytes) -> str | None:
        try:
            return str(solver.solve(state, max_length=length, timeout=60))
        except puzzlekit.NoSolutionError:
            return None

    return answer


def peer(solver: puzzlekit.Solver, length: int | None) -> Callable[[bytes], str | None]:
    """Solve with kociemba, which is given facelets."""
    import kociemba

    limits = {} if length is None else {"max_depth": length}

    def answer(state: bytes) -> str | None:
        try:
            return str(kociemba.solve(solver.to_facelets(state), **limits))
        except ValueError:  # it gave up, after one second
            return None

    return answer


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--states", type=int, default=100, help="how many states (default 100)")
    parser.add_argument("--seed", type=int, help="draw the states instead of reading the file")
    parser.add_argument("--budgets", type=float, nargs="*", default=BUDGETS, help="ms of CPU")
    parser.add_argument("--first", type=int, nargs="*", default=FIRST, help="lengths")
    parser.add_argument("--no-peer", action="store_true", help="puzzlekit alone")
    return parser.parse_args()


def main() -> None:
    """Measure both programs and print averages and ratios."""
    options = arguments()
    solver = puzzlekit.load("cube3")
    if options.seed is None:
        lines = DATA.read_text().split()[: options.states]
        states = [solver.from_facelets(line) for line in lines]
    else:
        rng = random.Random(options.seed)
        states = [solver.random_state(rng) for _ in range(options.states)]
    solver.solve("R U F")  # loads or builds the tables

    print(f"{len(states)} random states\n")
    print(
        f"{'program':<10} {'limit':<20} {'average':>7} {'max':>4} "
        f"{'CPU ms':>10} {'median':>10} {'max':>10}"
    )
    peers = []
    if not options.no_peer:
        kociemba = "kociemba"
        peer(solver, None)(solver.scrambled("R U F"))
        peers.append(measure(kociemba, "none", solver, states, peer(solver, None)))
        peers += [
            measure(kociemba, f"first of <= {length}", solver, states, peer(solver, length))
            for length in options.first
        ]
    ours = [
        measure("puzzlekit", f"first of <= {length}", solver, states, limited(solver, length))
        for length in options.first
    ]
    ours += [
        measure("puzzlekit", f"{budget:g} ms", solver, states, budgeted(solver, budget))
        for budget in options.budgets
    ]
    if peers:
        print("\npuzzlekit against kociemba   moves   times faster")
    for mine in ours:
        same = [theirs for theirs in peers if theirs.limit == mine.limit]
        for theirs in same or peers[:1]:
            print(
                f"{mine.limit:<16} : {theirs.limit:<16} {mine.length - theirs.length:+6.2f} "
                f"{theirs.cpu / mine.cpu:8.1f}"
            )


if __name__ == "__main__":
    main()
