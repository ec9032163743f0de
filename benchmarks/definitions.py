"""Load every definition of some directories, and solve short scrambles and random states.

    python benchmarks/definitions.py DIRECTORY... [--seeds 10] [--output FILE] [--before FILE]

Each definition runs in its own process, the smallest file first. A line of the table has the power
of ten of the number of states that sums and parities allow (? if unknown); the default method; the
CPU seconds of the process until the first answer to ten random moves, and its length; the CPU
seconds until the method is prepared, unless `--unprepared` leaves that out; the mean length of the
answers to ten random moves, and to random states; and how many of all answers are right, if a
simulator that shares no code with the package (`replay.py`) replays them. `--seconds` limits the
search of each answer. `--method` chooses another method. `--only` names some of the files. With
`--longest`, a state without an answer after `--seconds` is searched again for this time, until it
has one.

With `--output`, the results go to a file with a JSON record for each definition. If the script is
started again, it skips the definitions in this file. With `--before`, the file of an earlier run,
the script prints at the end what has become worse: files that no longer load, answers that are
missing or wrong, and numbers that have grown by more than a tenth (times: doubled).
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from replay import Replay

if TYPE_CHECKING:
    from puzzlekit import Solver

ENDINGS = (".tws", ".def", ".json", ".gap")
MOVES = 10  # of a short scramble
LONGER, LATER = 1.1, 2.0  # of lengths and times, from which the comparison names them
MOMENT = 2.0  # CPU seconds by which times differ from run to run


def measure(given: argparse.Namespace) -> dict[str, Any]:
    """Return what happened with one definition."""
    import puzzlekit
    from puzzlekit_definitions import load_definition

    warnings.simplefilter("ignore")
    path = given.directory[0]
    try:
        solver = load_definition(path)
        first = next(solver.improve(scramble(solver, 0), timeout=600.0))
        found: dict[str, Any] = {"first": time.process_time()}
        chosen = solver.method(given.method).name
        states = solver.built.invariants.appearances
        found["states"] = f"1e{len(str(states)) - 1}" if states else "?"
        if not given.unprepared:
            solver.prepared(chosen)
            found["prepared"] = time.process_time()
    except puzzlekit.PuzzlekitError as error:
        return {"fault": str(error)}
    found |= {"method": chosen, "early": first.cost}
    replay = Replay(path)
    right = answers = 0
    faults: list[str] = []
    for kind in ("ten", "random"):
        costs, used = [], []
        for seed in range(given.seeds):
            began = time.process_time()
            state = scramble(solver, seed) if kind == "ten" else solver.random_state(seed)
            last = None
            for seconds in dict.fromkeys((given.seconds, max(given.seconds, given.longest))):
                try:
                    for answer in solver.improve(
                        state, method=chosen, timeout=seconds, threads=given.threads
                    ):
                        last = answer
                        if seconds > given.seconds:
                            break
                except puzzlekit.PuzzlekitError as error:
                    faults.append(str(error))
                if last is not None:
                    break
            used.append(time.process_time() - began)
            if last is None:
                continue
            costs.append(last.cost)
            answers += 1
            try:
                after = replay.after(
                    replay.read(solver.positions.written(state)), solver.path(last.moves)
                )
                right += replay.is_solved(after)
            except (KeyError, ValueError) as error:
                faults.append(f"not replayed: {error!r}")
        found |= {kind: costs, f"{kind}_cpu": sum(used) / len(used)}
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return found | {"right": right, "answers": answers, "faults": faults, "memory": most}


def scramble(solver: Solver, seed: int) -> bytes:
    """Return the state after ten random moves, none of them of the same family as the last one."""
    puzzle, rng = solver.puzzle, Random(seed)
    moves = puzzle.family_moves([each for each in puzzle.turns if each not in puzzle.rotations])
    done: list[Any] = []
    state = puzzle.solved
    while len(done) < MOVES:
        move = rng.choice(moves)
        if len(puzzle.turns) > 1 and done and move.family == done[-1].family:
            continue
        if puzzle.obstacle(state, move):
            continue
        done.append(move)
        state = puzzle.apply(state, [move])
    return solver.positions.scrambled(done)


def mean(numbers: list[float]) -> float:
    """Return the mean of some numbers; 0 if there are none."""
    return sum(numbers) / len(numbers) if numbers else 0.0


def line(name: str, found: dict[str, Any], seeds: int) -> str:
    """Return one line of the table."""
    if "method" not in found:
        return f"{name:40} {found['fault'][:100]}"
    text = f"{name:40} {found['states']:6} {found['method']:10}"
    text += f" first {found['first']:5.1f} s, {found['early']}"
    text += f"  prepared {found['prepared']:5.1f} s" if "prepared" in found else ""
    for kind in ("ten", "random"):
        text += f"  {kind} {mean(found[kind]):6.1f}"
        text += f" ({len(found[kind])} of {seeds})" if len(found[kind]) < seeds else ""
    text += f"  right {found['right']} of {found['answers']}  {found['memory'] / 1e6:5.0f} MB"
    return f"{text}  {found['faults'][0][:80] if found['faults'] else ''}".rstrip()


def worse(before: dict[str, Any], found: dict[str, Any]) -> Iterator[str]:
    """Yield what is worse than in an earlier table."""
    if "method" not in before:
        return
    if "method" not in found:
        yield f"no longer loads: {found['fault'][:100]}"
        return
    if found["right"] < found["answers"]:
        yield f"only {found['right']} of {found['answers']} answers are right"
    for kind in ("ten", "random"):
        if len(found[kind]) < min(len(before[kind]), found["seeds"]):
            yield f"{kind}: {len(found[kind])} answers, not {len(before[kind])}"
        both = min(len(found[kind]), len(before[kind]))
        old, new = mean(before[kind][:both]), mean(found[kind][:both])
        if new > LONGER * old:
            yield f"{kind}: {new:.1f} moves, not {old:.1f}"
    for time_of in {"first", "prepared"} & before.keys() & found.keys():
        old, new = before[time_of], found[time_of]
        if new > LATER * old + MOMENT:
            yield f"{time_of}: {new:.1f} CPU s, not {old:.1f}"


def run(path: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Return what happened with one definition, which runs in another process."""
    command = [sys.executable, __file__, str(path), "--one", "--seeds", str(given.seeds)]
    command += ["--seconds", str(given.seconds), "--longest", str(given.longest)]
    command += ["--threads", str(given.threads), *["--unprepared"] * given.unprepared]
    command += ["--method", given.method] if given.method else []
    allowed = 240 + 4 * given.seeds * (given.seconds + given.longest)
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=allowed)
    except subprocess.TimeoutExpired:
        return {"fault": f"nothing after {allowed:.0f} s"}
    try:
        found: dict[str, Any] = json.loads(ran.stdout)
    except json.JSONDecodeError:
        return {"fault": str(ran.stderr.strip().splitlines()[-1:] or f"exit {ran.returncode}")}
    return found | {"seeds": given.seeds}


def read(path: Path | None) -> dict[str, dict[str, Any]]:
    """Return the results of an earlier run, by definition."""
    if path is None or not path.exists():
        return {}
    return dict(map(json.loads, path.read_text().splitlines()))


def is_definition(path: Path) -> bool:
    """Whether a file is a definition, by its ending and, if it is JSON, by its keys."""
    if path.suffix != ".json":
        return path.suffix in ENDINGS
    try:
        data = json.loads(path.read_text())
    except ValueError:  # its fault is a line of the table
        return True
    return isinstance(data, dict) and not {"moves", "generators", "actions"}.isdisjoint(data)


def main() -> None:
    """Run the definitions of some directories, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path, nargs="+")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--longest", type=float, default=0.0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--unprepared", action="store_true")
    parser.add_argument("--method")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--before", type=Path)
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(measure(given)))
        return
    for each in given.directory:
        if not each.is_dir():
            parser.error(f"{each} is no directory")
    results = read(given.output)
    found = [(path, each) for each in given.directory for path in each.rglob("*") if path.is_file()]
    found = [each for each in found if is_definition(each[0])]
    found = [each for each in found if not given.only or each[0].stem in given.only]
    done: dict[str, dict[str, Any]] = {}
    for path, directory in sorted(found, key=lambda each: (each[0].stat().st_size, each[0])):
        name = str(path.relative_to(directory))
        if name not in results:
            results[name] = run(path, given)
            if given.output:
                with given.output.open("a") as file:
                    file.write(json.dumps([name, results[name]]) + "\n")
        done[name] = results[name]
        print(line(name, results[name], given.seeds), flush=True)
    loaded = sum("method" in each for each in done.values())
    right = sum("method" in each and each["right"] == 2 * given.seeds for each in done.values())
    print(f"{len(done)} definitions, {loaded} load, {right} give {2 * given.seeds} right answers")
    before = read(given.before)
    for name, own in done.items():
        for what in worse(before.get(name, {}), own):
            print(f"worse: {name}: {what}")


if __name__ == "__main__":
    main()
