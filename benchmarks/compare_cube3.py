"""Compare cube3 with the PyPI package `kociemba` on the same random states, in one thread.

    pip install '.[peers]'
    python benchmarks/compare_cube3.py --states 100 --profile small --profile large

The time of a program covers the whole call from facelets to an answer. Every answer is replayed
outside this time. Lengths are means in half turns (HTM). Times are mean CPU times per cube, with
the tables of both programs in memory. A budget is CPU time, but the search always waits for the
first answer. The script prints the CPU time that was really used.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from statistics import fmean, median

import attrs
from shared import CpuBudget, megabytes, random_states, ready

import puzzlekit

METHOD = "two-phase"
BUDGETS = (1, 10, 100)  # milliseconds of CPU
FIRST = (21, 20, 19)  # limits on the length of the first answer
PEER_SHORTEST = 20  # below this, kociemba nearly always gives up after a second

Answer = Callable[[str], str | None]  # from facelets to a solution, if one is found


@attrs.frozen
class Result:
    """The results of one program on all states under one limit."""

    program: str
    limit: str
    lengths: list[int]
    seconds: list[float]
    failures: int

    @property
    def length(self) -> float:
        """The mean length."""
        return fmean(self.lengths) if self.lengths else float("nan")

    @property
    def cpu(self) -> float:
        """The mean CPU time in milliseconds."""
        return 1000 * fmean(self.seconds)

    def __str__(self) -> str:
        failed = f"   {self.failures} not solved" if self.failures else ""
        return (
            f"{self.program:<16} {self.limit:<14} {self.length:7.2f} "
            f"{max(self.lengths, default=0):4d} {self.cpu:10.2f} "
            f"{1000 * median(self.seconds):10.2f} {1000 * max(self.seconds):10.2f}{failed}"
        )


def measure(
    program: str, limit: str, solver: puzzlekit.Solver, states: list[str], answer: Answer
) -> Result:
    """Time `answer` on the facelets of each state, and replay its answers."""
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
        if not puzzle.is_solved(puzzle.apply(solver.positions.from_facelets(state), moves)):
            sys.exit(f"{program}: {solution} does not solve {state}")
        lengths.append(sum(map(metric.cost, moves)))
    result = Result(program, limit, lengths, seconds, failures)
    print(result, flush=True)
    return result


def budgeted(solver: puzzlekit.Solver, profile: str, milliseconds: float) -> Answer:
    """Solve with a budget of CPU time, which starts with the call."""

    def answer(state: str) -> str | None:
        budget = CpuBudget(milliseconds / 1000)
        best = None
        for solution in solver.improve(
            state, method=METHOD, profile=profile, timeout=60, cancel=budget
        ):
            best = solution
            budget.answered = True
        return None if best is None else str(best)

    return answer


def limited(solver: puzzlekit.Solver, profile: str, length: int) -> Answer:
    """Solve up to the first answer of at most `length` moves."""

    def answer(state: str) -> str | None:
        try:
            solution = solver.solve(
                state, method=METHOD, profile=profile, max_length=length, timeout=60
            )
        except puzzlekit.NoSolutionError:
            return None
        return str(solution)

    return answer


def peer(length: int | None) -> Answer:
    """Solve with kociemba."""
    import kociemba

    limits = {} if length is None else {"max_depth": length}

    def answer(state: str) -> str | None:
        try:
            return str(kociemba.solve(state, **limits))
        except ValueError:  # kociemba gave up after one second
            return None

    return answer


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--states", type=int, default=100, help="how many states (default 100)")
    parser.add_argument("--seed", type=int, help="draw the states instead of reading the file")
    parser.add_argument(
        "--profile",
        action="append",
        help="profile of tables; may be repeated (default: the profile that solve uses)",
    )
    parser.add_argument("--budgets", type=float, nargs="*", default=BUDGETS, help="ms of CPU")
    parser.add_argument("--first", type=int, nargs="*", default=FIRST, help="lengths")
    parser.add_argument("--no-peer", action="store_true", help="measure puzzlekit alone")
    return parser.parse_args()


def main() -> None:
    """Measure both programs and print means and ratios."""
    options = arguments()
    solver = puzzlekit.load("cube3")
    states = random_states(solver, options.states, options.seed)
    profiles = dict.fromkeys(ready(solver, METHOD, each) for each in options.profile or [None])

    print(f"{len(states)} random states")
    for profile in profiles:
        print(f"tables of {profile}: {megabytes(solver, METHOD, profile):.0f} MB")
    print(
        f"\n{'program':<16} {'limit':<14} {'average':>7} {'max':>4} "
        f"{'CPU ms':>10} {'median':>10} {'max':>10}"
    )
    peers = []
    if not options.no_peer:
        kociemba = "kociemba"
        peer(None)(solver.positions.to_facelets(solver.state("R U F")))  # loads its tables
        peers.append(measure(kociemba, "none", solver, states, peer(None)))
        peers += [
            measure(kociemba, f"first of <= {length}", solver, states, peer(length))
            for length in options.first
            if length >= PEER_SHORTEST
        ]
    ours = []
    for profile in profiles:
        name = f"puzzlekit {profile}"
        limited(solver, profile, 22)(states[0])  # loads the tables
        ours += [
            measure(name, f"first of <= {length}", solver, states, limited(solver, profile, length))
            for length in options.first
        ]
        ours += [
            measure(name, f"{budget:g} ms", solver, states, budgeted(solver, profile, budget))
            for budget in options.budgets
        ]
    if peers:
        print("\npuzzlekit against kociemba                        moves   times faster")
    for mine in ours:
        same = [theirs for theirs in peers if theirs.limit == mine.limit]
        for theirs in same or peers[:1]:
            print(
                f"{mine.program:<16} {mine.limit:<14} : {theirs.limit:<14} "
                f"{mine.length - theirs.length:+6.2f} {theirs.cpu / mine.cpu:8.1f}"
            )


if __name__ == "__main__":
    main()
