"""Measure one warm call and one line of a batch: CPU time where the search itself is short.

    python benchmarks/warm.py --states 300 --profile large

The tables are in memory. "nothing to search" is three moves, whose shortest answer needs no node.
A line of a batch has its share of what the command does once.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import click
from shared import ready

import puzzlekit
from puzzlekit.cli import main as run


def timed(name: str, call: Callable[[Any], object], given: Iterable[Any]) -> None:
    """Print the mean and the median CPU time of calls, in microseconds."""
    times = []
    for each in given:
        started = process_time()
        call(each)
        times.append(process_time() - started)
    print(f"{name:28} mean {1e6 * mean(times):7.1f} us, median {1e6 * median(times):7.1f} us")


def line(puzzle: str, lines: list[str], options: list[str]) -> float:
    """Return the CPU seconds of a line of a batch."""
    with TemporaryDirectory() as directory:
        path = Path(directory, "lines.txt")
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        command = ["batch", "--puzzle", puzzle, "--input", str(path), *options]
        spent = 0.0
        for _ in range(2):  # the first time imports what the command needs
            started = process_time()
            with contextlib.redirect_stdout(io.StringIO()):
                code = run(command, standalone_mode=False)
            spent = process_time() - started
            if code:
                raise click.ClickException(f"puzzlekit batch --puzzle {puzzle} failed")
    return spent / len(lines)


@click.command()
@click.option("--states", type=click.IntRange(1), default=300, show_default=True)
@click.option("--profile", default="large", show_default=True, help="The tables of cube3.")
def main(states: int, profile: str) -> None:
    """Print the CPU times."""
    cube3, cube2 = puzzlekit.load("cube3"), puzzlekit.load("cube2")
    try:
        ready(cube3, "two-phase", profile)
    except puzzlekit.PuzzlekitError as error:
        raise click.ClickException(str(error)) from error
    drawn = [cube3.random_state(seed) for seed in range(states)]
    small = [cube2.random_state(seed) for seed in range(states)]

    def first(most: int) -> Callable[[bytes], object]:
        return lambda state: cube3.solve(state, max_length=most, profile=profile)

    for seed in range(states, 3 * states):  # bring the tables into the memory of the process
        first(20)(cube3.random_state(seed))
    timed("cube3, at most 21", first(21), drawn)
    timed("cube3, at most 20", first(20), drawn)
    timed("cube3, nothing to search", first(20), [cube3.state("R U F")] * states)
    timed("cube3, the same as text", first(20), ["R U F"] * states)
    cube2.solve(small[0])
    timed("cube2", cube2.solve, small)
    texts = [cube3.positions.to_facelets(state) for state in drawn]
    options = ["--tables", profile, "--max-length", "21"]
    lines = {
        "a line of cube3": line("cube3", texts, options),
        "a line of cube3, --json": line("cube3", texts, [*options, "--json"]),
        "a line of cube2": line("cube2", [*map(cube2.positions.to_facelets, small)], []),
    }
    for name, seconds in lines.items():
        print(f"{name:28} mean {1e6 * seconds:7.1f} us")


if __name__ == "__main__":
    main()
