"""Measure the method reduction of a large cube, for the 5x5x5 beside the program cube555.

    python benchmarks/large_cubes.py --puzzle cube6 --states 50 --timeout 2 --timeout 20
    python benchmarks/large_cubes.py --puzzle cube5 --states 50 --timeout 2 --cube555 DIRECTORY

The column "no answer" counts the states that got no answer in the time. The other columns do not
include them. The last line has the largest memory of the process.

DIRECTORY is a checkout of github.com/cs0x7f/cube555, which needs Java (`java` and `javac`). The
script compiles it into DIRECTORY/benchmark. At its first run, cube555 makes tables of 240 MB there,
which takes up to a quarter of an hour. Without `--cube555`, only puzzlekit is measured.

cube555 reduces the cube to a 3x3x3. puzzlekit solves this 3x3x3 with two-phase of cube3 in the time
of `--finish`. Both programs use one thread of search, with the tables in memory. Times are CPU
times, and the time of cube555 includes the finish. Every answer is replayed on the cube. Lengths
are means in outer block turns (OBTM), with their standard errors.

With `--cpu`, the budgets are CPU times too. Use it on a machine that does other work.
"""

from __future__ import annotations

import argparse
import math
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean, stdev
from subprocess import PIPE, Popen, run
from typing import IO

from shared import random_states, ready

import puzzlekit
from puzzlekit.search import budget
from puzzlekit_beam import strategy as beam

METHOD = "reduction"
MARK = "="  # before the lines of the driver; cube555 prints lines of its own
# The driver reads a state in each line, and prints the seconds, the 3x3x3 and the moves.
DRIVER = """
public class Driver {
    public static void main(String[] arguments) {
        cs.cube555.Search.init();
        System.out.println("= ready");
        java.util.Scanner lines = new java.util.Scanner(System.in);
        var clock = java.lang.management.ManagementFactory.getThreadMXBean();
        while (lines.hasNextLine()) {
            String state = lines.nextLine();
            long before = clock.getCurrentThreadCpuTime();
            String[] found = new cs.cube555.Search().solveReduction(state, 0);
            double seconds = (clock.getCurrentThreadCpuTime() - before) / 1e9;
            System.out.println("= " + seconds + " " + found[1] + " " + found[0]);
        }
    }
}
"""


@contextmanager
def started(checkout: Path) -> Iterator[Popen[str]]:
    """Compile cube555 and start it."""
    directory = checkout / "benchmark"
    directory.mkdir(exist_ok=True)
    driver = directory / "Driver.java"
    driver.write_text(DRIVER, encoding="utf-8")
    sources = [str(path) for path in sorted((checkout / "src").glob("*.java"))]
    if not sources:
        sys.exit(f"{checkout} is no checkout of cube555: it has no src/*.java")
    run(["javac", "-nowarn", "-d", str(directory), *sources, str(driver)], check=True)
    java = ["java", "-cp", ".", "Driver"]
    with Popen(java, cwd=directory, stdin=PIPE, stdout=PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def told(lines: IO[str]) -> list[str]:
    """Return the words of the next line of the driver."""
    for line in lines:
        words = line.split()
        if words[:1] == [MARK]:
            return words[1:]
    sys.exit("cube555 ended")


def cost(puzzle: puzzlekit.Puzzle, text: str, moves: str) -> int:
    """Return the length of an answer that was replayed."""
    played = puzzle.moves(moves)
    if not puzzle.is_solved(
        puzzle.apply(puzzlekit.load(puzzle.name).positions.from_facelets(text), played)
    ):
        sys.exit(f"{moves} does not solve {text}")
    return int(puzzle.metric("OBTM").total(played))


def cube555(
    checkout: Path, states: Sequence[str], finish: float
) -> tuple[list[int], list[int], list[float]]:
    """Return the lengths of the reductions and of the answers, and the seconds."""
    puzzle, small = puzzlekit.load("cube5").puzzle, puzzlekit.load("cube3")
    ready(small, "two-phase", None)
    reductions, lengths, seconds = [], [], []
    with started(checkout) as process:
        assert process.stdin is not None and process.stdout is not None
        told(process.stdout)
        for text in states:
            process.stdin.write(f"{text}\n")
            process.stdin.flush()
            taken, reduced, *moves = told(process.stdout)
            began = time.process_time()
            solution = small.solve(small.positions.from_facelets(reduced), timeout=finish)
            seconds.append(float(taken) + time.process_time() - began)
            wide = " ".join(
                f"{move[0].upper()}w{move[1:]}" if move[0].islower() else move for move in moves
            )
            reductions.append(len(moves))
            lengths.append(cost(puzzle, text, f"{wide} {solution}"))
    return reductions, lengths, seconds


def ours(
    name: str, states: Sequence[str], timeout: float, threads: int
) -> tuple[list[int], list[int], list[float]]:
    """Return the lengths of the reductions and of the answers, and the seconds."""
    solver = puzzlekit.load(name)
    ready(solver, METHOD, None)
    solver.solve("R U", method=METHOD)  # loads the tables
    reductions, lengths, seconds = [], [], []
    for text in states:
        began = time.process_time()
        try:
            solution = solver.solve(text, method=METHOD, timeout=timeout, threads=threads)
        except puzzlekit.NoSolutionError:
            continue
        seconds.append(time.process_time() - began)
        reductions.append(sum(phase.cost for phase in solution.phases[:-2]))
        lengths.append(cost(solver.puzzle, text, str(solution)))
    return reductions, lengths, seconds


def count_cpu_time() -> None:
    """Let searches measure their budgets in CPU time of this process."""
    for module in (budget, beam):
        vars(module)["perf_counter"] = time.process_time


def row(name: str, found: tuple[list[int], list[int], list[float]], states: int) -> str:
    """Return a row of the table."""
    reductions, lengths, seconds = found
    if not lengths:
        return f"{name:<18}{'none of the states got an answer':>50}"
    error = stdev(lengths) / math.sqrt(len(lengths)) if len(lengths) > 1 else math.nan
    return (
        f"{name:<18}{fmean(reductions):>10.2f}{fmean(lengths):>8.2f}{error:>7.2f}"
        f"{min(lengths):>7}{max(lengths):>6}{fmean(seconds):>9.2f}{states - len(lengths):>11}"
    )


def main() -> None:
    """Print one row for each program and budget, and the ratios."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--puzzle", choices=("cube4", "cube5", "cube6", "cube7"), default="cube5")
    parser.add_argument("--states", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, action="append", help="seconds; may be repeated")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--cube555", type=Path, metavar="DIRECTORY", help="a checkout of cube555")
    parser.add_argument(
        "--finish", type=float, default=0.1, help="seconds for the 3x3x3 of cube555"
    )
    parser.add_argument("--cpu", action="store_true", help="budgets are CPU times")
    options = parser.parse_args()
    if options.cpu:
        count_cpu_time()
    if options.cube555 and options.puzzle != "cube5":
        parser.error("cube555 solves the 5x5x5 only")
    name, count = options.puzzle, options.states
    states = random_states(puzzlekit.load(name), count, options.seed)
    print(f"{name}: {count} random states, seed {options.seed}, threads {options.threads}")
    print(
        f"{'program':<18}{'reduction':>10}{'length':>8}{'+-':>7}{'least':>7}{'most':>6}{'CPU s':>9}"
        f"{'no answer':>11}"
    )
    peer = None
    if options.cube555:
        peer = cube555(options.cube555.resolve(), states, options.finish)
        print(row("cube555", peer, count), flush=True)
    for timeout in options.timeout or (2, 20):
        found = ours(name, states, timeout, options.threads)
        print(row(f"puzzlekit {timeout:g} s", found, count), flush=True)
        if peer is not None:
            shorter = fmean(peer[1]) - fmean(found[1])
            ratio = fmean(found[2]) / fmean(peer[2])
            print(f"  {shorter:.2f} moves shorter than cube555, in {ratio:.2f} times its CPU time")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"{peak} MB of memory at most")


if __name__ == "__main__":
    main()
