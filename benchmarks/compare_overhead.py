"""Measure the overhead of `puzzlekit compare`: the same searches, plain and measured.

    python benchmarks/compare_overhead.py --instances 20

A plain search is one call of the engine. A measured search runs in short intervals, so that limits
take effect. Its answer is replayed, and its record is written as a line of JSON. Plain and measured
searches take turns and have the same starts, which are computed before. The shortest time of
several rounds counts, because other load on the machine affects it least.

The output has the CPU time of all instances together. It also has two ratios to the time of the
plain searches: for the time in the records, and for the whole call with its line of JSON. The exit
code is 1 if the numbers of nodes differ.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from time import thread_time
from typing import NamedTuple

import puzzlekit
from puzzlekit.engine.search import UNBOUNDED, Search
from puzzlekit.search.limits import Limits
from puzzlekit_lab.case import Case
from puzzlekit_lab.measurement import measure, starts

SEARCHED = (("cube3", "finish"), ("cube4", "split"), ("cube4", "pair"))
PLENTY = 1 << 60  # nodes


class Times(NamedTuple):
    """CPU seconds of a bare search, of a record and of the whole call, and the bare nodes."""

    bare: float
    record: float
    call: float
    nodes: int


def once(case: Case, heuristic: str, phase: str, seed: int, number: int) -> Times | None:
    """Search from an instance both ways; None if it has no start or the nodes differ."""
    at = [each.name for each in case.method.phases].index(phase)
    state = starts(case, seed, number)[at]
    assert state is not None
    chain = case.candidate(heuristic).chain
    assembled = chain.phases[at]
    search = Search(assembled.space)
    assembled.start(search, chain.puzzle, state, UNBOUNDED - 1, chain.parity(state, at))
    started = thread_time()
    search.run(PLENTY)
    bare = thread_time() - started
    started = thread_time()
    run = measure(case, heuristic, phase, seed, number, Limits())
    assert run is not None
    run.line()
    call = thread_time() - started
    if run.generated != search.generated_nodes:
        return None
    return Times(bare, run.cpu_seconds, call, run.generated)


def least(case: Case, heuristic: str, phase: str, seed: int, number: int, rounds: int) -> Times:
    """Return the shortest times of some rounds."""
    found = [once(case, heuristic, phase, seed, number) for _ in range(rounds)]
    if None in found:
        sys.exit(f"{case.name}, {phase}: the nodes of instance {number} differ")
    return Times(*map(min, zip(*filter(None, found), strict=True)))


def rows(options: argparse.Namespace) -> Iterator[tuple[str, str, str, Times]]:
    """Yield the times of all instances together, for each phase and heuristic."""
    for puzzle, phase in SEARCHED:
        case = Case(puzzlekit.load(puzzle), phases=[phase])
        for heuristic in options.heuristic or ("max", "blended"):
            case.candidate(heuristic)
            numbers = range(options.instances)
            how = heuristic, phase, options.seed
            times = [least(case, *how, number, options.rounds) for number in numbers]
            yield puzzle, phase, heuristic, Times(*map(sum, zip(*times, strict=True)))


def main() -> None:
    """Print one row for each phase and heuristic."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--instances", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3, help="rounds; the shortest times count")
    parser.add_argument(
        "--heuristic", action="append", help="may be repeated (default: max and blended)"
    )
    options = parser.parse_args()
    print(f"{'':<24}{'nodes':>12}{'bare ms':>10}{'records':>9}{'calls':>9}{'a call':>10}")
    for puzzle, phase, heuristic, times in rows(options):
        around = (times.call - times.record) / options.instances
        print(
            f"{puzzle + ' ' + phase:<14}{heuristic:<10}{times.nodes:>12,}{1000 * times.bare:>10.2f}"
            f"{times.record / times.bare - 1:>+9.1%}{times.call / times.bare - 1:>+9.1%}"
            f"{1e6 * around:>7.0f} us",
            flush=True,
        )


if __name__ == "__main__":
    main()
