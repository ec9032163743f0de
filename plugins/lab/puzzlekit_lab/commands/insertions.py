"""`puzzlekit find --insert`: insert short cycles into a skeleton."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from puzzlekit.cli import options
from puzzlekit.cli.output import echo_json, several

if TYPE_CHECKING:
    from puzzlekit import Metric, Solver
    from puzzlekit.cli.answers import Sorting
    from puzzlekit_lab.sequences.insertion_search import InsertedAnswer, Inserter


def check_options(used: set[str]) -> None:
    """Raise a UsageError if the command line has an option that `--insert` does not use."""
    from click.core import ParameterSource

    ctx = click.get_current_context()
    for parameter in ctx.command.params:
        given = parameter.name and ctx.get_parameter_source(parameter.name)
        if given == ParameterSource.COMMANDLINE and parameter.name not in used:
            raise click.UsageError(f"{parameter.opts[-1]} cannot be combined with --insert")


def insert(
    solver: Solver,
    given: options.Given,
    skeleton: str,
    sort: str | Metric | None,
    limit: int | None,
    json_lines: bool,
    **asked: Any,
) -> int:
    """Print the best answers, one by default."""
    from puzzlekit.cli import positions
    from puzzlekit.cli.answers import Sorting
    from puzzlekit.cli.output import say
    from puzzlekit.cli.progress import Searching
    from puzzlekit_lab.sequences.insertion_search import Inserter

    positions.one_source(given.sources)
    state = positions.read_position(solver, given).state
    search = Inserter(
        solver, state, skeleton, **{name: each for name, each in asked.items() if each is not None}
    )
    order = None if sort is None else Sorting(solver, sort, search.metric)
    if not json_lines:
        say(f"the skeleton leaves {search.unsolved}")
    with Searching():
        found = search.answers()
    if order is not None:
        found = list(order.first(found, lambda each: each.moves, None))
    shown = found[: limit or 1]
    for each in shown:
        if json_lines:
            _print_json(search, each, order)
        else:
            click.echo(_line(each, order))
    if not json_lines and search.stopped:
        say("stopped by --timeout: there may be shorter answers")
    if not json_lines and len(found) > len(shown):
        say(f"best of {several(len(found), 'answer')}; --limit shows more")
    return 0


def _line(answer: InsertedAnswer, order: Sorting | None) -> str:
    """Format an answer as a line that can be read as moves. A comment has the insertions."""
    note = "" if order is None else order.note(answer.moves, answer.metric)
    made = "".join(
        f"; {' '.join(each.moves)} after move {each.after}, {each.cancelled} cancelled"
        for each in answer.insertions
    )
    return f"{answer}  // {answer.length} {answer.metric}{note}{made}".lstrip()


def _print_json(search: Inserter, answer: InsertedAnswer, order: Sorting | None) -> None:
    echo_json(
        "find",
        puzzle=answer.puzzle,
        metric=answer.metric,
        skeleton=[move.name for move in search.skeleton],
        unsolved=search.unsolved,
        solution=str(answer),
        moves=answer.moves,
        length=answer.length,
        lengths=answer.lengths,
        insertions=[each._asdict() for each in answer.insertions],
        **({} if order is None else order.record(answer.moves)),
    )
