"""Repeat published experiments of heuristic search, and print their numbers.

    python benchmarks/published.py korf --most 3000000
    python benchmarks/published.py korf --most 3000000 --heuristic walking-distance
    python benchmarks/published.py pancakes --size 16 --count 50
    python benchmarks/published.py tiles --most 1000000
    python benchmarks/published.py topspin --size 9 --count 10

`korf`: nodes of IDA* with the Manhattan distance for Korf's instances of the 15-puzzle (1985), one
by one. `--most` takes the instances for which the paper has at most so many nodes. The paper counts
the root, which adds 1. The exit code is 1 if a number or a length differs. With `--heuristic` only
the lengths have to be the same.

`pancakes`, `topspin`: means of expanded states on random states, for each algorithm; `tiles`: the
same on Korf's instances.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from math import inf
from pathlib import Path
from time import process_time
from typing import NamedTuple

import puzzlekit
from puzzlekit import Limits
from puzzlekit_lab import Case, measure

DATA = Path(__file__).parent / "data" / "instances" / "15-puzzle.txt"
ALGORITHMS = ("a-star", "mm", "nbs", "dvcbs", "bae")


class Instance(NamedTuple):
    """An instance of the 15-puzzle: its number, its board, and the numbers of the paper."""

    number: int
    board: str
    distance: int
    length: int
    nodes: int


def instances(most: float = inf) -> Iterator[Instance]:
    """Yield the instances for which the paper has at most so many nodes."""
    for line in DATA.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            board, _, rest = line.partition("#")
            number, distance, length, nodes = map(int, rest.split())
            if nodes <= most:
                yield Instance(number, board.strip(), distance, length, nodes)


def korf(most: int, heuristic: str | None) -> int:
    """Compare the nodes of IDA* with those of the paper."""
    solver = puzzlekit.load("fifteen-blank-first")
    wrong = total = 0
    started = process_time()
    print(f"{'instance':>8} {'length':>6} {'nodes':>13} {'paper':>13}")
    for each in instances(most):
        found = solver.solve(each.board, method="manhattan", heuristic=heuristic)
        nodes = found.nodes + 1
        total += nodes
        wrong += found.cost != each.length or (heuristic is None and nodes != each.nodes)
        print(f"{each.number:8} {found.cost:6} {nodes:13,} {each.nodes:13,}")
    seconds = process_time() - started
    print(f"{total:,} nodes in {seconds:.1f} s of CPU time; {wrong} instances differ")
    return min(wrong, 1)


def means(case: Case, heuristics: Sequence[str], count: int, limits: Limits) -> None:
    """Print the means of expanded states for each heuristic and algorithm."""
    print(f"{case.puzzle.name}, {count} states")
    print(f"{'heuristic':16} {'algorithm':10} {'solved':>6} {'expanded':>12} {'s':>8}")
    for heuristic in heuristics:
        for algorithm in ALGORITHMS:
            runs = [
                run
                for number in range(count)
                if (run := measure(case, f"{heuristic}@{algorithm}", "solve", 1, number, limits))
            ]
            solved = [run for run in runs if run.solved]
            mean = sum(run.expanded for run in solved) / max(len(solved), 1)
            seconds = sum(run.cpu_seconds for run in runs)
            print(f"{heuristic:16} {algorithm:10} {len(solved):6} {mean:12,.0f} {seconds:8.1f}")


def main() -> int:
    """Print the table that the arguments name, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", choices=["korf", "pancakes", "tiles", "topspin"])
    parser.add_argument("--most", type=int, default=3_000_000, help="nodes of the paper, at most")
    parser.add_argument("--size", type=int, default=16, help="pancakes or tokens")
    parser.add_argument("--count", type=int, default=50, help="random states")
    parser.add_argument("--heuristic", action="append", help="default: gap, or manhattan")
    parser.add_argument("--timeout", type=float, help="seconds of each search")
    given = parser.parse_args()
    if given.table == "korf":
        return korf(given.most, given.heuristic[0] if given.heuristic else None)
    limits = Limits(timeout=given.timeout)
    if given.table == "tiles":
        boards = [each.board for each in instances(given.most)]
        heuristics = given.heuristic or ["manhattan"]
        named = [f"{each}@{algorithm}" for each in heuristics for algorithm in ALGORITHMS]
        solver = puzzlekit.load("fifteen-blank-first")
        case = Case(solver, "manhattan", heuristics=named, positions=boards)
        means(case, heuristics, len(boards), limits)
        return 0
    pancakes = given.table == "pancakes"
    solver = puzzlekit.load(f"pancake-{given.size}" if pancakes else f"topspin-{given.size}-4")
    heuristics = given.heuristic or ["gap"]
    case = Case(solver, heuristics=[f"{each}@a-star" for each in heuristics])
    means(case, heuristics, given.count, limits)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
