"""`puzzlekit tables`: what is kept on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from puzzlekit.cli import options

if TYPE_CHECKING:
    from puzzlekit.tables.store import StoredFile


@click.group("tables", no_args_is_help=True, short_help="List, build, verify, clear tables.")
def command() -> None:
    """List, build, verify and clear the tables that searches use.

    Tables are built when they are first needed and kept on disk from then on, so none of this is
    needed before solving. PUZZLEKIT_CACHE in the environment names another directory for them.

    \b
    Examples
      puzzlekit tables list
      puzzlekit tables build cube3
      puzzlekit tables clear --stale
    """


@command.command("list", short_help="List the tables on disk.")
def list_tables() -> int:
    """List the tables on disk: size, time to build, what each is for.

    \b
    Example
      puzzlekit tables list
    """
    from puzzlekit.cli.output import columns, several, size
    from puzzlekit.tables.store import TableStore

    store = TableStore()
    found = store.entries()
    if found:
        rows = [["puzzle", "size", "built in", "table", "what for"]] + [
            [
                stored.puzzle,
                size(stored.nbytes),
                "-" if stored.problem else f"{stored.seconds:.2f} s",
                stored.name,
                stored.purpose or f"unusable: {stored.problem}",
            ]
            for stored in found
        ]
        click.echo(columns(rows, right=[1, 2]))
    total = size(sum(stored.nbytes for stored in found))
    click.echo(f"{several(len(found), 'table')}, {total}, in {store.root}")
    return 0


@command.command("build")
@click.argument("puzzle", shell_complete=options.complete_puzzles)
@options.method_option
@options.metric_option
@options.heuristic_option
@click.option("--all", "everything", is_flag=True, help="Build for all methods and metrics.")
def build(
    puzzle: str, method: str | None, metric: str | None, heuristic: str | None, everything: bool
) -> int:
    """Build the tables of PUZZLE before they are needed.

    Without options those that 'solve' needs without options.

    \b
    Examples
      puzzlekit tables build cube3
      puzzlekit tables build cube3 --method two-phase --metric QTM
      puzzlekit tables build cube2 --all
    """
    from puzzlekit.cli.output import several
    from puzzlekit.cli.progress import prepare

    solver = options.load_puzzle(puzzle)
    if everything and (method or metric):
        raise click.UsageError("--all means all methods and metrics: it cannot go with one")
    methods = solver.methods if everything else [solver.method(method)]
    for each in methods:
        metrics = solver.metrics(each.name) if everything else [solver.metric(each.name, metric)]
        for measure in metrics:
            count = prepare(solver, each.name, heuristic, measure.name)
            built = f"{several(count, 'table')} built" if count else "all tables are there"
            click.echo(f"{puzzle} {each.name} {measure.name}: {built}")
    return 0


@command.command("verify", short_help="Compare the checksums of all tables.")
def verify() -> int:
    """Read all tables and compare their checksums; the exit code is 4 if one is damaged.

    A damaged table does no harm: it is built again when it is needed.

    \b
    Example
      puzzlekit tables verify
    """
    from puzzlekit.cli.output import several, size
    from puzzlekit.tables.store import TableStore

    store = TableStore()
    found = store.verify()
    damaged = [(stored, problem) for stored, problem in found if problem]
    for stored, problem in damaged:
        click.echo(f"error: {stored.path}: {problem}", err=True)
    total = size(sum(stored.nbytes for stored, _ in found))
    said = f"{len(damaged)} damaged" if damaged else "none damaged"
    click.echo(f"{several(len(found), 'table')}, {total}, in {store.root}: {said}")
    return 4 if damaged else 0


@command.command("clear", short_help="Remove tables: all, a puzzle's, or stale ones.")
@click.argument("puzzle", required=False, shell_complete=options.complete_puzzles)
@click.option("--stale", is_flag=True, help="Only those that no method of today uses any more.")
def clear(puzzle: str | None, stale: bool) -> int:
    """Remove tables from disk: all, those of PUZZLE, or the stale ones.

    They are built again when they are needed.

    \b
    Examples
      puzzlekit tables clear --stale
      puzzlekit tables clear cube2
    """
    from puzzlekit.cli.output import several, size
    from puzzlekit.tables.store import TableStore

    store = TableStore()
    removed = store.clear(keep=_in_use(store.entries()) if stale else None, puzzle=puzzle)
    freed = size(sum(stored.nbytes for stored in removed))
    click.echo(f"removed {several(len(removed), 'table')}, {freed}, from {store.root}")
    return 0


def _in_use(stored: list[StoredFile]) -> set[str]:
    """The fingerprints of all tables that today's puzzles may ask for.

    Where a plugin is broken, nobody knows what it would ask for, so the tables of puzzles that are
    not known stay.
    """
    from puzzlekit.phase.inventory import all_table_keys
    from puzzlekit.plugins.manager import manager

    names = options.puzzle_names(click.get_current_context())
    keep = {key.fingerprint for name in names for key in all_table_keys(options.load_puzzle(name))}
    broken = [plugin.name for plugin in manager().plugins if plugin.problem]
    unknown = {each.fingerprint for each in stored if each.puzzle not in names}
    if broken and unknown:
        click.echo(
            f"warning: tables of unknown puzzles stay, since plugins are broken: "
            f"{', '.join(broken)}",
            err=True,
        )
        keep |= unknown
    return keep


@command.command("path", short_help="Print the directory of the tables.")
def path() -> int:
    """Print the directory in which tables are kept.

    \b
    Example
      du -sh "$(puzzlekit tables path)"
    """
    from puzzlekit.tables.store import default_cache_directory

    click.echo(default_cache_directory())
    return 0
