"""Time proven shortest solutions of the 3x3x3 by the method optimal, and by another program.

    python benchmarks/optimal_cube3.py --states 10 --threads 2 --profile small
    python benchmarks/optimal_cube3.py --profile 1gb --nissy ~/nissy-core --nissy-solver h48h5

The states are random states of known depth from `data/cube3_depths.txt`. --seed or --scrambles
selects other states. The script prints a line per state: wall time, CPU time, the nodes generated
by all threads, and the seconds until the shortest answer was found. The remaining time is for the
proof. The last line says how many estimates of the time left were right within a factor of two, of
those made at least a second after the start and before the end.

With --nissy the solver of nissy-core (https://github.com/sebastianotronto/nissy-core) solves each
state after puzzlekit, and the line has the ratio of CPU times. In the directory of nissy-core,
first make `tables`, then run `./build.sh shell` and `./run gendata -solver h48h5`.

--rival COMMAND runs any other program, for example 'solver --threads {threads} {moves}'. The first
line of its output is its answer, moves separated by blanks. Each state is a process. The time of a
process for a state one move away, which mostly reads its table, is subtracted.

The exit code is 1 if a state is not proven, or if lengths disagree.
"""

from __future__ import annotations

import argparse
import os
import resource
import shlex
import subprocess
import sys
from pathlib import Path
from statistics import mean, median
from time import perf_counter
from typing import Any, NamedTuple

from shared import megabytes, random_states, ready, scrambled_states

import puzzlekit

METHOD = "optimal"
DEPTHS = Path(__file__).parent / "data" / "cube3_depths.txt"


class Labelled(NamedTuple):
    """A state and its distance, if known."""

    state: bytes
    depth: int | None


class Rival:
    """Another program, run once for each state."""

    def __init__(self, command: str, directory: Path | None, threads: int) -> None:
        self._command = shlex.split(command)
        self._directory = directory
        self._threads = threads
        self._reading = min(self._run("U")[1] for _ in range(2))

    def solve(self, moves: str) -> tuple[int, float]:
        """Return the length of its answer to a scramble, and its CPU seconds without loading."""
        answer, seconds = self._run(moves)
        return len(answer.split()), max(seconds - self._reading, 0.0)

    def _run(self, moves: str) -> tuple[str, float]:
        command = [each.format(moves=moves, threads=self._threads) for each in self._command]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        # Huge pages for large blocks of memory, which puzzlekit requests too.
        settings = dict(os.environ)
        settings.setdefault("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")
        done = subprocess.run(
            command,
            cwd=self._directory,
            env=settings,
            stdout=subprocess.PIPE,
            text=True,
        )
        if done.returncode:
            sys.exit(f"{self._command[0]} ended with exit code {done.returncode}")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        lines = done.stdout.split("\n")
        taken = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        return lines[0], taken


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--states", type=int, default=10, help="how many states (default 10)")
    parser.add_argument("--skip", type=int, default=0, help="skip this many states first")
    parser.add_argument("--seed", type=int, help="draw the states instead of reading the file")
    parser.add_argument("--scrambles", type=int, metavar="L", help="states after L random turns")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--profile", help="profile of tables (default: as solve uses)")
    parser.add_argument("--metric", default="HTM")
    parser.add_argument("--timeout", type=float, help="seconds per state")
    other = parser.add_mutually_exclusive_group()
    other.add_argument("--nissy", type=Path, metavar="DIR", help="a checkout of nissy-core, built")
    other.add_argument("--rival", metavar="COMMAND", help="another program; {moves}, {threads}")
    parser.add_argument("--nissy-solver", default="h48h5", help="its solver (default h48h5)")
    options = parser.parse_args()
    if options.metric != "HTM" and (options.nissy or options.rival):
        parser.error("the other program counts in HTM")
    return options


def states_of(solver: puzzlekit.Solver, options: argparse.Namespace) -> list[Labelled]:
    """Return the states that the options select."""
    wanted = options.skip + options.states
    if options.scrambles is not None:
        texts = scrambled_states(solver, wanted, options.scrambles, options.seed)
    elif options.seed is not None:
        texts = random_states(solver, wanted, options.seed)
    else:
        lines = DEPTHS.read_text(encoding="utf-8").splitlines()
        pairs = [line.split("//") for line in lines if not line.startswith("#")]
        known = options.metric == "HTM"
        found = [Labelled(solver.state(one), int(two) if known else None) for one, two in pairs]
        return found[options.skip : wanted]
    return [Labelled(solver.state(text), None) for text in texts[options.skip :]]


def main() -> None:
    """Solve and print a line per state, then the means, medians and maxima."""
    options = arguments()
    solver = puzzlekit.load("cube3")
    states = states_of(solver, options)
    profile = ready(solver, METHOD, options.profile)
    print(
        f"{len(states)} states, {options.threads} threads, profile {profile}: "
        f"{megabytes(solver, METHOD, profile):.0f} MB of tables"
    )
    rival = None
    if options.nissy is not None:
        nissy = f"./run solve_scramble -solver {options.nissy_solver} -n 1 -t {{threads}} -moves"
        rival = Rival(f"{nissy} '{{moves}}'", options.nissy, options.threads)
    elif options.rival is not None:
        rival = Rival(options.rival, None, options.threads)
    other = f"{'other CPU s':>13}{'ratio':>8}" if rival else ""
    print(
        f"{'':<8}{'length':>7}{'wall s':>10}{'CPU s':>10}{'nodes':>17}{'million/s':>11}"
        f"{'found s':>10}{other}"
    )
    rows = []
    ratios: list[float] = []  # of estimates of the time left, to the time left
    wrong = 0
    for number, (state, depth) in enumerate(states, options.skip + 1):
        began = perf_counter()
        told: list[tuple[float, float | None]] = []

        def tell(progress: puzzlekit.Progress, told: Any = told, began: float = began) -> None:
            told.append((perf_counter() - began, progress.seconds))

        try:
            solution = solver.solve(
                state,
                method=METHOD,
                metric=options.metric,
                profile=profile,
                threads=options.threads,
                timeout=options.timeout,
                on_progress=tell,
            )
        except puzzlekit.NoSolutionError as error:
            wrong += 1
            print(f"{number:<8}{error}", flush=True)
            continue
        end = perf_counter() - began
        ratios += [
            estimate / (end - at) for at, estimate in told if estimate and 1 <= at <= end - 1
        ]
        notes = []
        if not solution.optimal:
            notes.append(f"not proven: at least {solution.at_least}")
        elif depth not in (None, solution.cost):
            notes.append(f"the file says {depth}")
        numbers = row(solution)
        if rival is not None:
            scramble = " ".join(move.name for move in solver.puzzle.undo(solution.sequence))
            length, seconds = rival.solve(scramble)
            numbers += [seconds, numbers[2] / max(seconds, 1e-3)]
            if solution.optimal and length != solution.cost:
                notes.append(f"the other program says {length}")
        rows.append(numbers)
        wrong += bool(notes)
        print(f"{number:<8}{shown(numbers)}   {'; '.join(notes)}".rstrip(), flush=True)
    for name, summary in (("mean", mean), ("median", median), ("max", max)):
        if rows:
            columns = [float(summary(column)) for column in zip(*rows, strict=True)]
            if rival is not None:
                columns[-1] = columns[2] / max(columns[-2], 1e-3)
            print(f"{name:<8}{shown(columns)}")
    if ratios:
        right = sum(0.5 <= ratio <= 2 for ratio in ratios) / len(ratios)
        print(f"{right:.0%} of {len(ratios)} estimates of the time left were within a factor of 2")
    sys.exit(1 if wrong else 0)


def row(solution: puzzlekit.Solution) -> list[float]:
    """Return the numbers of one line."""
    nodes, seconds = solution.nodes, solution.cpu_seconds
    found = solution.improvements[-1][0] if solution.improvements else 0.0
    rate = nodes / seconds / 1e6 if seconds else 0.0
    return [solution.cost, solution.seconds, seconds, nodes, rate, found]


def shown(numbers: list[float]) -> str:
    """Return the numbers in their columns."""
    length, wall, cpu, nodes, rate, found, *other = numbers
    text = f"{length:7.4g}{wall:10.2f}{cpu:10.2f}{int(nodes):17,}{rate:11.1f}{found:10.2f}"
    return text + (f"{other[0]:13.2f}{other[1]:8.2f}" if other else "")


if __name__ == "__main__":
    main()
