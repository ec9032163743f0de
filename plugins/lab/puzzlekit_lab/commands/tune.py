"""`puzzlekit tune`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from puzzlekit import NoSolutionError
from puzzlekit.cli import Command, options
from puzzlekit_batch.batching import WorkerChoice, worker_options

if TYPE_CHECKING:
    from puzzlekit_lab.statistics import Interval
    from puzzlekit_lab.tuning import TrialRow, Tuned, Tuning

# The same as in `puzzlekit_lab.tuning`, which is too slow to import for the help.
# A test compares them.
_TRIALS, _COUNT, _HELD_OUT, _SEED, _MAX_NODES = 50, 30, 60, 1, 20_000_000


@click.command("tune", cls=Command, short_help="Search for the best parameters of a heuristic.")
@options.puzzle_option
@options.method_option
@click.option(
    "--phase",
    metavar="NAME",
    help="Tune for this phase only, by name or number. Default: all phases, one after the other.",
)
@options.metric_option
@click.option(
    "--heuristic",
    metavar="NAME",
    shell_complete=options.complete_heuristics,
    default="blended",
    help="Heuristic to tune: blended, max-sd, or a heuristic of a plugin. Parameters that are "
    "given here stay fixed, as in blended:sd=sample. Default: blended.",
)
@click.option(
    "--objective",
    metavar="TEXT",
    default="time",
    help="Quantity to minimise: time, nodes or length. 'time at length <= 54.5' also sets a bound "
    "on a mean. Default: time.",
)
@options.defaulted(
    "--trials", options.whole(1, 100_000), _TRIALS, "Number of parameter sets to try"
)
@options.defaulted(
    "--count", options.whole(2, 4096), _COUNT, "Number of random states for training"
)
@options.defaulted(
    "--held-out",
    options.whole(2, 100_000),
    _HELD_OUT,
    "Number of other random states that check the result",
)
@options.defaulted("--seed", options.seeds, _SEED, "Seed of the random states and of the trials")
@click.option(
    "--timeout", type=options.seconds, help="Give up a search after this time. Default: no limit."
)
@options.defaulted(
    "--max-nodes", options.nodes, _MAX_NODES, "Give up a search after this many nodes"
)
@worker_options()
@click.option(
    "--output",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="File for the result, as the JSON object of --json.",
)
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object.")
def command(
    puzzle: str | None,
    trials: int,
    workers: WorkerChoice,
    output: str | None,
    json_lines: bool,
    **asked: Any,
) -> int:
    """Search for the parameters of a heuristic that minimise an objective.

    Parameters are chosen on some random states; the best ones are then checked on others, against
    the heuristic as given and against max. The last line is the option --heuristic to use. Ctrl-C
    ends the search and starts the check; a second one ends the check.

    The default method is the first that has a phase with several pruning tables.

    \b
    Examples
      puzzlekit tune --puzzle cube4 --heuristic blended --objective "time at length <= 54.5"
      puzzlekit tune --puzzle cube4 --heuristic blended --objective nodes --phase split
      puzzlekit tune --puzzle cube4 --heuristic max-sd:sd=sample --objective "length at time <= 0.1"
      puzzlekit tune --puzzle cube2 --heuristic blended --objective nodes --trials 20 --json
      puzzlekit tune --puzzle cube4 --heuristic blended --objective nodes --output tuned.json
    """
    from puzzlekit.cli.output import INTERRUPTED, echo_json, json_line, say
    from puzzlekit.cli.progress import Stepping
    from puzzlekit_lab.tuning import Tuning

    if output is not None and not Path(output).parent.is_dir():
        raise click.UsageError(f"--output {output}: the directory does not exist")
    solver = options.load_checked(puzzle, asked["method"], asked["metric"])
    tuning = Tuning(solver, **asked)
    with _working(tuning, workers):
        interrupted = _train(tuning, trials)
        with Stepping(len(tuning.held_out), "checking") as bar:
            bar.tell(tuning.best)
            for _ in tuning.check():
                bar.tell(tuning.best)
    found = tuning.result()
    if json_lines:
        echo_json("tune", **_record(found))
    else:
        click.echo(_described(found, tuning))
    for name, value, low, high in found.at_ends:
        say(
            f"warning: the best {name}, {value:g}, lies at the end of the range that was tried, "
            f"{low:g} to {high:g}: better values may lie outside"
        )
    if output is not None:
        Path(output).write_text(json_line("tune", **_record(found)) + "\n", encoding="utf-8")
        say(f"written: {output}")
    if interrupted:
        return INTERRUPTED
    if not found.feasible:
        raise NoSolutionError(f"in training, no trial met the requirement: {_constraint(found)}")
    return 0


@contextmanager
def _working(tuning: Tuning, workers: WorkerChoice) -> Iterator[None]:
    """Let workers do the runs within the context, if the user asks for that."""
    if not workers.several:
        yield
        return
    from puzzlekit_batch.batching import check, connected, say_tallies

    with connected(workers) as client:
        check(workers, client, tuning.job, lambda: tuning.case.table_keys([None]))
        tuning.client = client
        try:
            yield
        finally:
            tuning.client = None
            say_tallies(tuning.tallies, 0)


def _train(tuning: Tuning, trials: int) -> bool:
    """Try sets of parameters, and return whether Ctrl-C ended the trials early."""
    from puzzlekit.cli.output import end_line, say
    from puzzlekit.cli.progress import Stepping, building

    case = tuning.case
    with building(case.solver, lambda: case.table_keys([None])):
        case.candidate("max")
    what = tuning.objective.quantity
    with Stepping(trials, "tuning") as bar:
        bar.tell(tuning.defaults)
        try:
            for _ in tuning.train(trials):
                bar.tell(f"best so far: {what} x {tuning.gain:.2f}")
        except KeyboardInterrupt:
            if not tuning.trials:
                raise
            end_line()
            say(f"interrupted after {tuning.trials} of {trials} trials: checking the best so far")
            return True
    return False


_PLAIN = (
    *("puzzle", "method", "profile", "metric", "phase", "seed", "trials", "refused"),
    *("defaults", "heuristic", "feasible", "holds", "better"),
)


def _record(found: Tuned) -> dict[str, Any]:
    plain = {name: getattr(found, name) for name in _PLAIN}
    return plain | {
        "objective": str(found.objective),
        "max_nodes": found.limits.max_nodes,
        "timeout": found.limits.timeout,
        "training": [_row_record(row) for row in found.training],
        "held_out": [_row_record(row) for row in found.held_out],
        "by_max": _ratios(found.by_max),
        "at_ends": [each._asdict() for each in found.at_ends],
    }


def _row_record(row: TrialRow) -> dict[str, Any]:
    import attrs

    ratios = _ratios(row.ratios)
    return {"heuristic": row.heuristic, **attrs.asdict(row.figures), "ratios": ratios}


def _ratios(ratios: Mapping[str, Interval | None]) -> dict[str, Any]:
    return {name: each and each._asdict() for name, each in ratios.items()}


def _described(found: Tuned, tuning: Tuning) -> str:
    """Format the table for training and held-out states, the conclusions, and the option."""
    from puzzlekit.cli.output import columns

    where = "all phases" if found.phase == "whole" else f"phase {found.phase}"
    heading = ["solved", f"{found.metric}", "", "nodes", "", "time", ""]
    rows = []
    for title, group in (("training", found.training), ("held out", found.held_out)):
        rows += [[title, *heading], *(_cells(row, found) for row in group), [""] * 8]
    lines = [
        f"{tuning.case.puzzle.title}, method {found.method}, {where}; {found.trials} trials",
        f"objective {found.objective}",
        "",
        columns(rows, right=[1, 2, 4, 6]),
        f"{found.metric}: mean length of the solutions. nodes, time (CPU): geometric means.",
        "x: ratio to the defaults on the same states, with its 95 % confidence interval.",
    ]
    if any(row.figures.solved < row.figures.instances for row in found.training + found.held_out):
        lines.append("An unsolved state counts as ten times its limit.")
    return "\n".join([*lines, "", *_conclusions(found), "", f"--heuristic '{found.heuristic}'"])


def _cells(row: TrialRow, found: Tuned) -> list[str]:
    of = row.figures
    # The defaults are not compared with themselves.
    ratios = {} if row.heuristic == found.defaults else row.ratios
    return [
        f"  {_name(row, found)}",
        f"{of.solved}/{of.instances}",
        "-" if of.length is None else f"{of.length:.2f}",
        _times(ratios.get("length"), 3),
        f"{of.nodes:,.0f}",
        _times(ratios.get("nodes")),
        f"{1000 * of.time:,.3g} ms" if of.time < 1 else f"{of.time:,.3g} s",
        _times(ratios.get("time")),
    ]


def _name(row: TrialRow, found: Tuned) -> str:
    names = {found.heuristic: "tuned", found.defaults: "defaults"}
    return names.get(row.heuristic, "max")


def _times(ratio: Interval | None, digits: int = 2) -> str:
    if ratio is None:
        return ""
    from puzzlekit_lab.statistics import ratio_of

    text = f"x {ratio_of(ratio.value, digits)}"
    if ratio.low is None or ratio.high is None:
        return text
    return f"{text} ({ratio_of(ratio.low, digits)} to {ratio_of(ratio.high, digits)})"


def _constraint(found: Tuned) -> str:
    solved = "as many states solved as by the defaults"
    return f"{found.objective.bound}, and {solved}" if found.objective.bound else solved


def _conclusions(found: Tuned) -> list[str]:
    """Return sentences on the results on the held-out states."""
    quantity = found.objective.quantity
    ratios = {"max": found.by_max[quantity]}
    lines = []
    if found.changed:
        ratios = {"the defaults": found.row(found.heuristic).ratios[quantity], **ratios}
    else:
        lines.append("Nothing better than the defaults was found.")
    for other, ratio in ratios.items():
        if ratio is not None and ratio.low is not None and ratio.high is not None:
            verdict = "no significant difference"
            if not ratio.low <= 1 <= ratio.high:
                verdict = "significantly less" if ratio.high < 1 else "significantly more"
            lines.append(f"Against {other}: {quantity} {_times(ratio, 3)}, {verdict}.")
    if found.objective.bound:
        kept = [_name(row, found) for row in found.held_out if found.keeps(row.heuristic)]
        others = [_name(row, found) for row in found.held_out if not found.keeps(row.heuristic)]
        parts = [f"met by {', '.join(kept)}"] * bool(kept)
        parts += [f"not met by {', '.join(others)}"] * bool(others)
        lines.append(f"On the held-out states, {found.objective.bound} is {' and '.join(parts)}.")
    return lines
