"""`puzzlekit distribution`."""

from __future__ import annotations

from math import log as logarithm
from typing import TYPE_CHECKING, Any

import click

from puzzlekit.cli import Command, options

if TYPE_CHECKING:
    from puzzlekit import Solver
    from puzzlekit_lab.distances import Distribution

_BAR = 40  # columns of the longest bar


@click.command(
    "distribution", cls=Command, short_help="Count the states at each distance from the goal."
)
@options.puzzle_option
@options.method_option
@click.option(
    "--phase", metavar="NAME", help="Phase, by name or number, if the method has several phases."
)
@options.metric_option
@click.option(
    "--moves",
    metavar="LIST",
    help="Use only these moves of the phase, such as R,U2: R means all turns of R.",
)
@click.option(
    "--classes",
    is_flag=True,
    help="Also count classes: states that differ only by a rotation or reflection of the puzzle "
    "count once.",
)
@click.option(
    "--memory",
    type=options.memory_size,
    metavar="SIZE",
    help="Maximum memory, such as 500MB or 2GiB. Default: 1GB.",
)
@click.option("--log", is_flag=True, help="Use a logarithmic scale for the bars.")
@click.option(
    "--output",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Also draw a picture: a .png, .svg or .pdf file.",
)
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object.")
def command(
    puzzle: str | None,
    log: bool,
    output: str | None,
    json_lines: bool,
    memory: int | None,
    **asked: Any,
) -> int:
    """Count the states at each distance from the goal of a phase.

    The default method is the first with one phase whose states fit into memory. Its largest
    distance is God's number.

    \b
    Examples
      puzzlekit distribution --puzzle cube2
      puzzlekit distribution --puzzle cube2 --metric QTM --classes
      puzzlekit distribution --puzzle cube2 --moves R,U --log
      puzzlekit distribution --puzzle cube3 --phase orient --json
      puzzlekit distribution --puzzle cube2 --output cube2.png
    """
    from puzzlekit.cli.progress import Searching
    from puzzlekit_lab.distances import MEMORY, check_picture, distribution, draw

    solver = options.load_checked(puzzle, asked["method"], asked["metric"])
    if output is not None:
        check_picture(output)
    with Searching(what="counting states"):
        found = distribution(solver, memory=memory or MEMORY, **asked)
    if json_lines:
        from puzzlekit.cli.output import echo_json

        echo_json("distribution", **_record(found))
    else:
        click.echo(_described(solver, found, log))
    if output is not None:
        draw(found, output, log)
    return 0


def _record(found: Distribution) -> dict[str, Any]:
    import attrs

    fields = attrs.asdict(found)
    return fields | {
        "total": found.total,
        "unreached": fields.pop("values") - found.total,
        "held": found.total * fields.pop("orientations"),
        "diameter": found.diameter,
        "mean": round(found.mean, 6),
        "seconds": round(found.seconds, 6),
    }


def _described(solver: Solver, found: Distribution, log: bool) -> str:
    """Format a table with bars, and the totals below it."""
    from puzzlekit.cli.output import columns

    rows = [[found.metric, "states", "share"]]
    for depth, count in enumerate(found.states):
        rows.append([str(depth), f"{count:,}", _share(count, found.total)])
    if found.classes:
        for row, cell in zip(rows, ["classes", *map("{:,}".format, found.classes)], strict=True):
            row.append(cell)
    right = range(len(rows[0]))
    for row, bar in zip(rows, ["", *_bars(found.states, log)], strict=True):
        row.append(bar)
    lines = [
        f"{solver.puzzle.title}, method {found.method}, phase {found.phase}: {found.goal}",
        f"moves {' '.join(found.moves)}",
        "",
        columns(rows, right),
        "",
        f"total     {found.total:,} states",
    ]
    if (ways := found.states[0]) > 1 and found.facelets:
        lines.append(f"solved    {ways} states, since each position counts in {ways} holdings")
    if found.orientations > 1:
        held = found.total * found.orientations
        lines.append(f"held      {held:,}, as the puzzle can be held in {found.orientations} ways")
    if found.values > found.total:
        unreached = found.values - found.total
        lines.append(f"no state  {unreached:,} further values of the coordinates are unreachable")
    if found.classes:
        kinds = "1 symmetry" if found.symmetries == 1 else f"{found.symmetries} symmetries"
        lines.append(f"classes   {sum(found.classes):,} up to {kinds}")
    lines.append(f"largest   {found.diameter} {found.metric}")
    lines.append(f"mean      {found.mean:.4f} {found.metric}")
    lines.append(f"farthest  {' '.join(found.farthest)}")
    if found.facelets:
        lines.append(f"facelets  {found.facelets}")
    lines.append(f"time      {found.seconds:.3f} s")
    return "\n".join(lines)


def _share(count: int, total: int) -> str:
    percent = 100 * count / total
    return f"{percent:.2f}%" if percent >= 0.005 else "<0.01%"


def _bars(counts: tuple[int, ...], log: bool) -> list[str]:
    """Return a bar for each count, at most `_BAR` columns long.

    The bars are made of # if stdout cannot print block characters.
    """
    from puzzlekit.cli.output import can_print

    most = max(counts)
    lengths = [
        logarithm(count + 1) / logarithm(most + 1) if log and count else count / most
        for count in counts
    ]
    if not can_print("█▏"):
        return ["#" * max(round(_BAR * length), length > 0) for length in lengths]
    eighths = [max(round(8 * _BAR * length), length > 0) for length in lengths]
    return ["█" * (each // 8) + " ▏▎▍▌▋▊▉"[each % 8].strip() for each in eighths]
