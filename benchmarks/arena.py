"""Solve public sets of positions with known best totals, and print lengths beside these totals.

    python benchmarks/arena.py santa puzzle_info.csv puzzles.csv --output DIRECTORY
    python benchmarks/arena.py cayleypy puzzle_info.json test.csv --output DIRECTORY --best 44.1

`santa` takes the files of Santa 2023. `cayleypy` takes the files of a contest of CayleyPy. A dozen
positions of each set are in benchmarks/data; fetch the others from the contests.

Each position gets --seconds, not counting the preparation of its puzzle. With --hours, the whole
run takes that time instead: positions with many stickers come first and get most of it. All cores
work at once, each on its own position. When a position is solved, DIRECTORY/results.csv gets a
line. If the run is started again, it skips positions that have a line; with --again, it solves them
again and keeps the shorter answer. At the end, DIRECTORY/submission.csv has the answers in the
format of the contest, and DIRECTORY/table.md has the totals. Every answer is replayed on the
permutations of the file before it counts.

In Santa 2023, some stickers of some positions may be wrong (wildcards). Moves at the end of an
answer are dropped while enough stickers are right. The last answer also loses moves elsewhere.
"""

from __future__ import annotations

import argparse
import csv
import json
import multiprocessing
import os
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from wildcards import with_wildcards

from puzzlekit import PuzzlekitError, Solver
from puzzlekit.search.universal import universal_method
from puzzlekit_definitions import DefinedSolver, load_definition, parse_definition

# For each puzzle type of Santa 2023: the number of positions, and the total of the best known
# answers to them (wata-orz).
SANTA_BEST = {
    "cube_2/2/2": (30, 315),
    "cube_3/3/3": (120, 2665),
    "cube_4/4/4": (60, 3920),
    "cube_5/5/5": (35, 3370),
    "cube_6/6/6": (12, 1899),
    "cube_7/7/7": (5, 969),
    "cube_8/8/8": (5, 1364),
    "cube_9/9/9": (5, 1682),
    "cube_10/10/10": (5, 2219),
    "cube_19/19/19": (4, 6155),
    "cube_33/33/33": (3, 16208),
    "globe_1/8": (10, 496),
    "globe_1/16": (5, 545),
    "globe_2/6": (5, 113),
    "globe_3/4": (15, 469),
    "globe_3/33": (8, 6361),
    "globe_6/4": (5, 253),
    "globe_6/8": (5, 789),
    "globe_6/10": (5, 831),
    "globe_8/25": (2, 1914),
    "wreath_6/6": (20, 150),
    "wreath_7/7": (15, 128),
    "wreath_12/12": (10, 173),
    "wreath_21/21": (5, 190),
    "wreath_33/33": (3, 186),
    "wreath_100/100": (1, 406),
}
FIELDS = ("id", "kind", "length", "seconds", "path")

Moves = Mapping[str, Sequence[int]]


class Task(NamedTuple):
    """A position to solve. `solved` is empty if the file of the puzzle has the solved state."""

    id: str
    kind: str
    solved: str
    state: str
    wildcards: int


class Result(NamedTuple):
    """What came of a position. `path` is None if there is no answer; `fault` says why."""

    id: str
    kind: str
    seconds: float
    path: list[str] | None
    fault: str = ""


class Allowance(NamedTuple):
    """The time for a position: a share of the time until the deadline, or `seconds`."""

    seconds: float
    share: float = 0.0
    deadline: float = 0.0

    def now(self) -> float:
        """Return the seconds, if the search starts now. They are at least one."""
        if not self.deadline:
            return self.seconds
        return max(1.0, (self.deadline - time.time()) * self.share)


def allowances(sizes: Sequence[int], hours: float, processes: int) -> list[Allowance]:
    """Return the time for each position of a run that takes this number of hours.

    `sizes` has the numbers of stickers. A position gets its part of the time that is left when its
    search starts, in proportion to its size and the sizes after it. So a late preparation takes a
    little time from all later positions.
    """
    deadline = time.time() + 3600 * hours
    found, after = [], sum(sizes)
    for size in sizes:
        found.append(Allowance(0.0, min(1.0, processes * size / after), deadline))
        after -= size
    return found


def tasks(contest: str, positions: Path) -> Iterator[Task]:
    """Yield the positions of a file."""
    with positions.open(newline="") as file:
        for row in csv.DictReader(file):
            if contest == "santa":
                kind, solved = row["puzzle_type"], row["solution_state"]
                wildcards = int(row["num_wildcards"])
                yield Task(row["id"], kind, solved, row["initial_state"], wildcards)
            else:
                yield Task(row["initial_state_id"], positions.stem, "", row["initial_state"], 0)


@cache
def puzzle(contest: str, path: str, kind: str, solved: str) -> tuple[DefinedSolver, Moves]:
    """Return the solver of a puzzle, and the permutations of its moves."""
    if contest == "santa":
        moves = permutations(path, kind)
        given = json.dumps({"generators": moves, "central_state": solved.split(";")})
        return parse_definition(given, "json", name=kind), moves
    known = json.loads(Path(path).read_text())["generators"]
    return load_definition(path), known


@cache
def searcher(contest: str, path: str, kind: str, solved: str, method: str | None) -> Solver:
    """Return the solver that searches. If it is to be universal, it derives no other method."""
    solver, _ = puzzle(contest, path, kind, solved)
    if method != "universal":
        return solver
    return Solver(solver.puzzle, [universal_method(solver.puzzle)], solver.store)


@cache
def permutations(path: str, kind: str) -> Moves:
    """Return the moves of a puzzle of Santa 2023."""
    from puzzlekit_definitions.generators import allowed_moves, puzzle_info

    return allowed_moves(puzzle_info(Path(path).read_text(), path)[kind], path)


def written(task: Task) -> list[str]:
    """Return the stickers of a position."""
    return task.state.replace(";", ",").split(",")


def stickers(task: Task) -> int:
    """Return the number of stickers of a position."""
    return len(written(task))


def shortened(task: Task, path: list[str], moves: Moves, wanted: list[str]) -> list[str]:
    """Return the first moves of an answer after which enough stickers are right; check it.

    The answer is replayed with the permutations of the file alone.
    """
    numbers = {sticker: number for number, sticker in enumerate(dict.fromkeys(wanted))}
    state = np.array([numbers[each] for each in written(task)])
    solved = np.array([numbers[each] for each in wanted])
    arrays = {name: np.array(own) for name, own in moves.items()}
    for count in range(len(path) + 1):
        if np.count_nonzero(state != solved) <= task.wildcards:
            return path[:count]
        if count < len(path):
            step = path[count]
            if step in moves:
                state = state[arrays[step]]
            else:
                before = state.copy()
                state[arrays[step.removeprefix("-")]] = before
    raise AssertionError(f"{task.id}: the answer does not solve the position")


def relaxed(task: Task, path: list[str], moves: Moves, wanted: list[str]) -> list[str]:
    """Return a shorter answer to a position with wildcards, if there is one, and check it."""
    state = written(task)
    starts = {tuple(path), tuple(shortened(task, path, moves, wanted))}
    found = [with_wildcards(moves, state, wanted, start, task.wildcards) for start in starts]
    return shortened(task, min(found, key=len), moves, wanted)


Work = tuple[str, str, Task, Allowance, str | None]


def prepare(work: Work) -> None:
    """Build the tables for the puzzle of a position. If that fails, `solve` tells why."""
    warnings.simplefilter("ignore")
    contest, file, task, _, method = work
    with suppress(PuzzlekitError):
        searcher(contest, file, task.kind, task.solved, method).prepared(method)


def solve(work: Work) -> Result:
    """Solve one position."""
    warnings.simplefilter("ignore")
    contest, file, task, allowance, method = work
    began = time.perf_counter()
    found: list[str] | None = None
    fault = ""
    try:
        solver, moves = puzzle(contest, file, task.kind, task.solved)
        search = searcher(contest, file, task.kind, task.solved, method)
        search.prepared(method)  # its tables are built now, or another process builds them
        began = time.perf_counter()
        state = solver.positions.from_written(task.state)
        wanted = solver.positions.written(solver.puzzle.solved).split(",")
        for solution in search.improve(state, method=method, timeout=allowance.now()):
            path = solver.path(solution.moves)
            answer = shortened(task, path, moves, wanted)
            if found is None or len(answer) < len(found):
                found = answer
        if found is not None and task.wildcards:
            found = min(found, relaxed(task, path, moves, wanted), key=len)
    except PuzzlekitError as error:
        fault = str(error)
    return Result(task.id, task.kind, time.perf_counter() - began, found, fault)


def known_results(path: Path) -> dict[str, dict[str, str]]:
    """Return the lines of earlier runs: the shortest answer to each position."""
    found: dict[str, dict[str, str]] = {}
    if path.exists():
        with path.open(newline="") as file:
            for row in csv.DictReader(file):
                if row["id"] not in found or int(row["length"]) < int(found[row["id"]]["length"]):
                    found[row["id"]] = row
    return found


def table(
    rows: Mapping[str, Mapping[str, str]], counts: Mapping[str, int], best: Mapping[str, float]
) -> str:
    """Return the totals by kind of puzzle, as a table in Markdown.

    `best` has the mean length of the best known answers by kind.
    """
    lines = ["| puzzle | positions | solved | total | mean | best known mean | mean seconds |"]
    lines.append("|---|---|---|---|---|---|---|")
    for kind, count in counts.items():
        own = [row for row in rows.values() if row["kind"] == kind]
        total = sum(int(row["length"]) for row in own)
        solved = max(1, len(own))
        seconds = sum(float(row["seconds"]) for row in own) / solved
        known = f"{best[kind]:.1f}" if kind in best else "?"
        cells = (
            kind,
            count,
            len(own),
            f"{total:,}",
            f"{total / solved:.1f}",
            known,
            f"{seconds:.1f}",
        )
        lines.append(f"| {' | '.join(map(str, cells))} |")
    total = sum(int(row["length"]) for row in rows.values())
    lines.append(f"| **all** | {sum(counts.values())} | {len(rows)} | {total:,} | | | |")
    return "\n".join(lines)


def main() -> None:
    """Solve the positions that have no answer yet, then write the submission and the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("contest", choices=["santa", "cayleypy"])
    parser.add_argument("puzzle_info", type=Path)
    parser.add_argument("positions", type=Path)
    parser.add_argument("--output", type=Path, required=True, metavar="DIRECTORY")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each position")
    parser.add_argument("--hours", type=float, help="for the whole run, in place of --seconds")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", nargs="*", metavar="PUZZLE", help="puzzle types to solve")
    parser.add_argument("--every", type=int, default=1, help="solve only every Nth position")
    parser.add_argument("--again", action="store_true", help="solve known positions again")
    parser.add_argument("--method", help="the method; default: the default method of each puzzle")
    parser.add_argument("--best", type=float, default=0, help="the best known mean of the set")
    given = parser.parse_args()
    given.output.mkdir(parents=True, exist_ok=True)
    results = given.output / "results.csv"
    rows = known_results(results)
    every = list(tasks(given.contest, given.positions))
    listed = every[:: given.every]
    listed = [task for task in listed if not given.only or task.kind in given.only]
    left = [task for task in listed if given.again or task.id not in rows]
    times = [Allowance(given.seconds)] * len(left)
    if given.hours is not None:
        left.sort(key=stickers, reverse=True)
        times = allowances([stickers(task) for task in left], given.hours, given.processes)
    path = str(given.puzzle_info)
    work = [
        (given.contest, path, task, allowance, given.method)
        for task, allowance in zip(left, times, strict=True)
    ]
    one_of_each = list({(each[2].kind, each[2].solved): each for each in work}.values())
    started = not results.exists() or not results.stat().st_size
    spawned = multiprocessing.get_context("spawn")
    with (
        results.open("a", newline="") as file,
        spawned.Pool(given.processes) as pool,
    ):
        writer = csv.writer(file)
        if given.hours is not None:  # else the last puzzles would take time from their positions
            for _ in pool.imap_unordered(prepare, one_of_each):
                pass
        if started:
            writer.writerow(FIELDS)
        for number, found in enumerate(pool.imap_unordered(solve, work), 1):
            length = "none" if found.path is None else len(found.path)
            told = f"{number} of {len(work)}: {found.id} {found.kind} length {length}"
            print(f"{told}, {found.seconds:.1f} s {found.fault[:80]}".rstrip(), flush=True)
            if found.path is not None:
                values = found.id, found.kind, length, f"{found.seconds:.2f}", ".".join(found.path)
                writer.writerow(values)
                file.flush()
    rows = known_results(results)
    header = ("id", "moves") if given.contest == "santa" else ("initial_state_id", "path")
    with (given.output / "submission.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows((task.id, rows[task.id]["path"]) for task in listed if task.id in rows)
    chosen = {task.id: rows[task.id] for task in listed if task.id in rows}
    best = {kind: total / count for kind, (count, total) in SANTA_BEST.items()}
    if given.contest == "cayleypy":
        best = {every[0].kind: given.best} if given.best else {}
    text = table(chosen, Counter(task.kind for task in listed), best)
    (given.output / "table.md").write_text(text + "\n")
    print(text)


if __name__ == "__main__":
    main()
