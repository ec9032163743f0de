"""Measure solving in steps of cube3: CPU time and lengths, against nissy-classic if it is at hand.

    python benchmarks/steps.py --states 100
    python benchmarks/steps.py --states 10 --timeout 10 --nissy ~/nissy-classic

The first table has the CPU time of each answer, with tables in memory. `--timeout` is the time of
fewest-moves for one state; without it, the default beam is measured. `--nissy` names a directory
with the program `nissy` (https://nissy.tronto.net, `make` builds it). nissy then solves the same
states by a beam over its steps eo, dr-eo, htr and htrfin, on both sides. `--kept` says how many
answers it gives for each state of a step, and how many of them are kept for the next step. Its
tables are built by the first run.
"""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
import time
from pathlib import Path
from statistics import fmean, median

from shared import random_states

import puzzlekit
from puzzlekit_steps import solve_in_steps

NISSY = (("eo", "-N"), ("dr-eo", "-L"), ("htr", "-L"), ("htrfin", ""))


def main() -> None:
    """Print one line for each method, then one for nissy."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--states", type=int, default=20)
    parser.add_argument("--timeout", type=float)
    parser.add_argument("--methods", default="cfop,roux,zz,petrus,fewest-moves")
    parser.add_argument("--nissy", type=Path)
    parser.add_argument("--kept", default="10:10,10:20,10:200,1:1", help="for each step, N:KEPT")
    asked = parser.parse_args()
    solver = puzzlekit.load("cube3")
    states = [solver.positions.from_facelets(each) for each in random_states(solver, asked.states)]
    print(f"{'method':<14} {'length':>6} {'mean ms':>9} {'median':>9} {'max':>9}")
    for name in asked.methods.split(","):
        timeout = asked.timeout if name == "fewest-moves" else None
        lengths, spent = [], []
        for state in [states[0], *states]:  # the first answer loads the tables
            began = time.process_time()
            lengths.append(solve_in_steps(solver, state, name, timeout=timeout).length)
            spent.append(1000 * (time.process_time() - began))
        show(name, lengths[1:], spent[1:])
    if asked.nissy:
        kept = [tuple(map(int, each.split(":"))) for each in asked.kept.split(",")]
        lengths, spent = [], []
        for state in states:
            began = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            lengths.append(by_nissy(asked.nissy, solver, state, kept))
            spent.append(1000 * (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - began))
        show("nissy", lengths, spent)


def show(name: str, lengths: list[int], spent: list[float]) -> None:
    """Print one line."""
    print(
        f"{name:<14} {fmean(lengths):6.2f} {fmean(spent):9.1f} {median(spent):9.1f} "
        f"{max(spent):9.1f}",
        flush=True,
    )


def by_nissy(
    directory: Path, solver: puzzlekit.Solver, state: bytes, kept: list[tuple[int, ...]]
) -> int:
    """Return the length of the best answer of a beam over the steps of nissy."""
    puzzle = solver.puzzle
    scramble = " ".join(move.name for move in puzzle.undo(solver.solve(state).sequence))
    found = {"": 0}
    for (step, option), (count, most) in zip(NISSY, kept, strict=True):
        lines = [f"solve {step} {option} -n {count} {scramble} {done}" for done in found]
        after: dict[str, int] = {}
        for done, answers in zip(found, run(directory, lines), strict=True):
            for moves in answers:
                whole = f"{done} {moves}"
                after.setdefault(whole, length(puzzle, whole))
        found = dict(sorted(after.items(), key=lambda each: each[1])[:most])
    best = min(found, key=lambda each: found[each])
    assert puzzle.is_solved(puzzle.apply(state, whole_answer(puzzle, best)))
    return found[best]


def run(directory: Path, lines: list[str]) -> list[list[str]]:
    """Return the answers of nissy to each line."""
    program = directory.expanduser().resolve() / "nissy"
    text = "\n".join(lines) + "\n"
    done = subprocess.run([program, "-b"], input=text, capture_output=True, text=True, check=True)
    parts = re.split(r">>> Executing command: .*\n", done.stdout)[1:]
    return [re.findall(r"^(.*) \(\d+\)$", part, re.MULTILINE) for part in parts]


def whole_answer(puzzle: puzzlekit.Puzzle, text: str) -> list[puzzlekit.Move]:
    """Return the moves of an answer in which moves on the inverse are in parentheses."""
    inverse = " ".join(re.findall(r"\(([^)]*)\)", text))
    normal = re.sub(r"\([^)]*\)", " ", text)
    moves = [*puzzle.moves(normal)] if normal.strip() else []
    return [*moves, *(puzzle.undo(puzzle.moves(inverse)) if inverse else ())]


def length(puzzle: puzzlekit.Puzzle, text: str) -> int:
    """Return the length of an answer, with moves that cancel or join merged."""
    from puzzlekit.search.strategies.candidate import merge

    return puzzle.metric().total(merge(puzzle, [whole_answer(puzzle, text)])[0])


if __name__ == "__main__":
    main()
