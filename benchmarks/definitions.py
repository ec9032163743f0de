"""Load every definition of a directory, and solve random states with the default method.

    python benchmarks/definitions.py DIRECTORY [--states 5] [--seconds 60] [--method universal]

Each definition runs in its own process. A line of the table has the default method, the number of
solved states, their mean length, the seconds to prepare the method, and the mean seconds to the
first answer. `--method` chooses another method. `--only` names some of the files.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

ENDINGS = (".tws", ".def", ".json")


def measure(path: str, states: int, seconds: float, method: str | None) -> dict[str, Any]:
    """Return what happened with one definition."""
    import puzzlekit
    from puzzlekit import load_definition

    warnings.simplefilter("ignore")
    began = time.perf_counter()
    try:
        solver = load_definition(path)
        chosen = solver.method(method).name
        solver.chain(chosen)
    except puzzlekit.PuzzlekitError as error:
        return {"fault": str(error)}
    found: dict[str, Any] = {"method": chosen, "prepared": time.perf_counter() - began}
    lengths, firsts, faults = [], [], []
    moves = solver.puzzle.family_moves(solver.puzzle.turns)
    for seed in range(states):
        scramble = random.Random(seed).choices(moves, k=500)
        state = solver.scrambled(scramble)
        began = time.perf_counter()
        length = first = None
        try:
            for solution in solver.improve(state, method=chosen, timeout=seconds):
                first = first or time.perf_counter() - began
                length = solution.length
        except puzzlekit.PuzzlekitError as error:
            faults.append(str(error))
        if length is not None:
            lengths.append(length)
            firsts.append(first)
    found |= {"lengths": lengths, "firsts": firsts, "faults": faults}
    return found


def line(name: str, found: dict[str, Any], states: int) -> str:
    """Return one line of the table."""
    if "method" not in found:
        return f"{name:30} {found['fault'][:100]}"
    lengths, firsts = found["lengths"], found["firsts"]
    text = f"{name:30} {found['method']:10} {len(lengths)} of {states}"
    if lengths:
        mean = sum(lengths) / len(lengths)
        text += f"  length {mean:7.1f}  prepared {found['prepared']:5.1f} s"
        text += f"  first {sum(firsts) / len(firsts):6.2f} s"
    return f"{text}  {found['faults'][0][:80] if found['faults'] else ''}".rstrip()


def main() -> None:
    """Run the definitions of a directory, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--states", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--method")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        found = measure(str(given.directory), given.states, given.seconds, given.method)
        print(json.dumps(found))
        return
    solved = loaded = total = 0
    for path in sorted(given.directory.iterdir()):
        if path.suffix not in ENDINGS or (given.only and path.stem not in given.only):
            continue
        total += 1
        command = [sys.executable, __file__, str(path), "--one", "--states", str(given.states)]
        command += ["--seconds", str(given.seconds)]
        command += ["--method", given.method] if given.method else []
        allowed = 120 + 2 * given.states * given.seconds
        try:
            ran = subprocess.run(command, capture_output=True, text=True, timeout=allowed)
            found = json.loads(ran.stdout)
        except subprocess.TimeoutExpired:
            found = {"fault": f"nothing after {allowed:.0f} s"}
        except json.JSONDecodeError:
            found = {"fault": ran.stderr.strip().splitlines()[-1:] or "no output"}
            found = {"fault": str(found["fault"])}
        loaded += "method" in found
        solved += len(found.get("lengths", ())) == given.states
        print(line(path.stem, found, given.states), flush=True)
    print(f"{total} definitions, {loaded} load, {solved} solve {given.states} random states")


if __name__ == "__main__":
    main()
