"""Repeat published experiments of heuristic search, and print their numbers.

    python benchmarks/published.py korf --most 3000000
    python benchmarks/published.py korf --most 3000000 --heuristic walking-distance
    python benchmarks/published.py pancakes --size 16 --count 50
    python benchmarks/published.py korf24 --most 100000000
    python benchmarks/published.py tiles --most 1000000
    python benchmarks/published.py topspin --size 9 --count 10

`korf`: nodes of IDA* with the Manhattan distance for Korf's instances of the 15-puzzle (1985), one
by one. `--most` takes the instances for which the paper has at most so many nodes. The paper counts
the root, which adds 1. The exit code is 1 if a number or a length differs. With `--heuristic` only
the lengths have to be the same.

`korf24`: nodes of IDA* with additive tables of four patterns of six tiles, and their reflections,
for the instances of the 24-puzzle of Korf and Felner (2002). The tables are built first if they are
not in the cache, in about 16 s. With `--duplicates 12` there are about half as many nodes.

`pancakes`, `topspin`: means of expanded states on random states, for each algorithm; `tiles`: the
same on Korf's instances.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from pathlib import Path
from time import process_time
from typing import NamedTuple

import puzzlekit
from puzzlekit import Limits, Method, Solution, Solver
from puzzlekit_fifteen.sliding import Sliding
from puzzlekit_lab import Case, measure

DATA = Path(__file__).parent / "data" / "instances"
ALGORITHMS = ("a-star", "mm", "nbs", "dvcbs", "bae")


class Instance(NamedTuple):
    """An instance: its number, its board, and the numbers of the paper."""

    number: int
    board: str
    length: int
    nodes: int


def instances(most: float = inf, name: str = "15-puzzle.txt") -> Iterator[Instance]:
    """Yield the instances for which the paper has at most so many nodes."""
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            board, _, rest = line.partition("#")
            number, *_, length, nodes = map(int, rest.split())
            if nodes <= most:
                yield Instance(number, board.strip(), length, nodes)


def korf(most: int, heuristic: str | None) -> int:
    """Compare the nodes of IDA* with those of the paper."""
    solver = puzzlekit.load("fifteen-blank-first")

    def solve(board: str) -> Solution:
        return solver.solve(board, method="manhattan", heuristic=heuristic)

    return compared(instances(most), solve, 1, heuristic is None)


def korf24(most: int, duplicates: int) -> int:
    """Compare the nodes of IDA* with those of the paper, on the 24-puzzle."""
    known = puzzlekit.load("tiles-5x5-blank-first")
    (large,) = known.method("optimal").larger
    method = Method("patterns", large.brings, large.phases, Sliding(duplicates=duplicates))
    solver = Solver(known.puzzle, [method], known.store)
    solver.prepared()

    def solve(board: str) -> Solution:
        return solver.solve(known.state(board))

    easiest = sorted(instances(most, "24-puzzle.txt"), key=lambda instance: instance.nodes)
    return compared(easiest, solve, 0, duplicates == 2)


def compared(
    wanted: Iterable[Instance], solve: Callable[[str], Solution], root: int, same: bool
) -> int:
    """Print the nodes and those of the paper, and return the exit code.

    - `root`: 1 if the paper counts the root, too.
    - `same`: whether the nodes have to be those of the paper.
    """
    wrong = total = 0
    started = process_time()
    print(f"{'instance':>8} {'length':>6} {'nodes':>16} {'paper':>16} {'s':>9}")
    for each in wanted:
        found = solve(each.board)
        nodes = found.nodes + root
        total += nodes
        wrong += found.cost != each.length or not found.optimal or (same and nodes != each.nodes)
        print(
            f"{each.number:8} {found.cost:6} {nodes:16,} {each.nodes:16,} {found.cpu_seconds:9.2f}",
            flush=True,
        )
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
    parser.add_argument("table", choices=["korf", "korf24", "pancakes", "tiles", "topspin"])
    parser.add_argument("--most", type=int, default=3_000_000, help="nodes of the paper, at most")
    parser.add_argument("--size", type=int, default=16, help="pancakes or tokens")
    parser.add_argument("--count", type=int, default=50, help="random states")
    parser.add_argument("--heuristic", action="append", help="default: gap, or manhattan")
    parser.add_argument("--duplicates", type=int, default=2, help="korf24: see Sliding")
    parser.add_argument("--timeout", type=float, help="seconds of each search")
    given = parser.parse_args()
    if given.table == "korf":
        return korf(given.most, given.heuristic[0] if given.heuristic else None)
    if given.table == "korf24":
        return korf24(given.most, given.duplicates)
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
