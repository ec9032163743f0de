"""`puzzlekit event-scramble`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from puzzlekit.cli import Command, options

if TYPE_CHECKING:
    from puzzlekit_events.scrambler import EventScrambler

__all__ = ["complete_events", "print_of_event"]


@options.completed
def complete_events(_: click.Context) -> Iterable[str]:
    """Return the names of all events."""
    from puzzlekit.plugins.manager import manager

    return [each.name for each in manager().events()]


@click.command("event-scramble", cls=Command, short_help="Print scrambles of a competition event.")
@click.argument("event", metavar="EVENT", shell_complete=complete_events)
@click.option(
    "-n", "--count", type=options.whole(1, 1_000_000), help="Number of scrambles. Default: 1."
)
@options.seed_option
@click.option(
    "--sheet",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Also write a page for printing, with pictures and extra scrambles. Without --count, it "
    "has the scrambles of a round.",
)
@options.defaulted(
    "--extra", options.whole(0, 1000), 2, "With --sheet: number of extra scrambles (E1, E2, ...)"
)
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object per scramble.")
def command(
    event: str,
    count: int | None,
    seed: int | None,
    sheet: str | None,
    extra: int,
    json_lines: bool,
) -> int:
    """Print scrambles of a competition event, such as 333 or pyram.

    States and moves follow the regulations of competitions. Each line is one scramble. The same
    seed gives the same scrambles in every version.

    \b
    Examples
      puzzlekit event-scramble 222 --count 5
      puzzlekit event-scramble 333 --sheet round-1.html
    """
    from puzzlekit.cli.progress import prepare
    from puzzlekit.search.scrambling import fresh_seed
    from puzzlekit_events.scrambler import load_event

    if sheet is not None:
        options.check_page(sheet)
    elif click.get_current_context().get_parameter_source("extra") is not ParameterSource.DEFAULT:
        raise click.UsageError("--extra needs --sheet")
    scrambler = load_event(event)
    if scrambler.choice is not None:
        prepare(scrambler.solver, scrambler.choice)
    seed = fresh_seed() if seed is None else seed
    made = {}
    for number in range(1, (count or (scrambler.event.attempts if sheet else 1)) + 1):
        made[str(number)] = lines = scrambler.lines(seed, str(number))
        print_of_event(scrambler, lines, json_lines)
    if sheet is not None:
        from pathlib import Path

        from puzzlekit_events.sheet import scramble_sheet

        made |= {f"E{k}": scrambler.lines(seed, f"E{k}") for k in range(1, extra + 1)}
        page = scramble_sheet(scrambler.event, scrambler.puzzle, made, seed)
        Path(sheet).write_text(page, encoding="utf-8", newline="\n")
    return 0


def print_of_event(scrambler: EventScrambler, lines: Sequence[str], json_lines: bool) -> None:
    """Print a scramble of an event, all its lines on one line."""
    from puzzlekit.cli.scramble import print_scramble
    from puzzlekit_events.event import Pattern, RandomMoves

    event = scrambler.event
    text = " ".join(lines)
    moves = [move.name for move in scrambler.puzzle.moves(text)]
    is_random_state = not isinstance(event.moves, RandomMoves | Pattern)
    print_scramble(scrambler.solver, moves, json_lines, is_random_state, text, event=event.name)
