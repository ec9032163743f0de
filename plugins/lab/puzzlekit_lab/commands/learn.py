"""`puzzlekit learn`."""

from __future__ import annotations

import os
from pathlib import Path

import click

from puzzlekit.cli import Command, options

# The same as in `puzzlekit_lab.learning`, which is too slow to import for the help.
_SECONDS = 300
_MOST_DEPTH = 400
_SUFFIX = ".network"


@click.command("learn", cls=Command, short_help="Train a network that guides a search.")
@options.puzzle_option
@options.metric_option
@click.option(
    "--timeout",
    type=options.seconds,
    help=f"Seconds of training. Default: {_SECONDS}; with --steps no limit.",
)
@click.option(
    "--steps",
    type=options.whole(1, 10**9),
    help="Steps of training, of 512 states each, instead of a time: the same seed then gives the "
    "same network.",
)
@click.option(
    "--depth",
    type=options.whole(1, _MOST_DEPTH),
    help="Length of the random walks. Default: more moves than most states are away.",
)
@options.defaulted("--seed", options.seeds, 1, "Seed of the weights and the walks")
@click.option(
    "--output",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help=f"File for the network. Default: PUZZLE{_SUFFIX}, if there is none yet.",
)
def command(
    puzzle: str | None,
    metric: str | None,
    timeout: float | None,
    steps: int | None,
    depth: int | None,
    seed: int,
    output: str | None,
) -> int:
    """Train a network on random walks of any puzzle, without tables or solutions.

    The file then stands for the puzzle with the method learned, a beam search that the network
    guides. Ctrl-C ends the training early and keeps the network.

    \b
    Examples
      puzzlekit learn --puzzle cube2 --timeout 10
      puzzlekit solve --puzzle cube2.network "R U F2"
      puzzlekit learn --puzzle puzzle.tws --timeout 600 --output puzzle.network
      puzzlekit compare --puzzle cube2 --method optimal --heuristic max,learned:file=cube2.network
    """
    from puzzlekit.cli.output import INTERRUPTED, end_line, say
    from puzzlekit.cli.progress import Stepping
    from puzzlekit_lab.learning import SECONDS, Training

    solver = options.load_checked(puzzle, None, metric)
    assert puzzle is not None
    defined = options.is_file(puzzle)
    path = output or f"{Path(puzzle).stem if defined else solver.puzzle.name}{_SUFFIX}"
    if defined and puzzle.endswith(_SUFFIX):
        raise click.UsageError(
            f"{puzzle} is a network, and training begins anew: name its puzzle, "
            f"{solver.puzzle.name}"
        )
    if not path.endswith(_SUFFIX):
        raise click.UsageError(f"--output {path}: the name has to end in {_SUFFIX}")
    if not Path(path).parent.is_dir():
        raise click.UsageError(f"--output {path}: the directory does not exist")
    if output is None and Path(path).exists():
        raise click.UsageError(
            f"{path} exists already: --output {path} replaces it, and another name keeps it"
        )
    training = Training(solver, metric, depth, seed=seed)
    interrupted = False
    with Stepping(100, "training", begun=0) as bar:
        try:
            told = 0
            for share in training.run(timeout or SECONDS, steps):
                while told < int(100 * share):
                    told += 1
                    bar.tell(f"{training.hits:.1%} of last moves, cost off by {training.error:.2f}")
        except KeyboardInterrupt:
            if not training.steps:
                raise
            end_line()
            interrupted = True
    network = training.result()
    if defined:
        network.about["definition"] = os.path.relpath(puzzle, Path(path).parent)
    network.save(path)
    device = network.about["device"]
    where = "" if device == "numpy" else f" on {device}"
    say(
        f"written: {path}, after {training.steps:,} steps{where}: it names "
        f"{training.hits:.1%} of the last moves of walks of up to {training.depth}"
    )
    return INTERRUPTED if interrupted else 0
