"""Lengths and CPU times of answers to random states, beside other programs on the same states.

    python benchmarks/lengths.py cube3 --first 21 --budget 0.01 --profile small --profile large
    python benchmarks/lengths.py cube3 --first 21 --peer kociemba --peer rob-twophase=~/rob-twophase
    python benchmarks/lengths.py cube4 --budget 0.6 --peer tpr=~/TPR-4x4x4-Solver
    python benchmarks/lengths.py cube5 --budget 2 --peer cube555=~/cube555
    python benchmarks/lengths.py clock:optimal@TURNS fto --nodes 40_000_000

A puzzle may have a method and a metric, PUZZLE:METHOD@METRIC. Its searches stop at the first answer
of at most a length (`--first`), after a CPU time (`--budget`), after a number of nodes, which is
the same on every machine (`--nodes`), or by themselves. Each may be given several times and makes a
row. With `--wait`, a state without an answer within its budget is searched again, for any answer,
and both searches count.

A peer is a checkout of another program, compiled before each run: rob-twophase and min2phase
(cube3), tpr (TPR-4x4x4-Solver, cube4), cube555 (cube5), or the installed package `kociemba`. They
need a C++ compiler or a JDK, and up to a quarter of an hour to make their tables. They count moves
in the default metric of the puzzle. Every program solves a state before the next one takes its
turn, so that what else the machine does troubles all of them. The last table has the ratio of mean
CPU times, and the mean difference of lengths of the states that both programs solved.

One thread searches, with the tables in memory; a time is that of the whole call, from facelets to
moves, or to no answer. Every answer is replayed. Lengths are means, with their standard errors, of
the states that were solved. With more `--threads`, budgets are wall times, as those of rob-twophase
always are.
"""

from __future__ import annotations

import argparse
import math
import resource
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import fmean, median, stdev
from typing import NamedTuple

import attrs
from peers.programs import PROGRAMS, Ask, Limit, kociemba, started
from shared import megabytes, random_states, ready

import puzzlekit
from puzzlekit.search import budget
from puzzlekit_beam import strategy as beam

PATIENCE = 600  # seconds for a first answer, with --wait and --first


class Asked(NamedTuple):
    """A puzzle of the command line."""

    solver: puzzlekit.Solver
    method: str
    metric: puzzlekit.Metric

    @classmethod
    def parse(cls, text: str) -> Asked:
        """Read PUZZLE:METHOD@METRIC."""
        named, _, metric = text.partition("@")
        name, _, method = named.partition(":")
        try:
            solver = puzzlekit.load(name)
            choice = solver.choose(
                puzzlekit.SearchOptions(method=method or None, metric=metric or None)
            )
        except puzzlekit.PuzzlekitError as error:
            raise argparse.ArgumentTypeError(str(error)) from error
        return cls(solver, choice.method.name, choice.metric)


@attrs.define
class Row:
    """A program under a limit, and what it answered so far: nan is the length of no answer."""

    program: str
    limit: Limit
    ask: Ask
    lengths: list[float] = attrs.Factory(list)
    seconds: list[float] = attrs.Factory(list)

    def measure(self, asked: Asked, facelets: str) -> None:
        """Let it solve a state, and replay its answer."""
        moves, seconds = self.ask(facelets, self.limit)
        self.seconds.append(seconds)
        if moves is None:
            self.lengths.append(math.nan)
            return
        puzzle = asked.solver.puzzle
        played = puzzle.moves(moves)
        state = asked.solver.positions.from_facelets(facelets)
        if not puzzle.is_solved(puzzle.apply(state, played)):
            sys.exit(f"{self.program}: {moves} does not solve {facelets}")
        self.lengths.append(asked.metric.total(played))

    @property
    def cpu(self) -> float:
        """The mean CPU time in seconds."""
        return fmean(self.seconds)

    def longer(self, other: Row) -> float:
        """By how much its answers are longer, on average of the states that both solved."""
        pairs = zip(self.lengths, other.lengths, strict=True)
        both = [own - its for own, its in pairs if not math.isnan(own - its)]
        return fmean(both) if both else math.nan

    def __str__(self) -> str:
        found = [length for length in self.lengths if not math.isnan(length)]
        length = fmean(found) if found else math.nan
        error = stdev(found) / math.sqrt(len(found)) if found[1:] else math.nan
        return (
            f"{self.program:<24}{self.limit!s:<15}{shown(length, '.2f'):>8}"
            f"{shown(error, '.2f'):>6}{shown(min(found, default=math.nan), '.0f'):>6}"
            f"{shown(max(found, default=math.nan), '.0f'):>6}"
            f"{1000 * self.cpu:11.4g}{1000 * median(self.seconds):11.4g}"
            f"{1000 * max(self.seconds):11.4g}{len(self.lengths) - len(found):10}"
        )


def shown(value: float, form: str) -> str:
    """Write a number; "-" is none."""
    return "-" if math.isnan(value) else f"{value:{form}}"


def ours(asked: Asked, profile: str | None, threads: int, wait: bool) -> Ask:
    """Return the search of this package."""
    solver, metric = asked.solver, asked.metric.name

    def ask(facelets: str, limit: Limit) -> tuple[str | None, float]:
        options: dict[str, object] = {
            "method": asked.method,
            "metric": metric,
            "profile": profile,
            "threads": threads,
        }
        if limit.kind == "first":
            options |= {"max_length": int(limit.value), "timeout": PATIENCE}
        elif limit.kind == "nodes":
            options |= {"max_nodes": int(limit.value), "timeout": PATIENCE}
        elif limit.kind == "budget":
            options |= {"timeout": limit.value}
        best = None
        before = time.process_time()
        try:
            best = solver.solve(facelets, **options)
        except puzzlekit.NoSolutionError:
            if limit.kind == "budget" and wait:  # search again, for any answer
                options |= {"timeout": PATIENCE}
                best = next(solver.improve(facelets, **options), None)
        return None if best is None else str(best), time.process_time() - before

    return ask


def drawn(asked: Asked, count: int, seed: int | None) -> list[str]:
    """Return the facelets of the states to solve."""
    if seed is None and asked.solver.puzzle.name != "cube3":
        seed = 1
    return random_states(asked.solver, count, seed)


def limits(options: argparse.Namespace) -> list[Limit]:
    """Return the limits that the command line names."""
    found = [Limit("first", each) for each in options.first]
    found += [Limit("budget", each) for each in options.budget]
    found += [Limit("nodes", each) for each in options.nodes]
    return found or [Limit("none")]


def measure(asked: Asked, options: argparse.Namespace, stack: ExitStack) -> None:
    """Print the rows of one puzzle."""
    name = asked.solver.puzzle.name
    wanted = limits(options)
    theirs = []
    for peer in options.peer:
        program, _, directory = peer.partition("=")
        kinds = PROGRAMS[program].limits if program in PROGRAMS else ("first", "none")
        fitting = [each for each in wanted if each.kind in kinds]
        if "none" in kinds:
            fitting.append(Limit("none"))
        if not fitting:
            flags = " or ".join(f"--{kind}" for kind in kinds)
            raise puzzlekit.UsageError(f"{program} needs {flags}")
        ask = stack.enter_context(started(program, Path(directory)) if directory else kociemba())
        theirs += [Row(program, each, ask) for each in dict.fromkeys(fitting)]
    mine = []
    for profile in options.profile or [None]:
        profile = ready(asked.solver, asked.method, profile, asked.metric.name)
        size = megabytes(asked.solver, asked.method, profile, asked.metric.name)
        print(f"{name}: tables of {profile or asked.method}: {size:.0f} MB")
        ask = ours(asked, profile, options.threads, options.wait)
        mine += [Row(f"puzzlekit {profile}".strip(), each, ask) for each in wanted]
    states = drawn(asked, options.states, options.seed)
    rows = theirs + mine
    for row in rows:  # loads the tables
        limit = row.limit
        row.ask(states[0], Limit("first", max(25, limit.value)) if limit.kind == "first" else limit)
    for number, state in enumerate(states):
        for row in rows[number % len(rows) :] + rows[: number % len(rows)]:
            row.measure(asked, state)
    print(
        f"{len(states)} random states, {asked.method}, {asked.metric.name}, "
        f"threads {options.threads}"
    )
    print(
        f"{'program':<24}{'limit':<15}{'length':>8}{'+-':>6}{'least':>6}{'most':>6}"
        f"{'CPU ms':>11}{'median':>11}{'most':>11}{'unsolved':>10}"
    )
    for row in rows:
        print(row)
    if theirs:
        print(f"\n{'':<39}{'moves':>8}{'CPU time':>10}")
    for row in mine:
        for other in [each for each in theirs if each.limit == row.limit] or theirs:
            print(
                f"{row.program} {row.limit} : {other.program} {other.limit}".ljust(39)
                + f"{shown(row.longer(other), '+.2f'):>8}{row.cpu / other.cpu:10.3g}"
            )
    print(flush=True)


def peer(text: str) -> str:
    """Check NAME=DIRECTORY or kociemba."""
    name, _, directory = text.partition("=")
    if (name in PROGRAMS and directory) or text == "kociemba":
        return text
    known = ", ".join(f"{each}=DIRECTORY" for each in PROGRAMS)
    raise argparse.ArgumentTypeError(f"{text!r} is none of kociemba, {known}")


def main() -> None:
    """Measure the puzzles that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("puzzles", nargs="+", type=Asked.parse, metavar="PUZZLE[:METHOD][@METRIC]")
    parser.add_argument("--states", type=int, default=100, help="how many (default 100)")
    parser.add_argument("--seed", type=int, help="default 1; cube3 reads its states from a file")
    several = {"action": "append", "default": []}
    parser.add_argument("--first", type=int, **several, metavar="LENGTH")
    parser.add_argument("--budget", type=float, **several, metavar="SECONDS")
    parser.add_argument("--nodes", type=int, **several)
    parser.add_argument("--wait", action="store_true", help="for an answer, also beyond a budget")
    parser.add_argument("--profile", **several, help="of tables (default: the one solve uses)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--peer", type=peer, **several, metavar="NAME[=DIRECTORY]")
    options = parser.parse_args()
    if options.states < 1 or options.threads < 1:
        parser.error("--states and --threads must be at least 1")
    with ExitStack() as stack:
        if options.threads == 1:
            for module in (budget, beam):
                stack.callback(vars(module).update, perf_counter=time.perf_counter)
                vars(module)["perf_counter"] = time.process_time
        for asked in options.puzzles:
            usual = asked.solver.metric().name
            for each in options.peer:
                solves = PROGRAMS[each.partition("=")[0]].puzzle if "=" in each else "cube3"
                if (solves, usual) != (asked.solver.puzzle.name, asked.metric.name):
                    parser.error(f"{each} solves {solves} only, in its default metric")
            try:
                measure(asked, options, stack)
            except puzzlekit.PuzzlekitError as error:
                parser.error(f"{asked.solver.puzzle.name}: {error}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"peak memory {peak / (1e6 if sys.platform == 'darwin' else 1e3):.0f} MB")


if __name__ == "__main__":
    main()
