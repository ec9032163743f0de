"""Repeat published experiments of heuristic search, and print their numbers.

    python benchmarks/published.py korf --most 3000000
    python benchmarks/published.py korf --most 3000000 --heuristic walking-distance
    python benchmarks/published.py korf24 --most 100000000
    python benchmarks/published.py beam24 --nodes 1000000
    python benchmarks/published.py cubes --instances 1
    python benchmarks/published.py pancakes --size 10 --length 10
    python benchmarks/published.py pancakes --size 16 --given
    python benchmarks/published.py tiles --most 1000000
    python benchmarks/published.py topspin --size 9 --count 10

`korf`: nodes of IDA* with the Manhattan distance for Korf's instances of the 15-puzzle (1985), one
by one. `--most` takes the instances for which the paper has at most so many nodes. The paper counts
the root, which adds 1. The exit code is 1 if a number or a length differs. With `--heuristic` only
the lengths have to be the same.

`korf24`: nodes of IDA* with additive tables of four patterns of six tiles, and their reflections,
for the instances of the 24-puzzle of Korf and Felner (2002). The tables are built first if they are
not in the cache, in about 16 s. With `--duplicates 12` there are about half as many nodes.

`beam24`: lengths of the answers of `beam` for these instances, with `--nodes` nodes.

`cubes`: nodes of the method `optimal` for the ten cubes of Korf (1997), whose tables need 1 GB.

`pancakes`, `topspin`: means of expanded states on random states, with 95 % confidence intervals,
for each algorithm; `tiles`: the same on Korf's instances. `--length` takes only states that far
from the solved one, and `--given` the instances of the literature. `pancakes --size 10 --length 10`
repeats a table of Holte and others (2016), and prints its numbers, too.

`--instances 31,41` or `--instances 1-20` takes these instances only.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from pathlib import Path
from random import Random
from time import process_time
from typing import NamedTuple

import puzzlekit
from puzzlekit import Limits, Method, Solution, Solver
from puzzlekit_fifteen.sliding import Sliding
from puzzlekit_lab import Case, measure
from puzzlekit_lab.statistics import mean

DATA = Path(__file__).parent / "data" / "instances"
ALGORITHMS = ("a-star", "mm", "nbs", "dvcbs", "bae")

# Means of expanded states on stacks of 10 pancakes that need 10 flips, from R. C. Holte, A. Felner,
# G. Sharon and N. R. Sturtevant, "Bidirectional search that is guaranteed to meet in the middle"
# (2016), as A. Felner's lecture "Recent advances in bidirectional search" quotes them. If all gaps
# are ignored, MM is the paper's MM0.
PAPER = {
    "gap@a-star": 117,
    "gap@mm": 165,
    "gap:ignored=1@a-star": 4_280,
    "gap:ignored=1@mm": 2_448,
    "gap:ignored=2@a-star": 27_162,
    "gap:ignored=2@mm": 6_723,
    "gap:ignored=3@a-star": 97_644,
    "gap:ignored=3@mm": 7_507,
    "gap:ignored=10@mm": 5_551,
}


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


def scrambles(name: str) -> Iterator[Instance]:
    """Yield instances without nodes in the paper."""
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            board, _, rest = line.partition("#")
            number, length = map(int, rest.split())
            yield Instance(number, board.strip(), length, 0)


def chosen(text: str | None, every: Iterable[Instance]) -> list[Instance]:
    """Return the instances in a text such as "1-20,88"; all of them without one."""
    if text is None:
        return list(every)
    numbers: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        numbers.update(range(int(first), int(last or first) + 1))
    return [each for each in every if each.number in numbers]


def korf(wanted: Iterable[Instance], heuristic: str | None) -> int:
    """Compare the nodes of IDA* with those of the paper."""
    solver = puzzlekit.load("fifteen-blank-first")

    def solve(board: str) -> Solution:
        return solver.solve(board, method="manhattan", heuristic=heuristic)

    return compared(wanted, solve, 1, heuristic is None)


def cubes(wanted: Iterable[Instance], profile: str) -> int:
    """Solve Korf's cubes with the method `optimal`, and compare the lengths with those known."""
    solver = puzzlekit.load("cube3")

    def solve(scramble: str) -> Solution:
        return solver.solve(scramble, method="optimal", profile=profile, threads=1)

    return compared(wanted, solve, 0, same=False)


def korf24(wanted: Iterable[Instance], duplicates: int) -> int:
    """Compare the nodes of IDA* with those of the paper, on the 24-puzzle."""
    known = puzzlekit.load("tiles-5x5-blank-first")
    (large,) = known.method("optimal").larger
    method = Method("patterns", large.brings, large.phases, Sliding(duplicates=duplicates))
    solver = Solver(known.puzzle, [method], known.store)
    solver.prepared()

    def solve(board: str) -> Solution:
        return solver.solve(known.state(board))

    easiest = sorted(wanted, key=lambda instance: instance.nodes)
    return compared(easiest, solve, 0, duplicates == 2)


def beam24(wanted: Sequence[Instance], nodes: int) -> int:
    """Compare lengths with those of shortest answers, on the 24-puzzle."""
    solver = puzzlekit.load("tiles-5x5-blank-first")
    found = [solver.solve(each.board, method="beam", max_nodes=nodes) for each in wanted]
    length = mean([each.cost for each in found]).value
    least = mean([each.length for each in wanted]).value
    seconds = mean([each.cpu_seconds for each in found]).value
    print(
        f"{len(found)} boards: {length:.2f} moves in {seconds:.2f} CPU s, {least:.2f} are the least"
    )
    return 0


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
        paper = f"{each.nodes:,}" if each.nodes else "-"
        wrong += found.cost != each.length or not found.optimal or (same and nodes != each.nodes)
        print(
            f"{each.number:8} {found.cost:6} {nodes:16,} {paper:>16} {found.cpu_seconds:9.2f}",
            flush=True,
        )
    seconds = process_time() - started
    print(f"{total:,} nodes in {seconds:.1f} s of CPU time; {wrong} instances differ")
    return min(wrong, 1)


def means(
    case: Case,
    heuristics: Sequence[str],
    lengths: Sequence[int | None],
    limits: Limits,
    papers: bool,
) -> int:
    """Print the means of expanded states for each heuristic and algorithm; return the exit code.

    - `lengths`: for each state, the length of a shortest answer, if it is known.
    - `papers`: whether the states are such as those of `PAPER`, whose numbers are then printed.
    """
    wrong = 0
    print(f"{case.puzzle.name}, {len(lengths)} states")
    print(f"{'heuristic':16} {'algorithm':10} {'solved':>6} {'expanded':>9} {'95 %':>19} {'s':>7}")
    for heuristic in heuristics:
        for algorithm in ALGORITHMS:
            named = f"{heuristic}@{algorithm}"
            if papers and not {named, f"{heuristic}@a-star"} & PAPER.keys():
                continue  # without estimates, only MM
            expanded, seconds = [], 0.0
            for number, length in enumerate(lengths):
                run = measure(case, named, "solve", 1, number, limits)
                assert run is not None
                seconds += run.cpu_seconds
                if run.solved:
                    expanded.append(run.expanded)
                    wrong += length not in (None, run.cost)
            found = mean(expanded or [0])
            within = "" if found.low is None else f"{found.low:,.0f} to {found.high:,.0f}"
            print(
                f"{heuristic:16} {algorithm:10} {len(expanded):6} {found.value:9,.0f} {within:>19} "
                f"{seconds:7.1f}"
                + (f"  paper {PAPER[named]:,}" if papers and named in PAPER else ""),
                flush=True,
            )
    if wrong:
        print(f"{wrong} answers are longer than shortest ones, or shorter")
    return min(wrong, 1)


def far(solver: Solver, length: int, count: int) -> list[Instance]:
    """Return random states of which the shortest answers have some length."""
    found: list[Instance] = []
    number = 0
    while len(found) < count:
        state = solver.random_state(Random(f"{length} {number}"))
        number += 1
        if solver.solve(state).cost == length:
            board = solver.positions.to_facelets(state)
            found.append(Instance(len(found) + 1, board, length, 0))
    return found


def main() -> int:
    """Print the table that the arguments name, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    tables = ["korf", "korf24", "beam24", "cubes", "pancakes", "tiles", "topspin"]
    parser.add_argument("table", choices=tables)
    parser.add_argument("--most", type=int, default=3_000_000, help="nodes of the paper, at most")
    parser.add_argument("--instances", help='such as "1-20,88" (default: all)')
    parser.add_argument("--size", type=int, default=16, help="pancakes or tokens")
    parser.add_argument("--count", type=int, default=50, help="random states")
    parser.add_argument(
        "--length", type=int, help="only states with shortest answers of this length"
    )
    parser.add_argument("--given", action="store_true", help="instances of the literature")
    parser.add_argument("--heuristic", action="append", help="default: gap, or manhattan")
    parser.add_argument("--duplicates", type=int, default=2, help="korf24: see Sliding")
    parser.add_argument("--nodes", type=int, default=1_000_000, help="beam24: of each search")
    parser.add_argument("--profile", default="1gb", help="cubes: the tables")
    parser.add_argument("--timeout", type=float, help="seconds of each search")
    given = parser.parse_args()
    most = given.most if given.instances is None else inf
    if given.table == "korf":
        wanted = chosen(given.instances, instances(most))
        return korf(wanted, given.heuristic[0] if given.heuristic else None)
    if given.table == "korf24":
        return korf24(chosen(given.instances, instances(most, "24-puzzle.txt")), given.duplicates)
    if given.table == "beam24":
        return beam24([*chosen(given.instances, instances(inf, "24-puzzle.txt"))], given.nodes)
    if given.table == "cubes":
        return cubes(chosen(given.instances, scrambles("cube3.txt")), given.profile)
    limits = Limits(timeout=given.timeout)
    heuristics = given.heuristic or ["gap"]
    name, method = f"{given.table.removesuffix('s')}-{given.size}", None
    listed: list[Instance] = []
    if given.table == "tiles":
        name, method = "fifteen-blank-first", "manhattan"
        heuristics = given.heuristic or ["manhattan"]
        listed = chosen(given.instances, instances(most))
    elif given.table == "topspin":
        name += "-4"
    solver = puzzlekit.load(name)
    papers = False
    if given.given:
        listed = chosen(given.instances, scrambles(f"{name}.txt"))
    elif given.length is not None:
        listed = far(solver, given.length, given.count)
        papers = (name, given.length) == ("pancake-10", 10)
        if papers and not given.heuristic:
            heuristics = list(dict.fromkeys(each.partition("@")[0] for each in PAPER))
    named = [f"{each}@{algorithm}" for each in heuristics for algorithm in ALGORITHMS]
    boards = [each.board for each in listed]
    case = Case(solver, method, heuristics=named, positions=boards)
    lengths: list[int | None] = [each.length for each in listed]
    lengths = lengths or [None] * given.count
    return means(case, heuristics, lengths, limits, papers)


if __name__ == "__main__":
    raise SystemExit(main())
