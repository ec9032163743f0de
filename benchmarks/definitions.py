"""Load every definition of some directories, and solve random states with the default method.

    python benchmarks/definitions.py DIRECTORY... [--states 5] [--seconds 60] [--output FILE]

Each definition runs in its own process, the smallest file first. A line of the table has the
default method, the number of solved states, their mean length, the seconds to prepare the method
(and the CPU time), the mean seconds to the first answer, and the most memory of the process.
`--method` chooses another method. `--only` names some of the files. With `--longest`, a state
without an answer after `--seconds` is searched again for this time, until it has one. With
`--output`, the results go to a file with a JSON record for each definition. If the script is
started again, it skips the definitions in this file.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

ENDINGS = (".tws", ".def", ".json", ".gap")


def measure(given: argparse.Namespace) -> dict[str, Any]:
    """Return what happened with one definition."""
    import puzzlekit
    from puzzlekit_definitions import load_definition

    warnings.simplefilter("ignore")
    began, used = time.perf_counter(), time.process_time()
    try:
        solver = load_definition(given.directory[0])
        chosen = solver.method(given.method).name
        solver.prepared(chosen)
    except puzzlekit.PuzzlekitError as error:
        return {"fault": str(error)}
    found: dict[str, Any] = {"method": chosen, "prepared": time.perf_counter() - began}
    found["prepared_cpu"] = time.process_time() - used
    lengths, firsts, faults = [], [], []
    for seed in range(given.states):
        state = solver.random_state(seed)
        began = time.perf_counter()
        length = first = None
        for seconds in dict.fromkeys((given.seconds, max(given.seconds, given.longest))):
            try:
                for solution in solver.improve(
                    state, method=chosen, timeout=seconds, threads=given.threads
                ):
                    first = first or time.perf_counter() - began
                    length = solution.cost
                    if seconds > given.seconds:
                        break
            except puzzlekit.PuzzlekitError as error:
                fault = str(error)
            if length is not None:
                break
        if length is not None:
            lengths.append(length)
            firsts.append(first)
        else:
            faults.append(fault)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    found |= {"lengths": lengths, "firsts": firsts, "faults": faults, "memory": most}
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
        text += f" (CPU {found['prepared_cpu']:5.1f} s)"
        text += f"  first {sum(firsts) / len(firsts):6.2f} s  {found['memory'] / 1e6:6.0f} MB"
    return f"{text}  {found['faults'][0][:80] if found['faults'] else ''}".rstrip()


def run(path: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Return what happened with one definition, which runs in another process."""
    command = [sys.executable, __file__, str(path), "--one", "--states", str(given.states)]
    command += ["--seconds", str(given.seconds), "--longest", str(given.longest)]
    command += ["--threads", str(given.threads)]
    command += ["--method", given.method] if given.method else []
    allowed = 240 + 2 * given.states * (given.seconds + given.longest)
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=allowed)
    except subprocess.TimeoutExpired:
        return {"fault": f"nothing after {allowed:.0f} s"}
    try:
        found: dict[str, Any] = json.loads(ran.stdout)
    except json.JSONDecodeError:
        return {"fault": str(ran.stderr.strip().splitlines()[-1:] or f"exit {ran.returncode}")}
    return found


def main() -> None:
    """Run the definitions of some directories, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path, nargs="+")
    parser.add_argument("--states", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--longest", type=float, default=0.0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--method")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(measure(given)))
        return
    results: dict[str, dict[str, Any]] = {}
    if given.output and given.output.exists():
        results = dict(map(json.loads, given.output.read_text().splitlines()))
    found = [path for each in given.directory for path in each.iterdir()]
    chosen = [path for path in found if path.suffix in ENDINGS]
    chosen = [path for path in chosen if not given.only or path.stem in given.only]
    for path in sorted(chosen, key=lambda each: (each.stat().st_size, each)):
        name = str(path.relative_to(path.parents[1]).with_suffix(""))
        if name not in results:
            results[name] = run(path, given)
            if given.output:
                with given.output.open("a") as file:
                    file.write(json.dumps([name, results[name]]) + "\n")
        print(line(name, results[name], given.states), flush=True)
    loaded = sum("method" in each for each in results.values())
    solved = sum(len(each.get("lengths", ())) == given.states for each in results.values())
    print(f"{len(results)} definitions, {loaded} load, {solved} solve {given.states} random states")


if __name__ == "__main__":
    main()
